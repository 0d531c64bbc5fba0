//! The compilers of a run, each asked once per distinct set of flags, with the cache between.
//!
//! The order of trust: the compiler that the command names; for a command without a usable name
//! `cc`, then `gcc`; and last the built-in facts. Whatever is less than the first is said in a
//! note.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ask::{Refusal, ask, essential};
use crate::builtin::{self, BuiltInTarget};
use crate::command::{is_compiler, is_launcher};
use crate::facts::{Answers, CompilerFacts, FactsSource};
use crate::facts_cache;
use crate::load::LoadOptions;
use crate::paths::{file_name, find_program, os};

pub(crate) struct Compilers<'a> {
    options: &'a LoadOptions,
    search: OsString,
    found: FxHashMap<(OsString, PathBuf), Option<PathBuf>>,
    known: FxHashMap<Question, Known>,
    /// Compilers that do not run or do not answer in time, so that each costs its wait once.
    silent: FxHashMap<PathBuf, String>,
    /// The first failure to write to the cache.
    pub cache_problem: Option<String>,
}

type Question = (Choice, Vec<OsString>);

/// Facts, and what a person should know about them.
#[derive(Clone)]
pub(crate) struct Known {
    pub facts: Arc<CompilerFacts>,
    pub notes: Vec<String>,
}

/// Which compiler answers for a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Choice {
    /// The compiler, and a note if it is not the one the command names.
    Program {
        path: PathBuf,
        note: Option<String>,
    },
    BuiltIn {
        target: BuiltInTarget,
        reason: String,
    },
}

impl<'a> Compilers<'a> {
    pub fn new(options: &'a LoadOptions) -> Self {
        Self {
            options,
            search: std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin")),
            found: FxHashMap::default(),
            known: FxHashMap::default(),
            silent: FxHashMap::default(),
            cache_problem: None,
        }
    }

    /// The facts for a command that names `compiler` and runs in `directory`.
    pub fn facts(
        &mut self,
        compiler: Option<&OsStr>,
        directory: &Path,
        flags: &[OsString],
    ) -> Known {
        let question = (self.choose(compiler, directory), flags.to_vec());
        if let Some(known) = self.known.get(&question) {
            return known.clone();
        }
        let known = match &question.0 {
            Choice::Program { path, note } => self.of_program(path, note.as_deref(), flags),
            Choice::BuiltIn { target, reason } => self.built_in(*target, reason.clone(), flags),
        };
        self.known.insert(question, known.clone());
        known
    }

    fn choose(&mut self, compiler: Option<&OsStr>, directory: &Path) -> Choice {
        if let Some(path) = &self.options.compiler {
            let current = self.options.current_dir.clone();
            return self.named(path.clone().as_os_str(), &current);
        }
        match compiler {
            Some(name) if is_compiler(name) => self.named(name, directory),
            Some(name) => self.usual(Some(name)),
            None => self.usual(None),
        }
    }

    fn named(&mut self, name: &OsStr, directory: &Path) -> Choice {
        match self.find(name, directory) {
            Some(path) => Choice::Program { path, note: None },
            None => {
                let target = BuiltInTarget::from_compiler_name(name);
                let target = target.unwrap_or(self.options.target_without_compiler);
                let reason = format!("compiler {} was not found", name.display());
                Choice::BuiltIn { target, reason }
            }
        }
    }

    /// For a command that names no compiler, or one that would not understand the question.
    fn usual(&mut self, instead_of: Option<&OsStr>) -> Choice {
        for name in ["cc", "gcc"] {
            if let Some(path) = self.find(OsStr::new(name), Path::new("/")) {
                let note = instead_of.map(|other| {
                    format!(
                        "{} is not known as a C compiler; {name} answered for it",
                        other.display()
                    )
                });
                return Choice::Program { path, note };
            }
        }
        let target = self.options.target_without_compiler;
        Choice::BuiltIn { target, reason: "neither cc nor gcc was found".to_owned() }
    }

    fn find(&mut self, name: &OsStr, directory: &Path) -> Option<PathBuf> {
        let key = (name.to_os_string(), directory.to_path_buf());
        let search = &self.search;
        let find = || {
            let near = find_program(name, directory, search, is_masquerade);
            near.or_else(|| behind_masquerade(name, directory, search))
        };
        self.found.entry(key).or_insert_with(find).clone()
    }

    fn of_program(&mut self, path: &Path, note: Option<&str>, flags: &[OsString]) -> Known {
        let mut notes: Vec<String> = note.map(str::to_owned).into_iter().collect();
        let mut answers = self.answers(path, flags);
        let fewer = essential(flags);
        if let Err(first) = &answers
            && fewer != flags
        {
            let note =
                format!("compiler {} {first}; it was asked with fewer flags", path.display());
            answers = self.answers(path, &fewer);
            notes.push(note);
        }
        match answers {
            Ok(answers) => {
                let facts = answers.into_facts(FactsSource::Asked { compiler: path.to_path_buf() });
                Known { facts: self.shared(facts), notes }
            }
            Err(text) => {
                let target = BuiltInTarget::from_compiler_name(path.as_os_str());
                let target = target.unwrap_or(self.options.target_without_compiler);
                self.built_in(target, format!("compiler {} {text}", path.display()), flags)
            }
        }
    }

    fn answers(&mut self, compiler: &Path, flags: &[OsString]) -> Result<Answers, String> {
        if let Some(text) = self.silent.get(compiler) {
            return Err(text.clone());
        }
        let place = self.options.cache_dir.as_deref().zip(facts_cache::key(compiler, flags));
        if let Some(answers) = place.as_ref().and_then(|(dir, key)| facts_cache::load(dir, key)) {
            return Ok(answers);
        }
        let answers = ask(compiler, flags).map_err(|refusal| self.remember(compiler, refusal))?;
        if let Some((dir, key)) = place {
            self.keep(dir, &key, &answers);
        }
        Ok(answers)
    }

    fn remember(&mut self, compiler: &Path, refusal: Refusal) -> String {
        if refusal.for_good {
            self.silent.insert(compiler.to_path_buf(), refusal.text.clone());
        }
        refusal.text
    }

    fn keep(&mut self, folder: &Path, key: &str, answers: &Answers) {
        if let Err(error) = facts_cache::store(folder, key, answers) {
            self.cache_problem.get_or_insert_with(|| {
                format!("compiler facts could not be kept in {}: {error}", folder.display())
            });
        }
    }

    fn built_in(&self, target: BuiltInTarget, reason: String, flags: &[OsString]) -> Known {
        let answers = builtin::answers(target, flags, Path::new("/"));
        let note = format!(
            "{reason}; built-in facts for {target} are used (name a compiler that exists to be exact)"
        );
        let facts = answers.into_facts(FactsSource::BuiltIn { target, reason });
        Known { facts: self.shared(facts), notes: vec![note] }
    }

    /// Equal facts are one value, whatever flags led to them.
    fn shared(&self, facts: CompilerFacts) -> Arc<CompilerFacts> {
        let known = self.known.values().find(|known| *known.facts == facts);
        known.map_or_else(|| Arc::new(facts), |known| known.facts.clone())
    }
}

/// `/usr/lib/ccache/gcc` stands for the next `gcc` on the search path.
fn behind_masquerade(name: &OsStr, directory: &Path, search: &OsStr) -> Option<PathBuf> {
    let path = find_program(name, directory, search, |_| false)?;
    find_program(&os(file_name(path.as_os_str())), directory, search, is_masquerade)
}

/// `gcc` as a link to ccache: the answers depend on the compiler behind it, so find that.
fn is_masquerade(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| is_launcher(&os(file_name(real.as_os_str()))))
}
