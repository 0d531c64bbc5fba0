//! What library functions do with what they are given, by their models.

use std::cell::LazyCell;

use caulk_ir::{Call, CallId, InstId, ValueId};
use caulk_memory::{CallSite, RegionId};
use caulk_models::{CallbackArgument, Effect, Freed, Unmentioned};
use caulk_pointer::{LocId, ObjKind, PointsTo, SetId};
use caulk_program::{ExternalId, InstanceId};

use crate::graph::{Edges, Flow, end, plain};
use crate::node::{Cross, End, FlowEdge, Node, Point, Rule};

/// A call of an external function.
#[derive(Clone, Copy)]
struct At<'c> {
    instance: InstanceId,
    inst: InstId,
    id: CallId,
    call: &'c Call,
    external: ExternalId,
}

impl At<'_> {
    fn argument(&self, index: u32) -> Option<ValueId> {
        self.call.args.get(index as usize).map(|arg| arg.value)
    }

    fn ends(&self, what: End) -> FlowEdge {
        end(self.instance, Point::Inst(self.inst), what)
    }
}

impl Flow<'_, '_> {
    /// A value passed as an argument.
    pub(crate) fn external_argument(
        &self,
        instance: InstanceId,
        inst: InstId,
        id: CallId,
        external: ExternalId,
        index: u32,
        edges: &mut Edges,
    ) {
        let call = &self.body(instance).calls[id];
        let at = At { instance, inst, id, call, external };
        let model = self.memory.input().externals.of(external);
        let effects = model.map_or(&[][..], |model| &model.effects);
        let before = edges.len();
        effects.iter().for_each(|effect| self.argument_effect(at, effect, index, edges));
        let mentioned = edges.len() > before;
        let unknown = model.is_none_or(|model| model.unmentioned == Unmentioned::Unknown);
        let is_kept = || {
            !self.is_constant_parameter(instance, call, index as usize)
                || self.is_given_release(at, index)
        };
        if unknown && !mentioned && is_kept() {
            edges.push(at.ends(End::Unknown(Some(external))));
        }
    }

    /// Whether another argument is a function that releases: who gets `free` beside a pointer is
    /// going to release that.
    fn is_given_release(&self, at: At, index: u32) -> bool {
        let points_to = self.memory.input().points_to;
        let others = at.call.args.iter().enumerate().filter(|it| it.0 != index as usize);
        let mut sets = others.map(|(_, arg)| points_to.value(at.instance, arg.value));
        sets.any(|set| *self.releases[set].get_or_init(|| self.has_release(set)))
    }

    fn has_release(&self, set: SetId) -> bool {
        let input = self.memory.input();
        input.points_to.set(set).iter().any(|&to| {
            let object = input.points_to.locations.object(to);
            let ObjKind::External(function) = input.points_to.objects[object].kind else {
                return false;
            };
            let model = input.externals.of(function);
            let frees = |it: &Effect| matches!(it, Effect::Frees { .. });
            model.is_some_and(|model| model.effects.iter().any(frees))
        })
    }

    fn argument_effect(&self, at: At, effect: &Effect, index: u32, edges: &mut Edges) {
        match *effect {
            Effect::Frees {
                args,
                what: Freed::Argument | Freed::ArgumentAndElements | Freed::Inside,
                ..
            } if args.contains(index) => {
                edges.push(at.ends(End::Released));
            }
            Effect::Reallocates { arg, through: false, .. } if arg == index => {
                edges.push(at.ends(End::Released));
            }
            Effect::ReturnsArgument { arg, .. } if arg == index => {
                if let Some(result) = self.body(at.instance).results[at.inst] {
                    edges.push(plain(Node::Value(at.instance, result), Rule::Copy));
                }
            }
            Effect::StoresArgument { arg, into, .. } if arg == index => {
                if let Some(into) = at.argument(into) {
                    self.add_pointees(at.instance, at.inst, into, edges);
                }
            }
            Effect::Keeps { args, .. } if args.contains(index) => {
                edges.push(at.ends(End::Kept(at.external)));
            }
            Effect::CallsBack { function, ref arguments, .. } => {
                let passes = |it: &CallbackArgument| {
                    matches!(*it, CallbackArgument::Argument(n) | CallbackArgument::PointsInto(n)
                        if n == index)
                };
                self.called_back(at, function, arguments, passes, edges);
            }
            _ => {}
        }
    }

    /// Into the parameters of the functions that are called back with it.
    fn called_back(
        &self,
        at: At,
        function: u32,
        arguments: &[CallbackArgument],
        passes: impl Fn(&CallbackArgument) -> bool,
        edges: &mut Edges,
    ) {
        let input = self.memory.input();
        let Some(function) = at.argument(function) else { return };
        let passed: Vec<usize> =
            (0..arguments.len()).filter(|&param| passes(&arguments[param])).collect();
        if passed.is_empty() {
            return;
        }
        let procs: Vec<_> = procedures(input.points_to, at.instance, function).collect();
        for param in passed {
            for &proc in &procs {
                let callee = input.instances.base(proc);
                let Some(&value) = self.body(callee).params.get(param) else { continue };
                let site = CallSite { caller: at.instance, inst: at.inst, call: at.id };
                let (to, cross) = (Node::Value(callee, value), Cross::Call(site));
                edges.push(FlowEdge { to, cross, rule: Rule::CallParameter });
            }
        }
    }

    /// Memory that a call of an external function reads.
    pub(crate) fn external_memory(
        &self,
        instance: InstanceId,
        inst: InstId,
        id: CallId,
        region: RegionId,
        edges: &mut Edges,
    ) {
        let input = self.memory.input();
        let call = &self.body(instance).calls[id];
        // A call through a pointer may have hundreds of targets: what is asked about the call
        // itself is asked once.
        let handed_over = LazyCell::new(|| self.is_handed_over(instance, call, region));
        for target in input.points_to.callees(instance, id) {
            match *target {
                caulk_pointer::Target::External(external) => {
                    let at = At { instance, inst, id, call, external };
                    self.external_target(at, region, || *handed_over, edges);
                }
                caulk_pointer::Target::Instance(_) => {}
                caulk_pointer::Target::Unknown => {
                    if *handed_over {
                        edges.push(end(instance, Point::Inst(inst), End::Unknown(None)));
                    }
                }
            }
        }
    }

    fn external_target(
        &self,
        at: At,
        region: RegionId,
        is_handed_over: impl Fn() -> bool,
        edges: &mut Edges,
    ) {
        let model = self.memory.input().externals.of(at.external);
        let effects = model.map_or(&[][..], |model| &model.effects);
        let before = edges.len();
        effects.iter().for_each(|effect| self.memory_effect(at, effect, region, edges));
        let mentioned = edges.len() > before;
        let unknown = model.is_none_or(|model| model.unmentioned == Unmentioned::Unknown);
        if unknown && !mentioned && is_handed_over() {
            edges.push(at.ends(End::Unknown(Some(at.external))));
        }
    }

    /// Whether an unknown function finds the region behind an argument and may keep what it holds.
    fn is_handed_over(&self, instance: InstanceId, call: &Call, region: RegionId) -> bool {
        call.args.iter().enumerate().any(|(index, arg)| {
            !self.is_constant_parameter(instance, call, index)
                && self.is_behind(instance, arg.value, region)
        })
    }

    fn memory_effect(&self, at: At, effect: &Effect, region: RegionId, edges: &mut Edges) {
        let through = |index: u32| {
            let argument = at.argument(index);
            argument.is_some_and(|address| self.is_behind(at.instance, address, region))
        };
        match *effect {
            Effect::CopiesMemory { to, from, .. } => {
                if let (Some(to), Some(from)) = (at.argument(to), at.argument(from)) {
                    self.copied(at.instance, at.inst, region, from, to, edges);
                }
            }
            Effect::Reallocates { arg, through: false, .. } => {
                self.moved_by_realloc(at, arg, region, edges);
            }
            Effect::Reallocates { arg, through: true, .. } if through(arg) => {
                edges.push(at.ends(End::Released));
            }
            Effect::Frees { args, what: Freed::Pointee | Freed::ArgumentAndElements, .. }
                if args.of_call(at.call.args.len() as u32).any(through) =>
            {
                edges.push(at.ends(End::Released));
            }
            Effect::ReturnsLoaded { arg } if through(arg) => {
                self.add_result(at.instance, at.inst, edges);
            }
            Effect::Keeps { args, .. } if args.of_call(at.call.args.len() as u32).any(through) => {
                edges.push(at.ends(End::Kept(at.external)));
            }
            Effect::CallsBack { function, ref arguments, .. } => {
                let passes = |it: &CallbackArgument| match *it {
                    CallbackArgument::LoadedFrom(index) => through(index),
                    _ => false,
                };
                self.called_back(at, function, arguments, passes, edges);
            }
            _ => {}
        }
    }

    fn moved_by_realloc(&self, at: At, arg: u32, region: RegionId, edges: &mut Edges) {
        let points_to = self.memory.input().points_to;
        let Some(old) = at.argument(arg) else { return };
        let Some(result) = self.body(at.instance).results[at.inst] else { return };
        let old = points_to.value(at.instance, old);
        for target in self.moved(region, old, points_to.value(at.instance, result)) {
            self.add_written(at.instance, at.inst, target, Rule::Chi, Cross::None, edges);
        }
    }

    /// Whether the region is in an object that the address points to.
    pub(crate) fn is_behind(
        &self,
        instance: InstanceId,
        address: ValueId,
        region: RegionId,
    ) -> bool {
        let points_to = self.memory.input().points_to;
        let set = points_to.value(instance, address);
        let is_wild = self.memory.regions().is_wild(region);
        if points_to.is_wild(set) {
            return is_wild;
        }
        if is_wild {
            let objects = points_to.wild_objects();
            let mut set = points_to.set(set).iter();
            return set.any(|&at| objects.contains(points_to.locations.object(at)));
        }
        let locations = self.memory.regions().locations(region);
        let object = |&location: &LocId| points_to.locations.object(location);
        locations.iter().any(|location| points_to.lists(set, object(location)))
    }
}

fn procedures(
    points_to: &PointsTo,
    instance: InstanceId,
    function: ValueId,
) -> impl Iterator<Item = caulk_program::ProcId> + '_ {
    points_to.set(points_to.value(instance, function)).iter().filter_map(
        |&location| match points_to.objects[points_to.locations.object(location)].kind {
            ObjKind::Procedure(proc) => Some(proc),
            _ => None,
        },
    )
}
