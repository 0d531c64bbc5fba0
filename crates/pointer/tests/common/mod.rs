//! C text to a linked program, for the tests.

use std::path::PathBuf;

use caulk_models::Models;
use caulk_pointer::Input;
use caulk_program::{
    CopyBudget, DirectCalls, Entries, ExternalModels, Instances, LinkUnit, Program, Wrappers,
    indirect_targets, link,
};

/// A program with all that points-to needs to know of it.
pub struct Facts {
    pub program: Program,
    pub calls: DirectCalls,
    pub entries: Entries,
    pub instances: Instances,
    pub wrappers: Wrappers,
    pub externals: ExternalModels,
}

impl Facts {
    pub fn of_c(c: &str) -> Self {
        let module =
            caulk_lower::lower(&tree(c), "case.c", &caulk_lower::Options::default()).module;
        let violations = caulk_ir::verify::module(&module);
        assert!(violations.is_empty(), "{violations:?}\n{}", caulk_ir::print::module(&module));
        Self::of_modules(vec![module])
    }

    pub fn of_modules(modules: Vec<caulk_ir::Module>) -> Self {
        let units = modules.into_iter().map(|module| LinkUnit { module, target: None }).collect();
        let program = link(units);
        let calls = DirectCalls::new(&program);
        let mut entries = Entries::new(&program, &calls);
        let externals = ExternalModels::new(&program, &Models::bundled());
        let indirect = indirect_targets(&program);
        let wrappers = Wrappers::new(&program, &calls, &externals, &indirect);
        let budget = CopyBudget::default();
        let instances =
            Instances::new(&program, &calls, &indirect, &wrappers, &mut entries, budget);
        Self { program, calls, entries, instances, wrappers, externals }
    }

    pub fn input(&self) -> Input<'_> {
        Input {
            program: &self.program,
            calls: &self.calls,
            entries: &self.entries,
            instances: &self.instances,
            wrappers: &self.wrappers,
            externals: &self.externals,
        }
    }
}

fn tree(c: &str) -> caulk_cfront::Tree {
    let path = PathBuf::from("/case/case.c");
    let files = caulk_project::SourceFiles::new();
    files.insert_virtual(&path, c.as_bytes());
    let unit = caulk_project::Unit {
        source: path,
        display: PathBuf::from("case.c"),
        directory: PathBuf::from("/case"),
        options: caulk_project::UnitOptions::default(),
    };
    let front = caulk_cfront::read_unit(&unit, &files, &caulk_cfront::Limits::default());
    assert!(front.errors.is_empty(), "{:?}\n{c}", front.errors);
    front.tree.expect("a unit without errors has a tree")
}
