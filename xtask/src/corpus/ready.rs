//! Programs of the corpus that are built, for the commands that read them.

use super::database::{self, Entry};
use super::{Corpus, catalogue};
use std::path::{Path, PathBuf};

/// A program with its compile database.
pub struct Ready {
    pub name: String,
    /// Of the sources that were downloaded.
    pub version: String,
    pub folder: PathBuf,
    /// The commands that compile C, in the order of the database.
    pub units: Vec<Entry>,
}

impl Ready {
    /// At most so many units, evenly from the whole program, always the same ones.
    pub fn spread(&self, most: usize) -> Vec<Entry> {
        let all = self.units.len();
        let count = most.min(all);
        (0..count).map(|i| self.units[i * all / count].clone()).collect()
    }
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
        let version = place.version().unwrap_or(program.version.clone());
        let mut units =
            entries.ok_or(format!("{name} is not ready: cargo xtask corpus fetch {name}"))?;
        units.retain(Entry::is_c);
        Ok(Ready { name, version, folder: place.folder().to_path_buf(), units })
    };
    let programs = chosen.iter().map(ready).collect::<Result<_, String>>()?;
    Ok(Choice { programs, is_all })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(units: usize) -> Ready {
        let unit = |number: usize| Entry {
            file: format!("{number}.c"),
            directory: "/d".into(),
            arguments: Vec::new(),
            output: None,
        };
        let units = (0..units).map(unit).collect();
        Ready { name: "p".into(), version: "1".into(), folder: "/d".into(), units }
    }

    #[test]
    fn some_units_are_spread_over_the_program() {
        let files = |most| {
            let units = program(10).spread(most);
            units.into_iter().map(|unit| unit.file).collect::<Vec<_>>()
        };
        assert_eq!(files(3), ["0.c", "3.c", "6.c"]);
        assert_eq!(files(99).len(), 10);
        assert!(program(0).spread(3).is_empty());
    }
}
