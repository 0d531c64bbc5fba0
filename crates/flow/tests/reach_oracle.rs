//! Summaries against naive searches, on random small C programs.
//!
//! One search carries the whole call string: exact for programs without recursion, and never more
//! than the truth for others. The other derives the pairs of nodes that matched paths connect, one
//! by one from the grammar: exact for all.

mod facts;
mod random_c;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use caulk_flow::{Cross, Flow, FlowEdge, Node, Precision, Reachability, Slice, Sources};
use caulk_memory::CallSite;
use facts::Facts;
use random_c::RandomC;

const LIMIT: usize = 1_000_000;

#[test]
fn summaries_find_what_naive_searches_find() {
    let (mut compared, mut crossing) = (0, 0);
    for seed in 0..330 {
        let recursive = seed % 3 == 0;
        let c = RandomC::new(seed, recursive).program();
        Facts::new(vec![caulk_testkit::module("random.c", &c)]).with(|flow, _| {
            let sources = Sources::new(flow);
            let reachability = Reachability::new(flow, Precision::Full, LIMIT);
            let graph = Whole::new(flow, &sources);
            for source in sources.allocations.rows() {
                let fast = reachability.forward(&source.nodes).expect("small");
                let fast: BTreeSet<Node> = fast.nodes.iter().copied().collect();
                let exact = graph.by_grammar(&source.nodes);
                assert_eq!(fast, exact, "seed {seed}\n{c}");
                if let Some(strings) = graph.by_call_strings(&source.nodes) {
                    assert!(strings.is_subset(&fast), "seed {seed}\n{c}");
                    assert!(recursive || strings == fast, "seed {seed}\n{c}");
                    compared += 1;
                }
                let instances: BTreeSet<_> = fast.iter().map(|node| node.instance()).collect();
                crossing += usize::from(instances.len() > 1);
            }
        });
    }
    assert!(compared > 500, "only {compared} sources were compared");
    assert!(crossing > 300, "only {crossing} sources crossed a call");
}

/// The graph with all its edges.
struct Whole {
    edges: BTreeMap<Node, Vec<FlowEdge>>,
}

impl Whole {
    fn new(flow: &Flow, sources: &Sources) -> Self {
        let all: Vec<Node> = sources.nodes().collect();
        let graph = caulk_flow::Graph { flow, precision: Precision::Full };
        let slice = Slice::whole(graph, &all);
        let nodes = slice.nodes().rows().iter();
        Self { edges: nodes.map(|&node| (node, flow.successors(node))).collect() }
    }

    /// Nodes with the calls that lead to them; none when there are too many.
    fn by_call_strings(&self, sources: &[Node]) -> Option<BTreeSet<Node>> {
        const DEPTH: usize = 8;
        let mut seen: BTreeSet<(Node, Vec<CallSite>)> = BTreeSet::new();
        let mut work: VecDeque<(Node, Vec<CallSite>)> =
            sources.iter().map(|&source| (source, Vec::new())).collect();
        while let Some((node, string)) = work.pop_front() {
            if !seen.insert((node, string.clone())) {
                continue;
            }
            if seen.len() > 50_000 {
                return None;
            }
            for edge in &self.edges[&node] {
                if let Some(string) = follow(&string, edge.cross).filter(|it| it.len() <= DEPTH) {
                    work.push_back((edge.to, string));
                }
            }
        }
        Some(seen.into_iter().map(|(node, _)| node).collect())
    }

    fn by_grammar(&self, sources: &[Node]) -> BTreeSet<Node> {
        let mut matched = Matched::default();
        // First matched paths and returns, then matched paths and calls.
        let returning = |cross: Cross| matches!(cross, Cross::Return(_));
        let up = self.closure(&mut matched, sources.iter().copied().collect(), returning);
        self.closure(&mut matched, up, |cross| matches!(cross, Cross::Call(_)))
    }

    fn closure(
        &self,
        matched: &mut Matched,
        start: BTreeSet<Node>,
        also: impl Fn(Cross) -> bool,
    ) -> BTreeSet<Node> {
        let mut found = BTreeSet::new();
        let mut work: Vec<Node> = start.into_iter().collect();
        while let Some(node) = work.pop() {
            if found.insert(node) {
                work.extend(matched.from(self, node));
                let edges = self.edges[&node].iter().filter(|edge| also(edge.cross));
                work.extend(edges.map(|edge| edge.to));
            }
        }
        found
    }
}

/// The call string after an edge; none if the edge returns to another call than the last.
fn follow(string: &[CallSite], cross: Cross) -> Option<Vec<CallSite>> {
    let mut string = string.to_vec();
    match cross {
        Cross::None => {}
        Cross::Call(site) => string.push(site),
        Cross::Return(site) => {
            if string.pop().is_some_and(|last| last != site) {
                return None;
            }
        }
    }
    Some(string)
}

/// M → ε | M edge | M (c M )c, by sweeps over all pairs until nothing is new.
#[derive(Default)]
struct Matched {
    pairs: BTreeMap<Node, BTreeSet<Node>>,
}

impl Matched {
    fn from(&mut self, graph: &Whole, node: Node) -> Vec<Node> {
        self.pairs.entry(node).or_insert_with(|| [node].into());
        while self.sweep(graph) {}
        self.pairs[&node].iter().copied().collect()
    }

    fn sweep(&mut self, graph: &Whole) -> bool {
        let mut new: Vec<(Node, Node)> = Vec::new();
        for (&start, reached) in &self.pairs {
            for node in reached {
                for edge in &graph.edges[node] {
                    match edge.cross {
                        Cross::None => new.push((start, edge.to)),
                        Cross::Call(site) => {
                            new.push((edge.to, edge.to));
                            let inside = self.pairs.get(&edge.to).into_iter().flatten();
                            let out = inside.flat_map(|exit| &graph.edges[exit]);
                            let out = out.filter(|it| it.cross == Cross::Return(site));
                            new.extend(out.map(|it| (start, it.to)));
                        }
                        Cross::Return(_) => {}
                    }
                }
            }
        }
        let mut changed = false;
        for (start, to) in new {
            changed |= self.pairs.entry(start).or_default().insert(to);
        }
        changed
    }
}
