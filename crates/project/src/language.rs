//! Which language a source is in, by `-x` or by its file's extension.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::paths::extension;
use crate::problem::SkipReason;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    PreprocessedC,
    Header,
    Cpp,
    Assembly,
    Other,
}

impl Language {
    /// Why a source in this language is not analysed.
    pub fn skip_reason(self) -> Option<SkipReason> {
        match self {
            Language::C | Language::PreprocessedC => None,
            Language::Header => Some(SkipReason::Header),
            Language::Cpp => Some(SkipReason::Cpp),
            Language::Assembly => Some(SkipReason::Assembly),
            Language::Other => Some(SkipReason::OtherLanguage),
        }
    }
}

/// The value of `-x`; `none` gives the choice back to the extension.
pub(crate) fn of_name(name: &OsStr) -> Option<Language> {
    Some(match name.as_bytes() {
        b"none" => return None,
        b"c" => Language::C,
        b"cpp-output" => Language::PreprocessedC,
        b"c-header" => Language::Header,
        b"assembler" | b"assembler-with-cpp" => Language::Assembly,
        name if name.starts_with(b"c++") => Language::Cpp,
        _ => Language::Other,
    })
}

/// None for what a compiler hands to the linker.
pub(crate) fn of_extension(path: &OsStr) -> Option<Language> {
    Some(match extension(path) {
        b"c" => Language::C,
        b"i" => Language::PreprocessedC,
        b"h" => Language::Header,
        b"cc" | b"cp" | b"cpp" | b"CPP" | b"cxx" | b"c++" | b"C" | b"ii" | b"mm" | b"M"
        | b"mii" | b"hh" | b"H" | b"hp" | b"hpp" | b"HPP" | b"hxx" | b"h++" | b"tcc" | b"cppm"
        | b"ixx" => Language::Cpp,
        b"s" | b"S" | b"sx" | b"asm" => Language::Assembly,
        b"m" | b"mi" | b"f" | b"F" | b"for" | b"f90" | b"F90" | b"f95" | b"F95" | b"f03"
        | b"f08" | b"go" | b"d" | b"adb" | b"ads" | b"cu" | b"cl" | b"hip" | b"ll" | b"bc"
        | b"rs" | b"swift" => Language::Other,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_decide() {
        let check = |name: &str, language| assert_eq!(of_extension(OsStr::new(name)), language);
        check("a.c", Some(Language::C));
        check("dir.c/a.i", Some(Language::PreprocessedC));
        check("a.C", Some(Language::Cpp));
        check("a.mm", Some(Language::Cpp));
        check("a.S", Some(Language::Assembly));
        check("a.h", Some(Language::Header));
        check("a.m", Some(Language::Other));
        check("a.o", None);
        check("c", None);
    }

    #[test]
    fn x_names() {
        let check = |name: &str, language| assert_eq!(of_name(OsStr::new(name)), language);
        check("c", Some(Language::C));
        check("c++-header", Some(Language::Cpp));
        check("assembler-with-cpp", Some(Language::Assembly));
        check("none", None);
        check("fortran", Some(Language::Other));
    }
}
