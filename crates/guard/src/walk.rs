//! What a formula mentions, and its value.

use caulk_base::{BitSet, FxHashMap, Id};

use crate::formula::{Form, Formulas, GuardId};
use crate::switch::{AtomId, EdgeSet, SwitchId};

impl Formulas {
    /// The formula with all its parts, each after its operands.
    pub(crate) fn parts(&self, guard: GuardId) -> Vec<GuardId> {
        let mut seen = BitSet::new(guard.index() + 1);
        let mut pending = vec![guard];
        seen.insert(guard);
        while let Some(part) = pending.pop() {
            if let Form::And(operands) | Form::Or(operands) = self.form(part) {
                pending.extend(operands.iter().copied().filter(|&operand| seen.insert(operand)));
            }
        }
        // Operands are older than what they are part of.
        seen.iter().collect()
    }

    /// The atoms that decide the formula, sorted: of a switch that it mentions, all edges.
    #[must_use]
    pub fn atoms(&self, guard: GuardId) -> Vec<AtomId> {
        let mut atoms = Vec::new();
        for part in self.parts(guard) {
            match self.form(part) {
                Form::Atom(atom, _) => atoms.push(atom),
                Form::OneOf(switch, _) => atoms.extend_from_slice(self.edges(switch)),
                _ => {}
            }
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The value under decisions of which some may be unknown, in Kleene's logic. Of a switch of
    /// two ways only the first edge is asked for.
    #[must_use]
    pub fn evaluate(&self, guard: GuardId, value: &dyn Fn(AtomId) -> Option<bool>) -> Option<bool> {
        let mut values: FxHashMap<GuardId, Option<bool>> = FxHashMap::default();
        for part in self.parts(guard) {
            let of = |operand: &GuardId| values[operand];
            let result = match self.form(part) {
                Form::True => Some(true),
                Form::False => Some(false),
                Form::TooLarge => None,
                Form::Atom(atom, taken) => value(atom).map(|holds| holds == taken),
                Form::OneOf(switch, edges) => self.one_taken(switch, edges, value),
                Form::And(operands) => all(operands.iter().map(of)),
                Form::Or(operands) => any(operands.iter().map(of)),
            };
            values.insert(part, result);
        }
        values[&guard]
    }

    fn one_taken(
        &self,
        switch: SwitchId,
        edges: &EdgeSet,
        value: &dyn Fn(AtomId) -> Option<bool>,
    ) -> Option<bool> {
        let atoms = self.edges(switch).iter().enumerate();
        let (inside, outside): (Vec<_>, Vec<_>) = atoms
            .map(|(position, &atom)| (edges.contains(position), value(atom)))
            .partition(|e| e.0);
        let inside = any(inside.into_iter().map(|(_, value)| value));
        let outside = any(outside.into_iter().map(|(_, value)| value));
        inside.or(outside.map(|taken| !taken))
    }
}

/// Conjunction in Kleene's logic.
pub(crate) fn all(values: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    any(values.into_iter().map(|value| value.map(|holds| !holds))).map(|holds| !holds)
}

/// Disjunction in Kleene's logic.
pub(crate) fn any(values: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for value in values {
        match value {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}
