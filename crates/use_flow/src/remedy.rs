//! Where a release is missing, and what it would be: told only where it can be put in as it stands.
//!
//! The place must be one that is reached with the object alone: what other ways release, hand on or never
//! made would be released there, too.

use caulk_base::BitSet;
use caulk_finding::Suggestion;
use caulk_ir::{BlockId, Callee, Inst, InstId, Terminator, VarId};
use caulk_models::Resource;
use caulk_program::Binding;

use crate::explore::{End, Whereabouts};
use crate::witness::{Carriers, Story};

impl Story<'_, '_> {
    pub fn suggestion(&self) -> Option<Suggestion> {
        let End::Return(block) = self.found.end else { return None };
        let carriers = self.carriers();
        let (block, at) = match carriers.overwritten {
            Some(at) if self.reads_the_object(at) => return None,
            Some(at) => (self.exec.facts.block_of(at), self.exec.body.inst_spans[at]),
            None => (block, self.block_span(block)),
        };
        if self.found.state.loss.is_some() || self.is_shared(block, &carriers) {
            return None;
        }
        let (release, name) = (self.release(&carriers)?, self.holder(&carriers)?);
        let location = self.location(at)?;
        Some(Suggestion { location, code: format!("{release}({name});") })
    }

    /// Whether ways without the object, or without a need to release it, lead to a block, too.
    fn is_shared(&self, block: BlockId, carriers: &Carriers) -> bool {
        let facts = self.exec.facts;
        let made_in = facts.block_of(self.focus.call);
        let leading = self.leading_to(block, made_in);
        let leads_there = |at: InstId| {
            self.exec.body.insts.get(at).is_none_or(|_| leading.contains(facts.block_of(at)))
                && !self.is_told_apart(at, &leading)
        };
        let fate = |&(fate, at): &(Whereabouts, u32)| match fate {
            Whereabouts::Held => at == block.0,
            Whereabouts::Released | Whereabouts::Kept => leads_there(InstId(at)),
        };
        self.explored.gave_up
            || !facts.cfg().dominators().dominates(made_in, block)
            || self.explored.first_fates.iter().any(fate)
            || self.resource() != Resource::memory() && self.is_untested(carriers, &leading)
    }

    /// Whether the path comes through an instruction, and decides after it to go where the object is lost:
    /// a call that takes it unless it fails.
    fn is_told_apart(&self, at: InstId, leading: &BitSet<BlockId>) -> bool {
        let body = self.exec.body;
        let path = &self.found.path;
        let Some(first) = self.last_on_path(at) else { return false };
        let leaves = |block: BlockId| {
            body.blocks[block].terminator.edges().any(|edge| !leading.contains(edge.to))
        };
        path[first..].iter().any(|stop| leaves(stop.block))
    }

    fn last_on_path(&self, at: InstId) -> Option<usize> {
        let blocks = &self.exec.body.blocks;
        let passes = |block: BlockId| blocks[block].insts().any(|inst| inst == at);
        self.found.path.iter().rposition(|stop| passes(stop.block))
    }

    /// The blocks from which one can be reached, but for ways on which the object is made anew.
    fn leading_to(&self, block: BlockId, made_in: BlockId) -> BitSet<BlockId> {
        let graph = self.exec.facts.cfg().graph();
        let mut found = BitSet::new(self.exec.body.blocks.len());
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            if found.insert(block) && block != made_in {
                open.extend(graph.predecessors(block));
            }
        }
        found
    }

    /// Whether a test of the object does not keep the ways apart on which it was not made: to release
    /// nothing is harmless for memory alone.
    fn is_untested(&self, carriers: &Carriers, leading: &BitSet<BlockId>) -> bool {
        let body = self.exec.body;
        let mut tests = self.found.path.iter().filter_map(|stop| {
            let terminator = &body.blocks[stop.block].terminator;
            let Terminator::Branch { cond, .. } = terminator else { return None };
            let Inst::Compare { lhs, rhs, .. } = body.insts[body.definition(*cond)?] else {
                return None;
            };
            let is_test = carriers.ever.contains(&lhs) || carriers.ever.contains(&rhs);
            is_test.then_some(terminator)
        });
        tests.any(|terminator| terminator.edges().all(|edge| leading.contains(edge.to)))
    }

    /// The variable that has the object where it is lost, and is in scope there.
    fn holder(&self, carriers: &Carriers) -> Option<String> {
        let body = self.exec.body;
        let var = match carriers.overwritten.map(|at| &body.insts[at]) {
            Some(&Inst::Set { var, .. }) => var,
            _ => *carriers.holding.iter().find(|&&var| !self.is_out_of_scope(var))?,
        };
        Some(self.exec.module.names.text(body.vars[var].name).to_string())
    }

    /// A scope that the return itself ends is not over before it.
    fn is_out_of_scope(&self, var: VarId) -> bool {
        let body = self.exec.body;
        let scope = body.vars[var].scope;
        let (before, last) = match self.found.path.as_slice() {
            [before @ .., last] => (before, last),
            [] => return false,
        };
        let returns = body.blocks[last.block].terminator_span;
        let of_return = |inst: &InstId| body.inst_spans[*inst] == returns;
        let last = body.blocks[last.block].insts().filter(|inst| !of_return(inst));
        let before = before.iter().flat_map(|stop| body.blocks[stop.block].insts());
        let mut bounds = before.chain(last).filter_map(|inst| match body.insts[inst] {
            Inst::ScopeBegin(it) if it == scope => Some(false),
            Inst::ScopeEnd(it) if it == scope => Some(true),
            _ => None,
        });
        bounds.next_back().unwrap_or(false)
    }

    /// The function to call: the one that releases the object on other ways, else the usual one. What the
    /// path calls did not do so there.
    fn release(&self, carriers: &Carriers) -> Option<String> {
        let released = self.explored.fates.iter().filter(|it| it.0 == Whereabouts::Released);
        let elsewhere =
            released.map(|&(_, at)| InstId(at)).filter(|&at| self.last_on_path(at).is_none());
        let mut names = elsewhere.filter_map(|at| self.plain_release(at, carriers));
        names.next().or_else(|| self.usual_release())
    }

    /// The name of a function that gets the object and nothing else.
    fn plain_release(&self, at: InstId, carriers: &Carriers) -> Option<String> {
        let body = self.exec.body;
        let Inst::Call(id) = *body.insts.get(at)? else { return None };
        let call = &body.calls[id];
        let (Callee::Function(function), [arg]) = (call.callee, call.args.as_slice()) else {
            return None;
        };
        let variable = body.values[arg.value].var;
        let is_it = carriers.ever.contains(&arg.value)
            || variable.is_some_and(|it| carriers.vars.contains(&it));
        is_it.then(|| self.exec.module.function_name(function).to_string())
    }

    /// None for what a function of the program makes, which may be more than one object and have a release
    /// of its own, and where more is to be said than what to release.
    fn usual_release(&self) -> Option<String> {
        let program = self.exec.context.program;
        let Some(Binding::External(_)) = self.exec.binding(self.focus.call) else { return None };
        let release = self.made()?.releases.first()?;
        let declared = program.externals.rows().iter().find(|row| row.name == release.as_ref());
        let params = declared.map(|row| {
            let module = &program.modules[row.module];
            module.types.signatures[module.functions[row.function].signature].params.len()
        });
        let is_plain = match params {
            Some(count) => count == 1,
            None => self.resource() == Resource::memory(),
        };
        is_plain.then(|| release.to_string())
    }
}
