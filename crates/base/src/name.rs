//! Interned names. Two names of one `Names` are equal when their ids are.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Table, define_id};

define_id!(pub Name, "name", "An interned string.");

#[derive(Clone, Default)]
pub struct Names {
    texts: Table<Name, Arc<str>>,
    by_text: FxHashMap<Arc<str>, Name>,
}

impl Names {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.by_text.get(text) {
            return name;
        }
        let text: Arc<str> = text.into();
        let name = self.texts.push(text.clone());
        self.by_text.insert(text, name);
        name
    }

    #[must_use]
    pub fn find(&self, text: &str) -> Option<Name> {
        self.by_text.get(text).copied()
    }

    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name]
    }

    /// The text, if the name is one of these.
    #[must_use]
    pub fn get(&self, name: Name) -> Option<&str> {
        self.texts.get(name).map(|text| &**text)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Names({})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_a_name() {
        let mut names = Names::new();
        let first = names.intern("free");
        let other = names.intern("malloc");
        assert_eq!(names.intern("free"), first);
        assert_ne!(first, other);
        assert_eq!(names.text(other), "malloc");
        assert_eq!(names.find("calloc"), None);
    }
}
