//! Runs of the lab's programs, and of real ones of the corpus, are contained in their summaries,
//! with the decisions off that lose leaks (`Options::sound`): what a function returns, an address or a
//! number, is among what its summary says it returns, what the process returns among the numbers of
//! `main`, what memory holds as a function returns is among what its summary says (see `exits`),
//! and what a run loses is reported at one of the calls that made it.

#[path = "../../summary/tests/exits/mod.rs"]
mod exits;
mod real;
mod source;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use caulk_base::{FxHashMap, Id};
use caulk_driver::{FactOptions, Meter, WholeProgram};
use caulk_interp::{Birth, Budgets, Event, EventKind, Look, Place, RunOptions, Status};
use caulk_ir::{FunctionId, Module, Scalar};
use caulk_models::Models;
use caulk_program::{LinkUnit, ModuleId, ProcId, indirect_targets};
use caulk_summary::{Input, Node, Options, Summaries, Summary, check, summarise_all};
use exits::{Counts, Exits};
use source::module;

const STEPS: u64 = 400_000;
const STEPS_OF_REAL: u64 = 20_000_000;

#[derive(Default)]
struct Report {
    returns: usize,
    numbers: usize,
    leaks: usize,
    cells: Counts,
    violations: BTreeSet<String>,
}

#[test]
fn runs_are_contained_in_summaries() {
    let mut report = Report::default();
    let files = programs();
    files.iter().for_each(|file| judge(file, &mut report));
    println!("{:?}", report.cells);
    report.assert_contained();
    let Report { returns, numbers, leaks, cells, .. } = report;
    assert!(
        returns > 400 && numbers > 400 && leaks > 100,
        "too little: {returns} {numbers} {leaks}"
    );
    let could_fail = cells.addresses + cells.numbers + cells.untold + cells.statics;
    let is_enough = cells.addresses > 1_000 && cells.numbers > 2_000 && could_fail > 5_000;
    assert!(is_enough, "too little was compared: {cells:?}");
}

/// Takes minutes, and the corpus in $CAULK_CONTAINMENT_CORPUS: without it there is nothing to run.
#[test]
fn runs_of_real_programs_are_contained_in_summaries() {
    let Some(corpus) = std::env::var_os("CAULK_CONTAINMENT_CORPUS").map(PathBuf::from) else {
        return;
    };
    let mut report = Report::default();
    for program in real::ALL {
        let runs = program.cases.iter().map(|(args, stdin)| Run {
            args: args.iter().map(|it| it.as_bytes().to_vec()).collect(),
            stdin: std::fs::read(real::suite().join(stdin)).expect("an input"),
            files: Files::new(),
            steps: STEPS_OF_REAL,
        });
        judge_program(program.name, program.modules(&corpus), runs.collect(), &mut report);
    }
    println!("{:?}", report.cells);
    report.assert_contained();
    let Report { returns, numbers, cells, .. } = report;
    assert!(returns > 10_000 && numbers > 10_000, "too little was compared: {returns} {numbers}");
    let is_enough = cells.addresses > 40_000 && cells.numbers > 80_000;
    assert!(is_enough, "too little was compared: {cells:?}");
    println!("{returns} returns of addresses, {numbers} of numbers");
}

impl Report {
    fn assert_contained(&self) {
        let Report { returns, numbers, leaks, violations, .. } = self;
        let is_right = violations.is_empty();
        assert!(is_right, "{returns} + {numbers} returns, {leaks} leaks\n{violations:#?}");
    }
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/lab");
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "c"));
    files.sort();
    files
}

/// What the engine says of a program.
struct Said<'a> {
    name: String,
    whole: &'a WholeProgram,
    summaries: Summaries,
    /// Lines of findings.
    lines: BTreeSet<u32>,
}

fn judge(file: &Path, report: &mut Report) {
    let module = module(file).expect("the lab's programs are read");
    let text = std::fs::read_to_string(file).expect("a readable program");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/lab/data");
    let files = std::fs::read_dir(data).expect("data").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name.into_bytes(), std::fs::read(&path).expect("a readable file"))
    });
    let files: Files = files.collect();
    let lines = text.lines().filter_map(|line| line.strip_prefix("// run:"));
    let runs = lines.map(|line| {
        let (args, stdin) = words(line);
        Run { args, stdin, files: files.clone(), steps: STEPS }
    });
    let name = file.file_stem().expect("a name").to_string_lossy();
    judge_program(&name, vec![module], runs.collect(), report);
}

type Files = Vec<(Vec<u8>, Vec<u8>)>;

struct Run {
    args: Vec<Vec<u8>>,
    stdin: Vec<u8>,
    files: Files,
    steps: u64,
}

fn judge_program(name: &str, modules: Vec<Module>, runs: Vec<Run>, report: &mut Report) {
    let run = caulk_interp::Program::link(modules.clone()).expect("programs link");
    let units = modules.into_iter().map(|module| LinkUnit { module, target: None }).collect();
    let whole = WholeProgram::new(units, &Models::bundled(), &FactOptions::default(), Meter::NONE);
    let said = said(name, &whole);
    for one in runs {
        one_run(&run, &said, one, report);
    }
}

fn said<'a>(name: &str, whole: &'a WholeProgram) -> Said<'a> {
    let input = Input {
        program: &whole.program,
        externals: &whole.externals,
        calls: &whole.calls,
        entries: &whole.entries,
        indirect: &indirect_targets(&whole.program),
        store: None,
    };
    let options = Options::sound();
    let findings = check(input, &options).findings;
    let lines = findings
        .iter()
        .flat_map(|it| &it.path)
        .filter_map(|step| step.location.range.map(|range| range.start.line));
    let name = name.to_string();
    Said { name, whole, summaries: summarise_all(input, &options), lines: lines.collect() }
}

fn one_run(run: &caulk_interp::Program, said: &Said<'_>, one: Run, report: &mut Report) {
    let Run { args, stdin, files, steps } = one;
    let args = std::iter::once(said.name.clone().into_bytes()).chain(args).collect();
    let budgets = Budgets { steps, ..Budgets::default() };
    let mut watcher = Watcher::new(run, said, report);
    let exits = RefCell::new(Exits::new(run, &said.whole.program, &said.summaries));
    let mut see = |event: &Event| {
        watcher.see(event);
        exits.borrow_mut().note(event);
    };
    let mut look = |look: &Look<'_>| exits.borrow_mut().look(look);
    let options = RunOptions {
        args,
        stdin,
        files,
        budgets,
        events: Some(&mut see),
        watcher: Some(&mut look),
        ..RunOptions::default()
    };
    let outcome = caulk_interp::run(run, options);
    let main_returned = watcher.main_returned;
    let Exits { counts, wrong, .. } = exits.into_inner();
    report.cells.add(&counts);
    report.violations.extend(wrong.into_iter().map(|text| format!("{}: {text}", said.name)));
    let Status::Exit(code) = outcome.status else { return };
    let main = said.whole.program.procs.iter().find(|row| row.1.name == "main").map(|row| row.0);
    let main = &said.summaries[main.expect("main")];
    if let Some(result) = main.result.as_ref().filter(|_| main_returned && !main.coarse)
        && !result.numbers.contains(i64::from(code))
    {
        report.violations.insert(format!("{}: main returns {code}", said.name));
    }
    for leak in outcome.leaks {
        report.leaks += 1;
        if !leak.allocated.iter().any(|place| said.lines.contains(&place.line)) {
            let line = leak.allocated.first().map_or(0, |place| place.line);
            report.violations.insert(format!("{}:{line} is lost", said.name));
        }
    }
}

/// Follows activations and the objects that were born in them.
struct Watcher<'a> {
    said: &'a Said<'a>,
    report: &'a mut Report,
    procs: Vec<Option<ProcId>>,
    /// The procedures that run, each with how many objects had been born before it.
    stack: Vec<(Option<ProcId>, u64)>,
    births: FxHashMap<u32, (u64, Birth)>,
    born: u64,
    /// It came to the end of `main`, and not to `exit`.
    main_returned: bool,
}

impl<'a> Watcher<'a> {
    fn new(run: &caulk_interp::Program, said: &'a Said<'a>, report: &'a mut Report) -> Self {
        let rows = said.whole.program.procs.iter();
        let procs: FxHashMap<(ModuleId, FunctionId), ProcId> =
            rows.map(|(id, row)| ((row.module, row.function), id)).collect();
        let proc =
            |module: usize, id: FunctionId| procs.get(&(ModuleId::from_index(module), id)).copied();
        Self {
            said,
            report,
            procs: run.functions.iter().map(|row| proc(row.module, row.id)).collect(),
            stack: Vec::new(),
            births: FxHashMap::default(),
            born: 0,
            main_returned: false,
        }
    }

    fn see(&mut self, event: &Event) {
        if let EventKind::Enter { function } = event.kind {
            self.stack.truncate(event.depth.saturating_sub(1));
            return self.stack.push((self.procs[function as usize], self.born));
        }
        self.stack.truncate(event.depth);
        match event.kind {
            EventKind::Born { object, birth, .. } => {
                self.births.insert(object, (self.born, birth));
                self.born += 1;
            }
            EventKind::Return { value, bits } => self.returned(value, bits),
            _ => {}
        }
    }

    fn returned(&mut self, value: Option<Place>, bits: Option<u64>) {
        self.main_returned |= self.stack.len() == 1;
        let Some(&(Some(proc), before)) = self.stack.last() else { return };
        let summary = &self.said.summaries[proc];
        let Some(scalar) = self.result(proc).filter(|_| !summary.coarse) else { return };
        let (what, is_contained) = match (scalar, scalar.int_bits(), bits) {
            (Scalar::Ptr, ..) => {
                self.report.returns += 1;
                let what = value.map_or("NULL", |_| "memory").to_string();
                (what, self.is_contained(summary, value, before))
            }
            (_, Some(width @ 1..=64), Some(bits)) => {
                self.report.numbers += 1;
                (signed(bits, width).to_string(), is_among(summary, bits, width))
            }
            _ => return,
        };
        if !is_contained {
            let name = &self.said.whole.program.procs[proc].name;
            let text = format!("{}: {name} returns {what}", self.said.name);
            self.report.violations.insert(text);
        }
    }

    fn result(&self, proc: ProcId) -> Option<Scalar> {
        let program = &self.said.whole.program;
        let types = &program.module_of(proc).types;
        let result = types.signatures[program.function(proc).signature].result;
        types.scalar(result)
    }

    /// Whether what is returned is among what the summary says.
    fn is_contained(&self, summary: &Summary, value: Option<Place>, before: u64) -> bool {
        let Some(held) = &summary.result else { return true };
        let has = |wanted: fn(&Node) -> bool| {
            held.nodes.iter().any(|&node| wanted(&summary.nodes[object(summary, node)]))
        };
        if has(|node| matches!(node, Node::Global)) {
            return true;
        }
        let Some(place) = value else { return held.numbers.contains(0) };
        match self.births.get(&place.object) {
            Some((born, Birth::Heap)) if *born >= before => has(|it| matches!(it, Node::Fresh(_))),
            Some((_, Birth::Static(_) | Birth::Function(_))) => {
                has(|node| matches!(node, Node::Static(_) | Node::Explore(_)))
            }
            Some(_) => has(|node| matches!(node, Node::Explore(_))),
            None => true,
        }
    }
}

/// Whether a number is among those that the summary says, with or without a sign.
fn is_among(summary: &Summary, bits: u64, width: u32) -> bool {
    let Some(held) = &summary.result else { return true };
    let unsigned = i64::try_from(bits).ok();
    !held.nodes.is_empty()
        || held.numbers.contains(signed(bits, width))
        || unsigned.is_some_and(|number| held.numbers.contains(number))
}

fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused).cast_signed() >> unused
}

/// The object that a node is a part of.
fn object(summary: &Summary, node: caulk_summary::NodeId) -> caulk_summary::NodeId {
    match summary.nodes[node] {
        Node::Field(of, _) | Node::Element(of) | Node::Contents(of) => object(summary, of),
        _ => node,
    }
}

/// Words in quotes may hold blanks and `\n`; what follows `<` is the standard input.
fn words(line: &str) -> (Vec<Vec<u8>>, Vec<u8>) {
    let mut all: Vec<String> = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a closing quote"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        all.push(word.replace("\\n", "\n").replace("\\t", "\t"));
        rest = after.trim_start();
    }
    let end = all.iter().position(|word| word == "<").unwrap_or(all.len());
    let stdin = all.get(end + 1).cloned().unwrap_or_default();
    (all[..end].iter().map(|word| word.clone().into_bytes()).collect(), stdin.into_bytes())
}
