//! The rules for code that caulk does not see.
//!
//! An unknown function keeps what a pointer argument points to, unless the parameter points to
//! constant plain data; through a pointer to what is not constant it may write pointers of its
//! own. Its result points to what it keeps.

use caulk_ir::Type;

use super::Rules;
use crate::constraint::{Arg, Constraint, Site};
use crate::layout;
use crate::nodes::NodeId;
use crate::object::ObjKind;

impl Rules<'_> {
    pub(super) fn call_unknown(&mut self, site: &Site) {
        for arg in &site.args {
            self.unknown_argument(site, arg);
        }
        if let Some(to) = site.result.filter(|_| site.result_is_pointer) {
            self.address(to, ObjKind::Outside);
        }
        if let Some(through) = site.result_into {
            self.out.push(Constraint::Overwrite { through });
        }
    }

    pub(super) fn unknown_argument(&mut self, site: &Site, arg: &Arg) {
        let Some(node) = arg.node else { return };
        let access = arg.ty.map_or(Access::Keeps, |ty| access(self.world.module(site.module), ty));
        match access {
            Access::Reads => {}
            Access::KeepsConstant => self.keep(node),
            Access::Keeps => {
                self.keep(node);
                self.copy(self.world.writable, node);
            }
        }
    }

    /// From now on reachable by unknown code.
    pub(super) fn keep(&mut self, node: NodeId) {
        let kept = self.world.nodes.contents(self.world.outside);
        self.copy(kept, node);
    }
}

/// What an unknown function may do with an argument of a type.
enum Access {
    Reads,
    KeepsConstant,
    Keeps,
}

fn access(module: &caulk_ir::Module, ty: caulk_ir::TypeId) -> Access {
    match module.types.types[ty] {
        Type::Pointer { to, to_const: true } if layout::is_plain(module, to) => Access::Reads,
        Type::Pointer { to_const: true, .. } => Access::KeepsConstant,
        _ => Access::Keeps,
    }
}
