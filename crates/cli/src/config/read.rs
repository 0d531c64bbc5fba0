//! From the text of `caulk.toml` to its meaning. Errors are texts with file, line and column.

use std::path::Path;

use caulk_driver::{Engine, Policies};
use glob::Pattern;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, Named};
use crate::args::{FailOn, Show, switch};

type Node<'a> = Spanned<DeValue<'a>>;
type Read<T> = Result<T, String>;

const KEYS: [&str; 8] =
    ["models", "machines", "exclude", "engine", "fail-on", "show", "policies", "switches"];

/// A file of another encoding is a mistake in its first line that has one.
pub fn text<'a>(bytes: &'a [u8], shown: &Path) -> Read<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("{}:{line}:1: expected UTF-8 text", shown.display())
    })
}

pub fn config(text: &str, shown: &Path, folder: &Path) -> Read<Config> {
    let source = Source { text, shown };
    let table = DeTable::parse(text).map_err(|error| {
        let byte = error.span().map_or(0, |span| span.start);
        source.error(byte, error.message())
    })?;
    let table = table.get_ref();
    source.only_keys(table, &KEYS)?;
    Ok(Config {
        folder: folder.to_path_buf(),
        models: source.paths(table, "models", folder)?,
        machines: source.paths(table, "machines", folder)?,
        exclude: source.each(table, "exclude", |node| source.pattern(node))?,
        engine: source.choice(table, "engine", Engine::of_id, &Engine::ALL.map(Engine::id))?,
        fail_on: source.choice(table, "fail-on", FailOn::of_id, &LEVELS)?,
        show: source.each(table, "show", |node| source.one_of(node, Show::of_id, &Show::ids()))?,
        policies: source.policies(table)?,
        switches: source.each(table, "switches", |node| source.switch(node))?,
    })
}

const LEVELS: [&str; 4] = ["high", "medium", "low", "never"];

#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    shown: &'a Path,
}

impl Source<'_> {
    fn error(&self, byte: usize, message: &str) -> String {
        format!("{}: {message}", self.place(byte))
    }

    /// `caulk.toml:3:7`, columns in characters.
    fn place(&self, byte: usize) -> String {
        let before = self.text.get(..byte).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.shown.display())
    }

    fn expected(&self, what: &str, node: &Node<'_>) -> String {
        let found = describe(node.get_ref());
        self.error(node.span().start, &format!("expected {what}, found {found}"))
    }

    fn only_keys(&self, table: &DeTable<'_>, known: &[&str]) -> Read<()> {
        let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let name = key.get_ref().as_ref();
        let advice = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("expected one of {}", known.join(", ")),
        };
        Err(self.error(key.span().start, &format!("unknown key `{name}`; {advice}")))
    }

    fn string<'n>(&self, what: &str, node: &'n Node<'_>) -> Read<&'n str> {
        node.get_ref().as_str().ok_or_else(|| self.expected(what, node))
    }

    /// The elements of the list under a key.
    fn each<T>(
        &self,
        table: &DeTable<'_>,
        key: &str,
        read: impl Fn(&Node<'_>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let Some(node) = table.get(key) else { return Ok(Vec::new()) };
        match node.get_ref() {
            DeValue::Array(nodes) => nodes.iter().map(read).collect(),
            _ => Err(self.expected("a list of strings in [ ]", node)),
        }
    }

    fn paths(&self, table: &DeTable<'_>, key: &str, folder: &Path) -> Read<Vec<Named>> {
        self.each(table, key, |node| {
            let path = folder.join(self.string("a path in quotes", node)?);
            Ok(Named { path, place: self.place(node.span().start) })
        })
    }

    fn pattern(&self, node: &Node<'_>) -> Read<Pattern> {
        let text = self.string("a path with * or ** in quotes", node)?;
        // A folder means all that is in it.
        let whole = if text.ends_with('/') { format!("{text}**") } else { text.to_owned() };
        let whole = if whole.ends_with("/**") { format!("{whole}/*") } else { whole };
        Pattern::new(&whole).map_err(|error| {
            self.error(node.span().start, &format!("`{text}` is no pattern: {}", error.msg))
        })
    }

    fn switch(&self, node: &Node<'_>) -> Read<String> {
        let text = self.string("a switch in quotes", node)?;
        switch(text).map_err(|why| self.expected(why.trim_start_matches("expected "), node))
    }

    fn one_of<T>(
        &self,
        node: &Node<'_>,
        of_id: impl Fn(&str) -> Option<T>,
        ids: &[&str],
    ) -> Read<T> {
        let what = format!("one of {}", ids.join(", "));
        of_id(self.string(&what, node)?).ok_or_else(|| self.expected(&what, node))
    }

    fn choice<T>(
        &self,
        table: &DeTable<'_>,
        key: &str,
        of_id: impl Fn(&str) -> Option<T>,
        ids: &[&str],
    ) -> Read<Option<T>> {
        table.get(key).map(|node| self.one_of(node, of_id, ids)).transpose()
    }

    fn policies(&self, table: &DeTable<'_>) -> Read<Vec<(String, String)>> {
        let Some(node) = table.get("policies") else { return Ok(Vec::new()) };
        let what = "a table [policies]";
        let table = node.get_ref().as_table().ok_or_else(|| self.expected(what, node))?;
        let all = Policies::NAMES;
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        self.only_keys(table, &names)?;
        let rows =
            all.iter().filter_map(|(name, values)| Some((*name, *values, table.get(*name)?)));
        let value = |node: &Node<'_>, values: &[&str]| {
            self.one_of(node, |id| values.contains(&id).then(|| id.to_owned()), values)
        };
        rows.map(|(name, values, node)| Ok((name.to_owned(), value(node, values)?))).collect()
    }
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Integer(integer) => integer.as_str().to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Table(_) => "a table".to_string(),
        DeValue::Array(_) => "a list".to_string(),
        DeValue::Float(_) => "a fraction".to_string(),
        DeValue::Datetime(_) => "a date".to_string(),
    }
}

/// The known word that is most like a wrong one, if any is like it at all.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |other: &&str| edits(word, other);
    let best = known.iter().min_by_key(|other| distance(other))?;
    (distance(best) <= 1 + word.chars().count() / 3).then_some(*best)
}

/// How many letters must be put in, left out or replaced (Levenshtein).
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for column in 0..other.len() {
            let replaced = diagonal + usize::from(letter != other[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Confidence, Kind};

    use super::*;

    fn read(text: &str) -> Read<Config> {
        config(text, Path::new("caulk.toml"), Path::new("/p"))
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn everything_at_once() {
        let text = "models = [\"m.toml\"]\nmachines = [\"/x/lock.toml\"]\nengine = \"saber\"\n\
            fail-on = \"high\"\nshow = [\"low\", \"leak/at-exit\"]\nswitches = [\"loops=2\"]\n\
            [policies]\nmay-free = \"keeps\"\n";
        let config = read(text).unwrap();
        let named = |path: &str, place: &str| Named { path: path.into(), place: place.into() };
        assert_eq!(config.models, [named("/p/m.toml", "caulk.toml:1:11")]);
        assert_eq!(config.machines, [named("/x/lock.toml", "caulk.toml:2:13")]);
        assert_eq!((config.engine, config.fail_on), (Some(Engine::Saber), Some(FailOn::High)));
        assert_eq!(config.show, [Show::Confidence(Confidence::Low), Show::Kind(Kind::AtExit)]);
        assert_eq!(config.policies, [("may-free".to_owned(), "keeps".to_owned())]);
        assert_eq!(config.switches, ["loops=2"]);
        assert_eq!(read("").unwrap().policies, []);
    }

    #[test]
    fn mistakes_have_a_place_and_advice() {
        check_error(
            "\nexlude = []",
            "caulk.toml:2:1: unknown key `exlude`; did you mean `exclude`?",
        );
        check_error("colour = 1", "unknown key `colour`; expected one of models, machines");
        check_error(
            "models = \"a\"",
            "caulk.toml:1:10: expected a list of strings in [ ], found \"a\"",
        );
        check_error("models = [\n  3]", "caulk.toml:2:3: expected a path in quotes, found 3");
        check_error(
            "fail-on = \"hi\"",
            "1:11: expected one of high, medium, low, never, found \"hi\"",
        );
        check_error("switches = [\"loops=0\"]", "1:13: expected loops= and a number from 1 to 8");
        check_error("exclude = [\"a/***\"]", "is no pattern");
        check_error(
            "[policies]\nmay-fre = \"x\"",
            "2:1: unknown key `may-fre`; did you mean `may-free`?",
        );
        check_error("[policies]\nmay-free = \"x\"", "2:12: expected one of frees, keeps");
        check_error("models = [", "caulk.toml:1:");
        check_error("a = 1\na = 2", "caulk.toml:2:1: ");
        assert!(text(b"a\n\xff", Path::new("c")).unwrap_err().starts_with("c:2:1: expected UTF-8"));
    }

    #[test]
    fn the_template_is_right() {
        assert_eq!(read(super::super::TEMPLATE).unwrap(), read("").unwrap());
        let lines = super::super::TEMPLATE.lines();
        let commented = |line: &str| line.strip_prefix("#: ").unwrap_or_default().to_owned() + "\n";
        let full: String = lines.map(commented).collect();
        let config = read(&full).unwrap();
        assert!(KEYS.iter().all(|key| full.contains(key)), "{full}");
        assert!(!config.exclude.is_empty() && config.engine.is_some());
    }
}
