//! Whether calls in the program can give a function what a run of it was given.
//!
//! A function that runs alone may be given what nobody ever gives it: a text that every caller has
//! looked at before, a number that was checked. Where all its calls are known, the search goes from
//! the start of each caller to the call, and what the run needs is asked of the arguments and the
//! memory that it finds there: each symbol of the run is equal to what the caller was given itself, or
//! to a constant that is the same on all ways that were found.

use std::rc::Rc;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_guard::bits::TermId;
use caulk_ir::{Inst, Scalar};

use crate::callers::Site;
use crate::numbers::Numbers;
use crate::object::Kind;
use crate::questions::{Possible, symbol};
use crate::search::{Candidate, Limits, Next, QUERY, Seeker};
use crate::state::{Look, State};
use crate::target;
use crate::value::Value;

const LIMITS: Limits = Limits { steps: 40_000, terms: 60_000, visits: 2, query: QUERY };
/// Calls that are looked at, and ways to each.
const MOST_SITES: usize = 6;
const MOST_WAYS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// A caller can give it.
    Given,
    /// Every call was come to, and none was found to give it.
    Refused,
    Unknown,
}

/// What the calls of the function that is run say to a candidate.
pub fn support(seeker: &mut Seeker<'_>, candidate: &Candidate) -> Support {
    let world = seeker.world;
    let sites = match world.callers.of(seeker.target.start) {
        Some(sites) if (1..=MOST_SITES).contains(&sites.len()) => sites,
        _ => return Support::Unknown,
    };
    let mut answer = Support::Refused;
    for &site in sites {
        match at_call(seeker, candidate, site) {
            Support::Given => return Support::Given,
            Support::Unknown => answer = Support::Unknown,
            Support::Refused => {}
        }
    }
    answer
}

/// The terms of both functions share one space while the caller is followed.
fn at_call(seeker: &mut Seeker<'_>, candidate: &Candidate, site: Site) -> Support {
    let target = target::call(seeker.world, site);
    let terms = seeker.space.terms.len() + LIMITS.terms;
    let mut caller = Seeker::new(seeker.world, &target).within(Limits { terms, ..LIMITS });
    std::mem::swap(&mut caller.space, &mut seeker.space);
    let answer = followed(&mut caller, candidate);
    std::mem::swap(&mut caller.space, &mut seeker.space);
    answer
}

fn followed(caller: &mut Seeker<'_>, candidate: &Candidate) -> Support {
    let own_symbols = caller.space.symbols.len() as u32;
    if caller.begin().is_err() {
        return Support::Unknown;
    }
    let (mut arrivals, mut is_whole) = (Vec::new(), false);
    while arrivals.len() < MOST_WAYS {
        match caller.next() {
            Next::Candidate(arrival) => {
                let mut state = arrival.state;
                state.model = both(&arrival.model, &candidate.model, own_symbols);
                let meeting = Meeting { caller, state, candidate, given: FxHashMap::default() };
                arrivals.extend(meeting.met());
            }
            Next::Exhausted => {
                is_whole = caller.doubts.is_empty();
                break;
            }
            Next::OutOfBudget => break,
        }
    }
    match arrivals.is_empty() {
        true if is_whole => Support::Refused,
        true => Support::Unknown,
        false => decided(caller, candidate, arrivals),
    }
}

/// What a caller has at its call for the symbols of the run.
struct Arrival {
    state: State,
    pairs: Vec<(TermId, Value)>,
}

fn decided(caller: &mut Seeker<'_>, candidate: &Candidate, arrivals: Vec<Arrival>) -> Support {
    let varying = varying(caller, &arrivals);
    let mut answer = Support::Refused;
    for Arrival { mut state, pairs } in arrivals {
        for (needed, value) in pairs.into_iter().filter(|pair| !varying.contains(&pair.0)) {
            let condition = agreement(caller, needed, value);
            state.assume(condition);
        }
        state.conditions.extend(&candidate.state.conditions);
        match caller.possible(&mut state) {
            Possible::Yes => return Support::Given,
            Possible::No => {}
            Possible::Unknown => answer = Support::Unknown,
        }
    }
    answer
}

/// The symbols that the ways have different constants for: more turns of a loop may have others.
fn varying(caller: &Seeker<'_>, arrivals: &[Arrival]) -> FxHashSet<TermId> {
    let mut known: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut varying = FxHashSet::default();
    for (needed, value) in arrivals.iter().flat_map(|arrival| &arrival.pairs) {
        let Value::Term(value) = *value else { continue };
        let Some(constant) = caller.space.terms.as_constant(value) else { continue };
        if *known.entry(*needed).or_insert(constant) != constant {
            varying.insert(*needed);
        }
    }
    varying
}

/// That a symbol of the run is what the caller has for it. What the caller computes is left open: it
/// may come to more than the ways that were followed show.
fn agreement(caller: &mut Seeker<'_>, needed: TermId, value: Value) -> TermId {
    let terms = &mut caller.space.terms;
    let width = terms.width(needed);
    match value {
        Value::Term(value) if terms.width(value) == width => {
            let is_plain = symbol(terms, value).is_some() || terms.as_constant(value).is_some();
            if is_plain { terms.eq(needed, value) } else { TermId::TRUE }
        }
        Value::Pointer { .. } | Value::Function(_) => {
            let zero = terms.constant(0, width);
            let is_zero = terms.eq(needed, zero);
            terms.not(is_zero)
        }
        Value::Term(_) | Value::Opaque => TermId::TRUE,
    }
}

/// The values that the run had for its symbols, and the caller for its own.
fn both(caller: &Numbers, run: &Numbers, own_symbols: u32) -> Rc<Numbers> {
    let mut numbers = caller.clone();
    (0..own_symbols).for_each(|it| numbers.set(it, run.value(it)));
    Rc::new(numbers)
}

/// A caller at its call, and what the run of the callee needs.
struct Meeting<'m, 'a> {
    caller: &'m mut Seeker<'a>,
    state: State,
    candidate: &'m Candidate,
    /// What the caller has for symbols of the run.
    given: FxHashMap<u32, Value>,
}

impl Meeting<'_, '_> {
    fn met(mut self) -> Option<Arrival> {
        let args = self.args()?;
        let mut pairs = Vec::new();
        for (&needed, &value) in self.candidate.state.args.iter().zip(&args) {
            pairs.extend(self.meet(needed, value));
        }
        for look in self.candidate.state.looks.iter().filter(|look| look.event == 0) {
            if let Some(value) = self.value_at(look, &args) {
                pairs.extend(self.meet(look.value, value));
            }
        }
        Some(Arrival { state: self.state, pairs })
    }

    fn args(&mut self) -> Option<Vec<Value>> {
        let frame = self.state.frame();
        let (function, inst) = (frame.function, frame.inst);
        let body = self.caller.world.program.body(function)?;
        let Inst::Call(call) = body.insts[inst] else { return None };
        let args = body.calls[call].args.iter();
        let value = |arg: &caulk_ir::CallArg| {
            let value = self.caller.value(&mut self.state, body, arg.value);
            self.caller.known(&self.state, value)
        };
        Some(args.map(value).collect())
    }

    /// A symbol of the run meets what the caller has for it.
    fn meet(&mut self, needed: Value, value: Value) -> Option<(TermId, Value)> {
        let Value::Term(term) = needed else { return None };
        let number = symbol(&self.caller.space.terms, term)?;
        self.given.insert(number, value);
        Some((term, value))
    }

    /// What the caller has where the run looked.
    fn value_at(&mut self, look: &Look, args: &[Value]) -> Option<Value> {
        let (object, start) = self.object(look.object, args)?;
        let Value::Term(term) = look.value else { return None };
        let number = symbol(&self.caller.space.terms, term)?;
        let is_pointer = self.caller.space.symbols[number as usize].is_pointer;
        let scalar = is_pointer.then_some(Scalar::Ptr);
        let at = start.checked_add(look.offset)?;
        self.caller.read(&mut self.state, object, at, look.bytes, scalar).ok()
    }

    /// The caller's object for one of the run, and where in it that begins.
    fn object(&mut self, object: u32, args: &[Value]) -> Option<(u32, i64)> {
        let run = &self.candidate.state;
        if let Kind::Static(number) = run.object(object).kind {
            let row = &self.caller.world.program.objects[number as usize];
            return Some((self.caller.static_object(&mut self.state, row.module, row.id), 0));
        }
        let is_it =
            |value: &Value| matches!(*value, Value::Pointer { object: it, .. } if it == object);
        let value = match run.args.iter().position(is_it) {
            Some(number) => *args.get(number)?,
            None => {
                let (symbol, _) = run.opened.iter().find(|row| *row.1 == object)?;
                *self.given.get(symbol)?
            }
        };
        self.caller.may_fork = false;
        self.caller.place(&mut self.state, value).ok()
    }
}
