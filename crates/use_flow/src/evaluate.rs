//! The expressions of a summary, in the caller's terms.

use caulk_base::FxHashMap;
use caulk_guard::bits::{Compare, TermId};
use caulk_ir::Scalar;

use crate::apply::Frame;
use crate::space::Origin;
use crate::state::State;
use crate::step::Exec;
use crate::summary::Expr;

#[derive(Default)]
pub struct Bound {
    pub fresh: Vec<TermId>,
    pub unknown: FxHashMap<u32, TermId>,
}

impl Exec<'_> {
    pub fn evaluate(
        &mut self,
        expr: &Expr,
        frame: &Frame,
        state: &mut State,
        bound: &mut Bound,
    ) -> TermId {
        match expr {
            Expr::Constant { value, width } => self.space.terms.constant(*value, *width),
            Expr::Param(u32::MAX) => frame.into.unwrap_or_else(|| self.space.unknown(Scalar::Ptr)),
            Expr::Param(number) => match frame.arguments.get(*number as usize) {
                Some(&term) => term,
                None => self.space.unknown(Scalar::Ptr),
            },
            Expr::Static(id) => {
                let bits = self.space.pointer_bits;
                self.space.symbol(Origin::Static(*id), bits, true)
            }
            Expr::Proc(proc) => {
                self.space.symbol(Origin::Proc(*proc), self.space.pointer_bits, true)
            }
            Expr::Load { address, width, pointer } => {
                let address = self.evaluate(address, frame, state, bound);
                self.evaluate_load(address, (*width, *pointer), state)
            }
            Expr::Fresh(number) => match bound.fresh.get(*number as usize) {
                Some(&term) => term,
                None => self.space.unknown(Scalar::Ptr),
            },
            Expr::Unknown { number, width, pointer } => {
                if let Some(&term) = bound.unknown.get(number) {
                    return term;
                }
                let serial = self.space.next_serial();
                let term = self.space.symbol(Origin::Unknown(serial), *width, *pointer);
                bound.unknown.insert(*number, term);
                term
            }
            Expr::OneOf { choices, width } => {
                let terms: Vec<TermId> =
                    choices.iter().map(|it| self.evaluate(it, frame, state, bound)).collect();
                self.space.one_of(&terms, *width)
            }
            Expr::Unary(op, of) => {
                let of = self.evaluate(of, frame, state, bound);
                if self.space.terms.width(of) == 1 {
                    return self.space.terms.not(of);
                }
                self.space.terms.unary(*op, of)
            }
            Expr::Binary(op, left, right) => {
                let left = self.evaluate(left, frame, state, bound);
                let right = self.evaluate(right, frame, state, bound);
                let right = self.fit(right, self.space.terms.width(left));
                self.space.terms.binary(*op, left, right)
            }
            Expr::Compare(op, left, right) => {
                let left = self.evaluate(left, frame, state, bound);
                let right = self.evaluate(right, frame, state, bound);
                let right = self.fit(right, self.space.terms.width(left));
                match op {
                    Compare::Eq => self.equal(state, left, right),
                    _ => self.space.terms.compare(*op, left, right),
                }
            }
            Expr::ExtendU(of, width) => {
                let of = self.evaluate(of, frame, state, bound);
                if self.space.terms.width(of) >= *width {
                    self.fit(of, *width)
                } else {
                    self.space.terms.extend_u(of, *width)
                }
            }
            Expr::ExtendS(of, width) => {
                let of = self.evaluate(of, frame, state, bound);
                if self.space.terms.width(of) >= *width {
                    self.fit(of, *width)
                } else {
                    self.space.terms.extend_s(of, *width)
                }
            }
            Expr::Truncate(of, width) => {
                let of = self.evaluate(of, frame, state, bound);
                self.fit(of, *width)
            }
            Expr::Apply { function, arguments, width, reads } => {
                let mut terms: Vec<TermId> =
                    arguments.iter().map(|it| self.evaluate(it, frame, state, bound)).collect();
                for term in terms.clone().into_iter().filter(|_| *reads) {
                    if let Some(place) = self.space.address(term) {
                        let version = state.memory.version(&self.space, place.base);
                        terms.extend(
                            version.map(|it| self.space.symbol(Origin::Version(it), 64, false)),
                        );
                    }
                }
                self.space.terms.apply(*function, &terms, *width)
            }
        }
    }

    /// What is at an address of the caller's, as the callee reads it: so wide, and perhaps a pointer.
    pub fn evaluate_load(
        &mut self,
        address: TermId,
        (width, pointer): (u8, bool),
        state: &mut State,
    ) -> TermId {
        let term = self.load(state, address, scalar_of(width, pointer));
        self.fit(term, width)
    }

    /// Callers may pass other widths than a callee declares.
    fn fit(&mut self, term: TermId, width: u8) -> TermId {
        match self.space.terms.width(term) {
            own if own < width => self.space.terms.extend_u(term, width),
            own if own > width => self.space.terms.truncate(term, width),
            _ => term,
        }
    }
}

fn scalar_of(width: u8, pointer: bool) -> Scalar {
    if pointer {
        return Scalar::Ptr;
    }
    Scalar::int(u32::from(width)).unwrap_or(Scalar::I64)
}
