//! The C sources inside a crate, downloaded by cargo from wherever it downloads crates.
//!
//! A package that depends on the crate alone is vendored; cargo writes the checksum of the archive
//! beside what it unpacked. The build is the crate's own: its build script calls `cc`, hence the
//! shim.

use super::catalogue::Program;
use super::run::{Outcome, logged};
use crate::tools::cargo;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Downloads the crate at its pinned version into `folder`.
pub fn download(program: &Program, folder: &Path, log: &Path) -> Outcome {
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder.join("src")).map_err(told)?;
    std::fs::write(folder.join("src/lib.rs"), "").map_err(told)?;
    std::fs::write(folder.join("Cargo.toml"), asking_for(program)).map_err(told)?;
    let vendor = |options: &[&str]| {
        let mut vendor = cargo();
        vendor.args(["vendor", "--versioned-dirs", "vendor"]).args(options).current_dir(folder);
        logged(&mut vendor, log)
    };
    // What cargo has downloaded before needs no network.
    vendor(&["--offline"]).or_else(|_| vendor(&[]))?;
    compare(program, &unpacked(program, folder))
}

/// The manifest of a package that needs nothing else. It is a workspace of its own, wherever the
/// corpus lies.
fn asking_for(program: &Program) -> String {
    let version = program.version.split('+').next().unwrap_or_default();
    format!(
        "[package]\nname = \"asks\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{} = \"={version}\"\n\n[workspace]\n",
        program.source()
    )
}

/// Where `download` puts the crate.
pub fn unpacked(program: &Program, folder: &Path) -> PathBuf {
    folder.join("vendor").join(format!("{}-{}", program.source(), program.version))
}

fn compare(program: &Program, unpacked: &Path) -> Outcome {
    let file = unpacked.join(".cargo-checksum.json");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let found = checksum_of_archive(&text).ok_or("cargo tells no checksum of the crate")?;
    let Program { name, sha256, .. } = program;
    let differs =
        || format!("{name} is not what lab/corpus.toml pins: sha256 {found}, expected {sha256}");
    (found == *sha256).then_some(()).ok_or_else(differs)
}

fn checksum_of_archive(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    value["package"].as_str().map(String::from)
}

/// Copies what was unpacked to where it is built.
pub fn copy(program: &Program, download: &Path, source: &Path) -> Command {
    let mut copy = Command::new("cp");
    copy.arg("-R").arg(unpacked(program, download)).arg(source);
    copy
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::parse;
    use super::*;

    #[test]
    fn build_metadata_is_no_part_of_the_requirement() {
        let sum = "0".repeat(64);
        let text = format!(
            "[[program]]\nname = \"a-sys\"\nfrom = \"crate\"\nversion = \"1.2.3+4\"\n\
             sha256 = \"{sum}\"\nhalf = \"test\"\nbuild = []\n"
        );
        let program = &parse(&text).unwrap()[0];
        assert!(asking_for(program).contains("a-sys = \"=1.2.3\"\n"));
        let unpacked = unpacked(program, Path::new("d"));
        assert_eq!(unpacked, Path::new("d/vendor/a-sys-1.2.3+4"));
    }

    #[test]
    fn the_checksum_is_that_of_the_archive() {
        let text = r#"{"files":{"a":"01"},"package":"abc"}"#;
        assert_eq!(checksum_of_archive(text).as_deref(), Some("abc"));
        assert_eq!(checksum_of_archive("{}"), None);
    }
}
