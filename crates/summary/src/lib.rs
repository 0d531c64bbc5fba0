//! The summary engine: SPARROW (Jung and Yi, ISMM 2008), P1–P8.
//!
//! Each procedure is summarised by abstract interpretation, callees before callers, into a graph
//! over access paths that its calls fill in with their own memory.
//!
//! | paper | where |
//! |---|---|
//! | Table 4, domains | `numbers`, `value`, `location`, `state` |
//! | 4.1, exploring input memory, k-bound | `exec` (`explore`, `unwritten`) |
//! | 4, abstract semantics | `semantics`, `memory`, `fills`, `external` |
//! | 4, fixpoint; Figure 13, loops | `fixpoint` |
//! | pruning by conditions | `prune` |
//! | 4.2, summaries; section 3, allocating exits | `summarise`, `summary`, `outcomes`; the categories: `categories` |
//! | 4.2, LeakedAddress | `leaks`, seen again by `confirm` and `facts`, told by `story` |
//! | 4.3, Ψ and instantiation | `calls`; what a call cannot make: `needs` |
//! | 1.1.1, order | `schedule`, `check`; what is asked: `asked` |
//! | – statics that calls write | `statics`, `handed` |
//! | section 3, decisions | `options` |
//! | – what is kept between runs | `kept` |
//! | Figures 3–8 and 16, drawings; for people | `print`, `draw`; `words` |
//!
//! Knows nothing of points-to, memory SSA and the other engines.

mod asked;
mod calls;
mod categories;
mod check;
mod confirm;
mod draw;
mod exec;
mod external;
mod facts;
mod fills;
mod fixpoint;
mod handed;
mod kept;
mod leaks;
mod location;
mod memory;
mod needs;
mod numbers;
mod options;
mod outcomes;
mod print;
mod prune;
mod questions;
mod schedule;
mod semantics;
mod sorted;
mod state;
mod statics;
mod story;
mod summarise;
mod summary;
mod value;
mod words;

pub use asked::Question;
pub use categories::{Anchor, Categories, Root, Step};
pub use check::{Input, Summaries, check, check_some, summarise_all};
pub use draw::{draw, draw_svg};
pub use kept::Store;
pub use numbers::Numbers;
pub use options::{Budget, Options};
pub use print::{print, print_json};
pub use questions::{Effects, ResultClass};
pub use state::Background;
pub use summary::{ExitEffects, Fresh, Held, Node, NodeId, Status, Summary};
