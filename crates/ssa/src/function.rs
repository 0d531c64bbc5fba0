//! The facts of a function of `caulk-ir`, each computed when first asked for.
//!
//! The nodes of its graph are its blocks, and the edges of a node are those of the block's
//! terminator, in the terminator's order: several cases on one block are several edges.

use std::sync::OnceLock;

use caulk_base::Table;
use caulk_ir::{BlockId, Body, Edge, Inst, InstId, Terminator, ValueId, ValueKind};

use crate::{Cfg, EdgeId, Graph, Liveness, Scopes, UseDef};

/// Lives beside the body it speaks of; threads may share it.
#[derive(Clone, Debug)]
pub struct FunctionFacts<'b> {
    body: &'b Body,
    cfg: Cfg<BlockId>,
    liveness: OnceLock<Liveness<BlockId, ValueId>>,
    scopes: OnceLock<Scopes>,
    blocks: OnceLock<Table<InstId, BlockId>>,
    returns: OnceLock<Vec<BlockId>>,
}

impl<'b> FunctionFacts<'b> {
    #[must_use]
    pub fn new(body: &'b Body) -> Self {
        let cfg = Cfg::new(block_graph(body));
        let (liveness, scopes, blocks, returns) = Default::default();
        Self { body, cfg, liveness, scopes, blocks, returns }
    }

    #[must_use]
    pub fn body(&self) -> &'b Body {
        self.body
    }

    #[must_use]
    pub fn cfg(&self) -> &Cfg<BlockId> {
        &self.cfg
    }

    /// The block that an instruction is in.
    #[must_use]
    pub fn block_of(&self, inst: InstId) -> BlockId {
        self.blocks.get_or_init(|| blocks_of(self.body))[inst]
    }

    /// The blocks that return, those that control never comes to left out.
    pub fn returns(&self) -> &[BlockId] {
        let is_return = |id: &BlockId| {
            matches!(self.body.blocks[*id].terminator, Terminator::Return(_))
                && self.cfg.is_reachable(*id)
        };
        self.returns.get_or_init(|| self.body.blocks.ids().filter(is_return).collect())
    }

    /// The terminator's part that an edge of the graph stands for.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> Option<&'b Edge> {
        let graph = self.cfg.graph();
        self.body.blocks[graph.source(edge)].terminator.edges().nth(graph.slot(edge))
    }

    /// The values live at the start and the end of each block; see [`record_values`].
    pub fn liveness(&self) -> &Liveness<BlockId, ValueId> {
        let compute = || Liveness::new(self.cfg.graph(), &record_values(self.body));
        self.liveness.get_or_init(compute)
    }

    pub fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::new(self.body, &self.cfg))
    }
}

fn blocks_of(body: &Body) -> Table<InstId, BlockId> {
    let mut blocks = Table::filled(BlockId::ENTRY, body.insts.len());
    for (id, block) in body.blocks.iter() {
        block.insts().for_each(|inst| blocks[inst] = id);
    }
    blocks
}

#[must_use]
pub fn block_graph(body: &Body) -> Graph<BlockId> {
    let targets = |(source, block): (BlockId, &'_ caulk_ir::Block)| {
        block.terminator.edges().map(|edge| (source, edge.to)).collect::<Vec<_>>()
    };
    let edges: Vec<(BlockId, BlockId)> = body.blocks.iter().flat_map(targets).collect();
    Graph::new(body.blocks.len(), BlockId::ENTRY, &edges)
}

/// What blocks read and write of values, for liveness:
/// - parameters are written at the start of the entry, block parameters at the start of their
///   block, so neither is live there;
/// - the arguments of an edge are read by the terminator, so they are live up to it, and live at
///   the end of the block only if the target or a later block reads them by their own name;
/// - constants are the same everywhere and have no liveness;
/// - `Set` does nothing at run time, so it keeps no value alive.
#[must_use]
pub fn record_values(body: &Body) -> UseDef<BlockId, ValueId> {
    let mut facts = UseDef::new(body.values.len());
    for &param in body.params.iter().chain(&body.result_into) {
        facts.write(BlockId::ENTRY, param);
    }
    for (id, block) in body.blocks.iter() {
        block.params.iter().for_each(|&param| facts.write(id, param));
        block.insts().for_each(|inst| record_inst(body, id, inst, &mut facts));
        let arguments = block.terminator.edges().flat_map(|edge| &edge.args).copied();
        for value in block.terminator.operand().into_iter().chain(arguments) {
            read(body, id, value, &mut facts);
        }
    }
    facts
}

fn record_inst(body: &Body, block: BlockId, inst: InstId, facts: &mut UseDef<BlockId, ValueId>) {
    if !matches!(body.insts[inst], Inst::Set { .. }) {
        body.operands(inst, |value| read(body, block, value, facts));
    }
    if let Some(result) = body.results[inst] {
        facts.write(block, result);
    }
}

fn read(body: &Body, block: BlockId, value: ValueId, facts: &mut UseDef<BlockId, ValueId>) {
    if !matches!(body.values[value].kind, ValueKind::Const(_)) {
        facts.read(block, value);
    }
}
