//! What instructions and edges do to the carriers of an object: the transfer functions of
//! `holders`, and their fixpoint over the blocks.

use caulk_base::BitSet;
use caulk_ir::{BlockId, Body, Constant, Inst, InstId, ScopeId, Terminator, ValueId};
use caulk_memory::View;
use caulk_program::InstanceId;

use crate::graph::Flow;
use crate::holders::{DeathKind, Holder};
use crate::holders_carriers::{Carrier, Carriers};
use crate::holders_deaths::Recorder;
use crate::holders_tracked::Tracked;
use crate::node::Point;

/// May hold the newest object of the site.
pub(crate) const NEW: u8 = 1;
/// May hold one that the site made before.
pub(crate) const OLD: u8 = 2;
/// May hold something else, or nothing.
pub(crate) const OTHER: u8 = 4;
pub(crate) const HOLD: u8 = NEW | OLD;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// By carrier.
    pub bits: Vec<u8>,
    /// The value that a variable has, if it is the same on all paths; by carrier.
    pub current: Vec<Option<ValueId>>,
    /// Without the object the bits mean nothing.
    pub exists: bool,
    pub may_be_freed: bool,
}

impl State {
    fn absent(count: usize) -> Self {
        let (bits, current) = (vec![OTHER; count], vec![None; count]);
        Self { bits, current, exists: false, may_be_freed: false }
    }

    pub fn forget(&mut self) {
        self.bits.fill(OTHER);
        self.exists = false;
        self.may_be_freed = false;
    }

    /// Whether anything changed.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (mine, theirs) in self.current.iter_mut().zip(&other.current) {
            if mine != theirs {
                *mine = None;
            }
        }
        if other.exists {
            if !self.exists {
                self.bits.fill(0);
            }
            for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
                *mine |= theirs;
            }
            self.exists = true;
            self.may_be_freed |= other.may_be_freed;
        }
        *self != before
    }
}

pub(crate) struct Step<'f, 'm, 'p> {
    pub flow: &'f Flow<'m, 'p>,
    pub tracked: &'f Tracked,
    pub instance: InstanceId,
    pub carriers: Carriers,
}

impl<'p> Step<'_, '_, 'p> {
    pub fn body(&self) -> &'p Body {
        self.flow.body(self.instance)
    }

    /// The state at the start of each block that control reaches.
    pub fn solve(&self) -> Vec<Option<State>> {
        let body = self.body();
        let order = self.flow.memory.facts(self.instance).cfg().order();
        let mut starts: Vec<Option<State>> = vec![None; body.blocks.len()];
        starts[0] = Some(self.entry());
        let mut changed: BitSet<BlockId> = BitSet::new(body.blocks.len());
        changed.insert(BlockId::ENTRY);
        while !changed.is_empty() {
            for &block in order.reverse_post_order() {
                if !changed.remove(block) {
                    continue;
                }
                let Some(mut state) = starts[block.0 as usize].clone() else { continue };
                let silent = &mut Recorder::silent(self);
                for inst in body.blocks[block].insts() {
                    self.inst(inst, &mut state, silent);
                }
                for (nth, edge) in body.blocks[block].terminator.edges().enumerate() {
                    let arriving = self.along(block, nth, edge, &state);
                    let grown = match &mut starts[edge.to.0 as usize] {
                        Some(known) => known.join(&arriving),
                        unknown => unknown.insert(arriving).bits.len() == state.bits.len(),
                    };
                    if grown {
                        changed.insert(edge.to);
                    }
                }
            }
        }
        starts
    }

    /// What callers bring in.
    fn entry(&self) -> State {
        let mut state = State::absent(self.carriers.rows.len());
        let made_here = self.tracked.is_made_in(self.instance);
        let seed = if made_here { OLD | OTHER } else { NEW | OTHER };
        for (at, &carrier) in self.carriers.rows.iter().enumerate() {
            let comes_in = match carrier {
                Carrier::Value(value) => self.body().params.contains(&value),
                Carrier::Memory(region, View::All) => {
                    self.tracked.holds_at_entry(self.flow, self.instance, region)
                }
                Carrier::Callers => true,
                _ => false,
            };
            if comes_in {
                state.bits[at] = seed;
                state.exists = true;
            }
        }
        state
    }

    /// A last pass over a block, for the record.
    pub fn pass_block(&self, block: BlockId, mut state: State, recorder: &mut Recorder) {
        let row = &self.body().blocks[block];
        for inst in row.insts() {
            self.inst(inst, &mut state, recorder);
        }
        if !state.exists {
            return;
        }
        for (nth, edge) in row.terminator.edges().enumerate() {
            let after = self.along(block, nth, edge, &state);
            if after.exists {
                recorder.compare(Point::Terminator(block), &state, &after, |_| DeathKind::Dropped);
            }
        }
        if let Terminator::Return(result) = row.terminator {
            recorder.leave(block, result, &state);
        }
    }

    pub fn inst(&self, inst: InstId, state: &mut State, recorder: &mut Recorder) {
        if !self.carriers.is_relevant(inst) {
            return;
        }
        if let Inst::Call(call) = self.body().insts[inst] {
            self.before_call(inst, call, state, recorder);
        }
        if let Some(result) = self.body().results[inst] {
            self.redefine(result, state);
        }
        if !state.exists {
            self.follow_variable(inst, state);
            return;
        }
        let before = state.clone();
        self.write_memory(inst, state, recorder);
        self.define(inst, &before, state);
        self.follow_variable(inst, state);
        if let Inst::ScopeEnd(scope) = self.body().insts[inst] {
            self.end_scope(scope, state);
        }
        for &at in self.carriers.dying(inst) {
            state.bits[at] = OTHER;
        }
        recorder.compare(Point::Inst(inst), &before, state, |at| self.kind_at(inst, at));
        self.record_replacement(inst, &before, state, recorder);
    }

    /// A variable or a cell that got another value may have held another object of the site.
    fn record_replacement(
        &self,
        inst: InstId,
        before: &State,
        after: &State,
        recorder: &mut Recorder,
    ) {
        match self.body().insts[inst] {
            Inst::Set { var, value } => {
                let Some(at) = self.carriers.variable(var) else { return };
                if before.current[at].map(|it| self.base(it)) != Some(self.base(value)) {
                    recorder.replaced(Point::Inst(inst), at, before.bits[at], after);
                }
            }
            Inst::Store { .. } => {
                for row in self.carriers.memory.iter().filter(|row| self.is_strong(inst, row)) {
                    recorder.replaced(Point::Inst(inst), row.at, before.bits[row.at], after);
                }
            }
            _ => {}
        }
    }

    pub fn value_bits(&self, state: &State, value: ValueId) -> u8 {
        self.carriers.value(value).map_or(OTHER, |at| state.bits[at])
    }

    /// A variable that has the value from the last time round has no value with a name now.
    pub fn redefine(&self, value: ValueId, state: &mut State) {
        for current in &mut state.current {
            if current.is_some_and(|it| it == value || self.base(it) == value) {
                *current = None;
            }
        }
    }

    fn follow_variable(&self, inst: InstId, state: &mut State) {
        let Inst::Set { var, value } = self.body().insts[inst] else { return };
        if let Some(at) = self.carriers.variable(var) {
            state.current[at] = Some(value);
            if state.exists {
                state.bits[at] = self.value_bits(state, value);
            }
        }
    }

    fn end_scope(&self, scope: ScopeId, state: &mut State) {
        let body = self.body();
        for (at, &carrier) in self.carriers.rows.iter().enumerate() {
            let dies = match carrier {
                Carrier::Variable(var) => body.vars[var].scope == scope,
                Carrier::Memory(region, _) => self.is_in_scope(region, scope),
                _ => false,
            };
            if dies {
                state.bits[at] = OTHER;
                state.current[at] = None;
            }
        }
    }

    /// What the operands of an instruction, and the memory that it reads, hold.
    pub fn gather(&self, inst: InstId, state: &State) -> u8 {
        let mut bits = 0;
        self.body().operands(inst, |value| {
            bits |= self.carriers.value(value).map_or(0, |at| state.bits[at]);
        });
        for row in &self.carriers.memory {
            if row.chain.read_at(inst).is_some() {
                bits |= state.bits[row.at];
            }
        }
        if bits & HOLD == 0 { OTHER } else { bits }
    }

    fn define(&self, inst: InstId, before: &State, state: &mut State) {
        let Some(result) = self.body().results[inst] else { return };
        let Some(at) = self.carriers.value(result) else { return };
        state.bits[at] = match self.body().insts[inst] {
            Inst::Load { from, .. } => self.loaded(inst, from, before),
            Inst::Field { .. }
            | Inst::Index { .. }
            | Inst::Convert { .. }
            | Inst::Binary { .. } => self.gather(inst, before),
            Inst::Call(call) => self.call_result(inst, call, before),
            _ => self.gather(inst, before) | OTHER,
        };
    }

    pub fn kind_at(&self, inst: InstId, at: usize) -> DeathKind {
        let carrier = self.carriers.rows[at];
        match (self.body().insts[inst], carrier) {
            (_, Carrier::Value(_)) => DeathKind::Dropped,
            (Inst::ScopeEnd(_), _) => DeathKind::EndOfScope,
            (Inst::Store { value, .. }, Carrier::Memory(..))
                if self.body().constant(value) == Some(Constant::Int(0))
                    && matches!(self.holder(carrier), Holder::Global(_)) =>
            {
                DeathKind::GlobalCleared
            }
            _ => DeathKind::Overwritten,
        }
    }

    pub fn holder(&self, carrier: Carrier) -> Holder {
        match carrier {
            Carrier::Variable(var) => Holder::Variable(var),
            Carrier::Value(value) => Holder::Temporary(value),
            Carrier::Library(external) => Holder::Library(external),
            Carrier::Callers => Holder::Callers,
            Carrier::Memory(region, _) => self.memory_holder(region),
        }
    }
}
