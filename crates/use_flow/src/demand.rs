//! Whose summaries are asked for (K3): those of functions that are called, at any depth, by one that
//! makes or releases something, itself or by its callees. What only computes, and is called by nobody
//! who has an object, is not looked at.

use caulk_base::BitSet;
use caulk_ir::Callee;
use caulk_models::Effect;
use caulk_program::{
    Binding, DirectCalls, ExternalId, ExternalModels, IndirectTargets, ProcId, Program,
};
use caulk_ssa::Graph;

/// Who demands summaries of callees.
#[derive(Clone, Copy)]
pub enum Demand<'a> {
    /// Everybody.
    All,
    /// Who makes or releases something, as the models of what they call tell.
    OfObjects(&'a ExternalModels),
}

impl Demand<'_> {
    /// Those of the functions whose summaries are asked for; `graph` is that of all calls.
    pub fn wanted(
        self,
        program: &Program,
        calls: &DirectCalls,
        indirect: &IndirectTargets,
        graph: &Graph<ProcId>,
    ) -> BitSet<ProcId> {
        let deals = |&proc: &ProcId| match self {
            Demand::All => true,
            Demand::OfObjects(models) => deals_with_objects(program, indirect, models, proc),
        };
        let is_pointed_to = |&proc: &ProcId| calls.is_address_taken(proc);
        let dealing = program.procs.ids().filter(deals).collect();
        let dealing = closure(program, dealing, |proc, open| open.extend(graph.predecessors(proc)));
        // Whoever has a pointer may call by it.
        let asking = dealing.iter().chain(program.procs.ids().filter(is_pointed_to)).collect();
        let reached = closure(program, asking, |proc, open| open.extend(graph.successors(proc)));
        let is_called = |proc: &ProcId| graph.predecessors(*proc).len() > 0 || is_pointed_to(proc);
        let mut wanted = BitSet::new(program.procs.len());
        for proc in reached.iter().filter(is_called) {
            wanted.insert(proc);
        }
        wanted
    }
}

fn closure(
    program: &Program,
    mut open: Vec<ProcId>,
    push_next: impl Fn(ProcId, &mut Vec<ProcId>),
) -> BitSet<ProcId> {
    let mut found = BitSet::new(program.procs.len());
    while let Some(proc) = open.pop() {
        if found.insert(proc) {
            push_next(proc, &mut open);
        }
    }
    found
}

/// Whether a function calls one that makes or releases something and has no body.
fn deals_with_objects(
    program: &Program,
    indirect: &IndirectTargets,
    models: &ExternalModels,
    proc: ProcId,
) -> bool {
    let module = program.procs[proc].module;
    program.body(proc).calls.iter().any(|(id, call)| {
        let named = match call.callee {
            Callee::Function(function) => match program.binding(module, function) {
                Binding::External(external) => makes_or_releases(models, *external),
                Binding::Procs(_) => false,
            },
            Callee::Pointer(_) => false,
        };
        let pointed = indirect.externals.get(&(proc, id)).into_iter().flatten();
        named || pointed.into_iter().any(|&external| makes_or_releases(models, external))
    })
}

fn makes_or_releases(models: &ExternalModels, external: ExternalId) -> bool {
    let deals = |effect: &Effect| {
        matches!(
            effect,
            Effect::Allocates { .. } | Effect::Frees { .. } | Effect::Reallocates { .. }
        )
    };
    models.of(external).is_some_and(|model| model.effects.iter().any(deals))
}
