//! What a run has to tell: findings, what could not be analysed, and how much was looked at.
//!
//! Plain values, owned and free of ids, so that they outlive the modules they speak of. Knows
//! nothing of formats.

mod changed;
mod finding;
pub mod fingerprint;
mod incomplete;
mod location;
mod results;
mod statistics;
mod verdicts;

pub use changed::Changes;
pub use finding::{Confidence, Finding, Harm, Kind, Role, Step, Suggestion};
pub use incomplete::{Incomplete, Subject};
pub use location::{Location, Point, Range};
pub use results::{Counts, Results, SkippedCommands, Stage, UnitRow, UnitState};
pub use statistics::{Section, StageCost, Statistics, WrapperRow};
pub use verdicts::{Site, Verdicts};
