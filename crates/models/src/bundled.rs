//! The files of `models/`, in the order in which they are read: a later one may use the
//! resources of an earlier one.

pub const FILES: &[(&str, &str)] = &[
    ("models/memory.toml", include_str!("../../../models/memory.toml")),
    ("models/string.toml", include_str!("../../../models/string.toml")),
    ("models/files.toml", include_str!("../../../models/files.toml")),
    ("models/stdio.toml", include_str!("../../../models/stdio.toml")),
    ("models/stdlib.toml", include_str!("../../../models/stdlib.toml")),
    ("models/process.toml", include_str!("../../../models/process.toml")),
    ("models/network.toml", include_str!("../../../models/network.toml")),
    ("models/math.toml", include_str!("../../../models/math.toml")),
    ("models/glib.toml", include_str!("../../../models/glib.toml")),
    ("models/openssl.toml", include_str!("../../../models/openssl.toml")),
    ("models/zlib.toml", include_str!("../../../models/zlib.toml")),
    ("models/compression.toml", include_str!("../../../models/compression.toml")),
    ("models/gnutls.toml", include_str!("../../../models/gnutls.toml")),
    ("models/libxml2.toml", include_str!("../../../models/libxml2.toml")),
    ("models/sqlite.toml", include_str!("../../../models/sqlite.toml")),
    ("models/curl.toml", include_str!("../../../models/curl.toml")),
    ("models/linux.toml", include_str!("../../../models/linux.toml")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::FILES;
    use crate::read;
    use crate::resources::Resources;

    #[test]
    fn every_file_reads_and_describes_each_function_once() {
        let mut resources = Resources::default();
        let mut homes: BTreeMap<String, &str> = BTreeMap::new();
        for (file, text) in FILES {
            let functions =
                read::file(file, text, &mut resources).unwrap_or_else(|error| panic!("{error}"));
            assert!(!functions.is_empty(), "{file} describes nothing");
            for name in functions.into_keys() {
                if let Some(home) = homes.insert(name.clone(), file) {
                    panic!("{name} is in {home} and in {file}");
                }
            }
        }
    }
}
