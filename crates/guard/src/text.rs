//! Guards for people: `¬C1 ∨ (C1 ∧ C2)`. The caller names the atoms.

use std::cell::Cell;
use std::fmt;

use crate::assignment::{Assignment, Decision};
use crate::formula::{Form, Formulas, GuardId};
use crate::switch::{AtomId, SwitchId};

/// How many literals are written before `…` stands for the rest.
const LITERALS: usize = 200;

type Name<'a> = &'a dyn Fn(AtomId) -> String;

/// A guard as it is built.
pub struct Text<'a> {
    formulas: &'a Formulas,
    guard: GuardId,
    name: Name<'a>,
    literals: usize,
}

impl<'a> Text<'a> {
    #[must_use]
    pub fn new(formulas: &'a Formulas, guard: GuardId, name: Name<'a>) -> Self {
        Self { formulas, guard, name, literals: LITERALS }
    }

    /// Writes at most so many literals.
    #[must_use]
    pub fn limit(self, literals: usize) -> Self {
        Self { literals, ..self }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = Cell::new(self.literals);
        let writer = Writer { formulas: self.formulas, name: self.name, left: &left };
        f.write_str(&writer.guard(self.guard, false))
    }
}

/// The decisions of an assignment as a conjunction: `C1 ∧ ¬C2`.
#[must_use]
pub fn assignment_text(formulas: &Formulas, assignment: &Assignment, name: Name<'_>) -> String {
    let left = Cell::new(LITERALS);
    let writer = Writer { formulas, name, left: &left };
    writer.assignment(assignment, false)
}

/// Paths, see [`crate::paths()`], as a disjunction: `¬C1 ∨ (C1 ∧ C2)`.
#[must_use]
pub fn paths_text(formulas: &Formulas, paths: &[Assignment], name: Name<'_>) -> String {
    let left = Cell::new(LITERALS);
    let writer = Writer { formulas, name, left: &left };
    let alone = paths.len() == 1;
    let parts = paths.iter().map(|path| writer.assignment(path, !alone)).collect();
    infix(parts, " ∨ ", "false", false)
}

struct Writer<'a> {
    formulas: &'a Formulas,
    name: Name<'a>,
    left: &'a Cell<usize>,
}

impl Writer<'_> {
    fn guard(&self, guard: GuardId, inside: bool) -> String {
        match self.formulas.form(guard) {
            Form::True => "true".to_string(),
            Form::False => "false".to_string(),
            Form::TooLarge => "too large".to_string(),
            Form::Atom(atom, taken) => self.literal(atom, taken),
            Form::OneOf(switch, edges) => {
                self.one_of(switch, |position| edges.contains(position), inside)
            }
            Form::And(operands) => infix(self.operands(operands), " ∧ ", "true", inside),
            Form::Or(operands) => infix(self.operands(operands), " ∨ ", "false", inside),
        }
    }

    fn operands(&self, operands: &[GuardId]) -> Vec<String> {
        let mut parts = Vec::new();
        for &operand in operands {
            if self.left.get() == 0 {
                parts.push("…".to_string());
                break;
            }
            parts.push(self.guard(operand, true));
        }
        parts
    }

    fn assignment(&self, assignment: &Assignment, inside: bool) -> String {
        let decision = |decision: &Decision| match decision {
            Decision::Branch { atom, taken } => self.literal(*atom, *taken),
            Decision::Switch { switch, edges } => {
                let atoms = self.formulas.edges(*switch);
                self.one_of(*switch, |position| edges.contains(&atoms[position]), true)
            }
        };
        let parts = assignment.decisions().iter().map(decision).collect();
        infix(parts, " ∧ ", "true", inside)
    }

    /// Names the edges, or those that are not taken, whichever are fewer.
    fn one_of(&self, switch: SwitchId, marked: impl Fn(usize) -> bool, inside: bool) -> String {
        let atoms = self.formulas.edges(switch).iter().enumerate();
        let (taken, others): (Vec<_>, Vec<_>) = atoms.partition(|(position, _)| marked(*position));
        let literals = |edges: Vec<(usize, &AtomId)>, taken| {
            edges.into_iter().map(|(_, &atom)| self.literal(atom, taken)).collect()
        };
        if taken.len() <= others.len() {
            infix(literals(taken, true), " ∨ ", "false", inside)
        } else {
            infix(literals(others, false), " ∧ ", "true", inside)
        }
    }

    fn literal(&self, atom: AtomId, taken: bool) -> String {
        self.left.set(self.left.get().saturating_sub(1));
        let name = (self.name)(atom);
        if taken { name } else { format!("¬{name}") }
    }
}

fn infix(parts: Vec<String>, operator: &str, empty: &str, inside: bool) -> String {
    match (parts.len(), inside) {
        (0, _) => empty.to_string(),
        (1, _) | (_, false) => parts.join(operator),
        _ => format!("({})", parts.join(operator)),
    }
}
