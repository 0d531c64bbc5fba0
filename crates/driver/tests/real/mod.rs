//! Real programs of the corpus, lowered, with inputs of `suites/programs`.

use std::path::{Path, PathBuf};

use caulk_ir::Module;

/// A program of the corpus, and how it is run.
pub struct Real {
    pub name: &'static str,
    /// Units of its database that are left out.
    without: &'static [&'static str],
    /// A source of `suites/programs` that has its `main`.
    driver: Option<&'static str>,
    /// Arguments, and the input of `suites/programs`.
    pub cases: &'static [(&'static [&'static str], &'static str)],
}

pub const ALL: &[Real] = &[
    Real {
        name: "bzip2",
        without: &["bzip2recover.c"],
        driver: None,
        cases: &[
            (&["-z", "-1", "-c"], "json/documents.txt"),
            (&["-t"], "json/documents.txt"),
            (&["-c", "no-such-file"], "json/documents.txt"),
        ],
    },
    Real {
        name: "cjson",
        without: &["test.c"],
        driver: Some("cjson_driver.c"),
        cases: &[(&[], "json/documents.txt")],
    },
    Real {
        name: "lua5.4",
        without: &["luac.c"],
        driver: None,
        cases: &[(&["-"], "lua/closures.lua"), (&["-"], "lua/errors.lua")],
    },
    Real {
        name: "jq",
        without: &[],
        driver: None,
        cases: &[
            (&["."], "jq/orders.json"),
            (&["-r", ".orders[] | \"\\(.id) \\(.customer)\""], "jq/orders.json"),
            (&[".["], "jq/orders.json"),
        ],
    },
];

impl Real {
    /// All units that it is made of.
    pub fn modules(&self, corpus: &Path) -> Vec<Module> {
        let folder = corpus.join(self.name);
        let options = caulk_project::LoadOptions::new(&folder);
        let project = caulk_project::from_database(&folder, &options).expect("a database");
        let is_left_out =
            |unit: &caulk_project::Unit| self.without.iter().any(|it| unit.display.ends_with(it));
        let mut modules: Vec<Module> =
            project.units.iter().filter(|unit| !is_left_out(unit)).map(lowered).collect();
        if let Some(driver) = self.driver {
            let options = caulk_project::LoadOptions::new(&suite());
            let flags = [format!("-I{}", folder.join("source").display())];
            let project = caulk_project::from_files(&[suite().join(driver)], &flags, &options);
            modules.extend(project.units.iter().map(lowered));
        }
        modules
    }
}

/// The folder of the inputs.
pub fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/programs")
}

fn lowered(unit: &caulk_project::Unit) -> Module {
    let files = caulk_project::SourceFiles::new();
    let front = caulk_cfront::read_unit(unit, &files, &caulk_cfront::Limits::default());
    let tree = front.tree.filter(|_| front.errors.is_empty());
    let tree = tree.unwrap_or_else(|| panic!("{} is not read", unit.display.display()));
    let name = unit.display.to_string_lossy().into_owned();
    caulk_lower::lower(&tree, &name, &caulk_lower::Options::default()).module
}
