//! What the search asks of the solver, asked as seldom and as small as can be.
//!
//! A state brings values that satisfy what was asked before. Where they satisfy the new conditions,
//! too, nobody is asked; else only those conditions that share a symbol with a violated one, directly
//! or through others, make the question: all others keep their values. Answers are remembered.

use std::rc::Rc;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_guard::bits::{Answer, Budget, Model, Term, TermId, Terms, solve};

use crate::search::Limits;
use crate::state::State;

/// What one question to the solver may cost.
const QUERY: Budget = Budget { gates: 40_000, conflicts: 1_000 };
/// Earlier answers that are tried before the solver.
const MOST_RECENT: usize = 8;

pub enum Possible {
    Yes,
    No,
    /// The solver gave up.
    Unknown,
}

#[derive(Default)]
pub struct Questions {
    asked: u32,
    asked_terms: usize,
    symbols: FxHashMap<TermId, Rc<[u32]>>,
    answers: FxHashMap<Vec<TermId>, Answer>,
    recent: Vec<Rc<Model>>,
}

impl Questions {
    pub fn is_spent(&self, limits: &Limits) -> bool {
        self.asked > limits.questions || self.asked_terms > limits.asked_terms
    }

    /// Whether the state's conditions can hold together; from then on its model satisfies them.
    pub fn ask(&mut self, terms: &Terms, state: &mut State) -> Possible {
        let open = &state.conditions[state.checked..];
        let violated: Vec<TermId> =
            open.iter().copied().filter(|&it| !holds(terms, it, &state.model)).collect();
        if !violated.is_empty() {
            let (slice, symbols) = self.slice(terms, &state.conditions, &violated);
            match self.answer(terms, slice) {
                Answer::Sat(model) => {
                    let model = Rc::new(state.model.updated(&model, &symbols));
                    self.recent.insert(0, model.clone());
                    self.recent.truncate(MOST_RECENT);
                    state.model = model;
                }
                Answer::Unsat(_) => return Possible::No,
                Answer::Unknown(_) => return Possible::Unknown,
            }
        }
        state.checked = state.conditions.len();
        Possible::Yes
    }

    fn answer(&mut self, terms: &Terms, slice: Vec<TermId>) -> Answer {
        if let Some(known) = self.answers.get(&slice) {
            return known.clone();
        }
        let fits = |model: &&Rc<Model>| slice.iter().all(|&it| holds(terms, it, model));
        let answer = match self.recent.iter().find(fits) {
            Some(model) => Answer::Sat(Model::clone(model)),
            None => {
                self.asked += 1;
                self.asked_terms += terms.below(&slice).len();
                solve(terms, &slice, &QUERY)
            }
        };
        self.answers.insert(slice, answer.clone());
        answer
    }

    /// The conditions that hang together with some of them, and their symbols.
    fn slice(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        first: &[TermId],
    ) -> (Vec<TermId>, FxHashSet<u32>) {
        let mut symbols: FxHashSet<u32> = FxHashSet::default();
        first.iter().for_each(|&it| symbols.extend(self.symbols_of(terms, it).iter()));
        let mut slice = first.to_vec();
        let mut rest: Vec<TermId> =
            conditions.iter().copied().filter(|it| !first.contains(it)).collect();
        loop {
            let before = rest.len();
            rest.retain(|&it| {
                let own = self.symbols_of(terms, it);
                let is_near = own.iter().any(|symbol| symbols.contains(symbol));
                if is_near {
                    symbols.extend(own.iter());
                    slice.push(it);
                }
                !is_near
            });
            if rest.len() == before {
                break;
            }
        }
        slice.sort_unstable();
        slice.dedup();
        (slice, symbols)
    }

    fn symbols_of(&mut self, terms: &Terms, condition: TermId) -> Rc<[u32]> {
        let found = self.symbols.entry(condition).or_insert_with(|| {
            let below = terms.below(&[condition]);
            let symbol = |id: TermId| match *terms.get(id) {
                Term::Symbol { number, .. } => Some(number),
                _ => None,
            };
            below.into_iter().filter_map(symbol).collect()
        });
        found.clone()
    }
}

fn holds(terms: &Terms, condition: TermId, model: &Model) -> bool {
    terms.evaluate(condition, model) == 1
}
