//! A second opinion on bit-vector conditions: Z3, behind the feature `z3`. It needs the system's
//! library (Debian's libz3-dev); nothing of caulk needs it, and without the feature this crate is
//! empty. Its test lets both solvers decide every query of the suites.

#[cfg(feature = "z3")]
mod z3;

#[cfg(feature = "z3")]
pub use z3::Z3;
