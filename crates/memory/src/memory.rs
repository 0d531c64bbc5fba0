//! The facts about memory of a whole program, and memory SSA on demand.

use std::sync::{Arc, Mutex, OnceLock};

use caulk_base::{FxHashMap, Table};
use caulk_ir::{Body, CallId, Inst, InstId, ValueId, ValueKind};
use caulk_pointer::{LocId, ObjId, ObjKind, PointsTo};
use caulk_program::{ExternalModels, InstanceId, Instances, ProcId, Program};
use caulk_ssa::FunctionFacts;

use crate::accesses::{Access, Accesses, Reader};
use crate::calls::{CallSite, Calls};
use crate::chain::{Chain, Touch, Write};
use crate::footprint::{FootprintId, Footprints};
use crate::modref::{Effects, ModRef};
use crate::refine::{Refined, addresses};
use crate::regions::{RegionId, Regions};
use crate::steps::Steps;

/// What the analyses of memory read.
#[derive(Clone, Copy)]
pub struct Input<'p> {
    pub program: &'p Program,
    pub instances: &'p Instances,
    pub externals: &'p ExternalModels,
    pub points_to: &'p PointsTo,
}

/// Which of the objects that an allocation site makes a chain speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// All of them together; heap memory is never updated strongly (S2b).
    All,
    /// The one that this instruction made last (recency): an address that comes from its result
    /// alone means exactly that object, and a store through it replaces the old contents.
    Newest(InstId),
}

/// The chains of one instance that have been asked for. A chain depends on its touches alone, and
/// regions that only callees touch are mostly touched by the same calls: they share one.
#[derive(Default)]
struct ChainsOf {
    regions: FxHashMap<(RegionId, View), Arc<Chain>>,
    shapes: FxHashMap<Box<[Touch]>, Arc<Chain>>,
}

pub struct Memory<'p> {
    input: Input<'p>,
    footprints: Footprints,
    widest: FxHashMap<LocId, u32>,
    steps: Steps,
    regions: Regions,
    accesses: Table<InstanceId, Accesses>,
    modref: ModRef,
    calls: Calls,
    facts: Table<ProcId, OnceLock<FunctionFacts<'p>>>,
    touches: Table<InstanceId, OnceLock<FxHashMap<RegionId, Vec<u32>>>>,
    refined: Table<InstanceId, OnceLock<Refined>>,
    chains: Table<InstanceId, Mutex<ChainsOf>>,
}

impl<'p> Memory<'p> {
    #[must_use]
    pub fn new(input: Input<'p>) -> Self {
        let Input { program, instances, externals, points_to } = input;
        let footprints = Footprints::new(points_to);
        let steps = Steps::new(points_to);
        let mut reader = Reader { program, instances, externals, points_to, footprints, steps };
        let accesses: Table<InstanceId, Accesses> =
            instances.rows.ids().map(|instance| reader.instance(instance)).collect();
        let Reader { footprints, mut steps, .. } = reader;
        steps.finish(points_to);
        let regions = Regions::new(&footprints);
        let calls = Calls::new(input, &accesses);
        let modref = ModRef::new(points_to, instances, &calls, &accesses, &regions);
        Self {
            calls,
            facts: program.procs.ids().map(|_| OnceLock::new()).collect(),
            touches: instances.rows.ids().map(|_| OnceLock::new()).collect(),
            refined: instances.rows.ids().map(|_| OnceLock::new()).collect(),
            chains: instances.rows.ids().map(|_| Mutex::default()).collect(),
            input,
            widest: footprints.widest(points_to),
            steps,
            footprints,
            regions,
            accesses,
            modref,
        }
    }

    #[must_use]
    pub fn input(&self) -> Input<'p> {
        self.input
    }

    #[must_use]
    pub fn footprints(&self) -> &Footprints {
        &self.footprints
    }

    #[must_use]
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    #[must_use]
    pub fn modref(&self) -> &ModRef {
        &self.modref
    }

    #[must_use]
    pub fn accesses(&self, instance: InstanceId) -> &Accesses {
        &self.accesses[instance]
    }

    /// What one instruction touches by itself; the effects of procedures that it calls are not
    /// part of it.
    #[must_use]
    pub fn access(&self, instance: InstanceId, inst: InstId) -> Option<Access> {
        let rows = &self.accesses[instance].rows;
        rows.binary_search_by_key(&inst, |row| row.inst).ok().map(|at| rows[at])
    }

    #[must_use]
    pub fn effects(&self, instance: InstanceId) -> &Effects {
        self.modref.of(instance)
    }

    /// The calls that may enter an instance, callbacks included.
    #[must_use]
    pub fn callers(&self, instance: InstanceId) -> &[CallSite] {
        self.calls.to(instance)
    }

    /// Whether a call may enter any function that wild pointers point to.
    #[must_use]
    pub fn is_wild_call(&self, caller: InstanceId, call: CallId) -> bool {
        self.calls.is_wild(caller, call)
    }

    /// Whether a call may enter any function that wild pointers point to, and such a function may
    /// read the region.
    #[must_use]
    pub fn is_read_wildly(&self, caller: InstanceId, call: CallId, region: RegionId) -> bool {
        self.calls.is_wild(caller, call) && self.modref.of_wild_call().reads.contains(region)
    }

    /// The instances that may run during a call; not those that any wild call may enter.
    pub fn callees(
        &self,
        caller: InstanceId,
        call: CallId,
    ) -> impl Iterator<Item = InstanceId> + '_ {
        self.calls.at(caller, call)
    }

    #[must_use]
    pub fn body(&self, instance: InstanceId) -> &'p Body {
        self.input.instances.body(self.input.program, instance)
    }

    /// The facts of the instance's control flow, shared by the copies of a procedure.
    #[must_use]
    pub fn facts(&self, instance: InstanceId) -> &FunctionFacts<'p> {
        let proc = self.input.instances.proc(instance);
        let body = self.input.program.body(proc);
        self.facts[proc].get_or_init(|| FunctionFacts::new(body))
    }

    /// Memory SSA of one region in one instance.
    #[must_use]
    pub fn chain(&self, instance: InstanceId, region: RegionId, view: View) -> Arc<Chain> {
        let lock = || self.chains[instance].lock().expect("no thread panics with the lock");
        if let Some(known) = lock().regions.get(&(region, view)) {
            return known.clone();
        }
        let touches = self.touches(instance, region, view, Some(self.refined(instance)));
        let known = lock().shapes.get(&touches[..]).cloned();
        let chain = known.unwrap_or_else(|| Arc::new(Chain::new(self.facts(instance), &touches)));
        let mut chains = lock();
        chains.shapes.entry(touches.into()).or_insert_with(|| chain.clone());
        chains.regions.entry((region, view)).or_insert(chain).clone()
    }

    /// The same, not kept: for who looks at each chain once.
    pub(crate) fn make_chain(&self, instance: InstanceId, region: RegionId, view: View) -> Chain {
        let refined = Some(self.refined(instance));
        Chain::new(self.facts(instance), &self.touches(instance, region, view, refined))
    }

    /// Of what points-to alone says.
    pub(crate) fn unrefined_chain(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
    ) -> Chain {
        Chain::new(self.facts(instance), &self.touches(instance, region, view, None))
    }

    /// What the function's own stores tell about its addresses (S2).
    #[must_use]
    pub fn refined(&self, instance: InstanceId) -> &Refined {
        self.refined[instance].get_or_init(|| self.refine(instance))
    }

    /// How many chains have been asked for.
    #[must_use]
    pub fn chain_count(&self) -> usize {
        let count = |chains: &Mutex<ChainsOf>| {
            chains.lock().expect("no thread panics with the lock").regions.len()
        };
        self.chains.rows().iter().map(count).sum()
    }

    /// The view in which to look at a region through an address: the newest object, when the
    /// address comes from one allocation of this instance and the region is that object's alone.
    #[must_use]
    pub fn view(&self, instance: InstanceId, address: ValueId, region: RegionId) -> View {
        let made = self.made_by(instance, region);
        match made {
            Some(inst) if root(self.body(instance), address) == Some(inst) => View::Newest(inst),
            _ => View::All,
        }
    }

    /// The instruction of this instance that makes the object of the region, when the region is
    /// within one heap object and the instance is not recursive.
    #[must_use]
    pub fn made_by(&self, instance: InstanceId, region: RegionId) -> Option<InstId> {
        let object = self.object_of(region)?;
        let ObjKind::Heap { instance: maker, call } = self.input.points_to.objects[object].kind
        else {
            return None;
        };
        if maker != instance || self.modref.is_recursive(instance) {
            return None;
        }
        let calls = &self.accesses[instance].calls;
        calls.iter().find(|&&(_, other)| other == call).map(|&(inst, _)| inst)
    }

    /// The object that all locations of a region are in.
    #[must_use]
    pub fn object_of(&self, region: RegionId) -> Option<ObjId> {
        let locations = &self.input.points_to.locations;
        let mut objects =
            self.regions.locations(region).iter().map(|&location| locations.object(location));
        let first = objects.next()?;
        objects.all(|object| object == first).then_some(first)
    }

    /// How many bytes a store must have to replace all that is ever read at a location.
    pub(crate) fn widest(&self, location: LocId) -> u32 {
        self.widest.get(&location).copied().unwrap_or(0)
    }

    pub(crate) fn steps(&self) -> &Steps {
        &self.steps
    }

    fn touches(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        refined: Option<&Refined>,
    ) -> Vec<Touch> {
        let index = self.touches[instance].get_or_init(|| self.index_touches(instance));
        let accesses = &self.accesses[instance];
        let own = index.get(&region).map_or(&[][..], Vec::as_slice);
        let mut touches: Vec<Touch> = own
            .iter()
            .filter_map(|&row| {
                self.touch(instance, region, view, accesses.rows[row as usize], refined)
            })
            .collect();
        for &(inst, call) in &accesses.calls {
            if let Some(touch) = self.call_touch(instance, region, inst, call) {
                touches.push(touch);
            }
        }
        if let View::Newest(inst) = view {
            touches.push(Touch { inst, reads: false, write: Write::Strong });
        }
        merge(touches)
    }

    fn index_touches(&self, instance: InstanceId) -> FxHashMap<RegionId, Vec<u32>> {
        let mut index: FxHashMap<RegionId, Vec<u32>> = FxHashMap::default();
        for (row, access) in self.accesses[instance].rows.iter().enumerate() {
            let mut regions: Vec<RegionId> = [access.reads, access.writes]
                .iter()
                .flat_map(|&footprint| self.regions.of_footprint(footprint))
                .copied()
                .collect();
            regions.sort_unstable();
            regions.dedup();
            for region in regions {
                index.entry(region).or_default().push(row as u32);
            }
        }
        index
    }

    fn touch(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        access: Access,
        refined: Option<&Refined>,
    ) -> Option<Touch> {
        let places = |address: ValueId| refined.and_then(|it| it.places(address));
        let touches = |footprint: FootprintId, address: Option<ValueId>| {
            self.regions.of_footprint(footprint).binary_search(&region).is_ok()
                && address.and_then(places).is_none_or(|it| self.is_aimed_at(it, region))
        };
        let (read, written) = addresses(&self.body(instance).insts[access.inst]);
        let write = if touches(access.writes, written) {
            let strong = self.is_strong(instance, region, view, access, refined);
            if strong { Write::Strong } else { Write::Weak }
        } else {
            Write::None
        };
        let reads = touches(access.reads, read);
        (reads || write != Write::None).then_some(Touch { inst: access.inst, reads, write })
    }

    fn call_touch(
        &self,
        instance: InstanceId,
        region: RegionId,
        inst: InstId,
        call: CallId,
    ) -> Option<Touch> {
        let (mut reads, mut writes) = (false, false);
        for callee in self.callees(instance, call) {
            let effects = self.modref.of(callee);
            reads |= effects.reads.contains(region);
            writes |= effects.writes.contains(region);
        }
        if self.calls.is_wild(instance, call) {
            let effects = self.modref.of_wild_call();
            reads |= effects.reads.contains(region);
            writes |= effects.writes.contains(region);
        }
        let write = if writes { Write::Weak } else { Write::None };
        (reads || writes).then_some(Touch { inst, reads, write })
    }
}

/// One touch for each instruction, in order.
fn merge(mut touches: Vec<Touch>) -> Vec<Touch> {
    touches.sort_by_key(|touch| touch.inst);
    touches.dedup_by(|next, first| {
        let same = next.inst == first.inst;
        if same {
            first.reads |= next.reads;
            first.write = match (first.write, next.write) {
                (Write::Strong, _) | (_, Write::Strong) => Write::Strong,
                (Write::Weak, _) | (_, Write::Weak) => Write::Weak,
                (Write::None, Write::None) => Write::None,
            };
        }
        same
    });
    touches
}

/// The instruction whose result an address comes from, by steps inside the object alone.
#[must_use]
pub fn root(body: &Body, mut address: ValueId) -> Option<InstId> {
    loop {
        let ValueKind::Inst(inst) = body.values[address].kind else { return None };
        match body.insts[inst] {
            Inst::Field { base, .. } | Inst::Index { base, .. } => address = base,
            _ => return Some(inst),
        }
    }
}
