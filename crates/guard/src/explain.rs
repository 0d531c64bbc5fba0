//! From a model to the decisions that the formula needs.
//!
//! A conjunction that holds needs all its operands, a disjunction one that holds: going down from
//! the formula this way leaves the decisions that justify it. Then each is given up, later ones
//! first, if the formula still holds without it in Kleene's logic.

use crate::assignment::{Assignment, Decision};
use crate::circuit::{Circuit, Gate, Variable};
use crate::formula::Formulas;
use crate::walk::{all, any};

impl Circuit {
    pub(crate) fn explain(&self, formulas: &Formulas, model: &[bool]) -> Assignment {
        let total: Vec<Option<bool>> = model.iter().copied().map(Some).collect();
        let mut values = Vec::with_capacity(self.gates.len());
        self.evaluate(&total, &mut values);
        let mut needed = self.justify(&total, &values);
        for index in (0..needed.len()).rev() {
            let Some(value) = needed[index].take() else { continue };
            if self.evaluate(&needed, &mut values) != Some(true) {
                needed[index] = Some(value);
            }
        }
        self.decisions(formulas, &needed)
    }

    /// The part of a model that makes the formula hold, given the values of all gates. Of a choice
    /// only the class that is taken counts as decided.
    fn justify(&self, model: &[Option<bool>], values: &[Option<bool>]) -> Vec<Option<bool>> {
        let mut decided = vec![None; model.len()];
        let mut needed = vec![false; self.gates.len()];
        needed[self.gates.len() - 1] = true;
        for (index, gate) in self.gates.iter().enumerate().rev() {
            if !needed[index] {
                continue;
            }
            match gate {
                Gate::Literal(variable, _) => decided[*variable] = model[*variable],
                Gate::AnyOf(choice, _) => {
                    if let Some(class) = self.taken(*choice, model) {
                        decided[self.members[*choice][class]] = Some(true);
                    }
                }
                Gate::And(operands) => operands.iter().for_each(|&o| needed[o] = true),
                Gate::Or(operands) => {
                    let mut holding = operands.iter().filter(|&&o| values[o] == Some(true));
                    let first = holding.clone().next();
                    if let Some(&operand) = holding.find(|&&o| needed[o]).or(first) {
                        needed[operand] = true;
                    }
                }
            }
        }
        decided
    }

    /// The value of the formula when some variables are unknown, with the values of all gates.
    fn evaluate(&self, model: &[Option<bool>], values: &mut Vec<Option<bool>>) -> Option<bool> {
        values.clear();
        for gate in &self.gates {
            let value = match gate {
                Gate::Literal(variable, taken) => model[*variable].map(|holds| holds == *taken),
                Gate::AnyOf(choice, marks) => self.taken(*choice, model).map(|class| marks[class]),
                Gate::And(operands) => all(operands.iter().map(|&o| values[o])),
                Gate::Or(operands) => any(operands.iter().map(|&o| values[o])),
            };
            values.push(value);
        }
        values.last().copied().flatten()
    }

    fn taken(&self, choice: usize, model: &[Option<bool>]) -> Option<usize> {
        self.members[choice].iter().position(|&variable| model[variable] == Some(true))
    }

    fn decisions(&self, formulas: &Formulas, model: &[Option<bool>]) -> Assignment {
        let decision = |(&variable, &value): (&Variable, &Option<bool>)| match (variable, value) {
            (Variable::Branch(atom), Some(taken)) => Some(Decision::Branch { atom, taken }),
            (Variable::Class { choice, class }, Some(true)) => {
                Some(self.choices[choice].decision(formulas, |other| other == class))
            }
            _ => None,
        };
        Assignment::new(self.variables.iter().zip(model).filter_map(decision).collect())
    }
}
