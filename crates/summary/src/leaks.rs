//! What is lost: LeakedAddress = ÂL − ĜL − addr(reach(args ∪ ret)) at each exit (P7).

use std::collections::BTreeMap;

use caulk_base::BitSet;
use caulk_ir::{BlockId, InstId};

use crate::exec::{Event, Exec};
use crate::fixpoint::{Exit, Found};
use crate::location::{Loc, LocId};

/// How a heap cell of this procedure is lost, or released twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// At a return.
    AtExit(BlockId),
    /// Its site makes the next one while nothing leads to this one.
    Overwritten,
    FreedAgain {
        first: InstId,
        again: InstId,
    },
}

#[derive(Clone, Debug)]
pub struct Leak {
    /// A heap cell made here; for a cell of the caller that is freed twice, its explore-address.
    pub object: LocId,
    pub fault: Fault,
    /// The object that held it and was released before it.
    pub freed_owner: Option<LocId>,
    /// Some path releases it.
    pub freed_somewhere: bool,
    /// Some exit leaves it to others.
    pub kept_somewhere: bool,
    /// Another allocation that failed on every path to the exit.
    pub other_failure: Option<InstId>,
    /// The cell stands for several.
    pub multiple: bool,
    /// An element of an array held it.
    pub is_in_array: bool,
    /// It could not be looked at again within the budget.
    pub is_open: bool,
}

impl Exec<'_> {
    pub fn leaks(&mut self, found: &Found) -> Vec<Leak> {
        self.leaks_of(found, &|_| true)
    }

    /// What is wrong with the wanted objects.
    pub fn leaks_of(&mut self, found: &Found, wanted: &dyn Fn(LocId) -> bool) -> Vec<Leak> {
        let mut first: BTreeMap<LocId, Leak> = BTreeMap::new();
        for (block, exit) in &found.exits {
            for leak in self.leaks_at(*block, exit, wanted) {
                first.entry(leak.object).or_insert(leak);
            }
        }
        let events = self.events.clone().into_iter().filter(|((_, object), _)| wanted(*object));
        for ((at, object), event) in events {
            let multiple = false;
            let fault = match event {
                Event::Lost => Fault::Overwritten,
                Event::FreedAgain { first } => Fault::FreedAgain { first, again: at },
            };
            let holder = self.holders.get(&object);
            let is_in_array = matches!(holder, Some(&crate::story::Holder::Cell(cell))
                if fault == Fault::Overwritten && self.locations.is_element(cell));
            let leak = Leak { is_in_array, ..Leak::new(object, fault, multiple) };
            first.entry(object).or_insert(leak);
        }
        let mut leaks: Vec<Leak> = first.into_values().collect();
        for (_, exit) in &found.exits {
            let is_there = |leak: &Leak| exit.state.allocated.contains(leak.object);
            let kept = leaks.iter().any(is_there).then(|| self.seen_by_others(exit));
            for leak in &mut leaks {
                leak.freed_somewhere |= exit.state.freed.contains(leak.object);
                let is_kept = kept.as_ref().is_some_and(|kept| kept.contains(leak.object));
                leak.kept_somewhere |= is_kept && is_there(leak);
            }
        }
        leaks
    }

    /// What globals, the result and the arguments lead to at an exit.
    fn seen_by_others(&mut self, exit: &Exit) -> BitSet<LocId> {
        let mut seen = self.kept_by_globals(&exit.state);
        seen.union_with(&self.visible(exit));
        seen
    }

    fn leaks_at(
        &mut self,
        block: BlockId,
        exit: &Exit,
        wanted: &dyn Fn(LocId) -> bool,
    ) -> Vec<Leak> {
        if !exit.state.allocated.iter().any(wanted) {
            return Vec::new();
        }
        let seen = self.seen_by_others(exit);
        let lost = self.set_of(exit.state.allocated.iter().filter(|&it| !seen.contains(it)));
        let mut leaks = Vec::new();
        let is_lost = |it: &LocId| lost.contains(*it) && wanted(*it);
        for object in exit.state.allocated.iter().filter(is_lost) {
            let owners = self.owners(exit, object);
            let tells = !self.options().tell_parts;
            if tells && owners.iter().any(|&owner| self.is_told_by(exit, owner, object, &lost)) {
                continue;
            }
            let multiple = exit.state.multiple.contains(object);
            let mut leak = Leak::new(object, Fault::AtExit(block), multiple);
            let is_freed = |owner: &&LocId| exit.state.freed.contains(**owner);
            leak.freed_owner = owners.iter().find(is_freed).copied();
            leak.is_in_array = exit.state.in_arrays.contains(object);
            leak.other_failure = exit.state.failed.filter(|&at| at != self.made_at(object));
            leaks.push(leak);
        }
        leaks
    }

    /// Nobody asks whether it is lost.
    pub fn is_settled(&self, leak: &Leak) -> bool {
        let is_release = matches!(leak.fault, Fault::FreedAgain { .. });
        !is_release && self.context.schedule.asked.is_settled(self.proc, self.made_at(leak.object))
    }

    pub fn made_at(&self, object: LocId) -> InstId {
        match self.locations.get(object) {
            Loc::Region { at, .. } => at,
            _ => InstId(0),
        }
    }

    /// The objects with a location that may hold it.
    fn owners(&self, exit: &Exit, object: LocId) -> Vec<LocId> {
        let holds = |value: &crate::value::Value| {
            value.addresses().iter().any(|&it| self.locations.object(it) == object)
        };
        let cells = exit.state.memory.iter().filter(|(_, value)| holds(value));
        let mut owners: Vec<LocId> = cells.map(|(cell, _)| self.locations.object(cell)).collect();
        owners.retain(|&owner| owner != object);
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Who leads to it is lost as well: that one is told. Of those that lead to each other, the
    /// first is.
    fn is_told_by(
        &mut self,
        exit: &Exit,
        owner: LocId,
        object: LocId,
        lost: &BitSet<LocId>,
    ) -> bool {
        let is_mutual = self.reach(&exit.state, std::iter::once(object)).contains(owner);
        lost.contains(owner) && (!is_mutual || owner < object)
    }
}

impl Leak {
    fn new(object: LocId, fault: Fault, multiple: bool) -> Self {
        Self {
            object,
            fault,
            freed_owner: None,
            freed_somewhere: false,
            kept_somewhere: false,
            other_failure: None,
            multiple,
            is_in_array: false,
            is_open: false,
        }
    }
}
