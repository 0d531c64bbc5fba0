//! The rules for external functions, by what their models say. Every effect counts, whatever its
//! condition: points-to does not know which outcomes happen.

use caulk_models::{
    CallbackArgument, CallbackResult, Effect, FunctionModel, ResultKind, Target, Unmentioned,
};
use caulk_program::ExternalId;

use super::Rules;
use crate::constraint::{Arg, Callback, Constraint, Site};
use crate::layout;
use crate::nodes::NodeId;
use crate::object::ObjKind;

impl Rules<'_> {
    pub(super) fn call_external(&mut self, site: &Site, external: ExternalId) {
        let models = self.world.input.externals;
        let Some(model) = models.of(external) else { return self.call_unknown(site) };
        for effect in &model.effects {
            self.effect(site, external, effect);
        }
        match model.result {
            ResultKind::Library => self.result_points_to(site, ObjKind::Library(external)),
            ResultKind::Unknown => self.result_points_to(site, ObjKind::Outside),
            _ => {}
        }
        if model.unmentioned == Unmentioned::Unknown {
            self.unmentioned(site, model);
        }
    }

    fn result_points_to(&mut self, site: &Site, kind: ObjKind) {
        if let Some(to) = site.result.filter(|_| site.result_is_pointer) {
            self.address(to, kind);
        }
    }

    fn effect(&mut self, site: &Site, external: ExternalId, effect: &Effect) {
        match *effect {
            Effect::Allocates { to, .. } => self.allocates(site, to),
            Effect::Reallocates { arg, through, to, .. } => {
                self.reallocates(site, arg, through, to);
            }
            // The result is, or points into, the argument's object.
            Effect::ReturnsArgument { arg, .. } => {
                if let (Some(to), Some(from)) = (site.result, node(site, arg)) {
                    self.copy(to, from);
                }
            }
            Effect::ReturnsLoaded { arg } => {
                if let (Some(to), Some(from)) = (site.result, node(site, arg)) {
                    self.load(to, from);
                }
            }
            Effect::StoresArgument { arg, into, offset, .. } => {
                if let (Some(from), Some(into)) = (node(site, arg), node(site, into)) {
                    let by = offset.and_then(|offset| i64::try_from(offset).ok());
                    let to = self.moved(into, by.unwrap_or(0));
                    self.store(to, from);
                }
            }
            Effect::Keeps { args, .. } => {
                let count = u32::try_from(site.args.len()).unwrap_or(u32::MAX);
                args.of_call(count).filter_map(|arg| node(site, arg)).for_each(|it| self.keep(it));
            }
            Effect::CopiesMemory { to, from, bytes, .. } => {
                let size = bytes.and_then(|arg| site.args.get(arg as usize)?.constant);
                let size = size.and_then(|bytes| u64::try_from(bytes).ok());
                if let (Some(to), Some(from)) = (node(site, to), node(site, from)) {
                    self.out.push(Constraint::CopyMemory { to, from, size });
                }
            }
            Effect::CallsBack { .. } => self.calls_back(site, external, effect),
            Effect::Frees { .. }
            | Effect::Retains { .. }
            | Effect::Reads { .. }
            | Effect::Writes { .. }
            | Effect::Fills { .. }
            | Effect::Clears { .. } => {}
        }
    }

    /// `x = alloc(…)` at call `c ⟹ Heap(c) ∈ x`
    fn allocates(&mut self, site: &Site, to: Target) {
        if let Some((kind, place)) = self.fresh_object(site, to) {
            let fresh = self.pointer_to(kind);
            self.put(place, fresh);
        }
    }

    /// The fresh block holds what the old one held.
    fn reallocates(&mut self, site: &Site, arg: u32, through: bool, to: Target) {
        let Some((kind, place)) = self.fresh_object(site, to) else { return };
        let fresh = self.pointer_to(kind);
        self.put(place, fresh);
        let Some(mut from) = node(site, arg) else { return };
        if through {
            from = self.loaded(from);
        }
        self.out.push(Constraint::CopyMemory { to: fresh, from, size: None });
    }

    /// The object that a call makes at `to`, none for descriptors and for what has no address.
    fn fresh_object(&mut self, site: &Site, to: Target) -> Option<(ObjKind, Place)> {
        let Site { instance, call, .. } = *site;
        let out = |arg, nth| ObjKind::HeapOut { instance, call, arg, nth };
        match to {
            Target::Result => {
                let to = site.result.filter(|_| site.result_is_pointer)?;
                Some((ObjKind::Heap { instance, call }, Place::Node(to)))
            }
            Target::Pointee(arg) => {
                let to = self.holds_pointers(site, arg)?;
                Some((out(arg, 0), Place::Memory(to, 0)))
            }
            Target::Element { arg, index } => {
                let to = self.holds_pointers(site, arg)?;
                let bytes = i64::from(self.world.module(site.module).target.pointer_bytes);
                Some((out(arg, index), Place::Memory(to, i64::from(index) * bytes)))
            }
            Target::Elements(arg) => {
                let array = self.holds_pointers(site, arg)?;
                let to = self.loaded(array);
                Some((out(arg, ObjKind::ELEMENTS), Place::Memory(to, 0)))
            }
            Target::Inside(_) => None,
        }
    }

    /// The argument's node, if what it points to can hold a pointer by its type.
    fn holds_pointers(&self, site: &Site, arg: u32) -> Option<NodeId> {
        let row = site.args.get(arg as usize)?;
        let module = self.world.module(site.module);
        let pointee = row.ty.and_then(|ty| layout::pointee(module, ty));
        row.node.filter(|_| pointee.is_none_or(|ty| !layout::is_plain(module, ty)))
    }

    fn put(&mut self, place: Place, fresh: NodeId) {
        match place {
            Place::Node(to) => self.copy(to, fresh),
            Place::Memory(to, by) => {
                let to = self.moved(to, by);
                self.store(to, fresh);
            }
        }
    }

    fn calls_back(&mut self, site: &Site, external: ExternalId, effect: &Effect) {
        let Effect::CallsBack { function, through, ref arguments, result, entry } = *effect else {
            return;
        };
        let Some(mut callee) = node(site, function) else { return };
        if through {
            callee = self.reachable_from(callee);
        }
        let args = arguments.iter().map(|&it| self.callback_argument(site, external, it)).collect();
        let result = match result {
            CallbackResult::Ignored => None,
            CallbackResult::Returned => site.result,
            CallbackResult::Kept => Some(self.world.nodes.contents(self.world.outside)),
        };
        let callback = Site {
            instance: site.instance,
            call: site.call,
            module: site.module,
            args,
            result,
            result_is_pointer: true,
            result_into: None,
            callback: Some(Callback { entry }),
        };
        let site = self.sites.push(callback);
        self.out.push(Constraint::Indirect { callee, site });
    }

    fn callback_argument(
        &mut self,
        site: &Site,
        external: ExternalId,
        argument: CallbackArgument,
    ) -> Arg {
        let node = match argument {
            CallbackArgument::Argument(arg) | CallbackArgument::PointsInto(arg) => node(site, arg),
            CallbackArgument::LoadedFrom(arg) => {
                node(site, arg).map(|from| self.reachable_from(from))
            }
            CallbackArgument::Unknown => Some(self.pointer_to(ObjKind::Library(external))),
        };
        Arg { node, ty: None, aggregate: None, constant: None }
    }

    fn reachable_from(&mut self, from: NodeId) -> NodeId {
        let to = self.world.nodes.fresh();
        self.out.push(Constraint::Reach { to, from });
        self.out.push(Constraint::Reach { to, from: to });
        self.load(to, from);
        to
    }

    /// Attributes tell only a part: the other arguments follow the default.
    fn unmentioned(&mut self, site: &Site, model: &FunctionModel) {
        for (index, arg) in site.args.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if !model.effects.iter().any(|effect| mentions(effect, index)) {
                self.unknown_argument(site, arg);
            }
        }
    }
}

enum Place {
    Node(NodeId),
    Memory(NodeId, i64),
}

fn node(site: &Site, arg: u32) -> Option<NodeId> {
    site.args.get(arg as usize)?.node
}

fn mentions(effect: &Effect, index: u32) -> bool {
    match *effect {
        Effect::Allocates { to, .. } => target_argument(to) == Some(index),
        Effect::Frees { args, .. }
        | Effect::Keeps { args, .. }
        | Effect::Reads { args }
        | Effect::Writes { args } => args.contains(index),
        Effect::Reallocates { arg, to, .. } => arg == index || target_argument(to) == Some(index),
        Effect::Retains { arg }
        | Effect::ReturnsArgument { arg, .. }
        | Effect::ReturnsLoaded { arg }
        | Effect::Clears { arg } => arg == index,
        Effect::StoresArgument { arg, into, .. } => arg == index || into == index,
        Effect::Fills { arg, byte, bytes } => arg == index || byte == Some(index) || bytes == index,
        Effect::CopiesMemory { to, from, bytes, .. } => {
            to == index || from == index || bytes == Some(index)
        }
        Effect::CallsBack { function, .. } => function == index,
    }
}

fn target_argument(to: Target) -> Option<u32> {
    match to {
        Target::Result => None,
        Target::Pointee(arg)
        | Target::Element { arg, .. }
        | Target::Elements(arg)
        | Target::Inside(arg) => Some(arg),
    }
}
