//! What is known at one point of a function, on the paths that a state stands for.

use caulk_guard::bits::{Facts, TermId};
use caulk_ir::{InstId, Scalar, ValueId};

use crate::map::Map;
use crate::space::{Address, Epoch, Home, Origin, Space};

/// What became of an object (K1's states, with the ways out of them).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    Live,
    /// Given back, here or by a callee.
    Released,
    /// In the hands of somebody whom this function cannot see: a global, an unknown function, or
    /// the analysis lost sight of its holders.
    Kept,
}

/// A mark on an object, or on what the caller's memory held at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    pub phase: Phase,
    /// On some of the paths only, or only perhaps on this object.
    pub may: bool,
    /// The instruction that did it.
    pub at: InstId,
}

/// How the last reference to the followed object went away, as far as an instruction did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Overwritten,
    WithOwner,
    Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub value: TermId,
    pub bytes: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Of the SSA values that are still read.
    pub values: Map<ValueId, TermId>,
    /// By address.
    pub memory: Map<TermId, Cell>,
    /// Objects whose other bytes are zero.
    pub zeroed: Map<TermId, ()>,
    /// By symbol: made objects and the caller's.
    pub marks: Map<TermId, Mark>,
    pub facts: Facts,
    pub epoch: Epoch,
    /// The object that is followed was made on these paths.
    pub focus: Option<TermId>,
    /// An allocation failed on these paths, since the object was made.
    pub failed: Option<InstId>,
    /// Where the followed object was lost, on all of these paths.
    pub loss: Option<(InstId, Loss)>,
    /// What the paths rest on that nobody checked: unknown functions that took part.
    pub doubt: bool,
}

impl State {
    pub fn new() -> Self {
        Self {
            values: Map::new(),
            memory: Map::new(),
            zeroed: Map::new(),
            marks: Map::new(),
            facts: Facts::new(),
            epoch: Epoch::Start,
            focus: None,
            failed: None,
            loss: None,
            doubt: false,
        }
    }

    /// False when it contradicts what is known: the paths do not exist.
    #[must_use]
    pub fn assume(&mut self, space: &mut Space, condition: TermId) -> bool {
        self.facts.assume(&mut space.terms, condition)
    }

    pub fn phase(&self, object: TermId) -> Phase {
        self.marks.get(object).map_or(Phase::Live, |mark| mark.phase)
    }

    /// What memory holds at an address.
    pub fn load(&mut self, space: &mut Space, address: TermId, scalar: Scalar) -> TermId {
        let bits = space.width(scalar);
        let bytes = bits.div_ceil(8);
        if let Some(cell) = self.memory.get(address)
            && space.terms.width(cell.value) == bits
        {
            return cell.value;
        }
        let value = self.fresh_content(space, address, scalar);
        self.memory.insert(address, Cell { value, bytes });
        value
    }

    fn fresh_content(&mut self, space: &mut Space, address: TermId, scalar: Scalar) -> TermId {
        let bits = space.width(scalar);
        let Some(place) = space.address(address) else { return space.unknown(scalar) };
        let others = self.elements(space, place, bits);
        if !others.is_empty() {
            return space.one_of(others, bits);
        }
        if self.zeroed.contains(place.base) {
            return space.terms.constant(0, bits);
        }
        match space.home(place.base) {
            Home::Local | Home::Made => space.unknown(scalar),
            _ => {
                let origin = Origin::Initial { address, epoch: self.epoch, bits };
                space.symbol(origin, bits, scalar == Scalar::Ptr)
            }
        }
    }

    /// What an element may be, when it is not known which one of an object is read. What the
    /// caller's arrays held at the start are different things.
    fn elements(&self, space: &Space, place: Address, bits: u8) -> Vec<TermId> {
        let may_overlap = |offset: Option<i64>| offset.is_none() || place.offset.is_none();
        let own = matches!(space.home(place.base), Home::Local | Home::Made);
        let is_made = |value| {
            space.address(value).is_some_and(|it| space.home(it.base) == Home::Made)
        };
        let cells = self.memory.iter().filter(|(address, cell)| {
            space.terms.width(cell.value) == bits
                && (is_made(cell.value) || own && space.terms.as_constant(cell.value).is_none())
                && space
                    .address(**address)
                    .is_some_and(|it| it.base == place.base && may_overlap(it.offset))
        });
        let mut values: Vec<TermId> = cells.map(|(_, cell)| cell.value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Writes a value. Cells of other objects stay: addresses that the caller handed in are taken
    /// to be different objects (P3), and a made object is nobody else's.
    pub fn store(&mut self, space: &Space, address: TermId, value: TermId) {
        let bytes = space.terms.width(value).div_ceil(8);
        if let Some(place) = space.address(address) {
            self.clear(space, place, i64::from(bytes), Some(address));
        }
        self.memory.insert(address, Cell { value, bytes });
    }

    /// Forgets the cells that overlap a range. An element at an unknown place is only forgotten
    /// when the whole object is.
    pub fn clear(&mut self, space: &Space, place: Address, bytes: i64, written: Option<TermId>) {
        self.memory.retain(|&address, cell| {
            let Some(other) = space.address(address).filter(|it| it.base == place.base) else {
                return true;
            };
            if Some(address) == written {
                return false;
            }
            match (place.offset, other.offset) {
                (Some(at), Some(start)) => {
                    start >= at.saturating_add(bytes) || at >= start.saturating_add(i64::from(cell.bytes))
                }
                _ => bytes != i64::MAX,
            }
        });
    }

    /// Forgets all that an object holds.
    pub fn forget_object(&mut self, space: &Space, base: TermId) {
        self.clear(space, Address { base, offset: None }, i64::MAX, None);
        self.zeroed.remove(base);
    }

    /// Whether anybody can still get at an object.
    pub fn is_held(&self, space: &Space, object: TermId) -> bool {
        let mut seen = vec![object];
        let mut next = 0;
        while let Some(&wanted) = seen.get(next) {
            next += 1;
            if self.values.iter().any(|(_, &value)| space.carries(value, wanted)) {
                return true;
            }
            for (&address, cell) in self.memory.iter() {
                if !space.carries(cell.value, wanted) {
                    continue;
                }
                let Some(place) = space.address(address) else { return true };
                match space.home(place.base) {
                    Home::Made => match self.phase(place.base) {
                        Phase::Kept => return true,
                        Phase::Released => {}
                        Phase::Live if seen.contains(&place.base) => {}
                        Phase::Live => seen.push(place.base),
                    },
                    _ => return true,
                }
            }
        }
        false
    }

    /// Remembers an instruction after which nobody has the followed object any more.
    pub fn note_loss(&mut self, space: &Space, at: InstId, how: Loss) {
        if let Some(focus) = self.focus
            && self.loss.is_none()
            && self.phase(focus) == Phase::Live
            && !self.is_held(space, focus)
        {
            self.loss = Some((at, how));
        }
    }

    /// Whether a cell in a range of an object has the followed object.
    pub fn focus_is_in(&self, space: &Space, base: TermId) -> bool {
        let Some(focus) = self.focus else { return false };
        self.memory.iter().any(|(&address, cell)| {
            space.carries(cell.value, focus)
                && space.address(address).is_some_and(|place| place.base == base)
        })
    }

    /// Whether a value or a cell is made of the symbol.
    pub fn mentions(&self, space: &Space, symbol: TermId) -> bool {
        let uses = |term: TermId| space.symbols_of(term).contains(&symbol);
        self.values.iter().any(|(_, &value)| uses(value))
            || self.memory.iter().any(|(&address, cell)| uses(cell.value) || uses(address))
    }

    /// The symbol stands for something else from now on.
    pub fn forget_symbol(&mut self, space: &Space, symbol: TermId) {
        self.marks.remove(symbol);
        self.zeroed.remove(symbol);
        self.facts.forget(&|term| !space.symbols_of(term).contains(&symbol));
    }

    /// Who has the object, as far as it tells states apart: addresses and values.
    pub fn holders(&self, space: &Space, object: TermId) -> (Vec<ValueId>, Vec<TermId>) {
        let values = self.values.iter().filter(|(_, value)| space.carries(**value, object));
        let cells = self.memory.iter().filter(|(_, cell)| space.carries(cell.value, object));
        (values.map(|(&id, _)| id).collect(), cells.map(|(&address, _)| address).collect())
    }

    /// The objects that a value leads to: what it points into, and what can be read from there.
    pub fn reachable(&self, space: &Space, term: TermId) -> Vec<TermId> {
        let mut seen = Vec::new();
        push_bases(space, term, &mut seen);
        let mut next = 0;
        while let Some(&base) = seen.get(next) {
            next += 1;
            for (&address, cell) in self.memory.iter() {
                if space.address(address).is_some_and(|place| place.base == base) {
                    push_bases(space, cell.value, &mut seen);
                }
            }
        }
        seen
    }
}

/// The symbols that a value may point into.
pub fn push_bases(space: &Space, term: TermId, seen: &mut Vec<TermId>) {
    let Some(place) = space.address(term) else { return };
    if seen.contains(&place.base) {
        return;
    }
    seen.push(place.base);
    for &candidate in space.candidates(place.base) {
        push_bases(space, candidate, seen);
    }
}
