//! Paths as URIs.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// An absolute path becomes a `file:` URI, a relative one a relative reference.
pub(crate) fn uri(path: &Path) -> String {
    let prefix = if path.is_absolute() { "file://" } else { "" };
    let mut text = prefix.to_owned();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text
}

/// A folder's URI ends with a slash, so that relative references go into it.
pub(crate) fn folder_uri(folder: &Path) -> String {
    let text = uri(folder);
    if text.ends_with('/') { text } else { text + "/" }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn what_is_not_plain_is_encoded() {
        assert_eq!(uri(Path::new("src/a b.c")), "src/a%20b.c");
        assert_eq!(uri(Path::new("/x/ä#?.c")), "file:///x/%C3%A4%23%3F.c");
        assert_eq!(folder_uri(Path::new("/x")), "file:///x/");
        assert_eq!(folder_uri(Path::new("/")), "file:///");
        assert_eq!(uri(Path::new("c:d.c")), "c%3Ad.c");
        assert_eq!(uri(Path::new(OsStr::from_bytes(b"\xff.c"))), "%FF.c");
    }
}
