//! Numbers of a table that never changes, at an index that is not known: the classes of characters,
//! tables of states. Where one symbol makes the index, its values are tried one after the other, and
//! the result is a term over that symbol: no value of it has to be chosen.

use caulk_guard::bits::{Binary, Compare, TermId, Valuation};
use caulk_ir::{Scalar, Type};

use crate::object::{Kind, Rest};
use crate::questions::symbol;
use crate::search::Seeker;
use crate::state::State;
use crate::value::width;

/// Values of a symbol that is no byte: characters, and what a `char` with a sign becomes.
const CHARACTERS: (i64, i64) = (-128, 255);
/// A table with more runs of equal numbers is not worth a term.
const MOST_RUNS: usize = 40;

/// Values of the symbol, from the first to the last, with which the table has one number.
struct Run {
    first: i64,
    last: i64,
    number: u64,
}

impl Seeker<'_> {
    /// None where the place is no such table.
    pub fn table_number(
        &mut self,
        state: &mut State,
        object: u32,
        offset: TermId,
        scalar: Scalar,
    ) -> Option<TermId> {
        let wide = width(scalar).filter(|_| !matches!(scalar, Scalar::Ptr | Scalar::I1))?;
        let table = self.table(state, object, scalar.bytes(8))?;
        let (number, narrow) = self.only_symbol(offset)?;
        let (runs, is_whole) = self.runs(&table, offset, (number, narrow), scalar.bytes(8))?;
        if !is_whole {
            self.doubt("the index of a table was taken for a character");
        }
        let index = self.space.terms.symbol(number, narrow);
        let mut is_any = TermId::FALSE;
        let mut value = self.space.terms.constant(0, wide);
        for run in runs {
            let is_it = self.between(index, run.first, run.last);
            is_any = self.space.terms.or(is_any, is_it);
            let terms = &mut self.space.terms;
            let (mask, number) = (terms.extend_s(is_it, wide), terms.constant(run.number, wide));
            let part = terms.binary(Binary::And, mask, number);
            value = terms.binary(Binary::Or, value, part);
        }
        state.assume(is_any);
        Some(value)
    }

    /// The bytes of an array of numbers that nobody writes.
    fn table(&self, state: &State, object: u32, bytes: u32) -> Option<Vec<u8>> {
        let Kind::Static(number) = state.object(object).kind else { return None };
        let row = &self.program().objects[number as usize];
        let (source, types) = {
            let module = &self.program().modules[row.module];
            (&module.objects[row.id], &module.types)
        };
        let Type::Array { element, .. } = types.types[source.ty] else { return None };
        let is_of_numbers = types.scalar(element).is_some_and(|it| it.bytes(8) == bytes);
        let is_fixed = source.constant || !self.world.stores.change(number);
        let is_first = matches!(state.object(object).rest(0), Rest::Initial { .. });
        let init = source.init.as_ref().filter(|init| init.relocations.is_empty())?;
        let size = crate::names::size(self.program(), (row.module, source.ty))? as usize;
        (row.defined && is_of_numbers && is_fixed && is_first && size <= 1 << 12).then(|| {
            let mut table = init.bytes.clone();
            table.resize(size, 0);
            table
        })
    }

    fn only_symbol(&self, term: TermId) -> Option<(u32, u8)> {
        let terms = &self.space.terms;
        let below = terms.below(&[term]);
        let mut symbols =
            below.iter().filter_map(|&id| Some((symbol(terms, id)?, terms.width(id))));
        symbols.next().filter(|_| symbols.next().is_none())
    }

    /// None where there are too many; and whether all values of the symbol were tried.
    fn runs(
        &self,
        table: &[u8],
        offset: TermId,
        (number, narrow): (u32, u8),
        bytes: u32,
    ) -> Option<(Vec<Run>, bool)> {
        let is_whole = narrow <= 8;
        let half = 1_i64 << (narrow - 1);
        let (first, last) = if is_whole { (-half, half - 1) } else { CHARACTERS };
        let mut runs: Vec<Run> = Vec::new();
        for index in first..=last {
            let value = Only { symbol: number, value: index as u64 & (u64::MAX >> (64 - narrow)) };
            let at = self.space.terms.evaluate(offset, &value) as i64;
            let Some(number) = element(table, at, bytes) else { continue };
            match runs.last_mut() {
                Some(run) if run.number == number && run.last + 1 == index => run.last = index,
                _ => runs.push(Run { first: index, last: index, number }),
            }
            if runs.len() > MOST_RUNS {
                return None;
            }
        }
        (!runs.is_empty()).then_some((runs, is_whole))
    }

    fn between(&mut self, index: TermId, first: i64, last: i64) -> TermId {
        let width = self.space.terms.width(index);
        let (low, high) = (self.space.number(first, width), self.space.number(last, width));
        if first == last {
            return self.space.terms.eq(index, low);
        }
        let above = self.space.terms.compare(Compare::LeS, low, index);
        let below = self.space.terms.compare(Compare::LeS, index, high);
        self.space.terms.and(above, below)
    }
}

fn element(table: &[u8], at: i64, bytes: u32) -> Option<u64> {
    let start = usize::try_from(at).ok()?;
    let found = table.get(start..start.checked_add(bytes as usize)?)?;
    Some(found.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
}

/// One symbol's value; there are no others.
struct Only {
    symbol: u32,
    value: u64,
}

impl Valuation for Only {
    fn symbol(&self, number: u32) -> u64 {
        if number == self.symbol { self.value } else { 0 }
    }

    fn apply(&self, _: u32, _: &[u64]) -> u64 {
        0
    }
}
