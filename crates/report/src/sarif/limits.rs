//! What GitHub takes of a run. Beyond it an upload is refused as a whole, so the rest is cut here,
//! and told.

use caulk_finding::Step;
use serde_json::Value;

use super::told;
use crate::numbers::count;

/// Results of a run.
pub const RESULTS: usize = 25_000;
/// Locations of a thread flow.
pub const STEPS: usize = 1_000;

/// How much was left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuts {
    pub results: usize,
    pub steps: usize,
}

impl Cuts {
    /// The steps that fit: both ends of the path, each with its number.
    pub fn steps<'a>(&mut self, path: &'a [Step]) -> Vec<(usize, &'a Step)> {
        let numbered = || (1..).zip(path);
        if path.len() <= STEPS {
            return numbered().collect();
        }
        self.steps += path.len() - STEPS;
        let last = path.len() - STEPS / 2;
        numbered().take(STEPS / 2).chain(numbered().skip(last)).collect()
    }

    pub fn notifications(&self) -> Vec<Value> {
        let rows = [
            (count(self.results, "result", "results"), self.results),
            (count(self.steps, "step of a path", "steps of paths"), self.steps),
        ];
        let rows = rows.into_iter().filter(|(_, number)| *number > 0);
        let why = "left out to keep within the limits of code hosts; --format json has all";
        rows.map(|(what, _)| told("warning", "limit", &format!("{what} {why}"))).collect()
    }
}
