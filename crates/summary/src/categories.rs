//! The eight categories of a summary (Table 3), by anchors, from reach and Sreach (section 4.2).
//!
//! `reach` follows the memory at the exit, `Sreach` the memory before the call. As in the paper
//! their fixpoint is ordered by addresses alone: a node is entered once, by its first anchor, and
//! cyclic memory ends.

use std::collections::BTreeSet;
use std::fmt;

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
    Member(String),
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

impl Categories {
    /// The rows of each, as text, in the order of Table 3.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Vec<String>); 8] {
        let one = |set: &BTreeSet<Anchor>| set.iter().map(ToString::to_string).collect();
        let two = |set: &BTreeSet<(Anchor, Anchor)>| {
            set.iter().map(|(before, after)| format!("({before}, {after})")).collect()
        };
        [
            ("Alloc2Arg", one(&self.alloc2arg)),
            ("Alloc2Ret", one(&self.alloc2ret)),
            ("Glob2Arg", one(&self.glob2arg)),
            ("Glob2Ret", one(&self.glob2ret)),
            ("Arg2Free", one(&self.arg2free)),
            ("Arg2Glob", one(&self.arg2glob)),
            ("Arg2Arg", two(&self.arg2arg)),
            ("Arg2Ret", two(&self.arg2ret)),
        ]
    }

    /// How many rows each has, in the order of Table 3.
    #[must_use]
    pub fn sizes(&self) -> [(&'static str, usize); 8] {
        [
            ("Alloc2Arg", self.alloc2arg.len()),
            ("Alloc2Ret", self.alloc2ret.len()),
            ("Glob2Arg", self.glob2arg.len()),
            ("Glob2Ret", self.glob2ret.len()),
            ("Arg2Free", self.arg2free.len()),
            ("Arg2Glob", self.arg2glob.len()),
            ("Arg2Arg", self.arg2arg.len()),
            ("Arg2Ret", self.arg2ret.len()),
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
        for &node in &self.escapes {
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
        match self.nodes[node] {
            Node::Arg(number) => Some(Anchor { root: root_of(number), steps: Vec::new() }),
            Node::Explore(cell) => Some(self.cell_before(cell)?.then(Step::Deref)),
            Node::Field(of, offset) => {
                Some(self.before(of)?.then(Step::Member(self.member(node, offset))))
            }
            Node::Element(of) => Some(self.before(of)?.then(Step::Element)),
            Node::Contents(of) => Some(self.before(of)?.then(Step::Any)),
            Node::Fresh(_) | Node::Global | Node::Static(_) => None,
        }
    }

    /// The anchor of a location, as opposed to the object there: with its first member's name.
    fn cell_before(&self, cell: NodeId) -> Option<Anchor> {
        Some(self.with_first_member(cell, self.before(cell)?))
    }

    fn with_first_member(&self, cell: NodeId, anchor: Anchor) -> Anchor {
        let is_whole = matches!(self.nodes[cell], Node::Explore(_) | Node::Fresh(_));
        match &self.names[cell] {
            Some(name) if is_whole => anchor.then(Step::Member(name.to_string())),
            _ => anchor,
        }
    }

    pub(crate) fn member(&self, node: NodeId, offset: i64) -> String {
        self.names[node].as_ref().map_or_else(|| format!("{offset:+}"), ToString::to_string)
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
