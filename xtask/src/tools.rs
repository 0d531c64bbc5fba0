//! What the commands need from outside: the release build of caulk, a folder for passing files,
//! facts for the head of a page.

use crate::corpus::run::captured;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The cargo that runs this, or the one on `PATH`.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
}

/// Builds caulk as users have it, and tells where it is.
pub fn build_caulk(checkout: &Path) -> Result<PathBuf, String> {
    build(checkout, &["--release"])
}

/// Builds caulk as its tests have it: slower, but they build it anyway.
pub fn build_caulk_for_tests(checkout: &Path) -> Result<PathBuf, String> {
    build(checkout, &[])
}

fn build(checkout: &Path, options: &[&str]) -> Result<PathBuf, String> {
    eprintln!("building caulk …");
    let mut build = cargo();
    build.args(["build", "--package", "caulk-cli"]).args(options);
    build.args(["--message-format", "json-render-diagnostics"]).current_dir(checkout);
    let messages = captured(&mut build)?;
    executable(&messages).ok_or_else(|| "cargo built no `caulk`".into())
}

/// The executable named `caulk` among cargo's messages.
pub fn executable(messages: &str) -> Option<PathBuf> {
    let parsed = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut named = parsed.filter(|message| message["target"]["name"] == "caulk");
    named.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// A folder outside the repository that goes away with this value.
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub fn new(purpose: &str) -> Result<Scratch, String> {
        let name = format!("caulk-{purpose}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Scratch { folder })
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Writes a page of results, `docs/results/NAME`.
pub fn write_result(checkout: &Path, name: &str, text: &str) -> Result<(), String> {
    let folder = checkout.join("docs/results");
    let file = folder.join(name);
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
    written.map_err(|e| format!("{}: {e}", file.display()))?;
    eprintln!("wrote docs/results/{name}");
    Ok(())
}

/// Today, as `2026-11-30`.
pub fn today() -> Result<String, String> {
    Ok(captured(Command::new("date").args(["-u", "+%F"]))?.trim().to_string())
}

/// What caulk is made from.
const SOURCES: &[&str] = &["crates", "machines", "models", "Cargo.toml", "Cargo.lock"];

/// The last commit that changed caulk, with a plus if sources differ from it. Later commits that
/// change documents and tools alone leave results as they are.
pub fn commit(checkout: &Path) -> Result<String, String> {
    let git = |words: &[&str]| {
        captured(Command::new("git").args(words).arg("--").args(SOURCES).current_dir(checkout))
    };
    let name = git(&["log", "-1", "--format=%h", "--abbrev=10"])?.trim().to_string();
    let changes = git(&["status", "--porcelain"])?;
    Ok(if changes.is_empty() { name } else { name + "+" })
}

/// What a compiler calls itself, with its version.
pub fn compiler_version(compiler: &str) -> Result<String, String> {
    let text = captured(Command::new(compiler).arg("--version"))?;
    Ok(text.lines().next().unwrap_or(compiler).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_messages() {
        let messages = "{\"target\":{\"name\":\"clap\"},\"executable\":null}\n\
            {\"target\":{\"name\":\"caulk\"},\"executable\":\"/t/caulk\"}\nnoise\n";
        assert_eq!(executable(messages), Some(PathBuf::from("/t/caulk")));
        assert_eq!(executable(""), None);
    }

    #[test]
    fn a_scratch_folder_goes_away() {
        let scratch = Scratch::new("test").unwrap();
        let file = scratch.file("a");
        std::fs::write(&file, "x").unwrap();
        drop(scratch);
        assert!(!file.exists());
    }
}
