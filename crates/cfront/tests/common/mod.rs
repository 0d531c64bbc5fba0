//! Units in memory.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caulk_base::Place;
use caulk_cfront::{FrontUnit, Limits, Tree, read_unit, tree};
use caulk_project::{CompilerFacts, IncludeDir, IncludeKind, SourceFiles, Unit, UnitOptions};

pub const STACK: usize = 256 << 20;

/// A unit `/src/unit.c` with other files around it; `/system` is a system folder, `/src` the
/// folder that names are shown relative to.
pub struct Project {
    files: SourceFiles,
    pub unit: Unit,
    pub limits: Limits,
}

impl Project {
    pub fn new(source: impl AsRef<[u8]>) -> Self {
        let unit = Unit {
            source: PathBuf::from("/src/unit.c"),
            display: PathBuf::from("unit.c"),
            directory: PathBuf::from("/src"),
            options: UnitOptions {
                includes: vec![IncludeDir { kind: IncludeKind::System, path: "/system".into() }],
                ..UnitOptions::default()
            },
        };
        Self { files: SourceFiles::new(), unit, limits: Limits::default() }
            .file("/src/unit.c", source)
    }

    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.files.insert_virtual(Path::new(path), text.as_ref());
        self
    }

    pub fn facts(mut self, change: impl FnOnce(&mut CompilerFacts)) -> Self {
        change(Arc::make_mut(&mut self.unit.options.facts));
        self
    }

    pub fn options(mut self, change: impl FnOnce(&mut UnitOptions)) -> Self {
        change(&mut self.unit.options);
        self
    }

    /// On a stack as large as the driver's.
    pub fn read(&self) -> FrontUnit {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let run = || read_unit(&self.unit, &self.files, &self.limits);
            thread.spawn_scoped(scope, run).unwrap().join().unwrap()
        })
    }
}

/// The tree of a unit that must be free of errors.
pub fn tree(source: &str) -> Tree {
    whole(Project::new(source).read())
}

pub fn whole(unit: FrontUnit) -> Tree {
    assert_eq!(messages(&unit), Vec::<String>::new());
    unit.tree.expect("a unit without errors has a tree")
}

pub fn messages(unit: &FrontUnit) -> Vec<String> {
    unit.errors.iter().map(ToString::to_string).collect()
}

pub fn decl(tree: &Tree, name: &str) -> tree::DeclId {
    let all = (0..tree.tast.counts().decls).map(tree::Idx::from_usize);
    let mut named = all.filter(|&id| tree.decl_name(id) == name);
    named.next().unwrap_or_else(|| panic!("`{name}` is not declared"))
}

pub fn defined(tree: &Tree) -> Vec<&str> {
    tree.definitions().iter().map(|&id| tree.decl_name(id)).collect()
}

/// `file:line:column`.
pub fn show(tree: &Tree, place: Place) -> String {
    let path = tree.files()[place.file].path.display();
    format!("{path}:{}:{}", place.line, place.column)
}
