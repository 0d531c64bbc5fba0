//! Random graphs, graphs from text, and naive reachability.

use caulk_base::{Id, define_id};
use caulk_ssa::{Cfg, EdgeId, Graph};

define_id!(pub Node, "b", "A node of a test graph.");

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`, by xorshift64*.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn subset<T: Copy>(&mut self, of: impl Iterator<Item = T>, one_in: usize) -> Vec<T> {
        of.filter(|_| self.chance(one_in)).collect()
    }
}

/// Checks a property of several thousand graphs; a failure tells seed and edges.
pub fn for_random_graphs(check: impl Fn(&Cfg<Node>, &mut Random) + std::panic::RefUnwindSafe) {
    for seed in 0..2000 {
        let graph = random_graph(seed);
        let text = show(&graph);
        let checked = std::panic::catch_unwind(|| {
            check(&Cfg::new(graph.clone()), &mut Random::new(seed ^ 0xabcdef));
        });
        assert!(checked.is_ok(), "seed {seed}, entry {}, edges {text}", graph.entry());
    }
}

/// Graphs of 1 to 40 nodes, of four kinds in turn: any edges, few and many; short jumps ahead with
/// some anywhere; a chain with jumps, which nests loops. Some have an entry that is not `b0`.
pub fn random_graph(seed: u64) -> Graph<Node> {
    let mut random = Random::new(seed);
    let count = 1 + random.below(if seed.is_multiple_of(3) { 8 } else { 40 });
    let edges = match seed % 4 {
        0 => any_edges(&mut random, count, count + count / 4),
        1 => any_edges(&mut random, count, 3 * count),
        2 => jumping_edges(&mut random, count),
        _ => chained_edges(&mut random, count),
    };
    let entry = if seed.is_multiple_of(5) { random.below(count) } else { 0 };
    Graph::new(count, Node::from_index(entry), &edges)
}

fn any_edges(random: &mut Random, count: usize, edge_count: usize) -> Vec<(Node, Node)> {
    let edge_count = random.below(edge_count + 1);
    let mut node = || Node::from_index(random.below(count));
    (0..edge_count).map(|_| (node(), node())).collect()
}

fn jumping_edges(random: &mut Random, count: usize) -> Vec<(Node, Node)> {
    let mut edges = Vec::new();
    for source in 0..count {
        let degree = [0, 1, 1, 1, 2, 2, 2, 2, 2, 4][random.below(10)];
        for _ in 0..degree {
            let ahead = (source + 1 + random.below(4)).min(count - 1);
            let target = if random.chance(4) { random.below(count) } else { ahead };
            edges.push((Node::from_index(source), Node::from_index(target)));
        }
    }
    edges
}

fn chained_edges(random: &mut Random, count: usize) -> Vec<(Node, Node)> {
    let mut edges: Vec<_> = (1..count as u32).map(|next| (Node(next - 1), Node(next))).collect();
    for source in 0..count {
        let jump = match random.below(8) {
            0..3 => random.below(source + 1),
            3 => random.below(count),
            _ => continue,
        };
        edges.push((Node::from_index(source), Node::from_index(jump)));
    }
    edges
}

pub fn show(graph: &Graph<Node>) -> String {
    let edges: Vec<String> = graph.pairs().map(|(a, b)| format!("{} {}", a.0, b.0)).collect();
    format!("\"{}\" of {} nodes", edges.join(", "), graph.node_count())
}

/// `"0 1 2, 1 3"`: edges from the first node of each group to the others. The entry is `b0`.
pub fn cfg(text: &str) -> Cfg<Node> {
    let mut edges = Vec::new();
    for group in text.split(',') {
        let nodes: Vec<u32> = group.split_whitespace().map(|node| node.parse().unwrap()).collect();
        edges.extend(nodes[1..].iter().map(|&target| (Node(nodes[0]), Node(target))));
    }
    let count = text.split([',', ' ']).filter_map(|node| node.parse::<usize>().ok()).max();
    Cfg::new(Graph::new(count.unwrap_or(0) + 1, Node(0), &edges))
}

/// Writes `b0: …` lines for the nodes with something to tell.
pub fn table<T: std::fmt::Display>(cfg: &Cfg<Node>, row: impl Fn(Node) -> Vec<T>) -> Vec<String> {
    let lines = cfg.graph().nodes().map(|node| (node, list(&row(node))));
    lines.filter(|(_, row)| !row.is_empty()).map(|(node, row)| format!("{node}: {row}")).collect()
}

pub fn list<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// `b1-b2`, and for one of several parallel edges its place too: `b1-b2#0`.
pub fn edge_name(graph: &Graph<Node>, edge: EdgeId) -> String {
    let (source, target) = (graph.source(edge), graph.target(edge));
    let parallel = graph.successors(source).iter().filter(|&&other| other == target).count() > 1;
    let slot = if parallel { format!("#{}", graph.slot(edge)) } else { String::new() };
    format!("{source}-{target}{slot}")
}

/// Which nodes can be reached from `from`, itself included, over nodes and edges that `allowed`
/// accepts.
pub fn reached_by(
    graph: &Graph<Node>,
    from: Node,
    allowed: impl Fn(Node, Node) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; graph.node_count()];
    reached[from.index()] = true;
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        for &next in graph.successors(node) {
            if allowed(node, next) && !reached[next.index()] {
                reached[next.index()] = true;
                pending.push(next);
            }
        }
    }
    reached
}

pub fn reached(graph: &Graph<Node>) -> Vec<bool> {
    reached_by(graph, graph.entry(), |_, _| true)
}

/// A relation between nodes: `relation[a][b]`.
pub type Relation = Vec<Vec<bool>>;

/// `reaches[a][b]` if a path of one or more edges leads from `a` to `b`.
pub fn reaches(graph: &Graph<Node>, keep: impl Fn(Node, Node) -> bool) -> Relation {
    let row = |node: Node| {
        let mut row = vec![false; graph.node_count()];
        for &next in graph.successors(node).iter().filter(|&&next| keep(node, next)) {
            for (slot, reached) in row.iter_mut().zip(reached_by(graph, next, &keep)) {
                *slot |= reached;
            }
        }
        row
    };
    graph.nodes().map(row).collect()
}

/// The generator must make what the tests are for.
#[test]
fn random_graphs_have_every_shape() {
    let mut seen = [0; 7];
    for graph in (0..2000).map(random_graph) {
        let cfg = Cfg::new(graph.clone());
        let reached = reached(&graph);
        let mut edges: Vec<_> = graph.pairs().collect();
        edges.sort_unstable();
        let shapes = [
            reached.contains(&false),
            graph.pairs().any(|(a, b)| a == b),
            edges.windows(2).any(|pair| pair[0] == pair[1]),
            cfg.postdominators().endless().iter().any(|node| reached[node.index()]),
            !cfg.irreducible_regions().is_empty(),
            cfg.loops().ids().any(|id| cfg.loops().nesting().depth(id) > 1),
            graph.predecessors(graph.entry()).any(|node| reached[node.index()]),
        ];
        for (count, shape) in seen.iter_mut().zip(shapes) {
            *count += usize::from(shape);
        }
    }
    assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
}
