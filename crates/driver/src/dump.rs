//! What a stage made of a unit, as text for developers.

use caulk_cfront::{Tree, print_tree};
use caulk_ir::{Function, FunctionBody, FunctionId, Module, print};
use caulk_project::Unit;

use crate::cfg_text::cfg_text;
use crate::unit::UnitVisitor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpStage {
    /// The typed tree.
    Ast,
    /// The representation's text form, which reads back.
    Ir,
    /// Blocks, their edges, dominators and loops.
    Cfg,
    /// The same, with instructions, for Graphviz.
    CfgDot,
}

/// Prints every unit, or one function of it.
#[derive(Clone, Debug)]
pub struct Dump {
    pub stage: DumpStage,
    pub function: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dumped {
    /// Empty if the unit does not have the function.
    pub text: String,
    /// The functions with a body, for a message.
    pub defined: Vec<String>,
}

impl UnitVisitor for Dump {
    type Output = Dumped;

    fn tree(&self, _: &Unit, tree: &Tree) -> Option<Dumped> {
        let name = |&id: &caulk_cfront::tree::DeclId| tree.decl_name(id).to_owned();
        let defined = || tree.definitions().iter().map(name).collect();
        let print = || print_tree(tree, self.function.as_deref());
        (self.stage == DumpStage::Ast).then(|| Dumped { text: print(), defined: defined() })
    }

    fn module(&self, _: &Unit, module: Module) -> Dumped {
        self.print(&module)
    }
}

impl Dump {
    #[must_use]
    pub fn print(&self, module: &Module) -> Dumped {
        let name = |id: FunctionId| module.function_name(id).to_owned();
        let defined = module.bodies().map(|(id, _, _)| name(id)).collect();
        let text = match (self.stage, &self.function) {
            (DumpStage::Ir, None) => print::module(module),
            (_, wanted) => self.functions(module, wanted.as_deref()),
        };
        Dumped { text, defined }
    }

    fn functions(&self, module: &Module, wanted: Option<&str>) -> String {
        let is_wanted = |id: FunctionId| wanted.is_none_or(|name| module.function_name(id) == name);
        let has_body = |function: &Function| !matches!(function.body, FunctionBody::Declared);
        let all = module.functions.iter();
        let chosen = all.filter(|(id, function)| is_wanted(*id) && has_body(function));
        let texts: Vec<String> =
            chosen.map(|(id, function)| self.one(module, id, function)).collect();
        texts.join("\n")
    }

    fn one(&self, module: &Module, id: FunctionId, function: &Function) -> String {
        match (self.stage, &function.body) {
            (DumpStage::CfgDot, _) => print::cfg_dot(module, id),
            (DumpStage::Cfg, FunctionBody::Defined(body)) => cfg_text(module, id, body),
            _ => print::function(module, id),
        }
    }
}
