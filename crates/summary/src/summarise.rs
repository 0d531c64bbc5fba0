//! From the memories at the exits to a summary (section 4.2).

use std::sync::Arc;

use caulk_base::{BitSet, FxHashMap, FxHashSet};
use caulk_ir::{BlockId, Inst, Terminator};

use crate::exec::{Exec, Point, Tie};
use crate::fixpoint::{Exit, Found};
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::outcomes::Outcome;
use crate::state::{Background, State};
use crate::summary::{ExitEffects, Fresh, Held, Node, NodeId, Status, Summary};
use crate::value::Value;

impl Exec<'_> {
    pub fn summarise(&mut self, found: &Found) -> Summary {
        let exits: Vec<Exit> =
            found.exits.iter().flat_map(|(block, exit)| self.split(*block, exit)).collect();
        let left: Vec<FxHashSet<LocId>> = exits.iter().map(|exit| self.left(exit)).collect();
        let allocates: Vec<bool> = left.iter().map(|regions| !regions.is_empty()).collect();
        let is_mixed = allocates.contains(&true) && allocates.contains(&false);
        let only_allocating = is_mixed && self.options().allocating_exits;
        let chosen: Vec<&Exit> = exits
            .iter()
            .zip(&allocates)
            .filter(|(_, allocates)| **allocates || !only_allocating)
            .map(|row| row.0)
            .collect();
        let Some(mut state) = self.joined_exits(&chosen) else {
            let (written, writes_more) = (self.written(), self.writes_more);
            return Summary { written, writes_more, ..Summary::default() };
        };
        if only_allocating && self.options().some_path_escapes {
            for (exit, _) in exits.iter().zip(&allocates).filter(|(_, allocates)| !**allocates) {
                self.keep_stores(exit, &mut state);
            }
        }
        let globals = self.given_up(&state);
        let mut graph = Graph::new(globals, state);
        let all = only_allocating && self.options().tied_results;
        let results: Vec<&Exit> = if all { exits.iter().collect() } else { chosen };
        let result = joined_results(&results);
        let mut summary = Summary { returns: true, ..Summary::default() };
        summary.result = result.map(|value| self.held(&mut graph, &value));
        self.caller_cells(&mut graph);
        let escaped: Vec<BitSet<LocId>> =
            exits.iter().map(|exit| self.reach_of_unnamed(&exit.state)).collect();
        self.releases(&mut graph, &exits, &escaped, &mut summary);
        if self.options().names {
            summary.exits = self.exit_classes(&mut graph, &exits, &escaped, &allocates);
        }
        while let Some((region, node)) = graph.pending.pop() {
            self.cells_of_fresh(&mut graph, region, node);
        }
        (summary.written, summary.writes_more) = (self.written(), self.writes_more);
        let takes = |inst: &Inst| matches!(inst, Inst::VaArg { .. });
        summary.takes_more = self.hands_list_on || self.body.insts.rows().iter().any(takes);
        let is_element = |node: &Node| matches!(node, Node::Element(_));
        summary.is_rough = self.is_rough || graph.nodes.nodes.rows().iter().any(is_element);
        if graph.nodes.nodes.len() > self.options().budget.nodes {
            return Summary { written: summary.written, ..Summary::coarse() };
        }
        if self.options().tied_results {
            self.note_outcomes(&mut graph, &exits, &left);
        }
        Summary {
            nodes: graph.nodes.nodes,
            names: graph.nodes.names,
            fresh: graph.nodes.fresh,
            cells: graph.nodes.cells,
            ..summary
        }
    }

    /// What is returned where each cell is left, and which cells that does not tell of.
    fn note_outcomes(&mut self, graph: &mut Graph, exits: &[Exit], left: &[FxHashSet<LocId>]) {
        let mut statuses = statuses(exits, left, &graph.fresh);
        let mut unclear: FxHashSet<LocId> = FxHashSet::default();
        for (region, outcome) in self.unclear_outcomes(exits, &graph.fresh) {
            match outcome {
                Outcome::Always => {}
                Outcome::With(status) => _ = statuses.insert(region, status),
                Outcome::Unknown => _ = unclear.insert(region),
            }
        }
        let leaving = |region: &LocId| left.iter().filter(|it| it.contains(region)).count();
        for (region, row) in graph.fresh.iter().zip(&mut graph.nodes.fresh) {
            let is_sometimes = (1..left.len()).contains(&leaving(region));
            row.status = statuses.get(region).copied();
            row.is_doubtful |= self.doubtful.contains(region)
                || unclear.contains(region)
                || is_sometimes && row.status.is_none();
        }
    }

    /// An exit that returns the status of a call is several: where the callee made something, and
    /// where not.
    pub fn split(&mut self, block: BlockId, exit: &Exit) -> Vec<Exit> {
        let ties = match self.body.blocks[block].terminator {
            Terminator::Return(Some(value)) => self.ties.get(&value).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let Some(value) = &exit.value else { return vec![exit.clone()] };
        if !self.options().tied_results || ties.is_empty() {
            return vec![exit.clone()];
        }
        let values = split_value(value, &ties);
        values.into_iter().map(|value| self.exit_with(exit, value, &ties)).collect()
    }

    fn exit_with(&mut self, exit: &Exit, value: Value, ties: &[Tie]) -> Exit {
        let mut state = exit.state.clone();
        self.values.clear();
        for tie in ties.iter().filter(|tie| !tie.allows(&value)) {
            tie.regions.iter().for_each(|&region| self.unmake_all(&mut state, region));
        }
        state.failed = exit.state.failed;
        Exit { state, value: Some(value) }
    }

    fn joined_exits(&mut self, exits: &[&Exit]) -> Option<State> {
        let mut states = exits.iter().map(|exit| &exit.state);
        let mut all = states.next()?.clone();
        for state in states {
            self.join(&mut all, state, Point::Join(BlockId::ENTRY));
        }
        Some(all)
    }

    /// What an exit that is not summarised puts into the caller's memory of the caller's own is
    /// there all the same (Arg2Arg): who allocates may be the one that makes a message of error.
    fn keep_stores(&mut self, exit: &Exit, state: &mut State) {
        for cell in exit.state.written.iter() {
            let Some(value) = exit.state.memory.get(cell) else { continue };
            let mut stored = Value::new(Numbers::NONE, value.addresses().iter().copied());
            stored.retain_addresses(|it| {
                let object = self.locations.object(it);
                let is_other = self.locations.get(object) != Loc::Explore(cell);
                is_other && self.locations.is_from_caller(object)
            });
            if stored.is_none() {
                continue;
            }
            let held = state.memory.get(cell).cloned();
            let held = held.or_else(|| self.unwritten(state, cell, Point::Join(BlockId::ENTRY)));
            held.iter().for_each(|held| stored.join(held));
            state.memory.insert(cell, stored);
            state.written.insert(cell);
        }
    }

    /// What is made here and not the caller's to release, though the caller sees it: globals have it.
    fn given_up(&mut self, state: &State) -> BitSet<LocId> {
        match self.options().some_path_escapes {
            true => self.reach_of_unnamed(state),
            false => BitSet::new(self.locations.len()),
        }
    }

    /// What is made here and left to the caller: what Alloc2Ret and Alloc2Arg lead to.
    pub fn left(&mut self, exit: &Exit) -> FxHashSet<LocId> {
        let globals = self.given_up(&exit.state);
        let seen = self.visible(exit);
        let is_left = |it: &LocId| seen.contains(*it) && !globals.contains(*it);
        // What some path freed before this exit does not make it one that allocates.
        let is_whole = |it: &LocId| !exit.state.freed.contains(*it);
        exit.state.allocated.iter().filter(|it| is_left(it) && is_whole(it)).collect()
    }

    /// The objects that the result and the arguments lead to at an exit.
    pub fn visible(&mut self, exit: &Exit) -> BitSet<LocId> {
        let mut roots: Vec<LocId> = Vec::new();
        roots.extend(exit.value.iter().flat_map(|value| value.addresses()));
        let stays = self.options().input_stays_visible;
        for id in self.locations.ids() {
            let is_root = match self.locations.get(id) {
                Loc::Explore(cell) => matches!(self.locations.get(cell), Loc::Arg(_)) || stays,
                _ => false,
            };
            if is_root && exit.state.freed_always.get(id).is_none() {
                roots.push(id);
            }
        }
        self.reach_alive(&exit.state, roots)
    }

    /// As `reach`, but not through what was freed on all paths.
    fn reach_alive(&mut self, state: &State, roots: Vec<LocId>) -> BitSet<LocId> {
        let mut seen = BitSet::new(self.locations.len());
        let mut pending: Vec<LocId> =
            roots.into_iter().map(|it| self.locations.object(it)).collect();
        while let Some(object) = pending.pop() {
            if state.freed_always.get(object).is_some() || !seen.insert(object) {
                continue;
            }
            self.steps += 1;
            for cell in self.locations.leading(object) {
                if let Some(value) = state.memory.get(*cell) {
                    pending.extend(value.addresses().iter().map(|&it| self.locations.object(it)));
                }
            }
        }
        seen
    }

    /// Memory of the caller that was written (Alloc2Arg, Arg2Arg, Glob2Arg).
    fn caller_cells(&mut self, graph: &mut Graph) {
        for cell in graph.state.written.clone().iter() {
            let Some(value) = graph.state.memory.get(cell).cloned() else { continue };
            let Some(node) = self.node(graph, cell) else { continue };
            let held = self.held(graph, &value);
            graph.nodes.cells.push((node, held));
        }
    }

    fn cells_of_fresh(&mut self, graph: &mut Graph, region: LocId, node: NodeId) {
        for cell in self.locations.inside(region).to_vec() {
            let Some(value) = graph.state.memory.get(cell).cloned() else { continue };
            let Some(place) = self.node_in(graph, cell, region, node) else { continue };
            let held = self.held(graph, &value);
            graph.nodes.cells.push((place, held));
        }
    }

    /// Arg2Free and Arg2Glob, over all exits.
    fn releases(
        &mut self,
        graph: &mut Graph,
        exits: &[Exit],
        escaped_at: &[BitSet<LocId>],
        summary: &mut Summary,
    ) {
        let some_path = self.options().some_path_escapes;
        let mut freed = BitSet::new(self.locations.len());
        let mut escaped = BitSet::new(self.locations.len());
        for (exit, escaped_here) in exits.iter().zip(escaped_at) {
            freed.union_with(&self.set_of(exit.state.freed.iter()));
            escaped.union_with(escaped_here);
        }
        let always =
            |object: LocId| exits.iter().all(|exit| exit.state.freed_always.get(object).is_some());
        for object in self.sorted_from_caller(&freed) {
            if let Some(node) = self.node(graph, object).filter(|_| some_path || always(object)) {
                summary.frees.push((node, always(object)));
            }
        }
        for object in self.sorted_from_caller(&escaped) {
            summary.escapes.extend(self.node(graph, object));
        }
    }

    pub fn set_of(&self, locations: impl Iterator<Item = LocId>) -> BitSet<LocId> {
        let mut set = BitSet::new(self.locations.len());
        for location in locations {
            set.insert(location);
        }
        set
    }

    fn sorted_from_caller(&self, objects: &BitSet<LocId>) -> Vec<LocId> {
        let is_input = |it: &LocId| {
            matches!(self.locations.get(*it), Loc::Explore(_)) && self.locations.is_from_caller(*it)
        };
        objects.iter().filter(is_input).collect()
    }

    fn exit_classes(
        &mut self,
        graph: &mut Graph,
        exits: &[Exit],
        escaped_at: &[BitSet<LocId>],
        allocates: &[bool],
    ) -> Vec<ExitEffects> {
        let mut rows = Vec::new();
        for ((exit, escaped), &allocates) in exits.iter().zip(escaped_at).zip(allocates) {
            let result = exit.value.as_ref().map(|value| self.held(graph, value));
            let freed = self.set_of(exit.state.freed.iter());
            let frees = self.sorted_from_caller(&freed);
            let frees = frees.into_iter().filter_map(|it| self.node(graph, it)).collect();
            let escapes = self.sorted_from_caller(escaped);
            let escapes = escapes.into_iter().filter_map(|it| self.node(graph, it)).collect();
            rows.push(ExitEffects { result, frees, escapes, allocates });
        }
        rows
    }

    fn held(&mut self, graph: &mut Graph, value: &Value) -> Held {
        let mut nodes: Vec<NodeId> =
            value.addresses().iter().filter_map(|&it| self.node(graph, it)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let is_lost = nodes.is_empty() && !value.addresses().is_empty();
        let numbers = if is_lost { Numbers::ALL } else { value.numbers };
        Held { numbers, nodes }
    }

    /// The node of a location that the caller can see; none for what dies with the procedure.
    fn node(&mut self, graph: &mut Graph, location: LocId) -> Option<NodeId> {
        if let Some(&known) = graph.ids.get(&location) {
            return known;
        }
        let node = self.new_node(graph, location);
        let is_fresh = matches!(self.locations.get(location), Loc::Region { .. });
        if self.options().names || !is_fresh {
            graph.ids.insert(location, node);
        }
        node
    }

    fn new_node(&mut self, graph: &mut Graph, location: LocId) -> Option<NodeId> {
        let one_global = self.options().one_global;
        match self.locations.get(location) {
            Loc::Arg(number) => Some(graph.nodes.add(Node::Arg(number), None)),
            Loc::Slot(_) | Loc::Alloca(_) => None,
            Loc::Global | Loc::Function(_) => Some(graph.nodes.global()),
            Loc::Static(_) if one_global => Some(graph.nodes.global()),
            Loc::Static(id) => Some(graph.nodes.add(Node::Static(id), None)),
            Loc::Region { .. } => self.fresh_node(graph, location),
            Loc::Explore(_) if one_global && self.locations.is_global(location) => {
                Some(graph.nodes.global())
            }
            Loc::Explore(cell) => {
                let inner = self.node(graph, cell)?;
                let name = self.member_name(location);
                Some(graph.nodes.step(inner, Node::Explore, name))
            }
            Loc::Field(of, _) | Loc::Element(of) | Loc::Contents(of) => {
                let inner = self.node(graph, of)?;
                Some(self.part(graph, location, inner))
            }
        }
    }

    fn part(&self, graph: &mut Graph, location: LocId, inner: NodeId) -> NodeId {
        let name = self.member_name(location);
        match self.locations.get(location) {
            Loc::Field(_, offset) => graph.nodes.step(inner, |it| Node::Field(it, offset), name),
            Loc::Contents(_) => graph.nodes.step(inner, Node::Contents, name),
            _ => graph.nodes.step(inner, Node::Element, name),
        }
    }

    /// The node of a part of a fresh cell, which may have several nodes itself.
    fn node_in(
        &mut self,
        graph: &mut Graph,
        cell: LocId,
        region: LocId,
        node: NodeId,
    ) -> Option<NodeId> {
        if cell == region {
            graph.nodes.names[node] = self.member_name(region);
            return Some(node);
        }
        match self.locations.get(cell) {
            Loc::Field(of, _) | Loc::Element(of) | Loc::Contents(of) => {
                let inner = self.node_in(graph, of, region, node)?;
                Some(self.part(graph, cell, inner))
            }
            _ => None,
        }
    }

    fn fresh_node(&mut self, graph: &mut Graph, region: LocId) -> Option<NodeId> {
        if graph.globals.contains(region) {
            return Some(graph.nodes.global());
        }
        if !graph.state.allocated.contains(region) {
            return None;
        }
        let made = self.made.get(&region)?.clone();
        let replaced = made.replaces.iter().filter(|&&it| self.locations.is_from_caller(it));
        let replaced: Vec<LocId> = replaced.copied().collect();
        let moved_from = replaced.into_iter().filter_map(|it| self.node(graph, it)).collect();
        let number = u32::try_from(graph.nodes.fresh.len()).ok()?;
        let most = self.options().budget.nodes;
        if graph.nodes.fresh.len() > most {
            return None;
        }
        graph.nodes.fresh.push(Fresh {
            made: crate::exec::Made { replaces: Vec::new(), ..made },
            moved_from,
            background: graph
                .state
                .background
                .get(region)
                .copied()
                .unwrap_or(Background::Uninitialised),
            multiple: graph.state.multiple.contains(region),
            status: None,
            is_doubtful: self.doubtful.contains(&region),
            needs: self.needs.get(&region).cloned().unwrap_or_default(),
        });
        graph.fresh.push(region);
        let node = graph.nodes.add(Node::Fresh(number), None);
        graph.pending.push((region, node));
        Some(node)
    }

    /// What the source calls the member at a location.
    pub fn member_name(&self, location: LocId) -> Option<Arc<str>> {
        self.locations.name(location).cloned()
    }
}

fn joined_results(exits: &[&Exit]) -> Option<Value> {
    let mut values = exits.iter().filter_map(|exit| exit.value.as_ref());
    let mut all = values.next()?.clone();
    values.for_each(|value| all.join(value));
    Some(all)
}

/// Ways to split the value of an exit: the first few ties decide.
const MOST_SPLITS: usize = 4;

/// The parts of a returned value that say different things about what was made.
fn split_value(value: &Value, ties: &[Tie]) -> Vec<Value> {
    let mut parts = vec![value.clone()];
    for tie in ties {
        let mut next = Vec::new();
        for part in &parts {
            let (made, not_made) = (tie.part(part), tie.rest(part));
            if made.is_none() || not_made.is_none() || part.is_none() {
                next.push(part.clone());
            } else {
                next.extend([made, not_made]);
            }
        }
        if next.len() > MOST_SPLITS {
            break;
        }
        parts = next;
    }
    parts
}

/// What is returned where each fresh cell is left to the caller, if some exits do not leave it. A
/// constant that only those return stands for their outcome, though the others return a range
/// around it: `return -1` beside `return length`, where all that is negative stands for failure.
fn statuses(
    exits: &[Exit],
    left: &[FxHashSet<LocId>],
    fresh: &[LocId],
) -> FxHashMap<LocId, Status> {
    let is_left = |it: &&LocId| left.iter().any(|regions| regions.contains(it));
    let regions = fresh.iter().filter(is_left);
    regions.filter_map(|&it| Some((it, status(exits, left, it)?))).collect()
}

/// As `statuses`, of one cell; none if what is returned does not tell.
pub fn status(exits: &[Exit], left: &[FxHashSet<LocId>], region: LocId) -> Option<Status> {
    let rows = || exits.iter().zip(left);
    let with: Vec<&Exit> = rows().filter(|row| row.1.contains(&region)).map(|row| row.0).collect();
    let without: Vec<&Exit> =
        rows().filter(|row| !row.1.contains(&region)).map(|row| row.0).collect();
    if without.is_empty() {
        return None;
    }
    let constant = |exit: &&Exit| {
        let value = exit.value.as_ref().filter(|value| value.addresses().is_empty())?;
        value.numbers.as_constant()
    };
    let value = joined_results(&with)?;
    let kept: Vec<i64> = with.iter().filter_map(constant).collect();
    let codes: Vec<i64> =
        without.iter().filter_map(constant).filter(|code| !kept.contains(code)).collect();
    let mut numbers = codes.iter().fold(value.numbers, |all, &code| all.without(code));
    let is_negative = |code: &i64| *code < 0;
    let successes = numbers.meet(&Numbers::range(0, i64::MAX));
    if codes.iter().any(is_negative) && !kept.iter().any(is_negative) && !successes.is_none() {
        numbers = successes;
    }
    let is_address = !value.addresses().is_empty();
    let status = Status { numbers, is_address };
    without.iter().any(|exit| is_apart(exit, &status)).then_some(status)
}

/// Something that the exit returns says that the cell is not there.
fn is_apart(exit: &Exit, status: &Status) -> bool {
    exit.value.as_ref().is_some_and(|value| {
        let is_number = value.numbers.meet(&status.numbers) != value.numbers;
        is_number || !value.addresses().is_empty() && !status.is_address
    })
}

/// A summary that grows from the memory at the exit.
struct Graph {
    globals: BitSet<LocId>,
    state: State,
    ids: FxHashMap<LocId, Option<NodeId>>,
    nodes: Nodes,
    /// Fresh cells whose contents are still to be told.
    pending: Vec<(LocId, NodeId)>,
    /// The cells of the rows of what is fresh.
    fresh: Vec<LocId>,
}

#[derive(Default)]
struct Nodes {
    nodes: caulk_base::Table<NodeId, Node>,
    names: caulk_base::Table<NodeId, Option<Arc<str>>>,
    fresh: Vec<Fresh>,
    cells: Vec<(NodeId, Held)>,
}

impl Graph {
    fn new(globals: BitSet<LocId>, state: State) -> Self {
        Self {
            globals,
            state,
            ids: FxHashMap::default(),
            nodes: Nodes::default(),
            pending: Vec::new(),
            fresh: Vec::new(),
        }
    }
}

impl Nodes {
    fn add(&mut self, node: Node, name: Option<Arc<str>>) -> NodeId {
        self.names.push(name);
        self.nodes.push(node)
    }

    fn global(&mut self) -> NodeId {
        let known = self.nodes.iter().find(|row| *row.1 == Node::Global).map(|row| row.0);
        known.unwrap_or_else(|| self.add(Node::Global, None))
    }

    /// One step further; all of the globals is one node.
    fn step(
        &mut self,
        inner: NodeId,
        make: impl Fn(NodeId) -> Node,
        name: Option<Arc<str>>,
    ) -> NodeId {
        if self.nodes[inner] == Node::Global {
            return inner;
        }
        self.add(make(inner), name)
    }
}
