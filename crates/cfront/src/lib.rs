//! caulk cfront
