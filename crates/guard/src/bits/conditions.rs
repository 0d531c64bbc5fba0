//! A list of conditions, most of which are asked for in vain.

use std::ops::Deref;

use super::TermId;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    list: Vec<TermId>,
    /// One bit for each, shared by ids that are equal modulo 64: a clear bit is a sure no.
    bits: u64,
}

impl Conditions {
    pub fn contains(&self, condition: TermId) -> bool {
        self.bits & bit(condition) != 0 && self.list.contains(&condition)
    }

    pub fn push(&mut self, condition: TermId) {
        self.bits |= bit(condition);
        self.list.push(condition);
    }

    pub fn retain(&mut self, keep: &dyn Fn(TermId) -> bool) {
        self.list.retain(|&id| keep(id));
        self.bits = bits_of(&self.list);
    }

    /// The same in the same order, with room for some more.
    pub fn with_room(conditions: &[TermId], room: usize) -> Self {
        let mut list = Vec::with_capacity(conditions.len() + room);
        list.extend_from_slice(conditions);
        Self { bits: bits_of(conditions), list }
    }
}

impl Deref for Conditions {
    type Target = [TermId];

    fn deref(&self) -> &[TermId] {
        &self.list
    }
}

fn bit(condition: TermId) -> u64 {
    1 << (condition.0 % u64::BITS)
}

fn bits_of(conditions: &[TermId]) -> u64 {
    conditions.iter().fold(0, |bits, &it| bits | bit(it))
}
