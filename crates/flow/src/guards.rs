//! The condition under which control goes from one point of a function to another (F6, S8).
//!
//! Figure 4 of FastCheck: `cguard(n → m)` is the disjunction over the paths from n to m of the
//! conjunction of their branch conditions. [`crate::guards_paths`] explores the paths;
//! this module turns points into edges of the graph of blocks, and remembers answers.
//!
//! - **Redefinition.** The paper leaves out paths that write the variable again. Values and versions
//!   of memory are in SSA form, so the only redefinition is to pass the point of departure again.
//! - **Points.** A block runs from its first instruction to its end. Hence a point reached in the
//!   block of departure, after it, is reached for certain; any other is reached exactly when its
//!   block is entered; and to enter the block of departure is either to arrive or to redefine.
//! - **φ.** A value comes into a block's parameter along certain edges only: [`Target::Along`].
//! - **Decided tests** (F9) are edges that are not there.
//! - **Ends.** Returns, and calls that do not return, end a path. An end without return is not a
//!   leak; [`Guards::exits`] is its condition, to be counted with those of the sinks for leaks, and
//!   not for double frees. Endless loops end no path, as in the paper's `pdom`.
//!
//! A query past its budget is [`GuardId::TOO_LARGE`], and so is all that is built from it.

use std::sync::Arc;

use caulk_base::{BitSet, FxHashMap, FxHashSet, Id};
use caulk_guard::{AtomId, Formulas, GuardId, Limits};
use caulk_ir::{BlockId, Body, InstId, Terminator, Unreachable};
use caulk_program::{ProcId, Program};
use caulk_ssa::function::block_graph;
use caulk_ssa::{EdgeId, Graph};

use crate::guards_atoms::Atoms;
use crate::guards_decided::Decisions;
use crate::guards_paths::{Conditions, Journey, path_guard};
use crate::guards_web::Web;
use crate::node::Point;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardOptions {
    /// How often a path may take one edge of a branch: N of S8. The papers take 1.
    pub loop_bound: u8,
    /// Whether "every path arrives" is taken for true without looking at the paths (Figure 4).
    pub postdominance: bool,
    /// The steps that one query may take.
    pub work: u32,
    pub limits: Limits,
}

impl Default for GuardOptions {
    fn default() -> Self {
        Self { loop_bound: 1, postdominance: true, work: 300_000, limits: Limits::default() }
    }
}

/// Where to arrive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Point(Point),
    /// Whichever comes first.
    AnyOf(Vec<Point>),
    /// Along one of these edges, each a block and the place in its terminator.
    Along(Vec<(BlockId, u32)>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuardCounts {
    pub queries: u64,
    /// Queries that were not answered from memory.
    pub computed: u64,
    /// Computed answers past the bounds.
    pub too_large: u64,
}

/// What is asked of a graph of blocks, once points are out of the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Enter(Vec<BlockId>),
    Take(Vec<EdgeId>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    from: BlockId,
    goal: Goal,
    /// Those of this procedure.
    decided: Box<[(AtomId, bool)]>,
}

/// A web, and what of its procedure is decided.
type WebQuestion = (ProcId, Arc<Web>, Box<[(AtomId, bool)]>);

struct ProcGuards {
    graph: Graph<BlockId>,
    ends: BitSet<BlockId>,
    known: FxHashMap<Question, GuardId>,
}

/// The guards of a program, in one arena of formulas. Each thread has its own.
pub struct Guards<'p> {
    pub formulas: Formulas,
    program: &'p Program,
    atoms: &'p Atoms,
    options: GuardOptions,
    procs: FxHashMap<ProcId, ProcGuards>,
    webs: FxHashMap<WebQuestion, GuardId>,
    declared: FxHashSet<AtomId>,
    counts: GuardCounts,
}

impl<'p> Guards<'p> {
    #[must_use]
    pub fn new(program: &'p Program, atoms: &'p Atoms, options: GuardOptions) -> Self {
        Self {
            formulas: Formulas::with_limits(options.limits),
            program,
            atoms,
            options,
            procs: FxHashMap::default(),
            webs: FxHashMap::default(),
            declared: FxHashSet::default(),
            counts: GuardCounts::default(),
        }
    }

    #[must_use]
    pub fn statistics(&self) -> GuardCounts {
        self.counts
    }

    /// Figure 4: when control that has passed `from` comes to `to` before it passes `from` again.
    pub fn cguard(
        &mut self,
        proc: ProcId,
        from: Point,
        to: &Target,
        decisions: &Decisions,
    ) -> GuardId {
        self.counts.queries += 1;
        let body = self.program.body(proc);
        let start = Position::of(body, from);
        let goal = match to {
            Target::Along(edges) => Goal::Take(edge_ids(&self.proc(proc).graph, edges)),
            Target::Point(point) => match start.blocks_to_enter(body, &[*point]) {
                None => return GuardId::TRUE,
                Some(blocks) => Goal::Enter(blocks),
            },
            Target::AnyOf(points) => match start.blocks_to_enter(body, points) {
                None => return GuardId::TRUE,
                Some(blocks) => Goal::Enter(blocks),
            },
        };
        self.answer(proc, start.block, goal, decisions)
    }

    /// Figure 4 for a variable that loops carry along: when the value comes through the web.
    pub(crate) fn through(
        &mut self,
        proc: ProcId,
        web: &Arc<Web>,
        decisions: &Decisions,
    ) -> GuardId {
        self.counts.queries += 1;
        let decided: Box<[_]> = decisions.within(self.atoms.of_proc(proc)).into();
        let question = (proc, web.clone(), decided);
        if let Some(&known) = self.webs.get(&question) {
            return known;
        }
        self.counts.computed += 1;
        let guard = self.compute_through(proc, web, decisions);
        self.counts.too_large += u64::from(guard == GuardId::TOO_LARGE);
        self.webs.insert(question, guard);
        guard
    }

    fn compute_through(&mut self, proc: ProcId, web: &Web, decisions: &Decisions) -> GuardId {
        let body = self.program.body(proc);
        let Some(product) = web.product(body, &self.proc(proc).ends) else {
            return GuardId::TOO_LARGE;
        };
        if product.at_once {
            return GuardId::TRUE;
        }
        let journey = Journey {
            graph: &product.graph,
            ends: &product.ends,
            from: BlockId(0),
            arrives: &product.arrives,
            options: self.options,
        };
        let mut conditions = BranchConditions {
            proc,
            graph: &product.graph,
            blocks: Some(&product.blocks),
            atoms: self.atoms,
            decisions,
            declared: &mut self.declared,
        };
        path_guard(&journey, &mut conditions, &mut self.formulas)
    }

    /// When control that has passed `from` leaves the function for good without returning.
    pub fn exits(&mut self, proc: ProcId, from: Point, decisions: &Decisions) -> GuardId {
        self.counts.queries += 1;
        let body = self.program.body(proc);
        let start = Position::of(body, from).block;
        let is_exit = |block: &BlockId| is_exit(&body.blocks[*block].terminator);
        if is_exit(&start) {
            return GuardId::TRUE;
        }
        let exits = body.blocks.ids().filter(is_exit).collect();
        self.answer(proc, start, Goal::Enter(exits), decisions)
    }

    fn proc(&mut self, proc: ProcId) -> &mut ProcGuards {
        let program = self.program;
        self.procs.entry(proc).or_insert_with(|| ProcGuards::new(program.body(proc)))
    }

    fn answer(
        &mut self,
        proc: ProcId,
        from: BlockId,
        goal: Goal,
        decisions: &Decisions,
    ) -> GuardId {
        let decided = decisions.within(self.atoms.of_proc(proc)).into();
        let question = Question { from, goal, decided };
        if let Some(&known) = self.proc(proc).known.get(&question) {
            return known;
        }
        self.counts.computed += 1;
        let guard = self.compute(proc, &question, decisions);
        self.counts.too_large += u64::from(guard == GuardId::TOO_LARGE);
        self.proc(proc).known.insert(question, guard);
        guard
    }

    fn compute(&mut self, proc: ProcId, question: &Question, decisions: &Decisions) -> GuardId {
        let rows = &self.procs[&proc];
        let arrives = goal_edges(&rows.graph, &question.goal);
        let journey = Journey {
            graph: &rows.graph,
            ends: &rows.ends,
            from: question.from,
            arrives: &arrives,
            options: self.options,
        };
        let mut conditions = BranchConditions {
            proc,
            graph: &rows.graph,
            blocks: None,
            atoms: self.atoms,
            decisions,
            declared: &mut self.declared,
        };
        path_guard(&journey, &mut conditions, &mut self.formulas)
    }
}

impl ProcGuards {
    fn new(body: &Body) -> Self {
        let mut ends = BitSet::new(body.blocks.len());
        for (id, block) in body.blocks.iter() {
            if matches!(block.terminator, Terminator::Return(_)) || is_exit(&block.terminator) {
                ends.insert(id);
            }
        }
        Self { graph: block_graph(body), ends, known: FxHashMap::default() }
    }
}

/// A promise that control does not come here is no end: no path leads to it.
fn is_exit(terminator: &Terminator) -> bool {
    matches!(terminator, Terminator::Unreachable(Unreachable::Noreturn | Unreachable::Trap))
}

fn goal_edges(graph: &Graph<BlockId>, goal: &Goal) -> BitSet<EdgeId> {
    let mut edges = BitSet::new(graph.edge_count());
    match goal {
        Goal::Take(taken) => {
            for &edge in taken {
                edges.insert(edge);
            }
        }
        Goal::Enter(blocks) => {
            for edge in blocks.iter().flat_map(|&block| graph.in_edges(block)) {
                edges.insert(*edge);
            }
        }
    }
    edges
}

fn edge_ids(graph: &Graph<BlockId>, edges: &[(BlockId, u32)]) -> Vec<EdgeId> {
    let id = |&(block, slot): &(BlockId, u32)| graph.out_edges(block).nth(slot as usize);
    let mut ids: Vec<EdgeId> = edges.iter().filter_map(id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// A point as a place in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    block: BlockId,
    /// 0 is the start, an instruction comes by its number from 1, the terminator last.
    step: u32,
}

impl Position {
    fn of(body: &Body, point: Point) -> Self {
        match point {
            Point::Entry => Self { block: BlockId::ENTRY, step: 0 },
            Point::Start(block) => Self { block, step: 0 },
            Point::Inst(inst) => {
                let block = block_of(body, inst);
                Self { block, step: 1 + inst.0 - body.blocks[block].first.0 }
            }
            Point::Terminator(block) => Self { block, step: u32::MAX },
        }
    }

    /// The blocks to enter so as to come to one of the points; none if one is reached anyway.
    fn blocks_to_enter(self, body: &Body, points: &[Point]) -> Option<Vec<BlockId>> {
        let mut blocks = Vec::with_capacity(points.len());
        for &point in points {
            let target = Self::of(body, point);
            if target.block == self.block && target.step >= self.step {
                return None;
            }
            blocks.push(target.block);
        }
        blocks.sort_unstable();
        blocks.dedup();
        Some(blocks)
    }
}

fn block_of(body: &Body, inst: InstId) -> BlockId {
    BlockId::from_index(body.blocks.rows().partition_point(|block| block.end <= inst))
}

/// The conditions of a procedure's edges, tests that are decided taken out.
struct BranchConditions<'a> {
    proc: ProcId,
    graph: &'a Graph<BlockId>,
    /// The blocks that the graph's nodes stand for; themselves without.
    blocks: Option<&'a [BlockId]>,
    atoms: &'a Atoms,
    decisions: &'a Decisions,
    declared: &'a mut FxHashSet<AtomId>,
}

impl BranchConditions<'_> {
    fn atom(&self, edge: EdgeId) -> Option<(AtomId, bool)> {
        self.atoms.edge(self.proc, self.source(edge), self.graph.slot(edge))
    }

    fn source(&self, edge: EdgeId) -> BlockId {
        let node = self.graph.source(edge);
        self.blocks.map_or(node, |blocks| blocks[node.index()])
    }

    /// Whether the switch is known to take an edge, other than this one of which nothing is known.
    fn another_is_taken(&self, edge: EdgeId) -> bool {
        let atoms = self.atoms.of_block(self.proc, self.source(edge));
        atoms.len() > 1 && atoms.map(AtomId).any(|atom| self.decisions.get(atom) == Some(true))
    }

    /// Formulas must know the edges of a switch before one of them is used.
    fn declare(&mut self, edge: EdgeId, formulas: &mut Formulas) {
        let atoms = self.atoms.of_block(self.proc, self.source(edge));
        if atoms.len() > 1 && self.declared.insert(AtomId(atoms.start)) {
            let edges: Vec<AtomId> = atoms.map(AtomId).collect();
            formulas.switch(&edges);
        }
    }
}

impl Conditions for BranchConditions<'_> {
    fn is_possible(&self, edge: EdgeId) -> bool {
        let Some((atom, taken)) = self.atom(edge) else { return true };
        match self.decisions.get(atom) {
            Some(value) => value == taken,
            None => !self.another_is_taken(edge),
        }
    }

    fn condition(&mut self, edge: EdgeId, formulas: &mut Formulas) -> GuardId {
        match self.atom(edge) {
            None => GuardId::TRUE,
            Some((atom, _)) if self.decisions.get(atom).is_some() => GuardId::TRUE,
            Some((atom, taken)) => {
                self.declare(edge, formulas);
                formulas.literal(atom, taken)
            }
        }
    }
}
