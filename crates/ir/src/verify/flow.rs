//! Control flow: edges, reachability, and that definitions dominate uses.
//!
//! Dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": walk the
//! blocks in reverse post-order and intersect until nothing changes. The tree is then numbered,
//! so that one question costs two comparisons. `ssa` has dominators of its own; these stay
//! independent of what they help to check.

use caulk_base::Table;

use super::BodyCheck;
use crate::body::{BlockId, Body, Edge, ValueId, ValueKind};
use crate::inst::InstId;

impl BodyCheck<'_> {
    pub(super) fn flow(&mut self) {
        let body = self.body;
        let entry = &body.blocks[BlockId::ENTRY];
        self.require(entry.params.is_empty(), format_args!("the entry takes parameters"));
        for (id, block) in body.blocks.iter() {
            self.block = Some(id);
            block.terminator.edges().for_each(|edge| self.edge(edge));
        }
        self.block = None;
        let order = reverse_post_order(body);
        if order.len() == body.blocks.len() {
            self.uses(&Dominators::new(body, &order));
        } else {
            self.unreachable(&order);
        }
    }

    fn edge(&mut self, edge: &Edge) {
        self.require(edge.to != BlockId::ENTRY, format_args!("an edge to the entry"));
        let params = &self.body.blocks[edge.to].params;
        let (has, wants) = (edge.args.len(), params.len());
        let message = format_args!("{} gets {has} arguments, not {wants}", edge.to);
        self.require(has == wants, message);
        for (&arg, &param) in edge.args.iter().zip(params) {
            self.has_scalar("the argument", arg, self.scalar(param));
        }
    }

    fn unreachable(&mut self, order: &[BlockId]) {
        let mut reached = Table::filled(false, self.body.blocks.len());
        order.iter().for_each(|&block| reached[block] = true);
        for (id, &reached) in reached.iter() {
            self.require(reached, format_args!("{id} is unreachable"));
        }
    }

    fn uses(&mut self, dominators: &Dominators) {
        let blocks = self.blocks_of_insts();
        self.each_step(|check, block, inst| {
            let body = check.body;
            let mut visit = |value| {
                if !is_available(body, dominators, &blocks, value, block, inst) {
                    check.report(format_args!("{value} is not defined on every way here"));
                }
            };
            match inst {
                Some(inst) => body.operands(inst, visit),
                None => {
                    let terminator = &body.blocks[block].terminator;
                    terminator.operand().into_iter().for_each(&mut visit);
                    terminator.edges().flat_map(|edge| &edge.args).for_each(|&arg| visit(arg));
                }
            }
        });
    }
}

/// Whether `value` is defined before `inst` of `block`, or before its terminator.
fn is_available(
    body: &Body,
    dominators: &Dominators,
    blocks: &Table<InstId, BlockId>,
    value: ValueId,
    block: BlockId,
    inst: Option<InstId>,
) -> bool {
    match body.values[value].kind {
        ValueKind::Param(_) | ValueKind::Const(_) => true,
        // A kind that is wrong was reported with the definitions.
        ValueKind::BlockParam(home, _) => {
            body.blocks.get(home).is_none() || dominators.dominates(home, block)
        }
        ValueKind::Inst(definition) => match blocks.get(definition) {
            Some(&home) if home == block => inst.is_none_or(|inst| definition < inst),
            Some(&home) => dominators.dominates(home, block),
            None => true,
        },
    }
}

/// The blocks that the entry reaches, each after all of its predecessors but for back edges.
fn reverse_post_order(body: &Body) -> Vec<BlockId> {
    let mut seen = Table::filled(false, body.blocks.len());
    let mut order = Vec::with_capacity(body.blocks.len());
    let mut stack = vec![(BlockId::ENTRY, body.blocks[BlockId::ENTRY].terminator.edges())];
    seen[BlockId::ENTRY] = true;
    while let Some((block, edges)) = stack.last_mut() {
        match edges.next() {
            Some(edge) if !seen[edge.to] => {
                seen[edge.to] = true;
                stack.push((edge.to, body.blocks[edge.to].terminator.edges()));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The dominator tree as intervals: a block dominates those whose interval its own contains.
struct Dominators {
    enter: Table<BlockId, u32>,
    leave: Table<BlockId, u32>,
}

impl Dominators {
    /// `order` is a reverse post-order of all blocks.
    fn new(body: &Body, order: &[BlockId]) -> Self {
        let parents = immediate_dominators(body, order);
        Self::number(&parents, order)
    }

    fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.enter[above] <= self.enter[below] && self.leave[below] <= self.leave[above]
    }

    /// Subtree sizes from the leaves up, then intervals from the root down: in `order`, a
    /// parent comes before its children.
    fn number(parents: &[u32], order: &[BlockId]) -> Self {
        let len = order.len();
        let mut sizes = vec![1u32; len];
        for index in (1..len).rev() {
            sizes[parents[index] as usize] += sizes[index];
        }
        let mut next = vec![0u32; len];
        let mut dominators = Self { enter: Table::filled(0, len), leave: Table::filled(0, len) };
        for (index, &block) in order.iter().enumerate() {
            let parent = parents[index] as usize;
            let enter = next[parent];
            next[parent] += sizes[index];
            next[index] = enter + 1;
            dominators.enter[block] = enter;
            dominators.leave[block] = enter + sizes[index];
        }
        dominators
    }
}

/// For each position in `order`, the position of its immediate dominator; 0 for the entry.
fn immediate_dominators(body: &Body, order: &[BlockId]) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let predecessors = predecessors(body, order);
    let mut parents = vec![UNKNOWN; order.len()];
    parents[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for index in 1..order.len() {
            let known =
                predecessors.of(index).iter().filter(|&&from| parents[from as usize] != UNKNOWN);
            let parent = known.copied().reduce(|left, right| intersect(&parents, left, right));
            let parent = parent.unwrap_or(0);
            changed |= parents[index] != parent;
            parents[index] = parent;
        }
    }
    parents
}

fn intersect(parents: &[u32], mut left: u32, mut right: u32) -> u32 {
    while left != right {
        if left > right {
            left = parents[left as usize];
        } else {
            right = parents[right as usize];
        }
    }
    left
}

/// Predecessors of all blocks in one array, by position in the order.
struct Predecessors {
    starts: Vec<u32>,
    from: Vec<u32>,
}

impl Predecessors {
    fn of(&self, index: usize) -> &[u32] {
        &self.from[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

fn predecessors(body: &Body, order: &[BlockId]) -> Predecessors {
    let mut position = Table::filled(0u32, body.blocks.len());
    order.iter().enumerate().for_each(|(index, &block)| position[block] = index as u32);
    let edges = || {
        order.iter().enumerate().flat_map(|(index, &block)| {
            body.blocks[block].terminator.edges().map(move |edge| (index as u32, edge.to))
        })
    };
    let mut starts = vec![0u32; order.len() + 1];
    edges().for_each(|(_, to)| starts[position[to] as usize + 1] += 1);
    (0..order.len()).for_each(|index| starts[index + 1] += starts[index]);
    let mut next = starts.clone();
    let mut from = vec![0; starts[order.len()] as usize];
    for (source, to) in edges() {
        let slot = &mut next[position[to] as usize];
        from[*slot as usize] = source;
        *slot += 1;
    }
    Predecessors { starts, from }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Block, Terminator, Unreachable};
    use caulk_base::{Id, SpanId};

    /// A body of empty blocks with these edges.
    fn graph(edges: &[Vec<usize>]) -> Body {
        let edge = |&to: &usize| Edge { to: BlockId::from_index(to), args: Vec::new() };
        let block = |targets: &Vec<usize>| Block {
            params: Vec::new(),
            first: InstId(0),
            end: InstId(0),
            terminator: match targets.as_slice() {
                [] => Terminator::Unreachable(Unreachable::Trap),
                targets => Terminator::Indirect {
                    target: ValueId(0),
                    edges: targets.iter().map(edge).collect(),
                },
            },
            terminator_span: SpanId::NOWHERE,
        };
        Body { blocks: edges.iter().map(block).collect(), ..Body::default() }
    }

    /// The blocks that the entry reaches without going through `removed`.
    fn reached_without(edges: &[Vec<usize>], removed: usize) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut work = if removed == 0 { vec![] } else { vec![0] };
        while let Some(block) = work.pop() {
            if block != removed && !std::mem::replace(&mut seen[block], true) {
                work.extend(&edges[block]);
            }
        }
        seen
    }

    #[test]
    fn dominators_agree_with_removal_on_random_graphs() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        for _ in 0..500 {
            let len = 1 + random(12);
            let mut edges: Vec<Vec<usize>> =
                (0..len).map(|_| (0..random(3)).map(|_| random(len)).collect()).collect();
            // Every block hangs on an earlier one, so that all are reachable.
            (1..len).for_each(|block| edges[random(block)].push(block));
            let body = graph(&edges);
            let order = reverse_post_order(&body);
            assert_eq!(order.len(), len);
            let dominators = Dominators::new(&body, &order);
            for above in 0..len {
                let reached = reached_without(&edges, above);
                for (below, &reached) in reached.iter().enumerate() {
                    let pair = (BlockId::from_index(above), BlockId::from_index(below));
                    assert_eq!(
                        dominators.dominates(pair.0, pair.1),
                        !reached,
                        "{edges:?} {pair:?}"
                    );
                }
            }
        }
    }
}
