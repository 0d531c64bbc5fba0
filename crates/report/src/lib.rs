//! caulk report
