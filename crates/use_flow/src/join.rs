//! Two states of one block become one that stands for the paths of both.
//!
//! Only states that agree on what became of the object are joined (property simulation: that is
//! what keeps correlated branches apart at polynomial cost). What the two know differently is
//! replaced by a symbol of the block. A join loses no object: one that was held in both and is not
//! held by what is left of them counts as kept, so that a coarse join is never a leak.

use std::rc::Rc;

use caulk_guard::bits::{Binary, Compare, Facts, Term, TermId, Unary};
use caulk_ir::{BlockId, InstId, Scalar, ValueId};

use crate::map::Map;
use crate::memory::{Cell, Matched, Memory};
use crate::rows::Rows;
use crate::shapes::Parts;
use crate::space::{Epoch, Home, JoinKey, Origin, Space};
use crate::state::{Certainty, Mark, NO_STATE, Phase, State, facts_without};

/// A branch decides one condition, which facts may hold in so many parts.
const MOST_PARTS: usize = 3;

pub fn join(space: &mut Space, block: BlockId, old: &State, new: &State) -> State {
    let mut joined = State {
        values: Map::new(),
        memory: Memory::new(),
        marks: marks(&old.marks, &new.marks),
        facts: facts(space, block, old, new),
        focus: old.focus.or(new.focus),
        failed: old.failed.and(new.failed),
        moves: either(&old.moves, &new.moves),
        sweeps: either(&old.sweeps, &new.sweeps),
        loss: old.loss.filter(|loss| new.loss == Some(*loss)),
        again: both(&old.again, &new.again),
        uses: old.uses & new.uses,
        used_numbers: both(&old.used_numbers, &new.used_numbers),
        handed: old.handed || new.handed,
        doubt: old.doubt || new.doubt,
        rough: old.rough || new.rough,
        standard_closed: old.standard_closed || new.standard_closed,
        refused: old.refused.and(new.refused),
        element: old.element || new.element,
        relinked: old.relinked || new.relinked,
        remade: old.remade && new.remade,
        owed: either(&old.owed, &new.owed),
    };
    let mut parted = Parted::default();
    joined.values = values(space, block, (old, new), &mut parted, &mut joined);
    joined.memory = memory(space, block, (old, new), &mut parted, &mut joined);
    keep_the_unseen(space, old, new, &mut joined);
    space.doubt_the_blurred([old, new], &mut joined);
    joined.bound_marks(space);
    joined
}

fn both(old: &Rows<TermId>, new: &Rows<TermId>) -> Rows<TermId> {
    let mut both = old.clone();
    if old.is_same(new) {
        return both;
    }
    both.retain(|it| new.contains(it));
    both
}

/// What was done on some path: copied, perhaps to who holds it there, or released on the way along a
/// structure.
fn either<T: Clone + Ord>(old: &Rows<T>, new: &Rows<T>) -> Rows<T> {
    let mut either = old.clone();
    if old.is_same(new) {
        return either;
    }
    let more: Vec<&T> = new.iter().filter(|it| !old.contains(it)).collect();
    if !more.is_empty() {
        let rows = either.to_mut();
        rows.extend(more.into_iter().cloned());
        rows.sort_unstable();
    }
    either
}

/// What both know, without the facts on the block's own symbols: they speak of an earlier turn of
/// the loop.
fn facts(space: &Space, block: BlockId, old: &State, new: &State) -> Rc<Facts> {
    let has_joined = space.has_joined(block);
    let own_free = |state: &State| match has_joined {
        true => facts_without(&state.facts, |term| mentions(space, block, term)),
        false => state.facts.clone(),
    };
    let known = own_free(old);
    if Rc::ptr_eq(&old.facts, &new.facts) {
        return known;
    }
    Rc::new(known.join(&space.terms, &own_free(new)))
}

/// Whether a term names a value that the block's joins define anew.
fn belongs(space: &Space, block: BlockId, term: TermId) -> bool {
    match space.origin(term) {
        Some(Origin::Join(other, _)) => other == block,
        Some(Origin::Initial { epoch: Epoch::Join(other), .. }) => other == block,
        _ => false,
    }
}

fn zeroed(space: &Space, old: &State, new: &State) -> Map<TermId, ()> {
    if old.memory.zeroed.is_same(&new.memory.zeroed) {
        return old.memory.zeroed.clone();
    }
    let mut rows = Map::new();
    for (state, other) in [(old, new), (new, old)] {
        for key in state.memory.zeroed.keys() {
            if other.memory.zeroed.contains(key) || is_absent(space, other, key) {
                rows.insert(key, ());
            }
        }
    }
    rows
}

/// The condition that only the first has, and the second the contrary of: where the paths parted.
/// It speaks of what was there at the start, so that callers may know which it was. Sought once, when
/// it is needed.
#[derive(Default)]
struct Parted(Option<Option<TermId>>);

impl Parted {
    fn get(
        &mut self,
        space: &mut Space,
        block: BlockId,
        old: &State,
        new: &State,
    ) -> Option<TermId> {
        *self.0.get_or_insert_with(|| parted(space, block, old, new))
    }
}

fn parted(space: &mut Space, block: BlockId, old: &State, new: &State) -> Option<TermId> {
    let (left, right) = (old.facts.conditions(), new.facts.conditions());
    let shared = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[shared..], &right[shared..]);
    let is_fit = |&it: &TermId| !mentions(space, block, it) && is_told(space, it);
    let is_short = |rest: &[TermId]| (1..=MOST_PARTS).contains(&rest.len());
    if !is_short(left) || !is_short(right) || !left.iter().chain(right).all(is_fit) {
        return None;
    }
    let mut all =
        |rest: &[TermId]| rest.iter().fold(TermId::TRUE, |all, &it| space.terms.and(all, it));
    let (here, there) = (all(left), all(right));
    (space.terms.not(here) == there).then_some(here)
}

/// Whether callers can tell what it is, and it is short.
fn is_told(space: &Space, term: TermId) -> bool {
    space.is_short(term) && !space.any_symbol(term, &mut |it| !space.is_from_start(it))
}

fn values(
    space: &mut Space,
    block: BlockId,
    (old, new): (&State, &State),
    parted: &mut Parted,
    joined: &mut State,
) -> Map<ValueId, TermId> {
    let mut rows = Vec::with_capacity(old.values.len());
    let mut others = new.values.iter().peekable();
    for (&id, &left) in old.values.iter() {
        while others.next_if(|it| *it.0 < id).is_some() {}
        if let Some((_, &right)) = others.next_if(|it| *it.0 == id) {
            let key = JoinKey::Value(id);
            rows.push((id, meet(space, (block, key), parted, (left, old), (right, new), joined)));
        }
    }
    Map::from_sorted(rows).sharing(&old.values)
}

fn memory(
    space: &mut Space,
    block: BlockId,
    (old, new): (&State, &State),
    parted: &mut Parted,
    joined: &mut State,
) -> Memory {
    let mut frame = Memory::new();
    let (was, is) = (&old.memory, &new.memory);
    frame.zeroed = zeroed(space, old, new);
    frame.exposed = if was.exposed.is_same(&is.exposed) {
        was.exposed.clone()
    } else {
        was.exposed.merged(&is.exposed, |_, _, _| Some(()))
    };
    let same = |left, right| if left == right { left } else { Epoch::Join(block) };
    frame.epoch = same(was.epoch, is.epoch);
    frame.epochs = if was.epochs.is_same(&is.epochs) {
        was.epochs.clone()
    } else {
        was.epochs.merged(&is.epochs, |base, left, right| {
            let left = left.copied().unwrap_or_else(|| was.epoch_of(space, base));
            Some(same(left, right.copied().unwrap_or_else(|| is.epoch_of(space, base))))
        })
    };
    frame.numbers = if was.numbers.is_same(&is.numbers) {
        was.numbers.clone()
    } else {
        was.numbers.merged(&is.numbers, |base, left, right| {
            let left = left.copied().unwrap_or_else(|| was.epoch_of(space, base));
            Some(same(left, right.copied().unwrap_or_else(|| is.epoch_of(space, base))))
        })
    };
    frame.elements = if was.elements.is_same(&is.elements) {
        was.elements.clone()
    } else {
        was.elements.merged(&is.elements, |base, left, right| {
            let left = left.copied().unwrap_or_else(|| was.epoch_of(space, base));
            Some(same(left, right.copied().unwrap_or_else(|| is.epoch_of(space, base))))
        })
    };
    if was.has_same_rows(is) && was.iter().all(|cell| !mentions(space, block, cell.value)) {
        let mut joined = frame.with_rows_of(was);
        joined.bound_epochs(Epoch::Join(block));
        return joined;
    }
    let Matched { pairs, others } = was.matched(is);
    let mut rows = Vec::with_capacity(pairs.len());
    for (cell, other) in pairs {
        let other = other.filter(|it| space.terms.width(it.value) == space.terms.width(cell.value));
        if other.is_none() && is_absent(space, new, cell.base) {
            rows.push(*cell);
            continue;
        }
        let value = other.map_or_else(|| content(space, new, cell), |it| it.value);
        let key = JoinKey::Cell(cell.address);
        let value = meet(space, (block, key), parted, (cell.value, old), (value, new), joined);
        rows.push(Cell { value, ..*cell });
    }
    let mut more = Vec::with_capacity(others.len());
    for cell in others {
        if is_absent(space, old, cell.base) {
            more.push(*cell);
            continue;
        }
        let value = content(space, old, cell);
        let key = JoinKey::Cell(cell.address);
        let value = meet(space, (block, key), parted, (value, old), (cell.value, new), joined);
        more.push(Cell { value, ..*cell });
    }
    let mut joined = Memory::from_rows(rows, more, frame).sharing(was);
    joined.bound_rows(space, Epoch::Join(block));
    joined.bound_epochs(Epoch::Join(block));
    joined
}

/// What the state has where the other has a cell.
fn content(space: &mut Space, state: &State, cell: &Cell) -> TermId {
    let width = space.terms.width(cell.value);
    let scalar = match width {
        bits if bits == space.pointer_bits => Scalar::Ptr,
        bits => Scalar::int(u32::from(bits)).unwrap_or(Scalar::I64),
    };
    let value = state.memory.load(space, cell.address, scalar);
    if space.terms.width(value) == width { value } else { space.unknown(scalar) }
}

fn meet(
    space: &mut Space,
    (block, key): (BlockId, JoinKey),
    parted: &mut Parted,
    (left, old): (TermId, &State),
    (right, new): (TermId, &State),
    joined: &mut State,
) -> TermId {
    if left == right && !mentions(space, block, left) {
        return left;
    }
    if space.nullable {
        for (object, other, state) in [(left, right, new), (right, left, old)] {
            if is_absent(space, state, object) && is_null(space, state, other) {
                return object;
            }
        }
    }
    let width = space.terms.width(left);
    let pointer = width == space.pointer_bits;
    let is_fit =
        |&it: &TermId| is_number(space, it) && !mentions(space, block, it) && is_told(space, it);
    if [left, right].iter().all(is_fit)
        && let Some(condition) = parted.get(space, block, old, new)
        && let Some(choice) = choice(space, condition, [left, right])
    {
        return choice;
    }
    let symbol = match common_object(space, block, left, right) {
        Some(base) => {
            let distance = space.symbol(Origin::Join(block, key.distance()), width, false);
            space.terms.binary(Binary::Add, base, distance)
        }
        None if space.origin(left) == Some(Origin::Join(block, key)) => left,
        None => space.symbol(Origin::Join(block, key), width, pointer),
    };
    let may_hold = pointer || space.may_be_descriptor(left) || space.may_be_descriptor(right);
    if may_hold && space.origin(symbol).is_some() {
        space.may_be(symbol, left);
        space.may_be(symbol, right);
    }
    let (low, high) = match (space.constant(left), space.constant(right)) {
        (Some(left), Some(right)) if !pointer => (left.min(right), left.max(right)),
        _ => (0, 0),
    };
    if low < high {
        // Most joined numbers are statuses: their signs matter.
        for (at, is_low) in [(low, true), (high, false)] {
            let bound = space.terms.constant(at as u64, width);
            let (left, right) = if is_low { (bound, symbol) } else { (symbol, bound) };
            let within = space.terms.compare(Compare::LeS, left, right);
            let _ = joined.assume(space, within);
        }
    }
    let mut is_zero = |term| space.terms.is_zero(term);
    let (of_left, of_right, of_symbol) = (is_zero(left), is_zero(right), is_zero(symbol));
    let known = |state: &State, is_zero, term| match space.is_some_more(term) {
        true => Some(false),
        false => state.facts.decide(&space.terms, is_zero),
    };
    let agreed = known(old, of_left, left).filter(|&it| known(new, of_right, right) == Some(it));
    if let Some(agreed) = agreed {
        let condition = if agreed { of_symbol } else { space.terms.not(of_symbol) };
        Rc::make_mut(&mut joined.facts).note(&mut space.terms, condition);
    }
    symbol
}

/// A number that is one thing on the paths of one state, and another on those of the other.
fn choice(space: &mut Space, condition: TermId, arms: [TermId; 2]) -> Option<TermId> {
    let is_descriptor =
        |&it: &TermId| space.may_be_descriptor(it) && tests_sign(space, condition, it);
    if arms.iter().any(is_descriptor) {
        return None;
    }
    let choice = space.choice(condition, arms);
    is_told(space, choice).then_some(choice)
}

/// Whether a condition asks of a number what people ask of a descriptor: whether it is there.
fn tests_sign(space: &Space, condition: TermId, number: TermId) -> bool {
    match *space.terms.get(condition) {
        Term::Unary(Unary::Not, of) => tests_sign(space, of, number),
        Term::Compare(Compare::LtS | Compare::LeS, left, right) => {
            left == number || right == number
        }
        Term::Compare(Compare::Eq, left, right) => {
            let is_none = |it| space.constant(it) == Some(-1);
            left == number && is_none(right) || right == number && is_none(left)
        }
        _ => false,
    }
}

/// Whether a term is no address: those are told by what they may point to.
fn is_number(space: &Space, term: TermId) -> bool {
    match *space.terms.get(term) {
        _ if !space.is_pointer_wide(term) => true,
        Term::Constant { .. } | Term::ExtendU { .. } | Term::ExtendS { .. } => true,
        Term::Select { yes, no, .. } => is_number(space, yes) && is_number(space, no),
        _ => false,
    }
}

/// The object that both point into.
fn common_object(space: &Space, block: BlockId, left: TermId, right: TermId) -> Option<TermId> {
    let base = space.address(left).filter(|_| !space.summarising)?.base;
    let is_one = space.address(right)?.base == base && space.is_pointer(base);
    let is_known = space.home(base) != Home::Unknown && !mentions(space, block, base);
    (is_one && is_known && space.is_pointer_wide(left)).then_some(base)
}

/// Whether a state's paths did not make the object: NULL there and the object elsewhere join to the
/// object, of which it is then not known whether it is NULL.
fn is_absent(space: &Space, state: &State, object: TermId) -> bool {
    matches!(space.origin(object), Some(Origin::Made { .. }))
        && !state.marks.contains(object)
        && !state.mentions(space, object)
}

fn is_null(space: &mut Space, state: &State, term: TermId) -> bool {
    let condition = space.terms.is_zero(term);
    state.facts.decide(&space.terms, condition) == Some(true)
}

/// Whether a term is made of the block's own symbols, which stand for other values from here on.
fn mentions(space: &Space, block: BlockId, term: TermId) -> bool {
    space.parts(term).meets(Parts::join(block))
        && space.any_symbol(term, &mut |symbol| belongs(space, block, symbol))
}

fn marks(old: &Map<TermId, Mark>, new: &Map<TermId, Mark>) -> Map<TermId, Mark> {
    if old.is_same(new) {
        return old.clone();
    }
    old.merged(new, |_, left, right| match (left, right) {
        (Some(&left), Some(&right)) => Some(mix(left, right)),
        (Some(&mark), None) | (None, Some(&mark)) => Some(perhaps(mark)),
        (None, None) => None,
    })
}

/// May-free counts as a free for leaks; `Perhaps` keeps it out of double frees.
fn perhaps(mark: Mark) -> Mark {
    Mark { certainty: Certainty::Perhaps, ..mark }
}

fn mix(left: Mark, right: Mark) -> Mark {
    if left.phase == right.phase {
        return Mark { certainty: left.certainty.max(right.certainty), ..left };
    }
    let stronger = if left.phase > right.phase { left } else { right };
    perhaps(stronger)
}

/// The objects made here that values or cells lead to, in order.
fn made_of(space: &Space, states: [&State; 2], focus: Option<TermId>) -> Vec<TermId> {
    let mut objects = Vec::from_iter(focus);
    for state in states {
        let values = state.values.iter().map(|(_, &value)| value);
        for value in values.chain(state.memory.iter().map(|cell| cell.value)) {
            if let Some((base, Home::Made)) = space.object(value)
                && !objects.contains(&base)
            {
                objects.push(base);
            }
        }
    }
    objects.sort_unstable();
    objects
}

/// Drops the objects that a value or a cell of something that was not made here leads to: what most
/// are held by.
fn drop_plainly_held(space: &Space, state: &State, objects: &mut Vec<TermId>) {
    let values = state.values.iter().map(|(_, &value)| value);
    let cells = state.memory.iter().filter(|cell| space.home(cell.base) != Home::Made);
    for value in values.chain(cells.map(|cell| cell.value)) {
        if objects.is_empty() {
            return;
        }
        if let Some(place) = space.address(value)
            && let Ok(at) = objects.binary_search(&place.base)
        {
            objects.remove(at);
        }
    }
}

fn keep_the_unseen(space: &Space, old: &State, new: &State, joined: &mut State) {
    if !space.has_made() && joined.focus.is_none() {
        return;
    }
    let mut objects = made_of(space, [old, new], joined.focus);
    drop_plainly_held(space, joined, &mut objects);
    for object in objects {
        let live = joined.phase(object) == Phase::Live;
        let was = |state: &State| state.is_held(space, object);
        if live && !joined.is_held(space, object) && (was(old) || was(new)) {
            let state = joined.marks.get(object).map_or(NO_STATE, |mark| mark.state);
            let (phase, certainty) = (Phase::Kept, Certainty::Perhaps);
            let mark = Mark { phase, certainty, at: InstId(u32::MAX), state };
            joined.marks.insert(object, mark);
        }
    }
}
