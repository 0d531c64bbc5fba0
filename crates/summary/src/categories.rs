//! The eight categories of a summary (Table 3), by anchors, from reach and Sreach (section 4.2).
//!
//! `reach` follows the memory at the exit, `Sreach` the memory before the call. As in the paper
//! their fixpoint is ordered by addresses alone: a node is entered once, by its first anchor, and
//! cyclic memory ends.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::summary::{Node, NodeId, Summary};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// Counted from 1, as the paper does; 0 is where an aggregate result goes.
    Arg(u32),
    Ret,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    Deref,
    Member(Arc<str>),
    Element,
    /// Any member.
    Any,
}

/// An access path: `arg1*.next`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor {
    pub root: Root,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Categories {
    pub alloc2arg: BTreeSet<Anchor>,
    pub alloc2ret: BTreeSet<Anchor>,
    pub arg2free: BTreeSet<Anchor>,
    pub arg2glob: BTreeSet<Anchor>,
    pub glob2arg: BTreeSet<Anchor>,
    pub glob2ret: BTreeSet<Anchor>,
    /// Where it was before the call, and where it is at the exit.
    pub arg2arg: BTreeSet<(Anchor, Anchor)>,
    pub arg2ret: BTreeSet<(Anchor, Anchor)>,
}

/// The categories, in the order of Table 3.
pub const NAMES: [&str; 8] = [
    "Alloc2Arg",
    "Alloc2Ret",
    "Glob2Arg",
    "Glob2Ret",
    "Arg2Free",
    "Arg2Glob",
    "Arg2Arg",
    "Arg2Ret",
];

/// Of each category, whether it has something.
pub type Filled = [bool; 8];

impl Categories {
    /// The rows of each, as text, in the order of Table 3.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Vec<String>); 8] {
        let one = |set: &BTreeSet<Anchor>| set.iter().map(ToString::to_string).collect();
        let two = |set: &BTreeSet<(Anchor, Anchor)>| {
            set.iter().map(|(before, after)| format!("({before}, {after})")).collect()
        };
        let mut rows = [
            one(&self.alloc2arg),
            one(&self.alloc2ret),
            one(&self.glob2arg),
            one(&self.glob2ret),
            one(&self.arg2free),
            one(&self.arg2glob),
            two(&self.arg2arg),
            two(&self.arg2ret),
        ];
        std::array::from_fn(|at| (NAMES[at], std::mem::take(&mut rows[at])))
    }

    /// Whether each has something, in the order of [`NAMES`].
    #[must_use]
    pub fn filled(&self) -> Filled {
        [
            !self.alloc2arg.is_empty(),
            !self.alloc2ret.is_empty(),
            !self.glob2arg.is_empty(),
            !self.glob2ret.is_empty(),
            !self.arg2free.is_empty(),
            !self.arg2glob.is_empty(),
            !self.arg2arg.is_empty(),
            !self.arg2ret.is_empty(),
        ]
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.root {
            Root::Arg(0) => f.write_str("ret&")?,
            Root::Arg(number) => write!(f, "arg{number}")?,
            Root::Ret => f.write_str("ret")?,
        }
        for step in &self.steps {
            match step {
                Step::Deref => f.write_str("*")?,
                Step::Member(name) => write!(f, ".{name}")?,
                Step::Element => f.write_str("[]")?,
                Step::Any => f.write_str(".any")?,
            }
        }
        Ok(())
    }
}

impl Anchor {
    fn then(&self, step: Step) -> Anchor {
        let mut steps = self.steps.clone();
        steps.push(step);
        Anchor { steps, ..self.clone() }
    }
}

/// Roots of parameters count from 1.
fn root_of(number: u32) -> Root {
    Root::Arg(number.wrapping_add(1))
}

impl Summary {
    #[must_use]
    pub fn categories(&self) -> Categories {
        let mut all = Categories::default();
        for &(node, _) in &self.frees {
            all.arg2free.extend(self.before(node));
        }
        let in_statics = self.cells.iter().filter(|row| self.static_of(row.0).is_some());
        for &node in self.escapes.iter().chain(in_statics.flat_map(|row| &row.1.nodes)) {
            all.arg2glob.extend(self.before(node));
        }
        for (node, anchor) in self.reach_of_args() {
            self.file(node, anchor, &mut all.alloc2arg, &mut all.glob2arg, &mut all.arg2arg);
        }
        for (node, anchor) in self.reach_of_result() {
            self.file(node, anchor, &mut all.alloc2ret, &mut all.glob2ret, &mut all.arg2ret);
        }
        all
    }

    fn file(
        &self,
        node: NodeId,
        anchor: Anchor,
        allocated: &mut BTreeSet<Anchor>,
        global: &mut BTreeSet<Anchor>,
        aliased: &mut BTreeSet<(Anchor, Anchor)>,
    ) {
        match self.nodes[node] {
            Node::Fresh(_) => {
                allocated.insert(anchor);
            }
            Node::Global | Node::Static(_) => {
                global.insert(anchor);
            }
            _ => {
                if let Some(before) = self.before(node).filter(|before| *before != anchor) {
                    aliased.insert((before, anchor));
                }
            }
        }
    }

    /// Sreach, backwards: how the caller's memory led to a node before the call.
    #[must_use]
    pub fn before(&self, node: NodeId) -> Option<Anchor> {
        let mut steps = Vec::new();
        let root = self.steps_back(node, &mut steps)?;
        steps.reverse();
        Some(Anchor { root, steps })
    }

    /// The steps from a node back to its root, the last one first.
    fn steps_back(&self, node: NodeId, steps: &mut Vec<Step>) -> Option<Root> {
        let mut at = node;
        loop {
            at = match self.nodes[at] {
                Node::Arg(number) => return Some(root_of(number)),
                Node::Explore(cell) => {
                    steps.push(Step::Deref);
                    steps.extend(self.first_member(cell));
                    cell
                }
                Node::Field(of, offset) => {
                    steps.push(Step::Member(self.member(at, offset)));
                    of
                }
                Node::Element(of) => {
                    steps.push(Step::Element);
                    of
                }
                Node::Contents(of) => {
                    steps.push(Step::Any);
                    of
                }
                Node::Fresh(_) | Node::Global | Node::Static(_) => return None,
            }
        }
    }

    /// The anchor of a location, as opposed to the object there: with its first member's name.
    fn cell_before(&self, cell: NodeId) -> Option<Anchor> {
        Some(self.with_first_member(cell, self.before(cell)?))
    }

    fn with_first_member(&self, cell: NodeId, mut anchor: Anchor) -> Anchor {
        anchor.steps.extend(self.first_member(cell));
        anchor
    }

    fn first_member(&self, cell: NodeId) -> Option<Step> {
        let is_whole = matches!(self.nodes[cell], Node::Explore(_) | Node::Fresh(_));
        self.names[cell].clone().filter(|_| is_whole).map(Step::Member)
    }

    pub(crate) fn member(&self, node: NodeId, offset: i64) -> Arc<str> {
        self.names[node].clone().unwrap_or_else(|| format!("{offset:+}").into())
    }

    /// What the caller's memory leads to at the exit, where it was written.
    fn reach_of_args(&self) -> Vec<(NodeId, Anchor)> {
        let mut seen = BTreeSet::new();
        let mut rows = Vec::new();
        for (cell, held) in &self.cells {
            let Some(anchor) = self.cell_before(*cell) else { continue };
            for &node in &held.nodes {
                self.follow(node, anchor.then(Step::Deref), &mut seen, &mut rows);
            }
        }
        rows
    }

    fn reach_of_result(&self) -> Vec<(NodeId, Anchor)> {
        let (mut seen, mut rows) = (BTreeSet::new(), Vec::new());
        let start = Anchor { root: Root::Ret, steps: vec![Step::Deref] };
        for &node in self.result.iter().flat_map(|held| &held.nodes) {
            self.follow(node, start.clone(), &mut seen, &mut rows);
        }
        rows
    }

    fn follow(
        &self,
        node: NodeId,
        anchor: Anchor,
        seen: &mut BTreeSet<NodeId>,
        rows: &mut Vec<(NodeId, Anchor)>,
    ) {
        rows.push((node, anchor.clone()));
        if !seen.insert(node) {
            return;
        }
        for (cell, held) in &self.cells {
            let Some(inner) = self.part_of(*cell, node, &anchor) else { continue };
            for &next in &held.nodes {
                self.follow(next, inner.then(Step::Deref), seen, rows);
            }
        }
    }

    /// The anchor of a location inside a fresh object.
    fn part_of(&self, cell: NodeId, object: NodeId, anchor: &Anchor) -> Option<Anchor> {
        if !matches!(self.nodes[object], Node::Fresh(_)) {
            return None;
        }
        if cell == object {
            return Some(self.with_first_member(cell, anchor.clone()));
        }
        match self.nodes[cell] {
            Node::Field(of, offset) => {
                let inner = self.path_in(of, object, anchor)?;
                Some(inner.then(Step::Member(self.member(cell, offset))))
            }
            Node::Element(of) => Some(self.path_in(of, object, anchor)?.then(Step::Element)),
            Node::Contents(of) => Some(self.path_in(of, object, anchor)?.then(Step::Any)),
            _ => None,
        }
    }

    fn path_in(&self, node: NodeId, object: NodeId, anchor: &Anchor) -> Option<Anchor> {
        if node == object { Some(anchor.clone()) } else { self.part_of(node, object, anchor) }
    }
}
