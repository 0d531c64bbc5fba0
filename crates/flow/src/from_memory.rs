//! Where the contents of a region go: [V-MU], [V-CHI] of a weak update, [V-PHI], [V-CSMU] and
//! [V-CSCHI].

use caulk_ir::{BlockId, CallId, Inst, InstId, RmwOp, ValueId};
use caulk_memory::{CallSite, RegionId, Use, VersionId, View};
use caulk_pointer::{LocId, SetId};
use caulk_program::InstanceId;

use crate::exits::Exit;
use crate::graph::{Edges, Flow, end, plain};
use crate::node::{Cross, End, FlowEdge, Node, Point, Rule};

impl Flow<'_, '_> {
    pub(crate) fn memory_successors(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        version: VersionId,
        edges: &mut Edges,
    ) {
        let chain = self.memory.chain(instance, region, view);
        for &used in chain.uses(version) {
            match used {
                Use::Read(inst) => self.read_by(instance, region, view, inst, edges),
                Use::Kept(to) => {
                    edges.push(plain(Node::Memory(instance, region, view, to), Rule::Chi));
                }
                Use::Joined(to) => {
                    edges.push(plain(Node::Memory(instance, region, view, to), Rule::Phi));
                }
                Use::Return(block) => {
                    if view == View::All {
                        self.left_to_callers(instance, region, block, edges);
                    }
                }
            }
        }
    }

    fn read_by(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        inst: InstId,
        edges: &mut Edges,
    ) {
        let body = self.body(instance);
        match body.insts[inst] {
            // [V-MU]
            Inst::Load { from, .. } if self.memory.view(instance, from, region) == view => {
                self.add_result(instance, inst, edges);
            }
            Inst::Load { .. } => {}
            _ if view != View::All => {}
            Inst::AtomicRmw { op: RmwOp::Exchange, .. } | Inst::CompareExchange { .. } => {
                self.add_result(instance, inst, edges);
            }
            Inst::Copy { to, from, .. } => {
                self.copied(instance, inst, region, from, to, edges);
            }
            Inst::VaArg { into, .. } => {
                self.add_result(instance, inst, edges);
                if let Some(into) = into {
                    self.add_pointees(instance, inst, into, edges);
                }
            }
            Inst::VaCopy { to, from } => {
                self.copied(instance, inst, region, from, to, edges);
            }
            Inst::Asm(_) => {
                let access = self.memory.access(instance, inst);
                let written =
                    access.map(|access| self.memory.regions().of_footprint(access.writes));
                for &region in written.into_iter().flatten() {
                    self.add_written(instance, inst, region, Rule::Chi, Cross::None, edges);
                }
            }
            Inst::Call(call) => {
                if self.readers(instance, call, region).next().is_some() {
                    edges.push(plain(Node::Passed(instance, inst, region), Rule::CallMu));
                }
                if self.memory.is_read_wildly(instance, call, region) {
                    edges.push(end(instance, Point::Inst(inst), End::Unknown(None)));
                }
                self.passed_by_value(instance, inst, call, region, edges);
                self.external_memory(instance, inst, call, region, edges);
            }
            _ => {}
        }
    }

    /// [V-CSPAR] for a struct: what it holds is in the callee's own copy as it is entered.
    fn passed_by_value(
        &self,
        instance: InstanceId,
        inst: InstId,
        call: CallId,
        region: RegionId,
        edges: &mut Edges,
    ) {
        let input = self.memory.input();
        let types = &input.instances.module(input.program, instance).types;
        let args = &self.body(instance).calls[call].args;
        let cross = Cross::Call(CallSite { caller: instance, inst, call });
        for (index, arg) in args.iter().enumerate().filter(|(_, arg)| types.is_aggregate(arg.ty)) {
            for callee in self.memory.callees(instance, call) {
                let Some(&param) = self.body(callee).params.get(index) else { continue };
                let from = input.points_to.value(instance, arg.value);
                for target in self.moved(region, from, input.points_to.value(callee, param)) {
                    let to = Node::Memory(callee, target, View::All, VersionId::ENTRY);
                    edges.push(FlowEdge { to, cross, rule: Rule::CallMu });
                }
            }
        }
    }

    pub(crate) fn add_result(&self, instance: InstanceId, inst: InstId, edges: &mut Edges) {
        if let Some(result) = self.body(instance).results[inst] {
            edges.push(plain(Node::Value(instance, result), Rule::Mu));
        }
    }

    /// [V-CSMU]
    pub(crate) fn passed_successors(
        &self,
        instance: InstanceId,
        inst: InstId,
        region: RegionId,
        edges: &mut Edges,
    ) {
        let Inst::Call(call) = self.body(instance).insts[inst] else { return };
        let cross = Cross::Call(CallSite { caller: instance, inst, call });
        for callee in self.readers(instance, call, region) {
            let to = Node::Memory(callee, region, View::All, VersionId::ENTRY);
            edges.push(FlowEdge { to, cross, rule: Rule::CallMu });
        }
    }

    /// The callees that may read the region.
    fn readers(
        &self,
        instance: InstanceId,
        call: CallId,
        region: RegionId,
    ) -> impl Iterator<Item = InstanceId> + '_ {
        let reads = move |callee: &InstanceId| self.memory.effects(*callee).reads.contains(region);
        self.memory.callees(instance, call).filter(reads)
    }

    /// What the region holds at a return is what a caller finds after the call.
    fn left_to_callers(
        &self,
        instance: InstanceId,
        region: RegionId,
        block: BlockId,
        edges: &mut Edges,
    ) {
        if self.memory.effects(instance).writes.contains(region) {
            edges.exits.push(Exit::Region(region));
        }
        if self.is_outside(region) || self.is_entered_wildly(instance) {
            self.to_caller(instance, Point::Terminator(block), edges);
        }
    }

    /// A copy of memory moves what is in the source to the same places of the target.
    pub(crate) fn copied(
        &self,
        instance: InstanceId,
        inst: InstId,
        region: RegionId,
        from: ValueId,
        to: ValueId,
        edges: &mut Edges,
    ) {
        let points_to = self.memory.input().points_to;
        let from = points_to.value(instance, from);
        let to = points_to.value(instance, to);
        for target in self.moved(region, from, to) {
            self.add_written(instance, inst, target, Rule::Chi, Cross::None, edges);
        }
    }

    /// The regions at the places of `to` that correspond to those of the region in `from`.
    pub(crate) fn moved(&self, region: RegionId, from: SetId, to: SetId) -> Vec<RegionId> {
        let points_to = self.memory.input().points_to;
        if self.memory.regions().is_wild(region) {
            return self.scattered(to);
        }
        if points_to.is_wild(from) {
            return Vec::new();
        }
        if points_to.is_wild(to) {
            return self.memory.regions().wild().into_iter().collect();
        }
        let mut targets = Vec::new();
        for &location in self.memory.regions().locations(region) {
            let place = points_to.locations.get(location);
            for &start in points_to.set(from) {
                let start = points_to.locations.get(start);
                if start.object != place.object {
                    continue;
                }
                let distance = place.offset - start.offset;
                let landed = points_to.set(to).iter().filter_map(|&to| self.land(to, distance));
                targets.extend(landed.filter_map(|it| self.memory.regions().of_location(it)));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// What comes from wild memory may land anywhere.
    fn scattered(&self, to: SetId) -> Vec<RegionId> {
        let points_to = self.memory.input().points_to;
        if points_to.is_wild(to) {
            return self.memory.regions().wild().into_iter().collect();
        }
        let objects = points_to.set(to).iter().map(|&start| points_to.locations.object(start));
        let locations = objects.flat_map(|object| points_to.locations.of_object(object));
        let mut targets: Vec<RegionId> =
            locations.filter_map(|&it| self.memory.regions().of_location(it)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn land(&self, start: LocId, distance: i64) -> Option<LocId> {
        let points_to = self.memory.input().points_to;
        let place = points_to.locations.get(start);
        let is_one = points_to.wild_objects().contains(place.object);
        if is_one || points_to.objects[place.object].collapsed {
            return Some(start);
        }
        points_to.locations.find(place.object, place.offset + distance)
    }

    /// Into everything that an address points to.
    pub(crate) fn add_pointees(
        &self,
        instance: InstanceId,
        inst: InstId,
        address: ValueId,
        edges: &mut Edges,
    ) {
        let points_to = self.memory.input().points_to;
        let set = points_to.value(instance, address);
        if points_to.is_wild(set) {
            if let Some(region) = self.memory.regions().wild() {
                self.add_written(instance, inst, region, Rule::Chi, Cross::None, edges);
            }
            return;
        }
        for &location in points_to.set(set) {
            if let Some(region) = self.memory.regions().of_location(location) {
                self.add_written(instance, inst, region, Rule::Chi, Cross::None, edges);
            }
        }
    }
}
