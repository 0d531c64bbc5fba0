//! Calls through wild pointers: every one of them may enter every function that wild pointers
//! point to, so all that they pass goes through one set of nodes, and all results come back there.

use caulk_program::{EntryReason, InstanceId};

use super::Rules;
use super::binding::VARIABLE_AGGREGATES;
use crate::constraint::{Constraint, SiteId};
use crate::location::LocId;
use crate::nodes::NodeId;
use crate::object::ObjKind;
use crate::points_to::Target;

/// Arguments beyond these are not told apart.
const ARGUMENTS: usize = 12;

/// What wild calls pass, and what they get.
pub(crate) struct WildCalls {
    arguments: Vec<NodeId>,
    result: NodeId,
    result_into: NodeId,
}

impl Rules<'_> {
    pub(super) fn wild_calls(&mut self) -> &WildCalls {
        let nodes = &mut self.world.nodes;
        self.wild.get_or_insert_with(|| WildCalls {
            arguments: (0..ARGUMENTS).map(|_| nodes.fresh()).collect(),
            result: nodes.fresh(),
            result_into: nodes.fresh(),
        })
    }

    fn wild_argument(&mut self, index: usize) -> NodeId {
        self.wild_calls().arguments[index.min(ARGUMENTS - 1)]
    }

    /// The site's callee is wild.
    pub(crate) fn connect_wild(&mut self, site: SiteId) {
        if !self.wild_sites.insert(site) {
            return;
        }
        let site = self.sites[site].clone();
        if site.callback.is_none() {
            self.targets.push(((site.instance, site.call), Target::Unknown));
        }
        for (index, arg) in site.args.iter().enumerate() {
            if let Some(from) = arg.node {
                let to = self.wild_argument(index);
                self.copy(to, from);
            }
        }
        let (result, into) = (self.wild_calls().result, self.wild_calls().result_into);
        if let Some(to) = site.result {
            self.copy(to, result);
        }
        if let Some(from) = site.result_into {
            self.copy(into, from);
        }
    }

    /// Wild pointers point to it: if it is a function, wild calls enter it.
    pub(crate) fn enter_wild(&mut self, callee: LocId) {
        let kind = self.world.objects[self.world.locations.object(callee)].kind;
        let ObjKind::Procedure(proc) = kind else { return };
        if self.wild_procs.insert(proc) {
            self.entries.add(proc, EntryReason::Callback);
            let callee = self.world.input.instances.base(proc);
            self.pass_wild(callee);
            let result = self.wild_calls().result;
            self.copy(result, self.world.nodes.result(callee));
        }
    }

    fn pass_wild(&mut self, callee: InstanceId) {
        let input = self.world.input;
        let body = input.instances.body(input.program, callee);
        let proc = input.instances.proc(callee);
        for (index, &param) in body.params.iter().enumerate() {
            let Some(to) = self.world.nodes.value(callee, param) else { continue };
            let from = self.wild_argument(index);
            match self.takes_aggregate(callee, index) {
                true => self.out.push(Constraint::CopyMemory { to, from, size: None }),
                false => self.copy(to, from),
            }
        }
        if let Some(into) = body.result_into.and_then(|it| self.world.nodes.value(callee, it)) {
            let from = self.wild_calls().result_into;
            self.copy(into, from);
        }
        let signature = input.program.function(proc).signature;
        if input.program.module_of(proc).types.signatures[signature].variadic {
            self.pass_wild_variables(callee, body.params.len());
        }
    }

    fn pass_wild_variables(&mut self, callee: InstanceId, first: usize) {
        let object = self.world.object(ObjKind::VarArgs(callee));
        for offset in [0, VARIABLE_AGGREGATES] {
            let Some(loc) = self.world.at(object, offset) else { continue };
            let to = self.world.nodes.contents(loc);
            for index in first.min(ARGUMENTS - 1)..ARGUMENTS {
                let from = self.wild_argument(index);
                self.copy(to, from);
            }
        }
    }
}
