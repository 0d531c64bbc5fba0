//! The default: one verdict per cause, from what several engines say of one program.
//!
//! Cheap to dear. Summaries of all procedures (SPARROW) tell which sites are suspect; the use-flow
//! search (SMOKE) looks for a path of every object and decides it; symbolic evaluation (Scholz,
//! Blieberger and Fahringer) runs on functions that a finding names, for the condition under which
//! memory is lost. [`weigh`] turns agreement and contradiction into confidence;
//! `docs/confidence.md` is its page.
//!
//! Deliberately absent: the value-flow engines, whose facts cost more than all of this together.

mod habits;
mod runs;
mod stages;
mod weigh;

pub use runs::run;
pub use stages::{Input, Options, check};
