//! From commands to units: the loader walks the commands in order, finds their sources, asks for
//! compiler facts, merges what is the same, and counts what is left out.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::builtin::BuiltInTarget;
use crate::command::{Invocation, find_compiler, find_compiler_in_shell, is_compiler};
use crate::compilers::Compilers;
use crate::database::{self, Entry, Text};
use crate::flags::{FlagTable, Input, Parsed, parse};
use crate::language::{Language, of_extension};
use crate::options::{Unit, UnitOptions};
use crate::paths::{absolute, for_display};
use crate::problem::{Position, Problem, SkipReason, Skipped, count_skipped};
use crate::response::expand;
use crate::sources::{SourceFiles, check_kind, describe, read_once};
use crate::tally::Tally;
use crate::words::split_shell;

/// All that was found out about a project.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// In the order of the database or of the command line.
    pub units: Vec<Unit>,
    pub skipped: Vec<Skipped>,
    pub problems: Vec<Problem>,
    /// Worth knowing, but nothing is lost by them.
    pub notes: Vec<String>,
    /// Commands that repeat an earlier unit exactly.
    pub merged: usize,
}

#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The run's current folder; absolute.
    pub current_dir: PathBuf,
    /// Asked for facts in place of the compilers that the commands name.
    pub compiler: Option<PathBuf>,
    /// Where compiler facts are kept between runs; None keeps nothing.
    pub cache_dir: Option<PathBuf>,
    /// Whose built-in facts are used where no compiler answers.
    pub target_without_compiler: BuiltInTarget,
}

impl LoadOptions {
    /// No cache, the commands' own compilers, and this machine as the target without one.
    #[must_use]
    pub fn new(current_dir: &Path) -> Self {
        Self {
            current_dir: current_dir.to_path_buf(),
            compiler: None,
            cache_dir: None,
            target_without_compiler: BuiltInTarget::of_host(),
        }
    }
}

pub(crate) const DATABASE_NAME: &str = "compile_commands.json";
const DATABASE_LIMIT: u64 = 1 << 30;
const SOURCE_LIMIT: u64 = u64::MAX;

/// The units of a compile database: the file, or the folder that holds `compile_commands.json`.
/// Fails only if there is no database to read.
pub fn from_database(path: &Path, options: &LoadOptions) -> Result<Project, Problem> {
    let path = absolute(&options.current_dir, path);
    let file = if path.is_dir() { path.join(DATABASE_NAME) } else { path };
    let shown = for_display(&options.current_dir, &file);
    let bytes = read_once(&file, DATABASE_LIMIT).map_err(|error| no_database(&file, &error))?;
    let database = database::read(&bytes).map_err(|problem| problem.in_file(&shown))?;
    let folder = file.parent().unwrap_or(Path::new("/")).to_path_buf();
    let mut loader = Loader::new(options);
    let problems = database.problems.into_iter().map(|problem| problem.in_file(&shown));
    loader.project.problems.extend(problems);
    for (position, entry) in &database.entries {
        loader.entry(entry, &folder, &Origin { file: Some(&shown), position: Some(*position) });
    }
    Ok(loader.finish())
}

fn no_database(file: &Path, error: &std::io::Error) -> Problem {
    Problem::new(format!(
        "no compile database: {}; make one with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, \
         `meson setup` or `caulk record -- make`, or name source files",
        describe(file, error)
    ))
}

/// The units of files named one by one, all compiled with `flags`.
#[must_use]
pub fn from_files(files: &[PathBuf], flags: &[String], options: &LoadOptions) -> Project {
    let mut loader = Loader::new(options);
    let words: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let names_compiler = words.first().is_some_and(|word| is_compiler(word));
    let (compiler, args) = words.split_at(usize::from(names_compiler));
    let invocation = Invocation {
        compiler: compiler.first().cloned(),
        cpp_driver: false,
        args: args.to_vec(),
        directory: options.current_dir.clone(),
    };
    let origin = Origin { file: None, position: None };
    let parsed = loader.parse(&invocation, &origin);
    for input in &parsed.inputs {
        let text = format!("argument {} is no flag and was ignored", input.name.display());
        loader.notes.add(text);
    }
    for file in files {
        loader.named_file(file, &invocation, &parsed, &origin);
    }
    loader.finish()
}

/// Where a command was written.
struct Origin<'a> {
    file: Option<&'a Path>,
    position: Option<Position>,
}

struct Loader<'a> {
    options: &'a LoadOptions,
    table: FlagTable,
    compilers: Compilers<'a>,
    /// Response files, read once.
    files: SourceFiles,
    project: Project,
    seen: FxHashSet<(PathBuf, UnitOptions)>,
    unknown: Tally,
    notes: Tally,
}

impl<'a> Loader<'a> {
    fn new(options: &'a LoadOptions) -> Self {
        Self {
            options,
            table: FlagTable::new(),
            compilers: Compilers::new(options),
            files: SourceFiles::new(),
            project: Project::default(),
            seen: FxHashSet::default(),
            unknown: Tally::default(),
            notes: Tally::default(),
        }
    }

    fn entry(&mut self, entry: &Entry, folder: &Path, origin: &Origin<'_>) {
        let directory = entry.directory.as_ref().map_or(Path::new(""), |Text(dir)| Path::new(dir));
        let directory = absolute(folder, directory);
        let invocation = match (&entry.arguments, &entry.command) {
            (Some(words), _) => {
                let words: Vec<OsString> = words.iter().map(|Text(word)| word.clone()).collect();
                find_compiler(&words, &directory)
            }
            (None, Some(Text(command))) => {
                find_compiler_in_shell(&split_shell(command.as_bytes()), &directory)
            }
            (None, None) => {
                self.report("entry left out: it has neither `command` nor `arguments`", origin);
                return;
            }
        };
        let file = entry.file.as_ref().map(|Text(file)| file.as_os_str());
        self.command(&invocation, file, origin);
    }

    fn command(&mut self, invocation: &Invocation, file: Option<&OsStr>, origin: &Origin<'_>) {
        let parsed = self.parse(invocation, origin);
        let mut inputs = parsed.inputs.clone();
        // Some databases leave the source out of the command.
        if inputs.is_empty() {
            inputs.extend(file.map(|file| Input { name: file.to_os_string(), language: None }));
        }
        let sources = sources_of(&inputs, invocation.cpp_driver);
        let first = inputs.first().map(|input| input.name.as_os_str()).or(file);
        let first = absolute(&invocation.directory, Path::new(first.unwrap_or_default()));
        if sources.is_empty() || parsed.preprocess_only {
            let reason = if parsed.preprocess_only && !sources.is_empty() {
                SkipReason::PreprocessOnly
            } else {
                SkipReason::NoSource
            };
            self.skip(reason, &first);
            return;
        }
        for (name, language) in sources {
            let source = absolute(&invocation.directory, Path::new(&name));
            match language.skip_reason() {
                Some(reason) => self.skip(reason, &source),
                None => self.unit(source, language, invocation, &parsed, origin),
            }
        }
    }

    /// A file that a person named: whatever it is, they hear of it.
    fn named_file(
        &mut self,
        file: &Path,
        invocation: &Invocation,
        parsed: &Parsed,
        origin: &Origin<'_>,
    ) {
        let source = absolute(&self.options.current_dir, file);
        match parsed.language.or_else(|| of_extension(file.as_os_str())) {
            Some(Language::Header) => self.unit(source, Language::C, invocation, parsed, origin),
            Some(language) => match language.skip_reason() {
                Some(reason) => self.skip(reason, &source),
                None => self.unit(source, language, invocation, parsed, origin),
            },
            None => match check_kind(&source, SOURCE_LIMIT) {
                Ok(_) => {
                    self.report_file("not known as C by its name; if it is, add `-- -x c`", &source)
                }
                Err(error) => self.unreadable(&source, &error, origin),
            },
        }
    }

    fn parse(&mut self, invocation: &Invocation, origin: &Origin<'_>) -> Parsed {
        let expansion = expand(&invocation.args, &invocation.directory, &self.files);
        let mut parsed = parse(&self.table, &expansion.words, &invocation.directory);
        for text in expansion.problems.iter().chain(&parsed.problems) {
            self.report(text, origin);
        }
        parsed.unknown.sort();
        parsed.unknown.dedup();
        parsed
    }

    fn unit(
        &mut self,
        source: PathBuf,
        language: Language,
        invocation: &Invocation,
        parsed: &Parsed,
        origin: &Origin<'_>,
    ) {
        if let Err(error) = check_kind(&source, SOURCE_LIMIT) {
            self.unreadable(&source, &error, origin);
            return;
        }
        let compiler = invocation.compiler.as_deref();
        let known = self.compilers.facts(compiler, &invocation.directory, &parsed.fact_flags);
        let options = UnitOptions {
            preprocessed: language == Language::PreprocessedC,
            facts: known.facts,
            ..parsed.options.clone()
        };
        // A merged command is still a command whose flag was not understood.
        parsed.unknown.iter().for_each(|flag| self.unknown.add(flag.clone()));
        if !self.seen.insert((source.clone(), options.clone())) {
            self.project.merged += 1;
            return;
        }
        known.notes.into_iter().for_each(|note| self.notes.add(note));
        let display = for_display(&self.options.current_dir, &source);
        let directory = invocation.directory.clone();
        self.project.units.push(Unit { source, display, directory, options });
    }

    fn skip(&mut self, reason: SkipReason, file: &Path) {
        let shown = for_display(&self.options.current_dir, file);
        count_skipped(&mut self.project.skipped, reason, &shown);
    }

    fn unreadable(&mut self, source: &Path, error: &std::io::Error, origin: &Origin<'_>) {
        let shown = for_display(&self.options.current_dir, source);
        let advice = if origin.file.is_some() {
            "build the project so that generated files exist, or make the database again"
        } else {
            "check the name"
        };
        self.report(&format!("source file {}; {advice}", describe(&shown, error)), origin);
    }

    fn report(&mut self, text: &str, origin: &Origin<'_>) {
        let mut problem = Problem::new(text);
        problem.file = origin.file.map(Path::to_path_buf);
        if let Some(position) = origin.position {
            problem = problem.at(position);
        }
        self.project.problems.push(problem);
    }

    fn report_file(&mut self, text: &str, source: &Path) {
        let shown = for_display(&self.options.current_dir, source);
        self.project.problems.push(Problem::new(text).in_file(&shown));
    }

    fn finish(mut self) -> Project {
        let unknown = self.unknown.rows().map(|(flag, units)| {
            format!("flag {flag} is not known to caulk and was ignored ({})", units_text(units))
        });
        let notes =
            self.notes.rows().map(|(text, units)| format!("{text} ({})", units_text(units)));
        self.project.notes = notes.chain(unknown).chain(self.compilers.cache_problem).collect();
        self.project
    }
}

fn units_text(count: usize) -> String {
    if count == 1 { "1 unit".to_owned() } else { format!("{count} units") }
}

/// The inputs that are compiled, with their language.
pub(crate) fn sources_of(inputs: &[Input], cpp_driver: bool) -> Vec<(OsString, Language)> {
    let language = |input: &Input| match input.language {
        Some(language) => Some(language),
        None => match of_extension(&input.name)? {
            Language::C | Language::Header | Language::PreprocessedC if cpp_driver => {
                Some(Language::Cpp)
            }
            language => Some(language),
        },
    };
    inputs.iter().filter_map(|input| Some((input.name.clone(), language(input)?))).collect()
}
