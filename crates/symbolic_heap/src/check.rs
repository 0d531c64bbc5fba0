//! The engine: every function that makes something, one by one.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_finding::{Incomplete, Section, Subject, Verdicts};
use caulk_ir::{Callee, Inst};
use caulk_program::{Binding, ProcId};
use rayon::prelude::*;

use crate::report::Told;
use crate::state::{Evaluator, Input, Options};

pub fn check(input: Input<'_>, options: &Options) -> Verdicts {
    check_some(input, options, &|_| true)
}

/// The same for the functions that somebody asks about.
pub fn check_some(
    input: Input<'_>,
    options: &Options,
    asked: &(dyn Fn(ProcId) -> bool + Sync),
) -> Verdicts {
    let makers = makers(input);
    let is_wanted = |&proc: &ProcId| {
        asked(proc) && makers.contains(&proc) && !input.program.function(proc).system
    };
    let procs: Vec<ProcId> = input.program.procs.ids().filter(is_wanted).collect();
    let rows: Vec<Told> = procs.par_iter().map(|&proc| one(input, options, proc)).collect();
    verdicts(rows, input.program.procs.len())
}

fn one(input: Input<'_>, options: &Options, proc: ProcId) -> Told {
    if options.is_cancelled() {
        return Told { is_missing: true, ..Told::default() };
    }
    let mut evaluator = Evaluator::new(input, options);
    let analysis = evaluator.analyse(proc);
    evaluator.tell(proc, &analysis)
}

/// Contexts, heaps and leaks of all functions, or of those with a name.
#[must_use]
pub fn print(input: Input<'_>, options: &Options, function: Option<&str>) -> String {
    let is_wanted = |proc: &ProcId| function.is_none_or(|it| it == input.program.procs[*proc].name);
    let mut text = String::new();
    for proc in input.program.procs.ids().filter(is_wanted) {
        let mut evaluator = Evaluator::new(input, options);
        let analysis = evaluator.analyse(proc);
        text.push_str(&evaluator.analysis_text(proc, &analysis));
    }
    text
}

/// The functions that make something, themselves or through those they call.
fn makers(input: Input<'_>) -> FxHashSet<ProcId> {
    let mut makers = FxHashSet::default();
    let sccs = input.calls.sccs();
    // Callees have smaller numbers; a recursion is gone through until nothing is new.
    for scc in sccs.ids() {
        loop {
            let before = makers.len();
            for &proc in sccs.members(scc) {
                let calls_maker =
                    input.calls.of(proc).iter().any(|(_, callee)| makers.contains(callee));
                if calls_maker || allocates(input, proc) {
                    makers.insert(proc);
                }
            }
            if makers.len() == before {
                break;
            }
        }
    }
    makers
}

fn allocates(input: Input<'_>, proc: ProcId) -> bool {
    let body = input.program.body(proc);
    let module = input.program.procs[proc].module;
    body.insts.rows().iter().any(|inst| {
        let Inst::Call(id) = *inst else { return false };
        let Callee::Function(function) = body.calls[id].callee else { return false };
        match input.program.binding(module, function) {
            Binding::External(external) => input
                .externals
                .of(*external)
                .is_some_and(|model| model.allocations().next().is_some()),
            Binding::Procs(_) => false,
        }
    })
}

fn verdicts(rows: Vec<Told>, functions: usize) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let evaluated = rows.len() as u64;
    let (mut decided, mut work, mut missing) = (0, 0, 0);
    let mut unknown: FxHashMap<String, u64> = FxHashMap::default();
    for row in rows {
        decided += u64::from(row.decided);
        work += row.work;
        missing += u64::from(row.is_missing);
        verdicts.findings.extend(row.findings);
        verdicts.sites.extend(row.sites);
        verdicts.incomplete.extend(row.incomplete);
        for name in row.unknown {
            *unknown.entry(name).or_default() += 1;
        }
    }
    verdicts.unknown = unknown.into_iter().collect();
    verdicts.unknown.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let rows = vec![
        ("functions", functions as u64),
        ("functions that make nothing", functions as u64 - evaluated),
        ("functions decided completely", decided),
        ("functions given up", verdicts.incomplete.len() as u64),
        ("steps", work),
        ("findings", verdicts.findings.len() as u64),
    ];
    if missing > 0 {
        let why = format!("stopped before {missing} functions were looked at");
        verdicts.incomplete.push(Incomplete { what: Subject::Program, place: None, why });
    }
    verdicts.statistics.push(Section { title: "Symbolic evaluation (Y1–Y6)", rows });
    verdicts
}
