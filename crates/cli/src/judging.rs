//! All units as one program, and what an engine says about it.
//!
//! An engine works on a thread of its own. When the user or the time limit wants an end, one that
//! looks at the flag hands in what it has; one that does not is left alone after a while: what was
//! read is reported, and that it was not judged.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use caulk_driver::{
    CancelFlag, Judge, Judged, KeptVerdicts, Knowledge, Setting, Stop, linked, replay, with_threads,
};
use caulk_finding::{Finding, Incomplete, Results, Stage, Subject, Verdicts};
use caulk_ir::Module;
use caulk_program::LinkUnit;
use caulk_project::{SourceFiles, memory_in_use};

use crate::args::InputArgs;
use crate::cache;
use crate::choices::Basis;
use crate::exit::Failure;
use crate::program::{self, METER};
use crate::progress::ProgressLine;
use crate::session::processors;

/// Everything that is known before a user's wishes choose from it.
pub struct Judgement {
    /// Of the units; what the engine cost and lacks included.
    pub results: Results,
    /// None if the engine did not come to its end.
    pub verdicts: Option<Verdicts>,
    /// The verdicts are those of an engine that was stopped.
    pub is_partial: bool,
    pub files: Arc<SourceFiles>,
    /// What was judged, for whoever runs it.
    pub judged: Subjects,
}

/// The units of a judgement, and how long there is time for them.
pub struct Subjects {
    modules: Vec<Module>,
    knowledge: Arc<Knowledge>,
    cancel: CancelFlag,
}

impl Subjects {
    /// Runs findings; see `driver::replay`.
    pub fn replay(self, findings: &mut [Finding], incomplete: &mut Vec<Incomplete>) {
        if findings.is_empty() {
            return;
        }
        replay(self.modules, &self.knowledge.models, findings, &self.cancel);
        if findings.iter().any(|finding| finding.replay.outcome.is_none()) {
            let why = "stopped before all findings were run".to_owned();
            incomplete.push(Incomplete { what: Subject::Program, place: None, why });
        }
    }
}

pub fn judge(input: &InputArgs, basis: &Basis, quiet: bool) -> Result<Judgement, Failure> {
    let read = program::read(input, quiet, None)?;
    let mut results = read.results;
    results.notes.extend(basis.notes());
    let threads = input.jobs.unwrap_or_else(processors);
    let cache = || if input.no_cache { None } else { cache::units() };
    let summaries = cache().map(|cache| Arc::new(basis.kept_summaries(cache)));
    let setting = Setting { meter: METER, cancel: read.cancel.clone(), summaries };
    let memory = input.memory.map(|mebibytes| mebibytes << 20);
    let run = Run { judge: basis.judge, setting: &setting, quiet, threads, memory };
    let kept = cache().map(|cache| {
        KeptVerdicts::new(cache, basis.engine, &basis.knowledge, &read.units, &read.prints)
    });
    let judged = match kept.as_ref().and_then(KeptVerdicts::load) {
        Some(verdicts) => Some(Judged {
            verdicts,
            stages: Vec::new(),
            modules: linked(read.units, &basis.knowledge.models),
        }),
        None => {
            let judged = run.over(read.units, basis.knowledge.clone(), &mut results);
            if let (Some(kept), Some(judged), None) = (&kept, &judged, read.cancel.reason()) {
                kept.store(&judged.verdicts);
            }
            judged
        }
    };
    let mut modules = Vec::new();
    let verdicts = judged.map(|judged| {
        modules = judged.modules;
        let rows = judged.stages.iter();
        results.stages.extend(rows.map(|row| Stage { name: row.name, time: row.processor }));
        judged.verdicts
    });
    let is_partial = verdicts.as_ref().is_some_and(|verdicts| {
        let is_whole = |row: &Incomplete| row.what != Subject::Program;
        read.cancel.reason().is_some() && !verdicts.incomplete.iter().all(is_whole)
    });
    let subjects = Subjects { modules, knowledge: basis.knowledge.clone(), cancel: read.cancel };
    Ok(Judgement { results, verdicts, is_partial, files: read.files, judged: subjects })
}

/// How an engine is run.
pub struct Run<'a> {
    pub judge: Judge,
    pub setting: &'a Setting,
    pub quiet: bool,
    pub threads: NonZeroUsize,
    /// Bytes that the process may have; none if nobody says how many.
    pub memory: Option<u64>,
}

/// Between two looks at the flag.
const PATIENCE: Duration = Duration::from_millis(50);

/// What an engine has to hand in its results once the flag is raised.
const GRACE: Duration = Duration::from_secs(5);

/// As much as the threads that read units have.
const STACK: usize = 64 << 20;

impl Run<'_> {
    /// Tells in the results why there is nothing, if so.
    pub fn over(
        &self,
        units: Vec<LinkUnit>,
        knowledge: Arc<Knowledge>,
        results: &mut Results,
    ) -> Option<Judged> {
        let start = Instant::now();
        let judged = self.ended(units, knowledge);
        results.wall += start.elapsed();
        let why = match judged {
            Ok(judged) => {
                results.interrupted |= self.setting.cancel.reason() == Some(Stop::Interrupted);
                return Some(judged);
            }
            Err(Lack::Stopped(stop)) => {
                results.interrupted |= stop == Stop::Interrupted;
                match stop {
                    Stop::Interrupted => {
                        "interrupted before the search for leaks was done".to_owned()
                    }
                    Stop::OutOfTime => {
                        "the time limit was reached before the search for leaks was done".to_owned()
                    }
                    Stop::OutOfMemory => {
                        "the memory limit was reached before the search for leaks was done"
                            .to_owned()
                    }
                }
            }
            Err(Lack::Crashed(text)) => format!("internal error, please report it: {text}"),
        };
        results.incomplete.push(Incomplete { what: Subject::Program, place: None, why });
        None
    }

    fn ended(&self, units: Vec<LinkUnit>, knowledge: Arc<Knowledge>) -> Result<Judged, Lack> {
        if let Some(stop) = self.setting.cancel.reason() {
            return Err(Lack::Stopped(stop));
        }
        let progress = ProgressLine::new(self.quiet);
        let (sender, receiver) = channel();
        let (judge, threads, setting) = (self.judge, self.threads, self.setting.clone());
        let work = move || {
            let judged = catch_unwind(AssertUnwindSafe(|| {
                with_threads(threads, STACK, || judge(units, &knowledge, &setting))
            }));
            // Nobody listens any more to one that comes too late.
            let _ = sender.send(judged);
        };
        let builder = thread::Builder::new().name("engine".to_owned()).stack_size(STACK);
        builder.spawn(work).map_err(|error| Lack::Crashed(error.to_string()))?;
        let mut raised: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(Ok(judged)) => return Ok(judged),
                Ok(Err(panic)) => return Err(Lack::Crashed(said(panic.as_ref()))),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Lack::Crashed("the engine ended without a word".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => progress.say("looking for leaks"),
            }
            if self.memory.is_some_and(|limit| memory_in_use().is_some_and(|used| used > limit)) {
                self.setting.cancel.out_of_memory();
            }
            if let Some(stop) = self.setting.cancel.reason()
                && raised.get_or_insert_with(Instant::now).elapsed() >= GRACE
            {
                return Err(Lack::Stopped(stop));
            }
        }
    }
}

/// Why there are no verdicts.
enum Lack {
    Stopped(Stop),
    Crashed(String),
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(judge: Judge, cancel: &CancelFlag) -> (bool, Results) {
        let mut results = Results::default();
        let setting = Setting { meter: METER, cancel: cancel.clone(), summaries: None };
        let threads = NonZeroUsize::MIN;
        let run = Run { judge, setting: &setting, quiet: true, threads, memory: None };
        let judged = run.over(Vec::new(), Arc::new(Knowledge::bundled()), &mut results);
        (judged.is_some(), results)
    }

    fn done() -> Judged {
        Judged { verdicts: Verdicts::default(), stages: Vec::new(), modules: Vec::new() }
    }

    #[test]
    fn an_engine_that_ends_is_heard() {
        let (judged, results) = run(|_, _, _| done(), &CancelFlag::new());
        assert!(judged && results.incomplete.is_empty() && !results.interrupted);
    }

    #[test]
    fn an_engine_that_hangs_is_left_alone() {
        let forever: Judge = |_, _, _| {
            thread::sleep(Duration::from_secs(1000));
            done()
        };
        for interrupt in [true, false] {
            let cancel = CancelFlag::new();
            let raised = cancel.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(100));
                if interrupt { raised.cancel() } else { raised.out_of_time() }
            });
            let (judged, results) = run(forever, &cancel);
            assert!(!judged);
            assert_eq!(results.interrupted, interrupt);
            assert!(results.incomplete[0].why.contains("before the search for leaks was done"));
        }
    }

    /// It saw the flag, and hands in what it has.
    #[test]
    fn an_engine_that_is_stopped_is_heard() {
        let obedient: Judge = |_, _, setting| {
            setting.cancel.cancel();
            done()
        };
        let (judged, results) = run(obedient, &CancelFlag::new());
        assert!(judged && results.interrupted && results.incomplete.is_empty());
    }

    #[test]
    fn an_engine_that_crashes_costs_its_verdicts_only() {
        let (judged, results) = run(|_, _, _| panic!("odd"), &CancelFlag::new());
        assert!(!judged);
        assert_eq!(results.incomplete[0].why, "internal error, please report it: odd");
    }
}
