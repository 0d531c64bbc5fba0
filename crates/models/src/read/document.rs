//! Values of a TOML document, each with its place, so that any of them can be complained about.
//! Other crates that read files of the user's use it too, so that mistakes are told alike.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::ModelError;

pub type Node<'a> = Spanned<DeValue<'a>>;
pub type Read<T> = Result<T, ModelError>;

/// The file that nodes come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    pub fn error(&self, byte: usize, message: String) -> ModelError {
        ModelError::at(self.file, self.text, byte, message)
    }

    pub fn error_at(&self, node: &Node<'_>, message: String) -> ModelError {
        self.error(node.span().start, message)
    }

    /// The complaint that a node is not what it should be.
    pub fn expected(&self, what: &str, node: &Node<'_>) -> ModelError {
        self.error_at(node, format!("expected {what}, found {}", describe(node.get_ref())))
    }

    pub fn table<'n, 'a>(&self, what: &str, node: &'n Node<'a>) -> Read<&'n DeTable<'a>> {
        node.get_ref().as_table().ok_or_else(|| self.expected(what, node))
    }

    pub fn text<'n>(&self, what: &str, node: &'n Node<'_>) -> Read<&'n str> {
        node.get_ref().as_str().ok_or_else(|| self.expected(what, node))
    }

    pub fn truth(&self, node: &Node<'_>) -> Read<bool> {
        node.get_ref().as_bool().ok_or_else(|| self.expected("true or false", node))
    }

    pub fn integer(&self, what: &str, node: &Node<'_>) -> Read<i64> {
        let integer = node.get_ref().as_integer();
        let value = integer.and_then(|i| i64::from_str_radix(i.as_str(), i.radix()).ok());
        value.ok_or_else(|| self.expected(what, node))
    }

    /// The truth under a key, or its default.
    pub fn flag(&self, table: &DeTable<'_>, key: &str, default: bool) -> Read<bool> {
        table.get(key).map_or(Ok(default), |node| self.truth(node))
    }

    /// The value under a key that must be there.
    pub fn required<'n, 'a>(&self, node: &'n Node<'a>, key: &str) -> Read<&'n Node<'a>> {
        let found = node.get_ref().as_table().and_then(|table| table.get(key));
        found.ok_or_else(|| self.error_at(node, format!("expected a key `{key}` in this table")))
    }

    /// A table with no keys but these.
    pub fn record<'n, 'a>(
        &self,
        what: &str,
        node: &'n Node<'a>,
        keys: &[&str],
    ) -> Read<&'n DeTable<'a>> {
        let table = self.table(what, node)?;
        self.only_keys(table, keys)?;
        Ok(table)
    }

    pub fn only_keys(&self, table: &DeTable<'_>, keys: &[&str]) -> Read<()> {
        let unknown = table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let message = format!("unknown key `{}`, expected {}", key.get_ref(), choices(keys));
        Err(self.error(key.span().start, message))
    }

    pub fn texts(&self, what: &str, node: &Node<'_>) -> Read<Vec<String>> {
        let each = |node| Ok(self.text(what, node)?.to_string());
        one_or_many(node).into_iter().map(each).collect()
    }
}

/// The elements of a list, or the value itself.
pub fn one_or_many<'n, 'a>(node: &'n Node<'a>) -> Vec<&'n Node<'a>> {
    match node.get_ref() {
        DeValue::Array(nodes) => nodes.iter().collect(),
        _ => vec![node],
    }
}

/// `a, b or c`, each quoted.
pub fn choices(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => quoted.concat(),
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
