//! The exits of a function: which of them are one for callers.

use caulk_guard::bits::{Compare, Term, TermId};
use caulk_ir::{BlockId, InstId, Scalar};

use crate::explore::RETURNED;
use crate::join::join;
use crate::space::{Home, Origin, Space};
use crate::state::{Phase, State};
use crate::step::Exec;

/// The result as far as callers test it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    Nothing,
    Constant(u64),
    Zero,
    Negative,
    NotZero,
    Any,
}

/// What exits must agree on to become one.
#[derive(PartialEq)]
struct Key {
    class: Class,
    marks: Vec<(TermId, Phase)>,
    /// What was released twice.
    again: Vec<TermId>,
    /// Which parameters are known to be NULL, or not.
    nulls: Vec<Option<bool>>,
    /// Which functions parameters were called as.
    callees: Vec<Option<bool>>,
    given: Vec<Given>,
}

/// What tells exits apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Also, for exits that say no, why: callers may know that it is not so.
    Conditions,
    /// What became of objects.
    Effects,
    Result,
}

/// What tells the exits of a function apart: the result, what became of objects, what is given.
/// An object, and the address in the caller's memory at which it is given, with the tag of the
/// structure there; none for the result.
type Given = (TermId, Option<TermId>, Option<u64>);

/// The call that made an object, and which of what it makes it is.
pub type MadeAt = (InstId, u16);

/// An exit that says no because an argument equals a pointer that was found in memory: whoever has
/// that has the argument, and had it before. What the argument itself leads to is nobody else.
pub fn keep_what_was_found(exec: &mut Exec<'_>, state: &mut State) {
    let says_no = matches!(class(exec, state), Class::Negative | Class::Constant(1..));
    let conditions = state.facts.conditions().iter().filter(|_| says_no);
    let found: Vec<TermId> = conditions.filter_map(|&it| found_argument(&exec.space, it)).collect();
    for argument in found {
        exec.keep(InstId(u32::MAX), state, argument, true);
    }
}

/// The argument that a condition says to be a pointer from memory.
fn found_argument(space: &Space, condition: TermId) -> Option<TermId> {
    let Term::Compare(Compare::Eq, left, right) = *space.terms.get(condition) else { return None };
    let is_argument = |term| matches!(space.origin(term), Some(Origin::Param(_)));
    let is_found = |term| {
        let origin = space.origin(term);
        space.is_pointer_wide(term)
            && matches!(
                origin,
                Some(
                    Origin::Join(..)
                        | Origin::OneOf(_)
                        | Origin::Outcome(_)
                        | Origin::Initial { .. }
                )
            )
    };
    let is_elsewhere = |own, other| space.root(other) != space.origin(own);
    [(left, right), (right, left)].into_iter().find_map(|(own, other)| {
        (is_argument(own) && is_found(other) && is_elsewhere(own, other)).then_some(own)
    })
}

/// Whether the result is one of a few numbers, negative ones among them.
pub fn is_status(exec: &mut Exec<'_>, state: &State) -> bool {
    const LEAST: i64 = -4096;
    let Some(&result) = state.values.get(RETURNED) else { return false };
    let least = exec.space.terms.constant(LEAST as u64, exec.space.terms.width(result));
    let above = exec.space.terms.compare(Compare::LeS, least, result);
    state.facts.decide(&exec.space.terms, above) == Some(true)
}

/// The width of the number that the function returns; none if it returns something else.
pub fn number_width(exec: &Exec<'_>) -> Option<u8> {
    result_scalar(exec).filter(|it| it.is_int()).map(|it| exec.space.width(it))
}

pub fn returns_pointer(exec: &Exec<'_>) -> bool {
    result_scalar(exec) == Some(Scalar::Ptr)
}

fn result_scalar(exec: &Exec<'_>) -> Option<Scalar> {
    let function = exec.context.program.function(exec.proc);
    let signature = &exec.module.types.signatures[function.signature];
    crate::external::result_scalar(exec.module, signature)
}

pub fn is_negative(exec: &mut Exec<'_>, state: &State) -> bool {
    let Some(&result) = state.values.get(RETURNED) else { return false };
    let zero = exec.space.terms.constant(0, exec.space.terms.width(result));
    let negative = exec.space.terms.compare(Compare::LtS, result, zero);
    negative == TermId::TRUE || state.facts.decide(&exec.space.terms, negative) == Some(true)
}

pub fn class(exec: &mut Exec<'_>, state: &State) -> Class {
    match state.values.get(RETURNED) {
        Some(&result) => class_of(exec, state, result),
        None => Class::Nothing,
    }
}

pub fn class_of(exec: &mut Exec<'_>, state: &State, result: TermId) -> Class {
    if let Some(value) = exec.space.terms.as_constant(result) {
        return Class::Constant(value);
    }
    let zero = exec.space.terms.constant(0, exec.space.terms.width(result));
    let is_zero = exec.space.terms.is_zero(result);
    let negative = exec.space.terms.compare(Compare::LtS, result, zero);
    let known = |condition| state.facts.decide(&exec.space.terms, condition);
    match (known(is_zero), known(negative)) {
        (Some(true), _) => Class::Zero,
        (_, Some(true)) => Class::Negative,
        (Some(false), _) => Class::NotZero,
        _ => Class::Any,
    }
}

/// Exits that did the same and return the same kind of result become one.
pub fn grouped(exec: &mut Exec<'_>, returns: &[State], detail: Detail) -> Vec<State> {
    let mut order: Vec<(Key, Option<Vec<TermId>>)> = Vec::new();
    let mut groups: Vec<State> = Vec::new();
    for state in returns {
        let key = key(exec, state, detail != Detail::Result);
        let is_status = matches!(key.class, Class::Constant(_) | Class::Negative);
        let reasons = (is_status && detail == Detail::Conditions).then(|| reasons(exec, state));
        let fits = |(other, known): &(Key, Option<Vec<TermId>>)| {
            *other == key && known.as_ref().zip(reasons.as_ref()).is_none_or(|(a, b)| is_one(a, b))
        };
        match order.iter().position(fits) {
            Some(at) => {
                groups[at] = join(&mut exec.space, BlockId(u32::MAX), &groups[at], state);
                if let (Some(known), Some(reasons)) = (&mut order[at].1, reasons) {
                    known.retain(|it| reasons.contains(it));
                }
            }
            None => {
                order.push((key, reasons));
                groups.push(state.clone());
            }
        }
    }
    groups
}

/// Whether one of two exits is a special case of the other.
fn is_one(left: &[TermId], right: &[TermId]) -> bool {
    left.iter().all(|it| right.contains(it)) || right.iter().all(|it| left.contains(it))
}

/// What an exit needs of the arguments, and of memory before the call.
fn reasons(exec: &Exec<'_>, state: &State) -> Vec<TermId> {
    let space = &exec.space;
    let is_told = |condition: TermId| {
        let unknown = |symbol| !space.is_from_start(symbol);
        !space.any_symbol(condition, &mut { unknown })
    };
    let conditions = state.facts.conditions().iter().copied();
    conditions.filter(|&condition| is_told(condition)).collect()
}

fn key(exec: &mut Exec<'_>, state: &State, fine: bool) -> Key {
    let told = |symbol: TermId, phase: Phase| {
        phase == Phase::Released || exec.space.load_depth(symbol) == 0
    };
    let marks: Vec<(TermId, Phase)> = state
        .marks
        .iter()
        .map(|(&symbol, mark)| (symbol, mark.phase))
        .filter(|&(symbol, phase)| fine && told(symbol, phase))
        .collect();
    let null = |&null: &TermId| state.facts.decide(&exec.space.terms, null);
    let nulls = exec.nulls.iter().filter(|_| fine).map(null).collect();
    let callees = exec.callees.iter().map(null).collect();
    let given = if fine { given(exec, state) } else { Vec::new() };
    let again = if fine { state.again.to_vec() } else { Vec::new() };
    Key { class: class(exec, state), marks, again, nulls, callees, given }
}

/// What a return gives to the caller: new objects in its hands or memory, and which of its own
/// arguments comes back.
fn given(exec: &Exec<'_>, state: &State) -> Vec<Given> {
    let space = &exec.space;
    let values = state.values.iter().map(|(_, &value)| (value, None));
    let cells = state.memory.iter().map(|cell| (cell.value, Some(cell.address)));
    let mut given: Vec<Given> = Vec::new();
    for (value, address) in values.chain(cells) {
        let Some(base) = space.address(value).map(|place| place.base) else { continue };
        match space.origin(base) {
            Some(Origin::Made { .. }) if state.phase(base) == Phase::Live => {
                let holder = address.and_then(|it| space.address(it)).map(|it| it.base);
                let tag = holder.and_then(|it| state.tag(space, it));
                given.push((base, address, tag));
            }
            Some(Origin::Param(_)) if address.is_none() && space.is_pointer(base) => {
                given.push((base, None, None));
            }
            _ => {}
        }
    }
    given.sort_unstable();
    given.dedup();
    given
}

/// The origin of a returned object that somebody has whom callers cannot name.
pub fn kept_result(exec: &Exec<'_>, state: &State) -> Option<MadeAt> {
    let space = &exec.space;
    let object = space.address(*state.values.get(RETURNED)?)?.base;
    let Some(Origin::Made { call, index, .. }) = space.origin(object) else { return None };
    let is_far = |base| !space.is_from_caller(base) || space.load_depth(base) > 2;
    let holds = |cell: &crate::memory::Cell| {
        space.home(cell.base) == Home::Caller
            && is_far(cell.base)
            && space.carries(cell.value, object)
    };
    let kept = state.phase(object) == Phase::Kept || state.memory.iter().any(holds);
    kept.then_some((call, index))
}
