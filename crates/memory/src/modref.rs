//! Interprocedural mod-ref (S3): which regions an instance, with all that it calls, may read and
//! write, as far as its callers can tell.
//!
//! Bottom up over the components of the call graph; the members of a recursion share one answer.
//! Locations that die with an activation are left out when their procedure is not recursive
//! (Definition 3: they are local).

use caulk_base::{Id, Table};
use caulk_pointer::{ObjKind, PointsTo};
use caulk_program::{InstanceId, Instances};
use caulk_ssa::{Graph, Lists, SccId, Sccs};

use crate::accesses::Accesses;
use crate::calls::Calls;
use crate::footprint::FootprintId;
use crate::region_set::RegionSet;
use crate::regions::{RegionId, Regions};

/// U and D of the paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub reads: RegionSet,
    pub writes: RegionSet,
}

#[derive(Debug)]
pub struct ModRef {
    sccs: Sccs<InstanceId>,
    /// Stands for every function that wild pointers point to.
    wild: InstanceId,
    effects: Table<SccId, Effects>,
}

impl ModRef {
    #[must_use]
    pub fn new(
        points_to: &PointsTo,
        instances: &Instances,
        calls: &Calls,
        accesses: &Table<InstanceId, Accesses>,
        regions: &Regions,
    ) -> Self {
        let wild = InstanceId::from_index(instances.rows.len());
        let mut edges = call_edges(calls, instances);
        edges.extend(wild_edges(points_to, instances, calls, wild));
        let graph = Graph::new(instances.rows.len() + 1, InstanceId(0), &edges);
        let sccs = Sccs::new(&graph);
        let locals = locals(points_to, regions, instances.rows.len() + 1);
        let mut effects: Table<SccId, Effects> = Table::new();
        for scc in sccs.ids() {
            let mut sum = Effects::default();
            for &member in sccs.members(scc) {
                if let Some(accesses) = accesses.get(member) {
                    add_own(accesses, regions, &mut sum);
                }
                let callees = graph.successors(member).iter().map(|&callee| sccs.component(callee));
                for callee in callees.filter(|&callee| callee != scc) {
                    sum.reads.union_with(&effects[callee].reads);
                    sum.writes.union_with(&effects[callee].writes);
                }
            }
            if !sccs.is_cyclic(scc) {
                let own = &locals[sccs.members(scc)[0]];
                sum.reads.remove(own);
                sum.writes.remove(own);
            }
            effects.push(sum);
        }
        Self { sccs, wild, effects }
    }

    #[must_use]
    pub fn of(&self, instance: InstanceId) -> &Effects {
        &self.effects[self.sccs.component(instance)]
    }

    /// Of a call that may enter any function that wild pointers point to.
    #[must_use]
    pub fn of_wild_call(&self) -> &Effects {
        self.of(self.wild)
    }

    #[must_use]
    pub fn is_recursive(&self, instance: InstanceId) -> bool {
        self.sccs.is_cyclic(self.sccs.component(instance))
    }

    /// Callees before callers.
    #[must_use]
    pub fn sccs(&self) -> &Sccs<InstanceId> {
        &self.sccs
    }
}

fn call_edges(calls: &Calls, instances: &Instances) -> Vec<(InstanceId, InstanceId)> {
    let mut edges = Vec::new();
    for caller in instances.rows.ids() {
        let mut callees: Vec<InstanceId> =
            calls.from(caller).iter().map(|&(_, callee)| callee).collect();
        callees.sort_unstable();
        callees.dedup();
        edges.extend(callees.into_iter().map(|callee| (caller, callee)));
    }
    edges
}

/// From the calls through wild pointers, by way of one node, to all that they may enter.
fn wild_edges(
    points_to: &PointsTo,
    instances: &Instances,
    calls: &Calls,
    wild: InstanceId,
) -> Vec<(InstanceId, InstanceId)> {
    let mut edges: Vec<_> = calls.wild_callers().map(|caller| (caller, wild)).collect();
    edges.sort_unstable();
    edges.dedup();
    for object in points_to.wild_objects().iter() {
        if let ObjKind::Procedure(proc) = points_to.objects[object].kind {
            edges.push((wild, instances.base(proc)));
        }
    }
    edges
}

fn add_own(accesses: &Accesses, regions: &Regions, sum: &mut Effects) {
    add(accesses.rows.iter().map(|row| row.reads), regions, &mut sum.reads);
    add(accesses.rows.iter().map(|row| row.writes), regions, &mut sum.writes);
}

fn add(footprints: impl Iterator<Item = FootprintId>, regions: &Regions, sum: &mut RegionSet) {
    let mut distinct: Vec<FootprintId> = footprints.collect();
    distinct.sort_unstable();
    distinct.dedup();
    let regions = distinct.iter().flat_map(|&footprint| regions.of_footprint(footprint));
    sum.union_with(&regions.copied().collect());
}

/// By instance the regions all of whose locations die with its activation; sorted.
fn locals(points_to: &PointsTo, regions: &Regions, count: usize) -> Lists<InstanceId, RegionId> {
    let owner = |region: RegionId| {
        let mut owners = regions.locations(region).iter().map(|&location| {
            points_to.objects[points_to.locations.object(location)].kind.local_to()
        });
        let first = owners.next()??;
        owners.all(|owner| owner == Some(first)).then_some(first)
    };
    let owned = |region: RegionId| owner(region).map(|owner| (owner, region));
    let pairs: Vec<(InstanceId, RegionId)> = regions.ids().filter_map(owned).collect();
    Lists::from_pairs(count, &pairs)
}
