//! What the tests of several crates share: C text into modules, Markdown suites with snapshots, and
//! seeded numbers. Only a dev-dependency.

mod random;
pub mod suite;

pub use random::Random;

use std::path::{Path, PathBuf};

use caulk_ir::Module;

/// The module of a C text that has no errors. Headers are not searched for: a case declares the
/// library functions it uses.
///
/// # Panics
/// If the text has errors.
#[must_use]
pub fn module(name: &str, c: &str) -> Module {
    let path = Path::new("/case").join(name);
    let files = caulk_project::SourceFiles::new();
    files.insert_virtual(&path, c.as_bytes());
    let unit = caulk_project::Unit {
        source: path,
        display: PathBuf::from(name),
        directory: PathBuf::from("/case"),
        options: caulk_project::UnitOptions::default(),
    };
    lowered(&unit, &files)
}

/// The module of a C file that has no errors, with the system's headers.
///
/// # Panics
/// If the file is not there or has errors.
#[must_use]
pub fn module_of_file(file: &Path) -> Module {
    let options = caulk_project::LoadOptions::new(file.parent().expect("a folder"));
    let flags = ["-std=gnu17".to_string()];
    let project = caulk_project::from_files(&[file.to_path_buf()], &flags, &options);
    lowered(&project.units[0], &caulk_project::SourceFiles::new())
}

fn lowered(unit: &caulk_project::Unit, files: &caulk_project::SourceFiles) -> Module {
    let name = unit.display.to_string_lossy();
    let front = caulk_cfront::read_unit(unit, files, &caulk_cfront::Limits::default());
    assert!(front.errors.is_empty(), "{name}: {:?}", front.errors);
    let tree = front.tree.expect("a unit without errors has a tree");
    let module = caulk_lower::lower(&tree, &name, &caulk_lower::Options::default()).module;
    let violations = caulk_ir::verify::module(&module);
    assert!(violations.is_empty(), "{name}: {violations:?}");
    module
}
