//! The places of one instance that may carry the address of an object, and how long its
//! temporaries live.

use std::sync::Arc;

use caulk_base::{BitSet, FxHashMap};
use caulk_ir::{BlockId, Inst, InstId, ValueId, ValueKind, VarId};
use caulk_memory::{Chain, RegionId, View};
use caulk_program::{ExternalId, InstanceId};
use caulk_ssa::LiveRange;

use crate::graph::Flow;
use crate::holders_tracked::Tracked;
use crate::node::Node;
use crate::value_uses::ValueUse;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Carrier {
    Variable(VarId),
    Value(ValueId),
    Memory(RegionId, View),
    Library(Option<ExternalId>),
    Callers,
}

#[derive(Debug)]
pub(crate) struct MemoryCarrier {
    /// Its place among the carriers.
    pub at: usize,
    pub region: RegionId,
    pub view: View,
    pub chain: Arc<Chain>,
}

#[derive(Debug)]
pub(crate) struct Carriers {
    /// Sorted.
    pub rows: Vec<Carrier>,
    index: FxHashMap<Carrier, usize>,
    /// The memory among them.
    pub memory: Vec<MemoryCarrier>,
    /// The values that die after an instruction.
    dying: FxHashMap<InstId, Vec<usize>>,
    /// The instructions that may change what carriers hold.
    relevant: BitSet<InstId>,
    /// The values that are live at the start of a block.
    live: FxHashMap<BlockId, Vec<usize>>,
}

impl Carriers {
    pub fn new(flow: &Flow, tracked: &Tracked, instance: InstanceId) -> Self {
        let mut rows = values(tracked, instance);
        rows.extend(tracked.kept_in(instance).map(Carrier::Library));
        rows.extend(variables(flow, &rows, instance));
        rows.extend(memory(flow, tracked, instance));
        if is_held_by_callers(flow, tracked, instance) {
            rows.push(Carrier::Callers);
        }
        rows.sort_unstable();
        rows.dedup();
        let index = rows.iter().enumerate().map(|(at, &row)| (row, at)).collect();
        let memory = rows.iter().enumerate().filter_map(|(at, &row)| match row {
            Carrier::Memory(region, view) => {
                let chain = flow.memory.chain(instance, region, view);
                Some(MemoryCarrier { at, region, view, chain })
            }
            _ => None,
        });
        let mut carriers = Self {
            memory: memory.collect(),
            index,
            rows,
            relevant: BitSet::new(0),
            dying: FxHashMap::default(),
            live: FxHashMap::default(),
        };
        carriers.add_lifetimes(flow, instance);
        carriers.relevant = carriers.find_relevant(flow, instance);
        carriers
    }

    fn find_relevant(&self, flow: &Flow, instance: InstanceId) -> BitSet<InstId> {
        let body = flow.body(instance);
        let mut relevant = BitSet::new(body.insts.len());
        for (id, &inst) in body.insts.iter() {
            let touches = match inst {
                Inst::Call(_) | Inst::ScopeEnd(_) => true,
                Inst::Set { var, .. } => self.variable(var).is_some(),
                _ => body.results[id].is_some_and(|result| self.value(result).is_some()),
            };
            if touches || self.dying.contains_key(&id) {
                relevant.insert(id);
            }
        }
        for id in self.memory.iter().flat_map(|row| row.chain.writes()) {
            relevant.insert(id);
        }
        relevant
    }

    pub fn is_relevant(&self, inst: InstId) -> bool {
        self.relevant.contains(inst)
    }

    pub fn find(&self, carrier: Carrier) -> Option<usize> {
        self.index.get(&carrier).copied()
    }

    pub fn value(&self, value: ValueId) -> Option<usize> {
        self.find(Carrier::Value(value))
    }

    pub fn variable(&self, var: VarId) -> Option<usize> {
        self.find(Carrier::Variable(var))
    }

    pub fn dying(&self, inst: InstId) -> &[usize] {
        self.dying.get(&inst).map_or(&[], Vec::as_slice)
    }

    pub fn is_live_at(&self, block: BlockId, value: usize) -> bool {
        self.live.get(&block).is_some_and(|live| live.contains(&value))
    }

    /// As `FunctionFacts::liveness`, but a value lives until a `Set` gives it to a variable.
    fn add_lifetimes(&mut self, flow: &Flow, instance: InstanceId) {
        let graph = flow.memory.facts(instance).cfg().graph();
        for (at, row) in self.rows.iter().enumerate() {
            let &Carrier::Value(value) = row else { continue };
            let defined = defining_block(flow, instance, value);
            let last = last_uses(flow, instance, value);
            let mut uses: Vec<BlockId> =
                last.keys().copied().filter(|&block| block != defined).collect();
            uses.sort_unstable();
            let range = LiveRange::new(graph, &uses, &[defined]);
            for &block in &range.at_start {
                self.live.entry(block).or_default().push(at);
            }
            for (block, inst) in last {
                if inst < AT_END && !range.at_end.contains(&block) {
                    self.dying.entry(inst).or_default().push(at);
                }
            }
        }
    }
}

/// Stands after the instructions of every block.
const AT_END: InstId = InstId(u32::MAX);

fn defining_block(flow: &Flow, instance: InstanceId, value: ValueId) -> BlockId {
    match flow.body(instance).values[value].kind {
        ValueKind::Inst(inst) => flow.memory.facts(instance).block_of(inst),
        ValueKind::BlockParam(block, _) => block,
        ValueKind::Param(_) | ValueKind::Const(_) => BlockId::ENTRY,
    }
}

/// In each block the last instruction that uses the value, or its definition.
fn last_uses(flow: &Flow, instance: InstanceId, value: ValueId) -> FxHashMap<BlockId, InstId> {
    let facts = flow.memory.facts(instance);
    let mut last: FxHashMap<BlockId, InstId> = FxHashMap::default();
    if let Some(inst) = flow.body(instance).definition(value) {
        last.insert(facts.block_of(inst), inst);
    }
    for &used in flow.uses_of(instance, value) {
        let (block, inst) = match used {
            ValueUse::Inst(inst) => (facts.block_of(inst), inst),
            ValueUse::Passed { block, .. } | ValueUse::Terminator(block) => (block, AT_END),
        };
        let row = last.entry(block).or_insert(inst);
        *row = (*row).max(inst);
    }
    last
}

fn values(tracked: &Tracked, instance: InstanceId) -> Vec<Carrier> {
    let carrier = |node: Node| match node {
        Node::Value(_, value) => Some(Carrier::Value(value)),
        _ => None,
    };
    tracked.nodes_of(instance).filter_map(carrier).collect()
}

/// The variables that one of the values is ever given to.
fn variables(flow: &Flow, values: &[Carrier], instance: InstanceId) -> Vec<Carrier> {
    let body = flow.body(instance);
    let mut found = Vec::new();
    for row in values {
        let &Carrier::Value(value) = row else { continue };
        for &used in flow.uses_of(instance, value) {
            if let ValueUse::Inst(inst) = used
                && let Inst::Set { var, .. } = body.insts[inst]
            {
                found.push(Carrier::Variable(var));
            }
        }
        if let ValueKind::BlockParam(..) = body.values[value].kind {
            found.extend(body.values[value].var.map(Carrier::Variable));
        }
    }
    found
}

/// Memory that the address gets into here, and memory that holds it from before and is written
/// here. Where the newest object of a site is the only one that this activation can mean, it
/// stands for all of them, and is updated strongly.
fn memory(flow: &Flow, tracked: &Tracked, instance: InstanceId) -> Vec<Carrier> {
    let mut found: Vec<(RegionId, View)> = tracked
        .nodes_of(instance)
        .filter_map(|node| match node {
            Node::Memory(_, region, view, _) => Some((region, view)),
            _ => None,
        })
        .filter(|(region, _)| tracked.regions.binary_search(region).is_ok())
        .collect();
    for &region in &tracked.regions {
        let written = flow.memory.effects(instance).writes.contains(region);
        if written && tracked.holds_at_entry(flow, instance, region) {
            found.push((region, View::All));
        }
    }
    found.sort_unstable();
    found.dedup();
    let all = found.clone();
    found.retain(|&(region, view)| {
        let newest = flow.memory.made_by(instance, region).map(View::Newest);
        view != View::All
            || !newest.is_some_and(|newest| all.contains(&(region, newest)))
            || !is_made_once(flow, tracked, instance, region)
    });
    found.into_iter().map(|(region, view)| Carrier::Memory(region, view)).collect()
}

/// Whether the region's object is made at most once in an activation, and none of those made
/// before can hold the address here.
fn is_made_once(flow: &Flow, tracked: &Tracked, instance: InstanceId, region: RegionId) -> bool {
    let Some(inst) = flow.memory.made_by(instance, region) else { return false };
    let facts = flow.memory.facts(instance);
    let sccs = facts.cfg().sccs();
    !sccs.is_cyclic(sccs.component(facts.block_of(inst)))
        && !tracked.holds_at_entry(flow, instance, region)
}

/// Whether some caller, while this instance runs for it, may hold the object in a variable of
/// its own or in memory that this instance does not write.
fn is_held_by_callers(flow: &Flow, tracked: &Tracked, instance: InstanceId) -> bool {
    let mut seen = vec![instance];
    let mut next = 0;
    while next < seen.len() {
        let callee = seen[next];
        next += 1;
        if !comes_in(tracked, flow, callee) {
            continue;
        }
        for site in flow.memory.callers(callee) {
            if has_holder(flow, tracked, site.caller, instance) {
                return true;
            }
            if !seen.contains(&site.caller) {
                seen.push(site.caller);
            }
        }
    }
    false
}

/// Whether the address comes into the instance from its callers.
fn comes_in(tracked: &Tracked, flow: &Flow, instance: InstanceId) -> bool {
    let body = flow.body(instance);
    let params = body.params.iter().any(|&it| tracked.holds(Node::Value(instance, it)));
    params || tracked.regions.iter().any(|&it| tracked.holds_at_entry(flow, instance, it))
}

fn has_holder(flow: &Flow, tracked: &Tracked, caller: InstanceId, callee: InstanceId) -> bool {
    let held = values(tracked, caller);
    let writes = &flow.memory.effects(callee).writes;
    let elsewhere = |node: Node| match node {
        Node::Memory(_, region, ..) => {
            tracked.regions.binary_search(&region).is_ok() && !writes.contains(region)
        }
        _ => false,
    };
    !variables(flow, &held, caller).is_empty() || tracked.nodes_of(caller).any(elsewhere)
}
