//! What GitHub takes of a run. Beyond it an upload is refused as a whole, so the rest is cut here,
//! and told.

use caulk_finding::Step;
use serde_json::Value;

use super::told;
use crate::numbers::count;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of a run.
    pub results: usize,
    /// Of a thread flow.
    pub steps: usize,
}

pub const GITHUB: Limits = Limits { results: 25_000, steps: 1_000 };

/// How much was left out.
#[derive(Clone, Copy, Debug)]
pub struct Cuts {
    pub limits: Limits,
    pub results: usize,
    pub steps: usize,
}

impl Cuts {
    pub fn new(limits: Limits) -> Self {
        Self { limits, results: 0, steps: 0 }
    }

    /// The steps that fit: both ends of the path, each with its number.
    pub fn steps<'a>(&mut self, path: &'a [Step]) -> Vec<(usize, &'a Step)> {
        let numbered = || (1..).zip(path);
        let most = self.limits.steps;
        if path.len() <= most {
            return numbered().collect();
        }
        self.steps += path.len() - most;
        let first = most / 2;
        let last = path.len() - (most - first);
        numbered().take(first).chain(numbered().skip(last)).collect()
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
