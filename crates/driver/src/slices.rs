//! The forward slices of all allocation sites, as numbers (S7).

use caulk_flow::{Flow, Precision, Reachability, Sources};
use caulk_memory::Memory;

/// Steps that one slice may take. Past it the slice counts as given up: such a value is everywhere.
const LIMIT: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slices {
    /// Nodes of each slice, in the order of the sources.
    pub sizes: Vec<usize>,
    pub given_up: usize,
    /// Slices with at least one sink.
    pub released: usize,
    pub global: usize,
    /// Summaries of callees that the searches share.
    pub summaries: usize,
}

impl Slices {
    #[must_use]
    pub fn new(memory: &Memory) -> Self {
        let flow = Flow::new(memory);
        let sources = Sources::new(&flow);
        let reachability = Reachability::new(&flow, Precision::Full, LIMIT);
        let mut slices = Self::default();
        for source in sources.allocations.rows() {
            match reachability.forward(&source.nodes) {
                Ok(reach) => {
                    slices.sizes.push(reach.nodes.len());
                    slices.released += usize::from(reach.sinks().next().is_some());
                    slices.global += usize::from(reach.escapes.global);
                }
                Err(_) => slices.given_up += 1,
            }
        }
        slices.summaries = reachability.summary_count();
        slices
    }
}
