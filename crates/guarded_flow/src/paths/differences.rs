//! What a path knows of two terms by comparing them with each other: bounds of their difference.

use caulk_base::FxHashMap;
use caulk_ir::CompareOp;

use super::value::{Base, Val};

/// The first term minus the second, the smaller number first.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    bounds: FxHashMap<(u32, u32), (i64, i64)>,
}

const ANY: (i64, i64) = (i64::MIN, i64::MAX);

impl Differences {
    /// Bounds of one value minus another.
    fn between(&self, lhs: Val, rhs: Val) -> Option<(i64, i64)> {
        let (Base::Term(one), Base::Term(other)) = (lhs.base, rhs.base) else { return None };
        let (low, high) = match one < other {
            true => *self.bounds.get(&(one, other))?,
            false => turned(*self.bounds.get(&(other, one))?),
        };
        let apart = lhs.offset.checked_sub(rhs.offset)?;
        let shifted = |bound: i64| match bound {
            i64::MIN | i64::MAX => bound,
            _ => bound.saturating_add(apart),
        };
        Some((shifted(low), shifted(high)))
    }

    /// The outcome of a comparison, where it is known. Sums do not overflow.
    pub fn compared(&self, op: CompareOp, lhs: Val, rhs: Val) -> Option<bool> {
        let (low, high) = self.between(lhs, rhs)?;
        match op {
            CompareOp::Eq if low == 0 && high == 0 => Some(true),
            CompareOp::Eq if low > 0 || high < 0 => Some(false),
            CompareOp::LtS if high < 0 => Some(true),
            CompareOp::LtS if low >= 0 => Some(false),
            _ => None,
        }
    }

    /// From now on the comparison holds.
    pub fn note(&mut self, op: CompareOp, lhs: Val, rhs: Val) {
        let (Base::Term(one), Base::Term(other)) = (lhs.base, rhs.base) else { return };
        let Some(apart) = rhs.offset.checked_sub(lhs.offset).filter(|_| one != other) else {
            return;
        };
        let new = match op {
            CompareOp::Eq => (apart, apart),
            CompareOp::LtS => (i64::MIN, apart.saturating_sub(1)),
            CompareOp::GeS => (apart, i64::MAX),
            _ => return,
        };
        let (key, new) = match one < other {
            true => ((one, other), new),
            false => ((other, one), turned(new)),
        };
        let bounds = self.bounds.entry(key).or_insert(ANY);
        *bounds = (bounds.0.max(new.0), bounds.1.min(new.1));
    }
}

fn turned((low, high): (i64, i64)) -> (i64, i64) {
    let negated = |bound: i64| match bound {
        i64::MIN => i64::MAX,
        i64::MAX => i64::MIN,
        _ => -bound,
    };
    (negated(high), negated(low))
}
