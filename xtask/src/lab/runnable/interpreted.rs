//! A program in caulk's interpreter: what leaked and where it was lost, and every site that
//! allocated.

use super::frames::{Chain, Frame, collapsed};
use super::program::{Input, Program};
use super::truth::{Kind, Observed};
use caulk_driver::{CancelFlag, Inputs, KeepModules, Options, Silent, summarise};
use caulk_interp::{
    Budgets, Fact, FactKind, FaultKind, Leak, Loss, Outcome, Position, RunOptions, Status,
};
use caulk_project::{LoadOptions, default_cache_dir, from_files};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

/// Far more than any program of the lab needs.
const MOST_STEPS: u64 = 50_000_000;

/// Library functions whose result is a resource that somebody has to close.
const OPENERS: &[&str] = &[
    "creat",
    "dup",
    "dup2",
    "fdopen",
    "fmemopen",
    "fopen",
    "mkstemp",
    "open",
    "open_memstream",
    "openat",
    "opendir",
    "pipe",
    "popen",
    "socket",
    "socketpair",
    "tmpfile",
];

/// A program ready to run.
pub struct Interpreter {
    program: caulk_interp::Program,
    name: String,
    files: Vec<(Vec<u8>, Vec<u8>)>,
}

/// One run.
#[derive(Debug, Default)]
pub struct Interpreted {
    pub defects: Vec<Observed>,
    /// Where memory or a resource was acquired.
    pub sites: BTreeSet<Chain>,
    /// Those of them whose memory was reachable at the end.
    pub kept: BTreeSet<Chain>,
    pub allocations: u64,
    /// Why the run is no evidence.
    pub stopped: Option<String>,
}

impl Interpreter {
    /// `files` are what the program finds in its folder.
    pub fn load(program: &Program, files: &[(String, Vec<u8>)]) -> Result<Interpreter, String> {
        let linked = linked(&program.source)?;
        let files = files.iter().map(|(name, bytes)| (name.clone().into_bytes(), bytes.clone()));
        Ok(Interpreter { program: linked, name: program.name.clone(), files: files.collect() })
    }

    pub fn run(&self, input: &Input, failing: Option<u64>) -> Interpreted {
        let mut observer = Observer::default();
        let mut observe = |fact: &Fact| observer.see(fact);
        let words = std::iter::once(&self.name).chain(&input.args);
        let options = RunOptions {
            args: words.map(|word| word.clone().into_bytes()).collect(),
            stdin: input.stdin.clone().into_bytes(),
            files: self.files.clone(),
            fail_alloc: failing,
            budgets: Budgets { steps: MOST_STEPS, ..Budgets::default() },
            watch_heap: true,
            trace: Some(&mut observe),
            ..RunOptions::default()
        };
        let outcome = caulk_interp::run(&self.program, options);
        interpreted(&outcome, observer)
    }
}

/// One unit of gcc's default language, as a program.
fn linked(source: &Path) -> Result<caulk_interp::Program, String> {
    let folder = source.parent().unwrap_or(Path::new("."));
    let options = LoadOptions { cache_dir: default_cache_dir(), ..LoadOptions::new(folder) };
    let flags = ["gcc", "-std=gnu17"].map(String::from);
    let inputs = Inputs::new(from_files(&[source.to_path_buf()], &flags, &options));
    let options = Options::new(NonZeroUsize::MIN);
    let run = caulk_driver::run(&inputs, &options, KeepModules, &CancelFlag::new(), &Silent);
    let incomplete = summarise(&inputs.project, &run).incomplete;
    if let Some(row) = incomplete.first() {
        return Err(format!("caulk cannot read it all: {row}"));
    }
    let modules = run.outcomes.into_iter().filter_map(|outcome| outcome.output).collect();
    caulk_interp::Program::link(modules).map_err(|error| format!("cannot link: {error}"))
}

fn interpreted(outcome: &Outcome, observer: Observer) -> Interpreted {
    let (defects, stopped) = match &outcome.status {
        Status::Exit(_) | Status::Signal(_) => (leaks(outcome), None),
        Status::Error(report) if report.kind == FaultKind::DoubleFree => {
            let allocated = report.allocated.as_deref().unwrap_or_default();
            (vec![Observed::new(Kind::DoubleFree, &frames(allocated))], None)
        }
        Status::Error(report) => (Vec::new(), Some(report.message.clone())),
        Status::UnknownExternal(name) => (Vec::new(), Some(format!("{name} is not modelled"))),
        Status::OutOfBudget(_) => (Vec::new(), Some("the program does not end".into())),
        Status::NoMain => (Vec::new(), Some("there is no main".into())),
    };
    let is_evidence = stopped.is_none() && matches!(outcome.status, Status::Exit(_));
    let live = observer.live.into_values().filter(|_| is_evidence);
    let is_lost = |chain: &Chain| defects.iter().any(|defect| defect.chain == *chain);
    let kept = live.filter(|chain| !is_lost(chain)).collect();
    Interpreted { defects, sites: observer.sites, kept, allocations: outcome.allocations, stopped }
}

fn leaks(outcome: &Outcome) -> Vec<Observed> {
    let observed = |leak: &Leak| {
        let lost = loss(outcome, leak).map_or(Vec::new(), |loss| collapsed(frames(&loss.stack)));
        Observed { lost, ..Observed::new(Kind::Leak, &frames(&leak.allocated)) }
    };
    outcome.leaks.iter().map(observed).collect()
}

/// What only another lost object leads to is lost where that one is.
fn loss<'o>(outcome: &'o Outcome, leak: &'o Leak) -> Option<&'o Loss> {
    let head = || leak.with.and_then(|head| outcome.leaks[head].lost.as_ref());
    leak.lost.as_ref().or_else(head)
}

fn frames(stack: &[Position]) -> Vec<Frame> {
    stack.iter().map(|at| Frame::new(&at.function, at.line)).collect()
}

/// Follows a run by its calls. Facts tell who does something, and not when functions return: a
/// fact of a function ends all those that it called.
#[derive(Default)]
struct Observer {
    /// Active functions with the call that each was entered by, outermost first.
    active: Vec<(String, Option<Frame>)>,
    sites: BTreeSet<Chain>,
    live: BTreeMap<u32, Chain>,
}

impl Observer {
    fn see(&mut self, fact: &Fact) {
        let at = &fact.at;
        self.return_to(&at.function);
        match &fact.kind {
            FactKind::Call { callee } => {
                let frame = Frame::new(&at.function, at.line);
                if OPENERS.contains(&callee.as_str()) {
                    self.sites.insert(self.chain_from(frame.clone()));
                }
                self.active.push((callee.clone(), Some(frame)));
            }
            FactKind::Alloc { object, .. } => {
                let chain = self.chain_from(Frame::new(&at.function, at.line));
                self.sites.insert(chain.clone());
                self.live.insert(*object, chain);
            }
            FactKind::Free { object } => drop(self.live.remove(object)),
            FactKind::Load { .. } | FactKind::Store { .. } => {}
        }
    }

    /// A function that nobody is known to have called was called by the library.
    fn return_to(&mut self, function: &str) {
        match self.active.iter().rposition(|(name, _)| name == function) {
            Some(depth) => self.active.truncate(depth + 1),
            None => self.active.push((function.to_string(), None)),
        }
    }

    fn chain_from(&self, innermost: Frame) -> Chain {
        let callers = self.active.iter().rev().filter_map(|(_, call)| call.clone());
        collapsed(std::iter::once(innermost).chain(callers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(function: &str, line: u32, kind: FactKind) -> Fact {
        let at = Position { function: function.into(), file: "a.c".into(), line, column: 1 };
        Fact { at, kind }
    }

    fn call(from: &str, line: u32, callee: &str) -> Fact {
        fact(from, line, FactKind::Call { callee: callee.into() })
    }

    fn text(sites: &BTreeSet<Chain>) -> Vec<String> {
        let row = |chain: &Chain| chain.iter().map(|f| f.to_string()).collect::<Vec<_>>().join(" ");
        sites.iter().map(row).collect()
    }

    #[test]
    fn chains_follow_calls_and_returns() {
        let mut observer = Observer::default();
        let alloc =
            |function, line, object| fact(function, line, FactKind::Alloc { object, size: 8 });
        observer.see(&call("main", 20, "make"));
        observer.see(&call("make", 5, "malloc"));
        observer.see(&alloc("make", 5, 1));
        observer.see(&call("main", 21, "other"));
        observer.see(&alloc("other", 9, 2));
        observer.see(&fact("main", 22, FactKind::Free { object: 1 }));
        assert_eq!(text(&observer.sites), ["make:5 main:20", "other:9 main:21"]);
        assert_eq!(observer.live.keys().collect::<Vec<_>>(), [&2]);
    }

    #[test]
    fn openers_are_sites_and_callbacks_keep_their_callers() {
        let mut observer = Observer::default();
        observer.see(&call("main", 3, "fopen"));
        observer.see(&call("main", 4, "qsort"));
        observer.see(&fact("order", 1, FactKind::Alloc { object: 1, size: 1 }));
        assert_eq!(text(&observer.sites), ["main:3", "order:1 main:4"]);
    }
}
