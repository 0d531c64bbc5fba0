//! A program in both forms: a compile database of its units, and gcc's build of the same commands.

use super::suite::Program;
use crate::corpus::run::captured;
use crate::corpus::{Entry, Ready, write_database};
use crate::tools::Scratch;
use crate::workers;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the failing build redirects; see `suites/programs/failing_malloc.c`.
const WRAPPED: &[&str] = &["malloc", "calloc", "realloc", "strdup"];

/// Beginnings of the options that decide what a source means. Those of the first kind may have
/// their value in the next argument.
const WITH_VALUE: &[&str] = &["-D", "-U", "-I", "-include", "-isystem", "-iquote"];
const ALONE: &[&str] = &["-std=", "-f", "-m", "-pthread", "-ansi"];

/// A program to be run.
pub struct Built {
    pub version: String,
    pub database: PathBuf,
    pub native: PathBuf,
    /// With allocations that can fail; only where some case asks for it.
    pub failing: Option<PathBuf>,
}

pub fn build(
    program: &Program,
    source: &Ready,
    suite: &Path,
    scratch: &Scratch,
) -> Result<Built, String> {
    let folder = scratch.file(&program.name);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let units = units(program, source, suite)?;
    eprintln!("{}: building {} units …", program.name, units.len());
    let database = folder.join("compile_commands.json");
    write_database(&database, &units)?;
    let objects = objects(&units, &folder)?;
    let native = folder.join("native");
    link(&objects, &program.libraries, &native)?;
    let failing = match program.failing.is_empty() {
        true => None,
        false => Some(link_failing(objects, program, suite, &folder)?),
    };
    Ok(Built { version: version(source)?, database, native, failing })
}

/// The commands without optimisation, and one for the driver.
pub fn units(program: &Program, source: &Ready, suite: &Path) -> Result<Vec<Entry>, String> {
    let is_wanted =
        |entry: &&Entry| !program.without.iter().any(|name| Path::new(&entry.file).ends_with(name));
    let mut units: Vec<Entry> = source.units.iter().filter(is_wanted).map(plain).collect();
    if let Some(driver) = &program.driver {
        let first = units.first().ok_or(format!("{} has no units", program.name))?;
        let file = suite.join(driver).to_string_lossy().into_owned();
        units.push(Entry { arguments: command(&["-I."], &file), file, ..first.clone() });
    }
    Ok(units)
}

fn plain(entry: &Entry) -> Entry {
    let arguments = command(&meaning(&entry.arguments), &entry.file);
    Entry { arguments, output: None, ..entry.clone() }
}

fn command(options: &[&str], file: &str) -> Vec<String> {
    let words = [&["gcc", "-O0", "-w", "-c"], options, &[file]].concat();
    words.into_iter().map(String::from).collect()
}

/// The options that decide what a source means.
fn meaning(arguments: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut words = arguments.iter().map(String::as_str).skip(1);
    while let Some(word) = words.next() {
        let is_separate = WITH_VALUE.contains(&word);
        let is_kept = |list: &[&str]| list.iter().any(|start| word.starts_with(start));
        if is_kept(WITH_VALUE) || is_kept(ALONE) {
            kept.push(word);
            kept.extend(is_separate.then(|| words.next()).flatten());
        }
    }
    kept
}

/// Compiles them all.
fn objects(units: &[Entry], folder: &Path) -> Result<Vec<PathBuf>, String> {
    let numbered: Vec<(usize, &Entry)> = units.iter().enumerate().collect();
    let compile = |(number, unit): &(usize, &Entry)| {
        let object = folder.join(format!("{number}.o"));
        let mut gcc = Command::new("nice");
        gcc.args(&unit.arguments).arg("-o").arg(&object).current_dir(&unit.directory);
        captured(&mut gcc).map(|_| object)
    };
    workers::map(&numbered, compile)?.into_iter().collect()
}

fn link(objects: &[PathBuf], libraries: &[String], output: &Path) -> Result<(), String> {
    let mut gcc = Command::new("gcc");
    gcc.args(objects).args(libraries.iter().map(|name| format!("-l{name}")));
    captured(gcc.arg("-o").arg(output)).map(drop)
}

fn link_failing(
    objects: Vec<PathBuf>,
    program: &Program,
    suite: &Path,
    folder: &Path,
) -> Result<PathBuf, String> {
    let wrapper = folder.join("failing_malloc.o");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O0", "-c", "-fno-builtin"]).arg(suite.join("failing_malloc.c"));
    captured(gcc.arg("-o").arg(&wrapper))?;
    let output = folder.join("failing");
    let mut gcc = Command::new("gcc");
    gcc.args(WRAPPED.iter().map(|name| format!("-Wl,--wrap={name}")));
    gcc.args(objects).arg(wrapper).args(program.libraries.iter().map(|name| format!("-l{name}")));
    captured(gcc.arg("-o").arg(&output))?;
    Ok(output)
}

/// The version of the source package.
fn version(source: &Ready) -> Result<String, String> {
    let folder = source.folder.join("download");
    let files = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths = files.flatten().map(|entry| entry.path());
    let description = paths.find(|path| path.extension().is_some_and(|end| end == "dsc"));
    let text = description.and_then(|path| std::fs::read_to_string(path).ok());
    let line = text.as_deref().unwrap_or_default().lines();
    let found = line.filter_map(|line| line.strip_prefix("Version: ")).next();
    found.map(String::from).ok_or(format!("{}: no version in {}", source.name, folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_with_meaning_are_kept() {
        let line = "cc -O2 -Wall -DA=1 -I inc -Isrc -c -o x.o -std=gnu99 -MD -MF x.d -lm x.c";
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        assert_eq!(meaning(&words), ["-DA=1", "-I", "inc", "-Isrc", "-std=gnu99"]);
    }
}
