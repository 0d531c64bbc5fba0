//! caulk finding
