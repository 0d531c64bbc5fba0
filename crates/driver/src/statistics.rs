//! The counts of the papers' tables, from the facts of a whole program.

use caulk_base::FxHashMap;
use caulk_finding::{Section, StageCost, Statistics, WrapperRow};
use caulk_ir::{Callee, Inst, Scalar};
use caulk_memory::Memory;
use caulk_pointer::Target;
use caulk_program::{EntryReason, ExternalId, ParamMask, ProcId, Wrapper};

use crate::slices::Slices;
use crate::whole_program::{Measured, WholeProgram};

#[must_use]
pub fn statistics(
    whole: &WholeProgram,
    memory: &Memory,
    slices: &Slices,
    stages: &[Measured],
) -> Statistics {
    let cost = |stage: &Measured| StageCost {
        name: stage.name,
        processor: stage.processor,
        memory: stage.memory,
    };
    Statistics {
        sections: vec![
            code(whole),
            calls(whole),
            heap(whole),
            wrappers_section(whole),
            points_to(whole),
            memory_section(whole, memory),
            slices_section(slices),
        ],
        stages: stages.iter().map(cost).collect(),
        wrappers: wrapper_rows(whole),
        unknown: unknown(whole),
    }
}

fn count(rows: impl Iterator) -> u64 {
    rows.count() as u64
}

fn code(whole: &WholeProgram) -> Section {
    let program = &whole.program;
    let bodies = || program.procs.ids().map(|proc| program.body(proc));
    let insts = || bodies().flat_map(|body| body.insts.rows());
    let pointers =
        bodies().flat_map(|body| body.values.rows()).filter(|value| value.scalar == Scalar::Ptr);
    let loads = insts().filter(|inst| matches!(inst, Inst::Load { .. } | Inst::LoadBits { .. }));
    let stores = insts().filter(|inst| matches!(inst, Inst::Store { .. } | Inst::StoreBits { .. }));
    Section {
        title: "Code",
        rows: vec![
            ("units", program.modules.len() as u64),
            ("functions", program.procs.len() as u64),
            ("global objects", program.statics.len() as u64),
            ("instructions", count(insts())),
            ("pointers", count(pointers)),
            ("loads", count(loads)),
            ("stores", count(stores)),
        ],
    }
}

fn calls(whole: &WholeProgram) -> Section {
    let program = &whole.program;
    let calls = || program.procs.ids().flat_map(|proc| program.body(proc).calls.rows());
    let indirect = calls().filter(|call| matches!(call.callee, Callee::Pointer(_)));
    let entries = |wanted: EntryReason| {
        count(whole.points_to.entries().iter().filter(|entry| entry.reason == wanted))
    };
    let modelled = program.externals.ids().filter(|&id| whole.externals.of(id).is_some());
    Section {
        title: "Calls",
        rows: vec![
            ("call sites", count(calls())),
            ("through pointers", count(indirect)),
            ("external functions", program.externals.len() as u64),
            ("with a model", count(modelled)),
            ("entries: main", entries(EntryReason::Main)),
            ("entries: constructors", entries(EntryReason::Constructor)),
            ("entries: exported", entries(EntryReason::Exported)),
            ("entries: never called", entries(EntryReason::Uncalled)),
            ("entries: callbacks", entries(EntryReason::Callback)),
        ],
    }
}

fn heap(whole: &WholeProgram) -> Section {
    let (mut allocations, mut releases) = (0, 0);
    for proc in whole.program.procs.ids() {
        let body = whole.program.body(proc);
        for call in body.calls.ids() {
            allocations +=
                u64::from(is_site(whole, proc, call, |model| model.allocations().next().is_some()));
            releases +=
                u64::from(is_site(whole, proc, call, |model| model.releases().next().is_some()));
        }
    }
    Section {
        title: "Heap and resources",
        rows: vec![("allocation sites", allocations), ("release sites", releases)],
    }
}

fn is_site(
    whole: &WholeProgram,
    proc: ProcId,
    call: caulk_ir::CallId,
    wanted: impl Fn(&caulk_models::FunctionModel) -> bool,
) -> bool {
    let base = whole.instances.base(proc);
    whole.points_to.callees(base, call).iter().any(|target| match target {
        Target::External(external) => whole.externals.of(*external).is_some_and(&wanted),
        _ => false,
    })
}

fn wrappers_section(whole: &WholeProgram) -> Section {
    let number = |is: fn(&Wrapper) -> bool| count(whole.wrappers.iter().filter(|(_, it)| is(it)));
    let copies = whole.instances.rows.len() - whole.program.procs.len();
    Section {
        title: "Wrappers",
        rows: vec![
            ("allocators", number(Wrapper::allocates)),
            ("through an out-parameter", number(|it| it.stores_fresh != 0)),
            ("that build members", number(|it| it.builds_members)),
            ("reallocators", number(|it| it.reallocates != 0)),
            ("releasers", number(Wrapper::releases)),
            ("copies of allocators", copies as u64),
            ("calls without a copy", whole.instances.merged as u64),
        ],
    }
}

fn points_to(whole: &WholeProgram) -> Section {
    let numbers = whole.points_to.statistics();
    Section {
        title: "Points-to",
        rows: vec![
            ("variables", numbers.variables as u64),
            ("constraints", numbers.constraints as u64),
            ("variables substituted", numbers.substituted as u64),
            ("variables in cycles", numbers.cycles_collapsed as u64),
            ("objects", numbers.objects as u64),
            ("locations", numbers.locations as u64),
            ("objects collapsed", numbers.objects_collapsed as u64),
            ("different sets", numbers.sets as u64),
            ("largest set", numbers.largest_set as u64),
            ("wild pointers", numbers.wild as u64),
            ("objects they point to", whole.points_to.wild_objects().iter().count() as u64),
            ("given up before the end", u64::from(numbers.gave_up)),
        ],
    }
}

fn memory_section(whole: &WholeProgram, memory: &Memory) -> Section {
    let effects = || whole.instances.rows.ids().map(|instance| memory.effects(instance));
    let reads: usize = effects().map(|it| it.reads.len()).sum();
    let writes: usize = effects().map(|it| it.writes.len()).sum();
    Section {
        title: "Memory",
        rows: vec![
            ("footprints", memory.footprints().len() as u64),
            ("regions", memory.regions().len() as u64),
            ("regions read, over functions", reads as u64),
            ("regions written, over functions", writes as u64),
            ("memory SSA chains built", memory.chain_count() as u64),
        ],
    }
}

fn slices_section(slices: &Slices) -> Section {
    let mut sizes = slices.sizes.clone();
    sizes.sort_unstable();
    let at = |share: usize| sizes.get(sizes.len() * share / 100).copied().unwrap_or(0) as u64;
    Section {
        title: "Slices",
        rows: vec![
            ("sliced allocations, copies included", sizes.len() as u64),
            ("given up", slices.given_up as u64),
            ("nodes: median", at(50)),
            ("nodes: nine in ten below", at(90)),
            ("nodes: largest", sizes.last().copied().unwrap_or(0) as u64),
            ("that reach a release", slices.released as u64),
            ("that reach a global", slices.global as u64),
            ("summaries cached", slices.summaries as u64),
        ],
    }
}

fn wrapper_rows(whole: &WholeProgram) -> Vec<WrapperRow> {
    let is_one = |it: &Wrapper| it.allocates() || it.releases() || it.reallocates != 0;
    let mut rows: Vec<WrapperRow> = whole
        .wrappers
        .iter()
        .filter(|(_, wrapper)| is_one(wrapper))
        .map(|(proc, wrapper)| {
            let row = &whole.program.procs[proc];
            let span = whole.program.function(proc).span;
            let place = whole.program.place(row.module, span);
            WrapperRow { name: row.name.clone(), place, effects: effects_of(wrapper) }
        })
        .collect();
    rows.sort_by(|a, b| (&a.name, &a.place).cmp(&(&b.name, &b.place)));
    rows
}

fn effects_of(wrapper: &Wrapper) -> Vec<String> {
    let mut effects = Vec::new();
    let mut by_parameters = |what: &str, mask: ParamMask| {
        if mask != 0 {
            effects.push(format!("{what} {}", parameters(mask)));
        }
    };
    by_parameters("reallocates", wrapper.reallocates);
    by_parameters("stores a fresh object through", wrapper.stores_fresh);
    by_parameters("releases", wrapper.frees);
    by_parameters("releases something in", wrapper.frees_inside);
    if wrapper.returns_fresh {
        effects.insert(0, "returns a fresh object".to_string());
    }
    if wrapper.builds_members {
        effects.push("builds members".to_string());
    }
    effects
}

/// `argument 1, 3`.
fn parameters(mask: ParamMask) -> String {
    let numbers: Vec<String> =
        (0..64).filter(|bit| mask >> bit & 1 == 1).map(|bit| (bit + 1).to_string()).collect();
    format!("argument {}", numbers.join(", "))
}

fn unknown(whole: &WholeProgram) -> Vec<(String, u64)> {
    let mut counts: FxHashMap<ExternalId, u64> = FxHashMap::default();
    for proc in whole.program.procs.ids() {
        let base = whole.instances.base(proc);
        for call in whole.program.body(proc).calls.ids() {
            for target in whole.points_to.callees(base, call) {
                if let Target::External(external) = *target
                    && whole.externals.of(external).is_none()
                {
                    *counts.entry(external).or_default() += 1;
                }
            }
        }
    }
    let name = |id: ExternalId| whole.program.externals[id].name.clone();
    let mut rows: Vec<(String, u64)> = counts.into_iter().map(|(id, n)| (name(id), n)).collect();
    rows.sort_by(|a, b| (std::cmp::Reverse(a.1), &a.0).cmp(&(std::cmp::Reverse(b.1), &b.0)));
    rows
}
