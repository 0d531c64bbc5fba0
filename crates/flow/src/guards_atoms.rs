//! Atoms: which decision of the program a Boolean variable stands for.
//!
//! "A test condition is represented as a CFG edge emanating from switch statement n" (FastCheck,
//! section 5.7). A branch of two ways is one atom: its first edge is taken, or the second. A branch
//! of any other number of ways has one atom for each edge. The branch is that of a procedure, not
//! of a copy or an activation of it: all dynamic instances of a test are one atom, and equal tests
//! at two points are two atoms (F6).
//!
//! Atoms are numbered in the order of procedures, blocks and edges, so neighbours in the program
//! are neighbours in the solvers' order of variables.

use std::ops::Range;

use caulk_base::{FxHashMap, Id, Table};
use caulk_guard::AtomId;
use caulk_ir::{BlockId, Body, CompareOp, Constant, ConvertOp, Inst, Terminator, ValueId};
use caulk_program::{ProcId, Program};

#[derive(Clone, Debug)]
pub struct Atoms {
    procs: Table<ProcId, ProcAtoms>,
    count: u32,
}

#[derive(Clone, Debug)]
struct ProcAtoms {
    first: u32,
    /// The blocks that branch, in order, each with its first atom.
    branches: Vec<(BlockId, u32)>,
    /// Branches of two ways that ask what an earlier one asks: the first, and whether its answer is
    /// the opposite; sorted.
    repeated: Vec<(BlockId, (u32, bool))>,
}

/// The decision that an atom stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    pub proc: ProcId,
    pub block: BlockId,
    /// The edge of a switch, by its place in the terminator; none for a branch of two ways.
    pub way: Option<u32>,
}

impl Atoms {
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut count = 0;
        let number = |proc| number_body(program.body(proc), &mut count);
        let procs = program.procs.ids().map(number).collect();
        Self { procs, count }
    }

    /// With one atom for equal conditions of a procedure: comparisons of the same values (an
    /// improvement on F6, which tells tests at two points apart).
    #[must_use]
    pub fn correlated(program: &Program) -> Self {
        let mut atoms = Self::new(program);
        for proc in program.procs.ids() {
            atoms.procs[proc].repeated = repeated(program.body(proc), &atoms.procs[proc].branches);
        }
        atoms
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The atoms of a procedure, as numbers.
    #[must_use]
    pub fn of_proc(&self, proc: ProcId) -> Range<u32> {
        let next = self.procs.get(ProcId::from_index(proc.index() + 1));
        self.procs[proc].first..next.map_or(self.count, |next| next.first)
    }

    /// The atoms of the branch that ends a block; none if it does not branch.
    #[must_use]
    pub fn of_block(&self, proc: ProcId, block: BlockId) -> Range<u32> {
        let branches = &self.procs[proc].branches;
        let Ok(at) = branches.binary_search_by_key(&block, |branch| branch.0) else { return 0..0 };
        let next = branches.get(at + 1).map_or(self.of_proc(proc).end, |next| next.1);
        branches[at].1..next
    }

    /// The atom of an edge, and what it is when the edge is taken.
    #[must_use]
    pub fn edge(&self, proc: ProcId, block: BlockId, slot: usize) -> Option<(AtomId, bool)> {
        let atoms = self.of_block(proc, block);
        match atoms.len() {
            0 => None,
            1 => Some(self.asked_first(proc, block, atoms.start, slot == 0)),
            _ => Some((AtomId(atoms.start + slot as u32), true)),
        }
    }

    fn asked_first(&self, proc: ProcId, block: BlockId, own: u32, taken: bool) -> (AtomId, bool) {
        let repeated = &self.procs[proc].repeated;
        match repeated.binary_search_by_key(&block, |row| row.0) {
            Ok(at) => {
                let (first, opposite) = repeated[at].1;
                (AtomId(first), taken != opposite)
            }
            Err(_) => (AtomId(own), taken),
        }
    }

    /// # Panics
    /// If the atom is not one of these.
    #[must_use]
    pub fn branch(&self, atom: AtomId) -> Branch {
        assert!(atom.0 < self.count, "{atom} is not an atom of this program");
        let after = self.procs.rows().partition_point(|row| row.first <= atom.0);
        let proc = ProcId::from_index(after - 1);
        let branches = &self.procs[proc].branches;
        let (block, first) = branches[branches.partition_point(|row| row.1 <= atom.0) - 1];
        let is_switch = self.of_block(proc, block).len() > 1;
        Branch { proc, block, way: is_switch.then(|| atom.0 - first) }
    }
}

fn number_body(body: &Body, count: &mut u32) -> ProcAtoms {
    let first = *count;
    let mut branches = Vec::new();
    for (block, row) in body.blocks.iter() {
        let atoms = match &row.terminator {
            Terminator::Branch { .. } => 1,
            // A switch of one way decides nothing.
            terminator => Some(terminator.edges().count()).filter(|&ways| ways > 1).unwrap_or(0),
        };
        if atoms > 0 {
            branches.push((block, *count));
            *count += atoms as u32;
        }
    }
    ProcAtoms { first, branches, repeated: Vec::new() }
}

/// The later of branches that ask the same, each with the first.
fn repeated(body: &Body, branches: &[(BlockId, u32)]) -> Vec<(BlockId, (u32, bool))> {
    let mut asked: FxHashMap<Question, (u32, bool)> = FxHashMap::default();
    let mut found = Vec::new();
    for &(block, atom) in branches {
        let Terminator::Branch { cond, .. } = body.blocks[block].terminator else { continue };
        let (question, opposite) = question(body, cond);
        match asked.get(&question) {
            Some(&(first, other)) => found.push((block, (first, opposite != other))),
            None => {
                asked.insert(question, (atom, opposite));
            }
        }
    }
    found
}

/// What a condition asks of values, equal for equal conditions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    Value(ValueId),
    Compare(CompareOp, Operand, Operand),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operand {
    Value(ValueId),
    Constant(Constant),
}

/// The question, and whether the condition is its opposite.
fn question(body: &Body, cond: ValueId) -> (Question, bool) {
    let Some(inst) = body.definition(cond) else { return (Question::Value(cond), false) };
    match body.insts[inst] {
        Inst::Compare { op, lhs, rhs } => {
            let is_zero = body.constant(rhs) == Some(Constant::Int(0));
            match (op, truth(body, lhs)) {
                (CompareOp::Ne, Some(inner)) if is_zero => question(body, inner),
                (CompareOp::Eq, Some(inner)) if is_zero => {
                    let (question, opposite) = question(body, inner);
                    (question, !opposite)
                }
                _ => {
                    let (op, opposite) = positive(op);
                    (Question::Compare(op, operand(body, lhs), operand(body, rhs)), opposite)
                }
            }
        }
        _ => (Question::Value(cond), false),
    }
}

/// The comparison that a value is, widened or not.
fn truth(body: &Body, value: ValueId) -> Option<ValueId> {
    match body.insts[body.definition(value)?] {
        Inst::Compare { .. } => Some(value),
        Inst::Convert { op: ConvertOp::ZeroExtend, value, .. } => truth(body, value),
        _ => None,
    }
}

/// One of each pair of opposites; comparisons of floats have none.
fn positive(op: CompareOp) -> (CompareOp, bool) {
    match op {
        CompareOp::Ne => (CompareOp::Eq, true),
        CompareOp::GeS => (CompareOp::LtS, true),
        CompareOp::GeU => (CompareOp::LtU, true),
        CompareOp::GtS => (CompareOp::LeS, true),
        CompareOp::GtU => (CompareOp::LeU, true),
        op => (op, false),
    }
}

fn operand(body: &Body, value: ValueId) -> Operand {
    body.constant(value).map_or(Operand::Value(value), Operand::Constant)
}
