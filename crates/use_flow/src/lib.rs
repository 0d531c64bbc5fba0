//! The use-flow engine: SMOKE's staged search (K1–K10), over SSA values and a local symbolic memory.
//!
//! 1. What is called by who has objects (`demand`) is summarised bottom up (`summaries`, `export`): a
//!    summary has one case per kind of exit, with the conditions, releases, stores and results that
//!    belong together (K3, K4).
//!    The same look decides the objects that every way releases or hands on (`owed`).
//! 2. For each call that makes an object that is in doubt, the object is followed through its function by
//!    a search that joins states of equal fate (`explore`): what ends in an error state is a candidate.
//! 3. Candidates are decided on single paths (`paths`): the linear filter while a path grows (K6),
//!    bit-vectors at its end (K7).
//!    Of paths that lose the same object, one that asks less to be believed is told (`strain`), without
//!    the decisions that change nothing (`idle`).
//! 4. What is left after a finer look at who made it (`specialise`) is told with its way (`witness`), and
//!    with the release that is missing where that is certain (`remedy`).
//!
//! `step` with `values`, `compute`, `equality`, `copies` and `leaving`, `calls` with `callees`, `apply`,
//! `bystanders`, `refusals`, `nodes` with `evaluate`, and `perform`, and `effects` are the meaning of the
//! representation; both searches share it. `export` with `exits`, `alike`, `naming` and `told_stores`
//! makes summaries.
//! What is deliberately absent: whole-program points-to. Memory that a function did not make is
//! named by the path it was reached on, and two such names are two objects (P3, K8).

mod alike;
mod apply;
mod astray;
mod bystanders;
mod callbacks;
mod callees;
mod callers;
mod calls;
mod closed;
mod compute;
mod constants;
mod copies;
mod demand;
mod effects;
mod equality;
mod evaluate;
mod exits;
mod explore;
mod export;
mod external;
mod foreign;
mod idle;
mod join;
mod leaving;
mod lives;
mod map;
mod memory;
mod naming;
mod nodes;
mod owed;
mod paths;
mod perform;
mod policies;
mod references;
mod refusals;
mod remedy;
mod replay;
mod report;
mod returning;
mod rows;
mod search;
mod shapes;
mod skip;
mod space;
mod specialise;
mod state;
mod steady;
mod step;
mod story;
mod strain;
mod summaries;
mod summary;
mod told_stores;
mod trace;
mod twice;
mod values;
mod whereto;
mod witness;

pub use policies::{Global, MayFree, Policies, UnknownCall};
pub use replay::Replayed;
pub use search::{Input, Options, check, queries, replay, traces};
pub use space::Query;
pub use trace::{Asked, CandidateTrace, ObjectTrace, PathTrace};
