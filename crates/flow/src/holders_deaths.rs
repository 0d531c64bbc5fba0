//! The record of who let go of an object where, and of the ways out of the activation.

use caulk_ir::{BlockId, Inst, ValueId};
use caulk_memory::View;
use caulk_pointer::LocId;

use crate::holders::{Age, Death, DeathKind, Holder, Last, holders_in};
use crate::holders_carriers::Carrier;
use crate::holders_step::{HOLD, NEW, OLD, State, Step};
use crate::node::Point;

pub(crate) struct Recorder<'s, 'f, 'm, 'p> {
    step: &'s Step<'f, 'm, 'p>,
    is_silent: bool,
    deaths: Vec<Death>,
    /// Returns at which the object exists, and whether it leaves the activation there.
    returns: Vec<(BlockId, bool)>,
}

impl<'s, 'f, 'm, 'p> Recorder<'s, 'f, 'm, 'p> {
    pub fn new(step: &'s Step<'f, 'm, 'p>) -> Self {
        Self { step, is_silent: false, deaths: Vec::new(), returns: Vec::new() }
    }

    /// For passes that only compute states.
    pub fn silent(step: &'s Step<'f, 'm, 'p>) -> Self {
        Self { is_silent: true, ..Self::new(step) }
    }

    /// Everything that held before and does not hold after.
    pub fn compare(
        &mut self,
        point: Point,
        before: &State,
        after: &State,
        kind: impl Fn(usize) -> DeathKind,
    ) {
        if self.is_silent || !before.exists {
            return;
        }
        for at in 0..before.bits.len() {
            // Asked first: most carriers hold what they held.
            let gone = before.bits[at] & HOLD & !after.bits[at] != 0;
            let still = || {
                self.is_handed_on(point, at)
                    || self.is_replaced_by_newer(point, at)
                    || self.has_twin(at, before, after)
            };
            if gone && !still() {
                self.lost(point, at, kind(at), before.bits[at], after);
            }
        }
        self.unused_result(point, before, after);
    }

    /// A temporary whose last use is as an argument lives on in the callee, or in the parameter
    /// of the block that it is passed to.
    fn is_handed_on(&self, point: Point, at: usize) -> bool {
        let Carrier::Value(value) = self.step.carriers.rows[at] else { return false };
        let body = self.step.body();
        let inst = match point {
            Point::Inst(inst) => inst,
            Point::Terminator(block) => {
                return body.blocks[block].terminator.edges().any(|it| it.args.contains(&value));
            }
            Point::Entry | Point::Start(_) => return false,
        };
        let Inst::Call(call) = body.insts[inst] else { return false };
        let passed = body.calls[call].args.iter().any(|arg| arg.value == value);
        passed && self.step.flow.memory.callees(self.step.instance, call).next().is_some()
    }

    /// The view of the newest object of a site, where the site makes a new one: the contents of
    /// the one before are those of an older object now.
    fn is_replaced_by_newer(&self, point: Point, at: usize) -> bool {
        match (point, self.step.carriers.rows[at]) {
            (Point::Inst(inst), Carrier::Memory(_, View::Newest(maker))) => inst == maker,
            _ => false,
        }
    }

    /// Whether something else has the same value, or one computed from it.
    fn has_twin(&self, at: usize, before: &State, after: &State) -> bool {
        let rows = &self.step.carriers.rows;
        let value = match rows[at] {
            Carrier::Value(value) => Some(value),
            Carrier::Variable(_) => before.current[at],
            _ => None,
        };
        let Some(base) = value.map(|it| self.step.base(it)) else { return false };
        rows.iter().enumerate().any(|(other, &row)| {
            let theirs = match row {
                Carrier::Value(value) => Some(value),
                Carrier::Variable(_) => after.current[other],
                _ => None,
            };
            other != at
                && after.bits[other] & HOLD != 0
                && theirs.is_some_and(|it| self.step.base(it) == base)
        })
    }

    /// A call's result that nothing uses dies as it is made.
    fn unused_result(&mut self, point: Point, before: &State, after: &State) {
        let Point::Inst(inst) = point else { return };
        let body = self.step.body();
        let (Inst::Call(call), Some(result)) = (body.insts[inst], body.results[inst]) else {
            return;
        };
        let at = self.step.carriers.value(result);
        if let Some(at) = at.filter(|&at| self.is_unused_result(point, at)) {
            let bits = self.step.call_result(inst, call, before);
            self.lost(point, at, DeathKind::Dropped, bits, after);
        }
    }

    fn is_unused_result(&self, point: Point, at: usize) -> bool {
        match (point, self.step.carriers.rows[at]) {
            (Point::Inst(inst), Carrier::Value(value)) => {
                self.step.body().results[inst] == Some(value)
                    && self.step.carriers.dying(inst).contains(&at)
            }
            _ => false,
        }
    }

    /// The carrier let go of what it held.
    pub fn lost(&mut self, point: Point, at: usize, kind: DeathKind, held: u8, after: &State) {
        let gone = held & HOLD & !after.bits[at];
        self.record(point, at, kind, (gone, held == NEW), after);
    }

    /// The carrier may have let go of what it held.
    pub fn weakened(&mut self, point: Point, at: usize, kind: DeathKind, held: u8, after: &State) {
        self.record(point, at, kind, (held & HOLD, false), after);
    }

    /// The carrier got another reference, which may be to the same object.
    pub fn replaced(&mut self, point: Point, at: usize, held: u8, after: &State) {
        let kept = held & HOLD & after.bits[at];
        if self.is_silent || kept == 0 || held == NEW && after.bits[at] == NEW {
            return;
        }
        let holder = self.step.holder(self.step.carriers.rows[at]);
        for (bit, age) in [(NEW, Age::Newest), (OLD, Age::Older)] {
            if kept & bit != 0 && !(bit == NEW && self.is_surely_held(at, after)) {
                let last = Last::Unless(holders_in(self.step, after, |bits| bits & bit != 0));
                let (kind, may_be_freed) = (DeathKind::Overwritten, after.may_be_freed);
                self.push(Death { point, kind, holder, last, age, may_be_freed });
            }
        }
    }

    fn record(
        &mut self,
        point: Point,
        at: usize,
        kind: DeathKind,
        (gone, must): (u8, bool),
        after: &State,
    ) {
        if self.is_silent {
            return;
        }
        let holder = self.step.holder(self.step.carriers.rows[at]);
        for (bit, age) in [(NEW, Age::Newest), (OLD, Age::Older)] {
            if gone & bit == 0 || bit == NEW && self.is_surely_held(at, after) {
                continue;
            }
            let mut others = holders_in(self.step, after, |bits| bits & bit != 0);
            others.retain(|&other| other != holder);
            // What was loaded or computed on the way is still where it came from.
            let is_made = self.is_unused_result(point, at);
            if kind == DeathKind::Dropped && !others.is_empty() && !is_made {
                continue;
            }
            let last = match (others.is_empty(), must && bit == NEW && !after.may_be_freed) {
                (true, true) => Last::Surely,
                (true, false) => Last::Maybe,
                (false, _) => Last::Unless(others),
            };
            let may_be_freed = after.may_be_freed;
            self.push(Death { point, kind, holder, last, age, may_be_freed });
        }
    }

    fn push(&mut self, death: Death) {
        let same = |row: &Death| {
            (row.point, row.kind, row.holder, row.age)
                == (death.point, death.kind, death.holder, death.age)
        };
        match self.deaths.iter_mut().find(|row| same(row)) {
            // Several edges of one branch: the least certain claim holds for all of them.
            Some(known) if known.last < death.last => known.last = death.last,
            Some(_) => {}
            None => self.deaths.push(death),
        }
    }

    fn is_surely_held(&self, at: usize, after: &State) -> bool {
        after.bits.iter().enumerate().any(|(other, &bits)| other != at && bits == NEW)
    }

    /// The activation returns: memory of its own ends, and what else holds the object takes it
    /// out. Of several such places the surest is named.
    pub fn leave(&mut self, block: BlockId, result: Option<ValueId>, state: &State) {
        let point = Point::Terminator(block);
        let mut escape: Option<(bool, usize)> = None;
        for (at, &carrier) in self.step.carriers.rows.iter().enumerate() {
            let bits = state.bits[at];
            if bits & HOLD == 0 {
                continue;
            }
            match self.step.holder(carrier) {
                Holder::Local(_) => {
                    let mut after = state.clone();
                    after.bits[at] = 0;
                    self.lost(point, at, DeathKind::EndOfScope, bits, &after);
                }
                Holder::Temporary(value) if result == Some(value) => {
                    self.transfer(point, DeathKind::Returned, at, state);
                    escape.get_or_insert((false, at));
                }
                // Objects that hold each other keep nothing alive.
                Holder::Field(location) if self.is_of_object(location) => {}
                Holder::Global(_) | Holder::Outer(_) | Holder::Field(_) | Holder::Library(_) => {
                    escape = escape.max(Some((bits == NEW, at)));
                }
                Holder::Variable(_) | Holder::Temporary(_) | Holder::Callers => {}
            }
        }
        self.returns.push((block, escape.is_some()));
        let place = escape.map(|(_, at)| at);
        let is_result = |at: usize| matches!(self.step.carriers.rows[at], Carrier::Value(_));
        if let Some(at) = place.filter(|&at| !is_result(at)) {
            self.transfer(point, DeathKind::Escaped { only_here: false }, at, state);
        }
    }

    fn transfer(&mut self, point: Point, kind: DeathKind, at: usize, state: &State) {
        let holder = self.step.holder(self.step.carriers.rows[at]);
        let age = if state.bits[at] & NEW != 0 { Age::Newest } else { Age::Older };
        let last = if state.bits[at] == NEW { Last::Surely } else { Last::Maybe };
        let may_be_freed = state.may_be_freed;
        self.push(Death { point, kind, holder, last, age, may_be_freed });
    }

    fn is_of_object(&self, location: LocId) -> bool {
        let locations = &self.step.flow.memory.input().points_to.locations;
        locations.object(location) == self.step.tracked.object
    }

    pub fn finish(mut self) -> Vec<Death> {
        let some_do_not = self.returns.iter().any(|&(_, escapes)| !escapes);
        for death in &mut self.deaths {
            if let DeathKind::Escaped { only_here } = &mut death.kind {
                *only_here = some_do_not;
            }
        }
        self.deaths
    }
}
