//! `caulk.toml`: what a project has decided once and for all.
//!
//! Every mistake names the file, the line and what was expected; a key that nobody knows is a
//! mistake, since a setting that silently does nothing is worse than none.

mod read;
mod template;

use std::path::{Path, PathBuf};

use caulk_driver::{Engine, Knowledge};
use caulk_project::{SourceFiles, current_dir, describe, find_config};
use glob::{MatchOptions, Pattern};

use crate::args::{ConfigArgs, FailOn, KnowledgeArgs, Show};
use crate::exit::Failure;
use crate::program::read_knowledge;

pub use template::TEMPLATE;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Paths in the file are relative to this.
    pub folder: PathBuf,
    pub models: Vec<Named>,
    pub machines: Vec<Named>,
    pub exclude: Vec<Pattern>,
    pub engine: Option<Engine>,
    pub fail_on: Option<FailOn>,
    pub show: Vec<Show>,
    pub policies: Vec<(String, String)>,
    pub switches: Vec<String>,
}

/// A file that the configuration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub path: PathBuf,
    /// File, line and column of its name.
    pub place: String,
}

impl Config {
    /// The file that the command line names, or the project's own, or nothing.
    pub fn of(args: &ConfigArgs) -> Result<Self, Failure> {
        let here = current_dir().map_err(|error| Failure::usage(error.to_string()))?;
        let path = match &args.config {
            _ if args.no_config => None,
            Some(path) => Some(here.join(path)),
            None => find_config(&here),
        };
        path.map_or_else(|| Ok(Self::default()), |path| Self::load(&path, &here))
    }

    /// What it names, and what the command line adds.
    pub fn knowledge(&self, own: &KnowledgeArgs) -> Result<Knowledge, Failure> {
        let files = |named: &[Named], own: &[PathBuf]| -> Result<Vec<PathBuf>, Failure> {
            let named = named.iter().map(Named::readable).collect::<Result<Vec<_>, _>>()?;
            Ok(named.into_iter().chain(own.iter().cloned()).collect())
        };
        read_knowledge(&KnowledgeArgs {
            models: files(&self.models, &own.models)?,
            machines: files(&self.machines, &own.machines)?,
            policies: self.policies.iter().chain(&own.policies).cloned().collect(),
            switches: self.switches.iter().chain(&own.switches).cloned().collect(),
        })
    }

    fn load(path: &Path, here: &Path) -> Result<Self, Failure> {
        let shown = path.strip_prefix(here).unwrap_or(path);
        let bytes = SourceFiles::new().read(path).map_err(|error| {
            Failure::usage(format!("configuration {}", describe(shown, &error)))
        })?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        let text = read::text(&bytes, shown).map_err(Failure::usage)?;
        read::config(text, shown, folder).map_err(Failure::usage)
    }

    /// Whether the project does not want to see findings in this file.
    pub fn excludes(&self, path: &Path) -> bool {
        const OPTIONS: MatchOptions = MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: false,
        };
        let inside = path.strip_prefix(&self.folder).unwrap_or(path);
        self.exclude.iter().any(|pattern| pattern.matches_path_with(inside, OPTIONS))
    }
}

impl Named {
    /// The path, or where it was written and why nothing is there.
    fn readable(&self) -> Result<PathBuf, Failure> {
        match SourceFiles::new().read(&self.path) {
            Ok(_) => Ok(self.path.clone()),
            Err(error) => {
                let what = format!("{}: expected a file", self.place);
                Err(Failure::usage(format!("{what}: {}", describe(&self.path, &error))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excluded_paths_are_globs() {
        let text = "exclude = [\"third_party/**\", \"src/*.gen.c\", \"vendor/\", \"**/tests/*.c\"]";
        let config = read::config(text, Path::new("caulk.toml"), Path::new("/p")).unwrap();
        let excluded = |path: &str| config.excludes(&Path::new("/p").join(path));
        for path in ["third_party/a.c", "third_party/x/y/a.c", "src/a.gen.c", "vendor/x/a.c"] {
            assert!(excluded(path), "{path}");
        }
        assert!(excluded("tests/a.c") && excluded("a/b/tests/a.c"));
        for path in ["a.c", "src/x/a.gen.c", "src/a.c", "my_third_party/a.c", "tests/x/a.c"] {
            assert!(!excluded(path), "{path}");
        }
        assert!(!config.excludes(Path::new("/usr/include/third_party/a.h")));
    }
}
