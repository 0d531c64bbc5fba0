//! One path so far: the functions that are active, what memory holds, what is known.

use caulk_base::FxHashMap;
use caulk_ir::{BlockId, InstId, ValueId};
use caulk_memory::{FootprintId, Memory};
use caulk_program::InstanceId;

use super::facts::Facts;
use super::value::{Base, Origin, Term, Terms, Val};

/// One activation of a function.
#[derive(Clone)]
pub(super) struct Frame {
    /// Tells activations apart.
    pub id: u32,
    pub instance: InstanceId,
    pub values: FxHashMap<ValueId, Val>,
    pub block: BlockId,
    /// The next instruction.
    pub next: InstId,
    pub visits: FxHashMap<BlockId, u8>,
    /// The call in the activation below.
    pub call: Option<InstId>,
}

/// What memory holds at one address.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub at: Val,
    pub holds: Val,
    /// All that the access may touch.
    pub touched: FootprintId,
}

/// A branch that the path took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub instance: InstanceId,
    pub block: BlockId,
    pub slot: usize,
    /// The values on the path decided it.
    pub is_known: bool,
    /// The activations below.
    pub depth: usize,
    /// How many blocks were passed before.
    pub passed: usize,
}

/// A block that the path passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    pub instance: InstanceId,
    pub block: BlockId,
    /// The activations below.
    pub depth: usize,
}

#[derive(Clone, Default)]
pub(super) struct State {
    pub frames: Vec<Frame>,
    pub cells: Vec<Cell>,
    pub facts: Facts,
    /// What was released, by what pointers to it are made from.
    pub released: Vec<Base>,
    /// The stores that overwrote what had the object.
    pub dropped: Vec<(InstanceId, InstId)>,
    /// The functions that had the object in a variable.
    pub had: Vec<InstanceId>,
    /// The return of the outermost function, if it came to that.
    pub end: Option<(InstanceId, BlockId)>,
    /// Where the object itself was, if more releases are looked for.
    pub freed: Option<(InstanceId, InstId)>,
    pub branches: Vec<Taken>,
    /// The blocks that were passed.
    pub passed: Vec<Passed>,
    /// What functions that were not entered were given.
    pub handed: Vec<Base>,
    /// Where the path began, and where it went on in callers.
    pub starts: Vec<(InstanceId, InstId)>,
    /// The call that the outermost function returns to, if it is known.
    pub bound_for: Option<(InstanceId, InstId)>,
    /// Returns from the outermost function.
    pub climbed: u8,
    /// The object is made only if something is NULL that was passed, and need not be.
    pub is_given: bool,
    /// The next call of the way is not the one that is meant: a later turn is.
    pub passes_by: bool,
    /// Stages of the way to the allocation that are still to be taken.
    pub ahead: usize,
}

impl State {
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a path has an active function")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a path has an active function")
    }

    /// The block of the active function is passed.
    pub fn pass(&mut self) {
        let frame = self.frame();
        let (instance, block) = (frame.instance, frame.block);
        self.passed.push(Passed { instance, block, depth: self.frames.len() - 1 });
    }

    pub fn take(&mut self, slot: usize, is_known: bool) {
        let frame = self.frame();
        self.branches.push(Taken {
            instance: frame.instance,
            block: frame.block,
            slot,
            is_known,
            depth: self.frames.len() - 1,
            passed: self.passed.len(),
        });
    }

    pub fn set(&mut self, value: ValueId, val: Val) {
        let instance = self.frame().instance;
        if val.base == Base::Object && !self.had.contains(&instance) {
            self.had.push(instance);
        }
        self.frame_mut().values.insert(value, val);
    }

    pub fn cell(&self, at: Val) -> Option<Val> {
        self.cells.iter().find(|cell| cell.at == at).map(|cell| cell.holds)
    }

    /// What a load yields. Memory that was not seen yet holds something, from then on the same.
    pub fn load(
        &mut self,
        terms: &mut Terms,
        memory: &Memory,
        at: Val,
        touched: FootprintId,
    ) -> Val {
        if let Some(held) = self.cell(at) {
            return held;
        }
        let near = |cell: &Cell| {
            terms.is_object(cell.holds)
                && !are_apart(terms, cell.at, at)
                && meet(memory, cell.touched, touched)
        };
        let maybe = self.cells.iter().any(near);
        let holds = terms.unknown(if maybe { Origin::MaybeObject } else { Origin::Loaded });
        self.cells.push(Cell { at, holds, touched });
        holds
    }

    /// A store is about to overwrite what is at an address.
    pub fn note_dropped(&mut self, terms: &Terms, at: Val, store: (InstanceId, InstId)) {
        if self.cell(at).is_some_and(|old| terms.is_object(old)) {
            self.dropped.push(store);
        }
    }

    pub fn store(&mut self, terms: &Terms, memory: &Memory, cell: Cell) {
        self.cells.retain(|old| {
            old.at != cell.at
                && (terms.is_object(old.holds)
                    || are_apart(terms, old.at, cell.at)
                    || !meet(memory, old.touched, cell.touched))
        });
        self.cells.push(cell);
    }

    /// Forgets what may have been written; what has the object is believed to have it.
    pub fn forget(&mut self, terms: &Terms, mut is_written: impl FnMut(&Cell) -> bool) {
        self.cells.retain(|cell| {
            terms.is_object(cell.holds) || terms.is_maybe_object(cell.holds) || !is_written(cell)
        });
    }

    /// What pointers are made from to memory that some values lead to.
    pub fn reached_from(&self, terms: &Terms, vals: &[Val]) -> Vec<Base> {
        let mut found: Vec<Base> = vals.iter().map(|&val| terms.root(val)).collect();
        let mut next = 0;
        while let Some(&base) = found.get(next) {
            next += 1;
            for cell in self.cells.iter().filter(|cell| terms.root(cell.at) == base) {
                let held = terms.root(cell.holds);
                if !found.contains(&held) {
                    found.push(held);
                }
            }
        }
        found
    }

    /// Memory is copied, as far as its size is known.
    pub fn copy(&mut self, terms: &Terms, to: Val, from: Val, size: Option<i64>) {
        let inside = |base: Val, at: Val| {
            let gap = at.offset.wrapping_sub(base.offset);
            base.base == at.base && gap >= 0 && size.is_none_or(|size| gap < size)
        };
        let copies: Vec<Cell> =
            self.cells.iter().copied().filter(|it| inside(from, it.at)).collect();
        if size.is_some() {
            self.cells.retain(|cell| !inside(to, cell.at));
        } else {
            self.cells.retain(|cell| cell.at.base != to.base || terms.is_object(cell.holds));
        }
        for cell in copies {
            let at = to.plus(cell.at.offset.wrapping_sub(from.offset));
            self.cells.retain(|old| old.at != at);
            self.cells.push(Cell { at, ..cell });
        }
    }

    /// What pointers to memory that leads to the object are made from.
    pub fn holders(&self, terms: &Terms) -> Vec<Base> {
        let mut found: Vec<Base> = Vec::new();
        loop {
            let before = found.len();
            for cell in &self.cells {
                let held = terms.root(cell.holds);
                let root = terms.root(cell.at);
                let leads = held == Base::Object
                    || found.contains(&held)
                    || terms.origin(held) == Some(Origin::MaybeObject);
                if leads && root != Base::Object && !found.contains(&root) {
                    found.push(root);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}

/// Whether two addresses surely differ.
pub(super) fn are_apart(terms: &Terms, one: Val, other: Val) -> bool {
    if one.base == other.base {
        return one.offset != other.offset;
    }
    if let (Base::Term(one), Base::Term(other)) = (one.base, other.base)
        && let (Term::Element(base, i, stride), Term::Element(of, j, step)) =
            (terms.get(one), terms.get(other))
        && base.base == of.base
    {
        return i.base == j.base && i.offset != j.offset && stride == step;
    }
    let (one, other) = (terms.root(one), terms.root(other));
    let is_place = |base: Base| {
        matches!(base, Base::Object | Base::Slot(..) | Base::Static(_))
            || terms.origin(base) == Some(Origin::Made)
    };
    one != other && is_place(one) && is_place(other)
}

pub(super) fn meet(memory: &Memory, one: FootprintId, other: FootprintId) -> bool {
    if one == other {
        return true;
    }
    let regions = memory.regions();
    let (one, other) = (regions.of_footprint(one), regions.of_footprint(other));
    let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
    few.iter().any(|region| many.binary_search(region).is_ok())
}
