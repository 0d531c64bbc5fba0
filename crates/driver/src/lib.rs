//! caulk driver
