//! The list of corpus programs, `lab/corpus.toml`: names, pinned versions, and how to build them.

use serde::Deserialize;

/// One program of the corpus. The meaning of each key is told at the top of `lab/corpus.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub name: String,
    #[serde(default)]
    pub from: Origin,
    source: Option<String>,
    pub version: String,
    pub sha256: String,
    pub half: Half,
    #[serde(default)]
    pub reviews: bool,
    #[serde(default)]
    pub packages: Vec<String>,
    #[serde(default)]
    pub configure: Vec<String>,
    pub build: Vec<String>,
}

/// Where the sources of a program come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    #[default]
    Debian,
    Crate,
}

/// Whether a program may drive fixes, or only tells what they are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    Tuning,
    Test,
}

impl Half {
    pub fn parse(word: &str) -> Result<Half, String> {
        match word {
            "tuning" => Ok(Half::Tuning),
            "test" => Ok(Half::Test),
            _ => Err(format!("no half {word:?}: it is `tuning` or `test`")),
        }
    }
}

impl std::fmt::Display for Half {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Half::Tuning => "tuning",
            Half::Test => "test",
        })
    }
}

impl Program {
    /// The name of the source package, or of the crate.
    pub fn source(&self) -> &str {
        self.source.as_deref().unwrap_or(&self.name)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    program: Vec<Program>,
}

/// The programs in the order of the file, or what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Program>, String> {
    let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
    let mut seen = std::collections::BTreeSet::new();
    for program in &file.program {
        check(program)?;
        if !seen.insert(&program.name) {
            return Err(format!("{} is listed twice", program.name));
        }
    }
    Ok(file.program)
}

fn check(program: &Program) -> Result<(), String> {
    let name = &program.name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
        return Err(format!("{name:?} is not a name that can be a folder"));
    }
    if program.sha256.len() != 64 || !program.sha256.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(format!("{name}: sha256 is not 64 hexadecimal digits"));
    }
    Ok(())
}

/// The programs with these names, in the order of the catalogue.
pub fn select(programs: &[Program], names: &[String]) -> Result<Vec<Program>, String> {
    for name in names {
        if !programs.iter().any(|p| p.name == *name) {
            let known: Vec<_> = programs.iter().map(|p| p.name.as_str()).collect();
            return Err(format!("no program {name:?}; the corpus has {}", known.join(", ")));
        }
    }
    Ok(programs.iter().filter(|p| names.contains(&p.name)).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> String {
        let sum = "0".repeat(64);
        format!(
            "[[program]]\nname = \"{name}\"\nversion = \"1\"\nsha256 = \"{sum}\"\n\
             half = \"test\"\nbuild = [\"make\"]\n"
        )
    }

    #[test]
    fn the_committed_file_is_valid() {
        let text = include_str!("../../../lab/corpus.toml");
        let programs = parse(text).unwrap();
        assert!(programs.iter().any(|p| p.name == "bash"));
    }

    #[test]
    fn the_halves_are_even() {
        let programs = parse(include_str!("../../../lab/corpus.toml")).unwrap();
        let count = |programs: &[&Program], half| {
            programs.iter().filter(|program| program.half == half).count()
        };
        let all: Vec<&Program> = programs.iter().collect();
        assert!(count(&all, Half::Tuning).abs_diff(count(&all, Half::Test)) <= 1);
        let reviewed: Vec<&Program> = programs.iter().filter(|program| program.reviews).collect();
        assert!(count(&reviewed, Half::Tuning) >= 6 && count(&reviewed, Half::Test) >= 10);
    }

    #[test]
    fn bad_entries_are_refused() {
        assert!(parse(&entry("a")).is_ok());
        assert!(parse(&(entry("a") + &entry("a"))).unwrap_err().contains("twice"));
        assert!(parse(&entry("../a")).unwrap_err().contains("folder"));
        assert!(parse(&(entry("a") + "colour = 1\n")).is_err());
    }

    #[test]
    fn selection_keeps_the_order_of_the_file() {
        let programs = parse(&(entry("a") + &entry("b"))).unwrap();
        let names = |v: Vec<Program>| v.into_iter().map(|p| p.name).collect::<Vec<_>>();
        let chosen = select(&programs, &["b".into(), "a".into()]).unwrap();
        assert_eq!(names(chosen), ["a", "b"]);
        assert!(select(&programs, &["c".into()]).unwrap_err().contains("a, b"));
    }
}
