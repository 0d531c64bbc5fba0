//! From the arguments of a compiler to what they mean for the source.
//!
//! Each argument is looked up in `table`: its row tells whether a value follows and what to do.
//! Flags fall in three classes: those that matter, those that knowingly do not, and unknown
//! ones, which are returned so that they can be reported once.

mod codegen;
mod table;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::language::{Language, of_name};
use crate::options::{IncludeDir, IncludeKind, MacroFlag, UnitOptions, parse_define, preinclude};
use crate::paths::{absolute, os};
use crate::standard::Standard;

pub(crate) use table::FlagTable;
use table::{Action, Flag, Switch, Takes};

/// What the arguments of one command say.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// Without facts, and without what depends on the source.
    pub options: UnitOptions,
    /// Arguments that are no flags, in order.
    pub inputs: Vec<Input>,
    /// Flags that can change a compiler's predefined macros or include folders, in order, each
    /// once, paths made absolute.
    pub fact_flags: Vec<OsString>,
    /// `-E`, `-M`, `-MM`.
    pub preprocess_only: bool,
    /// The `-x` in force at the end.
    pub language: Option<Language>,
    pub unknown: Vec<String>,
    pub problems: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub name: OsString,
    /// From the `-x` in force; None leaves it to the file's extension.
    pub language: Option<Language>,
}

/// Reads the arguments after the compiler's name. Response files are already expanded.
pub(crate) fn parse(table: &FlagTable, args: &[OsString], directory: &Path) -> Parsed {
    let mut parser = Parser::new(table, directory);
    let args = unwrap_forwarded(args);
    let mut rest = args.as_slice();
    while let Some((arg, after)) = rest.split_first() {
        rest = parser.argument(arg, after);
    }
    parser.finish()
}

/// An argument, and whether it was meant for the preprocessor alone.
struct Arg {
    text: OsString,
    forwarded: bool,
}

/// Opens `-Wp,a,b`, `-Xpreprocessor a` and `-Xclang a`, so that their flags are seen as others.
fn unwrap_forwarded(args: &[OsString]) -> Vec<Arg> {
    let mut out = Vec::with_capacity(args.len());
    let mut forward_next = false;
    for arg in args {
        let bytes = arg.as_bytes();
        if forward_next {
            out.push(Arg { text: arg.clone(), forwarded: true });
            forward_next = false;
        } else if matches!(bytes, b"-Xclang" | b"-Xpreprocessor") {
            forward_next = true;
        } else if let Some(list) = bytes.strip_prefix(b"-Wp,") {
            let parts = list.split(|byte| *byte == b',');
            out.extend(parts.map(|part| Arg { text: os(part), forwarded: true }));
        } else {
            out.push(Arg { text: arg.clone(), forwarded: false });
        }
    }
    out
}

struct Parser<'a> {
    table: &'a FlagTable,
    directory: &'a Path,
    out: Parsed,
    /// Folders as written: a `=` at their start is resolved when the sysroot is known.
    includes: Vec<(IncludeKind, OsString)>,
    preincludes: Vec<(OsString, bool)>,
    sysroot: Option<OsString>,
    header_sysroot: Option<OsString>,
    prefix: OsString,
    language: Option<Language>,
    only_inputs: bool,
}

impl<'a> Parser<'a> {
    fn new(table: &'a FlagTable, directory: &'a Path) -> Self {
        Self {
            table,
            directory,
            out: Parsed::default(),
            includes: Vec::new(),
            preincludes: Vec::new(),
            sysroot: None,
            header_sysroot: None,
            prefix: OsString::new(),
            language: None,
            only_inputs: false,
        }
    }

    /// Takes one argument, with its value where it has one; returns what is left.
    fn argument<'b>(&mut self, arg: &Arg, rest: &'b [Arg]) -> &'b [Arg] {
        let bytes = arg.text.as_bytes();
        if self.only_inputs || !bytes.starts_with(b"-") || bytes == b"-" {
            self.input(arg);
            return rest;
        }
        if bytes == b"--" {
            self.only_inputs = true;
            return rest;
        }
        let Some(flag) = self.table.find(bytes) else {
            self.unknown(bytes);
            return rest;
        };
        self.flag(flag, &arg.text, rest)
    }

    fn input(&mut self, arg: &Arg) {
        // `-Wp,-MD,file`: the preprocessor's own -MD has a value, which is no source.
        if !arg.forwarded {
            self.out.inputs.push(Input { name: arg.text.clone(), language: self.language });
        }
    }

    fn unknown(&mut self, flag: &[u8]) {
        let name = flag.split(|byte| *byte == b'=').next().unwrap_or(flag);
        self.out.unknown.push(String::from_utf8_lossy(name).into_owned());
    }

    fn flag<'b>(&mut self, flag: &Flag, arg: &OsStr, rest: &'b [Arg]) -> &'b [Arg] {
        let joined = &arg.as_bytes()[flag.name.len()..];
        let takes_next = match flag.takes {
            Takes::Nothing | Takes::Joined => false,
            Takes::Next => true,
            Takes::JoinedOrNext => joined.is_empty(),
        };
        if !takes_next {
            self.act(flag, arg, OsStr::from_bytes(joined));
            return rest;
        }
        match rest.split_first() {
            Some((value, rest)) => {
                self.act(flag, arg, &value.text);
                rest
            }
            None => {
                self.out.problems.push(format!("flag {} at the end has no value", flag.name));
                rest
            }
        }
    }

    fn act(&mut self, flag: &Flag, arg: &OsStr, value: &OsStr) {
        match flag.action {
            Action::Ignore => {}
            Action::Define => self.out.options.macros.push(parse_define(&value.to_string_lossy())),
            Action::Undefine => {
                let name = value.to_string_lossy().into_owned();
                self.out.options.macros.push(MacroFlag::Undefine(name));
            }
            Action::Include(kind) => self.includes.push((kind, value.to_os_string())),
            Action::IncludeInSysroot => {
                let mut path = OsString::from("=");
                path.push(value);
                self.includes.push((IncludeKind::System, path));
            }
            Action::QuoteBarrier => self.quote_barrier(),
            Action::Prefix => self.prefix = value.to_os_string(),
            Action::WithPrefix(kind) => {
                let mut path = self.prefix.clone();
                path.push(value);
                self.includes.push((kind, path));
            }
            Action::PreInclude => self.preincludes.push((value.to_os_string(), false)),
            Action::MacrosOnly => self.preincludes.push((value.to_os_string(), true)),
            Action::Sysroot => self.sysroot = Some(value.to_os_string()),
            Action::HeaderSysroot => self.header_sysroot = Some(value.to_os_string()),
            Action::Language => self.language = of_name(value),
            Action::Standard => self.standard(value),
            Action::Ansi => {
                self.out.options.standard = Some(Standard::ANSI);
                self.fact(OsString::from("-ansi"));
            }
            Action::Optimize => self.optimize(value),
            Action::Fact => self.fact_with_value(flag, arg, value),
            Action::FactPath => self.fact_path(flag, value),
            Action::Set(switch, on) => self.set(switch, on, arg),
            Action::PackStruct => self.pack_struct(value),
            Action::NoBuiltin => {
                self.out.options.no_builtin_names.push(value.to_string_lossy().into_owned());
            }
            Action::PreprocessOnly => self.out.preprocess_only = true,
            Action::Codegen => {
                if !codegen::is_known(value.as_bytes()) {
                    self.unknown(arg.as_bytes());
                }
            }
        }
    }

    /// The old `-I-`: folders named before it serve `#include "…"` alone.
    fn quote_barrier(&mut self) {
        for (kind, _) in &mut self.includes {
            if *kind == IncludeKind::Bracket {
                *kind = IncludeKind::Quote;
            }
        }
    }

    fn standard(&mut self, value: &OsStr) {
        let standard = value.to_str().and_then(Standard::from_flag);
        if let (Some(standard), Some(name)) = (standard, value.to_str()) {
            self.out.options.standard = Some(standard);
            self.fact(OsString::from(format!("-std={name}")));
        } else if !value.to_string_lossy().contains("++") {
            self.unknown(format!("-std={}", value.to_string_lossy()).replace('=', " ").as_bytes());
        }
    }

    fn optimize(&mut self, level: &OsStr) {
        self.out.options.optimize = level != "0";
        self.out.fact_flags.retain(|flag| !flag.as_bytes().starts_with(b"-O"));
        let mut flag = OsString::from("-O");
        flag.push(level);
        self.fact(flag);
    }

    /// A later flag overrides an equal earlier one, so only the last of them is kept.
    fn fact(&mut self, flag: OsString) {
        self.out.fact_flags.retain(|known| *known != flag);
        self.out.fact_flags.push(flag);
    }

    fn fact_with_value(&mut self, flag: &Flag, arg: &OsStr, value: &OsStr) {
        // A separate value travels as a pair, which must not be torn apart by `fact`.
        if flag.takes == Takes::Next {
            self.out.fact_flags.extend([arg.to_os_string(), value.to_os_string()]);
        } else {
            self.fact(arg.to_os_string());
        }
    }

    fn fact_path(&mut self, flag: &Flag, value: &OsStr) {
        let mut text = OsString::from(flag.name);
        let is_path = value.as_bytes().contains(&b'/') || flag.name == "-B";
        let path = if is_path { self.here(value).into_os_string() } else { value.to_os_string() };
        text.push(path);
        self.fact(text);
    }

    fn here(&self, value: &OsStr) -> PathBuf {
        absolute(self.directory, Path::new(value))
    }

    fn set(&mut self, switch: Switch, on: bool, arg: &OsStr) {
        let options = &mut self.out.options;
        match switch {
            Switch::Freestanding => {
                options.freestanding = on;
                options.no_builtin = on;
            }
            Switch::NoBuiltin => options.no_builtin = on,
            Switch::SignedChar => options.signed_char = Some(on),
            Switch::ShortEnums => options.short_enums = on,
            Switch::ShortWchar => options.short_wchar = on,
            Switch::MsExtensions => options.ms_extensions = on,
            Switch::Plan9Extensions => options.plan9_extensions = on,
            Switch::Gnu89Inline => options.gnu89_inline = on,
            Switch::OpenMp => options.openmp = on,
            Switch::Blocks => options.blocks = on,
            Switch::Trigraphs => options.trigraphs = on,
            Switch::NoStandardIncludes => options.no_standard_includes = on,
        }
        if switch.changes_facts() {
            self.fact(arg.to_os_string());
        }
    }

    fn pack_struct(&mut self, value: &OsStr) {
        let number = value.to_str().and_then(|text| text.strip_prefix('='));
        self.out.options.pack_struct = match number.map(str::parse) {
            None => Some(1),
            Some(Ok(bytes)) => Some(bytes),
            Some(Err(_)) => None,
        };
    }

    fn finish(mut self) -> Parsed {
        self.out.language = self.language;
        self.add_sysroots_to_facts();
        let root = self.header_sysroot.as_ref().or(self.sysroot.as_ref()).cloned();
        let root = root.map(|root| self.here(&root));
        let includes = std::mem::take(&mut self.includes);
        let directory = self.directory;
        self.out.options.includes = includes
            .into_iter()
            .map(|(kind, name)| IncludeDir {
                kind,
                path: in_sysroot(&name, root.as_deref(), directory),
            })
            .collect();
        // The preprocessor reads all -imacros files before the first -include file.
        self.preincludes.sort_by_key(|(_, macros_only)| !macros_only);
        let preincludes = std::mem::take(&mut self.preincludes);
        self.out.options.preincludes = preincludes
            .into_iter()
            .map(|(name, macros_only)| preinclude(Path::new(&name), directory, macros_only))
            .collect();
        self.out
    }

    fn add_sysroots_to_facts(&mut self) {
        if let Some(root) = &self.sysroot {
            let mut flag = b"--sysroot=".to_vec();
            flag.extend(self.here(root).as_os_str().as_bytes());
            self.fact(OsString::from_vec(flag));
        }
        if let Some(root) = &self.header_sysroot {
            let path = self.here(root).into_os_string();
            self.out.fact_flags.extend([OsString::from("-isysroot"), path]);
        }
    }
}

/// `=dir` and `$SYSROOT/dir` lie in the sysroot, any other folder where the command runs.
fn in_sysroot(name: &OsStr, root: Option<&Path>, directory: &Path) -> PathBuf {
    let bytes = name.as_bytes();
    match bytes.strip_prefix(b"=").or_else(|| bytes.strip_prefix(b"$SYSROOT")) {
        Some(inside) => {
            let mut path = root.map_or(OsString::new(), |root| root.as_os_str().to_os_string());
            path.push("/");
            path.push(OsStr::from_bytes(inside));
            absolute(directory, Path::new(&path))
        }
        None => absolute(directory, Path::new(name)),
    }
}

#[cfg(test)]
mod tests;
