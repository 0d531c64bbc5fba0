//! Long paths, without what a reader can do without.

use caulk_finding::{Role, Step};

/// Paths up to this many steps are shown whole.
const WHOLE: usize = 8;
/// Steps between the ends that are kept at the beginning and at the end of a longer one.
const FIRST: usize = 2;
const LAST: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// With its number on the whole path, from 1.
    Step(usize, &'a Step),
    /// How many were left out, and how many of them are decisions.
    Omitted { steps: usize, decisions: usize },
}

pub fn shorten(path: &[Step], all: bool) -> Vec<Item<'_>> {
    let is_kept = |index: usize| all || path.len() <= WHOLE || keeps(path, index);
    let mut items = Vec::new();
    for (index, step) in path.iter().enumerate() {
        match (is_kept(index), items.last_mut()) {
            (true, _) => items.push(Item::Step(index + 1, step)),
            (false, Some(Item::Omitted { steps, decisions })) => {
                *steps += 1;
                *decisions += usize::from(step.role == Role::Decision);
            }
            (false, _) => {
                let decisions = usize::from(step.role == Role::Decision);
                items.push(Item::Omitted { steps: 1, decisions });
            }
        }
    }
    items
}

/// What is made, released and lost always stays.
fn keeps(path: &[Step], index: usize) -> bool {
    let is_end = !matches!(path[index].role, Role::Flow | Role::Decision);
    is_end || index <= FIRST || index + LAST >= path.len() - 1
}

/// `… 7 more decisions; --verbose shows all`.
pub fn omitted(steps: usize, decisions: usize) -> String {
    let what = match (steps == decisions, steps) {
        (true, 1) => "decision",
        (true, _) => "decisions",
        (false, 1) => "step",
        (false, _) => "steps",
    };
    format!("… {steps} more {what}; --verbose shows all")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::step;

    #[test]
    fn the_middle_of_a_long_path_is_left_out() {
        let mut path: Vec<Step> = (1..=15).map(|line| step(Role::Decision, line)).collect();
        path[0].role = Role::Allocation;
        path[14].role = Role::Loss;
        let items = shorten(&path, false);
        assert_eq!(items.len(), 9);
        assert_eq!(items[3], Item::Omitted { steps: 7, decisions: 7 });
        assert_eq!(items[8], Item::Step(15, &path[14]));
        assert_eq!(shorten(&path, true).len(), 15);
        path[7].role = Role::Release;
        assert_eq!(shorten(&path, false)[4], Item::Step(8, &path[7]));
        assert_eq!(shorten(&path[..8], false).len(), 8);
        assert_eq!(omitted(7, 7), "… 7 more decisions; --verbose shows all");
        assert_eq!(omitted(1, 0), "… 1 more step; --verbose shows all");
    }
}
