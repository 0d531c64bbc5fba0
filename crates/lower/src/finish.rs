//! The end of a function's construction: drops trivial block parameters and unreachable blocks,
//! and lays instructions and values out in block order.

use caulk_base::{Id, SpanId, Table};
use caulk_cfront::tree::Span;
use caulk_ir::{
    Block, BlockId, Body, Callee, Inst, InstId, Terminator, Unreachable, Value, ValueId, ValueKind,
};

use crate::builder::{Aliases, Builder, only_operand, resolve};

/// The finished body. Every block must be sealed; `position` turns source into places.
pub fn finish(mut builder: Builder, position: impl FnMut(Span) -> SpanId) -> Body {
    let (order, new_ids) = reachable_blocks(&builder);
    forget_unreachable(&mut builder, &new_ids);
    let aliases = trivial_params(&mut builder, &order);
    let mut kept: Table<BlockId, Vec<ValueId>> = builder.drafts.ids().map(|_| Vec::new()).collect();
    for &block in &order {
        let params = builder.drafts[block].params.iter().copied();
        kept[block] = params.filter(|param| !aliases.contains_key(param)).collect();
    }
    for (_, target) in &mut builder.body.labels {
        *target = new_ids[*target].unwrap_or_default();
    }
    let values = Table::filled(None, builder.body.values.len());
    let mut layout =
        Layout { builder, out: Body::default(), values, new_ids, kept, aliases, position };
    layout.params();
    for block in order {
        layout.block(block);
    }
    layout.into_body()
}

/// The reachable blocks in reverse post order, and the new id of each.
fn reachable_blocks(builder: &Builder) -> (Vec<BlockId>, Table<BlockId, Option<BlockId>>) {
    let mut seen = Table::filled(false, builder.drafts.len());
    let mut post = Vec::new();
    let mut stack = vec![(BlockId::ENTRY, targets(builder, BlockId::ENTRY))];
    seen[BlockId::ENTRY] = true;
    while let Some((block, targets_left)) = stack.last_mut() {
        match targets_left.pop() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                stack.push((next, targets(builder, next)));
            }
            Some(_) => {}
            None => {
                post.push(*block);
                stack.pop();
            }
        }
    }
    post.reverse();
    let mut ids = Table::filled(None, builder.drafts.len());
    for (index, &block) in post.iter().enumerate() {
        ids[block] = Some(BlockId::from_index(index));
    }
    (post, ids)
}

fn targets(builder: &Builder, block: BlockId) -> Vec<BlockId> {
    let terminator = builder.drafts[block].terminator.as_ref();
    terminator.into_iter().flat_map(|(it, _)| it.edges().map(|edge| edge.to)).collect()
}

/// What comes from a block that nothing reaches does not count.
fn forget_unreachable(builder: &mut Builder, new_ids: &Table<BlockId, Option<BlockId>>) {
    for operands in builder.operands.values_mut() {
        operands.retain(|(from, _)| new_ids[*from].is_some());
    }
}

/// Parameters that have one operand besides themselves, mapped to it.
fn trivial_params(builder: &mut Builder, order: &[BlockId]) -> Aliases {
    let mut aliases = std::mem::take(&mut builder.aliases);
    let params = order.iter().flat_map(|&block| builder.drafts[block].params.iter().copied());
    let mut open: Vec<ValueId> = params.filter(|param| !aliases.contains_key(param)).collect();
    loop {
        let before = open.len();
        open.retain(|&param| match only_operand(&builder.operands[&param], param, &aliases) {
            Some(same) => {
                aliases.insert(param, same);
                false
            }
            None => true,
        });
        if open.len() == before {
            return aliases;
        }
    }
}

/// The body being laid out.
struct Layout<P> {
    builder: Builder,
    out: Body,
    /// New ids of old values, given where the definition is laid out; constants get theirs last.
    values: Table<ValueId, Option<ValueId>>,
    new_ids: Table<BlockId, Option<BlockId>>,
    /// The parameters that stay, of each block.
    kept: Table<BlockId, Vec<ValueId>>,
    aliases: Aliases,
    position: P,
}

impl<P: FnMut(Span) -> SpanId> Layout<P> {
    fn params(&mut self) {
        let hidden = self.builder.body.result_into;
        for param in self.builder.body.params.clone().into_iter().chain(hidden) {
            self.place(param);
        }
    }

    /// Gives a value its new id.
    fn place(&mut self, old: ValueId) -> ValueId {
        if let Some(id) = self.values[old] {
            return id;
        }
        let id = self.out.values.push(self.builder.body.values[old]);
        self.values[old] = Some(id);
        id
    }

    fn block(&mut self, old: BlockId) {
        let first = self.out.insts.next_id();
        let params = self.block_params(old);
        for inst in std::mem::take(&mut self.builder.drafts[old].insts) {
            self.inst(inst);
        }
        let promised = Terminator::Unreachable(Unreachable::Promised);
        let ended = self.builder.drafts[old].terminator.take();
        let (mut terminator, span) = ended.unwrap_or((promised, Span::DUMMY));
        for edge in terminator.edges_mut() {
            let args = self.kept[edge.to].iter();
            edge.args = args.map(|&param| self.argument(param, old)).collect();
            edge.to = self.new_ids[edge.to].unwrap_or_default();
        }
        let terminator_span = (self.position)(span);
        let end = self.out.insts.next_id();
        self.out.blocks.push(Block { params, first, end, terminator, terminator_span });
    }

    fn block_params(&mut self, old: BlockId) -> Vec<ValueId> {
        let block = self.new_ids[old].unwrap_or_default();
        let mut params = self.kept[old].clone();
        for (index, param) in params.iter_mut().enumerate() {
            *param = self.place(*param);
            self.out.values[*param].kind = ValueKind::BlockParam(block, index as u32);
        }
        params
    }

    /// What a parameter is at the end of a predecessor.
    fn argument(&self, param: ValueId, from: BlockId) -> ValueId {
        let operands = &self.builder.operands[&param];
        let found = operands.iter().find(|(predecessor, _)| *predecessor == from);
        resolve(&self.aliases, found.map_or(param, |&(_, value)| value))
    }

    fn inst(&mut self, old: InstId) {
        let id = self.out.insts.push(self.builder.body.insts[old]);
        self.out.inst_spans.push((self.position)(self.builder.spans[old]));
        let result = self.builder.body.results[old].map(|value| self.place(value));
        if let Some(value) = result {
            self.out.values[value].kind = ValueKind::Inst(id);
        }
        self.out.results.push(result);
    }

    /// Renames every operand, now that all definitions have their new ids.
    fn into_body(self) -> Body {
        let Self { builder, mut out, values, aliases, .. } = self;
        let old = builder.body;
        let mut renamer =
            Renamer { old: &old, values, aliases, constants: Vec::new(), base: out.values.len() };
        let mut rename = |value: &mut ValueId| *value = renamer.rename(*value);
        for (_, inst) in out.insts.iter_mut() {
            match inst {
                Inst::Call(id) => {
                    let mut call = old.calls[*id].clone();
                    if let Callee::Pointer(value) = &mut call.callee {
                        rename(value);
                    }
                    call.args.iter_mut().for_each(|arg| rename(&mut arg.value));
                    call.result_into.iter_mut().for_each(&mut rename);
                    *id = out.calls.push(call);
                }
                Inst::Asm(id) => {
                    let mut asm = old.asms[*id].clone();
                    asm.outputs.iter_mut().for_each(|output| rename(&mut output.address));
                    asm.inputs.iter_mut().for_each(|input| rename(&mut input.value));
                    *id = out.asms.push(asm);
                }
                plain => plain.visit_operands_mut(&mut rename),
            }
        }
        for (_, block) in out.blocks.iter_mut() {
            block.terminator.operand_mut().into_iter().for_each(&mut rename);
            for edge in block.terminator.edges_mut() {
                edge.args.iter_mut().for_each(&mut rename);
            }
        }
        out.params = old.params.clone();
        out.params.iter_mut().for_each(&mut rename);
        out.result_into = old.result_into;
        out.result_into.iter_mut().for_each(&mut rename);
        for value in renamer.constants {
            out.values.push(value);
        }
        Body {
            slots: old.slots,
            vars: old.vars,
            scopes: old.scopes,
            labels: old.labels,
            wide: old.wide,
            ..out
        }
    }
}

/// New ids for operands; constants get theirs on first use, after all other values.
struct Renamer<'a> {
    old: &'a Body,
    values: Table<ValueId, Option<ValueId>>,
    aliases: Aliases,
    constants: Vec<Value>,
    base: usize,
}

impl Renamer<'_> {
    fn rename(&mut self, value: ValueId) -> ValueId {
        let value = resolve(&self.aliases, value);
        if let Some(id) = self.values[value] {
            return id;
        }
        let id = ValueId::from_index(self.base + self.constants.len());
        self.constants.push(self.old.values[value]);
        self.values[value] = Some(id);
        id
    }
}
