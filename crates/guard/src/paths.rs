//! A guard as the paths that it stands for.
//!
//! The ways to `TRUE` in the guard's decision diagram are decisions of which exactly one set
//! applies to an execution, like the paths of a program: `¬C1 ∨ (C1 ∧ C2)` of SABER's Figure 8.

use crate::assignment::{Assignment, Decision};
use crate::bdd::{Bdd, Ref};
use crate::circuit::{Circuit, Variable};
use crate::formula::{Formulas, GuardId};

const NODE_CAP: usize = 5000;

/// The paths, in the order of their decisions, false first. None if there are more than `limit`
/// or the guard is too large.
#[must_use]
pub fn paths(formulas: &Formulas, guard: GuardId, limit: usize) -> Option<Vec<Assignment>> {
    match guard {
        GuardId::TRUE => return Some(vec![Assignment::default()]),
        GuardId::FALSE => return Some(Vec::new()),
        GuardId::TOO_LARGE => return None,
        _ => {}
    }
    let circuit = Circuit::new(formulas, guard);
    let mut bdd = Bdd::new(NODE_CAP);
    let root = bdd.build(&circuit).ok()?;
    let mut found = Vec::new();
    let mut pending = vec![(root, vec![None; circuit.variables.len()])];
    while let Some((at, values)) = pending.pop() {
        if at == Ref::TRUE && found.len() == limit {
            return None;
        } else if at == Ref::TRUE {
            found.push(path(formulas, &circuit, &values));
        } else if at != Ref::FALSE {
            let node = bdd.node(at);
            for (to, value) in [(node.high, true), (node.low, false)] {
                let mut values = values.clone();
                values[node.variable] = Some(value);
                pending.push((to, values));
            }
        }
    }
    Some(found)
}

fn path(formulas: &Formulas, circuit: &Circuit, values: &[Option<bool>]) -> Assignment {
    let decision = |(index, variable): (usize, &Variable)| match *variable {
        Variable::Branch(atom) => values[index].map(|taken| Decision::Branch { atom, taken }),
        // A choice is told once, where its first class is.
        Variable::Class { choice, class: 0 } => chosen(formulas, circuit, choice, values),
        Variable::Class { .. } => None,
    };
    Assignment::new(circuit.variables.iter().enumerate().filter_map(decision).collect())
}

/// What a way says of a choice: the class whose variable holds, or those whose do not fail. The
/// tested variables are the first ones, because a diagram asks for no more of them than it needs.
fn chosen(
    formulas: &Formulas,
    circuit: &Circuit,
    choice: usize,
    values: &[Option<bool>],
) -> Option<Decision> {
    let members = &circuit.members[choice];
    let taken = members.iter().position(|&member| values[member] == Some(true));
    let tested = members.iter().take_while(|&&member| values[member].is_some()).count();
    match taken {
        Some(class) => Some(circuit.choices[choice].decision(formulas, |other| other == class)),
        None if tested == 0 => None,
        None => Some(circuit.choices[choice].decision(formulas, |other| other >= tested)),
    }
}
