//! Puts saber beside the corpus. The Python package `pysvf` ships it, built for a newer C library
//! than Debian 12 has; so the libraries come from a newer Debian in a folder of its own, and saber
//! is started by that Debian's dynamic loader.
//!
//! No host is named: pip and apt know where this machine downloads from.

use crate::corpus::run::{Outcome, captured, logged};
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "pysvf";
const VERSION: &str = "1.0.0.50";
const RELEASE: &str = "trixie";
const VERSION_FILE: &str = "VERSION";

pub fn folder(corpus: &Path) -> PathBuf {
    corpus.join(".peers/svf")
}

/// The script that starts saber, and its models of library functions.
pub fn saber(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.join("saber.sh"), svf(folder).join("Release-build/lib/extapi.bc"))
}

fn svf(folder: &Path) -> PathBuf {
    folder.join("wheel").join(PACKAGE).join("SVF")
}

/// What `install` wrote when all was done.
pub fn version(folder: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(folder.join(VERSION_FILE));
    let text = text.map_err(|_| "not installed: cargo xtask lab peers install svf")?;
    Ok(text.trim().to_string())
}

/// Downloads what is missing, and tries saber.
pub fn install(corpus: &Path) -> Outcome {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(format!("{PACKAGE} is used on x86-64 Linux only"));
    }
    let folder = folder(corpus);
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(told)?;
    let log = folder.join("install.log");
    if !svf(&folder).is_dir() {
        eprintln!("{PACKAGE} {VERSION} …");
        download(&folder, &log)?;
    }
    let system = folder.join(RELEASE);
    if !system.join("usr/bin/env").exists() {
        eprintln!("Debian {RELEASE} …");
        logged(&mut bootstrap(&system)?, &log)?;
    }
    let (script, _) = saber(&folder);
    std::fs::write(&script, starter(&folder)).map_err(told)?;
    captured(Command::new("sh").arg(&script).arg("--help"))?;
    std::fs::write(folder.join(VERSION_FILE), format!("{PACKAGE} {VERSION}\n")).map_err(told)
}

fn download(folder: &Path, log: &Path) -> Outcome {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:"]);
    pip.args(["--python-version", "3.11", "--platform", "manylinux2014_x86_64", "--dest"]);
    pip.arg(folder).arg(format!("{PACKAGE}=={VERSION}"));
    logged(&mut pip, log)?;
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files = entries.map(|entry| entry.path());
    let wheel = files.find(|file| file.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or("pip downloaded no wheel")?;
    let mut unzip = Command::new("python3");
    unzip.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(folder.join("wheel"));
    logged(&mut unzip, log)?;
    std::fs::remove_file(&wheel).map_err(|e| format!("{}: {e}", wheel.display()))
}

fn bootstrap(system: &Path) -> Result<Command, String> {
    let format = ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"];
    let places = captured(Command::new("apt-get").args(format))?;
    let place = places.lines().next().ok_or("apt knows no place to download from")?;
    let mut command = Command::new("debootstrap");
    command.args(["--variant=minbase", "--include=libstdc++6,zlib1g,libzstd1", RELEASE]);
    command.arg(system).arg(place);
    Ok(command)
}

fn starter(folder: &Path) -> String {
    let (system, svf) = (folder.join(RELEASE), svf(folder));
    let (system, svf) = (system.display(), svf.display());
    format!(
        "exec {system}/usr/lib64/ld-linux-x86-64.so.2 --library-path \
         {system}/usr/lib/x86_64-linux-gnu:{svf}/Release-build/lib:{svf}/z3.obj/bin \
         {svf}/Release-build/bin/saber \"$@\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_installation_the_reason_says_what_to_do() {
        let reason = version(Path::new("no-such-folder")).unwrap_err();
        assert!(reason.contains("lab peers install svf"), "{reason}");
    }

    #[test]
    fn saber_is_started_by_the_newer_loader() {
        let script = starter(Path::new("/f"));
        assert!(
            script.starts_with("exec /f/trixie/usr/lib64/ld-linux-x86-64.so.2 --library-path ")
        );
        assert!(script.ends_with("/f/wheel/pysvf/SVF/Release-build/bin/saber \"$@\"\n"));
    }
}
