//! Where scopes end, and which are open where.
//!
//! The representation says where a scope is left: a `ScopeEnd` on every way out, innermost first.
//! So the ends of a scope are these instructions, and the variables declared in it die there. What
//! lives as long as the activation (stack objects without a scope, `alloca`) dies at the returns.
//! A path that ends in a call that never returns ends no scope.
//!
//! Which scopes are open is told by the innermost: it and its parents are. At a join of paths with
//! different innermost scopes (a jump into the middle of a block) only the common ones count, so
//! a scope that is called open is open on every path. Forward dataflow over the tree of scopes;
//! the meet is the nearest common ancestor.

use caulk_base::Table;
use caulk_ir::{BlockId, Body, Inst, InstId, ScopeId, Terminator, VarHome, VarId};

use crate::{Cfg, Forest, Lists};

#[derive(Clone, Debug)]
pub struct Scopes {
    nesting: Forest<ScopeId>,
    begins: Lists<ScopeId, InstId>,
    ends: Lists<ScopeId, InstId>,
    returns: Vec<BlockId>,
    innermost: Table<BlockId, Option<ScopeId>>,
}

impl Scopes {
    #[must_use]
    pub fn new(body: &Body, cfg: &Cfg<BlockId>) -> Self {
        let nesting = nesting(body);
        let innermost = innermost_at_starts(body, cfg, &nesting);
        let returns = |id: &BlockId| matches!(body.blocks[*id].terminator, Terminator::Return(_));
        Self {
            begins: collect(body, |inst| match inst {
                Inst::ScopeBegin(scope) => Some(scope),
                _ => None,
            }),
            ends: collect(body, |inst| match inst {
                Inst::ScopeEnd(scope) => Some(scope),
                _ => None,
            }),
            returns: body.blocks.ids().filter(returns).collect(),
            nesting,
            innermost,
        }
    }

    /// How scopes lie in each other.
    #[must_use]
    pub fn nesting(&self) -> &Forest<ScopeId> {
        &self.nesting
    }

    /// The instructions that open a scope, in increasing order.
    #[must_use]
    pub fn begins(&self, scope: ScopeId) -> &[InstId] {
        &self.begins[scope]
    }

    /// The instructions that end a scope, in increasing order.
    #[must_use]
    pub fn ends(&self, scope: ScopeId) -> &[InstId] {
        &self.ends[scope]
    }

    /// The instructions at which a variable dies: none for a static one.
    #[must_use]
    pub fn ends_of_var(&self, body: &Body, var: VarId) -> &[InstId] {
        match body.vars[var].home {
            VarHome::Object(_) => &[],
            _ => self.ends(body.vars[var].scope),
        }
    }

    /// The blocks that return: where the activation ends.
    #[must_use]
    pub fn returns(&self) -> &[BlockId] {
        &self.returns
    }

    /// The innermost scope that is open at the start of a block, on every path to it; none also
    /// for an unreachable block.
    #[must_use]
    pub fn innermost_at_start(&self, block: BlockId) -> Option<ScopeId> {
        self.innermost[block]
    }

    /// The same before an instruction of the block.
    #[must_use]
    pub fn innermost_before(&self, body: &Body, block: BlockId, inst: InstId) -> Option<ScopeId> {
        let before = body.blocks[block].insts().take_while(|&other| other < inst);
        pass_insts(body, &self.nesting, self.innermost[block], before)
    }

    /// Whether a scope is open at the start of a block on every path to it.
    #[must_use]
    pub fn is_open_at_start(&self, scope: ScopeId, block: BlockId) -> bool {
        self.innermost[block].is_some_and(|inner| self.nesting.encloses(scope, inner))
    }
}

/// A scope has a larger id than its parent; what says otherwise is taken for a root.
fn nesting(body: &Body) -> Forest<ScopeId> {
    let ids: Vec<ScopeId> = body.scopes.ids().collect();
    let parent = |(id, scope): (ScopeId, &caulk_ir::Scope)| scope.parent.filter(|&up| up < id);
    Forest::new(body.scopes.iter().map(parent).collect(), &ids)
}

fn collect(body: &Body, scope: impl Fn(Inst) -> Option<ScopeId>) -> Lists<ScopeId, InstId> {
    let pairs: Vec<(ScopeId, InstId)> =
        body.insts.iter().filter_map(|(id, &inst)| Some((scope(inst)?, id))).collect();
    Lists::from_pairs(body.scopes.len(), &pairs)
}

fn pass_insts(
    body: &Body,
    nesting: &Forest<ScopeId>,
    start: Option<ScopeId>,
    insts: impl Iterator<Item = InstId>,
) -> Option<ScopeId> {
    insts.fold(start, |innermost, inst| match body.insts[inst] {
        Inst::ScopeBegin(scope) => Some(scope),
        Inst::ScopeEnd(scope) => nesting.parent(scope),
        _ => innermost,
    })
}

fn innermost_at_starts(
    body: &Body,
    cfg: &Cfg<BlockId>,
    nesting: &Forest<ScopeId>,
) -> Table<BlockId, Option<ScopeId>> {
    let order = cfg.order().reverse_post_order();
    let mut starts = Table::filled(None, body.blocks.len());
    let mut known = Table::filled(false, body.blocks.len());
    let mut pending: Vec<BlockId> = order.first().copied().into_iter().collect();
    pending.iter().for_each(|&entry| known[entry] = true);
    while let Some(block) = pending.pop() {
        let end = pass_insts(body, nesting, starts[block], body.blocks[block].insts());
        for &next in cfg.graph().successors(block) {
            let start = if known[next] { meet(nesting, starts[next], end) } else { end };
            if !std::mem::replace(&mut known[next], true) || starts[next] != start {
                starts[next] = start;
                pending.push(next);
            }
        }
    }
    starts
}

fn meet(
    nesting: &Forest<ScopeId>,
    left: Option<ScopeId>,
    right: Option<ScopeId>,
) -> Option<ScopeId> {
    nesting.nearest_common(left?, right?)
}
