//! Calls after which control does not come back, beside those that the representation ends a block
//! with: library functions whose model says so, and (a switch) functions that end every path of
//! theirs in such a call, or run for ever, by themselves or with the constants that they are given.
//! A call through a pointer does not come back if no function that the pointer may mean does. What is
//! still held there is not lost.
//!
//! Few procedures are asked about: each is decided when it is, together with what it calls.

use std::sync::{Mutex, OnceLock};

use caulk_base::{BitSet, FxHashMap, Table};
use caulk_flow::Point;
use caulk_ir::{BlockId, Body, CallId, Terminator};
use caulk_memory::Memory;
use caulk_models::Returns;
use caulk_pointer::Target;
use caulk_program::{DirectCalls, Endings, InstanceId, ProcId};

pub(crate) struct Endless<'c> {
    calls: &'c DirectCalls,
    look_inside: bool,
    /// By control flow and constants alone.
    endings: OnceLock<Endings>,
    /// The calls of each procedure that do not come back. With a procedure all that it calls is
    /// decided, so what was learnt stays as it is, whoever asks next.
    points: Table<ProcId, OnceLock<Vec<Point>>>,
    never_return: Mutex<BitSet<ProcId>>,
}

/// Procedures that are being decided together.
struct Open<'e> {
    points: FxHashMap<ProcId, Vec<Point>>,
    never_return: &'e mut BitSet<ProcId>,
}

impl<'c> Endless<'c> {
    pub fn new(memory: &Memory, calls: &'c DirectCalls, look_inside: bool) -> Self {
        let procs = &memory.input().program.procs;
        let never_return = Mutex::new(BitSet::new(procs.len()));
        let points = procs.ids().map(|_| OnceLock::new()).collect();
        Self { calls, look_inside, endings: OnceLock::new(), points, never_return }
    }

    /// The calls of the procedure that do not come back.
    pub fn points(&self, memory: &Memory, proc: ProcId) -> &[Point] {
        if self.points[proc].get().is_none() {
            self.learn(memory, proc);
        }
        self.points[proc].get().map_or(&[], Vec::as_slice)
    }

    fn learn(&self, memory: &Memory, proc: ProcId) {
        let mut never_return = self.never_return.lock().expect("no thread panics with the lock");
        let mut open = Open { points: FxHashMap::default(), never_return: &mut never_return };
        match self.look_inside {
            true => open.decide(memory, self.endings(memory), &self.undecided(memory, proc)),
            false => {
                open.update(memory, &Endings::default(), proc);
            }
        }
        // Another thread may have waited to learn the same.
        open.points.into_iter().for_each(|(proc, points)| {
            self.points[proc].get_or_init(|| points);
        });
    }

    fn endings(&self, memory: &Memory) -> &Endings {
        let input = memory.input();
        self.endings.get_or_init(|| Endings::new(input.program, input.externals, self.calls))
    }

    /// The procedure and all that it may come to, as far as they are undecided.
    fn undecided(&self, memory: &Memory, proc: ProcId) -> Vec<ProcId> {
        let input = memory.input();
        let mut seen = BitSet::new(input.program.procs.len());
        let mut found = Vec::new();
        let mut work = vec![proc];
        while let Some(proc) = work.pop() {
            if self.points[proc].get().is_some() || !seen.insert(proc) {
                continue;
            }
            found.push(proc);
            let instance = input.instances.base(proc);
            let calls = memory.accesses(instance).calls.iter();
            let targets = calls.flat_map(|&(_, call)| input.points_to.callees(instance, call));
            work.extend(targets.filter_map(|target| match *target {
                Target::Instance(callee) => Some(input.instances.proc(callee)),
                _ => None,
            }));
        }
        found
    }
}

impl Open<'_> {
    /// Each round may find callers of what the last one found; callees mostly come last in the list.
    fn decide(&mut self, memory: &Memory, endings: &Endings, procs: &[ProcId]) {
        loop {
            let mut changed = false;
            for &proc in procs.iter().rev() {
                changed |= self.update(memory, endings, proc);
                changed |= !self.returns(memory, proc) && self.never_return.insert(proc);
            }
            if !changed {
                return;
            }
        }
    }

    /// True if there are more than before.
    fn update(&mut self, memory: &Memory, endings: &Endings, proc: ProcId) -> bool {
        let instance = memory.input().instances.base(proc);
        let calls = memory.accesses(instance).calls.iter();
        let ends = calls.filter(|&&(_, call)| self.is_end(memory, endings, instance, call));
        let points: Vec<Point> = ends.map(|&(inst, _)| Point::Inst(inst)).collect();
        let count = points.len();
        self.points.insert(proc, points).map_or(0, |before| before.len()) != count
    }

    fn is_end(
        &self,
        memory: &Memory,
        endings: &Endings,
        instance: InstanceId,
        call: CallId,
    ) -> bool {
        let input = memory.input();
        let targets = input.points_to.callees(instance, call);
        let ends = |target: &Target| match *target {
            Target::External(external) => {
                input.externals.of(external).is_some_and(|it| it.returns == Returns::Never)
            }
            Target::Instance(callee) => self.never_return.contains(input.instances.proc(callee)),
            Target::Unknown => false,
        };
        endings.ends(input.instances.proc(instance), call)
            || !targets.is_empty() && targets.iter().all(ends)
    }

    /// Whether a path comes from the entry to a return.
    fn returns(&self, memory: &Memory, proc: ProcId) -> bool {
        let body = memory.input().program.body(proc);
        let mut seen = BitSet::new(body.blocks.len());
        let mut work = vec![BlockId::ENTRY];
        while let Some(block) = work.pop() {
            if !seen.insert(block) || self.is_stopped(body, proc, block) {
                continue;
            }
            let terminator = &body.blocks[block].terminator;
            if matches!(terminator, Terminator::Return(_)) {
                return true;
            }
            work.extend(terminator.edges().map(|edge| edge.to));
        }
        false
    }

    fn is_stopped(&self, body: &Body, proc: ProcId, block: BlockId) -> bool {
        let row = &body.blocks[block];
        self.points[&proc].iter().any(|point| match *point {
            Point::Inst(inst) => row.first <= inst && inst < row.end,
            _ => false,
        })
    }
}
