//! Conditions as values: Boolean formulas over branch decisions, and what can be asked of them.
//!
//! [`Formulas`] builds guards and simplifies them on the way (F11). A [`Solver`] tells whether a
//! guard can hold, and by which decisions; there are two, [`SatSolver`] and [`BddSolver`], which
//! give the same answers. [`linear::Linear`] is the filter in front of them that sees plain
//! contradictions only (K6). [`text`] and [`paths()`] show a guard to a person. [`bits`] has the
//! conditions of one path word by word: bit-vector terms.
//!
//! An atom is a decision that the caller numbers; this crate knows nothing of programs. Nothing
//! here gives a wrong answer for want of room: a formula past its bounds is
//! [`GuardId::TOO_LARGE`], and a question about it is answered by [`Answer::GaveUp`].
//!
//! Formulas are no deeper than [`Limits::height`], which bounds every recursion over them.

pub mod assignment;
mod bdd;
mod bdd_solver;
pub mod bits;
mod circuit;
pub mod consistency;
mod explain;
pub mod formula;
pub mod linear;
pub mod paths;
mod sat;
mod simplify;
pub mod solver;
pub mod switch;
pub mod text;
mod walk;

pub use assignment::{Assignment, Decision};
pub use bdd_solver::BddSolver;
pub use formula::{Form, Formulas, GuardId, Limits};
pub use linear::Linear;
pub use paths::paths;
pub use sat::SatSolver;
pub use solver::{Answer, Reason, Solver, Statistics};
pub use switch::{AtomId, EdgeSet, SwitchId};
pub use text::Text;
