//! The consistency of switches (F6): one and only one edge of a switch is taken,
//!
//! ```text
//! C_n = [ ∨ᵢ eᵢ ] ∧ [ ∧_{i≠j} ¬(eᵢ ∧ eⱼ) ]
//! ```
//!
//! for each switch `n` that a formula mentions. Edges that no part of the formula tells apart form
//! a class, and C_n over classes instead of edges is satisfied by the same formulas: a switch of
//! three hundred cases of which the formula names one has two classes.

use caulk_base::FxHashMap;

use crate::formula::{Form, Formulas, GuardId};
use crate::switch::{AtomId, EdgeSet, SwitchId};

/// A switch as one formula sees it: exactly one class is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub switch: SwitchId,
    /// By increasing greatest atom.
    pub classes: Vec<Class>,
}

/// Edges that a formula does not tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Where they stand in their switch, increasing.
    pub positions: Vec<usize>,
    /// The greatest of their atoms, which stands for all.
    pub greatest: AtomId,
}

impl Choice {
    /// C_n in clauses: pairs of a class and whether it is taken.
    #[must_use]
    pub fn clauses(&self) -> Vec<Vec<(usize, bool)>> {
        let count = self.classes.len();
        let some = (0..count).map(|class| (class, true)).collect();
        let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        let mut clauses = vec![some];
        clauses.extend(pairs.map(|(i, j)| vec![(i, false), (j, false)]));
        clauses
    }

    /// Which classes are in a set of edges: each is wholly in it or wholly outside.
    pub(crate) fn classes_in(&self, edges: &EdgeSet) -> Vec<bool> {
        self.classes.iter().map(|class| edges.contains(class.positions[0])).collect()
    }
}

/// The switches that a formula mentions, by id.
#[must_use]
pub fn choices(formulas: &Formulas, guard: GuardId) -> Vec<Choice> {
    choices_of(formulas, &formulas.parts(guard))
}

pub(crate) fn choices_of(formulas: &Formulas, parts: &[GuardId]) -> Vec<Choice> {
    let mut mentioned: FxHashMap<SwitchId, Vec<&EdgeSet>> = FxHashMap::default();
    for &part in parts {
        if let Form::OneOf(switch, edges) = formulas.form(part) {
            mentioned.entry(switch).or_default().push(edges);
        }
    }
    let mut mentioned: Vec<_> = mentioned.into_iter().collect();
    mentioned.sort_unstable_by_key(|(switch, _)| *switch);
    mentioned.into_iter().map(|(switch, sets)| choice(formulas, switch, &sets)).collect()
}

fn choice(formulas: &Formulas, switch: SwitchId, sets: &[&EdgeSet]) -> Choice {
    let atoms = formulas.edges(switch);
    let mut groups: Vec<Vec<usize>> = vec![(0..atoms.len()).collect()];
    for set in sets {
        groups = groups.into_iter().flat_map(|group| halves(group, set)).collect();
    }
    let class = |positions: Vec<usize>| {
        let greatest = positions.iter().map(|&p| atoms[p]).max().expect("no class is empty");
        Class { positions, greatest }
    };
    let mut classes: Vec<Class> = groups.into_iter().map(class).collect();
    classes.sort_unstable_by_key(|class| class.greatest);
    Choice { switch, classes }
}

/// The part of a group inside a set and the part outside, unless empty.
fn halves(group: Vec<usize>, set: &EdgeSet) -> impl Iterator<Item = Vec<usize>> + use<> {
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        group.into_iter().partition(|&position| set.contains(position));
    [inside, outside].into_iter().filter(|half| !half.is_empty())
}
