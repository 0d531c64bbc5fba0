//! What is returned where a heap cell is left to the caller, seen with the states kept apart.
//!
//! `exit: if (rc) { free(b); b = NULL; } *out = b; return rc;` has one exit, at which states are
//! joined that left `b` and that released it. A cell that is both there and freed at an exit, or
//! that only some ways to it make, is therefore looked at again, as faults are (`confirm`), and the
//! result tells them apart.

use caulk_base::FxHashSet;

use crate::exec::Exec;
use crate::fixpoint::{Exit, Found};
use crate::location::LocId;
use crate::state::State;
use crate::summarise::status;
use crate::summary::Status;

/// Cells of a procedure that are looked at again.
const MOST: usize = 4;
/// Steps of a procedure that is small enough for it.
const MOST_STEPS: usize = 10_000;

/// How the exits of a procedure leave a cell.
pub enum Outcome {
    Always,
    /// Where this is returned.
    With(Status),
    Unknown,
}

impl Exec<'_> {
    /// Of the cells that a summary tells of, those that the joined exits do not tell about, and what a
    /// second look tells.
    pub fn unclear_outcomes(&mut self, exits: &[Exit], fresh: &[LocId]) -> Vec<(LocId, Outcome)> {
        if !self.options().confirm || !self.options().tied_results {
            return Vec::new();
        }
        let mut regions: Vec<LocId> = Vec::new();
        for exit in exits {
            let State { allocated, surely, freed, .. } = &exit.state;
            let is_unclear =
                |it: &LocId| fresh.contains(it) && (freed.contains(*it) || !surely.contains(*it));
            if allocated.iter().any(|it| is_unclear(&it)) {
                let seen = self.visible(exit);
                // A result that is the cell itself tells.
                let is_told =
                    |it: &LocId| exit.value.iter().any(|value| value.addresses().contains(it));
                let is_one = |it: &LocId| is_unclear(it) && seen.contains(*it) && !is_told(it);
                regions.extend(allocated.iter().filter(is_one));
            }
        }
        regions.sort_unstable();
        regions.dedup();
        let can_tell = exits.iter().all(|exit| exit.value.is_some());
        let is_small = self.steps <= MOST_STEPS;
        let look = |(number, region)| match can_tell && is_small && number < MOST {
            true => (region, self.outcome(region)),
            false => (region, Outcome::Unknown),
        };
        regions.into_iter().enumerate().map(look).collect()
    }

    fn outcome(&mut self, region: LocId) -> Outcome {
        let (steps, events, ties) = (self.steps, self.events.clone(), self.ties.clone());
        let found = self.look_again(region);
        let outcome = self.outcome_of(&found, region);
        (self.steps, self.events, self.ties) = (steps.max(self.steps), events, ties);
        outcome
    }

    fn outcome_of(&mut self, found: &Found, region: LocId) -> Outcome {
        if found.gave_up {
            return Outcome::Unknown;
        }
        let exits: Vec<Exit> =
            found.exits.iter().flat_map(|(block, exit)| self.split(*block, exit)).collect();
        let left: Vec<FxHashSet<LocId>> = exits.iter().map(|exit| self.left(exit)).collect();
        if left.iter().all(|regions| regions.contains(&region)) {
            return Outcome::Always;
        }
        status(&exits, &left, region).map_or(Outcome::Unknown, Outcome::With)
    }
}
