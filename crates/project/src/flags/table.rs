//! The flags of gcc and clang that have a row of their own: whether a value follows, and what the
//! flag does to the source. The longest row that fits wins, so a row may be a whole family
//! (`-W`, `-m`, `-g`) with exceptions beside it. What starts with `-f` and has no row goes on to
//! `codegen`.

use rustc_hash::FxHashMap;

use crate::options::IncludeKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Only the flag itself fits.
    Nothing,
    /// The value is the next argument.
    Next,
    /// The value, possibly empty, is the rest of the argument.
    Joined,
    /// The rest of the argument, or the next one if there is no rest.
    JoinedOrNext,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Ignore,
    Define,
    Undefine,
    Include(IncludeKind),
    IncludeInSysroot,
    QuoteBarrier,
    Prefix,
    WithPrefix(IncludeKind),
    PreInclude,
    MacrosOnly,
    Sysroot,
    HeaderSysroot,
    Language,
    Standard,
    Ansi,
    Optimize,
    /// Passed on when the compiler is asked for its facts.
    Fact,
    /// The same, with a path that must be made absolute.
    FactPath,
    Set(Switch, bool),
    PackStruct,
    NoBuiltin,
    PreprocessOnly,
    Codegen,
}

/// Yes-or-no options of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Freestanding,
    NoBuiltin,
    SignedChar,
    ShortEnums,
    ShortWchar,
    MsExtensions,
    Plan9Extensions,
    Gnu89Inline,
    OpenMp,
    Blocks,
    Trigraphs,
    NoStandardIncludes,
}

impl Switch {
    /// Do predefined macros depend on it?
    pub fn changes_facts(self) -> bool {
        !matches!(
            self,
            Switch::NoBuiltin
                | Switch::ShortEnums
                | Switch::Plan9Extensions
                | Switch::Trigraphs
                | Switch::NoStandardIncludes
        )
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Flag {
    pub name: &'static str,
    pub takes: Takes,
    pub action: Action,
}

impl Flag {
    fn fits(&self, arg: &[u8]) -> bool {
        match self.takes {
            Takes::Nothing | Takes::Next => arg.len() == self.name.len(),
            Takes::Joined | Takes::JoinedOrNext => true,
        }
    }
}

/// The rows, indexed by name.
pub(crate) struct FlagTable {
    rows: FxHashMap<&'static [u8], Vec<Flag>>,
    longest: usize,
}

impl FlagTable {
    pub fn new() -> Self {
        let mut table = Self { rows: FxHashMap::default(), longest: 0 };
        for (takes, action, names) in GROUPS {
            for name in names.split_ascii_whitespace() {
                table.add(Flag { name, takes: *takes, action: *action });
            }
        }
        table
    }

    fn add(&mut self, flag: Flag) {
        self.longest = self.longest.max(flag.name.len());
        self.rows.entry(flag.name.as_bytes()).or_default().push(flag);
    }

    /// The longest row that fits; among rows of one name the first listed.
    pub fn find(&self, arg: &[u8]) -> Option<&Flag> {
        (1..=arg.len().min(self.longest))
            .rev()
            .find_map(|length| self.rows.get(&arg[..length])?.iter().find(|flag| flag.fits(arg)))
    }
}

use Action::{Fact, FactPath, Ignore, Include, PreprocessOnly, Set, WithPrefix};
use Takes::{Joined, JoinedOrNext, Next, Nothing};

type Group = (Takes, Action, &'static str);

#[rustfmt::skip]
const GROUPS: &[Group] = &[
    // Macros and headers.
    (JoinedOrNext, Action::Define, "-D"),
    (Next, Action::Define, "--define-macro"),
    (Joined, Action::Define, "--define-macro="),
    (JoinedOrNext, Action::Undefine, "-U"),
    (Next, Action::Undefine, "--undefine-macro"),
    (Joined, Action::Undefine, "--undefine-macro="),
    (JoinedOrNext, Include(IncludeKind::Bracket), "-I"),
    (Nothing, Action::QuoteBarrier, "-I- --include-barrier"),
    (Next, Include(IncludeKind::Bracket), "--include-directory"),
    (Joined, Include(IncludeKind::Bracket), "--include-directory="),
    (JoinedOrNext, Include(IncludeKind::Quote), "-iquote"),
    (JoinedOrNext, Include(IncludeKind::System), "-isystem"),
    (Next, Include(IncludeKind::System), "-internal-isystem -internal-externc-isystem -c-isystem"),
    (JoinedOrNext, Include(IncludeKind::After), "-idirafter"),
    (Next, Include(IncludeKind::After), "-isystem-after --include-directory-after"),
    (Joined, Include(IncludeKind::After), "--include-directory-after="),
    (JoinedOrNext, Action::IncludeInSysroot, "-iwithsysroot"),
    (JoinedOrNext, Action::Prefix, "-iprefix"),
    (Next, Action::Prefix, "--include-prefix"),
    (Joined, Action::Prefix, "--include-prefix="),
    (JoinedOrNext, WithPrefix(IncludeKind::After), "-iwithprefix"),
    (Next, WithPrefix(IncludeKind::After), "--include-with-prefix --include-with-prefix-after"),
    (Joined, WithPrefix(IncludeKind::After), "--include-with-prefix= --include-with-prefix-after="),
    (JoinedOrNext, WithPrefix(IncludeKind::Bracket), "-iwithprefixbefore"),
    (Next, WithPrefix(IncludeKind::Bracket), "--include-with-prefix-before"),
    (Joined, WithPrefix(IncludeKind::Bracket), "--include-with-prefix-before="),
    (JoinedOrNext, Action::PreInclude, "-include"),
    (Next, Action::PreInclude, "--include"),
    (Joined, Action::PreInclude, "--include="),
    (JoinedOrNext, Action::MacrosOnly, "-imacros"),
    (Next, Action::MacrosOnly, "--imacros"),
    (Joined, Action::MacrosOnly, "--imacros="),
    (Next, Action::Sysroot, "--sysroot"),
    (Joined, Action::Sysroot, "--sysroot="),
    (JoinedOrNext, Action::HeaderSysroot, "-isysroot"),
    (Nothing, Set(Switch::NoStandardIncludes, true), "-nostdinc --no-standard-includes"),
    (Nothing, Fact, "-nostdlibinc -nobuiltininc -undef"),
    (Nothing, Set(Switch::Trigraphs, true), "-trigraphs --trigraphs"),

    // Language.
    (JoinedOrNext, Action::Language, "-x"),
    (Next, Action::Language, "--language"),
    (Joined, Action::Language, "--language="),
    (Joined, Action::Standard, "-std= --std="),
    (Next, Action::Standard, "--std"),
    (Nothing, Action::Ansi, "-ansi --ansi"),
    (Nothing, Set(Switch::Freestanding, true), "-ffreestanding -fno-hosted"),
    (Nothing, Set(Switch::Freestanding, false), "-fhosted -fno-freestanding"),
    (Nothing, Set(Switch::NoBuiltin, true), "-fno-builtin"),
    (Nothing, Set(Switch::NoBuiltin, false), "-fbuiltin"),
    (Joined, Action::NoBuiltin, "-fno-builtin-"),
    (Nothing, Set(Switch::SignedChar, true), "-fsigned-char -fno-unsigned-char --signed-char"),
    (Nothing, Set(Switch::SignedChar, false), "-funsigned-char -fno-signed-char --unsigned-char"),
    (Nothing, Set(Switch::ShortEnums, true), "-fshort-enums"),
    (Nothing, Set(Switch::ShortEnums, false), "-fno-short-enums"),
    (Nothing, Set(Switch::ShortWchar, true), "-fshort-wchar"),
    (Nothing, Set(Switch::ShortWchar, false), "-fno-short-wchar"),
    (Nothing, Set(Switch::MsExtensions, true), "-fms-extensions"),
    (Nothing, Set(Switch::MsExtensions, false), "-fno-ms-extensions"),
    (Nothing, Set(Switch::Plan9Extensions, true), "-fplan9-extensions"),
    (Nothing, Set(Switch::Plan9Extensions, false), "-fno-plan9-extensions"),
    (Nothing, Set(Switch::Gnu89Inline, true), "-fgnu89-inline"),
    (Nothing, Set(Switch::Gnu89Inline, false), "-fno-gnu89-inline"),
    (Nothing, Set(Switch::OpenMp, true), "-fopenmp -openmp"),
    (Joined, Set(Switch::OpenMp, true), "-fopenmp="),
    (Nothing, Set(Switch::OpenMp, false), "-fno-openmp"),
    (Nothing, Set(Switch::Blocks, true), "-fblocks"),
    (Nothing, Set(Switch::Blocks, false), "-fno-blocks"),
    (Nothing, Action::PackStruct, "-fpack-struct"),
    (Joined, Action::PackStruct, "-fpack-struct"),
    (Joined, Action::Optimize, "-O"),
    (Nothing, Action::Optimize, "--optimize"),
    (Nothing, PreprocessOnly, "-E -M -MM --preprocess --dependencies --user-dependencies"),

    // The target, and what else changes predefined macros.
    (Joined, Fact, "-m --target= -march= -mcpu= -fsanitize= -fno-sanitize= -fexcess-precision= \
        -fcf-protection -fstack-protector"),
    (Next, Fact, "-target -arch -imultiarch -imultilib"),
    (Nothing, Fact, "-pthread -pthreads -EL -EB -fPIC -fpic -fPIE -fpie -fno-PIC -fno-pic \
        -fno-PIE -fno-pie -fno-openacc -fopenacc -fno-cf-protection -fexceptions -fno-exceptions -fnon-call-exceptions \
        -fasynchronous-unwind-tables -fno-asynchronous-unwind-tables -fno-unwind-tables \
        -ffast-math -fno-fast-math -fmath-errno -fno-math-errno -ffinite-math-only \
        -fno-finite-math-only -funsafe-math-optimizations -fsigned-zeros -fno-signed-zeros \
        -ftrapping-math -fno-trapping-math -frounding-math -fsingle-precision-constant \
        -fcx-limited-range -fgnu-tm -fno-stack-protector -fleading-underscore \
        -fno-leading-underscore -traditional-cpp -fms-compatibility -fdeclspec -fopenmp-simd \
        -fborland-extensions -fno-gnu-inline-asm -fchar8_t"),
    (Joined, FactPath, "-specs= --specs= --gcc-toolchain= --gcc-install-dir= -resource-dir= \
        --config="),
    (Next, FactPath, "-specs -resource-dir --gcc-toolchain"),
    (JoinedOrNext, FactPath, "-B"),
    (Next, Ignore, "-mllvm"),
    (Joined, Ignore, "-mtune="),

    // Warnings, debugging, profiling, diagnostics.
    (Joined, Ignore, "-W -g -pedantic --warn- --debug --profile -Q -R -fmessage-length="),
    (Nothing, Ignore, "-w --no-warnings --pedantic --pedantic-errors --extra-warnings \
        --all-warnings -p -pg -coverage --coverage -v --verbose -### -pipe --pipe -time -H \
        --trace-includes -pass-exit-codes -no-integrated-cpp -integrated-as -no-integrated-as \
        -canonical-prefixes -no-canonical-prefixes -emit-llvm --analyze -disable-O0-optnone \
        -disable-llvm-passes -remap -traditional"),
    (Joined, Ignore, "-save-temps --save-temps -time= -stdlib= -rtlib= --rtlib= --unwindlib= \
        -unwindlib= -fuse-ld= --ld-path= --driver-mode= --serialize-diagnostics="),
    (Next, Ignore, "-aux-info -wrapper -Xassembler -Xlinker -Xanalyzer -Xarch_host -Xarch_device \
        -analyzer-checker -analyzer-output -analyzer-config --param --serialize-diagnostics \
        -serialize-diagnostics -include-pch -load -add-plugin -main-file-name -dwarf-debug-flags \
        -ivfsoverlay --assert"),
    (Joined, Ignore, "--param= --assert= --system-header-prefix= --no-system-header-prefix="),
    (JoinedOrNext, Ignore, "-A"),
    (Joined, Ignore, "-d"),
    (Next, Ignore, "-dumpbase -dumpdir -dumpbase-ext"),
    (Nothing, Ignore, "-P -C -CC --comments --comments-in-macros --no-line-commands -quiet"),

    // Output, dependency files.
    (JoinedOrNext, Ignore, "-o -MF -MT -MQ -MJ"),
    (Next, Ignore, "--output -dependency-file"),
    (Joined, Ignore, "--output="),
    (Nothing, Ignore, "-c -S --compile --assemble -MD -MMD -MG -MP -MV -MC --write-dependencies \
        --write-user-dependencies --print-missing-file-dependencies"),

    // Linking.
    (JoinedOrNext, Ignore, "-l -L -T -u -z -F -iframework -G"),
    (Next, Ignore, "-e -rpath -soname -framework -weak_framework -force_load -install_name \
        -current_version -compatibility_version -undefined -h --entry --for-linker \
        --library-directory --undefined -version-info -version-number -export-symbols \
        -export-symbols-regex -release"),
    (Joined, Ignore, "-static -shared --library-directory= --entry= --for-linker= \
        -Wl, -Wa, -headerpad -weak-l -nostdinc++ -nostdlib -mmacosx-version-min="),
    (Nothing, Ignore, "-s -r -n -N -t -pie -no-pie -nopie -rdynamic -nostartfiles -nodefaultlibs \
        -nolibc -symbolic -dynamic -dynamiclib -bundle -no-undefined -prefer-pic -prefer-non-pic \
        -no-suppress -export-dynamic -module -avoid-version -all-static -no-install --shared \
        --static --nostdlib -shrext -no-cpp-precomp -Qn -Qy -fsyntax-only"),

    // The rest of code generation.
    (Joined, Action::Codegen, "-f"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn found(arg: &str) -> Option<(&'static str, Action)> {
        FlagTable::new().find(arg.as_bytes()).map(|flag| (flag.name, flag.action))
    }

    #[test]
    fn the_longest_row_that_fits_wins() {
        assert_eq!(
            found("-iwithprefixbefore"),
            Some(("-iwithprefixbefore", WithPrefix(IncludeKind::Bracket)))
        );
        assert_eq!(found("-I-"), Some(("-I-", Action::QuoteBarrier)));
        assert_eq!(found("-I-x"), Some(("-I", Include(IncludeKind::Bracket))));
        assert_eq!(found("-mtune=native"), Some(("-mtune=", Ignore)));
        assert_eq!(found("-march=native").map(|row| row.1), Some(Fact));
        assert_eq!(found("-fPICs"), Some(("-f", Action::Codegen)));
        assert_eq!(found("-fno-builtin-malloc"), Some(("-fno-builtin-", Action::NoBuiltin)));
        assert_eq!(found("--nonsense"), None);
    }

    #[test]
    fn every_row_is_found_by_its_own_name() {
        let table = FlagTable::new();
        for (takes, _, names) in GROUPS {
            for name in names.split_ascii_whitespace() {
                let flag = table.find(name.as_bytes()).unwrap();
                assert_eq!(flag.name, name, "{takes:?}");
            }
        }
    }
}
