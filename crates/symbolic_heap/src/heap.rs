//! The heap algebra H: chains of heap functions (section 3.1).
//!
//! A chain is ⊥ (the unknown heap β at the entry of a function) or a chain with one more function.
//! Chains share their beginnings. What the paper's language lacks and C has is there as further
//! functions: copies and fills of memory, calls that may change anything they reach, references that
//! code outside keeps.

use std::rc::Rc;

use caulk_base::{FxHashMap, Table, define_id};
use caulk_ir::BlockId;

use crate::space::{Cond, Expr, Site, Space, Symbol};
use crate::substitute::Substitution;

define_id!(pub Chain, "h", "A heap, as a chain of heap functions.");

impl Chain {
    /// β.
    pub const START: Self = Self(0);
}

/// Where in the program a heap function comes from: an instruction of an activation, or the end of a
/// block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    pub frame: u32,
    pub inst: u32,
}

/// Set in [`Origin::inst`] where the rest is the number of a block that ends there.
const END: u32 = 1 << 31;

impl Origin {
    #[must_use]
    pub fn end_of(frame: u32, block: BlockId) -> Self {
        Self { frame, inst: END | block.0 }
    }

    /// The block whose end this is.
    #[must_use]
    pub fn ended(self) -> Option<BlockId> {
        (self.inst & END != 0).then_some(BlockId(self.inst & !END))
    }
}

/// A heap function μ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// `new(r, t)`; the size stands for the type.
    New {
        cell: Expr,
        bytes: Option<Expr>,
        zeroed: bool,
        at: Origin,
    },
    /// `put(r, q, e)`: the qualifier is the distance from the record's start. With the place of a
    /// variable as the address it is `put(v, ⊥, r)`.
    Put {
        address: Expr,
        value: Expr,
        bytes: u32,
        at: Origin,
    },
    Free {
        pointer: Expr,
        at: Origin,
    },
    Copy {
        to: Expr,
        from: Expr,
        bytes: Expr,
        at: Origin,
    },
    /// Every byte becomes `byte`; None for bytes that are not known and hold no addresses.
    Fill {
        to: Expr,
        bytes: Option<Expr>,
        byte: Option<Expr>,
        number: u32,
        at: Origin,
    },
    /// Code that was not evaluated may have changed all that it could reach.
    Havoc {
        reached: Rc<[Reached]>,
        number: u32,
        at: Origin,
    },
    /// A reference that outlives the function.
    Keep {
        pointer: Expr,
        at: Origin,
    },
    /// The recurrence (2): `body` for `index` from 0 to below `count`.
    Loop(Rc<Recurrence>),
    /// Functions that happen only under a condition.
    Guarded {
        condition: Cond,
        items: Rc<[Item]>,
    },
    /// The heap at the start of turn `index` of a loop that is being evaluated and whose recurrence
    /// is not known yet.
    Start {
        index: Symbol,
        number: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recurrence {
    pub index: Symbol,
    pub count: Expr,
    pub body: Rc<[Item]>,
    /// Addresses whose value at the start of turn `index` has a closed form.
    pub known: Rc<[(Expr, Expr)]>,
}

/// What code outside can get at, by the place that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reached {
    Site(Site),
    Place(crate::space::Place),
}

#[derive(Clone, Debug)]
struct Node {
    before: Chain,
    item: Rc<Item>,
    length: u32,
}

#[derive(Debug)]
pub struct Heaps {
    nodes: Table<Chain, Option<Node>>,
    ids: FxHashMap<(Chain, Rc<Item>), Chain>,
}

impl Default for Heaps {
    fn default() -> Self {
        let mut nodes = Table::new();
        nodes.push(None);
        Self { nodes, ids: FxHashMap::default() }
    }
}

impl Heaps {
    /// `h ⊕ μ`.
    pub fn append(&mut self, chain: Chain, item: Item) -> Chain {
        let item = Rc::new(item);
        if let Some(&known) = self.ids.get(&(chain, item.clone())) {
            return known;
        }
        let length = self.length(chain) + 1;
        let id = self.nodes.push(Some(Node { before: chain, item: item.clone(), length }));
        self.ids.insert((chain, item), id);
        id
    }

    pub fn append_all(&mut self, chain: Chain, items: impl IntoIterator<Item = Item>) -> Chain {
        items.into_iter().fold(chain, |chain, item| self.append(chain, item))
    }

    /// `|h|`.
    #[must_use]
    pub fn length(&self, chain: Chain) -> u32 {
        self.nodes[chain].as_ref().map_or(0, |node| node.length)
    }

    /// The last function, and the chain before it.
    #[must_use]
    pub fn last(&self, chain: Chain) -> Option<(Chain, Rc<Item>)> {
        self.nodes[chain].as_ref().map(|node| (node.before, node.item.clone()))
    }

    /// The functions after `start`, in order; all if it is not a beginning of the chain.
    #[must_use]
    pub fn since(&self, chain: Chain, start: Chain) -> Vec<Rc<Item>> {
        let mut items = Vec::new();
        let mut at = chain;
        while at != start
            && let Some((before, item)) = self.last(at)
        {
            items.push(item);
            at = before;
        }
        items.reverse();
        items
    }

    #[must_use]
    pub fn items(&self, chain: Chain) -> Vec<Rc<Item>> {
        self.since(chain, Chain::START)
    }
}

impl Item {
    #[must_use]
    pub fn at(&self) -> Option<Origin> {
        match self {
            Item::New { at, .. }
            | Item::Put { at, .. }
            | Item::Free { at, .. }
            | Item::Copy { at, .. }
            | Item::Fill { at, .. }
            | Item::Havoc { at, .. }
            | Item::Keep { at, .. } => Some(*at),
            Item::Loop(_) | Item::Guarded { .. } | Item::Start { .. } => None,
        }
    }

    /// The function with its expressions substituted.
    pub fn substitute(&self, space: &mut Space, with: &mut Substitution) -> Item {
        let mut sub = |expr: Expr| space.substitute(expr, with);
        match self {
            Item::New { cell, bytes, zeroed, at } => {
                let (cell, bytes) = (sub(*cell), bytes.map(sub));
                Item::New { cell, bytes, zeroed: *zeroed, at: *at }
            }
            Item::Put { address, value, bytes, at } => {
                Item::Put { address: sub(*address), value: sub(*value), bytes: *bytes, at: *at }
            }
            Item::Free { pointer, at } => Item::Free { pointer: sub(*pointer), at: *at },
            Item::Keep { pointer, at } => Item::Keep { pointer: sub(*pointer), at: *at },
            Item::Copy { to, from, bytes, at } => {
                Item::Copy { to: sub(*to), from: sub(*from), bytes: sub(*bytes), at: *at }
            }
            Item::Fill { to, bytes, byte, number, at } => {
                let (to, bytes, byte) = (sub(*to), bytes.map(&mut sub), byte.map(sub));
                Item::Fill { to, bytes, byte, number: *number, at: *at }
            }
            Item::Havoc { .. } | Item::Start { .. } => self.clone(),
            Item::Loop(inner) => {
                let count = sub(inner.count);
                let known: Vec<(Expr, Expr)> =
                    inner.known.iter().map(|&(at, value)| (sub(at), sub(value))).collect();
                let body = substitute_all(&inner.body, space, with);
                let index = inner.index;
                Item::Loop(Rc::new(Recurrence { index, count, body, known: known.into() }))
            }
            Item::Guarded { condition, items } => {
                let condition = space.substitute_condition(*condition, with);
                Item::Guarded { condition, items: substitute_all(items, space, with) }
            }
        }
    }
}

pub fn substitute_all(items: &[Item], space: &mut Space, with: &mut Substitution) -> Rc<[Item]> {
    items.iter().map(|item| item.substitute(space, with)).collect()
}
