//! Builds the body of one function, in SSA form from the start.
//!
//! Variables that live in values are read and written per block, and block parameters are
//! made on demand, as in Braun et al., "Simple and Efficient Construction of Static Single
//! Assignment Form" (CC 2013): a block is *sealed* once no predecessor can be added; a read in
//! an unsealed block makes a parameter whose operands are filled in when it is sealed.
//! `finish` drops trivial parameters and unreachable blocks and lays instructions out in block
//! order.

use caulk_base::{FxHashMap, Id, SpanId, Table, define_id};
use caulk_cfront::tree::Span;
use caulk_ir::{
    BlockId, Body, Callee, Constant, Edge, Inst, InstId, Scalar, Slot, SlotId, Terminator, Value,
    ValueId, ValueKind, VarId,
};

use crate::fold;

define_id!(pub Key, "k", "A variable of the SSA construction: a source variable or a temporary.");

/// What the construction knows of a [`Key`].
#[derive(Clone, Copy)]
pub struct KeyInfo {
    pub scalar: Scalar,
    pub var: Option<VarId>,
}

#[derive(Default)]
struct Draft {
    params: Vec<ValueId>,
    insts: Vec<InstId>,
    terminator: Option<(Terminator, Span)>,
    predecessors: Vec<BlockId>,
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
    spans: Table<InstId, Span>,
    drafts: Table<BlockId, Draft>,
    keys: Table<Key, KeyInfo>,
    definitions: FxHashMap<(Key, BlockId), ValueId>,
    /// For each block parameter, its value at the end of each predecessor.
    operands: FxHashMap<ValueId, Vec<(BlockId, ValueId)>>,
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
        self.definitions.insert((key, self.current), value);
    }

    pub fn read(&mut self, key: Key) -> ValueId {
        self.read_in(key, self.current)
    }

    fn read_in(&mut self, key: Key, start: BlockId) -> ValueId {
        let mut block = start;
        let value = loop {
            if let Some(&value) = self.definitions.get(&(key, block)) {
                break value;
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
        let operands =
            predecessors.into_iter().map(|from| (from, self.read_in(key, from))).collect();
        self.operands.insert(param, operands);
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

    // Finishing.

    /// The finished body. Every block must be sealed.
    pub fn finish(mut self, mut position: impl FnMut(Span) -> SpanId) -> Body {
        let (order, new_ids) = self.reachable_blocks();
        let aliases = self.trivial_params(&order);
        let resolve = |value: ValueId| resolve(&aliases, value);
        let kept = self.kept_params(&order, &aliases);
        let mut out = Layout::new(&self);
        for &block in &order {
            let params = &kept[&block];
            out.block(&mut self, block, params, &new_ids, &kept, &resolve, &mut position);
        }
        for (_, target) in &mut self.body.labels {
            *target = new_ids[*target].unwrap_or_default();
        }
        out.into_body(self, &resolve)
    }

    /// The reachable blocks in reverse post order, and the new id of each.
    fn reachable_blocks(&self) -> (Vec<BlockId>, Table<BlockId, Option<BlockId>>) {
        let mut seen = Table::filled(false, self.drafts.len());
        let mut post = Vec::new();
        let mut stack = vec![(BlockId::ENTRY, self.targets(BlockId::ENTRY))];
        seen[BlockId::ENTRY] = true;
        while let Some((block, targets)) = stack.last_mut() {
            match targets.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, self.targets(next)));
                }
                Some(_) => {}
                None => {
                    post.push(*block);
                    stack.pop();
                }
            }
        }
        post.reverse();
        let mut ids = Table::filled(None, self.drafts.len());
        for (index, &block) in post.iter().enumerate() {
            ids[block] = Some(BlockId::from_index(index));
        }
        (post, ids)
    }

    fn targets(&self, block: BlockId) -> Vec<BlockId> {
        let terminator = self.drafts[block].terminator.as_ref();
        terminator.into_iter().flat_map(|(it, _)| it.edges().map(|edge| edge.to)).collect()
    }

    /// Parameters that have one operand besides themselves, mapped to it.
    fn trivial_params(&self, order: &[BlockId]) -> FxHashMap<ValueId, ValueId> {
        let mut live = Table::filled(false, self.drafts.len());
        order.iter().for_each(|&block| live[block] = true);
        let mut aliases = FxHashMap::default();
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order {
                for &param in &self.drafts[block].params {
                    if aliases.contains_key(&param) {
                        continue;
                    }
                    if let Some(same) = self.only_operand(param, &live, &aliases) {
                        aliases.insert(param, same);
                        changed = true;
                    }
                }
            }
        }
        aliases
    }

    fn only_operand(
        &self,
        param: ValueId,
        live: &Table<BlockId, bool>,
        aliases: &FxHashMap<ValueId, ValueId>,
    ) -> Option<ValueId> {
        let mut only = None;
        for &(from, operand) in self.operands.get(&param)? {
            let operand = resolve(aliases, operand);
            if !live[from] || operand == param || only == Some(operand) {
                continue;
            }
            if only.replace(operand).is_some() {
                return None;
            }
        }
        only
    }

    fn kept_params(
        &self,
        order: &[BlockId],
        aliases: &FxHashMap<ValueId, ValueId>,
    ) -> FxHashMap<BlockId, Vec<ValueId>> {
        let kept = |block: BlockId| {
            let params = self.drafts[block].params.iter().copied();
            params.filter(|param| !aliases.contains_key(param)).collect()
        };
        order.iter().map(|&block| (block, kept(block))).collect()
    }

    fn argument(&self, param: ValueId, from: BlockId) -> ValueId {
        let operands = &self.operands[&param];
        let found = operands.iter().find(|(pred, _)| *pred == from);
        found.map_or(param, |&(_, value)| value)
    }
}

fn edge(to: BlockId) -> Edge {
    Edge { to, args: Vec::new() }
}

fn resolve(aliases: &FxHashMap<ValueId, ValueId>, mut value: ValueId) -> ValueId {
    while let Some(&next) = aliases.get(&value) {
        value = next;
    }
    value
}

/// The body being laid out: instructions in block order, values renumbered in that order.
struct Layout {
    out: Body,
    /// New ids of old values, assigned when the definition is laid out or on first use of a
    /// constant.
    values: Table<ValueId, Option<ValueId>>,
}

impl Layout {
    fn new(builder: &Builder) -> Self {
        let mut layout =
            Self { out: Body::default(), values: Table::filled(None, builder.body.values.len()) };
        for &param in builder.body.params.iter().chain(&builder.body.result_into) {
            layout.keep(&builder.body, param);
        }
        layout
    }

    fn keep(&mut self, old: &Body, value: ValueId) -> ValueId {
        if let Some(id) = self.values[value] {
            return id;
        }
        let id = self.out.values.push(old.values[value]);
        self.values[value] = Some(id);
        id
    }

    fn block(
        &mut self,
        builder: &mut Builder,
        block: BlockId,
        params: &[ValueId],
        new_ids: &Table<BlockId, Option<BlockId>>,
        kept: &FxHashMap<BlockId, Vec<ValueId>>,
        resolve: &impl Fn(ValueId) -> ValueId,
        position: &mut impl FnMut(Span) -> SpanId,
    ) {
        let first = self.out.insts.next_id();
        let params = self.params(&builder.body, new_ids[block].unwrap_or_default(), params);
        for old in std::mem::take(&mut builder.drafts[block].insts) {
            self.inst(&builder.body, old, position(builder.spans[old]));
        }
        let draft = builder.drafts[block].terminator.take();
        let promised = Terminator::Unreachable(caulk_ir::Unreachable::Promised);
        let (mut terminator, span) = draft.unwrap_or((promised, Span::DUMMY));
        let terminator_span = position(span);
        for edge in terminator.edges_mut() {
            let args = kept[&edge.to].iter();
            edge.args = args.map(|&param| resolve(builder.argument(param, block))).collect();
            edge.to = new_ids[edge.to].unwrap_or_default();
        }
        let end = self.out.insts.next_id();
        self.out.blocks.push(caulk_ir::Block { params, first, end, terminator, terminator_span });
    }

    fn params(&mut self, old: &Body, block: BlockId, params: &[ValueId]) -> Vec<ValueId> {
        let mut ids = Vec::with_capacity(params.len());
        for (index, &param) in params.iter().enumerate() {
            let id = self.keep(old, param);
            self.out.values[id].kind = ValueKind::BlockParam(block, index as u32);
            ids.push(id);
        }
        ids
    }

    fn inst(&mut self, old: &Body, inst: InstId, span: SpanId) {
        let id = self.out.insts.push(old.insts[inst]);
        self.out.inst_spans.push(span);
        let result = old.results[inst].map(|value| {
            let value = self.keep(old, value);
            self.out.values[value].kind = ValueKind::Inst(id);
            value
        });
        self.out.results.push(result);
    }

    /// Renames every operand, now that all definitions have their new ids.
    fn into_body(mut self, builder: Builder, resolve: &impl Fn(ValueId) -> ValueId) -> Body {
        let old = builder.body;
        let mut renames = Renames { values: self.values, old: &old, out_values: Vec::new() };
        let base = self.out.values.len();
        let mut rename = |value: ValueId| renames.rename(resolve(value), base);

        let mut calls = Table::new();
        let mut asms = Table::new();
        for (_, inst) in self.out.insts.iter_mut() {
            match inst {
                Inst::Call(id) => {
                    let mut call = old.calls[*id].clone();
                    if let Callee::Pointer(value) = &mut call.callee {
                        *value = rename(*value);
                    }
                    call.args.iter_mut().for_each(|arg| arg.value = rename(arg.value));
                    call.result_into = call.result_into.map(&mut rename);
                    *id = calls.push(call);
                }
                Inst::Asm(id) => {
                    let mut asm = old.asms[*id].clone();
                    asm.outputs.iter_mut().for_each(|out| out.address = rename(out.address));
                    asm.inputs.iter_mut().for_each(|input| input.value = rename(input.value));
                    *id = asms.push(asm);
                }
                plain => plain.visit_operands_mut(|value| *value = rename(*value)),
            }
        }
        for (_, block) in self.out.blocks.iter_mut() {
            if let Some(value) = block.terminator.operand_mut() {
                *value = rename(*value);
            }
            for edge in block.terminator.edges_mut() {
                edge.args.iter_mut().for_each(|value| *value = rename(*value));
            }
        }
        self.out.params = old.params.iter().map(|&value| rename(value)).collect();
        self.out.result_into = old.result_into.map(&mut rename);
        for value in renames.out_values {
            self.out.values.push(value);
        }
        self.out.calls = calls;
        self.out.asms = asms;
        self.out.slots = old.slots.clone();
        self.out.vars = old.vars.clone();
        self.out.scopes = old.scopes.clone();
        self.out.labels = old.labels.clone();
        self.out.wide = old.wide.clone();
        self.out
    }
}

/// Gives constants their new ids on first use, after all other values.
struct Renames<'a> {
    values: Table<ValueId, Option<ValueId>>,
    old: &'a Body,
    out_values: Vec<Value>,
}

impl Renames<'_> {
    fn rename(&mut self, value: ValueId, base: usize) -> ValueId {
        if let Some(id) = self.values[value] {
            return id;
        }
        let id = ValueId::from_index(base + self.out_values.len());
        self.out_values.push(self.old.values[value]);
        self.values[value] = Some(id);
        id
    }
}
