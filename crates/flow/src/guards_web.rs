//! The condition under which a value comes from its definition to a use through joins that lie on
//! a cycle: a variable that a loop carries along.
//!
//! FastCheck has no φ. Its `cguard(n → m)` asks for the paths from the definition to the use that
//! do not redefine the variable, and drops the exit condition of a loop that was entered on the way.
//! Where a φ at the head of the loop splits that edge in two, going round is a redefinition of the
//! φ, and the paths that go round before they leave are gone: `¬C1 ∨ (C1 ∧ C2)` of SABER's Figure 8
//! would become `¬C1`. So the nodes of such a cycle, a *web*, are taken out of the graph, and each
//! edge that leaves it is asked about from where the value comes into it.
//!
//! The paths are those of the product of the blocks with the set of nodes that hold the value:
//! a join holds it if the edge passes it from one that does, an instruction's node if an operand
//! does. A path on which nobody holds it any more is at its end.

use caulk_base::{BitSet, FxHashMap, Id};
use caulk_ir::{BlockId, Body, InstId};
use caulk_ssa::{EdgeId, Graph};

use crate::guards::Target;
use crate::node::Point;

/// A node of the web, by its number; 0 is where the value comes from.
pub(crate) type Member = usize;

/// The nodes that hold the value.
type Held = u64;

/// The most members: all of them at once stand for the arrival.
pub(crate) const MEMBERS: usize = 63;

/// The most nodes of the product.
const PRODUCT: usize = 4096;

/// An instruction, the member that it makes, and from which others.
pub(crate) type Make = (InstId, Member, Vec<Member>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Web {
    pub(crate) start: Point,
    /// Which members a block joins, and what its edges pass to them.
    pub(crate) joins: Vec<Join>,
    /// Which members instructions make, and from what; sorted.
    pub(crate) makes: Vec<Make>,
    /// Who is used at the end.
    pub(crate) user: Member,
    pub(crate) to: Target,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Join {
    pub block: BlockId,
    pub member: Member,
    /// From the edge of a block, by its place in the terminator, and a member.
    pub passed: Vec<(BlockId, u32, Member)>,
}

/// The product: node 0 is the departure.
pub(crate) struct Product {
    pub graph: Graph<BlockId>,
    /// The block that each node stands for.
    pub blocks: Vec<BlockId>,
    pub ends: BitSet<BlockId>,
    pub arrives: BitSet<EdgeId>,
    /// The use comes in the block of departure.
    pub at_once: bool,
}

impl Web {
    /// None if there are too many nodes.
    pub(crate) fn product(&self, body: &Body, ends: &BitSet<BlockId>) -> Option<Product> {
        let live = self.live(body);
        Builder::new(self, body, &live).run(ends)
    }

    /// The members whose holding matters at the start of each block.
    fn live(&self, body: &Body) -> Vec<Held> {
        let mut live = vec![0; body.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (block, _) in body.blocks.iter().rev() {
                let new = self.live_before(body, block, &live);
                changed |= new != live[block.index()];
                live[block.index()] = new;
            }
        }
        live
    }

    fn live_before(&self, body: &Body, block: BlockId, live: &[Held]) -> Held {
        let row = &body.blocks[block];
        let mut held = 0;
        for (slot, edge) in row.terminator.edges().enumerate() {
            held |= self.live_on_edge(block, slot as u32, edge.to, live[edge.to.index()]);
        }
        if self.is_used_at(block, u32::MAX) {
            held |= 1 << self.user;
        }
        for inst in row.insts().rev() {
            held |= self.used_by(inst);
            for (_, member, from) in self.made_at(inst) {
                if held >> member & 1 == 1 {
                    held &= !(1 << member);
                    held |= from.iter().fold(0, |sum, it| sum | 1 << it);
                }
            }
            held |= self.used_by(inst);
        }
        if self.is_used_at(block, 0) {
            held |= 1 << self.user;
        }
        held
    }

    fn used_by(&self, inst: InstId) -> Held {
        Held::from(self.is_used_by(inst)) << self.user
    }

    fn live_on_edge(&self, block: BlockId, slot: u32, to: BlockId, live: Held) -> Held {
        let mut held = live;
        for join in self.joins.iter().filter(|join| join.block == to) {
            held &= !(1 << join.member);
        }
        for join in self.joins.iter().filter(|join| join.block == to) {
            let wanted = live >> join.member & 1 == 1;
            let passed = join.passed.iter().filter(|it| wanted && (it.0, it.1) == (block, slot));
            held |= passed.fold(0, |sum, it| sum | 1 << it.2);
        }
        if self.goes_along(block, slot) {
            held |= 1 << self.user;
        }
        held
    }

    fn made_at(&self, inst: InstId) -> impl Iterator<Item = &Make> {
        let first = self.makes.partition_point(|row| row.0 < inst);
        self.makes[first..].iter().take_while(move |row| row.0 == inst)
    }

    fn goes_along(&self, block: BlockId, slot: u32) -> bool {
        matches!(&self.to, Target::Along(edges) if edges.contains(&(block, slot)))
    }

    fn targets(&self) -> &[Point] {
        match &self.to {
            Target::Point(point) => std::slice::from_ref(point),
            Target::AnyOf(points) => points,
            Target::Along(_) => &[],
        }
    }

    /// At the start of a block, place 0, or at its terminator, the last place.
    fn is_used_at(&self, block: BlockId, place: u32) -> bool {
        self.targets().iter().any(|point| match *point {
            Point::Entry => block == BlockId::ENTRY && place == 0,
            Point::Start(at) => at == block && place == 0,
            Point::Terminator(at) => at == block && place == u32::MAX,
            // Instructions are asked for by `is_used_by`.
            Point::Inst(_) => false,
        })
    }

    fn is_used_by(&self, inst: InstId) -> bool {
        self.targets().contains(&Point::Inst(inst))
    }
}

struct Builder<'a> {
    web: &'a Web,
    body: &'a Body,
    live: &'a [Held],
    ids: FxHashMap<(BlockId, Held), usize>,
    nodes: Vec<(BlockId, Held)>,
    pairs: Vec<(BlockId, BlockId)>,
    arrives: Vec<usize>,
}

/// What passing a block comes to.
enum Passed {
    Arrived,
    Holding(Held),
}

impl<'a> Builder<'a> {
    fn new(web: &'a Web, body: &'a Body, live: &'a [Held]) -> Self {
        let (nodes, pairs, arrives) = (Vec::new(), Vec::new(), Vec::new());
        Self { web, body, live, ids: FxHashMap::default(), nodes, pairs, arrives }
    }

    fn run(mut self, block_ends: &BitSet<BlockId>) -> Option<Product> {
        let (block, after) = self.departure();
        self.nodes.push((block, 1));
        let at_once = match self.pass(block, after, 1) {
            Passed::Arrived => true,
            Passed::Holding(held) => {
                self.leave(0, block, held);
                false
            }
        };
        let mut next = 1;
        let mut dead = Vec::new();
        while next < self.nodes.len() {
            let (block, held) = self.nodes[next];
            match held {
                0 => dead.push(next),
                // Edges to it arrive: it is not passed.
                ARRIVAL => {}
                _ => {
                    if let Passed::Holding(held) = self.pass(block, None, held) {
                        self.leave(next, block, held);
                    }
                }
            }
            next += 1;
            if next > PRODUCT {
                return None;
            }
        }
        Some(self.finish(block_ends, &dead, at_once))
    }

    fn departure(&self) -> (BlockId, Option<InstId>) {
        match self.web.start {
            Point::Entry => (BlockId::ENTRY, None),
            Point::Start(block) | Point::Terminator(block) => (block, None),
            Point::Inst(inst) => {
                let rows = self.body.blocks.rows();
                let block = rows.partition_point(|row| row.end <= inst);
                (BlockId::from_index(block), Some(inst))
            }
        }
    }

    /// From the start of a block, or from after an instruction of it, to its end.
    fn pass(&self, block: BlockId, after: Option<InstId>, mut held: Held) -> Passed {
        let web = self.web;
        let has_user = |held: Held| held >> web.user & 1 == 1;
        if after.is_none() && web.is_used_at(block, 0) && has_user(held) {
            return Passed::Arrived;
        }
        for inst in self.body.blocks[block].insts().filter(|&it| after.is_none_or(|at| it > at)) {
            if web.is_used_by(inst) && has_user(held) {
                return Passed::Arrived;
            }
            let before = held;
            if web.start == Point::Inst(inst) {
                held &= !1;
            }
            for (_, member, from) in web.made_at(inst) {
                let holds = from.iter().any(|it| before >> it & 1 == 1);
                held = held & !(1 << member) | Held::from(holds) << member;
            }
            if web.is_used_by(inst) && has_user(held) {
                return Passed::Arrived;
            }
        }
        match web.is_used_at(block, u32::MAX) && has_user(held) {
            true => Passed::Arrived,
            false => Passed::Holding(held),
        }
    }

    fn leave(&mut self, node: usize, block: BlockId, held: Held) {
        let body = self.body;
        for (slot, edge) in body.blocks[block].terminator.edges().enumerate() {
            let slot = slot as u32;
            let user = held >> self.web.user & 1 == 1;
            let to = if user && self.web.goes_along(block, slot) {
                self.arrives.push(self.pairs.len());
                self.node(edge.to, ARRIVAL)
            } else {
                self.enter((block, slot), edge.to, held)
            };
            self.pairs.push((BlockId::from_index(node), BlockId::from_index(to)));
        }
    }

    fn enter(&mut self, (from, slot): (BlockId, u32), to: BlockId, held: Held) -> usize {
        let mut after = held;
        for join in self.web.joins.iter().filter(|join| join.block == to) {
            let mut passed = join.passed.iter().filter(|it| (it.0, it.1) == (from, slot));
            let holds = passed.any(|it| held >> it.2 & 1 == 1);
            after = after & !(1 << join.member) | Held::from(holds) << join.member;
        }
        if self.web.start == Point::Start(to) {
            after &= !1;
        }
        let after = after & self.live[to.index()];
        match self.pass(to, None, after) {
            Passed::Arrived if after != 0 => {
                self.arrives.push(self.pairs.len());
                self.node(to, ARRIVAL)
            }
            _ => self.node(to, after),
        }
    }

    fn node(&mut self, block: BlockId, held: Held) -> usize {
        let nodes = &mut self.nodes;
        *self.ids.entry((block, held)).or_insert_with(|| {
            nodes.push((block, held));
            nodes.len() - 1
        })
    }

    fn finish(self, block_ends: &BitSet<BlockId>, dead: &[usize], at_once: bool) -> Product {
        let count = self.nodes.len();
        let graph = Graph::new(count, BlockId(0), &self.pairs);
        let mut ends = BitSet::new(count);
        for (node, (block, _)) in self.nodes.iter().enumerate() {
            if block_ends.contains(*block) || dead.contains(&node) {
                ends.insert(BlockId::from_index(node));
            }
        }
        let mut arrives = BitSet::new(graph.edge_count());
        // Nodes are left in the order of their numbers, so that pairs are edges by their numbers.
        for &pair in &self.arrives {
            arrives.insert(EdgeId::from_index(pair));
        }
        let blocks = self.nodes.into_iter().map(|node| node.0).collect();
        Product { graph, blocks, ends, arrives, at_once }
    }
}

/// Not a set of members: there are fewer than 64.
const ARRIVAL: Held = Held::MAX;
