//! A program to be mutated: one of `suites/lab`, or one of the corpus with its compile database.

use super::releases::{FindReleases, Release};
use crate::corpus::{self, Entry, write_database};
use crate::lab::findings::relative;
use crate::lab::runnable;
use crate::lab::runnable::program::Program;
use crate::syntax_only::SyntaxOnly;
use crate::tools::Scratch;
use caulk_driver::{CancelFlag, Inputs, Options, Silent};
use caulk_project::{LoadOptions, default_cache_dir, from_database};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Target {
    pub name: String,
    /// What files are relative to.
    pub root: PathBuf,
    pub units: Vec<Entry>,
    /// Set for a program of `suites/lab`.
    pub runnable: Option<Program>,
}

impl Target {
    pub fn open(checkout: &Path, name: &str) -> Result<Target, String> {
        let folder = runnable::folder(checkout);
        if folder.join(format!("{name}.c")).is_file() {
            return Ok(Self::runnable(Program::read(&folder.join(format!("{name}.c")))?));
        }
        let mut chosen = corpus::choose(checkout, &[name.to_string()])?.programs;
        let ready = chosen.pop().ok_or(format!("no program {name}"))?;
        Ok(Target { name: ready.name, root: ready.folder, units: ready.units, runnable: None })
    }

    pub fn runnable(program: Program) -> Target {
        let root = program.source.parent().unwrap_or(Path::new("/")).to_path_buf();
        let file = program.source.to_string_lossy().into_owned();
        let words = ["gcc", "-std=gnu17", "-c", &file].map(String::from).to_vec();
        let directory = root.to_string_lossy().into_owned();
        let units = vec![Entry { file, directory, arguments: words, output: None }];
        Target { name: program.name.clone(), root, units, runnable: Some(program) }
    }

    /// The releases of all units, each place once.
    pub fn releases(&self, scratch: &Scratch) -> Result<Vec<Release>, String> {
        let database = scratch.file("compile_commands.json");
        write_database(&database, &self.units)?;
        let options =
            LoadOptions { cache_dir: default_cache_dir(), ..LoadOptions::new(&self.root) };
        let project = from_database(&database, &options).map_err(|problem| problem.to_string())?;
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let (inputs, options) = (Inputs::new(project), Options::new(threads));
        let run = caulk_driver::run(&inputs, &options, FindReleases, &CancelFlag::new(), &Silent);
        let mut all: Vec<Release> =
            run.outcomes.into_iter().filter_map(|outcome| outcome.output).flatten().collect();
        all.sort_by(|a, b| (&a.file, a.start).cmp(&(&b.file, b.start)));
        all.dedup_by(|a, b| a.file == b.file && a.start == b.start);
        Ok(all)
    }

    pub fn relative(&self, file: &Path) -> String {
        relative(&self.root, &self.root, &file.to_string_lossy())
    }

    /// The first command that compiles a file.
    pub fn unit_of(&self, file: &Path) -> Option<&Entry> {
        let wanted = self.relative(file);
        let name = |unit: &Entry| relative(&self.root, Path::new(&unit.directory), &unit.file);
        self.units.iter().find(|unit| name(unit) == wanted)
    }

    /// Whether the unit's compiler takes `text` in place of the file.
    pub fn compiles(&self, file: &Path, text: &str, scratch: &Scratch) -> Result<bool, String> {
        let Some(unit) = self.unit_of(file) else { return Ok(false) };
        let mutated = scratch.file("mutated.c");
        std::fs::write(&mutated, text).map_err(|e| format!("{}: {e}", mutated.display()))?;
        let SyntaxOnly { compiler, arguments, folder } = SyntaxOnly::on(unit, &mutated);
        let mut command = Command::new(&compiler);
        command.arg("-iquote").arg(file.parent().unwrap_or(file)).args(arguments);
        command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
        let status = command.status().map_err(|e| format!("cannot run {compiler}: {e}"))?;
        Ok(status.success())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::mutate::releases::Gives;

    const TEXT: &str = "#include <stdlib.h>\n\
        #define DROP(p) free(p)\n\
        static void drop(int *p) { free(p); }\n\
        int *use(int n, int *q) {\n    drop(q);\n    DROP(q);\n    puts_nothing(q);\n    \
        return n ? q : 0;\n}\n";

    fn target(scratch: &Scratch) -> Target {
        let source = scratch.file("small.c");
        std::fs::write(&source, TEXT).unwrap();
        Target::runnable(Program::read(&source).unwrap())
    }

    #[test]
    fn releases_are_those_that_the_source_spells() {
        let scratch = Scratch::new("releases").unwrap();
        let found = target(&scratch).releases(&scratch).unwrap();
        let places: Vec<(&str, u32)> =
            found.iter().map(|row| (row.callee.as_str(), row.start.0)).collect();
        assert_eq!(places, [("free", 3), ("drop", 5)]);
        assert_eq!((found[0].gives, found[1].gives), (Gives::Nothing, Gives::Scalar));
        assert_eq!(found[1].numbers, ["n"]);
    }

    #[test]
    fn mutants_must_compile() {
        let scratch = Scratch::new("compiles").unwrap();
        let target = target(&scratch);
        let file = target.root.join("small.c");
        assert_eq!(target.compiles(&file, TEXT, &scratch), Ok(true));
        assert_eq!(target.compiles(&file, "int x = ;", &scratch), Ok(false));
        assert_eq!(target.compiles(&target.root.join("other.c"), TEXT, &scratch), Ok(false));
    }
}
