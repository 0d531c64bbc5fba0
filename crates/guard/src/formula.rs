//! Hash-consed Boolean formulas.
//!
//! Formulas are in negation normal form: literals below conjunctions and disjunctions of any
//! number of operands, where no operand has the kind of its parent. Equal formulas have equal
//! ids. A formula and its negation are made together and are neighbours (`g6` and `g7`), so
//! negation costs nothing, and every rule for conjunctions holds for disjunctions by duality;
//! [`crate::simplify`] has the rules. An operand's id is smaller than its parent's.
//!
//! Operands are sorted by what they are, not by their ids, so a formula does not depend on what
//! else the arena has held before: arenas may be shared or not, and answers stay the same.
//!
//! The height of a formula is bounded (F11): past it a constructor returns
//! [`GuardId::TOO_LARGE`], which stands for an unknown formula and absorbs whatever it is combined
//! with. The number of operands is bounded too, because simplification compares them in pairs.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

use caulk_base::{FxHashMap, Table, define_id};

use crate::switch::{AtomId, EdgeSet, Role, SwitchId, Switches};

define_id!(pub GuardId, "g", "A formula of one [`Formulas`].");

impl GuardId {
    pub const TRUE: Self = Self(0);
    pub const FALSE: Self = Self(1);
    /// A formula past the bounds, of which nothing is known.
    pub const TOO_LARGE: Self = Self(2);
}

/// The bounds of one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest way from a formula to a literal in it. FastCheck takes 30.
    pub height: u32,
    /// The most operands of one conjunction or disjunction.
    pub width: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { height: 30, width: 1000 }
    }
}

/// How a formula is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'a> {
    True,
    False,
    TooLarge,
    /// A test of two ways that holds, or does not.
    Atom(AtomId, bool),
    /// One of these edges is taken. Neither none of the switch's edges nor all.
    OneOf(SwitchId, &'a EdgeSet),
    And(&'a [GuardId]),
    Or(&'a [GuardId]),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    True,
    False,
    TooLarge,
    Atom(AtomId, bool),
    OneOf(SwitchId, EdgeSet),
    And(Box<[GuardId]>),
    Or(Box<[GuardId]>),
}

#[derive(Clone, Debug)]
struct Row {
    node: Node,
    height: u32,
    /// The least atom in it.
    first: AtomId,
    /// A bit for each atom or switch in it, modulo 64: formulas with disjoint masks have nothing
    /// in common.
    mask: u64,
    /// A hash of the structure, free of ids.
    shape: u64,
}

#[derive(Clone, Debug)]
pub struct Formulas {
    limits: Limits,
    switches: Switches,
    rows: Table<GuardId, Row>,
    /// By shape; a formula whose place is taken by another goes to the next free one.
    unique: FxHashMap<u64, GuardId>,
    pub(crate) conjunctions: FxHashMap<(GuardId, GuardId), GuardId>,
}

impl Default for Formulas {
    fn default() -> Self {
        Self::new()
    }
}

impl Formulas {
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        let mut rows = Table::new();
        for node in [Node::True, Node::False, Node::TooLarge, Node::TooLarge] {
            rows.push(Row { node, height: 0, first: AtomId(u32::MAX), mask: 0, shape: 0 });
        }
        Self {
            limits,
            switches: Switches::new(),
            rows,
            unique: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
        }
    }

    /// Declares a branch of which exactly one edge is taken. The same edges give the same id.
    ///
    /// # Panics
    /// If one of the atoms was used before, or belongs to another switch.
    pub fn switch(&mut self, edges: &[AtomId]) -> SwitchId {
        self.switches.declare(edges)
    }

    #[must_use]
    pub fn edges(&self, switch: SwitchId) -> &[AtomId] {
        self.switches.edges(switch)
    }

    pub fn atom(&mut self, atom: AtomId) -> GuardId {
        self.literal(atom, true)
    }

    /// The atom itself if it is `taken`, or its negation.
    pub fn literal(&mut self, atom: AtomId, taken: bool) -> GuardId {
        let positive = match self.switches.use_atom(atom) {
            Role::Always => GuardId::TRUE,
            Role::Free => self.free_atom(atom),
            Role::NegationOf(other) => {
                let other = self.free_atom(other);
                self.not(other)
            }
            Role::Edge(switch, position) => {
                let ways = self.edges(switch).len();
                self.one_of(switch, EdgeSet::single(position, ways))
            }
        };
        if taken { positive } else { self.not(positive) }
    }

    #[must_use]
    pub fn not(&self, guard: GuardId) -> GuardId {
        if guard == GuardId::TOO_LARGE { guard } else { GuardId(guard.0 ^ 1) }
    }

    #[must_use]
    pub fn form(&self, guard: GuardId) -> Form<'_> {
        match &self.rows[guard].node {
            Node::True => Form::True,
            Node::False => Form::False,
            Node::TooLarge => Form::TooLarge,
            Node::Atom(atom, taken) => Form::Atom(*atom, *taken),
            Node::OneOf(switch, edges) => Form::OneOf(*switch, edges),
            Node::And(operands) => Form::And(operands),
            Node::Or(operands) => Form::Or(operands),
        }
    }

    /// The longest way to a literal.
    #[must_use]
    pub fn height(&self, guard: GuardId) -> u32 {
        self.rows[guard].height
    }

    /// How many formulas there are, constants and negations included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn role(&self, atom: AtomId) -> Role {
        self.switches.role(atom)
    }

    /// Whether two formulas may have an atom or a switch in common.
    pub(crate) fn may_overlap(&self, left: GuardId, right: GuardId) -> bool {
        self.rows[left].mask & self.rows[right].mask != 0
    }

    /// The order of operands. Only formulas whose shapes collide are told apart by their ids.
    pub(crate) fn order(&self, left: GuardId, right: GuardId) -> Ordering {
        let key = |guard: GuardId| {
            let row = &self.rows[guard];
            (row.first, row.height, row.shape, guard)
        };
        key(left).cmp(&key(right))
    }

    fn free_atom(&mut self, atom: AtomId) -> GuardId {
        let mask = 1 << (atom.0 % 64);
        let row = |taken| {
            let node = Node::Atom(atom, taken);
            Row { node, height: 0, first: atom, mask, shape: 0 }
        };
        self.intern(row(true), |_| row(false))
    }

    pub(crate) fn one_of(&mut self, switch: SwitchId, edges: EdgeSet) -> GuardId {
        if edges.is_empty() {
            return GuardId::FALSE;
        }
        if edges.is_full() {
            return GuardId::TRUE;
        }
        let first = self.switches.least(switch);
        let row = |edges| {
            let node = Node::OneOf(switch, edges);
            Row { node, height: 0, first, mask: 1 << (first.0 % 64), shape: 0 }
        };
        let others = edges.complement();
        self.intern(row(edges), |_| row(others))
    }

    /// The conjunction of operands that are simplified and at least two.
    pub(crate) fn conjunction(&mut self, mut operands: Vec<GuardId>) -> GuardId {
        let height = 1 + operands.iter().map(|&o| self.height(o)).max().unwrap_or(0);
        if height > self.limits.height || operands.len() > self.limits.width {
            return GuardId::TOO_LARGE;
        }
        operands.sort_unstable_by(|&a, &b| self.order(a, b));
        let first = self.rows[operands[0]].first;
        let mask = operands.iter().fold(0, |mask, &o| mask | self.rows[o].mask);
        let row = |node| Row { node, height, first, mask, shape: 0 };
        let node = Node::And(operands.as_slice().into());
        self.intern(row(node), |formulas| {
            let mut negated: Vec<GuardId> = operands.iter().map(|&o| formulas.not(o)).collect();
            negated.sort_unstable_by(|&a, &b| formulas.order(a, b));
            row(Node::Or(negated.into()))
        })
    }

    /// The id of a formula; a new one is entered with its negation.
    fn intern(&mut self, row: Row, negation: impl FnOnce(&Self) -> Row) -> GuardId {
        let shape = self.shape(&row.node);
        match self.find(shape, &row.node) {
            Ok(known) => known,
            Err(place) => {
                let id = self.enter(Row { shape, ..row }, place);
                let negation = negation(self);
                let shape = self.shape(&negation.node);
                let place = self.find(shape, &negation.node).expect_err("entered in pairs");
                self.enter(Row { shape, ..negation }, place);
                id
            }
        }
    }

    fn enter(&mut self, row: Row, place: u64) -> GuardId {
        let id = self.rows.push(row);
        self.unique.insert(place, id);
        id
    }

    fn find(&self, shape: u64, node: &Node) -> Result<GuardId, u64> {
        let mut place = shape;
        loop {
            match self.unique.get(&place) {
                None => return Err(place),
                Some(&id) if self.rows[id].node == *node => return Ok(id),
                Some(_) => place = place.wrapping_add(1),
            }
        }
    }

    fn shape(&self, node: &Node) -> u64 {
        let mut hasher = self.unique.hasher().build_hasher();
        std::mem::discriminant(node).hash(&mut hasher);
        match node {
            Node::True | Node::False | Node::TooLarge => {}
            Node::Atom(atom, taken) => (atom, taken).hash(&mut hasher),
            Node::OneOf(switch, edges) => (self.switches.least(*switch), edges).hash(&mut hasher),
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().for_each(|&o| self.rows[o].shape.hash(&mut hasher));
            }
        }
        hasher.finish()
    }
}
