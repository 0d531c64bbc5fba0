//! Guarded value flow: one engine in two configurations, FastCheck (Cherem, Princehouse, Rugina,
//! PLDI 2007) and SABER (Sui, Ye, Xue, TSE 2014).
//!
//! Both follow the address of each allocated object through the value-flow graph, put the branch
//! conditions of control flow on its edges, and ask a solver whether the releases that are
//! reached cover all paths. FastCheck follows locals and asks SAT; SABER follows memory, too, and
//! asks a BDD. [`Configuration`] has the differences, and the improvements as named switches.
//!
//! | what | paper | file |
//! |---|---|---|
//! | sites, allocators by worklist | F8 | `sites` |
//! | search, split, slice, leak query | F5, F7, S7–S9 | `judge` |
//! | guards of the releases | F6, S8 | `freed` |
//! | double-free query | F7 | `double_free` |
//! | constant tests of statuses | F9 | `statuses` |
//! | what lives on, reference counts, what was decided before (switches) | – | `owners`, `own_state`, `before`, `texts`, `walks`, `turns` |
//! | paths, tried one by one (switch) | – | `paths`, `needs` |
//! | switches by name | – | `switches` |
//! | classes | F12 | `class` |
//! | witness | F13 | `witness`, `steps`, `telling`, `meetings`, `losses`, `story` |
//! | tables | F14 | `tables` |

mod before;
mod class;
mod configuration;
mod double_free;
mod endless;
mod freed;
mod judge;
mod losses;
mod meetings;
mod needs;
mod own_state;
mod owners;
mod paths;
mod places;
mod run;
mod sites;
mod statuses;
mod steps;
mod story;
mod switches;
mod tables;
mod telling;
mod texts;
mod turns;
mod walks;
mod witness;
mod world;

pub use class::Class;
pub use configuration::{Configuration, Solving};
pub use run::{Input, check};
pub use switches::SWITCHES;
