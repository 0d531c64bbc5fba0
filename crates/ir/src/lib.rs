//! caulk ir
