//! Static objects that are `const` hold what their initialiser says, whoever was called since.

use caulk_ir::{Definition, Init};
use caulk_program::StaticId;

use crate::get::Access;
use crate::space::{AtomKind, Expr, Place};
use crate::state::Evaluator;

impl Evaluator<'_> {
    /// The number in a `const` object, where it is the same with and without a sign.
    pub(crate) fn constant_at(&mut self, access: Access) -> Option<Expr> {
        let base = self.space.base(access.address)?;
        let &AtomKind::Place(Place::Static(id)) = self.space.kind(base) else { return None };
        let distance = self.space.distance(access.address, base);
        let at = usize::try_from(self.space.as_constant(distance)?).ok()?;
        let (_, object) = self.input.program.object(StaticId(id));
        let is_known = object.constant && object.definition == Definition::Defined;
        let number = number(object.init.as_ref().filter(|_| is_known)?, at, access.bytes)?;
        Some(self.space.constant(number.into()))
    }
}

fn number(init: &Init, at: usize, bytes: u32) -> Option<i64> {
    let range = at as u64..at as u64 + u64::from(bytes);
    if bytes > 8 || init.relocations.iter().any(|row| range.contains(&row.offset)) {
        return None;
    }
    let byte = |number: usize| init.bytes.get(at + number).copied().unwrap_or(0);
    let bits = (0..bytes as usize).rev().fold(0, |bits: u64, it| bits << 8 | u64::from(byte(it)));
    let has_sign = bits >> (8 * bytes - 1) != 0;
    i64::try_from(bits).ok().filter(|_| !has_sign)
}
