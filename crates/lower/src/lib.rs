//! caulk lower
