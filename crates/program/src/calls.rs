//! The calls that name their callee, as a graph over procedures.

use caulk_base::FxHashSet;
use caulk_ir::{CallId, Callee, Constant, Inst, RelocationTarget, ValueKind};
use caulk_ssa::{Graph, Lists, SccId, Sccs};

use crate::program::{Binding, ModuleId, ProcId, Program};

#[derive(Debug)]
pub struct DirectCalls {
    /// Per caller: the call site and a procedure that it calls.
    sites: Lists<ProcId, (CallId, ProcId)>,
    sccs: Sccs<ProcId>,
    /// Their address is used other than as the callee of a call.
    address_taken: FxHashSet<ProcId>,
    /// Components with a caller outside.
    entered: FxHashSet<SccId>,
}

impl DirectCalls {
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut pairs = Vec::new();
        let mut address_taken = FxHashSet::default();
        for caller in program.procs.ids() {
            collect(program, caller, &mut pairs, &mut address_taken);
        }
        taken_by_objects(program, &mut address_taken);
        let edges: Vec<(ProcId, ProcId)> =
            pairs.iter().map(|&(caller, (_, callee))| (caller, callee)).collect();
        let sccs = Sccs::new(&Graph::new(program.procs.len(), ProcId(0), &edges));
        let enters = |&&(from, to): &&(ProcId, ProcId)| sccs.component(from) != sccs.component(to);
        let entered = edges.iter().filter(enters).map(|&(_, to)| sccs.component(to)).collect();
        let sites = Lists::from_pairs(program.procs.len(), &pairs);
        Self { sites, sccs, address_taken, entered }
    }

    #[must_use]
    pub fn of(&self, caller: ProcId) -> &[(CallId, ProcId)] {
        &self.sites[caller]
    }

    /// Callees come before their callers: components are numbered bottom up.
    #[must_use]
    pub fn sccs(&self) -> &Sccs<ProcId> {
        &self.sccs
    }

    #[must_use]
    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.sccs.is_cyclic(self.sccs.component(proc))
    }

    #[must_use]
    pub fn is_address_taken(&self, proc: ProcId) -> bool {
        self.address_taken.contains(&proc)
    }

    /// Called by name, directly or through its own recursion, from a procedure that is not part
    /// of that recursion.
    #[must_use]
    pub fn is_called(&self, proc: ProcId) -> bool {
        self.entered.contains(&self.sccs.component(proc))
    }
}

fn collect(
    program: &Program,
    caller: ProcId,
    pairs: &mut Vec<(ProcId, (CallId, ProcId))>,
    taken: &mut FxHashSet<ProcId>,
) {
    let module = program.procs[caller].module;
    let body = program.body(caller);
    for inst in body.insts.rows() {
        let Inst::Call(id) = *inst else { continue };
        if let Callee::Function(function) = body.calls[id].callee
            && let Binding::Procs(procs) = program.binding(module, function)
        {
            let procs = procs.iter().chain(program.elsewhere(module, function));
            pairs.extend(procs.map(|&callee| (caller, (id, callee))));
        }
    }
    for value in body.values.rows() {
        if let ValueKind::Const(Constant::Function(function)) = value.kind {
            take(program, module, function, taken);
        }
    }
}

fn taken_by_objects(program: &Program, taken: &mut FxHashSet<ProcId>) {
    for (id, module) in program.modules.iter() {
        let inits = module.objects.rows().iter().filter_map(|object| object.init.as_ref());
        for relocation in inits.flat_map(|init| &init.relocations) {
            if let RelocationTarget::Function(function) = relocation.target {
                take(program, id, function, taken);
            }
        }
    }
}

fn take(
    program: &Program,
    module: ModuleId,
    function: caulk_ir::FunctionId,
    taken: &mut FxHashSet<ProcId>,
) {
    if let Binding::Procs(procs) = program.binding(module, function) {
        taken.extend(procs.iter().chain(program.elsewhere(module, function)));
    }
}
