//! Tests whose outcome is known while the allocated cell is followed (F9, S9).
//!
//! FastCheck, 5.6.1: "tests comparing the allocated value against NULL can be replaced with an
//! appropriate constant truth value", and (y == e) is false if y definitely points to the cell and
//! e does not: "either e is not a variable or it is a variable but the value of x never flows into
//! that variable".
//!
//! "y definitely points to the cell" is decided here, from the values that the client knows to hold
//! it: copies, casts and pointer arithmetic keep it (F10), and a block's parameter holds it if
//! every argument does. The tests themselves are evaluated as far as that goes, through the chains
//! that C makes of truth values: `x = p == NULL; if (!x)`.
//!
//! Which values may hold the cell is the client's knowledge too. It must be asked of the whole
//! forward slice: a value left out counts as different from the cell.

use std::ops::Range;

use caulk_base::BitSet;
use caulk_guard::AtomId;
use caulk_ir::{
    BinaryOp, BlockId, Body, CompareOp, Constant, ConvertOp, Inst, Terminator, ValueId, ValueKind,
};
use caulk_program::ProcId;
use caulk_ssa::Lists;

use crate::guards_atoms::Atoms;

/// Atoms with a known value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    sorted: Vec<(AtomId, bool)>,
}

impl Decisions {
    /// An atom given twice, with different values, is not decided.
    #[must_use]
    pub fn new(decisions: impl IntoIterator<Item = (AtomId, bool)>) -> Self {
        let mut sorted: Vec<(AtomId, bool)> = decisions.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let all = sorted.clone();
        let times = |atom: AtomId| {
            let first = all.partition_point(|entry| entry.0 < atom);
            all[first..].iter().take_while(|entry| entry.0 == atom).count()
        };
        sorted.retain(|entry| times(entry.0) == 1);
        Self { sorted }
    }

    #[must_use]
    pub fn get(&self, atom: AtomId) -> Option<bool> {
        self.sorted.binary_search_by_key(&atom, |entry| entry.0).ok().map(|at| self.sorted[at].1)
    }

    /// In the order of atoms.
    pub fn iter(&self) -> impl Iterator<Item = (AtomId, bool)> + '_ {
        self.sorted.iter().copied()
    }

    pub(crate) fn within(&self, atoms: Range<u32>) -> &[(AtomId, bool)] {
        let place = |number| self.sorted.partition_point(|entry| entry.0.0 < number);
        &self.sorted[place(atoms.start)..place(atoms.end)]
    }
}

/// What holds the allocated cell in one procedure.
pub struct Held<'a> {
    /// The values that hold it for certain: the result of the allocation, and those parameters
    /// and loads through which it came on the path in question.
    pub roots: &'a [ValueId],
    /// Whether it may come into a value.
    pub may_hold: &'a dyn Fn(ValueId) -> bool,
}

/// The branches of a procedure that are decided, as atoms.
#[must_use]
pub fn decide(atoms: &Atoms, proc: ProcId, body: &Body, held: &Held<'_>) -> Vec<(AtomId, bool)> {
    let tests = decided_tests(body, held);
    let atom = |(block, value)| {
        let (atom, taken) = atoms.edge(proc, block, 0)?;
        Some((atom, value == taken))
    };
    tests.into_iter().filter_map(atom).collect()
}

/// The two-way branches that are decided, and how.
#[must_use]
pub fn decided_tests(body: &Body, held: &Held<'_>) -> Vec<(BlockId, bool)> {
    let tests = Tests { body, held, holds: surely_hold(body, held.roots) };
    let decided = |(id, block): (BlockId, &caulk_ir::Block)| match block.terminator {
        Terminator::Branch { cond, .. } => Some((id, tests.number(cond, DEPTH)? != 0)),
        _ => None,
    };
    body.blocks.iter().filter_map(decided).collect()
}

/// How far a chain of definitions is followed.
const DEPTH: u32 = 16;

/// The roots, and the values that are made from such values only.
fn surely_hold(body: &Body, roots: &[ValueId]) -> BitSet<ValueId> {
    let made_from = made_from(body);
    let made: Lists<ValueId, ValueId> = {
        let reversed: Vec<(ValueId, ValueId)> = made_from.iter().map(|&(a, b)| (b, a)).collect();
        Lists::from_pairs(body.values.len(), &reversed)
    };
    let mut holds = BitSet::new(body.values.len());
    let mut pending = roots.to_vec();
    while let Some(value) = pending.pop() {
        if holds.insert(value) {
            pending.extend(&made[value]);
        }
    }
    // Now take out what is also made from others, and what is made from that.
    let mixed = made_from.iter().filter(|(_, from)| !holds.contains(*from));
    let mut pending: Vec<ValueId> = mixed.map(|pair| pair.0).collect();
    while let Some(value) = pending.pop() {
        if !roots.contains(&value) && holds.remove(value) {
            pending.extend(&made[value]);
        }
    }
    holds
}

/// What copies what: a value made from a pointer, a block's parameter and each of its arguments.
fn made_from(body: &Body) -> Vec<(ValueId, ValueId)> {
    let mut pairs: Vec<(ValueId, ValueId)> =
        body.values.ids().filter_map(|value| Some((value, base(body, value)?))).collect();
    for edge in body.blocks.rows().iter().flat_map(|block| block.terminator.edges()) {
        pairs.extend(body.blocks[edge.to].params.iter().copied().zip(edge.args.iter().copied()));
    }
    pairs
}

/// The pointer that a value is a copy of, or points near (F10).
fn base(body: &Body, value: ValueId) -> Option<ValueId> {
    match body.insts[body.definition(value)?] {
        Inst::Field { base, .. } | Inst::Index { base, .. } => Some(base),
        Inst::Convert {
            op: ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::Bits,
            value,
            ..
        } => Some(value),
        _ => None,
    }
}

struct Tests<'a> {
    body: &'a Body,
    held: &'a Held<'a>,
    holds: BitSet<ValueId>,
}

impl Tests<'_> {
    /// The integer that a value is known to be.
    fn number(&self, value: ValueId, depth: u32) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        match self.body.values[value].kind {
            ValueKind::Const(Constant::Int(number)) => Some(number),
            ValueKind::Inst(inst) => match self.body.insts[inst] {
                Inst::Compare { op, lhs, rhs } => {
                    let known = self.with_cell(op, lhs, rhs);
                    known.or_else(|| self.compare(op, lhs, rhs, depth)).map(i64::from)
                }
                Inst::Convert {
                    op: ConvertOp::ZeroExtend | ConvertOp::SignExtend, value, ..
                } => self.number(value, depth).filter(|number| matches!(number, 0 | 1)),
                Inst::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, depth),
                _ => None,
            },
            _ => None,
        }
    }

    /// A comparison of small numbers: what `!x` and `x != 0` make of a truth value.
    fn compare(&self, op: CompareOp, lhs: ValueId, rhs: ValueId, depth: u32) -> Option<bool> {
        let (lhs, rhs) = (self.number(lhs, depth)?, self.number(rhs, depth)?);
        match op {
            CompareOp::Eq => Some(lhs == rhs),
            CompareOp::Ne => Some(lhs != rhs),
            _ => None,
        }
    }

    /// `a & b` and `a | b` of truth values; one operand may do.
    fn binary(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId, depth: u32) -> Option<i64> {
        let (lhs, rhs) = (self.number(lhs, depth), self.number(rhs, depth));
        match (op, lhs, rhs) {
            (BinaryOp::And, Some(0), _) | (BinaryOp::And, _, Some(0)) => Some(0),
            (BinaryOp::And, Some(lhs), Some(rhs)) => Some(lhs & rhs),
            (BinaryOp::Or, Some(lhs), Some(rhs)) => Some(lhs | rhs),
            (BinaryOp::Xor, Some(lhs), Some(rhs)) => Some(lhs ^ rhs),
            _ => None,
        }
    }

    /// A comparison of the cell's address with something else.
    fn with_cell(&self, op: CompareOp, lhs: ValueId, rhs: ValueId) -> Option<bool> {
        let differ =
            self.is_cell(lhs) && self.is_other(rhs) || self.is_cell(rhs) && self.is_other(lhs);
        match op {
            CompareOp::Eq if differ => Some(false),
            CompareOp::Ne if differ => Some(true),
            // As numbers without sign, only NULL has a known place.
            CompareOp::GtU if self.is_cell(lhs) && self.is_null(rhs) => Some(true),
            CompareOp::LeU if self.is_cell(lhs) && self.is_null(rhs) => Some(false),
            CompareOp::LtU if self.is_null(lhs) && self.is_cell(rhs) => Some(true),
            CompareOp::GeU if self.is_null(lhs) && self.is_cell(rhs) => Some(false),
            _ => None,
        }
    }

    fn is_cell(&self, value: ValueId) -> bool {
        self.holds.contains(value)
    }

    fn is_null(&self, value: ValueId) -> bool {
        self.body.constant(value) == Some(Constant::Int(0))
    }

    /// Whether a value cannot be an address in the cell.
    fn is_other(&self, value: ValueId) -> bool {
        let mut at = value;
        loop {
            if self.is_cell(at) || (self.held.may_hold)(at) {
                return false;
            }
            match base(self.body, at) {
                Some(base) => at = base,
                None => return true,
            }
        }
    }
}
