//! What the tests of several crates share: C text into modules, and Markdown suites with
//! snapshots. Only a dev-dependency.

pub mod suite;

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
    let front = caulk_cfront::read_unit(&unit, &files, &caulk_cfront::Limits::default());
    assert!(front.errors.is_empty(), "{name}: {:?}", front.errors);
    let tree = front.tree.expect("a unit without errors has a tree");
    let module = caulk_lower::lower(&tree, name, &caulk_lower::Options::default()).module;
    let violations = caulk_ir::verify::module(&module);
    assert!(violations.is_empty(), "{name}: {violations:?}");
    module
}
