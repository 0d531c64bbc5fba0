//! Arithmetic on constants, where the answer does not depend on the machine. What traps or is
//! undefined is left as an instruction.

use caulk_ir::{BinaryOp, CompareOp, Scalar, UnaryOp};

/// `op value` in the width of `scalar`; constants are sign-extended.
pub fn unary(op: UnaryOp, scalar: Scalar, value: i64) -> Option<i128> {
    scalar.int_bits()?;
    match op {
        UnaryOp::Neg | UnaryOp::NegS => Some(-i128::from(value)),
        UnaryOp::Not => Some(!i128::from(value)),
        _ => None,
    }
}

pub fn binary(op: BinaryOp, scalar: Scalar, lhs: i64, rhs: i64) -> Option<i128> {
    let bits = scalar.int_bits().filter(|&bits| bits <= 64)?;
    let (left, right) = (i128::from(lhs), i128::from(rhs));
    let (left_u, right_u) = (unsigned(lhs, bits), unsigned(rhs, bits));
    let shift = u32::try_from(right_u).ok().filter(|&by| by < bits);
    match op {
        BinaryOp::Add | BinaryOp::AddS => Some(left + right),
        BinaryOp::Sub | BinaryOp::SubS => Some(left - right),
        BinaryOp::Mul | BinaryOp::MulS => Some(left * right),
        BinaryOp::DivS if right != 0 => Some(left / right),
        BinaryOp::RemS if right != 0 => Some(left % right),
        BinaryOp::DivU if right_u != 0 => Some((left_u / right_u) as i128),
        BinaryOp::RemU if right_u != 0 => Some((left_u % right_u) as i128),
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Shl | BinaryOp::ShlS => Some(left << shift?),
        BinaryOp::ShrS => Some(left >> shift?),
        BinaryOp::ShrU => Some((left_u >> shift?) as i128),
        _ => None,
    }
}

pub fn compare(op: CompareOp, scalar: Scalar, lhs: i64, rhs: i64) -> Option<bool> {
    let bits = scalar.int_bits().filter(|&bits| bits <= 64)?;
    let (left_u, right_u) = (unsigned(lhs, bits), unsigned(rhs, bits));
    Some(match op {
        CompareOp::Eq => lhs == rhs,
        CompareOp::Ne => lhs != rhs,
        CompareOp::LtS => lhs < rhs,
        CompareOp::LeS => lhs <= rhs,
        CompareOp::GtS => lhs > rhs,
        CompareOp::GeS => lhs >= rhs,
        CompareOp::LtU => left_u < right_u,
        CompareOp::LeU => left_u <= right_u,
        CompareOp::GtU => left_u > right_u,
        CompareOp::GeU => left_u >= right_u,
        _ => return None,
    })
}

/// The value as an unsigned number of that many bits.
fn unsigned(value: i64, bits: u32) -> u128 {
    u128::from(value as u64) & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signedness_decides_division_and_order() {
        assert_eq!(binary(BinaryOp::DivS, Scalar::I32, -7, 2), Some(-3));
        assert_eq!(binary(BinaryOp::DivU, Scalar::I32, -1, 2), Some(0x7fff_ffff));
        assert_eq!(compare(CompareOp::LtS, Scalar::I8, -1, 1), Some(true));
        assert_eq!(compare(CompareOp::LtU, Scalar::I8, -1, 1), Some(false));
    }

    #[test]
    fn traps_and_wide_shifts_are_not_folded() {
        assert_eq!(binary(BinaryOp::DivS, Scalar::I32, 1, 0), None);
        assert_eq!(binary(BinaryOp::Shl, Scalar::I32, 1, 32), None);
        assert_eq!(binary(BinaryOp::Shl, Scalar::I32, 1, -1), None);
        assert_eq!(binary(BinaryOp::ShrU, Scalar::I16, -1, 8), Some(0xff));
    }
}
