//! Holders: who may, and who must, hold a reference to a heap object at a program point, and at
//! which statements its last reference dies. One answer for all engines.
//!
//! The facts of one pair of instance and object speak of **one** object of the allocation site:
//! the *newest* one as seen from the point, or one of the *older* ones, which the site made
//! before (recency). They speak only of executions in which that object exists: a path on which it
//! was not made yet, was surely released, or on which its address turned out to be NULL, says
//! nothing and drops out of every join.
//!
//! [`Tracked`] is where the address goes in the whole program, by the value-flow graph; what is
//! not reached there, or cannot point to the object, is never a holder. Inside an instance a
//! forward data-flow problem over those few *carriers* (`holders_carriers`) finds what each one
//! holds: variables from `Set` to the next `Set` or the end of their scope, temporaries while
//! they are live, and memory by its writes in memory SSA, strong where the chain says so. Each
//! carrier has three bits: it may hold the newest object, an older one, something else.
//! - *may hold*: one of the first two bits is set.
//! - *must hold*: only the bit of the newest object is set, so that it holds that object on every
//!   path on which the object exists. Never said of older objects, of which there may be many.
//!
//! A **death** is a statement at which a holder lets go (overwritten, end of scope, freed owner,
//! a temporary that nobody takes) while no other holder *must* still hold the object. How much is
//! claimed is kept apart in [`Last`]:
//! - [`Last::Surely`]: it must have held the object, nothing may have released the object before,
//!   and afterwards nothing may hold it. If the object exists here, it is lost here.
//! - [`Last::Maybe`]: afterwards nothing may hold it; whether this one did is not certain.
//! - [`Last::Unless`]: others may hold it, on other paths, or other objects of the site.
//!
//! An observed loss is always among the deaths; `tests/holders_run.rs` compares them.
//!
//! References that leave the activation (returned, left in memory that outlives it) are listed
//! as deaths of their own kinds: whether they are losses is the caller's question. Deliberately
//! absent: conditions of paths; an owner that is itself lost, not freed (ask for its deaths).

use caulk_ir::{ValueId, VarId};
use caulk_pointer::{LocId, ObjId};
use caulk_program::{ExternalId, InstanceId};

use crate::graph::Flow;
use crate::holders_carriers::{Carrier, Carriers};
use crate::holders_deaths::Recorder;
use crate::holders_step::{HOLD, NEW, State, Step};
use crate::holders_tracked::Tracked;
use crate::node::Point;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// A source variable that lives in SSA values.
    Variable(VarId),
    /// A value on its way, in no variable.
    Temporary(ValueId),
    /// Memory of this activation: an address-taken local, an aggregate.
    Local(LocId),
    Global(LocId),
    /// Memory that a caller handed in: its locals, what its parameters reach.
    Outer(LocId),
    /// A place in a heap object.
    Field(LocId),
    /// A library function that keeps it, or one that nothing is known of.
    Library(Option<ExternalId>),
    /// Callers of this activation, in places that it does not touch.
    Callers,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    pub point: Point,
    pub kind: DeathKind,
    /// Who let go.
    pub holder: Holder,
    pub last: Last,
    pub age: Age,
    /// Something before may have released the object.
    pub may_be_freed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeathKind {
    Overwritten,
    /// NULL was stored into a global.
    GlobalCleared,
    EndOfScope,
    /// The object that held it was released.
    LostWithOwner(ObjId),
    /// A value that nobody took.
    Dropped,
    /// Handed to the caller as the result.
    Returned,
    /// Left at this return in memory that outlives the activation.
    Escaped {
        /// At another return nothing holds it: K9.
        only_here: bool,
    },
}

impl DeathKind {
    /// Not lost: it left the activation.
    #[must_use]
    pub fn is_transfer(self) -> bool {
        matches!(self, DeathKind::Returned | DeathKind::Escaped { .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Last {
    Surely,
    Maybe,
    /// These may still hold it.
    Unless(Vec<Holder>),
}

/// Which object of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Age {
    Newest,
    Older,
}

/// The holders of one object in one instance.
pub struct Holders<'f, 'm, 'p> {
    pub(crate) step: Step<'f, 'm, 'p>,
    /// At the start of each block; none where control does not come.
    starts: Vec<Option<State>>,
}

impl<'f, 'm, 'p> Holders<'f, 'm, 'p> {
    #[must_use]
    pub fn new(flow: &'f Flow<'m, 'p>, tracked: &'f Tracked, instance: InstanceId) -> Self {
        let step =
            Step { flow, tracked, instance, carriers: Carriers::new(flow, tracked, instance) };
        let starts = step.solve();
        Self { step, starts }
    }

    /// Just before the point; sorted.
    #[must_use]
    pub fn may_hold(&self, point: Point) -> Vec<Holder> {
        self.at(point, |bits| bits & HOLD != 0)
    }

    /// Just before the point; sorted.
    #[must_use]
    pub fn must_hold(&self, point: Point) -> Vec<Holder> {
        self.at(point, |bits| bits == NEW)
    }

    fn at(&self, point: Point, holds: impl Fn(u8) -> bool) -> Vec<Holder> {
        match self.state_before(point) {
            Some(state) if state.exists => self.holders(&state, holds),
            _ => Vec::new(),
        }
    }

    pub(crate) fn holders(&self, state: &State, holds: impl Fn(u8) -> bool) -> Vec<Holder> {
        holders_in(&self.step, state, holds)
    }

    /// The statements at which the last reference may die, in the order of blocks.
    #[must_use]
    pub fn deaths(&self) -> Vec<Death> {
        let mut recorder = Recorder::new(&self.step);
        for (block, start) in self.step.body().blocks.ids().zip(&self.starts) {
            if let Some(start) = start {
                self.step.pass_block(block, start.clone(), &mut recorder);
            }
        }
        recorder.finish()
    }

    /// Every point of the instance in the order of blocks, with the state just after it; that at
    /// the start of a block comes first.
    pub(crate) fn walk(&self, mut visit: impl FnMut(Point, &State)) {
        let silent = &mut Recorder::silent(&self.step);
        for (block, start) in self.step.body().blocks.ids().zip(&self.starts) {
            let Some(mut state) = start.clone() else { continue };
            visit(Point::Start(block), &state);
            for inst in self.step.body().blocks[block].insts() {
                self.step.inst(inst, &mut state, silent);
                visit(Point::Inst(inst), &state);
            }
        }
    }

    pub(crate) fn state_before(&self, point: Point) -> Option<State> {
        let facts = self.step.flow.memory.facts(self.step.instance);
        let (block, end) = match point {
            Point::Entry => (caulk_ir::BlockId::ENTRY, None),
            Point::Start(block) => (block, None),
            Point::Inst(inst) => (facts.block_of(inst), Some(inst)),
            Point::Terminator(block) => (block, Some(self.step.body().blocks[block].end)),
        };
        let mut state = self.starts[block.0 as usize].clone()?;
        let insts = self.step.body().blocks[block].insts();
        for inst in insts.take_while(|&inst| end.is_some_and(|end| inst < end)) {
            self.step.inst(inst, &mut state, &mut Recorder::silent(&self.step));
        }
        Some(state)
    }
}

/// A temporary that a variable holds as well is named by the variable alone.
pub(crate) fn holders_in(step: &Step, state: &State, holds: impl Fn(u8) -> bool) -> Vec<Holder> {
    let in_variables: Vec<ValueId> = state.current.iter().flatten().copied().collect();
    let mut found: Vec<Holder> = Vec::new();
    for (at, &carrier) in step.carriers.rows.iter().enumerate() {
        let hidden = matches!(carrier, Carrier::Value(value) if in_variables.contains(&value));
        if !hidden && holds(state.bits[at]) {
            found.push(step.holder(carrier));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
