//! Faults seen again with the states kept apart.
//!
//! States that meet are joined (section 4), so that a condition that holds exactly where an object
//! was made is forgotten: `if (n) p = malloc(n); … if (n) free(p);`. For each object with a fault
//! the procedure is therefore run once more, and states are joined only where the same became of
//! that object: not made, allocated, freed. A fault that is not there any more came from the join.

use crate::exec::Exec;
use crate::fixpoint::Found;
use crate::leaks::Leak;
use crate::location::LocId;

/// Objects of a procedure that are looked at again; the rest is told with low confidence.
const MOST_OBJECTS: usize = 12;
/// Steps that are always allowed for one.
const LEAST_STEPS: usize = 1000;

impl Exec<'_> {
    /// The faults that stay.
    pub fn confirmed(&mut self, leaks: Vec<Leak>) -> Vec<Leak> {
        if !self.options().confirm {
            return leaks;
        }
        let steps = self.steps;
        let mut all = Vec::new();
        for (number, leak) in leaks.into_iter().enumerate() {
            if number < MOST_OBJECTS {
                all.extend(self.seen_again(leak));
            } else {
                all.push(Leak { is_open: true, ..leak });
            }
        }
        self.steps = self.steps.max(steps);
        all
    }

    /// The procedure with one object in focus.
    pub fn look_again(&mut self, object: LocId) -> Found {
        let first = self.first_steps.saturating_mul(self.options().budget.again);
        let most = self.most_steps.min(first.saturating_add(LEAST_STEPS));
        let before = std::mem::replace(&mut self.most_steps, most);
        self.focus = Some(object);
        self.steps = 0;
        let found = self.iterate();
        self.focus = None;
        self.most_steps = before;
        found
    }

    fn seen_again(&mut self, leak: Leak) -> Option<Leak> {
        self.events.clear();
        self.ties.clear();
        let found = self.look_again(leak.object);
        if found.gave_up {
            return Some(Leak { is_open: true, ..leak });
        }
        let again = self.leaks_of(&found, &|it| it == leak.object).pop()?;
        Some(Leak {
            freed_somewhere: leak.freed_somewhere | again.freed_somewhere,
            kept_somewhere: leak.kept_somewhere | again.kept_somewhere,
            ..again
        })
    }
}
