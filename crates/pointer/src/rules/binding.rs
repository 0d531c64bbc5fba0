//! The rules for calls of procedures: arguments, results, variable arguments.

use caulk_ir::ValueId;
use caulk_program::{EntryReason, InstanceId};

use super::Rules;
use crate::constraint::{Arg, Constraint, Site};
use crate::nodes::NodeId;
use crate::object::ObjKind;

/// Where the addresses of aggregates lie among the variable arguments.
pub(super) const VARIABLE_AGGREGATES: i64 = 8;

impl Rules<'_> {
    pub(super) fn call_instance(&mut self, site: &Site, callee: InstanceId) {
        let input = self.world.input;
        let body = input.instances.body(input.program, callee);
        for (index, arg) in site.args.iter().enumerate() {
            match body.params.get(index) {
                Some(&param) => self.pass(arg, callee, index, param),
                None => self.pass_variable(arg, callee),
            }
        }
        if let Some(to) = site.result {
            self.bind_result(site, callee, to);
        }
        let callee_into = body.result_into.and_then(|into| self.world.nodes.value(callee, into));
        if let (Some(to), Some(from)) = (callee_into, site.result_into) {
            self.copy(to, from);
        }
        if site.callback.is_some_and(|callback| callback.entry) {
            self.entries.add(input.instances.proc(callee), EntryReason::Callback);
        }
    }

    /// `x = f(…) ⟹ result(f) ⊆ x`; what a plain allocator returns is an object of the call (F8).
    fn bind_result(&mut self, site: &Site, callee: InstanceId, to: NodeId) {
        let input = self.world.input;
        let wrapper = input.wrappers.of(input.instances.proc(callee));
        if site.callback.is_some() || !wrapper.is_plain_allocator() {
            return self.copy(to, self.world.nodes.result(callee));
        }
        self.address(to, ObjKind::Heap { instance: site.instance, call: site.call });
    }

    /// `f(…, a, …)` and parameter `p ⟹ a ⊆ p`; an aggregate is copied into the callee's own. The
    /// callee says what it takes, also to a caller who means another function.
    fn pass(&mut self, arg: &Arg, callee: InstanceId, index: usize, param: ValueId) {
        let Some(to) = self.world.nodes.value(callee, param) else { return };
        let Some(from) = arg.node else { return };
        match self.takes_aggregate(callee, index) {
            true => {
                let size = arg.aggregate.flatten();
                self.out.push(Constraint::CopyMemory { to, from, size });
            }
            false => self.copy(to, from),
        }
    }

    pub(super) fn takes_aggregate(&self, callee: InstanceId, index: usize) -> bool {
        let proc = self.world.input.instances.proc(callee);
        let ty = self.world.param_type(proc, u32::try_from(index).unwrap_or(u32::MAX));
        ty.is_some_and(|(module, ty)| self.world.module(module).types.is_aggregate(ty))
    }

    fn pass_variable(&mut self, arg: &Arg, callee: InstanceId) {
        let Some(from) = arg.node else { return };
        let object = self.world.object(ObjKind::VarArgs(callee));
        let offset = if arg.aggregate.is_some() { VARIABLE_AGGREGATES } else { 0 };
        if let Some(loc) = self.world.at(object, offset) {
            let to = self.world.nodes.contents(loc);
            self.copy(to, from);
        }
    }
}
