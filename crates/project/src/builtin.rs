//! Facts for a machine without any compiler: those of gcc 12 on x86-64 and aarch64 Linux, edited
//! by the flags that matter most. Flags for processor features are not followed here.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::facts::Answers;
use crate::standard::{Standard, Version};

const X86_64: &str = include_str!("builtin/x86_64-linux.h");
const AARCH64: &str = include_str!("builtin/aarch64-linux.h");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltInTarget {
    X86_64Linux,
    Aarch64Linux,
}

impl BuiltInTarget {
    /// The one that this machine resembles most.
    #[must_use]
    pub fn of_host() -> Self {
        if cfg!(target_arch = "aarch64") { Self::Aarch64Linux } else { Self::X86_64Linux }
    }

    /// What a compiler's name tells: `aarch64-linux-gnu-gcc`.
    pub(crate) fn from_compiler_name(name: &OsStr) -> Option<Self> {
        let name = String::from_utf8_lossy(crate::paths::file_name(name)).into_owned();
        match name.split('-').next()? {
            "aarch64" | "arm64" => Some(Self::Aarch64Linux),
            "x86_64" | "amd64" => Some(Self::X86_64Linux),
            _ => None,
        }
    }

    #[must_use]
    pub fn triple(self) -> &'static str {
        match self {
            Self::X86_64Linux => "x86_64-linux-gnu",
            Self::Aarch64Linux => "aarch64-linux-gnu",
        }
    }

    fn macros(self) -> &'static str {
        match self {
            Self::X86_64Linux => X86_64,
            Self::Aarch64Linux => AARCH64,
        }
    }
}

impl std::fmt::Display for BuiltInTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::X86_64Linux => "x86-64 Linux",
            Self::Aarch64Linux => "aarch64 Linux",
        })
    }
}

/// The answers a compiler for `target` would give under `flags`.
pub(crate) fn answers(target: BuiltInTarget, flags: &[OsString], root: &Path) -> Answers {
    let mut text = MacroText(target.macros().lines().map(str::to_owned).collect());
    for flag in flags {
        if let Some(flag) = flag.to_str() {
            apply(&mut text, flag);
        }
    }
    Answers {
        predefined: text.0.join("\n") + "\n",
        system_includes: usual_folders(root, target),
        triple: target.triple().to_owned(),
    }
}

struct MacroText(Vec<String>);

impl MacroText {
    fn remove(&mut self, name: &str) {
        self.0.retain(|line| line.split(' ').nth(1) != Some(name));
    }

    fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.0.push(format!("#define {name} {value}"));
    }
}

fn apply(text: &mut MacroText, flag: &str) {
    if let Some(name) = flag.strip_prefix("-std=") {
        return Standard::from_flag(name).map_or((), |standard| set_standard(text, standard));
    }
    if let Some(level) = flag.strip_prefix("-O") {
        return set_optimization(text, level);
    }
    match flag {
        "-ansi" => set_standard(text, Standard::ANSI),
        "-pthread" => text.set("_REENTRANT", "1"),
        "-fopenmp" => {
            text.set("_OPENMP", "201511");
            text.set("_REENTRANT", "1");
        }
        "-funsigned-char" => text.set("__CHAR_UNSIGNED__", "1"),
        "-fsigned-char" => text.remove("__CHAR_UNSIGNED__"),
        "-ffreestanding" => set_freestanding(text),
        "-fhosted" => text.set("__STDC_HOSTED__", "1"),
        "-fshort-wchar" => set_short_wchar(text),
        "-fno-pie" | "-fno-PIE" | "-fno-pic" | "-fno-PIC" => set_pic(text, None, None),
        "-fPIC" => set_pic(text, Some("2"), None),
        "-fpic" => set_pic(text, Some("1"), None),
        "-fPIE" => set_pic(text, Some("2"), Some("2")),
        "-fpie" => set_pic(text, Some("1"), Some("1")),
        "-fgnu89-inline" => set_gnu_inline(text),
        _ => {}
    }
}

fn set_standard(text: &mut MacroText, standard: Standard) {
    match standard.stdc_version() {
        Some(version) => text.set("__STDC_VERSION__", &format!("{version}L")),
        None => text.remove("__STDC_VERSION__"),
    }
    if standard.version < Version::C99 {
        set_gnu_inline(text);
    }
    if standard.version < Version::C11 {
        text.remove("__STDC_UTF_16__");
        text.remove("__STDC_UTF_32__");
    }
    text.remove("__STRICT_ANSI__");
    for name in ["linux", "unix"] {
        if standard.gnu { text.set(name, "1") } else { text.remove(name) }
    }
    if !standard.gnu {
        text.set("__STRICT_ANSI__", "1");
    }
}

/// libc's own promises go with it.
fn set_freestanding(text: &mut MacroText) {
    text.set("__STDC_HOSTED__", "0");
    text.0.retain(|line| !line.starts_with("#define __STDC_I"));
}

fn set_optimization(text: &mut MacroText, level: &str) {
    for name in ["__OPTIMIZE__", "__OPTIMIZE_SIZE__", "__NO_INLINE__"] {
        text.remove(name);
    }
    if level == "0" {
        return text.set("__NO_INLINE__", "1");
    }
    text.set("__OPTIMIZE__", "1");
    if matches!(level, "s" | "z") {
        text.set("__OPTIMIZE_SIZE__", "1");
    }
}

fn set_short_wchar(text: &mut MacroText) {
    text.set("__WCHAR_TYPE__", "short unsigned int");
    text.set("__WCHAR_MAX__", "0xffff");
    text.set("__WCHAR_MIN__", "0");
    text.set("__WCHAR_WIDTH__", "16");
    text.set("__SIZEOF_WCHAR_T__", "2");
}

fn set_pic(text: &mut MacroText, pic: Option<&str>, pie: Option<&str>) {
    for (names, value) in [(["__PIC__", "__pic__"], pic), (["__PIE__", "__pie__"], pie)] {
        for name in names {
            match value {
                Some(value) => text.set(name, value),
                None => text.remove(name),
            }
        }
    }
}

fn set_gnu_inline(text: &mut MacroText) {
    text.remove("__GNUC_STDC_INLINE__");
    text.set("__GNUC_GNU_INLINE__", "1");
}

/// The usual include folders that exist: a compiler's own headers, if any are left, and libc's.
fn usual_folders(root: &Path, target: BuiltInTarget) -> Vec<PathBuf> {
    let triple = target.triple();
    let own = newest_folder(&root.join("usr/lib/gcc").join(triple));
    let folders = [
        own.map(|folder| folder.join("include")),
        Some(root.join("usr/local/include")),
        Some(root.join("usr/include").join(triple)),
        Some(root.join("usr/include")),
    ];
    folders.into_iter().flatten().filter(|folder| folder.is_dir()).collect()
}

/// The subfolder with the highest version number.
fn newest_folder(parent: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(parent).ok()?.filter_map(Result::ok);
    entries.map(|entry| entry.path()).max_by_key(|path| {
        let name = path.file_name().map_or(&[][..], OsStr::as_bytes);
        (version_of(name), name.to_vec())
    })
}

fn version_of(name: &[u8]) -> Vec<u64> {
    let parts = name.split(|byte| *byte == b'.');
    parts
        .map(|part| str::from_utf8(part).ok().and_then(|text| text.parse().ok()).unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{CompilerFacts, FactsSource};
    use crate::target::{Arch, Macros};

    fn facts(target: BuiltInTarget, flags: &[&str]) -> CompilerFacts {
        let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
        let answers = answers(target, &flags, Path::new("/no/such/root"));
        assert!(answers.plausible());
        answers.into_facts(FactsSource::BuiltIn { target, reason: String::new() })
    }

    fn value(facts: &CompilerFacts, name: &str) -> Option<String> {
        Macros::parse(&facts.predefined).text(name).map(str::to_owned)
    }

    #[test]
    fn both_targets_are_whole() {
        let x86 = facts(BuiltInTarget::X86_64Linux, &[]);
        let arm = facts(BuiltInTarget::Aarch64Linux, &[]);
        assert_eq!((x86.target.arch, arm.target.arch), (Arch::X86_64, Arch::Aarch64));
        assert_eq!((x86.target.char_signed, arm.target.char_signed), (true, false));
        assert_eq!((x86.target.wchar_signed, arm.target.wchar_signed), (true, false));
        for facts in [x86, arm] {
            assert_eq!(facts.target.pointer_bits, 64);
            assert_eq!(facts.target.long_double_bits, 128);
            assert_eq!(facts.gnuc, (12, 2, 0));
            assert_eq!(facts.default_standard.to_string(), "gnu17");
        }
    }

    #[test]
    fn no_macro_of_one_target_is_in_the_other() {
        let arm = facts(BuiltInTarget::Aarch64Linux, &[]);
        for name in ["__x86_64__", "__SSE2__", "__k8", "__SIZEOF_FLOAT80__", "__SEG_FS"] {
            assert_eq!(value(&arm, name), None, "{name}");
        }
        assert_eq!(value(&arm, "__LDBL_MANT_DIG__").as_deref(), Some("113"));
    }

    #[test]
    fn flags_edit_the_macros() {
        let check = |flags: &[&str], name: &str, expected: Option<&str>| {
            let facts = facts(BuiltInTarget::X86_64Linux, flags);
            assert_eq!(value(&facts, name).as_deref(), expected, "{flags:?} {name}");
        };
        check(&["-std=c99"], "__STDC_VERSION__", Some("199901L"));
        check(&["-std=c99"], "linux", None);
        check(&["-std=c99", "-std=gnu99"], "__STRICT_ANSI__", None);
        check(&["-ansi"], "__STDC_VERSION__", None);
        check(&["-ansi"], "__GNUC_GNU_INLINE__", Some("1"));
        check(&[], "__OPTIMIZE__", None);
        check(&["-O2"], "__OPTIMIZE__", Some("1"));
        check(&["-O2"], "__NO_INLINE__", None);
        check(&["-O2", "-O0"], "__OPTIMIZE__", None);
        check(&["-fPIC"], "__PIE__", None);
        check(&["-fpie"], "__pie__", Some("1"));
        check(&["-fshort-wchar"], "__SIZEOF_WCHAR_T__", Some("2"));
        check(&["-pthread"], "_REENTRANT", Some("1"));
        check(&["-ffreestanding"], "__STDC_IEC_559__", None);
        check(&["-std=c99"], "__STDC_UTF_16__", None);
        check(&["-std=c11"], "__STDC_UTF_16__", Some("1"));
    }

    #[test]
    fn a_compiler_name_tells_its_target() {
        let of = |name: &str| BuiltInTarget::from_compiler_name(OsStr::new(name));
        assert_eq!(of("/x/aarch64-linux-gnu-gcc-12"), Some(BuiltInTarget::Aarch64Linux));
        assert_eq!(of("gcc"), None);
    }

    #[test]
    fn versions_compare_as_numbers() {
        assert!(version_of(b"12") > version_of(b"9.5.0"));
    }
}
