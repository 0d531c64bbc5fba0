//! Functions that the program defines and that a user's model describes: the model counts, and the
//! body is not looked at. So families of allocators that caulk takes for something else can be told.

use caulk_ir::{FunctionBody, FunctionId, Linkage, Module};
use caulk_models::Models;
use caulk_program::{LinkUnit, Program, link};

pub(crate) fn link_modelled(mut units: Vec<LinkUnit>, models: &Models) -> Program {
    units.iter_mut().for_each(|unit| replace(&mut unit.module, models));
    link(units)
}

fn replace(module: &mut Module, models: &Models) {
    let rows = module.functions.iter();
    let is_told = |name| models.replaces(module.names.text(name));
    let told: Vec<FunctionId> =
        rows.filter(|(_, row)| is_told(row.name)).map(|(id, _)| id).collect();
    for id in told {
        let function = &mut module.functions[id];
        function.body = FunctionBody::Declared;
        function.linkage = Linkage::External;
    }
}
