//! Values for the symbols of a search.

use caulk_base::FxHashMap;
use caulk_guard::bits::Valuation;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    values: FxHashMap<u32, u64>,
}

impl Numbers {
    /// A symbol that nothing is demanded of is 0.
    pub fn value(&self, symbol: u32) -> u64 {
        self.values.get(&symbol).copied().unwrap_or(0)
    }

    pub fn set(&mut self, symbol: u32, value: u64) {
        self.values.insert(symbol, value);
    }
}

impl Valuation for Numbers {
    fn symbol(&self, number: u32) -> u64 {
        self.value(number)
    }

    /// The search has no uninterpreted functions.
    fn apply(&self, _: u32, _: &[u64]) -> u64 {
        0
    }
}
