//! Where values go: the sparse value-flow graph, reachability over matched calls, slices,
//! conditions of control flow, the use-flow graph, and holders.
//!
//! Knows nothing of verdicts.

mod exits;
mod from_external;
mod from_memory;
mod from_value;
mod graph;
mod guards;
mod guards_atoms;
mod guards_cycles;
mod guards_decided;
mod guards_edges;
mod guards_flow;
mod guards_paths;
mod guards_terms;
mod guards_web;
mod holders;
mod holders_calls;
mod holders_carriers;
mod holders_deaths;
mod holders_edges;
mod holders_memory;
mod holders_names;
mod holders_print;
mod holders_step;
mod holders_tracked;
mod locals;
mod node;
mod print;
mod print_dot;
mod print_json;
mod print_names;
mod reach;
mod slice;
mod sources;
mod summaries;
mod use_flow;
mod use_flow_print;
mod value_guards;
mod value_uses;
mod webs;

use caulk_base::define_id;

pub use exits::{Exit, Steps};
pub use graph::{Flow, Numbers};
pub use guards::{GuardCounts, GuardOptions, Guards, Target};
pub use guards_atoms::{Atoms, Branch};
pub use guards_decided::{Decisions, Held, decide, decided_tests};
pub use guards_flow::{Roots, passing_edges, slice_decisions, slice_guards, step};
pub use guards_terms::{Condition, condition, decision_text, place_text, value_text};
pub use guards_web::Web;
pub use holders::{Age, Death, DeathKind, Holder, Holders, Last};
pub use holders_print::print_holders;
pub use holders_tracked::Tracked;
pub use locals::{Graph, Precision};
pub use node::{Cross, End, FlowEdge, Node, Point, Rule};
pub use print::{Format, Shown, print_flow, print_slice, print_slices};
pub use print_json::quoted;
pub use reach::{DEFAULT_LIMIT, Escapes, Reach, Reachability};
pub use slice::{Slice, SliceEdge};
pub use sources::{Release, Source, SourceId, Sources};
pub use summaries::TooLarge;
pub use use_flow::{Use, UseFlow, UseId, UseVertex};
pub use use_flow_print::print_uses;
pub use value_guards::{Step, ValueGraph, vguards};
pub use value_uses::{ValueUse, value_uses};

define_id!(pub NodeId, "n", "A node of the value-flow graph.");
