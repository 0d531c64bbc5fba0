//! What a source reaches along realizable paths: CFLForwardReach of FastCheck 5.3 (F5), the some
//! path analysis of SABER 4.4 (S7).
//!
//! A source may be anywhere, so that its value may return into any caller of the procedure that
//! made it, and then go down into calls: a path is a run of matched calls and unmatched returns,
//! followed by one of matched and unmatched calls. The first part is searched for each source;
//! every call in it is stepped over by a summary. The second part is what the summaries of the
//! calls, and of the calls within them, cover.

use caulk_base::{FxHashSet, Table};
use caulk_memory::{CallSite, RegionId};
use caulk_program::InstanceId;

use crate::exits::{Exit, Steps};
use crate::graph::Flow;
use crate::locals::{Graph, Precision};
use crate::node::{Cross, End, Node, Point};
use crate::summaries::{Summaries, TooLarge};

/// Pairs of an entry and a node; slices worth reasoning about have a few hundred nodes.
pub const DEFAULT_LIMIT: usize = 200_000;

/// Answers for many sources, from summaries that they share. Threads may ask at the same time;
/// no answer depends on what was asked before.
pub struct Reachability<'f, 'm, 'p> {
    graph: Graph<'f, 'm, 'p>,
    limit: usize,
    escapes: Table<RegionId, Escapes>,
    summaries: Summaries<'f, 'm, 'p>,
}

/// F_src.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    pub sources: Box<[Node]>,
    /// Sorted.
    pub nodes: Box<[Node]>,
    pub escapes: Escapes,
}

/// Memory that the value gets into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Escapes {
    /// Any memory: FastCheck's regions.
    pub memory: bool,
    /// Of static storage: SABER's GLOBAL.
    pub global: bool,
    /// Of a caller outside the program, or of a library.
    pub outside: bool,
}

impl<'f, 'm, 'p> Reachability<'f, 'm, 'p> {
    #[must_use]
    pub fn new(flow: &'f Flow<'m, 'p>, precision: Precision, limit: usize) -> Self {
        let graph = Graph { flow, precision };
        let regions = flow.memory.regions().ids();
        let escapes = regions.map(|region| Escapes::of(flow, region)).collect();
        Self { graph, limit, escapes, summaries: Summaries::new(graph, limit) }
    }

    #[must_use]
    pub fn graph(&self) -> Graph<'f, 'm, 'p> {
        self.graph
    }

    /// How many summaries have been made.
    #[must_use]
    pub fn summary_count(&self) -> usize {
        self.summaries.count()
    }

    /// Everything that a value at the sources reaches.
    ///
    /// # Errors
    /// When that is more than the limit. Whether it is depends on the sources and the graph
    /// alone: the pairs of an entry and a node are counted, also those that were known before.
    pub fn forward(&self, sources: &[Node]) -> Result<Reach, TooLarge> {
        let mut search = Search::new(self);
        sources.iter().for_each(|&source| search.reach(source));
        search.run()?;
        let mut nodes = search.inside.nodes;
        nodes.extend(search.nodes);
        nodes.sort_unstable();
        nodes.dedup();
        let escapes = self.escapes(&nodes);
        Ok(Reach { sources: sources.into(), nodes: nodes.into(), escapes })
    }

    /// What a value reaches while the activation that it is in goes on, callees included, and how
    /// it leaves. All sources are nodes of one procedure.
    ///
    /// # Errors
    /// As for [`Reachability::forward`].
    pub fn within(&self, sources: &[Node]) -> Result<(Reach, Vec<Exit>), TooLarge> {
        let (mut nodes, mut exits) = (Vec::new(), Vec::new());
        let mut inside = Inside::new(self);
        for &source in sources {
            let summary = self.summaries.of(source)?;
            nodes.extend_from_slice(&summary.nodes);
            exits.extend_from_slice(&summary.exits);
            for &entry in &summary.callees {
                inside.enter(entry, nodes.len())?;
            }
        }
        self.check(nodes.len() + inside.nodes.len())?;
        nodes.extend(inside.nodes);
        nodes.sort_unstable();
        nodes.dedup();
        exits.sort_unstable();
        exits.dedup();
        let escapes = self.escapes(&nodes);
        Ok((Reach { sources: sources.into(), nodes: nodes.into(), escapes }, exits))
    }

    fn check(&self, pairs: usize) -> Result<(), TooLarge> {
        if pairs > self.limit { Err(TooLarge { limit: self.limit }) } else { Ok(()) }
    }

    fn escapes(&self, nodes: &[Node]) -> Escapes {
        nodes.iter().fold(Escapes::default(), |sum, node| match *node {
            Node::Memory(_, region, ..) => sum.and(self.escapes[region]),
            _ => sum,
        })
    }
}

impl Escapes {
    fn of(flow: &Flow, region: RegionId) -> Self {
        Self { memory: true, global: flow.is_global(region), outside: flow.is_outside(region) }
    }

    fn and(self, other: Self) -> Self {
        Self {
            memory: self.memory || other.memory,
            global: self.global || other.global,
            outside: self.outside || other.outside,
        }
    }
}

impl Reach {
    #[must_use]
    pub fn contains(&self, node: Node) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// Where the flow ends.
    pub fn ends(&self) -> impl Iterator<Item = (InstanceId, Point, End)> + '_ {
        self.nodes.iter().filter_map(|node| match *node {
            Node::End(instance, point, end) => Some((instance, point, end)),
            _ => None,
        })
    }

    /// K of FastCheck, S_src of SABER.
    pub fn sinks(&self) -> impl Iterator<Item = Node> + '_ {
        self.nodes.iter().copied().filter(|node| matches!(node, Node::End(_, _, End::Released)))
    }
}

/// The procedures that a value is handed down to.
struct Inside<'r, 'f, 'm, 'p> {
    reachability: &'r Reachability<'f, 'm, 'p>,
    entries: FxHashSet<Node>,
    /// Of all of them, an entry's after the other's.
    nodes: Vec<Node>,
}

impl<'r, 'f, 'm, 'p> Inside<'r, 'f, 'm, 'p> {
    fn new(reachability: &'r Reachability<'f, 'm, 'p>) -> Self {
        Self { reachability, entries: FxHashSet::default(), nodes: Vec::new() }
    }

    /// The entry and all that it leads to; so many pairs have been counted elsewhere.
    fn enter(&mut self, entry: Node, pairs: usize) -> Result<(), TooLarge> {
        let mut work = vec![entry];
        while let Some(entry) = work.pop() {
            if self.entries.insert(entry) {
                let summary = self.reachability.summaries.of(entry)?;
                self.nodes.extend_from_slice(&summary.nodes);
                self.reachability.check(pairs + self.nodes.len())?;
                work.extend_from_slice(&summary.callees);
            }
        }
        Ok(())
    }
}

/// The part of a search that may still return into any caller.
struct Search<'r, 'f, 'm, 'p> {
    reachability: &'r Reachability<'f, 'm, 'p>,
    nodes: FxHashSet<Node>,
    /// What calls in this part lead to.
    inside: Inside<'r, 'f, 'm, 'p>,
    work: Vec<Node>,
}

impl<'r, 'f, 'm, 'p> Search<'r, 'f, 'm, 'p> {
    fn new(reachability: &'r Reachability<'f, 'm, 'p>) -> Self {
        let (nodes, inside) = (FxHashSet::default(), Inside::new(reachability));
        Self { reachability, nodes, inside, work: Vec::new() }
    }

    fn run(&mut self) -> Result<(), TooLarge> {
        while let Some(node) = self.work.pop() {
            let Steps { edges, exits } = self.reachability.graph.steps(node);
            for edge in edges {
                match edge.cross {
                    Cross::None => self.reach(edge.to),
                    Cross::Call(site) => self.call(site, edge.to)?,
                    Cross::Return(_) => unreachable!("steps stay inside a procedure"),
                }
            }
            for exit in exits {
                for &site in self.reachability.graph.flow.memory.callers(node.instance()) {
                    self.come_back(node.instance(), site, exit);
                }
            }
            self.reachability.check(self.nodes.len() + self.inside.nodes.len())?;
        }
        Ok(())
    }

    fn reach(&mut self, node: Node) {
        if self.nodes.insert(node) {
            self.work.push(node);
        }
    }

    fn call(&mut self, site: CallSite, entry: Node) -> Result<(), TooLarge> {
        let summary = self.reachability.summaries.of(entry)?;
        self.inside.enter(entry, self.nodes.len())?;
        if self.reachability.graph.flow.comes_back(site, entry.instance()) {
            let callee = entry.instance();
            summary.exits.iter().for_each(|&exit| self.come_back(callee, site, exit));
        }
        Ok(())
    }

    fn come_back(&mut self, callee: InstanceId, site: CallSite, exit: Exit) {
        for edge in self.reachability.graph.flow.returned(callee, exit, site) {
            self.reach(edge.to);
        }
    }
}
