//! What an observed run does between operations: variables set by edges, deaths of cells, and
//! facts for the trace.

use caulk_ir::BlockId;

use crate::event::{EventKind, Keeper};
use crate::holders::{Death, HeldBy, Holder};
use crate::machine::{Frame, Machine};
use crate::memory::{ObjectKind, State};
use crate::trace::{Access, Fact, FactKind};

impl Machine<'_> {
    /// Block parameters that are versions of source variables hold their values from here on.
    pub fn observe_edge(&mut self, edge: u32) {
        self.tell_block(edge);
        if !self.watch {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let (code, base) = (frame.code.clone(), frame.base);
        for &(var, reg) in code.edge_sets.get(edge as usize).into_iter().flatten() {
            let origin = self.regs[base + reg as usize].origin();
            self.hold(var, origin);
        }
        self.blocks += 1;
        if self.sample.is_some_and(|every| self.blocks.is_multiple_of(every)) {
            self.tell_holders();
        }
    }

    /// What holds each cell: the variables of all activations, and the words of all objects.
    fn tell_holders(&mut self) {
        let mut held: Vec<(u32, Keeper)> = Vec::new();
        for (index, frame) in self.frames.iter().enumerate() {
            let depth = index + 1;
            let held_by =
                |(var, &cell): (usize, &u32)| (cell, Keeper::Variable { depth, var: var as u32 });
            held.extend(frame.held.iter().enumerate().map(held_by));
        }
        for (id, object) in self.memory.objects.iter().enumerate() {
            if object.state == State::Live {
                let object_id = id as u32;
                let held_by = |(word, &cell): (usize, &u32)| {
                    (cell, Keeper::Word { object: object_id, offset: word as u64 * 8 })
                };
                held.extend(object.origins.iter().enumerate().map(held_by));
            }
        }
        held.retain(|&(cell, _)| self.is_live_cell(cell));
        for (cell, by) in held {
            self.tell_event(EventKind::Held { cell, by });
        }
    }

    fn is_live_cell(&self, id: u32) -> bool {
        let object = self.memory.object(id);
        object.kind == ObjectKind::Heap && object.state == State::Live
    }

    fn tell_block(&mut self, edge: u32) {
        let edges = self.frames.last().map(|frame| &frame.code.edges);
        let edge = edges.and_then(|edges| edges.get(edge as usize));
        if let Some(block) = edge.map(|edge| BlockId(edge.block)) {
            self.tell_event(EventKind::Block { block });
        }
    }

    pub fn observe(&mut self) {
        if self.memory.has_fallen() {
            self.settle();
        }
        self.flush_trace();
    }

    /// Cells that lost their last holder as this activation ended died in it.
    pub fn settle_in(&mut self, ended: Frame) {
        if self.memory.has_fallen() {
            self.frames.push(ended);
            self.settle();
            self.frames.pop();
        }
    }

    /// Cells that lost their last holder died here.
    fn settle(&mut self) {
        let stack = self.stack_now();
        let Some(mut holders) = self.memory.holders.take() else { return };
        for (cell, held_by) in std::mem::take(&mut holders.fallen) {
            if holders.count(cell) == 0 {
                let holder = self.describe(&held_by);
                holders.deaths.insert(cell, Death { holder, stack });
            }
        }
        self.memory.holders = Some(holders);
    }

    /// The holder, in words that outlive the object.
    fn describe(&self, held_by: &HeldBy) -> Holder {
        match *held_by {
            HeldBy::Variable { function, var } => Holder::Variable { function, var },
            HeldBy::Memory { object, offset } => {
                let row = self.memory.object(object);
                match row.kind {
                    ObjectKind::Global(global) => Holder::Global { global, offset },
                    ObjectKind::Slot { function, slot } => Holder::Slot { function, slot, offset },
                    ObjectKind::Heap => Holder::Cell { made_at: row.made_at, offset },
                    _ => Holder::Other,
                }
            }
        }
    }

    pub fn flush_trace(&mut self) {
        let accesses = match &mut self.memory.trace {
            Some(trace) if !trace.is_empty() => std::mem::take(trace),
            _ => return,
        };
        let Some(function) = self.frames.last().map(|frame| frame.function) else { return };
        for access in accesses {
            self.tell_access(&access);
            if let (Some(pc), true) = (access.pc, self.trace.is_some()) {
                self.tell_fact(function, pc, &access);
            }
        }
    }

    fn tell_fact(&mut self, function: u32, pc: u32, access: &Access) {
        let (object, offset, size) = (access.object, access.offset, access.size as u32);
        let kind = if access.store {
            FactKind::Store { object, offset, size }
        } else {
            FactKind::Load { object, offset, size }
        };
        let at = self.place(function, pc);
        self.tell(Fact { at, kind });
    }

    fn tell(&mut self, fact: Fact) {
        if let Some(trace) = &mut self.trace {
            trace(&fact);
        }
    }

    /// Tells a fact about the operation that is running.
    pub fn tell_here(&mut self, kind: FactKind) {
        if self.trace.is_none() {
            return;
        }
        self.flush_trace();
        let Some((function, pc)) = self.frames.last().map(|frame| (frame.function, frame.pc))
        else {
            return;
        };
        let at = self.place(function, pc as u32);
        self.tell(Fact { at, kind });
    }

    pub fn trace_call(&mut self, function: u32) {
        if self.trace.is_some() {
            let callee = self.program.functions[function as usize].name.clone();
            self.tell_here(FactKind::Call { callee });
        }
        self.tell_event(EventKind::Call { function });
    }
}
