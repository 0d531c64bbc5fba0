//! What a compile command says about the meaning of its source.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::CompilerFacts;
use crate::sources::SourceFiles;
use crate::standard::Standard;

/// One compilation of one C source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Absolute and lexically normalised.
    pub source: PathBuf,
    /// As a person would recognise it: relative to the run's current folder where it is below it.
    pub display: PathBuf,
    /// Where the command runs; absolute.
    pub directory: PathBuf,
    pub options: UnitOptions,
}

/// All paths are absolute, but for a pre-include that has to be searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnitOptions {
    /// The source is already preprocessed (a `.i` file or `-x cpp-output`).
    pub preprocessed: bool,
    /// `-std=` or `-ansi`; None leaves it to the compiler. See [`UnitOptions::language`].
    pub standard: Option<Standard>,
    /// `-D` and `-U`, in the order of the command line.
    pub macros: Vec<MacroFlag>,
    /// In the order of the command line. See [`UnitOptions::search_order`].
    pub includes: Vec<IncludeDir>,
    /// Macro files first, as the preprocessor reads them.
    pub preincludes: Vec<PreInclude>,
    /// `-nostdinc`.
    pub no_standard_includes: bool,
    pub freestanding: bool,
    /// `-fno-builtin`, which `-ffreestanding` implies.
    pub no_builtin: bool,
    /// `-fno-builtin-NAME`.
    pub no_builtin_names: Vec<String>,
    /// `-fsigned-char` and `-funsigned-char`; None leaves it to the target.
    pub signed_char: Option<bool>,
    pub short_enums: bool,
    pub short_wchar: bool,
    pub ms_extensions: bool,
    /// `-fplan9-extensions`.
    pub plan9_extensions: bool,
    pub gnu89_inline: bool,
    /// Any `-O` but `-O0`; it decides `__OPTIMIZE__`.
    pub optimize: bool,
    /// `-fpack-struct`: the largest alignment of a member, in bytes.
    pub pack_struct: Option<u32>,
    pub openmp: bool,
    /// clang's `-fblocks`.
    pub blocks: bool,
    /// `-trigraphs`; strict standards have them without it.
    pub trigraphs: bool,
    /// Of the compiler that the command names, asked with the flags that change its answers.
    pub facts: Arc<CompilerFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MacroFlag {
    /// `-DNAME` has the body `1`. The name carries the parameters: `F(x,y)`.
    Define {
        name_and_params: String,
        body: String,
    },
    Undefine(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IncludeKind {
    /// `-iquote`: for `#include "…"` alone.
    Quote,
    /// `-I`.
    Bracket,
    /// `-isystem`: before the compiler's own folders.
    System,
    /// `-idirafter`: after them.
    After,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IncludeDir {
    pub kind: IncludeKind,
    pub path: PathBuf,
}

/// A file read before the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PreInclude {
    /// Absolute if the file was found from the command's folder; otherwise as written, to be
    /// searched for as `#include "…"` is.
    pub path: PathBuf,
    /// `-imacros`: only its macros count.
    pub macros_only: bool,
}

/// The folders to search, in order, after the folder of the including file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOrder {
    /// For `#include "…"` only, searched before `bracket`.
    pub quote: Vec<PathBuf>,
    /// For all includes.
    pub bracket: Vec<SearchDir>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchDir {
    pub path: PathBuf,
    /// What is found here is not the user's code.
    pub system: bool,
}

impl UnitOptions {
    /// The C that the unit is written in.
    #[must_use]
    pub fn language(&self) -> Standard {
        self.standard.unwrap_or(self.facts.default_standard)
    }

    /// The folders as gcc searches them: a folder named twice counts where it stands first, but a
    /// `-I` that repeats a system folder is dropped, so that it stays a system folder.
    #[must_use]
    pub fn search_order(&self, files: &SourceFiles) -> SearchOrder {
        let own =
            |kind| self.includes.iter().filter(move |dir| dir.kind == kind).map(|dir| &dir.path);
        let compilers =
            if self.no_standard_includes { &[][..] } else { &self.facts.system_includes };
        let system = own(IncludeKind::System).chain(compilers).chain(own(IncludeKind::After));
        let mut seen = FxHashSet::default();
        let system = distinct(system, &mut seen, files);
        let bracket = distinct(own(IncludeKind::Bracket), &mut seen, files);
        let quote = distinct(own(IncludeKind::Quote), &mut FxHashSet::default(), files);
        let marked = |system: bool| move |path| SearchDir { path, system };
        let bracket = bracket.into_iter().map(marked(false));
        SearchOrder {
            quote,
            bracket: bracket.chain(system.into_iter().map(marked(true))).collect(),
        }
    }
}

fn distinct<'a>(
    paths: impl Iterator<Item = &'a PathBuf>,
    seen: &mut FxHashSet<PathBuf>,
    files: &SourceFiles,
) -> Vec<PathBuf> {
    paths.filter(|path| seen.insert(files.identity(path))).cloned().collect()
}

/// The value of `-D`: `NAME`, `NAME=body` or `NAME(params)=body`.
pub(crate) fn parse_define(text: &str) -> MacroFlag {
    let (name, body) = text.split_once('=').unwrap_or((text, "1"));
    // As in gcc, a newline would end the directive that this becomes.
    let body = body.split('\n').next().unwrap_or("");
    MacroFlag::Define { name_and_params: name.to_owned(), body: body.to_owned() }
}

/// Is `path` a place where a header may be found? Used for pre-includes only.
pub(crate) fn preinclude(name: &Path, directory: &Path, macros_only: bool) -> PreInclude {
    let near = crate::paths::absolute(directory, name);
    let path = if near.is_file() { near } else { name.to_path_buf() };
    PreInclude { path, macros_only }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn define(name: &str, body: &str) -> MacroFlag {
        MacroFlag::Define { name_and_params: name.into(), body: body.into() }
    }

    #[test]
    fn definitions() {
        assert_eq!(parse_define("A"), define("A", "1"));
        assert_eq!(parse_define("A="), define("A", ""));
        assert_eq!(parse_define("F(x,y)=x==y"), define("F(x,y)", "x==y"));
        assert_eq!(parse_define("A=1\n#error"), define("A", "1"));
    }

    #[test]
    fn search_order_is_that_of_gcc() {
        let dir = |kind, path: &str| IncludeDir { kind, path: path.into() };
        let facts = CompilerFacts { system_includes: vec!["/s".into()], ..Default::default() };
        let options = UnitOptions {
            includes: vec![
                dir(IncludeKind::After, "/z"),
                dir(IncludeKind::Bracket, "/s"),
                dir(IncludeKind::Bracket, "/b"),
                dir(IncludeKind::System, "/y"),
                dir(IncludeKind::Bracket, "/b/."),
                dir(IncludeKind::Quote, "/b"),
            ],
            facts: Arc::new(facts),
            ..Default::default()
        };
        let order = options.search_order(&SourceFiles::new());
        assert_eq!(order.quote, [PathBuf::from("/b")]);
        let shown: Vec<_> =
            order.bracket.iter().map(|dir| (dir.path.to_str().unwrap(), dir.system)).collect();
        assert_eq!(shown, [("/b", false), ("/y", true), ("/s", true), ("/z", true)]);
        let bare = UnitOptions { no_standard_includes: true, ..options };
        assert_eq!(bare.search_order(&SourceFiles::new()).bracket.len(), 4);
    }
}
