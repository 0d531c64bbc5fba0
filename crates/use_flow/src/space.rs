//! The terms of one function under analysis, and what their symbols stand for.
//!
//! A pointer is a term like any other number: a symbol for its object plus an offset. Memory that
//! the function finds when it starts is named by the address it was read from (SMOKE's auxiliary
//! parameters, K4; SPARROW's explore-addresses, P3), so each call of the function can put its own
//! objects there.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_guard::bits::{Binary, Term, TermId, Terms};
use caulk_ir::{BlockId, FunctionId, InstId, Scalar, SlotId, ValueId};
use caulk_program::{ModuleId, ProcId, StaticId};

use crate::owed::Doubts;
use crate::shapes::{Parts, Shapes};

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The hidden pointer to an aggregate result is `u32::MAX`.
    Param(u32),
    Slot(SlotId),
    /// Memory of `alloca`, by the execution that made it.
    Alloca(u32),
    Static(StaticId),
    /// One that is defined elsewhere, as the module numbers it.
    Function(FunctionId),
    /// A function of the program.
    Proc(ProcId),
    /// Whether the program has the first of two units that define the same functions, and not the second.
    Linked(ModuleId, ModuleId),
    /// What memory held at an address, before anything here wrote to it.
    Initial {
        address: TermId,
        epoch: Epoch,
        bits: u8,
    },
    /// An object that the call made; `index` tells several of one call apart.
    Made {
        serial: u32,
        call: InstId,
        index: u16,
    },
    /// Different values met at the start of a block.
    Join(BlockId, JoinKey),
    /// One of several known values: see [`Space::candidates`].
    OneOf(u32),
    /// The same, of what the cases of one call lead to: another one each time.
    Outcome(u32),
    Unknown(u32),
    /// No value: tells contents of memory apart.
    Version(Epoch),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKey {
    Value(ValueId),
    Cell(TermId),
    /// How far into its object a pointer points that is so on all paths.
    DistanceOfValue(ValueId),
    DistanceInCell(TermId),
}

impl JoinKey {
    pub fn distance(self) -> Self {
        match self {
            JoinKey::Value(id) | JoinKey::DistanceOfValue(id) => JoinKey::DistanceOfValue(id),
            JoinKey::Cell(at) | JoinKey::DistanceInCell(at) => JoinKey::DistanceInCell(at),
        }
    }
}

/// Memory between two events that may change all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Epoch {
    Start,
    After(u32),
    Join(BlockId),
}

/// Who can reach an object whose address is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// This activation alone.
    Local,
    Static,
    /// The caller: a parameter, or what memory held at the start.
    Caller,
    /// Made here.
    Made,
    Unknown,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    origin: Origin,
    home: Home,
    /// Known to be an address.
    pointer: bool,
    way: Way,
    /// What the values are made of that it may stand for.
    pub(crate) candidates: Parts,
    /// Where those are listed; the first list is empty.
    list: u32,
}

/// What a symbol leads from, by the memory that it was read from.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// None where memory was read at an address that leads from nowhere.
    root: Option<Origin>,
    /// How many reads there are on the way, as far as it is known.
    loads: u8,
    /// All reads came before anything was written.
    of_the_start: bool,
    /// So, and from a parameter or static, at places that are known exactly.
    from_start: bool,
}

/// More reads than these are not followed.
const MOST_LOADS: u8 = 8;

/// How many terms a choice between two numbers may be made of.
const MOST_OF_CHOICE: usize = 24;
/// How many terms an instruction comes to, in most functions, and the least and the most that room is
/// made for.
const TERMS_OF_INST: usize = 4;
const ROOM: std::ops::RangeInclusive<usize> = 64..=4096;
/// How many values a choice remembers.
const MOST_CANDIDATES: usize = 8;

pub struct Space {
    pub terms: Terms,
    pub pointer_bits: u8,
    /// Joins may take an object that only some of the paths made for one that may be NULL. Not in
    /// summaries, where what is made must exist.
    pub nullable: bool,
    /// A summary is made. What a loop puts somewhere into an object is then left to whoever has that:
    /// callers cannot see how the object's destructor finds it.
    pub summarising: bool,
    pub(crate) symbols: Vec<Symbol>,
    ids: FxHashMap<(Origin, u8), TermId>,
    /// Addresses of members, by their object's: the commonest of all terms.
    sums: FxHashMap<(TermId, i64), TermId>,
    /// The values that symbols may stand for.
    lists: Vec<Vec<TermId>>,
    /// The same of terms that are no symbols: few.
    candidates: FxHashMap<TermId, Vec<TermId>>,
    choices: FxHashMap<Vec<TermId>, TermId>,
    /// Those that the function names.
    statics: Vec<(StaticId, TermId)>,
    has_made: bool,
    /// Where joins named symbols.
    joined: FxHashSet<BlockId>,
    serial: u32,
    /// Epochs that began where an unknown function may have changed memory, and those before.
    vague: FxHashMap<Epoch, Epoch>,
    /// What the memory of arguments held before such an epoch, by address; only on single paths.
    before: Option<FxHashMap<(TermId, Epoch), TermId>>,
    /// What calls left in memory and nothing is known of; only on single paths.
    left: FxHashMap<TermId, InstId>,
    pub(crate) shapes: Shapes,
    /// What is not sure of the objects made here, while all are looked at.
    pub doubts: Doubts,
    /// What was asked about conditions, for whoever wants to ask another solver.
    pub asked: Option<Vec<Query>>,
}

/// Conditions that must hold together, and who was asked whether they can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub conditions: Vec<TermId>,
    /// The linear filter (K6) said that they cannot; else the solver was asked (K7).
    pub refuted_by_filter: bool,
}

/// An address, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// A symbol.
    pub base: TermId,
    /// None when it depends on symbols.
    pub offset: Option<i64>,
}

impl Address {
    pub fn plus(self, bytes: i64) -> Self {
        Self { offset: self.offset.map(|it| it.wrapping_add(bytes)), ..self }
    }
}

/// Where the ghost of an object that is owned by its holder's address is kept: far behind any
/// real member.
pub const GHOST: i64 = 1 << 40;
const BITS: i64 = 1 << 41;

pub fn is_ghost(offset: i64) -> bool {
    (GHOST..BITS).contains(&offset)
}

impl Space {
    /// For a function of so many instructions.
    pub fn new(pointer_bytes: u32, insts: usize) -> Self {
        let pointer_bits = u8::try_from(pointer_bytes * 8).unwrap_or(64).clamp(16, 64);
        let count = (TERMS_OF_INST * insts).clamp(*ROOM.start(), *ROOM.end());
        Self {
            terms: Terms::with_capacity(count),
            pointer_bits,
            nullable: false,
            summarising: false,
            symbols: Vec::with_capacity(count / 3),
            ids: FxHashMap::with_capacity_and_hasher(count / 3, Default::default()),
            sums: FxHashMap::default(),
            lists: vec![Vec::new()],
            candidates: FxHashMap::default(),
            choices: FxHashMap::default(),
            statics: Vec::new(),
            has_made: false,
            joined: FxHashSet::default(),
            serial: 0,
            vague: FxHashMap::default(),
            left: FxHashMap::default(),
            before: None,
            shapes: Shapes::with_capacity(count),
            doubts: Doubts::default(),
            asked: None,
        }
    }

    /// The width of a scalar's term. What is wider than 64 bits or a float is a symbol of its own,
    /// of which only equality matters.
    pub fn width(&self, scalar: Scalar) -> u8 {
        match scalar {
            Scalar::Ptr => self.pointer_bits,
            _ => scalar.int_bits().map_or(64, |bits| bits.min(64) as u8),
        }
    }

    /// The last number that was given to what nothing is known of.
    pub fn serial(&self) -> u32 {
        self.serial
    }

    pub fn next_serial(&mut self) -> u32 {
        self.serial += 1;
        self.serial
    }

    /// The time after a call that may have changed all shared memory.
    pub fn vague_epoch(&mut self, last: Epoch) -> Epoch {
        let epoch = Epoch::After(self.next_serial());
        self.vague.insert(epoch, last);
        epoch
    }

    /// The epoch before, if it ended where an unknown function may have changed memory.
    pub fn before_vague(&self, epoch: Epoch) -> Option<Epoch> {
        self.vague.get(&epoch).copied()
    }

    /// From now on, what is written to the memory of arguments is known after unknown functions, too.
    pub fn remember_before(&mut self) {
        self.before.get_or_insert_default();
    }

    /// Remembers what an argument's memory held before a vague epoch.
    pub fn note_before(&mut self, cell: &crate::memory::Cell, epoch: Epoch) {
        let is_argument = matches!(self.origin(cell.base), Some(Origin::Param(_)));
        if let Some(before) = self.before.as_mut().filter(|_| is_argument) {
            before.insert((cell.address, epoch), cell.value);
        }
    }

    /// What an address held before an epoch, as far as the path wrote it.
    pub fn before(&self, address: TermId, epoch: Epoch) -> Option<TermId> {
        self.before.as_ref()?.get(&(address, epoch)).copied()
    }

    /// A call leaves a value in memory.
    pub fn note_left(&mut self, value: TermId, call: InstId) {
        if self.before.is_none() {
            return;
        }
        let unknown = |it: &TermId| matches!(self.origin(*it), Some(Origin::Unknown(_)));
        let parts: Vec<TermId> = self.symbols_of(value).into_iter().filter(unknown).collect();
        self.left.extend(parts.into_iter().map(|part| (part, call)));
    }

    /// The call that left something unknown in memory.
    pub fn left_by(&self, symbol: TermId) -> Option<InstId> {
        self.left.get(&symbol).copied()
    }

    pub fn has_vague_epochs(&self) -> bool {
        !self.vague.is_empty()
    }

    pub fn symbol(&mut self, origin: Origin, bits: u8, pointer: bool) -> TermId {
        if let Some(&id) = self.ids.get(&(origin, bits)) {
            return id;
        }
        let id = self.new_symbol(origin, bits, pointer);
        self.ids.insert((origin, bits), id);
        match origin {
            Origin::Static(of) => self.statics.push((of, id)),
            Origin::Made { .. } => self.has_made = true,
            Origin::Join(place, _) | Origin::Initial { epoch: Epoch::Join(place), .. } => {
                self.joined.insert(place);
            }
            _ => {}
        }
        id
    }

    /// A symbol that nobody asks for by what it stands for: it has a number of its own.
    fn new_symbol(&mut self, origin: Origin, bits: u8, pointer: bool) -> TermId {
        let number = u32::try_from(self.symbols.len()).unwrap_or(u32::MAX);
        let (home, way) = (home_of(origin), self.way_of(origin));
        self.symbols.push(Symbol { origin, home, pointer, way, candidates: Parts::NONE, list: 0 });
        self.terms.symbol(number, bits)
    }

    /// What nothing is known of.
    pub fn unknown_of(&mut self, bits: u8, pointer: bool) -> TermId {
        let serial = self.next_serial();
        self.new_symbol(Origin::Unknown(serial), bits, pointer)
    }

    /// Whether any symbol was named by a join at this place.
    pub fn has_joined(&self, place: BlockId) -> bool {
        self.joined.contains(&place)
    }

    /// Whether anything was made yet.
    pub fn has_made(&self) -> bool {
        self.has_made
    }

    pub fn statics(&self) -> &[(StaticId, TermId)] {
        &self.statics
    }

    pub fn unknown(&mut self, scalar: Scalar) -> TermId {
        self.unknown_of(self.width(scalar), scalar == Scalar::Ptr)
    }

    /// A value that is one of these.
    pub fn one_of(&mut self, terms: &[TermId], bits: u8) -> TermId {
        let mut leaves = Vec::with_capacity(MOST_CANDIDATES);
        terms.iter().for_each(|&term| self.push_leaves(term, &mut leaves));
        leaves.sort_unstable();
        leaves.truncate(MOST_CANDIDATES);
        self.doubt_each(&leaves);
        if let Some(&known) = self.choices.get(&leaves).filter(|_| !leaves.is_empty()) {
            return known;
        }
        let serial = self.next_serial();
        let id = self.new_symbol(Origin::OneOf(serial), bits, true);
        self.choices.insert(leaves.clone(), id);
        self.set_candidates(id, leaves);
        id
    }

    /// Which of these a value is, a path decides.
    fn doubt_each(&mut self, leaves: &[TermId]) {
        for &leaf in leaves {
            if let Some(place) = self.address(leaf) {
                self.doubt(place.base);
            }
        }
    }

    /// A new value that is one of these, or something else.
    pub fn outcome(&mut self, terms: &[TermId], bits: u8) -> TermId {
        let mut leaves = Vec::with_capacity(MOST_CANDIDATES);
        terms.iter().for_each(|&term| self.push_leaves(term, &mut leaves));
        leaves.truncate(MOST_CANDIDATES);
        self.doubt_each(&leaves);
        let serial = self.next_serial();
        let id = self.new_symbol(Origin::Outcome(serial), bits, bits == self.pointer_bits);
        self.set_candidates(id, leaves);
        id
    }

    /// Adds to what a joined symbol may be.
    pub fn may_be(&mut self, joined: TermId, term: TermId) {
        if term == joined {
            return;
        }
        let known = self.candidates(joined);
        if known.len() >= MOST_CANDIDATES || known.contains(&term) {
            return;
        }
        let Some(base) = self.address(term).map(|place| place.base) else { return };
        // Most of what meets at a block met there before.
        let is_known = match self.origin(base) {
            Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_)) => {
                self.candidates(base).iter().all(|it| known.contains(it))
            }
            Some(Origin::Unknown(_)) | None => true,
            Some(_) => false,
        };
        if is_known {
            return;
        }
        let mut leaves = Vec::with_capacity(MOST_CANDIDATES);
        leaves.extend_from_slice(known);
        self.push_leaves(term, &mut leaves);
        if leaves.len() > known.len() {
            leaves.truncate(MOST_CANDIDATES);
            self.set_candidates(joined, leaves);
        }
    }

    fn set_candidates(&mut self, symbol: TermId, leaves: Vec<TermId>) {
        let Term::Symbol { number, .. } = *self.terms.get(symbol) else {
            self.candidates.insert(symbol, leaves);
            return;
        };
        let parts = leaves.iter().fold(Parts::NONE, |all, &it| all.and(self.parts(it)));
        let row = &mut self.symbols[number as usize];
        row.candidates = parts;
        if row.list != 0 {
            self.lists[row.list as usize] = leaves;
        } else if !leaves.is_empty() {
            row.list = self.lists.len() as u32;
            self.lists.push(leaves);
        }
    }

    /// What a value comes down to: pointers that are no choice themselves.
    fn push_leaves(&self, term: TermId, leaves: &mut Vec<TermId>) {
        let Some(place) = self.address(term) else { return };
        let mut push = |term| {
            if !leaves.contains(&term) {
                leaves.push(term);
            }
        };
        match self.origin(place.base) {
            Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_)) => {
                self.candidates(place.base).iter().for_each(|&it| push(it));
            }
            Some(Origin::Unknown(_)) | None => {}
            Some(_) => push(term),
        }
    }

    pub fn candidates(&self, symbol: TermId) -> &[TermId] {
        match self.row(symbol) {
            Some(row) => &self.lists[row.list as usize],
            None => self.candidates.get(&symbol).map_or(&[], Vec::as_slice),
        }
    }

    pub fn origin_of(&self, number: u32) -> Option<Origin> {
        self.symbols.get(number as usize).map(|symbol| symbol.origin)
    }

    #[inline]
    pub fn origin(&self, term: TermId) -> Option<Origin> {
        self.row(term).map(|row| row.origin)
    }

    #[inline]
    fn row(&self, term: TermId) -> Option<&Symbol> {
        match *self.terms.get(term) {
            Term::Symbol { number, .. } => Some(&self.symbols[number as usize]),
            _ => None,
        }
    }

    fn way_of(&self, origin: Origin) -> Way {
        let Origin::Initial { address, epoch, .. } = origin else {
            let from_start = matches!(origin, Origin::Param(_) | Origin::Static(_));
            return Way { root: Some(origin), loads: 0, of_the_start: true, from_start };
        };
        let place = self.address(address);
        let Some(last) = place.and_then(|it| self.row(it.base)).map(|row| row.way) else {
            return Way { root: None, loads: 1, of_the_start: false, from_start: false };
        };
        let is_exact = place.is_some_and(|it| it.offset.is_some());
        Way {
            root: last.root,
            loads: last.loads.saturating_add(1),
            of_the_start: last.of_the_start && epoch == Epoch::Start,
            from_start: last.from_start && epoch == Epoch::Start && is_exact,
        }
    }

    /// What the memory that a symbol was read from leads from.
    pub fn root(&self, symbol: TermId) -> Option<Origin> {
        let way = self.row(symbol)?.way;
        way.root.filter(|_| way.loads < MOST_LOADS)
    }

    /// Whether a symbol was there when the function began: all reads on the way to it came first.
    pub fn is_of_the_start(&self, symbol: TermId) -> bool {
        self.row(symbol).is_none_or(|row| row.way.of_the_start)
    }

    /// Whether a symbol was read from memory that a static leads to.
    pub fn is_global(&self, symbol: TermId) -> bool {
        matches!(self.root(symbol), Some(Origin::Static(_)))
    }

    /// Whether a symbol is a parameter, or was read from memory that one leads to.
    pub fn is_from_caller(&self, symbol: TermId) -> bool {
        matches!(self.root(symbol), Some(Origin::Param(_)))
    }

    /// Whether a symbol is a parameter, or what memory held when the function started, at a place
    /// that is known exactly.
    pub fn is_from_start(&self, symbol: TermId) -> bool {
        self.row(symbol).is_some_and(|row| row.way.from_start)
    }

    /// Whether callers have a name for it.
    pub fn is_nameable(&self, symbol: TermId) -> bool {
        matches!(self.root(symbol), Some(Origin::Param(_) | Origin::Static(_)))
    }

    /// Whether one is the address of something with a name and the other a small number.
    pub fn is_named_and_low(&self, left: TermId, right: TermId) -> bool {
        let is_low = |term| self.terms.as_constant(term).is_some_and(|value| value < 4096);
        let is_named = |term| {
            let base = self.address(term).filter(|it| it.offset.is_some()).map(|it| it.base);
            matches!(
                base.and_then(|base| self.origin(base)),
                Some(
                    Origin::Slot(_)
                        | Origin::Static(_)
                        | Origin::Function(_)
                        | Origin::Proc(_)
                        | Origin::Alloca(_)
                )
            )
        };
        is_low(left) && is_named(right) || is_low(right) && is_named(left)
    }

    pub fn are_two_functions(&self, left: TermId, right: TermId) -> bool {
        match (self.origin(left), self.origin(right)) {
            (Some(Origin::Proc(left)), Some(Origin::Proc(right))) => left != right,
            _ => false,
        }
    }

    /// How many loads from the caller's memory lead to a symbol.
    pub fn load_depth(&self, symbol: TermId) -> u32 {
        self.row(symbol).map_or(0, |row| u32::from(row.way.loads.min(MOST_LOADS)))
    }

    #[inline]
    pub fn is_pointer(&self, term: TermId) -> bool {
        self.row(term).is_some_and(|row| row.pointer)
    }

    /// Whether a number that is no address may stand for a resource: `fd >= 0 ? fd : 2` does.
    pub fn may_be_descriptor(&self, term: TermId) -> bool {
        let handed = matches!(self.origin(term), Some(Origin::Param(_) | Origin::Made { .. }));
        self.terms.width(term) == 32 && (handed || !self.candidates(term).is_empty())
    }

    pub fn is_pointer_wide(&self, term: TermId) -> bool {
        self.terms.width(term) == self.pointer_bits
    }

    pub fn offset(&mut self, base: TermId, offset: i64) -> TermId {
        if let Some(&known) = self.sums.get(&(base, offset)) {
            return known;
        }
        let width = self.terms.width(base);
        let distance = self.terms.constant(offset as u64, width);
        let sum = self.terms.binary(Binary::Add, base, distance);
        self.sums.insert((base, offset), sum);
        sum
    }

    /// Where a bit-field is kept: beside the bytes, so that it is read as it was written.
    pub fn bit_address(&mut self, address: TermId, first: u8) -> TermId {
        self.offset(address, BITS + (i64::from(first) << 32))
    }

    /// Whether a number is some of the last bits of another one: of an address, they tell how it is aligned.
    pub fn is_low_bits(&self, term: TermId) -> bool {
        const PAGE: i64 = 4096;
        let Term::Binary(Binary::And, left, right) = *self.terms.get(term) else { return false };
        let mask = self.constant(left).or(self.constant(right));
        mask.is_some_and(|it| (0..PAGE).contains(&it))
    }

    /// Whether a sum has a number in it of which nothing is known: a search that may find nothing.
    pub fn is_anywhere(&self, term: TermId) -> bool {
        match *self.terms.get(term) {
            Term::Binary(Binary::Add, left, right) => {
                self.is_anywhere(left) || self.is_anywhere(right)
            }
            Term::Symbol { .. } => {
                matches!(self.origin(term), Some(Origin::Unknown(_))) && !self.is_pointer(term)
            }
            _ => false,
        }
    }

    /// Where a loop that goes along a structure of the caller's started, and the offsets of the links
    /// that it follows; none if the symbol is no such loop's.
    pub fn chain(&self, symbol: TermId) -> Option<(TermId, Vec<i64>)> {
        let candidates = self.candidates(symbol);
        if candidates.is_empty() {
            return None;
        }
        let bases = candidates.iter().filter_map(|&it| self.address(it));
        let bases: Vec<TermId> = bases.map(|it| it.base).collect();
        let link = |base: TermId| match self.origin(base)? {
            Origin::Initial { address, .. } => {
                let from = self.address(address)?;
                let inside = from.base == symbol || bases.contains(&from.base);
                from.offset.filter(|_| inside)
            }
            _ => None,
        };
        let mut links: Vec<i64> = bases.iter().filter_map(|&base| link(base)).collect();
        links.sort_unstable();
        links.dedup();
        let starts = |&&base: &&TermId| link(base).is_none() && self.is_from_caller(base);
        let root = bases.iter().find(starts).filter(|_| !links.is_empty())?;
        Some((*root, links))
    }

    /// The value of a constant, sign-extended.
    pub fn constant(&self, term: TermId) -> Option<i64> {
        let value = self.terms.as_constant(term)?;
        let unused = 64 - u32::from(self.terms.width(term));
        Some(((value << unused) as i64) >> unused)
    }

    pub fn is_zero(&self, term: TermId) -> bool {
        self.terms.as_constant(term) == Some(0)
    }

    #[inline]
    pub fn home(&self, base: TermId) -> Home {
        self.row(base).map_or(Home::Unknown, |row| row.home)
    }

    /// Whether the function knows where an address came from: a variable, or an object made here.
    pub fn is_own(&self, base: TermId) -> bool {
        matches!(self.home(base), Home::Made | Home::Local | Home::Static)
    }

    /// Whether a number is some more than another one, and so not zero: sizes and counts are far from
    /// the ends of their types.
    pub fn is_some_more(&self, number: TermId) -> bool {
        let sum = match *self.terms.get(number) {
            Term::ExtendU { of, .. } | Term::ExtendS { of, .. } => of,
            _ => number,
        };
        let Term::Binary(Binary::Add, left, right) = *self.terms.get(sum) else { return false };
        let is_more = |term| self.constant(term).is_some_and(|it| it > 0);
        is_more(left) || is_more(right)
    }

    /// The number of 32 bits that a shorter or longer one was made from: a descriptor in a `short`.
    pub fn number_within(&self, term: TermId) -> TermId {
        match *self.terms.get(term) {
            Term::ExtendU { of, .. } | Term::ExtendS { of, .. } | Term::Truncate { of, .. } => {
                let within = self.number_within(of);
                if self.terms.width(within) == 32 { within } else { term }
            }
            _ => term,
        }
    }

    /// The objects made here of which an address was part of the computation of a value.
    pub fn push_carried(&self, term: TermId, found: &mut Vec<TermId>) {
        match *self.terms.get(term) {
            Term::Symbol { .. } if self.home(term) == Home::Made => found.push(term),
            Term::Binary(_, left, right) => {
                self.push_carried(left, found);
                self.push_carried(right, found);
            }
            Term::Unary(_, of) => self.push_carried(of, found),
            _ => {}
        }
    }

    /// Whether a value lets one get at the object: the address itself, or what is computed from it
    /// by arithmetic. A comparison does not.
    #[inline]
    pub fn carries(&self, term: TermId, object: TermId) -> bool {
        self.carrier(object)(term)
    }

    /// Tells which values do so: for many of them.
    #[inline]
    pub fn carrier(&self, object: TermId) -> impl Fn(TermId) -> bool + '_ {
        let own = self.parts(object);
        let needed = own.and(Parts::CHOICE);
        move |term| self.parts(term).meets(needed) && self.carries_here(term, object, own)
    }

    fn carries_here(&self, term: TermId, object: TermId, own: Parts) -> bool {
        match self.row(term) {
            Some(row) => term == object || self.may_stand_for(row, object, own),
            None => self.carries_within(term, object, 1),
        }
    }

    /// Whether a symbol may stand for what lets one get at the object.
    #[inline]
    fn may_stand_for(&self, symbol: &Symbol, object: TermId, own: Parts) -> bool {
        let list = &self.lists[symbol.list as usize];
        symbol.candidates.meets(own) && list.iter().any(|&it| self.carries_within(it, object, 0))
    }

    /// Candidates are no choices themselves: one step, of depth 1 to 0, is enough.
    fn carries_within(&self, term: TermId, object: TermId, depth: u8) -> bool {
        let inner = |term| self.carries_within(term, object, depth);
        match *self.terms.get(term) {
            _ if term == object => true,
            Term::Binary(op, ..) if is_scaling(op) => false,
            Term::Binary(_, left, right) => inner(left) || inner(right),
            Term::Unary(_, of)
            | Term::ExtendU { of, .. }
            | Term::ExtendS { of, .. }
            | Term::Truncate { of, .. } => inner(of),
            Term::Select { yes, no, .. } => inner(yes) || inner(no),
            Term::Symbol { number, .. } if depth > 0 => {
                let row = &self.symbols[number as usize];
                self.may_stand_for(row, object, self.parts(object))
            }
            Term::Symbol { .. }
            | Term::Constant { .. }
            | Term::Compare(..)
            | Term::Apply { .. } => false,
        }
    }
}

fn home_of(origin: Origin) -> Home {
    match origin {
        Origin::Slot(_) | Origin::Alloca(_) => Home::Local,
        Origin::Static(_) => Home::Static,
        Origin::Param(_) | Origin::Initial { .. } => Home::Caller,
        Origin::Made { .. } => Home::Made,
        _ => Home::Unknown,
    }
}

/// Whether an operation leaves nothing of an address by which one could get back to it.
fn is_scaling(op: Binary) -> bool {
    matches!(op, Binary::Mul | Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU)
}

/// What one function's analysis looks up again and again.
pub struct Slots {
    /// The slots that a scope ends.
    pub of_scope: FxHashMap<caulk_ir::ScopeId, Vec<SlotId>>,
}

impl Slots {
    pub fn new(body: &caulk_ir::Body) -> Self {
        let mut of_scope: FxHashMap<caulk_ir::ScopeId, Vec<SlotId>> = FxHashMap::default();
        for (id, slot) in body.slots.iter() {
            if let Some(scope) = slot.scope {
                of_scope.entry(scope).or_default().push(id);
            }
        }
        Self { of_scope }
    }
}

impl Space {
    /// The symbols that a term is made of.
    pub fn symbols_of(&self, term: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.any_symbol(term, &mut |symbol| {
            if !found.contains(&symbol) {
                found.push(symbol);
            }
            false
        });
        found
    }

    /// One of two numbers, of which either may be a descriptor. What would be too long to reason about
    /// is a number of its own.
    pub fn choice(&mut self, condition: TermId, arms: [TermId; 2]) -> TermId {
        let mut choice = self.terms.select(condition, arms[0], arms[1]);
        if !self.is_short(choice) {
            choice = self.unknown_of(self.terms.width(choice), false);
        }
        for arm in arms {
            if self.may_be_descriptor(arm) {
                self.may_be(choice, arm);
            }
        }
        choice
    }

    /// Whether a term is made of few others, each counted as often as it is there.
    pub fn is_short(&self, term: TermId) -> bool {
        let mut left = MOST_OF_CHOICE;
        self.is_shorter(term, &mut left)
    }

    fn is_shorter(&self, term: TermId, left: &mut usize) -> bool {
        *left = left.saturating_sub(1);
        *left > 0 && self.terms.get(term).operands().all(|it| self.is_shorter(it, left))
    }

    /// Whether a term is made of two numbers, one of which it is.
    pub fn is_choice(&self, term: TermId) -> bool {
        let row = self.terms.get(term);
        matches!(row, Term::Select { .. }) || row.operands().any(|it| self.is_choice(it))
    }

    /// Whether a term is made of the symbol, or of one that may stand for what it leads to. `own` are the
    /// parts of the symbol.
    pub fn may_be_made_of(&self, term: TermId, symbol: TermId, own: Parts) -> bool {
        let leads_there = |&it: &TermId| self.address(it).is_some_and(|at| at.base == symbol);
        match self.terms.get(term) {
            _ if term == symbol => true,
            &Term::Symbol { number, .. } => {
                let row = &self.symbols[number as usize];
                row.candidates.meets(own) && self.lists[row.list as usize].iter().any(leads_there)
            }
            Term::Constant { .. } => false,
            other => other.operands().any(|it| self.may_be_made_of(it, symbol, own)),
        }
    }

    /// Whether a symbol that a term is made of is wanted.
    pub fn any_symbol(&self, term: TermId, wanted: &mut dyn FnMut(TermId) -> bool) -> bool {
        match self.terms.get(term) {
            Term::Symbol { .. } => wanted(term),
            Term::Constant { .. } => false,
            other => other.operands().any(|operand| self.any_symbol(operand, wanted)),
        }
    }
}
