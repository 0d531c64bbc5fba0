//! The range of a term from the ranges of its operands.

use super::arithmetic::{binary, mask, signed_range, unary};
use super::range::Range;
use super::{Binary, Term, TermId, Terms, Unary};

/// How ranges of operands are known.
pub(super) trait Known {
    fn range(&self, id: TermId) -> Range;

    fn truth(&self, condition: TermId) -> Option<bool>;
}

/// The range of a term of more than one bit, as far as it follows from its shape.
pub(super) fn range_of(terms: &Terms, id: TermId, known: &dyn Known) -> Range {
    let width = terms.width(id);
    let range = match *terms.get(id) {
        Term::Constant { value, .. } => Some(Range::point(value, width)),
        Term::Unary(operator, of) => of_unary(operator, &known.range(of)),
        Term::Binary(operator, left, right) => {
            of_binary(operator, &known.range(left), &known.range(right))
        }
        Term::Select { condition, yes, no } => Some(match known.truth(condition) {
            Some(true) => known.range(yes),
            Some(false) => known.range(no),
            None => known.range(yes).join(&known.range(no)),
        }),
        Term::ExtendU { of, .. } => {
            let of = known.range(of);
            Range::unsigned(of.low(), of.high(), width)
        }
        Term::ExtendS { of, .. } => {
            let of = known.range(of);
            Range::signed(of.least(), of.greatest(), width)
        }
        Term::Truncate { of, .. } => truncated(&known.range(of), width),
        Term::Symbol { .. } | Term::Apply { .. } | Term::Compare(..) => None,
    };
    range.unwrap_or(Range::full(width))
}

fn truncated(of: &Range, width: u8) -> Option<Range> {
    let (least, greatest) = signed_range(width);
    if let Some(value) = of.value() {
        Some(Range::point(value & mask(width), width))
    } else if of.high() <= mask(width) {
        Range::unsigned(of.low(), of.high(), width)
    } else if of.least() >= least && of.greatest() <= greatest {
        Range::signed(of.least(), of.greatest(), width)
    } else {
        None
    }
}

fn of_unary(operator: Unary, of: &Range) -> Option<Range> {
    let width = of.width();
    if let Some(value) = of.value() {
        return Some(Range::point(unary(operator, value, width), width));
    }
    match operator {
        Unary::Not => Range::signed(!of.greatest(), !of.least(), width),
        Unary::Neg if of.least() == signed_range(width).0 => None,
        Unary::Neg => Range::signed(-of.greatest(), -of.least(), width),
    }
}

fn of_binary(operator: Binary, left: &Range, right: &Range) -> Option<Range> {
    let width = left.width();
    if let (Some(a), Some(b)) = (left.value(), right.value()) {
        return Some(Range::point(binary(operator, a, b, width), width));
    }
    match operator {
        // Some of the results wrap.
        Binary::Add if left.is_full() || right.is_full() => None,
        Binary::Add => both(
            exact_unsigned(left, right, width, |a, b| a.checked_add(b)),
            exact_signed(left, right, width, |a, b| a.checked_add(b)),
        ),
        Binary::Mul => both(
            exact_unsigned(left, right, width, |a, b| a.checked_mul(b)),
            exact_signed(left, right, width, |a, b| a.checked_mul(b)),
        ),
        Binary::And => Range::unsigned(0, left.high().min(right.high()), width),
        Binary::Or => {
            let bits = 64 - (left.high() | right.high()).leading_zeros();
            let high = u8::try_from(bits).map_or(u64::MAX, mask_of);
            Range::unsigned(left.low().max(right.low()), high, width)
        }
        Binary::DivU if right.low() > 0 => {
            Range::unsigned(left.low() / right.high(), left.high() / right.low(), width)
        }
        Binary::RemU if right.low() > 0 => {
            Range::unsigned(0, left.high().min(right.high() - 1), width)
        }
        Binary::DivS if left.least() >= 0 && right.least() > 0 => {
            let (least, greatest) =
                (left.least() / right.greatest(), left.greatest() / right.least());
            Range::signed(least, greatest, width)
        }
        Binary::RemS if right.least() > 0 => {
            let most = right.greatest() - 1;
            let least = if left.least() >= 0 { 0 } else { -most };
            Range::signed(least, most, width)
        }
        Binary::ShrU => Range::unsigned(0, left.high(), width),
        Binary::ShrS => Range::signed(left.least().min(0), left.greatest().max(-1), width),
        _ => None,
    }
}

/// All bits of a width that may be zero.
fn mask_of(bits: u8) -> u64 {
    if bits == 0 { 0 } else { mask(bits) }
}

fn both(left: Option<Range>, right: Option<Range>) -> Option<Range> {
    match (left, right) {
        (Some(left), Some(right)) => left.meet(&right),
        (left, right) => left.or(right),
    }
}

/// The range of an operation that grows with both operands, if none of its results wraps.
fn exact_unsigned(
    left: &Range,
    right: &Range,
    width: u8,
    operation: impl Fn(u64, u64) -> Option<u64>,
) -> Option<Range> {
    let low = operation(left.low(), right.low())?;
    let high = operation(left.high(), right.high()).filter(|&high| high <= mask(width))?;
    Range::unsigned(low, high, width)
}

/// The range of an operation whose extremes are at the corners, if none of its results wraps.
fn exact_signed(
    left: &Range,
    right: &Range,
    width: u8,
    operation: impl Fn(i64, i64) -> Option<i64>,
) -> Option<Range> {
    let (first, last) = signed_range(width);
    let (mut least, mut greatest) = (last, first);
    for a in [left.least(), left.greatest()] {
        for b in [right.least(), right.greatest()] {
            let corner = operation(a, b).filter(|corner| (first..=last).contains(corner))?;
            least = least.min(corner);
            greatest = greatest.max(corner);
        }
    }
    Range::signed(least, greatest, width)
}
