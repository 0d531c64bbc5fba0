//! Sparse flow-sensitive points-to inside a function (S2): what an address means at one place.
//!
//! Points-to says what a pointer in memory may ever hold. The memory SSA built on it says which
//! stores a load of the pointer may see, and their values say what it may hold *here*. So the
//! addresses of a function's loads and stores are followed back, through values and versions, to
//! where they were made; what none of these points to is left out. A load or store through the
//! address then touches fewer regions, and where one place is left it may be a strong update
//! (`strong`). What comes from a caller, a callee or a copy of memory refines nothing: the search
//! stays in the function, and what it leaves out is left out by the function's own stores.
//!
//! The chains that the search walks are those of the unrefined sets; one round is made, as in
//! SABER. Nothing is done for a function until somebody asks for one of its chains.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_ir::{BlockId, Inst, InstId, Scalar, ValueId, ValueKind};
use caulk_pointer::{LocId, ObjId};
use caulk_program::InstanceId;

use crate::chain::{Chain, Version, VersionId};
use crate::memory::{Memory, View};
use crate::regions::RegionId;

/// Values and versions that are looked at for one address.
const STEPS: usize = 64;

/// The addresses of one instance that mean less than points-to says.
#[derive(Debug, Default)]
pub struct Refined {
    rows: FxHashMap<ValueId, Box<[LocId]>>,
}

impl Refined {
    /// What an address may point to where it is used, sorted; none if points-to has the answer.
    #[must_use]
    pub fn places(&self, address: ValueId) -> Option<&[LocId]> {
        self.rows.get(&address).map(|places| &places[..])
    }

    /// In the order of values.
    #[must_use]
    pub fn addresses(&self) -> Vec<ValueId> {
        let mut all: Vec<ValueId> = self.rows.keys().copied().collect();
        all.sort_unstable();
        all
    }
}

impl<'p> Memory<'p> {
    pub(crate) fn refine(&self, instance: InstanceId) -> Refined {
        let mut search = Search { memory: self, instance, chains: FxHashMap::default() };
        let mut refined = Refined::default();
        let body = self.body(instance);
        for access in &self.accesses(instance).rows {
            let (read, written) = addresses(&body.insts[access.inst]);
            for address in read.into_iter().chain(written) {
                if !refined.rows.contains_key(&address)
                    && let Some(places) = search.places(address)
                {
                    refined.rows.insert(address, places);
                }
            }
        }
        refined
    }

    /// Whether a region has a location in an object that the address means.
    pub(crate) fn is_aimed_at(&self, places: &[LocId], region: RegionId) -> bool {
        let locations = &self.input().points_to.locations;
        let objects = || places.iter().map(|&it| locations.object(it));
        let region = self.regions().locations(region);
        region.iter().any(|&it| objects().any(|object| object == locations.object(it)))
    }
}

/// The addresses that an instruction reads from and writes to.
pub(crate) fn addresses(inst: &Inst) -> (Option<ValueId>, Option<ValueId>) {
    match *inst {
        Inst::Load { from, .. } => (Some(from), None),
        Inst::Store { to, .. } | Inst::Fill { to, .. } => (None, Some(to)),
        Inst::Copy { to, from, .. } => (Some(from), Some(to)),
        _ => (None, None),
    }
}

/// What the search passes: values, and versions of memory that a load reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Value(ValueId),
    Version(RegionId, View, VersionId),
}

struct Search<'a, 'p> {
    memory: &'a Memory<'p>,
    instance: InstanceId,
    /// Those of the unrefined sets.
    chains: FxHashMap<(RegionId, View), Chain>,
}

/// Where an address comes from. After a step inside an object the object alone is known.
#[derive(Default)]
struct Origins {
    seen: FxHashSet<(Node, bool)>,
    work: Vec<(Node, bool)>,
    locations: FxHashSet<LocId>,
    objects: FxHashSet<ObjId>,
    came_through_memory: bool,
}

impl Origins {
    fn add(&mut self, node: Node, stepped: bool) {
        if self.seen.insert((node, stepped)) {
            self.work.push((node, stepped));
        }
    }
}

/// Nothing is known: points-to has the answer.
struct Unknown;

impl Search<'_, '_> {
    fn places(&mut self, address: ValueId) -> Option<Box<[LocId]>> {
        let points_to = self.memory.input().points_to;
        let set = points_to.value(self.instance, address);
        if points_to.is_wild(set) || points_to.set(set).len() < 2 {
            return None;
        }
        let origins = self.origins(address).ok()?;
        let is_meant = |it: &LocId| {
            origins.locations.contains(it)
                || origins.objects.contains(&points_to.locations.object(*it))
        };
        let all = points_to.set(set);
        let places: Box<[LocId]> = all.iter().copied().filter(is_meant).collect();
        // A pointer to nothing is not believed: it would be a fault to use it.
        (origins.came_through_memory && !places.is_empty() && places.len() < all.len())
            .then_some(places)
    }

    fn origins(&mut self, address: ValueId) -> Result<Origins, Unknown> {
        let mut origins = Origins::default();
        origins.add(Node::Value(address), false);
        while let Some((node, stepped)) = origins.work.pop() {
            match node {
                Node::Value(value) => self.value(value, stepped, &mut origins)?,
                Node::Version(region, view, version) => {
                    self.version((region, view), version, stepped, &mut origins)?;
                }
            }
            if origins.seen.len() > STEPS {
                return Err(Unknown);
            }
        }
        Ok(origins)
    }

    fn value(
        &mut self,
        value: ValueId,
        stepped: bool,
        origins: &mut Origins,
    ) -> Result<(), Unknown> {
        let body = self.memory.body(self.instance);
        match body.values[value].kind {
            ValueKind::BlockParam(block, index) => {
                for argument in self.arguments(block, index as usize) {
                    origins.add(Node::Value(argument), stepped);
                }
                Ok(())
            }
            ValueKind::Inst(inst) => match body.insts[inst] {
                Inst::Field { base, .. } | Inst::Index { base, .. } => {
                    origins.add(Node::Value(base), true);
                    Ok(())
                }
                Inst::Load { scalar: Scalar::Ptr, volatile: false, .. } => {
                    self.load(inst, value, stepped, origins)
                }
                _ => self.made_here(value, stepped, origins),
            },
            ValueKind::Param(_) | ValueKind::Const(_) => self.made_here(value, stepped, origins),
        }
    }

    /// What edges pass to a parameter of a block.
    fn arguments(&self, block: BlockId, index: usize) -> Vec<ValueId> {
        let body = self.memory.body(self.instance);
        let sources = self.memory.facts(self.instance).cfg().graph().predecessors(block);
        let edges = sources.flat_map(|source| body.blocks[source].terminator.edges());
        let here = edges.filter(|edge| edge.to == block);
        here.filter_map(|edge| edge.args.get(index).copied()).collect()
    }

    /// The versions that the load may see.
    fn load(
        &mut self,
        inst: InstId,
        value: ValueId,
        stepped: bool,
        origins: &mut Origins,
    ) -> Result<(), Unknown> {
        let body = self.memory.body(self.instance);
        let Some(access) = self.memory.access(self.instance, inst) else {
            return self.made_here(value, stepped, origins);
        };
        let Inst::Load { from, .. } = body.insts[inst] else { return Err(Unknown) };
        for &region in self.memory.regions().of_footprint(access.reads) {
            if self.memory.regions().is_wild(region) {
                return Err(Unknown);
            }
            let view = self.memory.view(self.instance, from, region);
            let version = self.chain((region, view)).read_at(inst).ok_or(Unknown)?;
            origins.add(Node::Version(region, view, version), stepped);
        }
        origins.came_through_memory = true;
        Ok(())
    }

    fn chain(&mut self, key: (RegionId, View)) -> &Chain {
        let (memory, instance) = (self.memory, self.instance);
        let make = || memory.unrefined_chain(instance, key.0, key.1);
        self.chains.entry(key).or_insert_with(make)
    }

    fn version(
        &mut self,
        key: (RegionId, View),
        version: VersionId,
        stepped: bool,
        origins: &mut Origins,
    ) -> Result<(), Unknown> {
        let before = match &self.chain(key).versions()[version] {
            Version::Entry => return Err(Unknown),
            Version::Joined { operands, .. } => operands.iter().map(|&(_, it)| it).collect(),
            Version::Written { inst, previous } => {
                let (inst, previous) = (*inst, *previous);
                if let Some(value) = self.stored(inst)? {
                    origins.add(Node::Value(value), stepped);
                }
                Vec::from_iter(previous)
            }
        };
        for version in before {
            origins.add(Node::Version(key.0, key.1, version), stepped);
        }
        Ok(())
    }

    /// The pointer that an instruction writes; none where there is no pointer any more.
    fn stored(&self, inst: InstId) -> Result<Option<ValueId>, Unknown> {
        let body = self.memory.body(self.instance);
        match body.insts[inst] {
            Inst::Store { value, .. } if body.values[value].scalar == Scalar::Ptr => {
                Ok(Some(value))
            }
            Inst::ScopeBegin(_) | Inst::Fill { .. } => Ok(None),
            _ => Err(Unknown),
        }
    }

    /// A value that nothing in the function tells more about.
    fn made_here(
        &self,
        value: ValueId,
        stepped: bool,
        origins: &mut Origins,
    ) -> Result<(), Unknown> {
        let points_to = self.memory.input().points_to;
        let set = points_to.value(self.instance, value);
        if points_to.is_wild(set) {
            return Err(Unknown);
        }
        if stepped {
            let objects = points_to.set(set).iter().map(|&it| points_to.locations.object(it));
            origins.objects.extend(objects);
        } else {
            origins.locations.extend(points_to.set(set));
        }
        Ok(())
    }
}
