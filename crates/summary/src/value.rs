//! An abstract value: numbers, and addresses it may be (V̂alue of Table 4). NULL is the number 0.

use smallvec::SmallVec;

use crate::location::LocId;
use crate::numbers::Numbers;

#[derive(Debug, PartialEq, Eq)]
pub struct Value {
    pub numbers: Numbers,
    /// In increasing order.
    addresses: SmallVec<[LocId; 2]>,
}

/// States are copied all the time: addresses as a whole, not one by one.
impl Clone for Value {
    fn clone(&self) -> Self {
        Self { numbers: self.numbers, addresses: SmallVec::from_slice(&self.addresses) }
    }
}

impl Value {
    pub fn none() -> Self {
        Self::of_numbers(Numbers::NONE)
    }

    pub fn any_number() -> Self {
        Self::of_numbers(Numbers::ALL)
    }

    pub fn of_numbers(numbers: Numbers) -> Self {
        Self { numbers, addresses: SmallVec::new() }
    }

    pub fn address(address: LocId) -> Self {
        Self { numbers: Numbers::NONE, addresses: SmallVec::from_slice(&[address]) }
    }

    pub fn address_or_null(address: LocId) -> Self {
        Self { numbers: Numbers::ZERO, ..Self::address(address) }
    }

    pub fn new(numbers: Numbers, addresses: impl IntoIterator<Item = LocId>) -> Self {
        let mut value = Self::of_numbers(numbers);
        value.addresses.extend(addresses);
        value.addresses.sort_unstable();
        value.addresses.dedup();
        value
    }

    pub fn addresses(&self) -> &[LocId] {
        &self.addresses
    }

    pub fn with_numbers(&self, numbers: Numbers) -> Self {
        Self { numbers, ..self.clone() }
    }

    pub fn is_none(&self) -> bool {
        self.numbers.is_none() && self.addresses.is_empty()
    }

    pub fn join(&mut self, other: &Value) {
        self.numbers = self.numbers.join(&other.numbers);
        self.add_addresses(other);
    }

    pub fn widen(&mut self, next: &Value) {
        self.numbers = self.numbers.widen(&next.numbers);
        self.add_addresses(next);
    }

    /// What the other may be, its numbers aside.
    pub fn add_addresses(&mut self, other: &Value) {
        if self.addresses == other.addresses {
            return;
        }
        if self.addresses.is_empty() {
            self.addresses = SmallVec::from_slice(&other.addresses);
            return;
        }
        for &address in &other.addresses {
            if let Err(at) = self.addresses.binary_search(&address) {
                self.addresses.insert(at, address);
            }
        }
    }

    pub fn retain_addresses(&mut self, keep: impl Fn(LocId) -> bool) {
        self.addresses.retain(|address| keep(*address));
    }

    /// The same addresses, each changed.
    pub fn map_addresses(&self, numbers: Numbers, change: impl FnMut(LocId) -> LocId) -> Value {
        Value::new(numbers, self.addresses.iter().copied().map(change))
    }
}
