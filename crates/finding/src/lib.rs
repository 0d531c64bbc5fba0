//! What a run has to tell: findings, what could not be analysed, and how much was looked at.
//!
//! Plain values, owned and free of ids, so that they outlive the modules they speak of. Knows
//! nothing of formats.

pub mod baseline;
mod changed;
mod comments;
mod finding;
pub mod fingerprint;
mod incomplete;
mod location;
mod merge;
mod names;
mod order;
mod replay;
mod results;
#[cfg(test)]
mod sample;
mod source;
mod statistics;
mod suppress;
pub mod triage;
mod verdicts;

pub use changed::Changes;
pub use finding::{A_PART, Confidence, Finding, Harm, Kind, Role, Sharing, Step, Suggestion};
pub use incomplete::{Incomplete, Subject};
pub use location::{Location, Point, Range};
pub use merge::{Cause, cause, merge};
pub use order::order;
pub use replay::{Given, Outcome, Proof, Replay, Station, When};
pub use results::{Counts, Hidden, Results, SkippedCommands, Stage, UnitRow, UnitState};
pub use source::Source;
pub use statistics::{Section, StageCost, Statistics, WrapperRow};
pub use suppress::{Remark, Suppressed, Suppression, suppress};
pub use verdicts::{Site, Verdicts};
