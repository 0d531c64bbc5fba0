//! Decisions that make a guard hold: the branches of an error path (F7).

use crate::consistency::Choice;
use crate::formula::Formulas;
use crate::switch::{AtomId, Role, SwitchId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// How a test of two ways comes out.
    Branch { atom: AtomId, taken: bool },
    /// One of these edges of the switch is taken, and any of them will do.
    Switch { switch: SwitchId, edges: Vec<AtomId> },
}

/// Decisions, in the order of their atoms. Whatever the others are, the guard holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    decisions: Vec<Decision>,
}

impl Assignment {
    pub(crate) fn new(decisions: Vec<Decision>) -> Self {
        Self { decisions }
    }

    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Whether an atom is taken, if these decisions tell.
    #[must_use]
    pub fn value(&self, formulas: &Formulas, atom: AtomId) -> Option<bool> {
        match formulas.role(atom) {
            Role::Always => Some(true),
            Role::Free => self.branch(atom),
            Role::NegationOf(other) => self.branch(other).map(|taken| !taken),
            Role::Edge(switch, _) => self.edge(switch, atom),
        }
    }

    fn branch(&self, atom: AtomId) -> Option<bool> {
        self.decisions.iter().find_map(|decision| match decision {
            Decision::Branch { atom: decided, taken } if *decided == atom => Some(*taken),
            _ => None,
        })
    }

    fn edge(&self, switch: SwitchId, atom: AtomId) -> Option<bool> {
        let edges = self.decisions.iter().find_map(|decision| match decision {
            Decision::Switch { switch: decided, edges } if *decided == switch => Some(edges),
            _ => None,
        })?;
        match (edges.contains(&atom), edges.len()) {
            (false, _) => Some(false),
            (true, 1) => Some(true),
            (true, _) => None,
        }
    }
}

impl Choice {
    /// That one of the classes with a mark is taken.
    pub(crate) fn decision(&self, formulas: &Formulas, mark: impl Fn(usize) -> bool) -> Decision {
        let atoms = formulas.edges(self.switch);
        let marked = self.classes.iter().enumerate().filter(|(class, _)| mark(*class));
        let mut positions: Vec<usize> =
            marked.flat_map(|(_, class)| class.positions.iter().copied()).collect();
        positions.sort_unstable();
        let edges = positions.into_iter().map(|position| atoms[position]).collect();
        Decision::Switch { switch: self.switch, edges }
    }
}
