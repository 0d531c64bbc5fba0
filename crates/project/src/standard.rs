//! Which C: a version and whether GNU extensions are on.

use std::fmt;

#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
pub enum Version {
    C89,
    /// C89 with Amendment 1.
    C94,
    C99,
    C11,
    #[default]
    C17,
    C23,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Standard {
    pub version: Version,
    /// GNU extensions that strict modes switch off, such as `asm`, `typeof` and `linux`.
    pub gnu: bool,
}

impl Standard {
    /// What `-ansi` means.
    pub const ANSI: Standard = Standard { version: Version::C89, gnu: false };

    /// From the value of `-std=`; None for other languages and unknown names.
    #[must_use]
    pub fn from_flag(name: &str) -> Option<Self> {
        let (year, gnu) = match name.strip_prefix("gnu") {
            Some(year) => (year, true),
            None => (name.strip_prefix('c').or_else(|| name.strip_prefix("iso9899:"))?, false),
        };
        let version = match year {
            "89" | "90" | "1990" => Version::C89,
            "94" | "199409" => Version::C94,
            "99" | "9x" | "1999" | "199x" => Version::C99,
            "11" | "1x" | "2011" => Version::C11,
            "17" | "18" | "2017" | "2018" => Version::C17,
            "23" | "2x" | "2024" | "2y" => Version::C23,
            _ => return None,
        };
        Some(Self { version, gnu })
    }

    /// From the values of `__STDC_VERSION__` (if defined) and whether `__STRICT_ANSI__` is.
    #[must_use]
    pub fn from_macros(stdc_version: Option<u64>, strict_ansi: bool) -> Self {
        let version = match stdc_version {
            None => Version::C89,
            Some(0..199_901) => Version::C94,
            Some(199_901..201_112) => Version::C99,
            Some(201_112..201_710) => Version::C11,
            Some(201_710) => Version::C17,
            Some(_) => Version::C23,
        };
        Self { version, gnu: !strict_ansi }
    }

    /// The value that `__STDC_VERSION__` has.
    #[must_use]
    pub fn stdc_version(self) -> Option<u64> {
        match self.version {
            Version::C89 => None,
            Version::C94 => Some(199_409),
            Version::C99 => Some(199_901),
            Version::C11 => Some(201_112),
            Version::C17 => Some(201_710),
            Version::C23 => Some(202_311),
        }
    }
}

impl Default for Standard {
    fn default() -> Self {
        Self { version: Version::C17, gnu: true }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = match self.version {
            Version::C89 => "89",
            Version::C94 => return f.write_str("iso9899:199409"),
            Version::C99 => "99",
            Version::C11 => "11",
            Version::C17 => "17",
            Version::C23 => "23",
        };
        write!(f, "{}{year}", if self.gnu { "gnu" } else { "c" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_names_of_gcc_and_clang() {
        let check = |name: &str, text: Option<&str>| {
            let shown = Standard::from_flag(name).map(|standard| standard.to_string());
            assert_eq!(shown.as_deref(), text, "{name}");
        };
        check("c90", Some("c89"));
        check("gnu9x", Some("gnu99"));
        check("iso9899:2011", Some("c11"));
        check("iso9899:199409", Some("iso9899:199409"));
        check("gnu18", Some("gnu17"));
        check("c2x", Some("c23"));
        check("c++17", None);
        check("gnu++17", None);
        check("", None);
        check("c", None);
    }

    #[test]
    fn macros_and_names_agree() {
        for name in ["c89", "c99", "gnu11", "gnu17", "c23"] {
            let standard = Standard::from_flag(name).unwrap();
            assert_eq!(Standard::from_macros(standard.stdc_version(), !standard.gnu), standard);
        }
        assert_eq!(Standard::from_macros(Some(202_000), false).version, Version::C23);
    }
}
