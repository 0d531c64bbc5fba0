//! `cargo xtask dist`: caulk as one archive that runs on any Linux of the architecture.
//!
//! The binary is static: with musl if rustup has that target, else with the system's glibc. Its
//! completions and manual are what the binary itself prints, so they cannot be of another version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::corpus::run::captured;
use crate::tools::{Scratch, cargo, executable};

pub const USAGE: &str = "\
cargo xtask dist                      a static caulk with completions and manual, as an archive
    --target TRIPLE                   for this target instead of musl on this architecture";

/// What belongs to every copy.
const PAGES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
const SHELLS: [(&str, &str); 3] =
    [("bash", "caulk.bash"), ("zsh", "_caulk"), ("fish", "caulk.fish")];
const COMMANDS: [&str; 10] =
    ["check", "record", "init", "baseline", "why", "replay", "dump", "stats", "cache", "run"];

pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let target = match arguments {
        [] => default_target(),
        [option, target] if option == "--target" => target.clone(),
        _ => return Err(USAGE.to_owned()),
    };
    let binary = build(checkout, &target)?;
    check_static(&binary)?;
    let name = format!("caulk-{}-{target}", version(&binary)?);
    let scratch = Scratch::new("dist")?;
    fill(checkout, &binary, &scratch.file(&name))?;
    let archive = pack(checkout, &scratch, &name)?;
    eprintln!("wrote {}", archive.display());
    Ok(ExitCode::SUCCESS)
}

/// Musl if it is there or can be had, else this machine's own.
fn default_target() -> String {
    let musl = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let added = Command::new("rustup").args(["target", "add", &musl]).output();
    if added.is_ok_and(|output| output.status.success()) {
        return musl;
    }
    eprintln!("rustup has no {musl}; linking statically with glibc");
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

fn build(checkout: &Path, target: &str) -> Result<PathBuf, String> {
    eprintln!("building caulk for {target} …");
    let mut build = cargo();
    build.args(["build", "--release", "--locked", "--package", "caulk-cli", "--target", target]);
    build.args(["--message-format", "json-render-diagnostics"]).current_dir(checkout);
    build.args(["--config", "profile.release.strip=\"symbols\""]);
    if !target.ends_with("-musl") {
        build.env("RUSTFLAGS", "-C target-feature=+crt-static");
    }
    let messages = captured(&mut build)?;
    executable(&messages).ok_or_else(|| "cargo built no `caulk`".into())
}

/// A program that needs a loader names it in its program headers.
fn check_static(binary: &Path) -> Result<(), String> {
    const INTERPRETER: u32 = 3;
    let bytes = fs::read(binary).map_err(|e| format!("{}: {e}", binary.display()))?;
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = bytes.get(at..at + size)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    let interpreter = || -> Option<bool> {
        let (start, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
        let kinds = (0..count).map(|row| number(start + row * size, 4));
        Some(kinds.flatten().any(|kind| kind == INTERPRETER as usize))
    };
    match (bytes.starts_with(b"\x7fELF\x02\x01"), interpreter()) {
        (true, Some(false)) => Ok(()),
        (true, Some(true)) => Err(format!("{} is not static", binary.display())),
        _ => Err(format!("{} is no 64-bit program for Linux", binary.display())),
    }
}

fn version(binary: &Path) -> Result<String, String> {
    let text = captured(Command::new(binary).arg("--version"))?;
    text.split_whitespace().last().map(str::to_owned).ok_or_else(|| "no version".to_owned())
}

/// Everything in its place below `folder`.
fn fill(checkout: &Path, binary: &Path, folder: &Path) -> Result<(), String> {
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes));
        written.map_err(|e| format!("{}: {e}", path.display()))
    };
    let says = |words: &[&str]| captured(Command::new(binary).args(words));
    for (shell, name) in SHELLS {
        let text = says(&["completions", shell])?;
        write(&format!("completions/{name}"), text.as_bytes())?;
    }
    write("man/caulk.1", says(&["manual"])?.as_bytes())?;
    for command in COMMANDS {
        write(&format!("man/caulk-{command}.1"), says(&["manual", command])?.as_bytes())?;
    }
    for page in PAGES {
        let text = fs::read(checkout.join(page)).map_err(|e| format!("{page}: {e}"))?;
        write(page, &text)?;
    }
    let target = folder.join("caulk");
    fs::copy(binary, &target).map_err(|e| format!("{}: {e}", target.display()))?;
    Ok(())
}

/// Names sorted and owners left out, so that the same content makes the same archive.
fn pack(checkout: &Path, scratch: &Scratch, name: &str) -> Result<PathBuf, String> {
    let folder = checkout.join("target/dist");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let archive = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"]);
    tar.arg("-czf").arg(&archive).arg("-C").arg(scratch.file(".")).arg(name);
    captured(&mut tar)?;
    Ok(archive)
}
