//! Soundness against execution: with the decisions off that lose leaks (`Options::sound`), every
//! cell that `interp` sees leaked by a random program is reported at one of the calls that made
//! it, and what a function returns and what memory holds as it returns is among what its summary
//! says. That comparison notices summaries that say less (`mutants`).

mod exits;
mod mutants;
mod programs;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

use caulk_interp::{Budgets, Event, Leak, Look, Outcome, Program, RunOptions, Status};
use caulk_ir::Module;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_summary::{Input, Options, Summaries, check, summarise_all};
use exits::{Counts, Exits};
use mutants::{Less, mutants};
use programs::Writer;

const PROGRAMS: u64 = 150;
const ARGUMENTS: usize = 5;

struct Said {
    lines: Vec<u32>,
    program: caulk_program::Program,
    summaries: Summaries,
}

fn said(module: Module, models: &Models) -> Said {
    let program = link(vec![LinkUnit { module, target: None }]);
    let externals = ExternalModels::new(&program, models);
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
        store: None,
    };
    let options = Options::sound();
    let verdicts = check(input, &options);
    assert!(verdicts.incomplete.is_empty(), "{:?}", verdicts.incomplete);
    let line = |it: &caulk_finding::Finding| it.primary.range.map_or(0, |range| range.start.line);
    let summaries = summarise_all(input, &options);
    let lines = verdicts.findings.iter().map(line).collect();
    Said { lines, program, summaries }
}

fn is_reported(leak: &Leak, said: &Said) -> bool {
    leak.allocated.iter().any(|place| said.lines.contains(&place.line))
}

/// A run, and what of it is not as summaries say.
fn compared(
    run: &Program,
    program: &caulk_program::Program,
    summaries: &Summaries,
    count: usize,
) -> (Outcome, Counts, Option<String>) {
    let args = vec![b"program".to_vec(); count];
    let budgets = Budgets { steps: 200_000, ..Budgets::default() };
    let exits = RefCell::new(Exits::new(run, program, summaries));
    let mut see = |event: &Event| exits.borrow_mut().note(event);
    let mut look = |look: &Look<'_>| exits.borrow_mut().look(look);
    let options = RunOptions {
        args,
        budgets,
        events: Some(&mut see),
        watcher: Some(&mut look),
        ..RunOptions::default()
    };
    let outcome = caulk_interp::run(run, options);
    let Exits { counts, wrong, .. } = exits.into_inner();
    (outcome, counts, wrong.into_iter().next())
}

/// How much was compared, and what is wrong.
#[derive(Default)]
struct Judged {
    leaks: usize,
    cells: Counts,
    wrong: Option<String>,
}

fn judged(run: &Program, said: &Said, count: usize) -> Judged {
    let (outcome, cells, wrong) = compared(run, &said.program, &said.summaries, count);
    let Status::Exit(_) = outcome.status else {
        let wrong = Some(format!("it ends with {:?}", outcome.status));
        return Judged { wrong, ..Judged::default() };
    };
    let missed = outcome.leaks.iter().find(|leak| !is_reported(leak, said));
    let missed = missed.map(|leak| format!("{leak:?} is not in {:?}", said.lines));
    Judged { leaks: outcome.leaks.len(), cells, wrong: wrong.or(missed) }
}

fn program(seed: u64, models: &Models) -> (String, Program, Said) {
    let text = Writer::program(seed);
    let module = caulk_testkit::module("random.c", &text);
    let said = said(module.clone(), models);
    (text, Program::link(vec![module]).expect("a program links"), said)
}

#[test]
fn what_runs_lose_is_reported() {
    let models = Models::bundled();
    let (mut leaks, mut wrong, mut cells) = (0, String::new(), Counts::default());
    for seed in 0..PROGRAMS {
        let (text, program, said) = program(seed, &models);
        let rows: Vec<_> = (1..=ARGUMENTS).map(|count| judged(&program, &said, count)).collect();
        leaks += rows.iter().map(|row| row.leaks).sum::<usize>();
        rows.iter().for_each(|row| cells.add(&row.cells));
        if let Some(fault) = rows.into_iter().find_map(|row| row.wrong) {
            let _ = writeln!(wrong, "seed {seed}: {fault}\n{text}");
        }
    }
    println!("{leaks} leaks, {cells:?}");
    assert!(wrong.is_empty(), "{leaks} leaks seen\n{wrong}");
    assert!(leaks > 500, "only {leaks} leaks were seen");
    let is_enough = cells.addresses > 10_000 && cells.numbers > 50_000 && cells.statics > 10_000;
    assert!(is_enough, "too little was compared: {cells:?}");
}

/// Of each kind more than half. The rest is what no run of these does, though a summary allows it,
/// and functions that are not called.
#[test]
fn summaries_that_say_less_are_noticed() {
    let models = Models::bundled();
    let mut rows: BTreeMap<Less, (usize, usize)> = BTreeMap::new();
    for seed in 0..PROGRAMS {
        let (_, run, said) = program(seed, &models);
        for (less, summaries) in mutants(&said.summaries) {
            let fails = |count| compared(&run, &said.program, &summaries, count).2.is_some();
            let (noticed, all) = rows.entry(less).or_default();
            *noticed += usize::from((1..=ARGUMENTS).any(fails));
            *all += 1;
        }
    }
    println!("{rows:?}");
    assert_eq!(rows.len(), 5, "a kind is missing: {rows:?}");
    assert!(rows.values().all(|&(noticed, all)| all > 50 && noticed * 2 > all), "{rows:?}");
}
