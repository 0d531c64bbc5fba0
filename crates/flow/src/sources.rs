//! Where resources are made and released: every call of every instance whose model says so.
//!
//! An allocation has as many nodes as there are places where its call may leave the address: the
//! result, or each region behind an out-parameter. One whose result is thrown away has none.

use caulk_base::{Table, define_id};
use caulk_ir::{CallId, Constant, Inst, InstId, Scalar};
use caulk_memory::RegionId;
use caulk_models::{Args, Condition, Effect, Freed, Resource, Target, Test, When};
use caulk_pointer::{ObjId, ObjKind, Target as Callee};
use caulk_program::{ExternalId, InstanceId};

use crate::graph::{Edges, Flow};
use crate::node::{Cross, End, Node, Point, Rule};

define_id!(pub SourceId, "src", "An allocation.");

/// Allocators inside allocators that are looked through for what is made in the end.
const NESTED: usize = 16;

#[derive(Clone, Debug)]
pub struct Source {
    pub instance: InstanceId,
    pub inst: InstId,
    pub call: CallId,
    pub external: ExternalId,
    pub target: Target,
    pub resource: Resource,
    pub may_fail: bool,
    /// Where the flow of the address begins.
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub struct Release {
    pub instance: InstanceId,
    pub inst: InstId,
    pub call: CallId,
    pub external: ExternalId,
    pub args: Args,
    pub what: Freed,
    pub resource: Resource,
}

impl Release {
    /// The sink that flows end in.
    #[must_use]
    pub fn node(&self) -> Node {
        Node::End(self.instance, Point::Inst(self.inst), End::Released)
    }
}

/// In the order of instances and calls.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub allocations: Table<SourceId, Source>,
    pub releases: Vec<Release>,
}

impl Sources {
    #[must_use]
    pub fn new(flow: &Flow) -> Self {
        let mut sources = Self::default();
        let input = flow.memory.input();
        for instance in input.instances.rows.ids() {
            for &(inst, call) in &flow.memory.accesses(instance).calls {
                for target in input.points_to.callees(instance, call) {
                    match *target {
                        Callee::External(external) => {
                            sources.call(flow, instance, inst, call, external);
                        }
                        Callee::Instance(callee) => {
                            sources.allocator_call(flow, instance, inst, call, callee);
                        }
                        Callee::Unknown => {}
                    }
                }
            }
        }
        sources
    }

    /// All nodes that flows begin at.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.allocations.rows().iter().flat_map(|source| source.nodes.iter().copied())
    }

    /// A call of a plain allocator is an allocation of what that function makes (F8).
    fn allocator_call(
        &mut self,
        flow: &Flow,
        instance: InstanceId,
        inst: InstId,
        call: CallId,
        callee: InstanceId,
    ) {
        if !flow.is_plain_allocator(callee) {
            return;
        }
        let body = flow.body(instance);
        let result = body.results[inst].map(|it| body.values[it].scalar);
        let is_wide = matches!(result, Some(Scalar::Ptr | Scalar::I64));
        let made = flow.made_by_allocator(callee, is_wide, NESTED);
        let Some((external, resource)) = made else { return };
        let nodes = flow.allocated(instance, inst, call, Target::Result);
        let target = Target::Result;
        let may_fail = true;
        let source = Source { instance, inst, call, external, target, resource, may_fail, nodes };
        self.allocations.push(source);
    }

    fn call(
        &mut self,
        flow: &Flow,
        instance: InstanceId,
        inst: InstId,
        call: CallId,
        external: ExternalId,
    ) {
        let Some(model) = flow.memory.input().externals.of(external) else { return };
        for effect in &model.effects {
            match effect {
                Effect::Allocates { when: When::Condition(condition), .. }
                    if !flow.may_hold_at(instance, call, condition) => {}
                Effect::Allocates { to, resource, may_fail, .. }
                | Effect::Reallocates { to, resource, may_fail, .. } => {
                    let nodes = flow.allocated(instance, inst, call, *to);
                    self.allocations.push(Source {
                        instance,
                        inst,
                        call,
                        external,
                        target: *to,
                        resource: resource.clone(),
                        may_fail: *may_fail,
                        nodes,
                    });
                }
                _ => {}
            }
            if let Some((args, what, resource)) = released(effect) {
                let resource = resource.clone();
                let release = Release { instance, inst, call, external, args, what, resource };
                self.releases.push(release);
            }
        }
    }
}

fn released(effect: &Effect) -> Option<(Args, Freed, &Resource)> {
    match effect {
        Effect::Frees { args, what, resource, .. } => Some((*args, *what, resource)),
        Effect::Reallocates { arg, through, resource, .. } => {
            let what = if *through { Freed::Pointee } else { Freed::Argument };
            Some((Args::one(*arg), what, resource))
        }
        _ => None,
    }
}

impl Flow<'_, '_> {
    /// What an allocator makes in the end, and the library function that it asks. What returns a number
    /// makes a descriptor, whatever memory it takes for itself.
    fn made_by_allocator(
        &self,
        allocator: InstanceId,
        is_wide: bool,
        nested: usize,
    ) -> Option<(ExternalId, Resource)> {
        let input = self.memory.input();
        let calls = self.memory.accesses(allocator).calls.iter();
        let mut targets = calls.flat_map(|&(_, call)| input.points_to.callees(allocator, call));
        targets.find_map(|target| match *target {
            Callee::External(external) => {
                let effects = &input.externals.of(external)?.effects;
                effects.iter().find_map(|effect| match effect {
                    Effect::Allocates { to: Target::Result, resource, .. }
                    | Effect::Reallocates { to: Target::Result, resource, .. }
                        if is_wide || !resource.is_memory() =>
                    {
                        Some((external, resource.clone()))
                    }
                    _ => None,
                })
            }
            Callee::Instance(inner) if nested > 0 && self.is_plain_allocator(inner) => {
                self.made_by_allocator(inner, is_wide, nested - 1)
            }
            _ => None,
        })
    }

    /// Whether a condition on an argument may hold: the address of a variable is not NULL.
    fn may_hold_at(&self, instance: InstanceId, call: CallId, condition: &Condition) -> bool {
        let body = self.body(instance);
        let Some(arg) = body.calls[call].args.get(condition.arg as usize) else { return true };
        let mut value = arg.value;
        while let Some(inst) = body.definition(value) {
            match body.insts[inst] {
                Inst::Field { base, .. } | Inst::Index { base, .. } => value = base,
                _ => break,
            }
        }
        match (body.constant(value), &condition.test) {
            (Some(Constant::Int(number)), test) => test.holds(number),
            (Some(Constant::Object(_) | Constant::Slot(_)), Test::Is(numbers)) => {
                numbers.iter().any(|&number| number != 0)
            }
            // Whoever wants a fresh block writes NULL; what is computed is a buffer.
            (None, Test::Is(numbers)) => numbers != &[0],
            _ => true,
        }
    }

    /// The nodes at which a call leaves the address, or the descriptor, of what it makes.
    fn allocated(&self, instance: InstanceId, inst: InstId, call: CallId, to: Target) -> Vec<Node> {
        let value = |value| Node::Value(instance, value);
        let argument = |index: u32| {
            let args = &self.body(instance).calls[call].args;
            args.get(index as usize).map(|arg| arg.value)
        };
        let (arg, nth) = match to {
            Target::Result => {
                return self.body(instance).results[inst].map(value).into_iter().collect();
            }
            // The object itself is the resource: its address is what a release takes.
            Target::Inside(arg) => return argument(arg).map(value).into_iter().collect(),
            Target::Pointee(arg) => (arg, 0),
            Target::Element { arg, index } => (arg, index),
            Target::Elements(arg) => (arg, ObjKind::ELEMENTS),
        };
        let points_to = self.memory.input().points_to;
        match points_to.object(ObjKind::HeapOut { instance, call, arg, nth }) {
            Some(made) => self.left_in(instance, inst, |region| self.may_hold(region, made)),
            // What is no pointer has no object: it is somewhere behind the argument.
            None => argument(arg).map_or_else(Vec::new, |address| {
                self.left_in(instance, inst, |region| self.is_behind(instance, address, region))
            }),
        }
    }

    /// The versions that the instruction writes of some regions.
    fn left_in(
        &self,
        instance: InstanceId,
        inst: InstId,
        is_wanted: impl Fn(RegionId) -> bool,
    ) -> Vec<Node> {
        let Some(access) = self.memory.access(instance, inst) else { return Vec::new() };
        let written = self.memory.regions().of_footprint(access.writes);
        let mut edges = Edges::default();
        for &region in written.iter().filter(|&&region| is_wanted(region)) {
            self.add_written(instance, inst, region, Rule::Chi, Cross::None, &mut edges);
        }
        let mut nodes: Vec<Node> = edges.rows.into_iter().map(|edge| edge.to).collect();
        nodes.sort_unstable();
        nodes
    }

    /// Whether the object's address may be in the region.
    fn may_hold(&self, region: RegionId, object: ObjId) -> bool {
        let points_to = self.memory.input().points_to;
        if self.memory.regions().is_wild(region) {
            return true;
        }
        self.memory
            .regions()
            .locations(region)
            .iter()
            .any(|&location| points_to.reaches(points_to.contents(location), object))
    }
}
