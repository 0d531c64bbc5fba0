//! How a value leaves a procedure, and what it is in a caller: the return halves of [V-CSPAR] and
//! [V-CSCHI].
//!
//! A procedure has few exits and may have thousands of callers, so that the two are kept apart: a
//! summary holds exits, and a call that uses the summary asks for its own targets.

use caulk_memory::{CallSite, RegionId};
use caulk_models::{CallbackResult, Effect};
use caulk_pointer::Target;
use caulk_program::{ExternalId, InstanceId};

use crate::graph::{Edges, Flow};
use crate::node::{Cross, End, FlowEdge, Node, Point, Rule};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// As the procedure's result.
    Result,
    /// In the region, which the procedure may write.
    Region(RegionId),
}

/// Where a node's value goes, both sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Inside the procedure, and into callees.
    pub edges: Vec<FlowEdge>,
    /// Out of the procedure.
    pub exits: Vec<Exit>,
}

impl Flow<'_, '_> {
    /// Where a value that leaves a callee goes at one of its calls.
    #[must_use]
    pub fn returned(&self, callee: InstanceId, exit: Exit, site: CallSite) -> Vec<FlowEdge> {
        let CallSite { caller, inst, .. } = site;
        let mut edges = Edges::default();
        let cross = Cross::Return(site);
        match exit {
            // [V-CSPAR]
            Exit::Result => edges.rows.extend(self.returned_result(callee, site)),
            // [V-CSCHI]
            Exit::Region(region) => {
                self.add_written(caller, inst, region, Rule::CallChi, cross, &mut edges);
            }
        }
        edges.rows
    }

    /// The call's result, unless a library function called back and does something else with it.
    fn returned_result(&self, callee: InstanceId, site: CallSite) -> Option<FlowEdge> {
        let CallSite { caller, inst, call } = site;
        let (cross, rule) = (Cross::Return(site), Rule::CallParameter);
        let targets = self.memory.input().points_to.callees(caller, call);
        let result = self.body(caller).results[inst].map(|value| Node::Value(caller, value));
        let is_entered = targets.binary_search(&Target::Instance(callee)).is_ok();
        let to = if is_entered && self.is_plain_allocator(callee) {
            // The caller has an object of its own from here on (F8).
            Node::End(caller, Point::Inst(inst), End::Caller)
        } else if is_entered {
            result?
        } else {
            let back = targets.iter().filter_map(|&target| self.called_back_result(target));
            match back.min_by_key(|&(result, _)| result != CallbackResult::Returned)? {
                (CallbackResult::Returned, _) => result?,
                (CallbackResult::Kept, by) => Node::End(caller, Point::Inst(inst), End::Kept(by)),
                (CallbackResult::Ignored, _) => return None,
            }
        };
        Some(FlowEdge { to, cross, rule })
    }

    /// Whether each call of the instance is an allocation by itself.
    #[must_use]
    pub fn is_plain_allocator(&self, instance: InstanceId) -> bool {
        let input = self.memory.input();
        input.points_to.is_plain_allocator(input.instances.proc(instance))
    }

    fn called_back_result(&self, target: Target) -> Option<(CallbackResult, ExternalId)> {
        let Target::External(external) = target else { return None };
        let effects = &self.memory.input().externals.of(external)?.effects;
        effects.iter().find_map(|effect| match *effect {
            Effect::CallsBack { result, entry: false, .. } => Some((result, external)),
            _ => None,
        })
    }

    /// Whether the callee, once the call has entered it, returns to it. What a call hands to a
    /// thread or a handler does not come back.
    #[must_use]
    pub fn comes_back(&self, site: CallSite, callee: InstanceId) -> bool {
        self.memory.callees(site.caller, site.call).any(|it| it == callee)
    }
}
