//! The stages, each seeing what those before it left open.

use caulk_base::FxHashSet;
use caulk_finding::{Finding, Verdicts};
use caulk_machines::Machines;
use caulk_program::{DirectCalls, Entries, ExternalModels, IndirectTargets, Program};

use crate::habits::lower_habits;
use crate::weigh::weigh;

/// What the engines ask of a program.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub machines: &'a Machines,
    pub calls: &'a DirectCalls,
    pub entries: &'a Entries,
    pub indirect: &'a IndirectTargets,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub paths: caulk_use_flow::Options,
    pub structures: caulk_summary::Options,
    pub conditions: caulk_symbolic_heap::Options,
}

#[must_use]
pub fn check(input: Input<'_>, options: &Options) -> Verdicts {
    let mut verdicts = weighed(input, options);
    let program = input.program;
    let modelled = program.externals.ids().filter(|&id| input.externals.of(id).is_some());
    let modelled: FxHashSet<&str> =
        modelled.map(|id| program.externals[id].name.as_str()).collect();
    lower_habits(&mut verdicts.findings, &verdicts.sites, &|name| !modelled.contains(name));
    verdicts
}

fn weighed(input: Input<'_>, options: &Options) -> Verdicts {
    let structures = structures(input, options);
    let paths = paths(input, options);
    if options.paths.is_cancelled() {
        return weigh(paths, &structures, &Verdicts::default());
    }
    let suspects = [&structures, &paths];
    let named: FxHashSet<&str> = suspects.iter().flat_map(|it| functions(it)).collect();
    let conditions = conditions(input, options, &named);
    weigh(paths, &structures, &conditions)
}

fn structures(input: Input<'_>, options: &Options) -> Verdicts {
    let input = caulk_summary::Input {
        program: input.program,
        externals: input.externals,
        calls: input.calls,
        entries: input.entries,
        indirect: input.indirect,
    };
    caulk_summary::check(input, &options.structures)
}

fn paths(input: Input<'_>, options: &Options) -> Verdicts {
    let input = caulk_use_flow::Input {
        program: input.program,
        externals: input.externals,
        machines: input.machines,
        calls: input.calls,
        entries: input.entries,
        indirect: input.indirect,
    };
    caulk_use_flow::check(input, &options.paths)
}

fn conditions(input: Input<'_>, options: &Options, named: &FxHashSet<&str>) -> Verdicts {
    let program = input.program;
    let input =
        caulk_symbolic_heap::Input { program, externals: input.externals, calls: input.calls };
    let is_named = |proc| named.contains(program.procs[proc].name.as_str());
    caulk_symbolic_heap::check_some(input, &options.conditions, &is_named)
}

fn functions(verdicts: &Verdicts) -> impl Iterator<Item = &str> {
    verdicts.findings.iter().map(|finding: &Finding| finding.function.as_str())
}
