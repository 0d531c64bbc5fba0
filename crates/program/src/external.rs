//! What each external function does: user and bundled models, then attributes in the source.

use caulk_base::{FxHashMap, Table};
use caulk_ir::FunctionId;
use caulk_models::{FunctionModel, Models, all_from_attributes};

use crate::program::{ExternalId, ModuleId, Program};

/// None: unknown, and taken at its worst.
#[derive(Clone, Debug)]
pub struct ExternalModels {
    rows: Table<ExternalId, Option<FunctionModel>>,
}

impl ExternalModels {
    #[must_use]
    pub fn new(program: &Program, models: &Models) -> Self {
        let mut attributes = FxHashMap::default();
        let rows = program
            .externals
            .rows()
            .iter()
            .map(|row| {
                let module = &program.modules[row.module];
                let bundled = models.of_declaration(module, row.function, &row.name).cloned();
                bundled.or_else(|| declared(program, row.module, row.function, &mut attributes))
            })
            .collect();
        Self { rows }
    }

    #[must_use]
    pub fn of(&self, external: ExternalId) -> Option<&FunctionModel> {
        self.rows[external].as_ref()
    }
}

type ByFunction = std::collections::BTreeMap<FunctionId, FunctionModel>;

/// A module's attributes are read once, when one of its externals has no model.
fn declared(
    program: &Program,
    module: ModuleId,
    function: FunctionId,
    known: &mut FxHashMap<ModuleId, ByFunction>,
) -> Option<FunctionModel> {
    let read = || all_from_attributes(&program.modules[module]);
    known.entry(module).or_insert_with(read).get(&function).cloned()
}
