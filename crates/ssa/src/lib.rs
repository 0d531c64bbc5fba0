//! caulk ssa
