//! A formula made ready for a solver: dense variables, and gates in the order of evaluation.
//!
//! A variable is a test of two ways, or a class of edges of a switch. Variables are ordered by
//! their atoms, which the caller numbers in program order; both solvers search in this order,
//! false first, for the least model. The model found is thus a property of the formula, and not
//! of the solver.

use caulk_base::FxHashMap;

use crate::consistency::{Choice, choices_of};
use crate::formula::{Form, Formulas, GuardId};
use crate::switch::AtomId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Branch(AtomId),
    /// Whether this class of this choice is taken.
    Class {
        choice: usize,
        class: usize,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Gate {
    Literal(usize, bool),
    /// The choice falls on a class with a mark.
    AnyOf(usize, Vec<bool>),
    And(Vec<usize>),
    Or(Vec<usize>),
}

#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    pub(crate) variables: Vec<Variable>,
    pub(crate) choices: Vec<Choice>,
    /// The variables of each choice's classes, increasing.
    pub(crate) members: Vec<Vec<usize>>,
    /// Operands come before their users; the last gate is the formula.
    pub(crate) gates: Vec<Gate>,
}

impl Circuit {
    /// For a formula that is neither constant nor too large.
    pub(crate) fn new(formulas: &Formulas, guard: GuardId) -> Self {
        let parts = formulas.parts(guard);
        let choices = choices_of(formulas, &parts);
        let (variables, members) = order_variables(formulas, &parts, &choices);
        let mut circuit = Self { variables, choices, members, gates: Vec::new() };
        circuit.add_gates(formulas, &parts);
        circuit
    }

    fn add_gates(&mut self, formulas: &Formulas, parts: &[GuardId]) {
        let places: FxHashMap<GuardId, usize> = parts.iter().copied().zip(0..).collect();
        let places_of = |operands: &[GuardId]| operands.iter().map(|o| places[o]).collect();
        let branches: FxHashMap<AtomId, usize> = self.branches().collect();
        for &part in parts {
            let gate = match formulas.form(part) {
                Form::Atom(atom, taken) => Gate::Literal(branches[&atom], taken),
                Form::OneOf(switch, edges) => {
                    let choice = self.choices.partition_point(|choice| choice.switch < switch);
                    Gate::AnyOf(choice, self.choices[choice].classes_in(edges))
                }
                Form::And(operands) => Gate::And(places_of(operands)),
                Form::Or(operands) => Gate::Or(places_of(operands)),
                Form::True | Form::False | Form::TooLarge => unreachable!("constants are absorbed"),
            };
            self.gates.push(gate);
        }
    }

    fn branches(&self) -> impl Iterator<Item = (AtomId, usize)> {
        self.variables.iter().enumerate().filter_map(|(index, variable)| match variable {
            Variable::Branch(atom) => Some((*atom, index)),
            Variable::Class { .. } => None,
        })
    }
}

/// The variables in the order of their atoms, and for each choice those of its classes.
fn order_variables(
    formulas: &Formulas,
    parts: &[GuardId],
    choices: &[Choice],
) -> (Vec<Variable>, Vec<Vec<usize>>) {
    let mut keyed = Vec::new();
    for &part in parts {
        if let Form::Atom(atom, _) = formulas.form(part) {
            keyed.push((atom, Variable::Branch(atom)));
        }
    }
    for (choice, row) in choices.iter().enumerate() {
        let classes = row.classes.iter().enumerate();
        keyed.extend(classes.map(|(class, row)| (row.greatest, Variable::Class { choice, class })));
    }
    keyed.sort_unstable_by_key(|(atom, _)| *atom);
    keyed.dedup();
    let mut members = vec![Vec::new(); choices.len()];
    for (index, (_, variable)) in keyed.iter().enumerate() {
        if let Variable::Class { choice, .. } = variable {
            members[*choice].push(index);
        }
    }
    (keyed.into_iter().map(|(_, variable)| variable).collect(), members)
}
