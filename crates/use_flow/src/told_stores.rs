//! What a function leaves in memory that its callers can see.

use caulk_guard::bits::TermId;
use caulk_ir::Scalar;

use crate::copies::push_members;
use crate::export::{DEEPEST, Export};
use crate::space::{Epoch, Home, Origin};
use crate::state::Phase;
use crate::summary::{Case, Expr, Store};

const MOST_STORES: usize = 12;
/// What static storage holds is told to the callers of so many functions: each of them follows it.
const FARTHEST: u8 = 1;
/// Further ones, to static storage.
const MOST_STATIC_STORES: usize = 6;
const MOST_DIRTIES: usize = 4;

impl Export<'_, '_> {
    /// What is written to memory that the caller can see and cannot name is kept by that memory.
    pub fn stores_without_name(&mut self, case: &mut Case) {
        let cells: Vec<(TermId, TermId)> =
            self.state.memory.iter().map(|cell| (cell.address, cell.value)).collect();
        for (address, value) in cells {
            let Some(place) = self.space().address(address) else { continue };
            if self.space().home(place.base) != Home::Caller || self.is_unchanged(address, value) {
                continue;
            }
            if self.is_nameable(address, place.base) {
                continue;
            }
            self.take(value, case);
        }
    }

    /// Somebody has the value whom callers cannot name.
    pub fn take(&mut self, value: TermId, case: &mut Case) {
        for base in self.state.reachable(self.space(), value) {
            match self.space().home(base) {
                Home::Made => self.taken.push(base),
                Home::Caller if self.space().is_nameable(base) => {
                    let kept = self.expr(base, DEEPEST);
                    kept.into_iter().for_each(|it| case.keep(it));
                }
                _ => {}
            }
        }
    }

    /// Objects that are surely in the caller's memory are made, also where another cell only may have
    /// them.
    pub fn given_away(&mut self) {
        for cell in self.state.memory.iter() {
            let (space, value) = (self.space(), cell.value);
            let Some(base) = space.address(value).map(|it| it.base) else { continue };
            let made = space.home(base) == Home::Made && self.state.phase(base) == Phase::Live;
            if made
                && space.is_from_caller(cell.base)
                && space.load_depth(cell.base) <= 2
                && !self.taken.contains(&base)
                && !self.fresh.contains(&base)
            {
                self.fresh.push(base);
            }
        }
    }

    /// Writes that the caller can see: into its memory, into what was made for it. There is room for so
    /// many; those of what was made come first: who has that, callers must know.
    pub fn stores(&mut self, case: &mut Case) {
        let mut cells: Vec<(TermId, TermId)> =
            self.state.memory.iter().map(|cell| (cell.address, cell.value)).collect();
        cells.sort_by_key(|&(_, value)| !self.leads_to_made(value));
        for &(address, value) in &cells {
            let Some(place) = self.space().address(address) else { continue };
            let seen = match self.space().home(place.base) {
                Home::Caller => {
                    self.space().is_from_caller(place.base)
                        && self.space().load_depth(place.base) <= 2
                }
                _ => false,
            };
            if seen && !self.is_unchanged(address, value) {
                self.store(address, value, case);
            }
        }
        for &(address, value) in &cells {
            self.static_store(address, value, case);
        }
        let mut next = 0;
        while let Some(&object) = self.fresh.get(next) {
            next += 1;
            for &(address, value) in &cells {
                if self.space().address(address).is_some_and(|place| place.base == object) {
                    self.store(address, value, case);
                }
            }
        }
    }

    fn leads_to_made(&self, value: TermId) -> bool {
        let space = self.space();
        space.address(value).is_some_and(|it| space.home(it.base) == Home::Made)
    }

    /// The members of an aggregate result, or of what a parameter points to, that nothing but zero was
    /// written to.
    pub fn zeros(&mut self, case: &mut Case) {
        let members = self.exec.result_members();
        self.zeros_of(u32::MAX, members, case);
        for number in 0..self.exec.body.params.len() {
            let Some(ty) = self.exec.pointee(number) else { continue };
            let mut members = Vec::new();
            push_members(self.exec.module, ty, 0, &mut members);
            self.zeros_of(u32::try_from(number).unwrap_or(u32::MAX), members, case);
        }
    }

    fn zeros_of(&mut self, number: u32, members: Vec<(i64, Scalar)>, case: &mut Case) {
        let into = Expr::Param(number);
        let bits = self.space().pointer_bits;
        let base = self.exec.space.symbol(Origin::Param(number), bits, true);
        if !self.state.memory.zeroed.contains(base) {
            return;
        }
        for (offset, scalar) in members {
            let address = self.exec.space.offset(base, offset);
            let zero = self.state.memory.load(&mut self.exec.space, address, scalar);
            let written = self.state.memory.get(&self.exec.space, address).is_some();
            if self.exec.space.is_zero(zero) && !written && case.stores.len() < MOST_STORES {
                let to = into.clone().add(offset, self.space().pointer_bits);
                let width = self.space().width(scalar);
                let value = Expr::Constant { value: 0, width };
                case.stores.push(Store { to, value, may: false });
            }
        }
    }

    /// Numbers in the caller's memory that callees may have changed, and that were looked at since: a
    /// status that is not set goes with what is returned.
    pub fn known_numbers(&mut self, case: &mut Case) {
        let conditions: Vec<TermId> = self.state.facts.conditions().to_vec();
        let mut looked_at: Vec<TermId> = Vec::new();
        for condition in conditions {
            let symbols = self.space().symbols_of(condition);
            looked_at.extend(symbols.into_iter().filter(|&it| self.is_later_number(it)));
        }
        looked_at.sort_unstable();
        looked_at.dedup();
        for number in looked_at {
            let Some(Origin::Initial { address, .. }) = self.space().origin(number) else {
                continue;
            };
            if case.stores.len() < MOST_STORES {
                let value = self.settled(number);
                self.push_store(address, value, case);
            }
        }
    }

    /// Whether a symbol is what a place in the caller's memory has at the end, and perhaps had not at
    /// the start.
    fn is_later_number(&mut self, symbol: TermId) -> bool {
        let space = &self.exec.space;
        let Some(Origin::Initial { address, epoch, bits }) = space.origin(symbol) else {
            return false;
        };
        let Some(place) = space.address(address) else { return false };
        let told = place.offset.is_some()
            && space.is_from_caller(place.base)
            && space.load_depth(place.base) <= 1
            && !space.is_pointer(symbol)
            && epoch != Epoch::Start;
        let Some(scalar) = caulk_ir::Scalar::int(u32::from(bits)).filter(|_| told) else {
            return false;
        };
        self.state.memory.load(&mut self.exec.space, address, scalar) == symbol
    }

    fn is_unchanged(&self, address: TermId, value: TermId) -> bool {
        matches!(self.space().origin(value), Some(Origin::Initial { address: from, .. }) if from == address)
    }

    /// What the path decided is a constant: `owned = p != NULL`.
    fn settled(&mut self, value: TermId) -> TermId {
        match self.state.facts.value(&self.exec.space.terms, value) {
            Some(number) => {
                let width = self.exec.space.terms.width(value);
                self.exec.space.terms.constant(number, width)
            }
            None => value,
        }
    }

    fn store(&mut self, address: TermId, value: TermId, case: &mut Case) {
        let value = self.settled(value);
        let room = case.stores.len() < MOST_STORES || self.is_released_at(address);
        if !room || !self.is_telling(value) && !self.is_not_zero(value) {
            self.dirty(address, case);
            self.take(value, case);
            return;
        }
        self.push_store(address, value, case);
    }

    fn push_store(&mut self, address: TermId, value: TermId, case: &mut Case) {
        let unchanged = |&it: &TermId| self.is_unchanged(address, it);
        let may = self.space().candidates(value).iter().any(unchanged);
        let to =
            self.expr(address, DEEPEST).filter(Expr::has_base).or_else(|| self.somewhere(address));
        let value = self.value(value);
        match to {
            Some(to) => case.stores.push(Store { to, value, may }),
            None => case.keep(value),
        }
    }

    /// Static storage that is not told to callers any more has what it leads to, whoever gets a
    /// pointer to that besides: an allocator that puts all it makes into a list.
    pub fn far_statics(&mut self, case: &mut Case) {
        let cells: Vec<(TermId, TermId)> =
            self.state.memory.iter().map(|cell| (cell.address, cell.value)).collect();
        for (address, value) in cells {
            let place = self.space().address(address);
            let is_static = place.is_some_and(|it| self.space().home(it.base) == Home::Static);
            if is_static && !self.is_unchanged(address, value) && self.is_far(value) {
                self.take(value, case);
            }
        }
    }

    /// Whether a pointer leads to what another function left in static storage.
    pub fn is_far(&self, value: TermId) -> bool {
        let space = self.space();
        let values = space.candidates(value).iter().chain([&value]);
        let bases = values.filter_map(|&it| space.address(it));
        let mut made = bases.filter_map(|it| self.exec.made.get(&it.base));
        made.any(|it| it.hops >= FARTHEST)
    }

    /// What static storage has, as far as callers can use it. They know from `Summary::written` that the
    /// rest changed.
    fn static_store(&mut self, address: TermId, value: TermId, case: &mut Case) {
        let Some(place) = self.space().address(address) else { return };
        if self.space().home(place.base) != Home::Static
            || !self.exec.is_followed(place)
            || self.is_unchanged(address, value)
        {
            return;
        }
        let value = self.settled(value);
        let telling = self.is_telling(value);
        let room = !self.is_far(value) && case.stores.len() < MOST_STORES + MOST_STATIC_STORES;
        // A recursion counts on after the last round in which it was summarised.
        let counts = !self.space().is_pointer_wide(value)
            && self.exec.context.summaries.is_recursive(self.exec.proc);
        if telling && room && !counts {
            self.push_store(address, value, case);
        } else {
            self.take(value, case);
        }
    }

    /// Whether the memory held something that was released: callers must know what is there now.
    fn is_released_at(&self, address: TermId) -> bool {
        self.state.marks.iter().any(|(&symbol, mark)| {
            let origin = self.space().origin(symbol);
            let from_here =
                matches!(origin, Some(Origin::Initial { address: at, .. }) if at == address);
            mark.phase == Phase::Released && from_here
        })
    }

    /// Whether callers can use a value: a constant, a pointer, a new descriptor, or a number that
    /// is computed from what they had before.
    fn is_telling(&self, value: TermId) -> bool {
        let space = self.space();
        let base = space.address(value).map(|it| it.base);
        let made = base.is_some_and(|it| space.home(it) == Home::Made);
        let pointer = base.is_some_and(|it| space.is_pointer(it));
        space.terms.as_constant(value).is_some()
            || made
            || pointer && space.is_pointer_wide(value)
            || self.is_simple(value)
    }

    /// A size that is not zero any more, whatever it is: there is something.
    fn is_not_zero(&mut self, value: TermId) -> bool {
        if self.exec.context.summaries.is_recursive(self.exec.proc) {
            return false;
        }
        let terms = &mut self.exec.space.terms;
        let is_zero = terms.is_zero(value);
        self.state.facts.decide(terms, is_zero) == Some(false)
    }

    /// A number that callers can compute: a counter that went up.
    fn is_simple(&self, value: TermId) -> bool {
        let space = self.space();
        let known = |symbol: TermId| {
            matches!(
                space.origin(symbol),
                Some(Origin::Param(_) | Origin::Initial { epoch: Epoch::Start, .. })
            )
        };
        space.terms.height(value) <= 2 && !space.any_symbol(value, &mut |symbol| !known(symbol))
    }

    /// Numbers in the caller's memory that callees changed, of which nothing is known since. Those that
    /// only some of the joined exits changed count as they were: most tell of a failure.
    pub fn changed_by_callees(&mut self, case: &mut Case) {
        let memory = &self.state.memory;
        let rows = memory.numbers.iter().chain(memory.epochs.iter());
        let is_changed = |epoch: &Epoch| matches!(epoch, Epoch::After(_));
        let bases: Vec<TermId> = rows.filter(|it| is_changed(it.1)).map(|it| *it.0).collect();
        bases.into_iter().for_each(|base| self.dirty(base, case));
    }

    fn dirty(&mut self, address: TermId, case: &mut Case) {
        let Some(place) = self.space().address(address) else { return };
        if self.space().home(place.base) != Home::Caller
            || self.space().load_depth(place.base) > 1
            || case.dirties.len() >= MOST_DIRTIES
        {
            return;
        }
        if let Some(base) = self.expr(place.base, DEEPEST)
            && !case.dirties.contains(&base)
        {
            case.dirties.push(base);
        }
    }
}
