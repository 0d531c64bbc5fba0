//! What instructions other than calls do to memory that carries an object's address.

use caulk_ir::{Inst, InstId, ScopeId, ValueId};
use caulk_memory::{RegionId, Version, VersionId, View};
use caulk_pointer::{LocId, ObjKind};

use crate::holders::Holder;
use crate::holders_carriers::MemoryCarrier;
use crate::holders_deaths::Recorder;
use crate::holders_step::{OTHER, State, Step};
use crate::node::{Node, Point};

impl Step<'_, '_, '_> {
    pub fn write_memory(&self, inst: InstId, state: &mut State, recorder: &mut Recorder) {
        if let Inst::Call(call) = self.body().insts[inst] {
            self.call_writes(inst, call, state, recorder);
            return;
        }
        let before = state.clone();
        for row in &self.carriers.memory {
            let Some(version) = row.chain.written_at(inst) else { continue };
            let incoming = self.incoming(inst, row, version, &before);
            if self.is_strong(inst, row) {
                state.bits[row.at] = incoming;
                continue;
            }
            state.bits[row.at] |= incoming;
            if !self.means_newest(inst, row) {
                let (kind, held) = (self.kind_at(inst, row.at), before.bits[row.at]);
                recorder.weakened(Point::Inst(inst), row.at, kind, held, state);
            }
        }
    }

    /// Whether the instruction writes into the newest object of a site alone, and the row speaks
    /// of all of them.
    fn means_newest(&self, inst: InstId, row: &MemoryCarrier) -> bool {
        let Inst::Store { to, .. } = self.body().insts[inst] else { return false };
        row.view == View::All && self.flow.memory.view(self.instance, to, row.region) != View::All
    }

    fn incoming(&self, inst: InstId, row: &MemoryCarrier, version: VersionId, state: &State) -> u8 {
        match self.body().insts[inst] {
            Inst::Store { value, .. } => self.value_bits(state, value),
            Inst::AtomicRmw { value, .. } => self.value_bits(state, value) | OTHER,
            Inst::CompareExchange { desired, .. } => self.value_bits(state, desired) | OTHER,
            Inst::ScopeBegin(_) | Inst::Fill { .. } => OTHER,
            _ if self.tracked.holds(self.node(row, version)) => self.gather(inst, state) | OTHER,
            _ => OTHER,
        }
    }

    pub fn node(&self, row: &MemoryCarrier, version: VersionId) -> Node {
        Node::Memory(self.instance, row.region, row.view, version)
    }

    /// Whether the instruction replaces all that the memory held.
    pub fn is_strong(&self, inst: InstId, row: &MemoryCarrier) -> bool {
        row.chain.written_at(inst).is_some_and(|version| {
            matches!(row.chain.versions()[version], Version::Written { previous: None, .. })
        })
    }

    pub fn loaded(&self, inst: InstId, from: ValueId, state: &State) -> u8 {
        let memory = self.flow.memory;
        let Some(access) = memory.access(self.instance, inst) else { return OTHER };
        let of_region = |&region: &RegionId| {
            let view = memory.view(self.instance, from, region);
            let rows = self.carriers.memory.iter().filter(|row| row.region == region);
            let best = rows.min_by_key(|row| row.view != view);
            best.map_or(OTHER, |row| state.bits[row.at])
        };
        let regions = memory.regions().of_footprint(access.reads);
        regions.iter().map(of_region).fold(0, |sum, bits| sum | bits)
    }

    pub fn is_in_scope(&self, region: RegionId, scope: ScopeId) -> bool {
        let points_to = self.flow.memory.input().points_to;
        self.flow.memory.regions().locations(region).iter().all(|&location| {
            match points_to.objects[points_to.locations.object(location)].kind {
                ObjKind::Slot { instance, slot } => {
                    instance == self.instance && self.body().slots[slot].scope == Some(scope)
                }
                _ => false,
            }
        })
    }

    /// Named by the first location that may point to the object.
    pub fn memory_holder(&self, region: RegionId) -> Holder {
        let points_to = self.flow.memory.input().points_to;
        let locations = self.flow.memory.regions().locations(region);
        let may_point = |&&location: &&LocId| {
            points_to.lists(points_to.contents(location), self.tracked.object)
        };
        let location = *locations.iter().find(may_point).unwrap_or(&locations[0]);
        let kind = points_to.objects[points_to.locations.object(location)].kind;
        match kind {
            ObjKind::Static(_) => Holder::Global(location),
            ObjKind::Outside | ObjKind::Library(_) => Holder::Library(None),
            _ if kind.is_heap() => Holder::Field(location),
            _ if kind.local_to() == Some(self.instance) => Holder::Local(location),
            _ => Holder::Outer(location),
        }
    }
}
