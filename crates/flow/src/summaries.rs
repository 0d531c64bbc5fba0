//! What becomes of a value inside a procedure that it enters, computed once for each entry.
//!
//! A path is realizable when each return matches its call (CFL reachability; Reps, Horwitz and
//! Sagiv's tabulation). An *entry* is a node that a call edge leads to: a parameter, or a region
//! as the procedure finds it. Its summary says which nodes of the procedure the entry reaches
//! along paths whose calls and returns match, how the value leaves, and which entries of callees
//! it is handed to. Entries that call each other are tabulated together, to a fixpoint.
//!
//! A summary is the least solution of rules that speak of the graph alone. So it does not matter
//! who computes it, when, or twice: threads share one cache and see the same answers.
//!
//! An entry whose search would look at more than the limit has none: all that it leads to counts,
//! known or not. Such a search goes on for a while past the limit, because then most of the callees
//! that it is about to look into are past the limit by themselves, too, and whoever comes to one of
//! them next is told at once. Those of its callees that are settled by then are kept.

use std::sync::{Arc, RwLock};

use caulk_base::{BitSet, FxHashMap, FxHashSet, Table, define_id};
use caulk_memory::CallSite;
use caulk_program::InstanceId;

use crate::exits::{Exit, Steps};
use crate::locals::Graph;
use crate::node::{Cross, Node};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The nodes of the entry's own procedure that it reaches, itself included; sorted.
    pub nodes: Box<[Node]>,
    /// Sorted.
    pub exits: Box<[Exit]>,
    /// The entries of callees that it reaches; sorted.
    pub callees: Box<[Node]>,
}

/// More pairs of an entry and a node than a search may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TooLarge {
    pub limit: usize,
}

type Known = Result<Arc<Summary>, TooLarge>;

pub(crate) struct Summaries<'f, 'm, 'p> {
    graph: Graph<'f, 'm, 'p>,
    limit: usize,
    known: RwLock<FxHashMap<Node, Known>>,
}

impl<'f, 'm, 'p> Summaries<'f, 'm, 'p> {
    pub fn new(graph: Graph<'f, 'm, 'p>, limit: usize) -> Self {
        Self { graph, limit, known: RwLock::default() }
    }

    /// # Errors
    /// When the entry alone is more than a search may look at.
    pub fn of(&self, entry: Node) -> Known {
        if let Some(known) = self.find(entry) {
            return known;
        }
        let found = Tabulation::new(self).run(entry);
        let mut known = self.known.write().expect("no thread panics with the lock");
        for (entry, summary) in found {
            known.entry(entry).or_insert(summary);
        }
        known[&entry].clone()
    }

    fn find(&self, entry: Node) -> Option<Known> {
        self.known.read().expect("no thread panics with the lock").get(&entry).cloned()
    }

    /// How many entries have one.
    pub fn count(&self) -> usize {
        self.known.read().expect("no thread panics with the lock").len()
    }
}

define_id!(RowId, "row", "An entry whose summary is being made.");

struct Row {
    entry: Node,
    nodes: FxHashSet<Node>,
    exits: FxHashSet<Exit>,
    callees: FxHashSet<Node>,
    /// The calls that hand a value to this entry and wait for what comes out.
    callers: FxHashSet<(RowId, CallSite)>,
}

/// A search that fails goes on for this part of its limit.
const MARGIN: usize = 4;

/// The entries that one root needs and nobody has a summary of.
struct Tabulation<'s, 'f, 'm, 'p> {
    summaries: &'s Summaries<'f, 'm, 'p>,
    rows: Table<RowId, Row>,
    ids: FxHashMap<Node, RowId>,
    /// Path edges to follow: the entry reaches the node.
    work: Vec<(RowId, Node)>,
    /// The entries with a summary that the root leads to.
    counted: FxHashSet<Node>,
    pairs: usize,
}

impl<'s, 'f, 'm, 'p> Tabulation<'s, 'f, 'm, 'p> {
    fn new(summaries: &'s Summaries<'f, 'm, 'p>) -> Self {
        let (rows, ids, work) = (Table::new(), FxHashMap::default(), Vec::new());
        Self { summaries, rows, ids, work, counted: FxHashSet::default(), pairs: 0 }
    }

    /// What is known of the root, and of all others that are settled with it.
    fn run(mut self, root: Node) -> Vec<(Node, Known)> {
        let root = self.row(root);
        while let Some((row, node)) = self.work.pop() {
            if self.step(row, node).is_err() {
                self.work.push((row, node));
                return self.settled(&[root, row]);
            }
            if self.pairs > self.summaries.limit + self.summaries.limit / MARGIN {
                return self.settled(&[root]);
            }
        }
        match self.pairs > self.summaries.limit {
            true => self.settled(&[root]),
            false => self.rows.rows().iter().map(finished).collect(),
        }
    }

    /// Fails when it comes to an entry that is too large.
    fn step(&mut self, row: RowId, node: Node) -> Result<(), TooLarge> {
        let Steps { edges, exits } = self.summaries.graph.steps(node);
        for edge in edges {
            match edge.cross {
                Cross::None => self.reach(row, edge.to),
                Cross::Call(site) => self.call(row, site, edge.to)?,
                Cross::Return(_) => unreachable!("steps stay inside a procedure"),
            }
        }
        exits.into_iter().for_each(|exit| self.leave(row, exit));
        Ok(())
    }

    /// What is known when the search ends, some rows being too large: whoever leads to a row that is
    /// too large is so, too, and who leads to no row with steps to follow has its summary.
    fn settled(&self, too_large: &[RowId]) -> Vec<(Node, Known)> {
        let callers = self.callers();
        let mut open = BitSet::new(self.rows.len());
        add_leading_to(&callers, self.work.iter().map(|step| step.0), &mut open);
        let mut large = BitSet::new(self.rows.len());
        add_leading_to(&callers, too_large.iter().copied(), &mut large);
        // The innermost first: what leads to them needs no look.
        for id in self.rows.ids().rev() {
            if open.contains(id) && !large.contains(id) && self.is_too_large(id) {
                add_leading_to(&callers, [id], &mut large);
            }
        }
        let error = TooLarge { limit: self.summaries.limit };
        let known = |(id, row): (RowId, &Row)| match (large.contains(id), open.contains(id)) {
            (true, _) => Some((row.entry, Err(error))),
            (false, true) => None,
            (false, false) => Some(finished(row)),
        };
        self.rows.iter().filter_map(known).collect()
    }

    /// Whether what a row leads to is past the limit by what was found so far.
    fn is_too_large(&self, row: RowId) -> bool {
        let mut pairs = 0;
        let mut seen = FxHashSet::default();
        let mut work = vec![self.rows[row].entry];
        while let Some(entry) = work.pop() {
            if !seen.insert(entry) {
                continue;
            }
            if let Some(&row) = self.ids.get(&entry) {
                pairs += self.rows[row].nodes.len();
                work.extend(self.rows[row].callees.iter().copied());
            } else if let Some(Ok(summary)) = self.summaries.find(entry) {
                pairs += summary.nodes.len();
                work.extend_from_slice(&summary.callees);
            }
            if pairs > self.summaries.limit {
                return true;
            }
        }
        false
    }

    /// The rows that hand a value to a row, whether or not they wait for what comes out.
    fn callers(&self) -> Table<RowId, Vec<RowId>> {
        let mut callers = Table::filled(Vec::new(), self.rows.len());
        for (id, row) in self.rows.iter() {
            for callee in row.callees.iter().filter_map(|entry| self.ids.get(entry)) {
                callers[*callee].push(id);
            }
        }
        callers
    }

    fn row(&mut self, entry: Node) -> RowId {
        if let Some(&known) = self.ids.get(&entry) {
            return known;
        }
        let id = self.rows.push(Row {
            entry,
            nodes: FxHashSet::default(),
            exits: FxHashSet::default(),
            callees: FxHashSet::default(),
            callers: FxHashSet::default(),
        });
        self.ids.insert(entry, id);
        self.reach(id, entry);
        id
    }

    /// entry → … → node
    fn reach(&mut self, row: RowId, node: Node) {
        if self.rows[row].nodes.insert(node) {
            self.pairs += 1;
            self.work.push((row, node));
        }
    }

    /// entry → … → node —(c→ callee's entry: what comes out of the callee goes on after c.
    fn call(&mut self, row: RowId, site: CallSite, entry: Node) -> Result<(), TooLarge> {
        self.rows[row].callees.insert(entry);
        let comes_back = self.summaries.graph.flow.comes_back(site, entry.instance());
        // What became known since its row was made is counted with the row.
        let is_row = self.ids.contains_key(&entry);
        let exits: Vec<Exit> = match self.summaries.find(entry).filter(|_| !is_row) {
            Some(known) => {
                let exits = known?.exits.to_vec();
                self.count(entry);
                exits
            }
            None => {
                let callee = self.row(entry);
                if comes_back {
                    self.rows[callee].callers.insert((row, site));
                }
                self.rows[callee].exits.iter().copied().collect()
            }
        };
        if comes_back {
            let callee = entry.instance();
            exits.into_iter().for_each(|exit| self.come_back(row, callee, site, exit));
        }
        Ok(())
    }

    /// The pairs of an entry that has a summary, and of all that it leads to.
    fn count(&mut self, entry: Node) {
        let mut work = vec![entry];
        while let Some(entry) = work.pop() {
            if self.ids.contains_key(&entry) || !self.counted.insert(entry) {
                continue;
            }
            let Some(Ok(summary)) = self.summaries.find(entry) else { continue };
            self.pairs += summary.nodes.len();
            work.extend_from_slice(&summary.callees);
        }
    }

    /// entry → … → exit: goes on after every call that waits for it.
    fn leave(&mut self, row: RowId, exit: Exit) {
        if self.rows[row].exits.insert(exit) {
            let callee = self.rows[row].entry.instance();
            let callers: Vec<_> = self.rows[row].callers.iter().copied().collect();
            for (caller, site) in callers {
                self.come_back(caller, callee, site, exit);
            }
        }
    }

    /// —)c→
    fn come_back(&mut self, row: RowId, callee: InstanceId, site: CallSite, exit: Exit) {
        for edge in self.summaries.graph.flow.returned(callee, exit, site) {
            self.reach(row, edge.to);
        }
    }
}

fn add_leading_to(
    callers: &Table<RowId, Vec<RowId>>,
    rows: impl IntoIterator<Item = RowId>,
    found: &mut BitSet<RowId>,
) {
    let mut work: Vec<RowId> = rows.into_iter().collect();
    while let Some(row) = work.pop() {
        if found.insert(row) {
            work.extend_from_slice(&callers[row]);
        }
    }
}

fn finished(row: &Row) -> (Node, Known) {
    let (nodes, exits, callees) = (sorted(&row.nodes), sorted(&row.exits), sorted(&row.callees));
    (row.entry, Ok(Arc::new(Summary { nodes, exits, callees })))
}

fn sorted<T: Copy + Ord + std::hash::Hash>(set: &FxHashSet<T>) -> Box<[T]> {
    let mut all: Vec<T> = set.iter().copied().collect();
    all.sort_unstable();
    all.into()
}
