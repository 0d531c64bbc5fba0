//! The machine a compiler makes code for, as its predefined macros tell.

use rustc_hash::FxHashMap;

/// Sizes are in bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Target {
    /// `x86_64-linux-gnu`; corrected where `-m32` makes another machine of it.
    pub triple: String,
    pub arch: Arch,
    pub pointer_bits: u32,
    pub int_bits: u32,
    pub long_bits: u32,
    pub long_double_bits: u32,
    pub wchar_bits: u32,
    pub wchar_signed: bool,
    pub char_signed: bool,
    pub big_endian: bool,
    pub has_int128: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arch {
    X86,
    X86_64,
    Arm,
    Aarch64,
    Riscv32,
    Riscv64,
    Powerpc,
    Powerpc64,
    Mips,
    Mips64,
    S390x,
    #[default]
    Other,
}

/// The macros of a `-dM` text, by name; function-like ones keep their parameters in the name.
pub(crate) struct Macros<'a>(FxHashMap<&'a str, &'a str>);

impl<'a> Macros<'a> {
    pub fn parse(text: &'a [u8]) -> Self {
        let lines = text.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok());
        let definitions = lines.filter_map(|line| line.strip_prefix("#define "));
        Self(definitions.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect())
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).map(|value| value.trim())
    }

    /// A decimal value, whatever suffix it has.
    pub fn number(&self, name: &str) -> Option<u64> {
        let digits = self.text(name)?.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse().ok()
    }

    fn bits(&self, name: &str, default: u32) -> u32 {
        let bytes = self.number(name).and_then(|bytes| u32::try_from(bytes).ok());
        bytes.and_then(|bytes| bytes.checked_mul(8)).unwrap_or(default)
    }
}

impl Target {
    pub(crate) fn from_macros(macros: &Macros<'_>, triple: &str) -> Self {
        let arch = arch_of(macros);
        let wchar = macros.text("__WCHAR_TYPE__").unwrap_or("int");
        Self {
            triple: corrected_triple(triple, arch),
            arch,
            pointer_bits: macros.bits("__SIZEOF_POINTER__", 64),
            int_bits: macros.bits("__SIZEOF_INT__", 32),
            long_bits: macros.bits("__SIZEOF_LONG__", 64),
            long_double_bits: macros.bits("__SIZEOF_LONG_DOUBLE__", 128),
            wchar_bits: macros.bits("__SIZEOF_WCHAR_T__", 32),
            wchar_signed: !wchar.contains("unsigned"),
            char_signed: !macros.has("__CHAR_UNSIGNED__"),
            big_endian: macros.text("__BYTE_ORDER__") == Some("__ORDER_BIG_ENDIAN__"),
            has_int128: macros.has("__SIZEOF_INT128__"),
        }
    }
}

fn arch_of(macros: &Macros<'_>) -> Arch {
    let wide = macros.has("__LP64__") || macros.has("__mips64");
    let known = [
        ("__x86_64__", Arch::X86_64),
        ("__i386__", Arch::X86),
        ("__aarch64__", Arch::Aarch64),
        ("__arm__", Arch::Arm),
        ("__riscv", if wide { Arch::Riscv64 } else { Arch::Riscv32 }),
        ("__powerpc64__", Arch::Powerpc64),
        ("__powerpc__", Arch::Powerpc),
        ("__mips__", if wide { Arch::Mips64 } else { Arch::Mips }),
        ("__s390x__", Arch::S390x),
    ];
    known.into_iter().find(|(name, _)| macros.has(name)).map_or(Arch::Other, |(_, arch)| arch)
}

/// gcc prints the triple it was configured for, also under `-m32` and `-m64`.
fn corrected_triple(triple: &str, arch: Arch) -> String {
    let (machine, rest) = triple.split_once('-').unwrap_or((triple, "linux-gnu"));
    let is_i86 = machine.len() == 4 && machine.starts_with('i') && machine.ends_with("86");
    let machine = match arch {
        Arch::X86 if machine == "x86_64" => "i686",
        Arch::X86_64 if is_i86 => "x86_64",
        Arch::Powerpc if machine == "powerpc64" => "powerpc",
        Arch::Powerpc64 if machine == "powerpc" => "powerpc64",
        _ => machine,
    };
    format!("{machine}-{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &[u8] = b"#define __i386__ 1\n#define __SIZEOF_POINTER__ 4\n\
        #define __SIZEOF_LONG__ 4\n#define __CHAR_UNSIGNED__ 1\n\
        #define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__\n#define __WCHAR_TYPE__ short unsigned int\n\
        #define __SIZEOF_WCHAR_T__ 2\n#define __EMPTY__\n#define F(x) x\n#define __STDC_VERSION__ 201710L\n";

    #[test]
    fn facts_come_from_the_macros() {
        let macros = Macros::parse(SMALL);
        let target = Target::from_macros(&macros, "x86_64-linux-gnu");
        assert_eq!(target.triple, "i686-linux-gnu");
        assert_eq!((target.pointer_bits, target.long_bits, target.wchar_bits), (32, 32, 16));
        assert!(!target.char_signed && target.big_endian && !target.wchar_signed);
        assert_eq!(macros.number("__STDC_VERSION__"), Some(201_710));
        assert_eq!(macros.text("__EMPTY__"), Some(""));
        assert_eq!(macros.text("F(x)"), Some("x"));
    }

    #[test]
    fn garbage_has_defaults() {
        let target =
            Target::from_macros(&Macros::parse(b"\xff\n#define\n#define __SIZEOF_LONG__ x\n"), "");
        assert_eq!((target.arch, target.long_bits), (Arch::Other, 64));
    }
}
