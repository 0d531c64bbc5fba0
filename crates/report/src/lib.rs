//! The formats: results as text for a terminal, and as SARIF. Functions from values to strings;
//! nothing here writes anywhere.

mod columns;
mod coverage;
mod incomplete;
mod numbers;
mod sarif;
mod statistics;
mod style;
mod summary;
mod uri;

pub use columns::{Source, in_characters};
pub use coverage::coverage;
pub use sarif::{Tool, sarif};
pub use statistics::{statistics, statistics_json, wrappers};
pub use style::{Style, printable};
pub use summary::{check, findings, one_line, stages};
