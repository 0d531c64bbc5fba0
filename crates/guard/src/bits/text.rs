//! Terms as a programmer would write them.
//!
//! Extensions are not shown, as C makes them silently; numbers are signed but where the operation
//! is not.

use super::arithmetic::{mask, sign_bit, signed};
use super::{Binary, Compare, Term, TermId, Terms, Unary};

/// How far the text goes into a term.
const DEEPEST: usize = 40;

/// How tightly an operator binds, as in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    OrElse,
    AndAlso,
    Or,
    Xor,
    And,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Prefix,
    Whole,
}

struct Writer<'a> {
    terms: &'a Terms,
    names: &'a dyn Fn(u32) -> String,
}

impl Terms {
    /// A term in C's notation; `names` has the names of the symbols.
    #[must_use]
    pub fn text(&self, id: TermId, names: &dyn Fn(u32) -> String) -> String {
        Writer { terms: self, names }.at(id, Level::Choice, DEEPEST)
    }
}

impl Writer<'_> {
    /// A term in a place that takes operators from this level up.
    fn at(&self, id: TermId, level: Level, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "…".into();
        };
        let (own, text) = self.any(id, depth);
        if own < level { format!("({text})") } else { text }
    }

    fn any(&self, id: TermId, depth: usize) -> (Level, String) {
        match self.terms.get(id) {
            Term::Constant { value, width } => number(*value, *width),
            Term::Symbol { number, .. } => (Level::Whole, (self.names)(*number)),
            Term::Unary(Unary::Not, of) if self.terms.width(id) == 1 => self.negation(*of, depth),
            Term::Unary(operator, of) => {
                let sign = if *operator == Unary::Not { '~' } else { '-' };
                (Level::Prefix, format!("{sign}{}", self.at(*of, Level::Prefix, depth)))
            }
            Term::Binary(Binary::Add, front, last) => self.sum(*front, *last, depth),
            Term::Binary(operator, left, right) => self.binary(*operator, *left, *right, depth),
            Term::Compare(operator, left, right) => self.compare(*operator, *left, *right, depth),
            Term::Select { condition, yes, no } => {
                let condition = self.at(*condition, Level::OrElse, depth);
                let yes = self.at(*yes, Level::OrElse, depth);
                let no = self.at(*no, Level::Choice, depth);
                (Level::Choice, format!("{condition} ? {yes} : {no}"))
            }
            Term::ExtendU { of, .. } | Term::ExtendS { of, .. } => self.any_below(*of, depth),
            Term::Truncate { of, width } => self.truncation(*of, *width, depth),
            Term::Apply { function, arguments, .. } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|&a| self.at(a, Level::Choice, depth)).collect();
                (Level::Whole, format!("f{function}({})", arguments.join(", ")))
            }
        }
    }

    fn any_below(&self, id: TermId, depth: usize) -> (Level, String) {
        match depth.checked_sub(1) {
            Some(depth) => self.any(id, depth),
            None => (Level::Whole, "…".into()),
        }
    }

    fn negation(&self, of: TermId, depth: usize) -> (Level, String) {
        match *self.terms.get(of) {
            Term::Compare(Compare::Eq, a, b) => self.infix(Level::Equality, a, "!=", b, depth),
            Term::Binary(Binary::Xor, a, b) => self.infix(Level::Equality, a, "==", b, depth),
            _ => (Level::Prefix, format!("!{}", self.at(of, Level::Prefix, depth))),
        }
    }

    fn truncation(&self, of: TermId, width: u8, depth: usize) -> (Level, String) {
        if matches!(width, 8 | 16 | 32) {
            let of = self.at(of, Level::Prefix, depth);
            return (Level::Prefix, format!("(uint{width}_t){of}"));
        }
        let of = self.at(of, Level::And, depth);
        (Level::And, format!("{of} & {}", mask(width)))
    }

    /// A negative part is subtracted, and does not stand first if another part can.
    fn sum(&self, front: TermId, last: TermId, depth: usize) -> (Level, String) {
        let (front, last) = match (self.terms.get(front), self.terms.get(last)) {
            (Term::Unary(Unary::Neg, _), Term::Constant { .. } | Term::Unary(Unary::Neg, _)) => {
                (front, last)
            }
            (Term::Unary(Unary::Neg, _), _) => (last, front),
            _ => (front, last),
        };
        let front = self.at(front, Level::Sum, depth);
        let (sign, last) = match self.subtracted(last, depth) {
            Some(text) => ('-', text),
            None => ('+', self.at(last, Level::Product, depth)),
        };
        (Level::Sum, format!("{front} {sign} {last}"))
    }

    /// The opposite of a part with a minus.
    fn subtracted(&self, part: TermId, depth: usize) -> Option<String> {
        let positive = |value: u64, width: u8| {
            (value & sign_bit(width) != 0).then(|| value.wrapping_neg() & mask(width))
        };
        match *self.terms.get(part) {
            Term::Constant { value, width } => Some(positive(value, width)?.to_string()),
            Term::Unary(Unary::Neg, of) => Some(self.at(of, Level::Product, depth)),
            Term::Binary(Binary::Mul, atom, factor) => {
                let factor = positive(self.terms.as_constant(factor)?, self.terms.width(factor))?;
                Some(format!("{} * {factor}", self.at(atom, Level::Product, depth)))
            }
            _ => None,
        }
    }

    fn binary(&self, operator: Binary, a: TermId, b: TermId, depth: usize) -> (Level, String) {
        let truth = self.terms.width(a) == 1;
        let (level, sign) = match operator {
            Binary::Add => (Level::Sum, "+"),
            Binary::Sub => (Level::Sum, "-"),
            Binary::Mul => (Level::Product, "*"),
            Binary::DivU | Binary::DivS => (Level::Product, "/"),
            Binary::RemU | Binary::RemS => (Level::Product, "%"),
            Binary::And if truth => (Level::AndAlso, "&&"),
            Binary::Or if truth => (Level::OrElse, "||"),
            Binary::Xor if truth => (Level::Equality, "!="),
            Binary::And => (Level::And, "&"),
            Binary::Or => (Level::Or, "|"),
            Binary::Xor => (Level::Xor, "^"),
            Binary::Shl => (Level::Shift, "<<"),
            Binary::ShrU | Binary::ShrS => (Level::Shift, ">>"),
        };
        self.infix(level, a, sign, b, depth)
    }

    fn compare(&self, operator: Compare, a: TermId, b: TermId, depth: usize) -> (Level, String) {
        if operator == Compare::Eq {
            return self.infix(Level::Equality, a, "==", b, depth);
        }
        if let Some(text) = self.against_zero(operator, a, b, depth) {
            return (Level::Order, text);
        }
        let signs = match operator {
            Compare::LtU | Compare::LtS => ("<", ">"),
            _ => ("<=", ">="),
        };
        let is_signed = matches!(operator, Compare::LtS | Compare::LeS);
        let side = |id| match *self.terms.get(id) {
            Term::Constant { value, width } if is_signed => number(value, width).1,
            Term::Constant { value, .. } => value.to_string(),
            _ => self.at(id, Level::Shift, depth),
        };
        let text = match self.terms.as_constant(a) {
            Some(_) => format!("{} {} {}", side(b), signs.1, side(a)),
            None => format!("{} {} {}", side(a), signs.0, side(b)),
        };
        (Level::Order, text)
    }

    /// `x <= -1` and `x >= 1` of signed numbers.
    fn against_zero(
        &self,
        operator: Compare,
        a: TermId,
        b: TermId,
        depth: usize,
    ) -> Option<String> {
        if operator != Compare::LeS {
            return None;
        }
        if self.terms.as_constant(b) == Some(mask(self.terms.width(b))) {
            return Some(format!("{} < 0", self.at(a, Level::Shift, depth)));
        }
        let positive = self.terms.as_constant(a) == Some(1);
        positive.then(|| format!("{} > 0", self.at(b, Level::Shift, depth)))
    }

    fn infix(
        &self,
        level: Level,
        left: TermId,
        sign: &str,
        right: TermId,
        depth: usize,
    ) -> (Level, String) {
        let left = self.at(left, level, depth);
        let right = self.at(right, tighter(level), depth);
        (level, format!("{left} {sign} {right}"))
    }
}

fn tighter(level: Level) -> Level {
    match level {
        Level::Choice => Level::OrElse,
        Level::OrElse => Level::AndAlso,
        Level::AndAlso => Level::Or,
        Level::Or => Level::Xor,
        Level::Xor => Level::And,
        Level::And => Level::Equality,
        Level::Equality => Level::Order,
        Level::Order => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Prefix,
        Level::Prefix | Level::Whole => Level::Whole,
    }
}

fn number(value: u64, width: u8) -> (Level, String) {
    let value = if width == 1 { value.cast_signed() } else { signed(value, width) };
    (if value < 0 { Level::Prefix } else { Level::Whole }, value.to_string())
}
