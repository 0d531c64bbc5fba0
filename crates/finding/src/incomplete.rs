//! What was not analysed, and why. Every give-up ends here and reaches the user.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Location;

/// What is missing from the results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Subject {
    /// Something a person or a compile database named, that did not become a unit.
    Input,
    /// A whole unit, by its shown path.
    Unit(String),
    /// Source text with an error, in a unit whose other parts were analysed.
    Part { unit: String },
    /// One function.
    Function { name: String, unit: String },
    /// What an engine did not follow to its end, in one function. All of the input was analysed.
    Search { name: String, unit: String },
    /// What only a look at all units together would tell.
    Program,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incomplete {
    pub what: Subject,
    pub place: Option<Location>,
    pub why: String,
}

impl Subject {
    /// The subject without names, for headings and formats.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Subject::Input => "input",
            Subject::Unit(_) => "unit",
            Subject::Part { .. } => "part",
            Subject::Function { .. } => "function",
            Subject::Search { .. } => "search",
            Subject::Program => "program",
        }
    }

    /// Whether some input was not analysed at all.
    #[must_use]
    pub fn is_input(&self) -> bool {
        !matches!(self, Subject::Search { .. })
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, &self.what) {
            (Some(place), _) => write!(f, "{place}: ")?,
            (
                None,
                Subject::Unit(unit)
                | Subject::Part { unit }
                | Subject::Function { unit, .. }
                | Subject::Search { unit, .. },
            ) => {
                write!(f, "{unit}: ")?;
            }
            (None, Subject::Input | Subject::Program) => {}
        }
        if let Subject::Function { name, .. } | Subject::Search { name, .. } = &self.what {
            write!(f, "function `{name}`: ")?;
        }
        f.write_str(&self.why)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn prints_what_is_known() {
        let place = Some(Location::point(Path::new("a.c"), 1, 2));
        let what = Subject::Function { name: "f".into(), unit: "a.c".into() };
        let incomplete = Incomplete { what, place, why: "too hard".into() };
        assert_eq!(incomplete.to_string(), "a.c:1:2: function `f`: too hard");
        let what = Subject::Unit("b.c".into());
        let incomplete = Incomplete { what, place: None, why: "too slow".into() };
        assert_eq!(incomplete.to_string(), "b.c: too slow");
    }
}
