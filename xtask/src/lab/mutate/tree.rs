//! A copy of a program, beside the corpus, that is mutated and looked at by tools. Files are links
//! to those of the program, so that a copy costs next to nothing; a mutated file is one of its own.

use super::mutant::Mutant;
use super::target::Target;
use crate::corpus::run::captured;
use crate::corpus::{self, Entry, Ready};
use crate::lab::findings::relative;
use crate::lab::peers::{Bench, Examined, Peer};
use crate::lab::subject;
use crate::process_tree::Limits;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of sources in a program of the corpus.
const SOURCE: &str = "source";

pub struct Tree {
    /// What the files of mutants are relative to, in the program and in the copy.
    from: PathBuf,
    to: PathBuf,
    program: Ready,
    limits: Limits,
}

impl Tree {
    pub fn new(checkout: &Path, target: &Target, limits: Limits) -> Result<Tree, String> {
        let folder = corpus::root(checkout)?.join(".mutants").join(&target.name);
        let source = folder.join(SOURCE);
        let _ = std::fs::remove_dir_all(&source);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let (to, units) = match &target.runnable {
            Some(program) => {
                let file = format!("{}.c", program.name);
                std::fs::create_dir_all(&source)
                    .and_then(|()| std::fs::write(source.join(&file), &program.text))
                    .map_err(|e| format!("{}: {e}", source.display()))?;
                (source.clone(), vec![subject::unit(&source, &file)])
            }
            None => {
                let links = target.root.join(SOURCE);
                captured(Command::new("cp").arg("-al").arg(&links).arg(&source))?;
                let units = target.units.iter().map(|unit| moved(unit, &target.root, &folder));
                (folder.clone(), units.collect())
            }
        };
        let program = Ready { name: target.name.clone(), version: String::new(), folder, units };
        Ok(Tree { from: target.root.clone(), to, program, limits })
    }

    /// What a tool says about the program as it is, as far as it bears on these mutants.
    pub fn before(&mut self, tool: &dyn Peer, mutants: &[&Mutant]) -> Result<Examined, String> {
        self.program.version = "as it is".into();
        let files: Vec<&str> = mutants.iter().map(|mutant| mutant.file.as_str()).collect();
        self.examine(tool, &files)
    }

    /// Writes the mutant, calls the tools, and puts the file back.
    pub fn with<T>(
        &mut self,
        mutant: &Mutant,
        look: impl FnOnce(&Tree) -> Result<T, String>,
    ) -> Result<T, String> {
        let (old, new) = (self.from.join(&mutant.file), self.to.join(&mutant.file));
        let told = |e: std::io::Error| format!("{}: {e}", new.display());
        let text = std::fs::read_to_string(&old).map_err(told)?;
        let mutated = mutant.apply(&text)?;
        // Unlinked first: the link is to the program itself.
        std::fs::remove_file(&new).and_then(|()| std::fs::write(&new, &mutated)).map_err(told)?;
        let mut hasher = DefaultHasher::new();
        mutated.hash(&mut hasher);
        self.program.version = format!("{} {:016x}", mutant.id, hasher.finish());
        let looked = look(self);
        std::fs::write(&new, text).map_err(told)?;
        looked
    }

    /// Tools that look at units alone are given those of these files only.
    pub fn examine(&self, tool: &dyn Peer, files: &[&str]) -> Result<Examined, String> {
        let name = |unit: &Entry| relative(&self.to, Path::new(&unit.directory), &unit.file);
        let mut units = self.program.units.clone();
        units.retain(|unit| tool.is_whole() || files.contains(&name(unit).as_str()));
        let bench = Bench {
            program: &self.program,
            units: &units,
            limits: self.limits,
            jobs: 1,
            peer: tool.name(),
            is_apart: false,
        };
        tool.examine(&bench)
    }
}

/// The same compilation in the copy.
fn moved(unit: &Entry, from: &Path, to: &Path) -> Entry {
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    let moved = |word: &String| word.replace(&*from, &to);
    Entry {
        file: moved(&unit.file),
        directory: moved(&unit.directory),
        arguments: unit.arguments.iter().map(moved).collect(),
        output: unit.output.as_ref().map(moved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_compiled_in_the_copy() {
        let words = ["gcc", "-I/c/tar/source/lib", "-c", "a.c"].map(String::from).to_vec();
        let directory = "/c/tar/source/src".to_string();
        let unit = Entry { file: "a.c".into(), directory, arguments: words, output: None };
        let moved = moved(&unit, Path::new("/c/tar"), Path::new("/c/.mutants/tar"));
        assert_eq!(moved.directory, "/c/.mutants/tar/source/src");
        assert_eq!(moved.arguments[1], "-I/c/.mutants/tar/source/lib");
        assert_eq!(moved.file, "a.c");
    }
}
