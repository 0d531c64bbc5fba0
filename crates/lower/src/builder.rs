//! Builds the body of one function, in SSA form from the start.
//!
//! Variables that live in values are read and written per block, and block parameters are
//! made on demand, as in Braun et al., "Simple and Efficient Construction of Static Single
//! Assignment Form" (CC 2013): a block is *sealed* once no predecessor can be added; a read in
//! an unsealed block makes a parameter whose operands are filled in when it is sealed.
//! `finish` then makes the body of it.

use caulk_base::{FxHashMap, Table, define_id};
use caulk_cfront::tree::Span;
use caulk_ir::{
    BlockId, Body, Constant, Edge, Inst, InstId, Scalar, Slot, SlotId, Terminator, Value, ValueId,
    ValueKind, VarId,
};

use crate::fold;

define_id!(pub Key, "k", "A variable of the SSA construction: a source variable or a temporary.");

/// What the construction knows of a [`Key`].
#[derive(Clone, Copy)]
pub struct KeyInfo {
    pub scalar: Scalar,
    pub var: Option<VarId>,
}

/// A block under construction.
#[derive(Default)]
pub struct Draft {
    pub params: Vec<ValueId>,
    pub insts: Vec<InstId>,
    pub terminator: Option<(Terminator, Span)>,
    pub predecessors: Vec<BlockId>,
    sealed: bool,
    /// Parameters that wait for the block to be sealed.
    waiting: Vec<(Key, ValueId)>,
}

pub struct Builder {
    pub body: Body,
    pub current: BlockId,
    /// The source that new instructions stand for.
    pub span: Span,
    /// Of each instruction; turned into positions once its place in the body is known, because
    /// neighbours mostly share them.
    pub spans: Table<InstId, Span>,
    pub drafts: Table<BlockId, Draft>,
    keys: Table<Key, KeyInfo>,
    definitions: FxHashMap<(Key, BlockId), ValueId>,
    /// For each block parameter, its value at the end of each predecessor.
    pub operands: FxHashMap<ValueId, Vec<(BlockId, ValueId)>>,
    /// Parameters found to be another value.
    pub aliases: Aliases,
    constants: FxHashMap<(Scalar, Constant), ValueId>,
}

impl Builder {
    pub fn new() -> Self {
        let mut drafts = Table::new();
        let current = drafts.push(Draft { sealed: true, ..Draft::default() });
        Self {
            body: Body::default(),
            current,
            span: Span::DUMMY,
            spans: Table::new(),
            drafts,
            keys: Table::new(),
            definitions: FxHashMap::default(),
            operands: FxHashMap::default(),
            aliases: Aliases::default(),
            constants: FxHashMap::default(),
        }
    }

    // Blocks.

    pub fn new_block(&mut self) -> BlockId {
        self.drafts.push(Draft::default())
    }

    /// Whether instructions can still be added to the current block.
    pub fn is_open(&self) -> bool {
        self.drafts[self.current].terminator.is_none()
    }

    /// Whether anything jumps to the block so far.
    pub fn has_predecessors(&self, block: BlockId) -> bool {
        !self.drafts[block].predecessors.is_empty()
    }

    /// Goes on in `block`.
    pub fn enter(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Goes on in a new block that nothing reaches (yet): code after a jump.
    pub fn enter_unreachable(&mut self) {
        let block = self.new_block();
        self.seal(block);
        self.enter(block);
    }

    /// Ends the current block; a second terminator is code that nothing reaches, and dropped.
    pub fn terminate(&mut self, terminator: Terminator) {
        if !self.is_open() {
            return;
        }
        let mut targets: Vec<BlockId> = terminator.edges().map(|edge| edge.to).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            debug_assert!(!self.drafts[target].sealed, "a sealed block got a predecessor");
            self.drafts[target].predecessors.push(self.current);
        }
        self.drafts[self.current].terminator = Some((terminator, self.span));
    }

    pub fn jump(&mut self, to: BlockId) {
        self.terminate(Terminator::Jump(edge(to)));
    }

    pub fn branch(&mut self, cond: ValueId, then: BlockId, otherwise: BlockId) {
        if let Some(Constant::Int(known)) = self.body.constant(cond) {
            return self.jump(if known != 0 { then } else { otherwise });
        }
        self.terminate(Terminator::Branch { cond, then: edge(then), otherwise: edge(otherwise) });
    }

    /// Adds edges to an indirect jump that was made without them.
    pub fn set_indirect_edges(&mut self, block: BlockId, targets: &[BlockId]) {
        let Some((Terminator::Indirect { edges, .. }, _)) = &mut self.drafts[block].terminator
        else {
            return;
        };
        *edges = targets.iter().map(|&to| edge(to)).collect();
        for &target in targets {
            self.drafts[target].predecessors.push(block);
        }
    }

    /// No predecessor will be added to the block any more.
    pub fn seal(&mut self, block: BlockId) {
        if std::mem::replace(&mut self.drafts[block].sealed, true) {
            return;
        }
        for (key, param) in std::mem::take(&mut self.drafts[block].waiting) {
            self.fill_operands(block, key, param);
        }
    }

    pub fn seal_all(&mut self) {
        for block in self.drafts.ids() {
            self.seal(block);
        }
    }

    // Variables.

    pub fn new_key(&mut self, scalar: Scalar, var: Option<VarId>) -> Key {
        self.keys.push(KeyInfo { scalar, var })
    }

    pub fn key_info(&self, key: Key) -> KeyInfo {
        self.keys[key]
    }

    pub fn write(&mut self, key: Key, value: ValueId) {
        // Code after a jump must not change what the block that jumped holds.
        if !self.is_open() {
            self.enter_unreachable();
        }
        self.definitions.insert((key, self.current), value);
    }

    pub fn read(&mut self, key: Key) -> ValueId {
        self.read_in(key, self.current)
    }

    fn read_in(&mut self, key: Key, start: BlockId) -> ValueId {
        let mut block = start;
        let mut steps = 0;
        let value = loop {
            if let Some(&value) = self.definitions.get(&(key, block)) {
                break value;
            }
            // A loop that nothing enters leads from one block to the next for ever.
            steps += 1;
            if steps > self.drafts.len() {
                break self.constant(self.keys[key].scalar, Constant::Undef);
            }
            let draft = &self.drafts[block];
            match (draft.sealed, draft.predecessors.as_slice()) {
                (false, _) => break self.new_param(key, block, true),
                (true, []) => break self.constant(self.keys[key].scalar, Constant::Undef),
                (true, [only]) => block = *only,
                (true, _) => break self.new_param(key, block, false),
            }
        };
        self.definitions.insert((key, start), value);
        value
    }

    fn new_param(&mut self, key: Key, block: BlockId, waits: bool) -> ValueId {
        let KeyInfo { scalar, var } = self.keys[key];
        let index = self.drafts[block].params.len() as u32;
        let kind = ValueKind::BlockParam(block, index);
        let param = self.body.values.push(Value { scalar, kind, var });
        self.drafts[block].params.push(param);
        self.definitions.insert((key, block), param);
        if waits {
            self.drafts[block].waiting.push((key, param));
        } else {
            self.fill_operands(block, key, param);
        }
        param
    }

    fn fill_operands(&mut self, block: BlockId, key: Key, param: ValueId) {
        let predecessors = self.drafts[block].predecessors.clone();
        let operands: Vec<(BlockId, ValueId)> =
            predecessors.into_iter().map(|from| (from, self.read_in(key, from))).collect();
        // Most parameters merge one value with itself. Forgetting them at once keeps a function
        // with many variables and many joins from holding their product.
        match only_operand(&operands, param, &self.aliases) {
            Some(same) => {
                self.aliases.insert(param, same);
                // The block may have written the variable since.
                if self.definitions.get(&(key, block)) == Some(&param) {
                    self.definitions.insert((key, block), same);
                }
            }
            None => {
                self.operands.insert(param, operands);
            }
        }
    }

    // Values and instructions.

    pub fn constant(&mut self, scalar: Scalar, constant: Constant) -> ValueId {
        *self.constants.entry((scalar, constant)).or_insert_with(|| {
            self.body.values.push(Value { scalar, kind: ValueKind::Const(constant), var: None })
        })
    }

    /// An integer constant, wrapped to the scalar's width; for a pointer, its number.
    pub fn int(&mut self, scalar: Scalar, value: i128) -> ValueId {
        let bits = scalar.int_bits().unwrap_or(64);
        let wrapped = if bits == 1 { value & 1 } else { value << (128 - bits) >> (128 - bits) };
        match i64::try_from(wrapped) {
            Ok(small) => self.constant(scalar, Constant::Int(small)),
            Err(_) => self.wide(scalar, wrapped as u128),
        }
    }

    /// A float constant from its bits in the target's format.
    pub fn float(&mut self, scalar: Scalar, bits: u128) -> ValueId {
        match scalar {
            Scalar::F80 | Scalar::F128 => self.wide(scalar, bits),
            _ => self.constant(scalar, Constant::Float(bits as u64)),
        }
    }

    fn wide(&mut self, scalar: Scalar, bits: u128) -> ValueId {
        let known = self.body.wide.iter().position(|&row| row == bits);
        let row = known.unwrap_or_else(|| {
            self.body.wide.push(bits);
            self.body.wide.len() - 1
        });
        self.constant(scalar, Constant::Wide(row as u32))
    }

    pub fn null(&mut self) -> ValueId {
        self.constant(Scalar::Ptr, Constant::Int(0))
    }

    pub fn slot(&mut self, slot: Slot) -> ValueId {
        let id = self.body.slots.push(slot);
        self.slot_address(id)
    }

    pub fn slot_address(&mut self, slot: SlotId) -> ValueId {
        self.constant(Scalar::Ptr, Constant::Slot(slot))
    }

    /// Adds an instruction without a result.
    pub fn effect(&mut self, inst: Inst) -> InstId {
        self.add(inst, None)
    }

    /// Adds an instruction whose result is a `scalar`; arithmetic on constants is a constant.
    pub fn define(&mut self, scalar: Scalar, inst: Inst) -> ValueId {
        if let Some(folded) = self.folded(scalar, inst) {
            return folded;
        }
        let kind = ValueKind::Inst(self.body.insts.next_id());
        let value = self.body.values.push(Value { scalar, kind, var: None });
        self.add(inst, Some(value));
        value
    }

    fn folded(&mut self, scalar: Scalar, inst: Inst) -> Option<ValueId> {
        let known = |value| match self.body.constant(value) {
            Some(Constant::Int(known)) => Some(known),
            _ => None,
        };
        let folded = match inst {
            Inst::Unary { op, value } => fold::unary(op, scalar, known(value)?)?,
            Inst::Binary { op, lhs, rhs } => fold::binary(op, scalar, known(lhs)?, known(rhs)?)?,
            Inst::Compare { op, lhs, rhs } => {
                i128::from(fold::compare(op, self.scalar(lhs), known(lhs)?, known(rhs)?)?)
            }
            _ => return None,
        };
        Some(self.int(scalar, folded))
    }

    fn add(&mut self, inst: Inst, result: Option<ValueId>) -> InstId {
        let id = self.body.insts.push(inst);
        self.spans.push(self.span);
        self.body.results.push(result);
        // Code after a jump is kept apart in a block that nothing reaches.
        if !self.is_open() {
            self.enter_unreachable();
        }
        self.drafts[self.current].insts.push(id);
        id
    }

    pub fn scalar(&self, value: ValueId) -> Scalar {
        self.body.values[value].scalar
    }
}

pub type Aliases = FxHashMap<ValueId, ValueId>;

/// The value that stands for this one.
pub fn resolve(aliases: &Aliases, mut value: ValueId) -> ValueId {
    while let Some(&next) = aliases.get(&value) {
        value = next;
    }
    value
}

/// The one value, besides itself, that a parameter gets from all its predecessors.
pub fn only_operand(
    operands: &[(BlockId, ValueId)],
    param: ValueId,
    aliases: &Aliases,
) -> Option<ValueId> {
    let mut only = None;
    for &(_, operand) in operands {
        let operand = resolve(aliases, operand);
        if operand != param && only != Some(operand) && only.replace(operand).is_some() {
            return None;
        }
    }
    only
}

fn edge(to: BlockId) -> Edge {
    Edge { to, args: Vec::new() }
}
