//! Figure 4 taken literally: every path is walked, one instruction at a time.
//!
//! Shares nothing with the implementation: no blocks, no components, no formulas. A path is judged
//! under one assignment of the branches at a time.

use std::collections::{HashMap, HashSet};

use caulk_flow::{Point, Target};
use caulk_ir::{BlockId, Body, Terminator, Unreachable};

/// Which edge each branch takes when it is first met.
pub type Choices = HashMap<BlockId, usize>;

/// An edge: a block and the place in its terminator.
type Edge = (BlockId, usize);

/// An instruction, by the block and its place: 0 the start, then instructions, the end last.
type Node = (BlockId, usize);

pub struct Oracle<'a> {
    pub body: &'a Body,
    pub from: Node,
    pub points: HashSet<Node>,
    pub edges: HashSet<Edge>,
    /// Edges that decided tests never take.
    pub impossible: HashSet<Edge>,
    pub bound: u8,
    pub postdominance: bool,
}

/// The search took too long.
#[derive(Debug)]
pub struct TooLong;

impl<'a> Oracle<'a> {
    pub fn new(body: &'a Body, from: Point, to: &Target) -> Self {
        let (points, edges) = match to {
            Target::Point(point) => (vec![*point], vec![]),
            Target::AnyOf(points) => (points.clone(), vec![]),
            Target::Along(edges) => (vec![], edges.clone()),
        };
        Self {
            body,
            from: node(body, from),
            points: points.into_iter().map(|point| node(body, point)).collect(),
            edges: edges.into_iter().map(|(block, slot)| (block, slot as usize)).collect(),
            impossible: HashSet::new(),
            bound: 1,
            postdominance: true,
        }
    }

    /// Whether a path leads from n to m under these choices.
    pub fn holds(&self, choices: &Choices) -> Result<bool, TooLong> {
        let mut steps = 2000;
        self.cg(self.from, &mut HashMap::new(), choices, &mut steps)
    }

    fn cg(
        &self,
        at: Node,
        taken: &mut HashMap<Edge, u8>,
        choices: &Choices,
        steps: &mut u32,
    ) -> Result<bool, TooLong> {
        *steps = steps.checked_sub(1).ok_or(TooLong)?;
        if self.points.contains(&at) {
            return Ok(true);
        }
        let (arrives, fails) = self.look_ahead(at);
        if !arrives || self.postdominance && !fails {
            return Ok(arrives);
        }
        if at.1 < end(self.body, at.0) {
            return self.step((at.0, at.1 + 1), taken, choices, steps);
        }
        let ways = self.body.blocks[at.0].terminator.edges().count();
        for slot in 0..ways {
            let edge = (at.0, slot);
            if self.impossible.contains(&edge) {
                continue;
            }
            let is_branch = ways > 1;
            let again = (0..ways).any(|slot| taken.contains_key(&(at.0, slot)));
            let decided = self.decided(at.0);
            if is_branch && !again && !decided && choices[&at.0] != slot {
                continue;
            }
            if is_branch && taken.get(&edge).copied().unwrap_or(0) >= self.bound {
                continue;
            }
            if self.edges.contains(&edge) {
                return Ok(true);
            }
            if is_branch {
                *taken.entry(edge).or_default() += 1;
            }
            let found = self.step((self.target(edge), 0), taken, choices, steps)?;
            if is_branch {
                *taken.get_mut(&edge).unwrap() -= 1;
                taken.retain(|_, times| *times > 0);
            }
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes on to a node, unless it is n: that defines the variable again.
    fn step(
        &self,
        to: Node,
        taken: &mut HashMap<Edge, u8>,
        choices: &Choices,
        steps: &mut u32,
    ) -> Result<bool, TooLong> {
        if to == self.from && !self.points.contains(&to) {
            return Ok(false);
        }
        self.cg(to, taken, choices, steps)
    }

    fn decided(&self, block: BlockId) -> bool {
        self.impossible.iter().any(|edge| edge.0 == block)
    }

    fn target(&self, (block, slot): Edge) -> BlockId {
        self.body.blocks[block].terminator.edges().nth(slot).unwrap().to
    }

    fn is_end(&self, block: BlockId) -> bool {
        matches!(
            self.body.blocks[block].terminator,
            Terminator::Return(_)
                | Terminator::Unreachable(Unreachable::Noreturn | Unreachable::Trap)
        )
    }

    /// Whether m can be reached, and whether some path from here ends, or comes back to n,
    /// without it: the opposite of pdom.
    fn look_ahead(&self, at: Node) -> (bool, bool) {
        let (mut arrives, mut fails) = (false, false);
        let mut seen = HashSet::from([at]);
        let mut pending = vec![at];
        while let Some(node) = pending.pop() {
            if self.points.contains(&node) {
                arrives = true;
                continue;
            }
            let mut next = Vec::new();
            if node.1 < end(self.body, node.0) {
                next.push((node.0, node.1 + 1));
            } else {
                fails |= self.is_end(node.0);
                for slot in 0..self.body.blocks[node.0].terminator.edges().count() {
                    let edge = (node.0, slot);
                    match self.impossible.contains(&edge) {
                        true => {}
                        false if self.edges.contains(&edge) => arrives = true,
                        false => next.push((self.target(edge), 0)),
                    }
                }
            }
            for node in next {
                if node == self.from && !self.points.contains(&node) {
                    fails = true;
                } else if seen.insert(node) {
                    pending.push(node);
                }
            }
        }
        (arrives, fails)
    }
}

fn end(body: &Body, block: BlockId) -> usize {
    body.blocks[block].insts().len() + 1
}

fn node(body: &Body, point: Point) -> Node {
    match point {
        Point::Entry => (BlockId(0), 0),
        Point::Start(block) => (block, 0),
        Point::Terminator(block) => (block, end(body, block)),
        Point::Inst(inst) => {
            let (block, row) =
                body.blocks.iter().find(|(_, row)| row.first <= inst && inst < row.end).unwrap();
            (block, 1 + (inst.0 - row.first.0) as usize)
        }
    }
}
