//! Calls after which control does not come back, beside those that the representation ends a block
//! with: library functions whose model says so, and (a switch) functions that end every path of
//! theirs in such a call, or run for ever, by themselves or with the constants that they are given.
//! A call through a pointer does not come back if no function that the pointer may mean does. What is
//! still held there is not lost.

use caulk_base::{BitSet, Table};
use caulk_flow::Point;
use caulk_ir::{BlockId, Body, CallId, Terminator};
use caulk_memory::Memory;
use caulk_models::Returns;
use caulk_pointer::Target;
use caulk_program::{DirectCalls, Endings, InstanceId, ProcId};

pub(crate) struct Endless {
    /// The calls of each procedure.
    points: Table<ProcId, Vec<Point>>,
    never_return: BitSet<ProcId>,
    /// By control flow and constants alone.
    endings: Endings,
}

impl Endless {
    pub fn new(memory: &Memory, look_inside: bool) -> Self {
        let program = memory.input().program;
        let never_return = BitSet::new(program.procs.len());
        let points = program.procs.ids().map(|_| Vec::new()).collect();
        let endings = match look_inside {
            true => Endings::new(program, memory.input().externals, &DirectCalls::new(program)),
            false => Endings::default(),
        };
        let mut endless = Self { points, never_return, endings };
        // Each round may find callers of what the last one found.
        loop {
            let mut changed = false;
            for proc in program.procs.ids() {
                changed |= endless.update(memory, proc) && look_inside;
            }
            if !changed {
                return endless;
            }
            for proc in program.procs.ids() {
                if !endless.returns(memory, proc) {
                    endless.never_return.insert(proc);
                }
            }
        }
    }

    /// The calls of the procedure that do not come back.
    pub fn points(&self, proc: ProcId) -> &[Point] {
        &self.points[proc]
    }

    /// True if there are more than before; at first always, so that there is a second round.
    fn update(&mut self, memory: &Memory, proc: ProcId) -> bool {
        let instance = memory.input().instances.base(proc);
        let calls = memory.accesses(instance).calls.iter();
        let ends = calls.filter(|&&(_, call)| self.is_end(memory, instance, call));
        let points: Vec<Point> = ends.map(|&(inst, _)| Point::Inst(inst)).collect();
        let changed = points.len() != self.points[proc].len();
        self.points[proc] = points;
        changed || self.never_return.is_empty() && !self.returns(memory, proc)
    }

    fn is_end(&self, memory: &Memory, instance: InstanceId, call: CallId) -> bool {
        let input = memory.input();
        let targets = input.points_to.callees(instance, call);
        let ends = |target: &Target| match *target {
            Target::External(external) => {
                input.externals.of(external).is_some_and(|it| it.returns == Returns::Never)
            }
            Target::Instance(callee) => self.never_return.contains(input.instances.proc(callee)),
            Target::Unknown => false,
        };
        self.endings.ends(input.instances.proc(instance), call)
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
        self.points[proc].iter().any(|point| match *point {
            Point::Inst(inst) => row.first <= inst && inst < row.end,
            _ => false,
        })
    }
}
