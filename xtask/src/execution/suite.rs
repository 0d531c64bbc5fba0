//! The lists in `suites/programs`: programs with their cases, and what may differ.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What differs, and the reason, by `PROGRAM/CASE` or `PROGRAM/CASE#ALLOCATION`.
pub type Exceptions = BTreeMap<String, String>;

/// The folder and what it says.
pub struct Suite {
    pub folder: PathBuf,
    pub programs: Vec<Program>,
    pub exceptions: Exceptions,
}

/// See the head of `programs.toml` for the meaning of the fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub name: String,
    #[serde(default)]
    pub without: Vec<String>,
    pub driver: Option<String>,
    #[serde(default)]
    pub libraries: Vec<String>,
    #[serde(default)]
    pub failing: Vec<String>,
    pub native: Option<String>,
    pub cases: Vec<Case>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    #[serde(default)]
    pub args: Vec<String>,
    pub stdin: Option<String>,
    #[serde(default)]
    pub files: Vec<String>,
    pub writes: Option<String>,
    pub reads_unset: Option<String>,
}

#[derive(Deserialize)]
struct List {
    program: Vec<Program>,
}

impl Suite {
    pub fn read(folder: &Path) -> Result<Suite, String> {
        let text = |name: &str| {
            let file = folder.join(name);
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))
        };
        let list: Result<List, _> = toml::from_str(&text("programs.toml")?);
        let programs = list.map_err(|e| format!("programs.toml: {e}"))?.program;
        let exceptions = exceptions(&text("exceptions.txt")?)?;
        Ok(Suite { folder: folder.to_path_buf(), programs, exceptions })
    }

    /// The programs that the arguments name: `--all` or nothing for all that can be interpreted.
    pub fn choose(&self, arguments: &[String]) -> Result<Vec<&Program>, String> {
        if arguments.iter().all(|word| word == "--all") {
            return Ok(self.programs.iter().filter(|row| row.native.is_none()).collect());
        }
        let named = |name: &String| {
            let found = self.programs.iter().find(|program| program.name == *name);
            let found =
                found.ok_or(format!("no program {name} in suites/programs/programs.toml"))?;
            match &found.native {
                Some(why) => Err(format!("{name} is not interpreted: {why}")),
                None => Ok(found),
            }
        };
        arguments.iter().map(named).collect()
    }
}

impl Program {
    pub fn case(&self, name: &str) -> Result<&Case, String> {
        let found = self.cases.iter().find(|case| case.name == name);
        found.ok_or(format!("{}: no case {name}", self.name))
    }
}

/// `KEY: reason` lines, and comments.
fn exceptions(text: &str) -> Result<Exceptions, String> {
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let parsed = rows.map(|row| {
        let (key, reason) = row.split_once(": ").ok_or(format!("exceptions.txt: {row}"))?;
        Ok((key.to_string(), reason.to_string()))
    });
    parsed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_have_a_key_and_a_reason() {
        let parsed = exceptions("# head\n\na/b: why: so\na/b#3: no\n").unwrap();
        assert_eq!(parsed["a/b"], "why: so");
        assert_eq!(parsed["a/b#3"], "no");
        assert!(exceptions("a/b").is_err());
    }

    #[test]
    fn the_list_is_sound() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/programs");
        let suite = Suite::read(&folder).unwrap();
        assert!(suite.choose(&[]).unwrap().len() >= 6);
        assert!(suite.choose(&["no-such-program".into()]).is_err());
        assert!(suite.choose(&["tar".into()]).is_err());
        for program in &suite.programs {
            assert!(program.failing.iter().all(|name| program.case(name).is_ok()));
        }
        for key in suite.exceptions.keys() {
            let (program, rest) = key.split_once('/').unwrap();
            let case = rest.split('#').next().unwrap();
            assert!(suite.choose(&[program.to_string()]).unwrap()[0].case(case).is_ok());
        }
    }
}
