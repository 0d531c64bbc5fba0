//! The formats: results as text for a terminal, for editors, for programs and as a page. Functions
//! from values to strings; nothing here writes anywhere, and source text comes through `Texts`.

mod coverage;
#[cfg(test)]
mod extremes;
mod gcc;
mod harm;
mod html;
mod incomplete;
mod json;
mod kinds;
mod numbers;
mod replay;
#[cfg(test)]
mod sample;
mod sarif;
mod statistics;
mod style;
mod summary;
mod terminal;
mod texts;
mod totals;
mod uri;

pub use coverage::coverage;
pub use gcc::gcc;
pub use html::html;
pub use json::{Sites, json};
pub use kinds::{Explanation, explanation, page, page_name};
pub use sarif::{Tool, sarif};
pub use statistics::{statistics, statistics_json, wrappers};
pub use style::{Style, printable};
pub use summary::{check, stages};
pub use terminal::{View, findings, model_stub};
pub use texts::Texts;
pub use totals::one_line;
