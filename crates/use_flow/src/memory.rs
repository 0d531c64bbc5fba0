//! What memory holds, as far as the function wrote it. What it only read is named by the address
//! and the epoch of its object, and needs no row.

use caulk_guard::bits::TermId;
use caulk_ir::Scalar;

use crate::map::Map;
use crate::rows::Rows;
use crate::space::{Address, Epoch, Home, Origin, Space, is_ghost};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The symbol that the address leads from, or the address itself where there is none.
    pub base: TermId,
    /// None when it depends on symbols.
    pub offset: Option<i64>,
    pub address: TermId,
    pub value: TermId,
    pub bytes: u8,
}

impl Cell {
    pub fn new(space: &Space, address: TermId, value: TermId) -> Self {
        let bytes = space.terms.width(value).div_ceil(8);
        let place = space.address(address).unwrap_or(Address { base: address, offset: None });
        Self { base: place.base, offset: place.offset, address, value, bytes }
    }

    pub fn overlaps(&self, offset: Option<i64>, bytes: i64) -> bool {
        match (offset, self.offset) {
            (Some(at), Some(start)) => {
                start < at.saturating_add(bytes) && at < start.saturating_add(i64::from(self.bytes))
            }
            // No index leads to what stands for a lock.
            (None, Some(start)) => !is_ghost(start),
            (_, None) => true,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// In the order of (base, address).
    rows: Rows<Cell>,
    /// Objects whose other bytes are zero.
    pub zeroed: Map<TermId, ()>,
    /// Variables whose addresses others can find.
    pub exposed: Map<TermId, ()>,
    /// Of objects that changed in unknown ways, apart from the rest.
    pub epochs: Map<TermId, Epoch>,
    /// Of numbers in objects whose pointers are as they were.
    pub numbers: Map<TermId, Epoch>,
    /// Of elements of which it is not known which they are, by object.
    pub elements: Map<TermId, Epoch>,
    pub epoch: Epoch,
}

/// The cells of two memories, side by side.
pub struct Matched<'m> {
    /// Those of the one, each with that of the same address in the other.
    pub pairs: Vec<(&'m Cell, Option<&'m Cell>)>,
    /// Those of the other alone.
    pub others: Vec<&'m Cell>,
}

/// The cell of an address among those of its object.
fn cell_at(cells: &[Cell], address: TermId) -> Option<&Cell> {
    cells.binary_search_by_key(&address, |cell| cell.address).ok().map(|at| &cells[at])
}

/// Whether a cell of the same object is gone once another is written.
fn is_replaced(cell: &Cell, by: &Cell) -> bool {
    by.offset.is_some() && cell.offset.is_some() && cell.overlaps(by.offset, i64::from(by.bytes))
}

/// More cells than these are not kept, unless they hold what was made here.
const MOST_CELLS: usize = 48;
/// More objects than these do not have an epoch of their own.
const MOST_EPOCHS: usize = 48;

impl Memory {
    pub fn new() -> Self {
        Self {
            rows: Rows::new(),
            zeroed: Map::new(),
            exposed: Map::new(),
            epochs: Map::new(),
            numbers: Map::new(),
            elements: Map::new(),
            epoch: Epoch::Start,
        }
    }

    /// A memory with the cells of two lists, each in order and both without a cell in common.
    pub fn from_rows(rows: Vec<Cell>, more: Vec<Cell>, like: Memory) -> Self {
        if more.is_empty() {
            return Self { rows: rows.into(), ..like };
        }
        let key = |cell: &Cell| (cell.base, cell.address);
        let mut merged = Vec::with_capacity(rows.len() + more.len());
        let mut more = more.into_iter().peekable();
        for cell in rows {
            while let Some(before) = more.next_if(|it| key(it) < key(&cell)) {
                merged.push(before);
            }
            merged.push(cell);
        }
        merged.extend(more);
        Self { rows: merged.into(), ..like }
    }

    /// Shares the cells of another memory that has the same.
    pub fn sharing(self, other: &Self) -> Self {
        if self.rows == other.rows { self.with_rows_of(other) } else { self }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Cell> {
        self.rows.iter()
    }

    pub fn has_same_rows(&self, other: &Self) -> bool {
        self.rows.is_same(&other.rows)
    }

    pub fn with_rows_of(self, other: &Self) -> Self {
        Self { rows: other.rows.clone(), ..self }
    }

    pub fn matched<'m>(&'m self, other: &'m Self) -> Matched<'m> {
        let key = |cell: &Cell| (cell.base, cell.address);
        let mut rest = other.rows.iter().peekable();
        let (mut pairs, mut others) = (Vec::with_capacity(self.rows.len()), Vec::new());
        for cell in self.rows.iter() {
            while let Some(before) = rest.next_if(|it| key(it) < key(cell)) {
                others.push(before);
            }
            pairs.push((cell, rest.next_if(|it| key(it) == key(cell))));
        }
        others.extend(rest);
        Matched { pairs, others }
    }

    /// The cells of one object.
    pub fn of(&self, base: TermId) -> &[Cell] {
        let rows: &[Cell] = &self.rows;
        let rest = &rows[rows.partition_point(|row| row.base < base)..];
        // Most objects that are asked for have none.
        if rest.first().is_none_or(|row| row.base != base) {
            return &[];
        }
        &rest[..rest.partition_point(|row| row.base == base)]
    }

    pub fn get(&self, space: &Space, address: TermId) -> Option<&Cell> {
        let base = space.address(address).map_or(address, |place| place.base);
        cell_at(self.of(base), address)
    }

    pub fn retain(&mut self, keep: impl Fn(&Cell) -> bool) {
        self.rows.retain(keep);
    }

    /// What others change does not change an object of this function.
    pub fn epoch_of(&self, space: &Space, base: TermId) -> Epoch {
        let own = matches!(space.home(base), Home::Local | Home::Made);
        let shared = if own { Epoch::Start } else { self.epoch };
        self.epochs.get(base).copied().unwrap_or(shared)
    }

    /// What tells two contents of an object apart, as far as bytes in it go.
    pub fn version(&self, space: &Space, base: TermId) -> [Epoch; 2] {
        let epoch = self.epoch_of(space, base);
        let number = self.numbers.get(base).copied().unwrap_or(epoch);
        [number, self.elements.get(base).copied().unwrap_or(number)]
    }

    /// What a load gives.
    pub fn load(&self, space: &mut Space, address: TermId, scalar: Scalar) -> TermId {
        let bits = space.width(scalar);
        let Some(place) = space.address(address) else {
            let epoch = self.epoch;
            return space.symbol(
                Origin::Initial { address, epoch, bits },
                bits,
                scalar == Scalar::Ptr,
            );
        };
        let cells = self.of(place.base);
        if let Some(cell) = cell_at(cells, address)
            && space.terms.width(cell.value) == bits
        {
            return cell.value;
        }
        let bytes = i64::from(bits.div_ceil(8));
        // An element of an array is none of the members of another width.
        let may_be = |cell: &&Cell| {
            cell.overlaps(place.offset, bytes)
                && (place.offset.is_some() || i64::from(cell.bytes) == bytes)
        };
        let others: Vec<TermId> = cells.iter().filter(may_be).map(|cell| cell.value).collect();
        if !others.is_empty() {
            return Self::one_of(space, others, scalar);
        }
        if self.zeroed.contains(place.base) {
            return space.terms.constant(0, bits);
        }
        let element = self.elements.get(place.base).filter(|_| place.offset.is_none());
        let number = self.numbers.get(place.base).filter(|_| scalar != Scalar::Ptr);
        let epoch = element.or(number).copied();
        let epoch = epoch.unwrap_or_else(|| self.epoch_of(space, place.base));
        space.symbol(Origin::Initial { address, epoch, bits }, bits, scalar == Scalar::Ptr)
    }

    /// Whether what was read at an address would be read there again.
    pub fn still_holds(&self, space: &Space, symbol: TermId) -> bool {
        let Some(Origin::Initial { address, epoch, bits }) = space.origin(symbol) else {
            return false;
        };
        let Some(place) = space.address(address) else { return self.epoch == epoch };
        let bytes = i64::from(bits.div_ceil(8));
        let overwritten = self.of(place.base).iter().any(|it| it.overlaps(place.offset, bytes));
        !overwritten
            && !self.zeroed.contains(place.base)
            && self.epoch_of(space, place.base) == epoch
    }

    /// An element of which it is not known which it is, or a part of one.
    fn one_of(space: &mut Space, mut values: Vec<TermId>, scalar: Scalar) -> TermId {
        let bits = space.width(scalar);
        values.retain(|&value| {
            space.terms.width(value) == bits && space.terms.as_constant(value).is_none()
        });
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            return space.unknown(scalar);
        }
        space.one_of(&values, bits)
    }

    /// Cells of other objects stay: addresses that the caller handed in are taken to be different
    /// objects (P3), and a made object is nobody else's. A write to an unknown element leaves the
    /// others.
    ///
    /// False if the value is not remembered: there are too many, or nobody could tell which it is.
    pub fn store(&mut self, space: &mut Space, address: TermId, value: TermId) -> bool {
        let cell = Cell::new(space, address, value);
        let pointer = space.address(value).is_some_and(|it| space.is_pointer(it.base));
        if cell.offset.is_none() && !pointer {
            self.retain(|row| row.address != address);
            let epoch = Epoch::After(space.next_serial());
            self.elements.insert(cell.base, epoch);
            self.bound_epochs(epoch);
            return false;
        }
        let made = pointer
            && space
                .address(value)
                .is_some_and(|it| matches!(space.home(it.base), Home::Made | Home::Unknown));
        if self.rows.len() >= MOST_CELLS && !(made && self.rows.len() < 2 * MOST_CELLS) {
            self.clear(Address { base: cell.base, offset: cell.offset }, i64::from(cell.bytes));
            self.renew(space, cell.base);
            return false;
        }
        let others = self.of(cell.base);
        if cell_at(others, address) == Some(&cell)
            && others.iter().filter(|row| is_replaced(row, &cell)).count() <= 1
        {
            return true;
        }
        if others.iter().any(|row| is_replaced(row, &cell)) {
            self.retain(|row| row.base != cell.base || !is_replaced(row, &cell));
        }
        let rows = self.rows.to_mut();
        match rows.binary_search_by_key(&(cell.base, address), |row| (row.base, row.address)) {
            Ok(at) => rows[at] = cell,
            Err(at) => rows.insert(at, cell),
        }
        true
    }

    /// Forgets the cells in a range.
    pub fn clear(&mut self, place: Address, bytes: i64) {
        self.retain(|row| row.base != place.base || !row.overlaps(place.offset, bytes));
    }

    /// Forgets all that an object holds: it may be anything from now on.
    pub fn forget(&mut self, space: &mut Space, base: TermId) {
        self.drop_rows(base);
        self.zeroed.remove(base);
        self.renew(space, base);
    }

    /// The same of several objects, in order, of which no cells are known.
    pub fn forget_unwritten(&mut self, space: &mut Space, bases: &[TermId]) {
        let count = self.epochs.len() + self.elements.len() + self.numbers.len() + bases.len();
        if count > MOST_EPOCHS {
            bases.iter().for_each(|&base| self.forget(space, base));
            return;
        }
        for map in [&mut self.numbers, &mut self.elements] {
            map.retain(|base, _| bases.binary_search(base).is_err());
        }
        self.zeroed.retain(|base, ()| bases.binary_search(base).is_err());
        let new = bases.iter().map(|&base| (base, Epoch::After(space.next_serial())));
        self.epochs.insert_all(new);
    }

    /// Numbers in an object may have changed; its pointers have not.
    pub fn dirty(&mut self, space: &mut Space, base: TermId) {
        let pointer = |value| space.address(value).is_some_and(|it| space.is_pointer(it.base));
        self.retain(|row| row.base != base || pointer(row.value));
        self.zeroed.remove(base);
        let epoch = Epoch::After(space.next_serial());
        self.numbers.insert(base, epoch);
        self.bound_epochs(epoch);
    }

    /// What is read from the object from now on is something else.
    pub fn renew(&mut self, space: &mut Space, base: TermId) {
        let epoch = Epoch::After(space.next_serial());
        self.epochs.insert(base, epoch);
        self.numbers.remove(base);
        self.elements.remove(base);
        self.bound_epochs(epoch);
    }

    /// Past the bound, only cells that hold what was made here are kept; what the others held is
    /// not known any more.
    pub fn bound_rows(&mut self, space: &Space, epoch: Epoch) {
        if self.rows.len() <= MOST_CELLS {
            return;
        }
        let matters = |value| {
            let made =
                |term| space.address(term).is_some_and(|it| space.home(it.base) == Home::Made);
            let base = space.address(value).map(|it| it.base);
            made(value)
                || base.is_some_and(|it| space.candidates(it).iter().any(|&term| made(term)))
        };
        let mut forgotten: Vec<TermId> = Vec::new();
        self.rows.to_mut().retain(|row| {
            let keep = matters(row.value);
            if !keep && forgotten.last() != Some(&row.base) {
                forgotten.push(row.base);
            }
            keep
        });
        for base in forgotten {
            self.epochs.insert(base, epoch);
            self.numbers.remove(base);
            self.elements.remove(base);
        }
    }

    /// Past the bound, all that was only read may have changed.
    pub fn bound_epochs(&mut self, epoch: Epoch) {
        if self.epochs.len() + self.elements.len() + self.numbers.len() > MOST_EPOCHS {
            self.epochs = Map::new();
            self.numbers = Map::new();
            self.elements = Map::new();
            self.epoch = epoch;
        }
    }

    fn drop_rows(&mut self, base: TermId) {
        let count = self.of(base).len();
        if count > 0 {
            let first = self.rows.partition_point(|row| row.base < base);
            self.rows.to_mut().drain(first..first + count);
        }
    }

    /// The object is gone.
    pub fn drop_object(&mut self, base: TermId) {
        self.drop_rows(base);
        self.zeroed.remove(base);
        self.epochs.remove(base);
        self.numbers.remove(base);
        self.elements.remove(base);
    }

    /// All that others can reach may be anything from now on.
    pub fn forget_shared(&mut self, space: &mut Space, fixed: &[TermId]) {
        let exposed = self.exposed.clone();
        let own = |base: TermId| match space.home(base) {
            Home::Local => !exposed.contains(base),
            Home::Made => true,
            _ => fixed.contains(&base),
        };
        let gone: Vec<Cell> = self.rows.iter().filter(|row| !own(row.base)).copied().collect();
        self.retain(|row| own(row.base));
        self.epochs.retain(|&base, _| own(base));
        self.numbers.retain(|&base, _| own(base));
        self.elements.retain(|&base, _| own(base));
        self.zeroed.retain(|&base, _| own(base));
        for &base in fixed {
            if !self.epochs.contains(base) {
                self.epochs.insert(base, self.epoch);
            }
        }
        self.epoch = space.vague_epoch(self.epoch);
        for base in exposed.keys() {
            self.epochs.insert(base, self.epoch);
        }
        gone.iter().for_each(|cell| space.note_before(cell, self.epoch));
    }
}
