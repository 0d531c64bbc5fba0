//! Programs of the corpus that are built, for the commands that read them.

use super::database::{self, Entry};
use super::{Corpus, catalogue};
use std::path::{Path, PathBuf};

/// A program with its compile database.
pub struct Ready {
    pub name: String,
    pub folder: PathBuf,
    /// The commands that compile C, in the order of the database.
    pub units: Vec<Entry>,
}

/// Which programs a command is about.
pub struct Choice {
    pub programs: Vec<Ready>,
    /// Whether these are all programs of the catalogue.
    pub is_all: bool,
}

/// The programs that the arguments name: `--all` or nothing for all. Every one must be ready.
pub fn choose(checkout: &Path, arguments: &[String]) -> Result<Choice, String> {
    let corpus = Corpus::open(checkout)?;
    let is_all = matches!(arguments, [] | [_]) && arguments.iter().all(|word| word == "--all");
    let chosen = match is_all {
        true => corpus.programs.clone(),
        false => catalogue::select(&corpus.programs, arguments)?,
    };
    let ready = |program: &catalogue::Program| {
        let place = corpus.place(program);
        let entries = Some(place.is_ready()).filter(|&ready| ready);
        let entries = entries.and_then(|_| database::read(&place.database()));
        let name = program.name.clone();
        let mut units =
            entries.ok_or(format!("{name} is not ready: cargo xtask corpus fetch {name}"))?;
        units.retain(Entry::is_c);
        Ok(Ready { name, folder: place.folder().to_path_buf(), units })
    };
    let programs = chosen.iter().map(ready).collect::<Result<_, String>>()?;
    Ok(Choice { programs, is_all })
}
