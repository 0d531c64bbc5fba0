//! What each instruction of an instance may read and write (the roots of S3's rules).
//!
//! Calls are in `call_accesses`.

use caulk_ir::{BitRange, Body, CallId, Constant, Inst, InstId, Scalar, ScopeId, ValueId};
use caulk_pointer::PointsTo;
use caulk_program::{ExternalModels, InstanceId, Instances, Program};

use crate::footprint::{Extent, FootprintId, Footprints};
use crate::steps::Steps;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub inst: InstId,
    pub reads: FootprintId,
    pub writes: FootprintId,
    pub overwrites: Overwrites,
}

/// Which of the locations that an access writes lose their old contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrites {
    Nothing,
    /// So many bytes from its address on, as far as that means one place at run time.
    Block(u64),
    /// All of its locations, arrays too: the memory is new.
    All,
}

/// The call sites of an instance, and what its instructions touch, in the order of instructions.
#[derive(Debug, Default)]
pub struct Accesses {
    pub rows: Vec<Access>,
    pub calls: Vec<(InstId, CallId)>,
}

pub struct Reader<'a> {
    pub program: &'a Program,
    pub instances: &'a Instances,
    pub externals: &'a ExternalModels,
    pub points_to: &'a PointsTo,
    pub footprints: Footprints,
    pub steps: Steps,
}

impl Reader<'_> {
    pub fn instance(&mut self, instance: InstanceId) -> Accesses {
        let body = self.instances.body(self.program, instance);
        let mut accesses = Accesses::default();
        for inst in body.insts.ids() {
            let (reads, writes, overwrites) = self.inst(instance, body, inst);
            if let Inst::Call(call) = body.insts[inst] {
                accesses.calls.push((inst, call));
            }
            if reads != FootprintId::EMPTY || writes != FootprintId::EMPTY {
                accesses.rows.push(Access { inst, reads, writes, overwrites });
            }
        }
        accesses
    }

    fn inst(
        &mut self,
        instance: InstanceId,
        body: &Body,
        inst: InstId,
    ) -> (FootprintId, FootprintId, Overwrites) {
        const NONE: FootprintId = FootprintId::EMPTY;
        match body.insts[inst] {
            // [I-LD]
            Inst::Load { from, scalar, .. } => {
                let extent = self.scalar(instance, scalar);
                (self.touch(instance, from, extent), NONE, Overwrites::Nothing)
            }
            Inst::LoadBits { from, bits, .. } => {
                (self.touch(instance, from, bytes_of(bits)), NONE, Overwrites::Nothing)
            }
            // [I-ST]
            Inst::Store { to, value, .. } => {
                let extent = self.scalar(instance, body.values[value].scalar);
                (NONE, self.touch(instance, to, extent), overwrites(extent))
            }
            Inst::StoreBits { to, bits, .. } => {
                let cell = self.touch(instance, to, bytes_of(bits));
                (cell, cell, Overwrites::Nothing)
            }
            Inst::AtomicRmw { to, value, .. }
            | Inst::CompareExchange { to, desired: value, .. } => {
                let extent = self.scalar(instance, body.values[value].scalar);
                let cell = self.touch(instance, to, extent);
                (cell, cell, Overwrites::Nothing)
            }
            Inst::Copy { to, from, size, .. } => {
                let extent = extent(body, size);
                self.copy_steps(instance, from, to, extent);
                let from = self.touch_places(instance, from, extent);
                (from, self.touch_places(instance, to, extent), overwrites(extent))
            }
            Inst::Fill { to, size, .. } | Inst::HavocMemory { to, size } => {
                let extent = extent(body, size);
                (NONE, self.touch(instance, to, extent), overwrites(extent))
            }
            Inst::VaStart { list } => {
                (NONE, self.touch(instance, list, Extent::Rest), Overwrites::Nothing)
            }
            Inst::VaCopy { to, from } => {
                let from = self.touch(instance, from, Extent::Rest);
                (from, self.touch(instance, to, Extent::Rest), Overwrites::Nothing)
            }
            Inst::VaArg { list, into, .. } => self.next_argument(instance, list, into),
            Inst::Asm(asm) => {
                let (mut reads, mut writes) = (NONE, NONE);
                for output in &body.asms[asm].outputs {
                    let set = self.touch(instance, output.address, Extent::Rest);
                    writes = self.footprints.union(writes, set);
                    if output.read {
                        reads = self.footprints.union(reads, set);
                    }
                }
                for input in body.asms[asm].inputs.iter().filter(|input| input.memory) {
                    let set = self.touch(instance, input.value, Extent::Rest);
                    reads = self.footprints.union(reads, set);
                }
                (reads, writes, Overwrites::Nothing)
            }
            Inst::ScopeBegin(scope) => {
                (NONE, self.slots_of(instance, body, scope), Overwrites::All)
            }
            Inst::Call(call) => self.call(instance, body, call),
            Inst::Index { base, index, .. } => {
                if body.constant(index) != Some(Constant::Int(0)) {
                    self.step(instance, body, inst, base);
                }
                (NONE, NONE, Overwrites::Nothing)
            }
            Inst::Binary { lhs, rhs, .. } => {
                self.step(instance, body, inst, lhs);
                self.step(instance, body, inst, rhs);
                (NONE, NONE, Overwrites::Nothing)
            }
            _ => (NONE, NONE, Overwrites::Nothing),
        }
    }

    fn step(&mut self, instance: InstanceId, body: &Body, inst: InstId, base: ValueId) {
        let Some(result) = body.results[inst] else { return };
        let base = self.points_to.value(instance, base);
        let result = self.points_to.value(instance, result);
        self.steps.arithmetic(self.points_to, base, result);
    }

    fn copy_steps(&mut self, instance: InstanceId, from: ValueId, to: ValueId, extent: Extent) {
        if extent == Extent::Rest {
            let from = self.points_to.value(instance, from);
            self.steps.copy(from, self.points_to.value(instance, to));
        }
    }

    pub(crate) fn scalar(&self, instance: InstanceId, scalar: Scalar) -> Extent {
        let module = self.instances.module(self.program, instance);
        Extent::Scalar(scalar.bytes(module.target.pointer_bytes))
    }

    pub(crate) fn touch(
        &mut self,
        instance: InstanceId,
        address: ValueId,
        extent: Extent,
    ) -> FootprintId {
        let set = self.points_to.value(instance, address);
        self.footprints.of_set(self.points_to, set, extent)
    }

    /// As `touch`, by a copy.
    pub(crate) fn touch_places(
        &mut self,
        instance: InstanceId,
        address: ValueId,
        extent: Extent,
    ) -> FootprintId {
        let set = self.points_to.value(instance, address);
        self.footprints.tell_apart(self.points_to, set, extent);
        self.touch(instance, address, extent)
    }

    /// The list's cursor moves, and the memory of the variable arguments is read.
    fn next_argument(
        &mut self,
        instance: InstanceId,
        list: ValueId,
        into: Option<ValueId>,
    ) -> (FootprintId, FootprintId, Overwrites) {
        let cursor = self.touch(instance, list, Extent::Rest);
        let mut reads = cursor;
        for location in self.footprints.locations(cursor).to_vec() {
            let set = self.points_to.contents(location);
            let behind = self.footprints.of_set(self.points_to, set, Extent::Whole);
            reads = self.footprints.union(reads, behind);
        }
        let mut writes = cursor;
        if let Some(into) = into {
            reads = self.passed_aggregates(reads);
            let into = self.touch(instance, into, Extent::Rest);
            writes = self.footprints.union(writes, into);
        }
        (reads, writes, Overwrites::Nothing)
    }

    /// Variable arguments hold the addresses of the aggregates among them.
    fn passed_aggregates(&mut self, arguments: FootprintId) -> FootprintId {
        let mut reads = arguments;
        for location in self.footprints.locations(arguments).to_vec() {
            let object = self.points_to.locations.object(location);
            if matches!(self.points_to.objects[object].kind, caulk_pointer::ObjKind::VarArgs(_)) {
                let set = self.points_to.contents(location);
                let behind = self.footprints.of_set(self.points_to, set, Extent::Rest);
                reads = self.footprints.union(reads, behind);
            }
        }
        reads
    }

    fn slots_of(&mut self, instance: InstanceId, body: &Body, scope: ScopeId) -> FootprintId {
        let mut locations = Vec::new();
        for (slot, row) in body.slots.iter().filter(|(_, row)| row.scope == Some(scope)) {
            let _ = row;
            if let Some(object) = self.points_to.slot_object(instance, slot) {
                locations.extend_from_slice(self.points_to.locations.of_object(object));
            }
        }
        locations.sort_unstable();
        self.footprints.intern(locations)
    }
}

/// A constant number of bytes, or whatever follows.
pub(crate) fn extent(body: &Body, size: ValueId) -> Extent {
    match body.constant(size) {
        Some(Constant::Int(bytes)) if bytes >= 0 => Extent::Bytes(bytes as u64),
        _ => Extent::Rest,
    }
}

fn overwrites(extent: Extent) -> Overwrites {
    match extent {
        Extent::Scalar(bytes) => Overwrites::Block(u64::from(bytes)),
        Extent::Bytes(bytes) => Overwrites::Block(bytes),
        _ => Overwrites::Nothing,
    }
}

fn bytes_of(bits: BitRange) -> Extent {
    Extent::Scalar((u32::from(bits.first) + u32::from(bits.width)).div_ceil(8))
}
