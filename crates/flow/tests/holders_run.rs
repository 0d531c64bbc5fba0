//! Holders against execution: where `interp` saw the last reference to a leaked cell die, the
//! static deaths of its allocation have one, and what held it is among the may-holders there.
//!
//! The programs are those of `suites/run/leaks`. A loss is looked for in the innermost activation
//! first, and then in those that called it: a reference that dies while it is being returned died
//! in the callee for the interpreter, which does not count temporaries, and dies in the caller
//! for the analysis. Cells that no variable ever held, or that only leaked cells hold, have no
//! observed loss.

mod facts;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use caulk_flow::{
    DEFAULT_LIMIT, Death, Flow, Holder, Holders, Last, Point, Precision, Reachability, Sources,
    Tracked,
};
use caulk_interp::{Leak, Loss, Position, Program, RunOptions, Status};
use caulk_ir::{CallId, Inst, InstId};
use caulk_pointer::{Names, ObjId, ObjKind};
use caulk_program::InstanceId;
use facts::Facts;

/// The runs of each program with an allocation that fails.
const FAILING: u64 = 4;

/// Programs whose losses are not all found, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "longjmp_skips_free",
    "no scope ends at longjmp: models do not tell it from exit, after which nothing is lost",
)];

/// Places at which an object is surely lost if it exists there, in programs that never lost one.
const UNSEEN: &[(&str, &str)] = &[
    ("caller_stack_at_exit.c:31", "the program exits before"),
    ("conditional_free_flag.c:27", "conditions of paths are not part of the facts"),
    ("early_return_not_taken.c:20", "the branch is not taken"),
    ("error_path_second_alloc.c:22", "this call does not fail"),
    ("realloc_failure.c:24", "this realloc always fails"),
    ("uintptr_masked.c:23", "value flow does not follow a complement"),
];

#[test]
fn observed_losses_are_among_the_deaths() {
    let mut count = Count::default();
    for file in programs() {
        check(&file, &mut count);
    }
    println!("{count:#?}");
    let known: Vec<&str> = UNSEEN.iter().map(|(place, _)| *place).collect();
    assert_eq!(
        count.unseen, known,
        "places where something is surely lost, but was never seen lost"
    );
    assert!(count.losses > 50, "only {} losses were observed", count.losses);
    let unexpected: Vec<&String> = count.missed.iter().filter(|line| !is_exception(line)).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    for (name, reason) in EXCEPTIONS {
        let needed = count.missed.iter().any(|line| line.starts_with(name));
        assert!(needed, "{name} agrees now: remove its exception ({reason})");
    }
}

#[derive(Debug, Default)]
struct Count {
    programs: usize,
    leaks: usize,
    losses: usize,
    /// Found where the interpreter saw it.
    innermost: usize,
    /// Found in an activation that called the one in which the interpreter saw it.
    outer: usize,
    /// The observed holder is among the may-holders.
    holders: usize,
    missed: Vec<String>,
    /// What the best death at the place of the loss claims.
    claims: BTreeMap<&'static str, usize>,
    /// Where something is surely lost that no run lost.
    unseen: Vec<String>,
}

/// From the weakest to the strongest.
const CLAIMS: &[&str] = &["unless others hold it", "maybe", "surely", "leaves the activation"];

fn claim(death: &Death) -> usize {
    match death.last {
        _ if death.kind.is_transfer() => 3,
        Last::Unless(_) => 0,
        Last::Maybe => 1,
        Last::Surely => 2,
    }
}

fn is_exception(line: &str) -> bool {
    EXCEPTIONS.iter().any(|(name, _)| line.starts_with(&format!("{name}.c")))
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/run/leaks");
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "c"));
    files.sort();
    files
}

fn check(file: &Path, count: &mut Count) {
    let module = caulk_testkit::module_of_file(file);
    let program = Program::link(vec![module.clone()]).expect("a program that links");
    let leaks = leaks(&program);
    count.programs += 1;
    count.leaks += leaks.len();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Facts::new(vec![module]).with(|flow, names| {
        let sources = Sources::new(flow);
        let mut case = Case { flow, names, sources: &sources, count };
        leaks.iter().for_each(|leak| case.leak(&name, leak));
        case.sure_deaths(&name, &leaks);
    });
}

/// As the program stands, and with each of its first allocations failing.
fn leaks(program: &Program) -> Vec<Leak> {
    let mut leaks = Vec::new();
    for failing in 0..=FAILING {
        let fail_alloc = (failing > 0).then_some(failing);
        let options = RunOptions { watch_heap: true, fail_alloc, ..RunOptions::default() };
        let outcome = caulk_interp::run(program, options);
        if matches!(outcome.status, Status::Exit(_)) {
            leaks.extend(outcome.leaks);
        }
    }
    leaks
}

struct Case<'a, 'm, 'p> {
    flow: &'a Flow<'m, 'p>,
    names: &'a Names<'a>,
    sources: &'a Sources,
    count: &'a mut Count,
}

impl Case<'_, '_, '_> {
    fn leak(&mut self, name: &str, leak: &Leak) {
        let Some(loss) = &leak.lost else { return };
        self.count.losses += 1;
        match self.find(leak, loss, DEFAULT_LIMIT) {
            Some((Reverse(depth), held, claim)) => {
                *self.count.claims.entry(CLAIMS[claim]).or_default() += 1;
                self.count.innermost += usize::from(depth == 0);
                self.count.outer += usize::from(depth > 0);
                self.count.holders += usize::from(held);
                if !held {
                    self.miss(name, leak, loss, "holder");
                }
            }
            None => self.miss(name, leak, loss, "point"),
        }
        // With no node allowed, calls are not matched.
        if self.find(leak, loss, 0).is_none() {
            self.miss(name, leak, loss, "point with unmatched calls");
        }
    }

    /// How far out the loss was found, whether the holder was, and what is claimed.
    fn find(
        &self,
        leak: &Leak,
        loss: &Loss,
        limit: usize,
    ) -> Option<(Reverse<usize>, bool, usize)> {
        let reachability = Reachability::new(self.flow, Precision::Full, limit);
        let in_object = |object: ObjId| {
            let tracked = Tracked::new(&reachability, self.sources, object).ok()??;
            loss.stack.iter().enumerate().find_map(|(depth, frame)| {
                let (held, claim) = self.death_at(&tracked, frame, loss)?;
                Some((Reverse(depth), held, claim))
            })
        };
        self.objects(leak).into_iter().filter_map(in_object).max()
    }

    /// Where something is surely lost that no run lost.
    fn sure_deaths(&mut self, name: &str, leaks: &[Leak]) {
        let reachability = Reachability::new(self.flow, Precision::Full, DEFAULT_LIMIT);
        for (object, row) in self.names.points_to.objects.iter() {
            let (ObjKind::Heap { instance, call } | ObjKind::HeapOut { instance, call, .. }) =
                row.kind
            else {
                continue;
            };
            let tracked = Tracked::new(&reachability, self.sources, object);
            let Ok(Some(tracked)) = tracked else { continue };
            if leaks.iter().all(|leak| !self.is_at(instance, call, &leak.allocated)) {
                self.sure_deaths_of(name, &tracked);
            }
        }
    }

    fn sure_deaths_of(&mut self, name: &str, tracked: &Tracked) {
        for instance in tracked.instances(self.flow) {
            for death in Holders::new(self.flow, tracked, instance).deaths() {
                if death.last == Last::Surely && !death.kind.is_transfer() {
                    let line = self.line(instance, death.point);
                    self.count.unseen.push(format!("{name}:{line}"));
                }
            }
        }
    }

    fn miss(&mut self, name: &str, leak: &Leak, loss: &Loss, what: &str) {
        let stack: Vec<String> =
            loss.stack.iter().map(|it| format!("{}:{}", it.function, it.line)).collect();
        let mut line = format!("{name}: {what} of {}", leak.allocated[0].line);
        let _ = write!(line, " lost at {} by {}", stack.join(" "), loss.held_by);
        self.count.missed.push(line);
    }

    /// The objects that the stack of the allocation may mean.
    fn objects(&self, leak: &Leak) -> Vec<ObjId> {
        let points_to = self.names.points_to;
        let made_there = |kind: ObjKind| match kind {
            ObjKind::Heap { instance, call } | ObjKind::HeapOut { instance, call, .. } => {
                self.is_at(instance, call, &leak.allocated)
            }
            _ => false,
        };
        points_to.objects.iter().filter(|(_, row)| made_there(row.kind)).map(|(id, _)| id).collect()
    }

    fn is_at(&self, instance: InstanceId, call: CallId, stack: &[Position]) -> bool {
        let mut chain = self.names.input.instances.chain(instance);
        chain.push((instance, call));
        // A call of a plain allocator makes the object, whatever frames lie inside of it.
        (0..stack.len()).any(|inside| {
            chain.iter().rev().zip(&stack[inside..]).all(|(&(instance, call), frame)| {
                self.function(instance) == frame.function
                    && self.call_line(instance, call) == frame.line
            })
        })
    }

    fn function(&self, instance: InstanceId) -> &str {
        let input = self.names.input;
        &input.program.procs[input.instances.proc(instance)].name
    }

    fn call_line(&self, instance: InstanceId, call: CallId) -> u32 {
        let body = self.names.input.instances.body(self.names.input.program, instance);
        let inst = body.insts.iter().find(|(_, inst)| **inst == Inst::Call(call));
        inst.map_or(0, |(id, _)| self.inst_line(instance, id))
    }

    fn inst_line(&self, instance: InstanceId, inst: InstId) -> u32 {
        self.line(instance, Point::Inst(inst))
    }

    fn line(&self, instance: InstanceId, point: Point) -> u32 {
        let input = self.names.input;
        let body = input.instances.body(input.program, instance);
        let span = match point {
            Point::Inst(inst) => body.inst_spans[inst],
            Point::Terminator(block) => body.blocks[block].terminator_span,
            Point::Entry | Point::Start(_) => return 0,
        };
        let module = input.instances.module(input.program, instance);
        module.spans.get(span).map_or(0, |span| span.start.line)
    }

    /// Whether some death is where the frame stands, and whether the observed holder may hold
    /// the object before one of those there.
    fn death_at(&self, tracked: &Tracked, frame: &Position, loss: &Loss) -> Option<(bool, usize)> {
        let mut answer = None;
        for instance in tracked.instances(self.flow) {
            if self.function(instance) != frame.function {
                continue;
            }
            let holders = Holders::new(self.flow, tracked, instance);
            for death in holders.deaths() {
                if self.line(instance, death.point) == frame.line {
                    let mut held = holders.may_hold(death.point);
                    held.push(death.holder);
                    let same = held.iter().any(|&it| self.is_holder(instance, it, &loss.held_by));
                    answer = answer.max(Some((same, claim(&death))));
                }
            }
        }
        answer
    }

    /// Whether the analysis and the interpreter mean the same holder, as far as names tell.
    fn is_holder(&self, instance: InstanceId, holder: Holder, observed: &str) -> bool {
        let base = observed.split(" + ").next().unwrap_or_default();
        match holder {
            Holder::Variable(var) => {
                let input = self.names.input;
                let body = input.instances.body(input.program, instance);
                let module = input.instances.module(input.program, instance);
                module.names.text(body.vars[var].name) == observed
            }
            Holder::Local(_) if observed == "a temporary" => true,
            Holder::Local(location) | Holder::Global(location) | Holder::Outer(location) => {
                let name = self.names.location(location);
                name.split([' ', '+']).next() == Some(base)
            }
            Holder::Field(_) => observed.starts_with("offset "),
            // In transit: the interpreter names the variable that held it last.
            Holder::Temporary(_) => !observed.starts_with("offset "),
            Holder::Library(_) => observed == "library storage",
            Holder::Callers => false,
        }
    }
}
