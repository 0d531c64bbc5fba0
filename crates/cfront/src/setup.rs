//! From a unit's compile command to the settings of the stages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caulk_project::{MacroFlag, SourceFiles, Standard, Unit, Version};
use rucc_base::Interner;
use rucc_lex::{Convert, Keywords};
use rucc_pp::{GnucVersion, Predef, Timestamp};
use rucc_session::{OptLevel, Preinclude, SearchPath, Std, runtime};
use rucc_target::{Feature, Isa, TargetInfo};
use rucc_tuple::TargetTuple;

use crate::disk::{COMMAND_MACROS, COMPILER_MACROS};
use crate::error::FrontError;

pub(crate) struct Setup {
    pub(crate) source: PathBuf,
    /// The folder that the names shown to people are relative to.
    pub(crate) root: PathBuf,
    /// Already preprocessed: no macros of any compiler, nothing to include.
    pub(crate) preprocessed: bool,
    pub(crate) std: Std,
    pub(crate) gnu: bool,
    pub(crate) trigraphs: bool,
    pub(crate) target: TargetInfo,
    pub(crate) search: SearchPath,
    pub(crate) preincludes: Vec<Preinclude>,
    pub(crate) predef: Predef,
    pub(crate) compiler_macros: Arc<[u8]>,
    pub(crate) command_macros: String,
    optimize: bool,
    gnu89_inline: bool,
    builtins: bool,
    no_builtin: Vec<String>,
    short_enums: bool,
    ms_extensions: bool,
}

impl Setup {
    pub(crate) fn new(unit: &Unit, files: &SourceFiles) -> Result<Self, FrontError> {
        let options = &unit.options;
        let facts = &options.facts;
        let language = options.language();
        let (std, gnu) = (std_of(language), language.gnu);
        Ok(Self {
            source: unit.source.clone(),
            root: root_of(&unit.source, &unit.display),
            preprocessed: options.preprocessed,
            std,
            gnu,
            trigraphs: options.trigraphs,
            target: target_of(unit)?,
            search: search_path(unit, files),
            preincludes: preincludes(unit),
            predef: predef(unit, std, gnu),
            compiler_macros: facts.predefined.clone(),
            command_macros: command_macros(&options.macros),
            optimize: options.optimize,
            gnu89_inline: options.gnu89_inline,
            builtins: !options.no_builtin && !options.freestanding,
            no_builtin: options.no_builtin_names.clone(),
            short_enums: options.short_enums,
            ms_extensions: options.ms_extensions || options.plan9_extensions,
        })
    }

    pub(crate) fn convert<'a>(
        &'a self,
        keywords: &'a Keywords,
        interner: &'a Interner,
    ) -> Convert<'a> {
        let (std, gnu, target) = (self.std, self.gnu, &self.target);
        Convert { keywords, interner, target, std, gnu, pedantic: false }
    }

    pub(crate) fn check<'a>(&'a self, names: &'a Interner) -> rucc_sema::Context<'a> {
        rucc_sema::Context {
            gnu: self.gnu,
            // What older compilers merely warn about is no reason to lose a function.
            permissive: true,
            gnu89_inline: self.gnu89_inline,
            optimizing: self.optimize,
            error_limit: 0,
            builtins: self.builtins,
            no_builtin: &self.no_builtin,
            short_enums: self.short_enums,
            ms_extensions: self.ms_extensions,
            isa: self.predef.isa,
            gnuc: self.predef.gnuc.major,
            ..rucc_sema::Context::new(names, &self.target, self.std)
        }
    }
}

/// `/p` for `/p/src/a.c`, shown as `src/a.c`.
fn root_of(source: &Path, display: &Path) -> PathBuf {
    let above = source.ancestors().nth(display.iter().count());
    let fits = display.is_relative() && source.ends_with(display);
    above.filter(|_| fits).map(Path::to_path_buf).unwrap_or_default()
}

fn std_of(language: Standard) -> Std {
    match language.version {
        Version::C89 | Version::C94 => Std::C89,
        Version::C99 => Std::C99,
        Version::C11 => Std::C11,
        Version::C17 => Std::C17,
        Version::C23 => Std::C23,
    }
}

/// The machine that the compiler makes code for; `char` and `wchar_t` as the flags want them.
fn target_of(unit: &Unit) -> Result<TargetInfo, FrontError> {
    let known = &unit.options.facts.target;
    let triple = if known.triple.is_empty() { "x86_64-linux-gnu" } else { &known.triple };
    let tuple: TargetTuple = triple.parse().map_err(|error| unsupported(triple, &error))?;
    let mut target = TargetInfo::for_tuple(tuple);
    let expected = known.pointer_bits;
    if expected != 0 && expected != target.pointer_width {
        return Err(unsupported(triple, &format!("pointers of {expected} bits")));
    }
    if !known.triple.is_empty() {
        target.char_is_signed = known.char_signed;
    }
    if let Some(signed) = unit.options.signed_char {
        target.char_is_signed = signed;
    }
    if unit.options.short_wchar {
        target.wchar_width = 16;
        target.wchar_is_signed = false;
    }
    Ok(target)
}

fn unsupported(triple: &str, why: &dyn std::fmt::Display) -> FrontError {
    FrontError::error(format!("the target `{triple}` is not supported: {why}"), None)
}

/// The folders as the compiler searches them. The headers that belong to a compiler and not to a
/// library (`<stdarg.h>`, the vector intrinsics) come from the front end itself, which has its
/// own builtins. They stand in the place of the compiler's own, which come last: `<limits.h>` of
/// either wants the library's next.
fn search_path(unit: &Unit, files: &SourceFiles) -> SearchPath {
    let order = unit.options.search_order(files);
    let mut search = SearchPath::new();
    for path in order.quote {
        search.push_quote(path);
    }
    let mut stand_in = true;
    for dir in order.bracket {
        if !dir.system {
            search.push_bracket(dir.path);
        } else if is_compilers_own(&dir.path) {
            if std::mem::take(&mut stand_in) {
                search.push_system(runtime::DIR);
            }
            search.push_after(dir.path);
        } else {
            search.push_system(dir.path);
        }
    }
    if stand_in && !unit.options.no_standard_includes {
        search.push_system(runtime::DIR);
    }
    search
}

/// `/usr/lib/gcc/x86_64-linux-gnu/12/include`, `/usr/lib/llvm-19/lib/clang/19/include`.
fn is_compilers_own(path: &Path) -> bool {
    let mut parts = path.iter().rev();
    parts.next().is_some_and(|last| last == "include" || last == "include-fixed")
        && parts.any(|part| part == "gcc" || part == "gcc-cross" || part == "clang")
}

fn preincludes(unit: &Unit) -> Vec<Preinclude> {
    let memory = [COMPILER_MACROS, COMMAND_MACROS];
    let memory = memory.map(|name| Preinclude { name: name.to_owned(), macros_only: true });
    let named = unit.options.preincludes.iter().map(|file| Preinclude {
        name: file.path.to_string_lossy().into_owned(),
        macros_only: file.macros_only,
    });
    memory.into_iter().chain(named).collect()
}

fn predef(unit: &Unit, std: Std, gnu: bool) -> Predef {
    let options = &unit.options;
    let (major, minor, patch) = options.facts.gnuc;
    let gnuc = if major == 0 {
        GnucVersion { major: 12, minor: 2, patch: 0 }
    } else {
        GnucVersion { major, minor, patch }
    };
    Predef {
        std,
        gnu_extensions: gnu,
        gnu89_inline: options.gnu89_inline,
        gnuc,
        ms_extensions: Some(options.ms_extensions),
        opt_level: if options.optimize { OptLevel::O2 } else { OptLevel::O0 },
        hosted: !options.freestanding,
        // The same unit must read the same at any time.
        timestamp: Timestamp::from_unix(0),
        isa: isa_of(&options.facts.predefined),
        ..Predef::new()
    }
}

/// The extensions of the instruction set that the compiler announces, such as `__AVX2__`.
fn isa_of(predefined: &[u8]) -> Isa {
    let lines = predefined.split(|&byte| byte == b'\n');
    let names = lines.filter_map(|line| line.strip_prefix(b"#define __")?.strip_suffix(b"__ 1"));
    let features = names.filter_map(feature);
    features.fold(Isa::baseline(), |isa, feature| isa.union(Isa::with(feature)))
}

fn feature(upper: &[u8]) -> Option<Feature> {
    let name = std::str::from_utf8(upper).ok()?.to_ascii_lowercase();
    Feature::named(&name)
        .or_else(|| Feature::named(&name.replace('_', ".")))
        .or_else(|| Feature::named(&name.replace('_', "-")))
}

/// `-D` and `-U` as directives, in the order of the command line.
fn command_macros(flags: &[MacroFlag]) -> String {
    let mut text = String::new();
    for flag in flags {
        match flag {
            MacroFlag::Define { name_and_params, body } => {
                text.extend(["#define ", name_and_params, " ", body, "\n"]);
            }
            MacroFlag::Undefine(name) => text.extend(["#undef ", name, "\n"]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_own_folder() {
        let own = |path| is_compilers_own(Path::new(path));
        assert!(own("/usr/lib/gcc/x86_64-linux-gnu/12/include"));
        assert!(own("/usr/lib/gcc-cross/aarch64-linux-gnu/12/include"));
        assert!(own("/usr/lib/llvm-19/lib/clang/19/include"));
        assert!(!own("/usr/include") && !own("/usr/local/include"));
    }

    #[test]
    fn command_line_macros_keep_their_order() {
        let define = |name: &str, body: &str| MacroFlag::Define {
            name_and_params: name.into(),
            body: body.into(),
        };
        let flags = [define("A", "1"), MacroFlag::Undefine("A".into()), define("F(x)", "x")];
        assert_eq!(command_macros(&flags), "#define A 1\n#undef A\n#define F(x) x\n");
    }

    #[test]
    fn announced_extensions_are_believed() {
        let avx2 = Feature::named("avx2").unwrap();
        let sse42 = Feature::named("sse4.2").unwrap();
        let isa = isa_of(b"#define __AVX2__ 1\n#define __unix__ 1\n");
        assert!(isa.has(avx2) && isa.has(sse42));
        assert!(!isa_of(b"#define __unix__ 1\n").has(avx2));
    }
}
