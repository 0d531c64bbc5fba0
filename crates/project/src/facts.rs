//! What only a compiler knows: its predefined macros, its include folders, its language and its
//! target. All else here is derived from those two answers, so that the cache and the built-in
//! facts hold nothing but them.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use crate::builtin::BuiltInTarget;
use crate::standard::Standard;
use crate::target::{Macros, Target};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerFacts {
    /// The predefined macros as C text; the command's own `-D` are not among them.
    pub predefined: Arc<[u8]>,
    /// The folders searched for `<…>`, in order, without those the command adds.
    pub system_includes: Vec<PathBuf>,
    /// The language under the command's flags, `-std` included.
    pub default_standard: Standard,
    pub target: Target,
    /// The version of gcc that the compiler is or claims to be compatible with.
    pub gnuc: (u32, u32, u32),
    pub is_clang: bool,
    pub source: FactsSource,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FactsSource {
    Asked { compiler: PathBuf },
    BuiltIn { target: BuiltInTarget, reason: String },
}

/// Cheap, since every unit is hashed with its facts: the texts differ in length almost always.
impl Hash for CompilerFacts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.predefined.len().hash(state);
        self.default_standard.hash(state);
    }
}

/// A compiler's answers, before anything is derived from them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Answers {
    pub predefined: String,
    pub system_includes: Vec<PathBuf>,
    pub triple: String,
}

impl Answers {
    pub fn into_facts(self, source: FactsSource) -> CompilerFacts {
        let macros = Macros::parse(self.predefined.as_bytes());
        let number = |name| macros.number(name).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        CompilerFacts {
            system_includes: self.system_includes,
            default_standard: Standard::from_macros(
                macros.number("__STDC_VERSION__"),
                macros.has("__STRICT_ANSI__"),
            ),
            target: Target::from_macros(&macros, &self.triple),
            gnuc: (number("__GNUC__"), number("__GNUC_MINOR__"), number("__GNUC_PATCHLEVEL__")),
            is_clang: macros.has("__clang__"),
            source,
            predefined: self.predefined.as_bytes().into(),
        }
    }

    /// Does this look like the macros of a C compiler at all?
    pub fn plausible(&self) -> bool {
        self.predefined.contains("#define __STDC__ ")
    }
}

impl Default for CompilerFacts {
    /// Of no compiler: no macros and no folders. For tests and for building options step by step.
    fn default() -> Self {
        let reason = String::new();
        Self {
            predefined: Arc::new([]),
            system_includes: Vec::new(),
            default_standard: Standard::default(),
            target: Target::default(),
            gnuc: (0, 0, 0),
            is_clang: false,
            source: FactsSource::BuiltIn { target: BuiltInTarget::X86_64Linux, reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_derived_from_the_answers() {
        let predefined = "#define __STDC__ 1\n#define __STDC_VERSION__ 199901L\n\
            #define __STRICT_ANSI__ 1\n#define __GNUC__ 4\n#define __GNUC_MINOR__ 2\n\
            #define __GNUC_PATCHLEVEL__ 1\n#define __clang__ 1\n";
        let answers = Answers {
            predefined: predefined.to_owned(),
            system_includes: vec!["/usr/include".into()],
            triple: "x86_64-pc-linux-gnu".to_owned(),
        };
        assert!(answers.plausible());
        let facts = answers.into_facts(FactsSource::Asked { compiler: "/bin/cc".into() });
        assert_eq!(facts.default_standard.to_string(), "c99");
        assert_eq!(facts.gnuc, (4, 2, 1));
        assert!(facts.is_clang);
        assert_eq!(&*facts.predefined, predefined.as_bytes());
    }
}
