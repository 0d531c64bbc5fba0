//! Copies of allocators, one for each of their calls.
//!
//! A call of a plain allocator is an allocation site by itself. For the others, an object is an
//! allocation site plus the allocator calls that enclose it. To keep the objects
//! that two calls of one allocator build apart, members and all, each such call gets a copy of
//! the allocator's body: an instance, with values and objects of its own. Everything from
//! points-to on works on instances; a procedure that is no allocator, or that is called once, has
//! one. Calls inside a recursion share an instance; past the depth, or past the budget, calls share
//! the base instance, and that is counted. The depth is six and not the design's three: between a
//! caller in SQLite and `malloc` there are five functions, one of them behind a pointer.

use std::ops::Range;

use caulk_base::{FxHashMap, Table, define_id};
use caulk_ir::{Body, CallId, Inst, Module, ValueId, ValueKind};

use crate::calls::DirectCalls;
use crate::entries::{Entries, EntryReason};
use crate::program::{ProcId, Program};
use crate::wrappers::{IndirectTargets, Wrapper, Wrappers};

define_id!(pub InstanceId, "f", "A procedure, or its copy for one allocator call.");

#[derive(Clone, Debug)]
pub struct Instance {
    pub proc: ProcId,
    /// The call that this copy was made for; none for the base instance.
    pub made_for: Option<(InstanceId, CallId)>,
}

#[derive(Clone, Debug)]
pub struct Instances {
    pub rows: Table<InstanceId, Instance>,
    pub(crate) base: Table<ProcId, InstanceId>,
    pub(crate) copies: FxHashMap<(InstanceId, CallId, ProcId), InstanceId>,
    /// Calls of allocators that share the base instance for want of budget or depth.
    pub merged: usize,
}

/// A copy that a call asks for.
struct Wanted {
    caller: InstanceId,
    /// Among the caller's calls and their callees.
    place: usize,
    call: CallId,
    callee: ProcId,
}

/// What copies may cost.
#[derive(Clone, Copy, Debug)]
pub struct CopyBudget {
    /// Allocator calls that enclose an object.
    pub depth: usize,
    /// An allocator with more instructions is not copied.
    pub body: usize,
    /// Instructions in all copies, in percent of the program's.
    pub percent: usize,
    /// What they may have in a small program, too.
    pub least: usize,
}

impl Default for CopyBudget {
    fn default() -> Self {
        Self { depth: 6, body: 400, percent: 40, least: 4_000 }
    }
}

impl Instances {
    /// The base instances, and a copy for each call of an allocator that has several, as far as
    /// the budget goes. A procedure whose calls all have copies becomes an entry of its own.
    #[must_use]
    pub fn new(
        program: &Program,
        calls: &DirectCalls,
        indirect: &IndirectTargets,
        wrappers: &Wrappers,
        entries: &mut Entries,
        budget: CopyBudget,
    ) -> Self {
        let targets = call_targets(program, calls, indirect);
        let mut instances = Self::base_only(program);
        let total: usize = program.procs.ids().map(|proc| program.body(proc).insts.len()).sum();
        let mut left = budget.least.max(total * budget.percent / 100);
        let sites = call_counts(&targets);
        let size = |copy: &Wanted| program.body(copy.callee).insts.len();
        let may_have =
            |copy: &Wanted| !calls.is_recursive(copy.callee) && size(copy) <= budget.body;
        let mut callers = 0..instances.rows.len();
        for depth in 0..=budget.depth {
            let wanted = instances.wanted(program, &targets, &sites, wrappers, callers);
            let mut chosen: Vec<&Wanted> =
                wanted.iter().filter(|copy| depth < budget.depth && may_have(copy)).collect();
            // The smallest first: so most calls get one.
            chosen.sort_by_key(|copy| size(copy));
            chosen.retain(|copy| spend(&mut left, size(copy)));
            chosen.sort_by_key(|copy| (copy.caller, copy.place));
            instances.merged += wanted.len() - chosen.len();
            let first = instances.rows.len();
            chosen.into_iter().for_each(|copy| instances.copy(copy));
            callers = first..instances.rows.len();
        }
        instances.add_entries(program, calls, entries);
        instances
    }

    /// The calls of these instances that have objects of their own from an allocator.
    fn wanted(
        &self,
        program: &Program,
        targets: &Targets,
        sites: &Table<ProcId, usize>,
        wrappers: &Wrappers,
        callers: Range<usize>,
    ) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        for caller in callers.map(|caller| InstanceId(caller as u32)) {
            let Instance { proc, made_for } = self.rows[caller];
            let in_copy = made_for.is_some();
            let body = program.body(proc);
            for (place, &(call, callee)) in targets[proc].iter().enumerate() {
                // What a copy calls is copied too: otherwise all copies would share its objects.
                let shared = sites[callee] >= 2 || in_copy;
                if shared && makes_its_own(body, call, wrappers.of(callee), in_copy) {
                    wanted.push(Wanted { caller, place, call, callee });
                }
            }
        }
        wanted
    }

    fn copy(&mut self, &Wanted { caller, call, callee, .. }: &Wanted) {
        let row = Instance { proc: callee, made_for: Some((caller, call)) };
        let id = self.rows.push(row);
        self.copies.insert((caller, call, callee), id);
    }

    fn add_entries(&self, program: &Program, calls: &DirectCalls, entries: &mut Entries) {
        let mut entered: Table<ProcId, bool> = Table::filled(false, program.procs.len());
        for (caller, row) in self.rows.iter() {
            for &(call, callee) in calls.of(row.proc) {
                entered[callee] |= self.rows[self.of_call(caller, call, callee)].made_for.is_none();
            }
        }
        for (proc, _) in program.procs.iter() {
            if !entered[proc] && !calls.is_address_taken(proc) {
                entries.add(proc, EntryReason::Copied);
            }
        }
    }

    /// One instance for each procedure.
    #[must_use]
    pub fn base_only(program: &Program) -> Self {
        let mut rows = Table::new();
        let base =
            program.procs.ids().map(|proc| rows.push(Instance { proc, made_for: None })).collect();
        Self { rows, base, copies: FxHashMap::default(), merged: 0 }
    }

    #[must_use]
    pub fn base(&self, proc: ProcId) -> InstanceId {
        self.base[proc]
    }

    #[must_use]
    pub fn proc(&self, instance: InstanceId) -> ProcId {
        self.rows[instance].proc
    }

    /// Which instance of `callee` the call enters.
    #[must_use]
    pub fn of_call(&self, caller: InstanceId, call: CallId, callee: ProcId) -> InstanceId {
        self.copies.get(&(caller, call, callee)).copied().unwrap_or(self.base[callee])
    }

    /// The calls that enclose an instance, outermost first.
    #[must_use]
    pub fn chain(&self, instance: InstanceId) -> Vec<(InstanceId, CallId)> {
        let mut calls: Vec<_> =
            std::iter::successors(self.rows[instance].made_for, |&(caller, _)| {
                self.rows[caller].made_for
            })
            .collect();
        calls.reverse();
        calls
    }

    #[must_use]
    pub fn body<'p>(&self, program: &'p Program, instance: InstanceId) -> &'p Body {
        program.body(self.proc(instance))
    }

    #[must_use]
    pub fn module<'p>(&self, program: &'p Program, instance: InstanceId) -> &'p Module {
        program.module_of(self.proc(instance))
    }
}

/// Whether the call has objects of its own from the callee: those that it gets as a result, and
/// those that the callee puts into memory which the caller has made. What goes into memory that a
/// caller of the caller has made is a copy's own only.
fn makes_its_own(body: &Body, call: CallId, callee: &Wrapper, in_copy: bool) -> bool {
    if callee.returns_fresh && !callee.is_plain_allocator() {
        return true;
    }
    let args = body.calls[call].args.iter().enumerate().take(64);
    args.filter(|(index, _)| callee.stores_fresh >> index & 1 == 1).any(|(_, arg)| {
        match body.values[base(body, arg.value)].kind {
            ValueKind::Const(_) => true,
            ValueKind::Param(_) => in_copy,
            ValueKind::Inst(inst) => {
                matches!(body.insts[inst], Inst::Call(_) | Inst::Alloca { .. })
            }
            ValueKind::BlockParam(..) => false,
        }
    })
}

fn spend(left: &mut usize, size: usize) -> bool {
    let fits = size <= *left;
    *left -= if fits { size } else { 0 };
    fits
}

/// What an address is computed from.
fn base(body: &Body, mut address: ValueId) -> ValueId {
    while let ValueKind::Inst(inst) = body.values[address].kind
        && let Inst::Field { base, .. } | Inst::Index { base, .. } = body.insts[inst]
    {
        address = base;
    }
    address
}

type Targets = Table<ProcId, Vec<(CallId, ProcId)>>;

/// Each call with each procedure that it is known to enter.
fn call_targets(program: &Program, calls: &DirectCalls, indirect: &IndirectTargets) -> Targets {
    let mut targets: Targets = program.procs.ids().map(|proc| calls.of(proc).to_vec()).collect();
    for (&(caller, call), callees) in &indirect.procs {
        targets[caller].extend(callees.iter().map(|&callee| (call, callee)));
    }
    // They come out of a hash map.
    targets.iter_mut().for_each(|(_, list)| list.sort_unstable());
    targets
}

fn call_counts(targets: &Targets) -> Table<ProcId, usize> {
    let mut counts = Table::filled(0, targets.len());
    for &(_, callee) in targets.rows().iter().flatten() {
        counts[callee] += 1;
    }
    counts
}
