//! A C text evaluated symbolically and run.

use std::collections::BTreeMap;

use caulk_finding::Verdicts;
use caulk_interp::{Outcome, Program as Running, RunOptions, run};
use caulk_models::Models;
use caulk_program::{DirectCalls, ExternalModels, LinkUnit, ProcId, Program, link};
use caulk_symbolic_heap::function::Analysis;
use caulk_symbolic_heap::space::{Symbol, SymbolKind};
use caulk_symbolic_heap::state::Evaluator;
use caulk_symbolic_heap::{Input, Options, check};

/// Leaked records by the line that made them.
pub type ByLine = BTreeMap<u32, usize>;

/// Evaluates the function of a text and hands the result to a test.
pub fn with_analysis<T>(
    c: &str,
    function: &str,
    options: &Options,
    look: impl FnOnce(&mut Evaluator<'_>, &Analysis) -> T,
) -> T {
    let module = caulk_testkit::module("case.c", c);
    let program: Program = link(vec![LinkUnit { module, target: None }]);
    let externals = ExternalModels::new(&program, &Models::bundled());
    let calls = DirectCalls::new(&program);
    let input = Input { program: &program, externals: &externals, calls: &calls };
    let mut evaluator = Evaluator::new(input, options);
    let named = |proc: &ProcId| program.procs[*proc].name == function;
    let proc = program.procs.ids().find(named).expect("the function");
    let analysis = evaluator.analyse(proc);
    look(&mut evaluator, &analysis)
}

/// What the engine tells of a text.
pub fn verdicts(c: &str, options: &Options) -> Verdicts {
    let module = caulk_testkit::module("case.c", c);
    let program: Program = link(vec![LinkUnit { module, target: None }]);
    let externals = ExternalModels::new(&program, &Models::bundled());
    let calls = DirectCalls::new(&program);
    check(Input { program: &program, externals: &externals, calls: &calls }, options)
}

pub fn run_main(c: &str) -> Outcome {
    let module = caulk_testkit::module("case.c", c);
    let program = Running::link(vec![module]).expect("a program");
    run(&program, RunOptions::default())
}

/// Runs with so many arguments.
pub fn run_with(program: &Running, arguments: usize) -> Outcome {
    let args = vec![b"a".to_vec(); arguments + 1];
    run(program, RunOptions { args, ..RunOptions::default() })
}

pub fn leaked_by_line(outcome: &Outcome) -> ByLine {
    let mut lines = ByLine::new();
    for leak in &outcome.leaks {
        *lines.entry(leak.allocated[0].line).or_default() += 1;
    }
    lines
}

/// The symbols of the parameters, in order.
pub fn inputs(evaluator: &Evaluator<'_>) -> Vec<Symbol> {
    let symbols = evaluator.space.symbols.iter();
    let mut found: Vec<(u32, Symbol)> = symbols
        .filter_map(|(symbol, info)| match info.kind {
            SymbolKind::Input(number) => Some((number, symbol)),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|it| it.1).collect()
}
