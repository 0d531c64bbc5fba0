//! Atoms, and the branches that several of them belong to.
//!
//! An atom stands for one test at one program point (section 5.7 of FastCheck): the test holds or
//! it does not. A branch of two ways is one atom. A branch of `k` ways is `k` atoms, its edges, of
//! which exactly one is taken. Whatever a formula says of such a branch alone is therefore a set
//! of its edges: conjunction is intersection, disjunction is union, negation is complement, the
//! empty set is false and the full set is true. That is the consistency formula of F6, kept by
//! construction while formulas are built.

use caulk_base::{FxHashMap, Table, define_id};

define_id!(pub AtomId, "a", "A decision, numbered by the caller. Solvers order variables by it.");
define_id!(pub SwitchId, "s", "A branch of several ways: exactly one of its edges is taken.");

const BITS: usize = u64::BITS as usize;

/// A set of the edges of one switch, by their positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeSet {
    words: Box<[u64]>,
    ways: u32,
}

impl EdgeSet {
    pub(crate) fn single(position: usize, ways: usize) -> Self {
        let mut words = vec![0; ways.div_ceil(BITS)];
        words[position / BITS] |= 1 << (position % BITS);
        Self { words: words.into(), ways: u32::try_from(ways).expect("a switch has few edges") }
    }

    #[must_use]
    pub fn contains(&self, position: usize) -> bool {
        position < self.ways() && self.words[position / BITS] >> (position % BITS) & 1 == 1
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many edges the switch has.
    #[must_use]
    pub fn ways(&self) -> usize {
        self.ways as usize
    }

    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len() == self.ways()
    }

    /// The positions in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.ways()).filter(|&position| self.contains(position))
    }

    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(mine, theirs)| mine & !theirs == 0)
    }

    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |mine, theirs| mine & theirs)
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |mine, theirs| mine | theirs)
    }

    #[must_use]
    pub fn complement(&self) -> Self {
        let mut words: Box<[u64]> = self.words.iter().map(|word| !word).collect();
        let used = self.ways() % BITS;
        if let Some(last) = words.last_mut().filter(|_| used != 0) {
            *last &= (1 << used) - 1;
        }
        Self { words, ways: self.ways }
    }

    fn zip(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect();
        Self { words, ways: self.ways }
    }
}

/// What an atom is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A test of its own.
    Free,
    /// The second edge of a switch of two: the negation of the first, which is `Free`.
    NegationOf(AtomId),
    /// The only edge of its switch.
    Always,
    /// An edge, by its position, of a switch of three or more.
    Edge(SwitchId, usize),
}

#[derive(Clone, Debug)]
struct Switch {
    edges: Box<[AtomId]>,
    least: AtomId,
}

/// The declared switches, and the role of every atom seen.
#[derive(Clone, Debug)]
pub(crate) struct Switches {
    table: Table<SwitchId, Switch>,
    by_first: FxHashMap<AtomId, SwitchId>,
    roles: FxHashMap<AtomId, Role>,
}

impl Switches {
    pub(crate) fn new() -> Self {
        Self { table: Table::new(), by_first: FxHashMap::default(), roles: FxHashMap::default() }
    }

    pub(crate) fn declare(&mut self, edges: &[AtomId]) -> SwitchId {
        let first = *edges.first().expect("a switch has an edge");
        if let Some(&known) = self.by_first.get(&first) {
            assert!(*self.table[known].edges == *edges, "{first} is an edge of another switch");
            return known;
        }
        let least = edges.iter().copied().min().unwrap_or(first);
        let id = self.table.push(Switch { edges: edges.into(), least });
        self.by_first.insert(first, id);
        for (position, &atom) in edges.iter().enumerate() {
            let role = match (edges.len(), position) {
                (1, _) => Role::Always,
                (2, 0) => Role::Free,
                (2, _) => Role::NegationOf(first),
                _ => Role::Edge(id, position),
            };
            let before = self.roles.insert(atom, role);
            assert!(before.is_none(), "{atom} was used before its switch was declared");
        }
        id
    }

    pub(crate) fn edges(&self, id: SwitchId) -> &[AtomId] {
        &self.table[id].edges
    }

    pub(crate) fn least(&self, id: SwitchId) -> AtomId {
        self.table[id].least
    }

    /// The role of an atom about to be used: without a switch, it is free from now on.
    pub(crate) fn use_atom(&mut self, atom: AtomId) -> Role {
        *self.roles.entry(atom).or_insert(Role::Free)
    }

    pub(crate) fn role(&self, atom: AtomId) -> Role {
        self.roles.get(&atom).copied().unwrap_or(Role::Free)
    }
}
