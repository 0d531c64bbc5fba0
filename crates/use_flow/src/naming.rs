//! The names that callers have for what a function knows.

use caulk_guard::bits::{Binary, Term, TermId};

use crate::explore::RETURNED;
use crate::export::{DEEPEST, Export};
use crate::space::{Epoch, Home, Origin};
use crate::state::{Certainty, Mark, Phase};
use crate::summary::{Expr, Fresh};

impl Export<'_, '_> {
    pub fn made(&self, object: TermId) -> Option<Fresh> {
        let zeroed = self.state.memory.zeroed.contains(object);
        let kept = match self.space().origin(object) {
            Some(Origin::Made { call, index, .. }) => self.kept.contains(&(call, index)),
            _ => false,
        };
        let made = self.exec.made.get(&object)?;
        Some(Fresh { zeroed, shared: made.shared || kept, ..made.clone() })
    }

    pub fn value(&mut self, term: TermId) -> Expr {
        let known = self.expr(term, DEEPEST);
        known.or_else(|| self.interior(term)).unwrap_or_else(|| self.unknown(term))
    }

    /// A pointer somewhere into an object, where the way to it is too long to tell.
    fn interior(&mut self, term: TermId) -> Option<Expr> {
        let base = self.space().address(term)?.base;
        if !matches!(self.space().home(base), Home::Made | Home::Caller) || base == term {
            return None;
        }
        let base = self.expr(base, DEEPEST)?;
        let Expr::Unknown { number, width, .. } = self.unknown(term) else { return None };
        let distance = Expr::Unknown { number, width, pointer: false };
        Some(Expr::Binary(Binary::Add, Box::new(base), Box::new(distance)))
    }

    fn unknown(&mut self, term: TermId) -> Expr {
        let next = 100 + u32::try_from(self.unknown.len()).unwrap_or(0);
        let number = *self.unknown.entry(term).or_insert(next);
        let width = self.space().terms.width(term);
        Expr::Unknown { number, width, pointer: width == self.space().pointer_bits }
    }

    /// None for what callers have no name for, or what is too large for one and has no number yet.
    pub fn expr(&mut self, term: TermId, depth: u32) -> Option<Expr> {
        let is_known = self.unknown.contains_key(&term);
        self.structure(term, depth).or_else(|| is_known.then(|| self.unknown(term)))
    }

    fn structure(&mut self, term: TermId, depth: u32) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        Some(match self.space().terms.get(term).clone() {
            Term::Constant { value, width } => Expr::Constant { value, width },
            Term::Symbol { .. } => return self.symbol(term, depth),
            Term::Unary(op, of) => Expr::Unary(op, Box::new(self.expr(of, depth)?)),
            Term::Binary(op, left, right) => Expr::Binary(
                op,
                Box::new(self.expr(left, depth)?),
                Box::new(self.expr(right, depth)?),
            ),
            Term::Compare(op, left, right) => Expr::Compare(
                op,
                Box::new(self.expr(left, depth)?),
                Box::new(self.expr(right, depth)?),
            ),
            Term::ExtendU { of, width } => Expr::ExtendU(Box::new(self.expr(of, depth)?), width),
            Term::ExtendS { of, width } => Expr::ExtendS(Box::new(self.expr(of, depth)?), width),
            Term::Truncate { of, width } => Expr::Truncate(Box::new(self.expr(of, depth)?), width),
            Term::Select { condition, yes, no } => {
                let parts = [condition, yes, no].map(|it| self.expr(it, depth));
                let [condition, yes, no] = parts;
                Expr::Select(Box::new([condition?, yes?, no?]))
            }
            Term::Apply { .. } => return None,
        })
    }

    pub fn symbol(&mut self, term: TermId, depth: u32) -> Option<Expr> {
        let width = self.space().terms.width(term);
        Some(match self.space().origin(term)? {
            Origin::Param(number) => Expr::Param(number),
            Origin::Static(id) => Expr::Static(id),
            Origin::Proc(proc) => Expr::Proc(proc),
            Origin::Initial { address, epoch, .. }
                if (self.loose || epoch == Epoch::Start) && self.was_there(address) =>
            {
                let address = Box::new(self.expr(address, depth)?);
                Expr::Load { address, width, pointer: width == self.space().pointer_bits }
            }
            Origin::Made { .. } if self.is_told(term) => {
                let at = self.fresh.iter().position(|&it| it == term).unwrap_or_else(|| {
                    self.fresh.push(term);
                    self.fresh.len() - 1
                });
                Expr::Fresh(u32::try_from(at).ok()?)
            }
            Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_) => self.choice(term, depth),
            _ => self.unknown(term),
        })
    }

    /// Whether an address leads into memory that the caller had before the call.
    fn was_there(&self, address: TermId) -> bool {
        let space = self.space();
        space
            .address(address)
            .is_some_and(|it| !matches!(space.home(it.base), Home::Made | Home::Local))
    }

    /// Whether callers hear of a made object: one that is theirs to release, or that was released
    /// for sure while they still get a pointer to it.
    pub fn is_told(&self, object: TermId) -> bool {
        let gone = |mark: &Mark| {
            mark.phase == Phase::Released
                && mark.certainty == Certainty::Sure
                && !self.exec.is_owed_by_function(object)
        };
        let mark = self.state.marks.get(object);
        !self.taken.contains(&object) && mark.is_none_or(|it| it.phase == Phase::Live || gone(it))
    }

    /// The object that stands for all that one call made in the turns of a loop. For a result also what several
    /// calls made, of which each replaces what another did: a buffer that grows, and at last is cut to its
    /// length. What is left in memory is found by other names, too, and mostly has one maker.
    fn made_in_turns(&self, term: TermId) -> Option<TermId> {
        let space = self.space();
        let site = |it: TermId| match space.origin(it) {
            Some(Origin::Made { call, index, .. }) => Some((call, index)),
            _ => None,
        };
        let candidates = space.candidates(term);
        let first = candidates.iter().copied().find(|&it| {
            site(it).is_some() && self.state.phase(it) == Phase::Live && !self.taken.contains(&it)
        })?;
        if self.exec.is_owed_by_function(first) {
            // One lock at several times, of which it is not known which is the last.
            return None;
        }
        let resource = |it: TermId| self.exec.made.get(&it).map(|made| &made.resource);
        // Where one of them failed, it is not known which.
        let is_result =
            self.state.values.get(RETURNED) == Some(&term) && self.state.failed.is_none();
        let is_like = |it: TermId| {
            is_result
                && site(it).is_some()
                && resource(it) == resource(first)
                && self.state.phase(it) != Phase::Kept
                && !self.taken.contains(&it)
                && !self.is_held_elsewhere(it)
        };
        let alike = candidates.iter().all(|&it| site(it) == site(first) || is_like(it));
        alike.then_some(first)
    }

    /// Whether memory that was there before may hold an object.
    fn is_held_elsewhere(&self, object: TermId) -> bool {
        let space = self.space();
        self.state.memory.iter().any(|cell| {
            !matches!(space.home(cell.base), Home::Made | Home::Local)
                && (space.carries(cell.value, object)
                    || space.candidates(cell.value).contains(&object))
        })
    }

    /// What different paths had, as far as it is the caller's, or is given to it for sure elsewhere:
    /// the last cell of a list, which is perhaps the first, too.
    fn choice(&mut self, term: TermId, depth: u32) -> Expr {
        let space = self.space();
        let width = space.terms.width(term);
        let other_made = |symbol| space.home(symbol) == Home::Made && !self.fresh.contains(&symbol);
        let is_named = |base| space.home(base) == Home::Caller || self.fresh.contains(&base);
        let callers: Vec<TermId> = space
            .candidates(term)
            .iter()
            .copied()
            .filter(|&it| space.address(it).is_some_and(|it| is_named(it.base)))
            .filter(|&it| !space.any_symbol(it, &mut { other_made }))
            .collect();
        let choices: Vec<Expr> =
            callers.iter().filter_map(|&it| self.expr(it, depth)).filter(Expr::has_base).collect();
        if choices.is_empty() {
            if width < self.space().pointer_bits {
                return self.unknown(term);
            }
            let made = self.made_in_turns(term).and_then(|it| self.expr(it, depth));
            return made.unwrap_or_else(|| self.unknown(term));
        }
        self.chosen.push(term);
        Expr::OneOf { choices, width }
    }

    pub fn is_nameable(&mut self, address: TermId, base: TermId) -> bool {
        self.space().is_from_caller(base)
            && self.space().load_depth(base) <= 2
            && self.expr(address, DEEPEST).is_some_and(|to| to.has_base())
    }

    /// An address of which only the object can be told: the index is too large an expression.
    pub fn somewhere(&mut self, address: TermId) -> Option<Expr> {
        let base = self.space().address(address)?.base;
        let to = self.expr(base, DEEPEST).filter(Expr::has_base)?;
        let width = self.space().pointer_bits;
        let number = 100 + u32::try_from(self.unknown.len()).unwrap_or(0);
        self.unknown.insert(address, number);
        let offset = Expr::Unknown { number, width, pointer: false };
        Some(Expr::Binary(Binary::Add, Box::new(to), Box::new(offset)))
    }

    /// The caller's name of what memory held when the call began, or perhaps held then.
    pub fn named(&mut self, symbol: TermId) -> Option<(Expr, Certainty)> {
        self.loose = true;
        let what = self.expr(symbol, DEEPEST);
        self.loose = false;
        let certainty = if self.is_sure(symbol) {
            Certainty::Sure
        } else if self.space().is_of_the_start(symbol) {
            Certainty::Found
        } else {
            Certainty::Perhaps
        };
        Some((what?, certainty))
    }
}
