//! caulk project
