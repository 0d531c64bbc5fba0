//! The resources that model files declare, and who releases each.

use std::collections::BTreeMap;

/// From a resource's name to its release functions, the usual one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    releases: BTreeMap<String, Vec<String>>,
}

impl Resources {
    /// A later declaration replaces an earlier one.
    pub fn declare(&mut self, name: &str, releases: Vec<String>) {
        self.releases.insert(name.to_string(), releases);
    }

    pub fn contains(&self, name: &str) -> bool {
        self.releases.contains_key(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.releases.keys().map(String::as_str)
    }

    pub fn releases(&self, name: &str) -> &[String] {
        self.releases.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The resources that this function releases.
    pub fn released_by(&self, function: &str) -> Vec<&str> {
        let releases = |(_, all): &(&String, &Vec<String>)| all.iter().any(|f| f == function);
        self.releases.iter().filter(releases).map(|(name, _)| name.as_str()).collect()
    }
}
