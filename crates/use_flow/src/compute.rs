//! Arithmetic, comparisons and conversions, as terms.

use caulk_guard::bits::{Binary, Compare, TermId, Unary};
use caulk_ir::{
    BinaryOp, CompareOp, ConvertOp, Inst, InstId, OverflowOp, OverflowPart, Scalar, UnaryOp,
    ValueId,
};
use caulk_models::ResultKind;

use crate::state::State;
use crate::step::Exec;

impl<'a> Exec<'a> {
    pub fn index(&mut self, base: TermId, index: TermId, stride: i64) -> TermId {
        let width = self.space.terms.width(base);
        let index = match self.space.terms.width(index) {
            narrow if narrow < width => self.space.terms.extend_s(index, width),
            wide if wide > width => self.space.terms.truncate(index, width),
            _ => index,
        };
        let stride = self.space.terms.constant(stride as u64, width);
        let distance = self.space.terms.binary(Binary::Mul, index, stride);
        self.space.terms.binary(Binary::Add, base, distance)
    }

    pub fn compute(&mut self, id: InstId, state: &mut State) -> TermId {
        let scalar = self.result_scalar(id);
        match self.body.insts[id] {
            Inst::Unary { op, value } => {
                let is_error = matches!(op, UnaryOp::NegS) && self.is_library_number(value);
                let value = self.value(state, value);
                if is_error {
                    self.assume_positive(state, value);
                }
                match op {
                    UnaryOp::Neg | UnaryOp::NegS => self.space.terms.unary(Unary::Neg, value),
                    UnaryOp::Not => self.space.terms.unary(Unary::Not, value),
                    _ => self.opaque(200 + op as u32, &[value], scalar),
                }
            }
            Inst::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(state, lhs), self.value(state, rhs));
                self.binary(op, lhs, rhs, scalar)
            }
            Inst::Compare { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(state, lhs), self.value(state, rhs));
                self.compare(op, lhs, rhs, state)
            }
            Inst::Convert { op, value, to } => {
                let value = self.value(state, value);
                self.convert(op, value, to)
            }
            Inst::Overflow { op, part, lhs, rhs, signs, scalar: into } => {
                let operands = [(lhs, signs[0]), (rhs, signs[1])];
                let [lhs, rhs] = operands.map(|(value, signed)| (self.value(state, value), signed));
                match part {
                    OverflowPart::Result => self.wrapped(op, lhs, rhs, scalar),
                    OverflowPart::Flag => {
                        let carried = self.carried(op, lhs, rhs, into);
                        carried.filter(|_| !signs[2]).unwrap_or_else(|| {
                            self.opaque(500 + op as u32, &[lhs.0, rhs.0], scalar)
                        })
                    }
                }
            }
            _ => self.space.unknown(scalar),
        }
    }

    /// Exact arithmetic, cut to the width of its result.
    fn wrapped(
        &mut self,
        op: OverflowOp,
        lhs: (TermId, bool),
        rhs: (TermId, bool),
        scalar: Scalar,
    ) -> TermId {
        let width = self.space.width(scalar);
        let [lhs, rhs] = [lhs, rhs].map(|(term, signed)| match self.space.terms.width(term) {
            own if own > width => self.space.terms.truncate(term, width),
            own if own < width && signed => self.space.terms.extend_s(term, width),
            own if own < width => self.space.terms.extend_u(term, width),
            _ => term,
        });
        let op = match op {
            OverflowOp::Add => Binary::Add,
            OverflowOp::Sub => Binary::Sub,
            OverflowOp::Mul => Binary::Mul,
        };
        self.space.terms.binary(op, lhs, rhs)
    }

    /// Whether a sum or difference of numbers without sign does not fit the width of its result.
    fn carried(
        &mut self,
        op: OverflowOp,
        lhs: (TermId, bool),
        rhs: (TermId, bool),
        into: Scalar,
    ) -> Option<TermId> {
        let (lhs, rhs) = (self.unsigned(lhs, into)?, self.unsigned(rhs, into)?);
        match op {
            OverflowOp::Add => {
                let sum = self.space.terms.binary(Binary::Add, lhs, rhs);
                Some(self.space.terms.compare(Compare::LtU, sum, lhs))
            }
            OverflowOp::Sub => Some(self.space.terms.compare(Compare::LtU, lhs, rhs)),
            OverflowOp::Mul => None,
        }
    }

    /// A number without sign in a width that has room for it.
    fn unsigned(&mut self, (term, signed): (TermId, bool), into: Scalar) -> Option<TermId> {
        let (own, width) = (self.space.terms.width(term), self.space.width(into));
        let is_plain = !signed || self.space.constant(term).is_some_and(|value| value >= 0);
        match own {
            _ if !is_plain || own > width => None,
            _ if own == width => Some(term),
            _ => Some(self.space.terms.extend_u(term, width)),
        }
    }

    /// An operation without a meaning in terms: equal operands still give equal results.
    fn opaque(&mut self, function: u32, operands: &[TermId], scalar: Scalar) -> TermId {
        let width = self.space.width(scalar);
        self.space.terms.apply(function, operands, width)
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: TermId, rhs: TermId, scalar: Scalar) -> TermId {
        let op = match op {
            BinaryOp::Add | BinaryOp::AddS => Binary::Add,
            BinaryOp::Sub | BinaryOp::SubS | BinaryOp::PtrDiff => Binary::Sub,
            BinaryOp::Mul | BinaryOp::MulS => Binary::Mul,
            BinaryOp::DivS => Binary::DivS,
            BinaryOp::DivU => Binary::DivU,
            BinaryOp::RemS => Binary::RemS,
            BinaryOp::RemU => Binary::RemU,
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
            BinaryOp::Xor => Binary::Xor,
            BinaryOp::Shl | BinaryOp::ShlS => Binary::Shl,
            BinaryOp::ShrS => Binary::ShrS,
            BinaryOp::ShrU => Binary::ShrU,
            _ => return self.opaque(100 + op as u32, &[lhs, rhs], scalar),
        };
        if self.space.terms.width(lhs) != self.space.terms.width(rhs) {
            return self.space.unknown(scalar);
        }
        self.space.terms.binary(op, lhs, rhs)
    }

    pub fn compare(&mut self, op: CompareOp, lhs: TermId, rhs: TermId, state: &State) -> TermId {
        let (op, swap, negate) = match op {
            CompareOp::Eq => (Compare::Eq, false, false),
            CompareOp::Ne => (Compare::Eq, false, true),
            CompareOp::LtS => (Compare::LtS, false, false),
            CompareOp::LeS => (Compare::LeS, false, false),
            CompareOp::GtS => (Compare::LtS, true, false),
            CompareOp::GeS => (Compare::LeS, true, false),
            CompareOp::LtU => (Compare::LtU, false, false),
            CompareOp::LeU => (Compare::LeU, false, false),
            CompareOp::GtU => (Compare::LtU, true, false),
            CompareOp::GeU => (Compare::LeU, true, false),
            _ => return self.opaque(300 + op as u32, &[lhs, rhs], Scalar::I1),
        };
        if self.space.terms.width(lhs) != self.space.terms.width(rhs) {
            return self.space.unknown(Scalar::I1);
        }
        let (lhs, rhs) = if swap { (rhs, lhs) } else { (lhs, rhs) };
        let term = match op {
            Compare::Eq => self.equal(state, lhs, rhs),
            _ => self.space.terms.compare(op, lhs, rhs),
        };
        if negate { self.space.terms.not(term) } else { term }
    }

    /// Whether a number is read from storage of the library's: `errno`.
    fn is_library_number(&self, value: ValueId) -> bool {
        let definition = |value| self.body.definition(value).map(|at| self.body.insts[at]);
        let Some(Inst::Load { from, .. }) = definition(value) else { return false };
        let Some(Inst::Call(call)) = definition(from) else { return false };
        self.model_of(call).is_some_and(|model| model.result == ResultKind::Library)
    }

    /// Who returns a negated error code says that there was an error.
    fn assume_positive(&mut self, state: &mut State, number: TermId) {
        let zero = self.space.terms.constant(0, self.space.terms.width(number));
        let positive = self.space.terms.compare(Compare::LtS, zero, number);
        if state.facts.decide(&self.space.terms, positive).is_none() {
            let _ = state.assume(&mut self.space, positive);
        }
    }

    fn convert(&mut self, op: ConvertOp, value: TermId, to: Scalar) -> TermId {
        let (from, width) = (self.space.terms.width(value), self.space.width(to));
        match op {
            ConvertOp::Trunc
            | ConvertOp::SignExtend
            | ConvertOp::ZeroExtend
            | ConvertOp::PtrToInt
            | ConvertOp::IntToPtr
                if from == width =>
            {
                value
            }
            ConvertOp::SignExtend if from < width => self.space.terms.extend_s(value, width),
            ConvertOp::ZeroExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr if from < width => {
                self.space.terms.extend_u(value, width)
            }
            ConvertOp::Trunc | ConvertOp::PtrToInt | ConvertOp::IntToPtr if from > width => {
                self.space.terms.truncate(value, width)
            }
            _ => self.opaque(400 + op as u32, &[value], to),
        }
    }
}
