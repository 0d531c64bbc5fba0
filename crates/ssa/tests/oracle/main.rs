//! Each fact beside its definition, on random graphs; then graphs with names, and large ones.
//!
//! The oracles here are the definitions, written as directly as possible: no code is shared with
//! the crate but the graph itself.

mod bodies;
mod control;
mod dominators;
mod frontiers;
mod function;
mod irreducible;
mod large;
mod liveness;
mod loops;
mod order;
mod postdominators;
mod scc;
mod scopes;
mod support;
