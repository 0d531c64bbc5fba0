//! The symbolic heap engine: Scholz, Blieberger, Fahringer, "Symbolic Pointer Analysis for Detecting
//! Memory Leaks" (2000), Y1–Y6.
//!
//! | paper | here |
//! |---|---|
//! | section 2: contexts `[s, t, p]` | `state`, `region` |
//! | expressions, comparison under assumptions | `space`, `poly`, `condition`, `weaker`, `substitute`, `facts` |
//! | section 3.1: the heap algebra, `get`, equations (1)–(4) | `heap`, `leaf`, `matching`, `get` |
//! | Figure 1: rules D1–D10 | `step`, `calls`, `external` |
//! | recurrences and their closed forms | `recurrence`, `loops`, `exits` |
//! | section 4: pointer graph, rules (5)–(13) | `graph`, `normal` |
//! | the predicate over the input | `leaks`, `words`, `solved` |
//!
//! What differs: a record is named by the place that made it and the turns of the loops around that
//! place, where the paper counts; a variable is put into the heap only if it holds a record that was
//! made here. What is deliberately absent: memory that overlaps, recursion (both end the knowledge
//! of what they touch), records that were there before the call.

mod arithmetic;
mod calls;
mod check;
pub mod condition;
mod constants;
mod escape;
mod exits;
mod external;
pub mod facts;
pub mod function;
pub mod get;
pub mod graph;
pub mod heap;
pub mod leaf;
pub mod leaks;
mod loops;
pub mod matching;
mod normal;
pub mod poly;
pub mod print;
mod recurrence;
mod region;
mod report;
mod solved;
pub mod space;
pub mod state;
mod step;
pub mod substitute;
mod weaker;
pub mod words;

pub use check::{check, check_some, print};
pub use state::{Input, Options};
