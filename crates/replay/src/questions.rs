//! What the search asks of the solver, asked as seldom and as small as can be.
//!
//! A state brings values that satisfy what was asked before. Where they satisfy the new conditions,
//! too, nobody is asked; else only those conditions that share a symbol with a violated one, directly
//! or through others, make the question: all others keep their values. Most conditions compare one
//! symbol with a number: another value for that symbol is tried before the solver ([`guess`]).
//! Answers are remembered.

use std::rc::Rc;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_guard::bits::{Answer, Budget, Term, TermId, Terms, solve_counted};

use crate::guess::{Asked, guess};
use crate::numbers::Numbers;
use crate::state::State;

/// Earlier answers that are tried before the solver.
const MOST_RECENT: usize = 8;

pub enum Possible {
    Yes,
    No,
    /// The solver gave up.
    Unknown,
}

pub struct Questions {
    /// What one of them may cost the solver.
    budget: Budget,
    /// What the solver has done.
    work: u64,
    symbols: FxHashMap<TermId, Rc<[u32]>>,
    answers: FxHashMap<Vec<TermId>, Known>,
    recent: Vec<Rc<Numbers>>,
}

/// What is known of some conditions.
#[derive(Clone)]
enum Known {
    /// They hold with these numbers.
    Hold(Rc<Numbers>),
    Contradict,
    Unknown,
}

impl Questions {
    pub fn within(budget: Budget) -> Self {
        Self {
            budget,
            work: 0,
            symbols: FxHashMap::default(),
            answers: FxHashMap::default(),
            recent: Vec::new(),
        }
    }

    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether the state's conditions can hold together; from then on its model satisfies them.
    pub fn ask(&mut self, terms: &Terms, state: &mut State) -> Possible {
        let open = &state.conditions[state.checked..];
        let violated: Vec<TermId> =
            open.iter().copied().filter(|&it| !holds(terms, it, &state.model)).collect();
        if !violated.is_empty() {
            let (slice, symbols) = self.slice(terms, &state.conditions, &violated);
            match self.answer(terms, slice, &violated, state) {
                Known::Hold(found) => {
                    let mut numbers = Numbers::clone(&state.model);
                    symbols.iter().for_each(|&symbol| numbers.set(symbol, found.value(symbol)));
                    let numbers = Rc::new(numbers);
                    self.recent.insert(0, numbers.clone());
                    self.recent.truncate(MOST_RECENT);
                    state.model = numbers;
                }
                Known::Contradict => return Possible::No,
                Known::Unknown => return Possible::Unknown,
            }
        }
        state.checked = state.conditions.len();
        Possible::Yes
    }

    fn answer(
        &mut self,
        terms: &Terms,
        slice: Vec<TermId>,
        violated: &[TermId],
        state: &State,
    ) -> Known {
        if let Some(known) = self.answers.get(&slice) {
            return known.clone();
        }
        let asked: Vec<Asked<'_>> =
            slice.iter().map(|&it| Asked::new(terms, it, self.symbols_of(terms, it))).collect();
        let fits = |model: &&Rc<Numbers>| asked.iter().all(|it| it.holds(&***model));
        let known = match self.recent.iter().find(fits) {
            Some(numbers) => Known::Hold(numbers.clone()),
            None => match guess(terms, &asked, violated, &state.model) {
                Some(numbers) => Known::Hold(Rc::new(numbers)),
                None => self.solved(terms, &slice),
            },
        };
        self.answers.insert(slice, known.clone());
        known
    }

    fn solved(&mut self, terms: &Terms, slice: &[TermId]) -> Known {
        let below = terms.below(slice);
        let (answer, work) = solve_counted(terms, slice, &self.budget);
        self.work += work;
        match answer {
            Answer::Sat(model) => {
                let mut numbers = Numbers::default();
                let symbols = below.into_iter().filter_map(|id| symbol(terms, id));
                symbols.for_each(|it| numbers.set(it, model.value(it)));
                Known::Hold(Rc::new(numbers))
            }
            Answer::Unsat(_) => Known::Contradict,
            Answer::Unknown(_) => Known::Unknown,
        }
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
            below.into_iter().filter_map(|id| symbol(terms, id)).collect()
        });
        found.clone()
    }
}

fn holds(terms: &Terms, condition: TermId, model: &Numbers) -> bool {
    terms.evaluate(condition, model) == 1
}

/// The number of a term that is a symbol.
pub fn symbol(terms: &Terms, id: TermId) -> Option<u32> {
    match *terms.get(id) {
        Term::Symbol { number, .. } => Some(number),
        _ => None,
    }
}
