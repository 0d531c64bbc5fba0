//! What calls may read and write by themselves.
//!
//! The effects of procedures are not here: `modref` adds them up. Those of external functions are,
//! by their models; an unknown one may read and write whatever its arguments point to, unless the
//! parameter points to constant data.

use caulk_ir::{Body, Call, CallId, Scalar};
use caulk_models::{CallbackArgument, Effect, Freed, FunctionModel, Target, Unmentioned};
use caulk_pointer::SetId;
use caulk_program::InstanceId;

use crate::accesses::{Overwrites, Reader, extent};
use crate::footprint::{Extent, FootprintId};

impl Reader<'_> {
    pub(crate) fn call(
        &mut self,
        instance: InstanceId,
        body: &Body,
        id: CallId,
    ) -> (FootprintId, FootprintId, Overwrites) {
        let call = &body.calls[id];
        let mut effects = CallEffects { reads: FootprintId::EMPTY, writes: FootprintId::EMPTY };
        for target in self.points_to.callees(instance, id) {
            match *target {
                caulk_pointer::Target::Instance(_) => {
                    self.aggregates(instance, call, &mut effects);
                }
                caulk_pointer::Target::External(external) => {
                    let externals = self.externals;
                    self.result(instance, call, &mut effects);
                    match externals.of(external) {
                        Some(model) => self.model(instance, body, id, model, &mut effects),
                        None => self.unknown(instance, call, &mut effects),
                    }
                }
                caulk_pointer::Target::Unknown => {
                    self.result(instance, call, &mut effects);
                    self.unknown(instance, call, &mut effects);
                }
            }
        }
        (effects.reads, effects.writes, Overwrites::Nothing)
    }

    /// The callee gets a copy of an aggregate. The copy is the callee's own, so only the read
    /// concerns the caller; what is passed beyond the parameters is the callee's own too.
    fn aggregates(&mut self, instance: InstanceId, call: &Call, effects: &mut CallEffects) {
        let types = &self.instances.module(self.program, instance).types;
        for arg in call.args.iter().filter(|arg| types.is_aggregate(arg.ty)) {
            let read = self.touch_places(instance, arg.value, Extent::Rest);
            effects.reads = self.footprints.union(effects.reads, read);
        }
    }

    /// An aggregate that code without a body returns.
    fn result(&mut self, instance: InstanceId, call: &Call, effects: &mut CallEffects) {
        if let Some(into) = call.result_into {
            let written = self.touch(instance, into, Extent::Rest);
            effects.writes = self.footprints.union(effects.writes, written);
        }
    }

    fn unknown(&mut self, instance: InstanceId, call: &Call, effects: &mut CallEffects) {
        for index in 0..call.args.len() {
            self.read_argument(instance, call, index as u32, effects);
            if !self.points_to_constant(instance, call, index) {
                self.write_argument(instance, call, index as u32, Extent::Rest, effects);
            }
        }
    }

    fn points_to_constant(&self, instance: InstanceId, call: &Call, index: usize) -> bool {
        let types = &self.instances.module(self.program, instance).types;
        let signature = &types.signatures[call.signature];
        let declared = signature.params.get(index).copied();
        declared.is_some_and(|ty| {
            matches!(types.types[ty], caulk_ir::Type::Pointer { to_const: true, .. })
        })
    }

    fn model(
        &mut self,
        instance: InstanceId,
        body: &Body,
        id: CallId,
        model: &FunctionModel,
        effects: &mut CallEffects,
    ) {
        let call = &body.calls[id];
        if model.unmentioned == Unmentioned::Unknown {
            self.unknown(instance, call, effects);
        } else if !model.pure || model.reads_memory {
            let count = call.args.len() as u32;
            (0..count).for_each(|index| self.read_argument(instance, call, index, effects));
        }
        for effect in &model.effects {
            self.effect(instance, body, id, effect, effects);
        }
    }

    fn effect(
        &mut self,
        instance: InstanceId,
        body: &Body,
        id: CallId,
        effect: &Effect,
        effects: &mut CallEffects,
    ) {
        let call = &body.calls[id];
        let pointer = self.scalar(instance, Scalar::Ptr);
        match *effect {
            Effect::Allocates { to, .. } => self.allocate(instance, call, to, effects),
            Effect::Reallocates { arg, to, .. } => {
                self.allocate(instance, call, to, effects);
                self.fill_new_block(instance, id, effects);
                self.tell_apart(instance, call, arg);
                self.moved_steps(instance, body, id, arg);
            }
            Effect::Frees { args, what: Freed::Pointee | Freed::ArgumentAndElements, .. }
            | Effect::Reads { args } => {
                for index in args.of_call(call.args.len() as u32) {
                    self.read_argument(instance, call, index, effects);
                }
            }
            Effect::Writes { args } => {
                for index in args.of_call(call.args.len() as u32) {
                    self.write_argument(instance, call, index, Extent::Rest, effects);
                }
            }
            Effect::Clears { arg } => {
                self.write_argument(instance, call, arg, pointer, effects);
            }
            Effect::StoresArgument { arg, interior, into, offset } => {
                if interior {
                    self.steps_in_argument(instance, call, arg);
                }
                let extent = if offset == Some(0) { pointer } else { Extent::Rest };
                self.write_argument(instance, call, into, extent, effects);
            }
            Effect::CopiesMemory { to, from, bytes } => {
                self.copied_steps(instance, body, call, [to, from], bytes);
                self.write_argument(instance, call, to, Extent::Rest, effects);
                self.tell_apart(instance, call, from);
                self.tell_apart(instance, call, to);
            }
            Effect::ReturnsArgument { arg, interior: true, .. } => {
                self.steps_in_argument(instance, call, arg);
            }
            Effect::CallsBack { ref arguments, .. } => {
                for argument in arguments {
                    if let CallbackArgument::PointsInto(arg) = *argument {
                        self.steps_in_argument(instance, call, arg);
                    }
                }
            }
            _ => {}
        }
    }

    fn steps_in_argument(&mut self, instance: InstanceId, call: &Call, arg: u32) {
        if let Some(set) = self.argument_set(instance, call, arg) {
            self.steps.anywhere(self.points_to, set);
        }
    }

    /// `realloc` of an array is an array.
    fn moved_steps(&mut self, instance: InstanceId, body: &Body, id: CallId, arg: u32) {
        let inst = body.insts.iter().find(|(_, inst)| **inst == caulk_ir::Inst::Call(id));
        let result = inst.and_then(|(inst, _)| body.results[inst]);
        if let (Some(from), Some(to)) = (self.argument_set(instance, &body.calls[id], arg), result)
        {
            self.steps.copy(from, self.points_to.value(instance, to));
        }
    }

    fn copied_steps(
        &mut self,
        instance: InstanceId,
        body: &Body,
        call: &Call,
        [to, from]: [u32; 2],
        bytes: Option<u32>,
    ) {
        let size = bytes.and_then(|arg| call.args.get(arg as usize));
        let is_constant = size.is_some_and(|it| extent(body, it.value) != Extent::Rest);
        let sets = (self.argument_set(instance, call, from), self.argument_set(instance, call, to));
        if let (false, (Some(from), Some(to))) = (is_constant, sets) {
            self.steps.copy(from, to);
        }
    }

    fn allocate(
        &mut self,
        instance: InstanceId,
        call: &Call,
        to: Target,
        effects: &mut CallEffects,
    ) {
        let pointer = self.scalar(instance, Scalar::Ptr);
        match to {
            Target::Pointee(arg) => {
                self.write_argument(instance, call, arg, pointer, effects);
            }
            Target::Element { arg, .. } | Target::Elements(arg) | Target::Inside(arg) => {
                self.write_argument(instance, call, arg, Extent::Rest, effects);
            }
            Target::Result => {}
        }
    }

    /// `realloc` moves the old block's contents into the new one.
    fn fill_new_block(&mut self, instance: InstanceId, id: CallId, effects: &mut CallEffects) {
        if let Some(object) = self.points_to.heap_object(instance, id) {
            let mut all = self.points_to.locations.of_object(object).to_vec();
            all.sort_unstable();
            let all = self.footprints.intern(all);
            effects.writes = self.footprints.union(effects.writes, all);
        }
    }

    fn argument_set(&self, instance: InstanceId, call: &Call, index: u32) -> Option<SetId> {
        let arg = call.args.get(index as usize)?;
        Some(self.points_to.value(instance, arg.value))
    }

    fn tell_apart(&mut self, instance: InstanceId, call: &Call, index: u32) {
        if let Some(set) = self.argument_set(instance, call, index) {
            self.footprints.tell_apart(self.points_to, set, Extent::Rest);
        }
    }

    fn read_argument(
        &mut self,
        instance: InstanceId,
        call: &Call,
        index: u32,
        effects: &mut CallEffects,
    ) {
        if let Some(set) = self.argument_set(instance, call, index) {
            let set = self.footprints.of_set(self.points_to, set, Extent::Rest);
            effects.reads = self.footprints.union(effects.reads, set);
        }
    }

    fn write_argument(
        &mut self,
        instance: InstanceId,
        call: &Call,
        index: u32,
        extent: Extent,
        effects: &mut CallEffects,
    ) {
        if let Some(set) = self.argument_set(instance, call, index) {
            let set = self.footprints.of_set(self.points_to, set, extent);
            effects.writes = self.footprints.union(effects.writes, set);
        }
    }
}

struct CallEffects {
    reads: FootprintId,
    writes: FootprintId,
}
