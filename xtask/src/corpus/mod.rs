//! The corpus: real C programs with a recorded compile database, outside the repository.
//!
//! `lab/corpus.toml` lists them. Each lives in a folder of its own under the root, which is
//! `$CAULK_CORPUS` or `caulk-corpus` beside the checkout; `READY` in the root lists the programs
//! whose database is complete.

mod apt;
mod catalogue;
mod command_line;
mod crates;
mod database;
mod fetch;
mod ready;
pub mod run;
pub mod shim;

use crate::show;
use apt::Apt;
use catalogue::Program;
pub use catalogue::{Half, parse as parse_catalogue};
pub use database::{Entry, write as write_database};
use fetch::{Fetch, Place};
pub use ready::{Ready, choose};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask corpus list               the programs, their versions and numbers of units
cargo xtask corpus path [NAME]        the folder of a program, or of all
cargo xtask corpus fetch NAME…|--all  download, build, and record compile_commands.json";

/// The corpus as this checkout sees it.
struct Corpus {
    root: PathBuf,
    programs: Vec<Program>,
}

/// Runs `cargo xtask corpus` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let corpus = Corpus::open(checkout)?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => show(&corpus.list()),
        ["path"] => show(&format!("{}\n", corpus.root.display())),
        ["path", name] => show(&format!("{}\n", corpus.place_of(name)?.folder().display())),
        ["fetch", "--all"] => return corpus.fetch(&corpus.programs),
        ["fetch", _, ..] => {
            return corpus.fetch(&catalogue::select(&corpus.programs, &arguments[1..])?);
        }
        _ => return Err(format!("usage:\n{USAGE}")),
    }
    Ok(ExitCode::SUCCESS)
}

impl Corpus {
    fn open(checkout: &Path) -> Result<Corpus, String> {
        let file = checkout.join("lab/corpus.toml");
        let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|e| told(&e))?;
        let programs = catalogue::parse(&text).map_err(|e| told(&e))?;
        Ok(Corpus { root: root(checkout)?, programs })
    }

    fn place(&self, program: &Program) -> Place {
        Place::new(&self.root, &program.name)
    }

    fn place_of(&self, name: &str) -> Result<Place, String> {
        let found = catalogue::select(&self.programs, &[name.to_string()])?;
        Ok(self.place(&found[0]))
    }

    fn list(&self) -> String {
        self.programs.iter().map(|program| self.describe(program)).collect()
    }

    fn describe(&self, program: &Program) -> String {
        let place = self.place(program);
        let units = describe_units(database::read(&place.database()));
        let other = place.version().filter(|version| *version != program.version);
        let note = other.map_or(String::new(), |version| format!(", but of {version}"));
        format!("{:10} {:24} {units}{note}\n", program.name, program.version)
    }

    /// Fetches each; a failure is told, and costs that program only.
    fn fetch(&self, programs: &[Program]) -> Result<ExitCode, String> {
        let shims = self.root.join(".shims");
        shim::install(&shims).map_err(|e| format!("{}: {e}", shims.display()))?;
        let apt = Apt::default();
        let mut failed = Vec::new();
        for program in programs {
            let fetch = Fetch { program, place: self.place(program), shims: &shims, apt: &apt };
            if let Err(reason) = fetch.run() {
                eprintln!("{}: failed: {reason}", program.name);
                failed.push(program.name.as_str());
            }
            self.write_ready()?;
        }
        eprintln!("{} of {} programs ready", programs.len() - failed.len(), programs.len());
        if failed.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        eprintln!("failed: {}", failed.join(" "));
        Ok(ExitCode::FAILURE)
    }

    fn write_ready(&self) -> Result<(), String> {
        let is_ready = |p: &&Program| self.place(p).is_ready();
        let names = self.programs.iter().filter(is_ready).map(|p| format!("{}\n", p.name));
        let file = self.root.join("READY");
        std::fs::write(&file, names.collect::<String>())
            .map_err(|e| format!("{}: {e}", file.display()))
    }
}

fn describe_units(database: Option<Vec<database::Entry>>) -> String {
    let Some(entries) = database else { return "    – not fetched".into() };
    let units = entries.iter().filter(|entry| entry.is_c()).count();
    format!("{units:5} C units, {:3} in assembly", entries.len() - units)
}

/// Downloads a program that comes out of a crate into `folder`, and tells where its sources are.
pub fn download_crate(checkout: &Path, name: &str, folder: &Path) -> Result<PathBuf, String> {
    let corpus = Corpus::open(checkout)?;
    let chosen = catalogue::select(&corpus.programs, &[name.to_string()])?;
    crates::download(&chosen[0], folder, &folder.with_extension("log"))?;
    Ok(crates::unpacked(&chosen[0], folder))
}

/// The folder of the corpus, made if needed.
pub fn root(checkout: &Path) -> Result<PathBuf, String> {
    let chosen = std::env::var_os("CAULK_CORPUS").filter(|c| !c.is_empty()).map(PathBuf::from);
    let root = chosen.unwrap_or_else(|| checkout.join("../caulk-corpus"));
    std::fs::create_dir_all(&root)
        .and_then(|()| root.canonicalize())
        .map_err(|e| format!("{}: {e}", root.display()))
}
