//! The operator `get` on chains and on recurrences: equations (1), (3) and (4).
//!
//! The right-most `put` that matches decides. Where a comparison cannot be decided the result is a
//! choice between the values, which is exact; where even the turn of a loop cannot be told it is a
//! new unknown, and the answer says so.

use std::rc::Rc;

use crate::facts::Facts;
use crate::heap::{Chain, Heaps, Item, Reached, Recurrence};
use crate::leaf::{Leaf, Turn, leaves_of_loop};
use crate::space::{
    Atom, AtomKind, Cond, Expr, Place, Space, Symbol, SymbolInfo, SymbolKind, UNRESOLVED,
};
use crate::substitute::Substitution;

/// What `get` found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    Value(Expr),
    /// "Not resolvable": an expression stands for the value, but nothing is known of it.
    CannotTell(Expr),
}

impl Got {
    #[must_use]
    pub fn expr(self) -> Expr {
        match self {
            Got::Value(expr) | Got::CannotTell(expr) => expr,
        }
    }
}

/// What is read: so many bytes at an address.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub address: Expr,
    pub bytes: u32,
    pub pointer: bool,
}

/// Locations that were read at the start of a turn, before the recurrence of their loop was known.
#[derive(Debug, Default)]
pub struct Locations {
    pub rows: Vec<Location>,
}

#[derive(Clone, Copy, Debug)]
pub struct Location {
    pub start: u32,
    pub access: Access,
    pub symbol: Symbol,
}

/// Undecided comparisons that a value may choose by.
const MOST_CHOICES: usize = 6;

pub struct Reader<'a> {
    pub space: &'a mut Space,
    pub heaps: &'a Heaps,
    pub locations: &'a mut Locations,
    /// The function that stands for what cannot be told, and the turns that it depends on.
    pub unknown: u32,
    pub turns: Vec<Expr>,
}

/// What one heap function says of an address.
enum Look {
    Past,
    Value(Expr),
    /// The value, if the condition holds.
    Perhaps(Cond, Expr),
    Unclear,
}

impl Reader<'_> {
    pub fn get(&mut self, facts: &Facts, chain: Chain, access: Access) -> Got {
        if let Some((atom, condition, yes, no)) = self.chosen(access.address) {
            return self.get_either(facts, chain, access, (atom, condition, yes, no));
        }
        let mut facts = facts.clone();
        let mut found: Vec<(Cond, Expr)> = Vec::new();
        let (mut at, mut told) = (chain, true);
        let mut last = loop {
            let Some((before, item)) = self.heaps.last(at) else { break self.initial(access) };
            self.space.work += 1;
            match self.look(&facts, before, &item, access, &mut found) {
                Look::Past => {}
                Look::Value(value) => break value,
                Look::Perhaps(condition, value) => {
                    let fails = self.space.not(condition);
                    facts.assume(self.space, fails);
                    found.push((condition, value));
                }
                Look::Unclear => {
                    told = false;
                    break self.not_resolvable(access);
                }
            }
            if found.len() > MOST_CHOICES {
                (found, told) = (Vec::new(), false);
                break self.not_resolvable(access);
            }
            at = before;
        };
        for (condition, value) in found.into_iter().rev() {
            last = self.space.select(condition, value, last);
        }
        if told { Got::Value(last) } else { Got::CannotTell(last) }
    }

    fn not_resolvable(&mut self, access: Access) -> Expr {
        let arguments = [access.address].into_iter().chain(self.turns.iter().copied()).collect();
        let (number, pointer) = (self.unknown | UNRESOLVED, access.pointer);
        self.space.atom(AtomKind::Unknown { number, arguments, pointer })
    }

    fn chosen(&self, address: Expr) -> Option<(Atom, Cond, Expr, Expr)> {
        let atom = self.space.base(address)?;
        match *self.space.kind(atom) {
            AtomKind::Select { condition, yes, no } => Some((atom, condition, yes, no)),
            _ => None,
        }
    }

    fn get_either(
        &mut self,
        facts: &Facts,
        chain: Chain,
        access: Access,
        (atom, condition, yes, no): (Atom, Cond, Expr, Expr),
    ) -> Got {
        let yes = self.space.replace(access.address, atom, yes);
        let no = self.space.replace(access.address, atom, no);
        let with_yes = facts.with(self.space, condition);
        let yes = self.get(&with_yes, chain, Access { address: yes, ..access });
        let otherwise = self.space.not(condition);
        let with_no = facts.with(self.space, otherwise);
        let no = self.get(&with_no, chain, Access { address: no, ..access });
        let value = self.space.select(condition, yes.expr(), no.expr());
        match (yes, no) {
            (Got::Value(_), Got::Value(_)) => Got::Value(value),
            _ => Got::CannotTell(value),
        }
    }

    /// What β holds, or ⊥ where the record did not exist.
    fn initial(&mut self, access: Access) -> Expr {
        let base = self.space.base(access.address);
        match base.map(|base| self.space.kind(base)) {
            Some(
                AtomKind::Cell { .. } | AtomKind::Place(Place::Slot { .. } | Place::Stack { .. }),
            ) => self.space.atom(AtomKind::Undefined),
            _ => self.space.atom(AtomKind::Initial { at: access.address, pointer: access.pointer }),
        }
    }

    fn look(
        &mut self,
        facts: &Facts,
        before: Chain,
        item: &Rc<Item>,
        access: Access,
        found: &mut Vec<(Cond, Expr)>,
    ) -> Look {
        match &**item {
            Item::Put { address, value, bytes, .. } => {
                self.look_put(facts, *address, *value, *bytes, access)
            }
            Item::New { cell, zeroed, .. } => {
                let Some(matched) = self.space.match_record(*cell, access.address, &[]) else {
                    return Look::Unclear;
                };
                let value = self.fresh(*zeroed);
                self.decided(facts, matched.condition, value)
            }
            Item::Free { .. } | Item::Keep { .. } => Look::Past,
            Item::Copy { to, from, bytes, .. } => {
                self.look_copy(facts, before, (*to, *from, *bytes), access)
            }
            Item::Fill { to, bytes, byte, number, .. } => {
                self.look_fill(facts, (*to, *bytes, *byte, *number), access)
            }
            Item::Havoc { reached, number, .. } => match self.is_reached(reached, access.address) {
                true => {
                    let (number, pointer) = (*number, access.pointer);
                    let arguments = Box::new([access.address]);
                    Look::Value(self.space.atom(AtomKind::Unknown { number, arguments, pointer }))
                }
                false => Look::Past,
            },
            Item::Loop(recurrence) => self.look_loop(facts, recurrence, access, found),
            Item::Guarded { .. } => Look::Unclear,
            Item::Start { index, number } => Look::Value(self.at_start(*index, *number, access)),
        }
    }

    fn fresh(&mut self, zeroed: bool) -> Expr {
        if zeroed { self.space.constant(0) } else { self.space.atom(AtomKind::Undefined) }
    }

    fn decided(&mut self, facts: &Facts, condition: Cond, value: Expr) -> Look {
        match self.space.decide(facts, condition) {
            Some(true) => Look::Value(value),
            Some(false) => Look::Past,
            None => Look::Perhaps(condition, value),
        }
    }

    fn look_put(
        &mut self,
        facts: &Facts,
        address: Expr,
        value: Expr,
        bytes: u32,
        access: Access,
    ) -> Look {
        let Some(matched) = self.space.match_address(address, access.address, &[]) else {
            return Look::Unclear;
        };
        if matched.condition == Cond::FALSE {
            let overlaps = self.overlaps(address, bytes, access);
            return if overlaps { Look::Unclear } else { Look::Past };
        }
        if bytes != access.bytes {
            let same = self.space.decide(facts, matched.condition);
            return if same == Some(false) { Look::Past } else { Look::Unclear };
        }
        self.decided(facts, matched.condition, value)
    }

    /// Whether two accesses at a known distance in one record share bytes.
    fn overlaps(&mut self, address: Expr, bytes: u32, access: Access) -> bool {
        let distance = self.space.subtract(access.address, address);
        let distance = self.space.as_constant(distance);
        distance.is_some_and(|it| it > -i128::from(access.bytes) && it < i128::from(bytes))
    }

    fn look_copy(
        &mut self,
        facts: &Facts,
        before: Chain,
        (to, from, bytes): (Expr, Expr, Expr),
        access: Access,
    ) -> Look {
        let Some(matched) = self.space.match_record(to, access.address, &[]) else {
            return Look::Unclear;
        };
        let distance = self.space.subtract(access.address, to);
        let inside = self.space.in_range(distance, bytes);
        let condition = self.space.and(matched.condition, inside);
        match self.space.decide(facts, condition) {
            Some(false) => Look::Past,
            Some(true) => {
                let address = self.space.add(from, distance);
                match self.get(facts, before, Access { address, ..access }) {
                    Got::Value(value) => Look::Value(value),
                    Got::CannotTell(_) => Look::Unclear,
                }
            }
            None => Look::Unclear,
        }
    }

    fn look_fill(
        &mut self,
        facts: &Facts,
        (to, bytes, byte, number): (Expr, Option<Expr>, Option<Expr>, u32),
        access: Access,
    ) -> Look {
        let Some(matched) = self.space.match_record(to, access.address, &[]) else {
            return Look::Unclear;
        };
        let mut condition = matched.condition;
        if let Some(bytes) = bytes {
            let distance = self.space.subtract(access.address, to);
            let inside = self.space.in_range(distance, bytes);
            condition = self.space.and(condition, inside);
        }
        let is_zero = byte.is_some_and(|byte| self.space.as_constant(byte) == Some(0));
        let value = if is_zero {
            self.space.constant(0)
        } else {
            let arguments = Box::new([access.address]);
            let pointer = access.pointer;
            self.space.atom(AtomKind::Unknown { number, arguments, pointer })
        };
        self.decided(facts, condition, value)
    }

    /// Whether code that was not evaluated may have changed what is at an address.
    fn is_reached(&self, reached: &[Reached], address: Expr) -> bool {
        match self.space.base(address).map(|base| self.space.kind(base)) {
            Some(AtomKind::Cell { site, .. }) => reached.contains(&Reached::Site(*site)),
            Some(AtomKind::Place(place @ (Place::Slot { .. } | Place::Stack { .. }))) => {
                reached.contains(&Reached::Place(*place))
            }
            Some(AtomKind::Place(Place::Variable { .. })) => false,
            _ => true,
        }
    }

    /// The value at the start of a turn: a recurrence variable if the address is the same in every
    /// turn, else a function of the turn.
    fn at_start(&mut self, index: Symbol, number: u32, access: Access) -> Expr {
        let is_fixed = self.space.symbols_of(access.address).iter().all(|&symbol| {
            let info = &self.space.symbols[symbol];
            symbol != index && info.kind != SymbolKind::Recurrence
        });
        let known = self.locations.rows.iter().find(|row| {
            row.start == number
                && row.access.address == access.address
                && row.access.pointer == access.pointer
        });
        if let Some(known) = known {
            return self.space.symbol(known.symbol);
        }
        if !is_fixed {
            let turn = self.space.symbol(index);
            let arguments = Box::new([access.address, turn]);
            let kind = AtomKind::Unknown { number, arguments, pointer: access.pointer };
            return self.space.atom(kind);
        }
        let symbol = self.space.new_symbol(SymbolInfo {
            name: format!("m{}", self.locations.rows.len()),
            low: None,
            high: None,
            pointer: access.pointer,
            kind: SymbolKind::Recurrence,
        });
        self.locations.rows.push(Location { start: number, access, symbol });
        self.space.symbol(symbol)
    }

    /// Equation (4): of all turns that write the address, the last one decides.
    fn look_loop(
        &mut self,
        facts: &Facts,
        recurrence: &Rc<Recurrence>,
        access: Access,
        found: &mut Vec<(Cond, Expr)>,
    ) -> Look {
        for &(address, value) in recurrence.known.iter() {
            let matched = self.space.match_address(address, access.address, &[]);
            if matched.is_some_and(|it| it.condition == Cond::TRUE) {
                let mut with = Substitution::one(recurrence.index, recurrence.count);
                return Look::Value(self.space.substitute(value, &mut with));
            }
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for (order, leaf) in leaves_of_loop(self.space, recurrence).iter().enumerate() {
            match self.candidate(facts, leaf, order, access) {
                Ok(Some(candidate)) => candidates.push(candidate),
                Ok(None) => {}
                Err(()) => return Look::Unclear,
            }
        }
        let Some(sorted) = self.last_first(facts, candidates) else { return Look::Unclear };
        let mut facts = facts.clone();
        for (condition, value) in sorted {
            match self.space.decide(&facts, condition) {
                Some(true) => return Look::Value(value),
                Some(false) => {}
                None => {
                    let fails = self.space.not(condition);
                    facts.assume(self.space, fails);
                    found.push((condition, value));
                }
            }
        }
        Look::Past
    }

    fn candidate(
        &mut self,
        facts: &Facts,
        leaf: &Leaf,
        order: usize,
        access: Access,
    ) -> Result<Option<Candidate>, ()> {
        let indices = leaf.indices();
        let (matched, value) = match &leaf.item {
            Item::Put { address, value, bytes, .. } => {
                let matched = self.space.match_address(*address, access.address, &indices);
                let matched = matched.ok_or(())?;
                if *bytes != access.bytes && matched.condition != Cond::FALSE {
                    return Err(());
                }
                (matched, *value)
            }
            Item::New { cell, zeroed, .. } => {
                let matched = self.space.match_record(*cell, access.address, &indices);
                (matched.ok_or(())?, self.fresh(*zeroed))
            }
            Item::Copy { to, .. } | Item::Fill { to, .. } => {
                let matched = self.space.match_record(*to, access.address, &indices).ok_or(())?;
                return if matched.condition == Cond::FALSE { Ok(None) } else { Err(()) };
            }
            Item::Havoc { reached, .. } => {
                return if self.is_reached(reached, access.address) { Err(()) } else { Ok(None) };
            }
            Item::Free { .. } | Item::Keep { .. } => return Ok(None),
            Item::Start { .. } | Item::Loop(_) | Item::Guarded { .. } => return Err(()),
        };
        if matched.condition == Cond::FALSE {
            return Ok(None);
        }
        let Turn { turns, condition, with } = leaf.turn(self.space, &matched).ok_or(())?;
        if self.space.decide(facts, condition) == Some(false) {
            return Ok(None);
        }
        let value = self.space.substitute(value, &mut Substitution::new(&with));
        Ok(Some(Candidate { turns, condition, value, order }))
    }

    /// The candidates by their suprema, the largest first; None if their order cannot be told.
    fn last_first(
        &mut self,
        facts: &Facts,
        mut candidates: Vec<Candidate>,
    ) -> Option<Vec<(Cond, Expr)>> {
        if candidates.len() == 2 {
            let (a, b) = (&candidates[0], &candidates[1]);
            let later = self.is_later(b, a);
            let both = self.space.and(b.condition, later);
            return Some(vec![(both, b.value), (a.condition, a.value), (b.condition, b.value)]);
        }
        let mut sorted = Vec::new();
        while !candidates.is_empty() {
            let last = (0..candidates.len()).find(|&at| self.is_last(facts, at, &candidates))?;
            let Candidate { condition, value, .. } = candidates.remove(last);
            sorted.push((condition, value));
        }
        Some(sorted)
    }

    fn is_last(&mut self, facts: &Facts, at: usize, candidates: &[Candidate]) -> bool {
        (0..candidates.len()).filter(|&other| other != at).all(|other| {
            let later = self.is_later(&candidates[at], &candidates[other]);
            self.space.decide(facts, later) == Some(true)
        })
    }

    /// When one candidate writes after another: in a later turn, or later in the same turn.
    fn is_later(&mut self, one: &Candidate, other: &Candidate) -> Cond {
        let mut later = self.space.truth(one.order > other.order);
        for (&a, &b) in one.turns.iter().zip(&other.turns).rev() {
            let (after, same) = (self.space.less(b, a), self.space.equal(a, b));
            let same = self.space.and(same, later);
            later = self.space.or(after, same);
        }
        later
    }
}

/// A put that may decide, in the last turn in which it writes the address.
struct Candidate {
    turns: Vec<Expr>,
    condition: Cond,
    value: Expr,
    order: usize,
}
