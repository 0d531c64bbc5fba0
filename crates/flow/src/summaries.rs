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

use std::sync::{Arc, RwLock};

use caulk_base::{FxHashMap, FxHashSet, Table, define_id};
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
        match found {
            Ok(rows) => {
                for (entry, summary) in rows {
                    known.entry(entry).or_insert_with(|| Ok(Arc::new(summary)));
                }
            }
            Err(error) => {
                known.insert(entry, Err(error));
            }
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

/// The entries that one root needs and nobody has a summary of.
struct Tabulation<'s, 'f, 'm, 'p> {
    summaries: &'s Summaries<'f, 'm, 'p>,
    rows: Table<RowId, Row>,
    ids: FxHashMap<Node, RowId>,
    /// Path edges to follow: the entry reaches the node.
    work: Vec<(RowId, Node)>,
    pairs: usize,
}

impl<'s, 'f, 'm, 'p> Tabulation<'s, 'f, 'm, 'p> {
    fn new(summaries: &'s Summaries<'f, 'm, 'p>) -> Self {
        let (rows, ids, work) = (Table::new(), FxHashMap::default(), Vec::new());
        Self { summaries, rows, ids, work, pairs: 0 }
    }

    fn run(mut self, root: Node) -> Result<Vec<(Node, Summary)>, TooLarge> {
        self.row(root);
        while let Some((row, node)) = self.work.pop() {
            let Steps { edges, exits } = self.summaries.graph.steps(node);
            for edge in edges {
                match edge.cross {
                    Cross::None => self.reach(row, edge.to),
                    Cross::Call(site) => self.call(row, site, edge.to)?,
                    Cross::Return(_) => unreachable!("steps stay inside a procedure"),
                }
            }
            exits.into_iter().for_each(|exit| self.leave(row, exit));
            if self.pairs > self.summaries.limit {
                return Err(TooLarge { limit: self.summaries.limit });
            }
        }
        Ok(self.rows.rows().iter().map(|row| (row.entry, finish(row))).collect())
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
        let exits: Vec<Exit> = match self.summaries.find(entry) {
            Some(known) => known?.exits.to_vec(),
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

fn finish(row: &Row) -> Summary {
    Summary { nodes: sorted(&row.nodes), exits: sorted(&row.exits), callees: sorted(&row.callees) }
}

fn sorted<T: Copy + Ord + std::hash::Hash>(set: &FxHashSet<T>) -> Box<[T]> {
    let mut all: Vec<T> = set.iter().copied().collect();
    all.sort_unstable();
    all.into()
}
