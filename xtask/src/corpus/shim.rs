//! The compiler shim: this same binary, called under a compiler's name.
//!
//! A folder of links named `cc`, `gcc`, … stands first on `PATH` while a corpus program is
//! configured and built. Called through such a link, the binary finds the compiler of that name
//! further down `PATH` and becomes it. If `CAULK_SHIM_LOG` names a file (in the build step only, so
//! that the probes of `configure` stay out), a compilation is first appended to that file as one
//! line of JSON, and is then done without optimisation and warnings, since only the record matters.
//!
//! Deliberately absent: C++ compilers, whose units caulk does not read.

use super::command_line::Compilation;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The names under which compilers are intercepted.
const COMPILERS: &[&str] =
    &["cc", "gcc", "c89", "c99", "clang", "x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"];

/// The environment variable with the path of the log.
pub const LOG: &str = "CAULK_SHIM_LOG";

/// One logged compilation, with the original arguments after the path of the real compiler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub directory: String,
    pub arguments: Vec<String>,
}

/// The compiler this process was called as, if it was called as one.
pub fn called_as() -> Option<&'static str> {
    let called = std::env::args_os().next()?;
    let name = Path::new(&called).file_name()?.to_str()?;
    COMPILERS.iter().find(|c| **c == name).copied()
}

/// Becomes the compiler `name`; returns only if that fails.
pub fn run(name: &str) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Some(compiler) = real_compiler(name) else {
        eprintln!("corpus shim: there is no {name} on PATH");
        return ExitCode::from(127);
    };
    let mut command = Command::new(&compiler);
    command.args(&arguments);
    if let Some(log) = std::env::var_os(LOG)
        && let Some(arguments) = as_compilation(arguments)
    {
        if let Err(error) = record(Path::new(&log), &compiler, arguments) {
            eprintln!("corpus shim: cannot record in {}: {error}", log.display());
            return ExitCode::from(126);
        }
        command.args(["-O0", "-w"]);
    }
    let error = command.exec();
    eprintln!("corpus shim: cannot run {}: {error}", compiler.display());
    ExitCode::from(126)
}

/// The compiler behind this shim.
fn real_compiler(name: &str) -> Option<PathBuf> {
    let shims = std::env::current_exe().ok()?.parent()?.to_path_buf();
    find_compiler(name, &shims)
}

/// The first file of this name on `PATH` outside the folder of shims.
fn find_compiler(name: &str, shims: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.canonicalize().is_ok_and(|f| f != shims))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// The arguments as text, if they compile at least one source.
fn as_compilation(arguments: Vec<OsString>) -> Option<Vec<String>> {
    let arguments: Vec<String> =
        arguments.into_iter().map(|a| a.to_string_lossy().into_owned()).collect();
    Compilation::of(&arguments).map(|_| arguments)
}

/// Appends one line; a single write, so that parallel compilers do not mix their lines.
fn record(log: &Path, compiler: &Path, mut arguments: Vec<String>) -> std::io::Result<()> {
    let directory = std::env::current_dir()?.to_string_lossy().into_owned();
    arguments.insert(0, compiler.to_string_lossy().into_owned());
    let mut line = serde_json::to_vec(&Record { directory, arguments })?;
    line.push(b'\n');
    std::fs::OpenOptions::new().create(true).append(true).open(log)?.write_all(&line)
}

/// Fills `folder` with a copy of this binary and a link for every compiler that exists.
///
/// A copy, so that rebuilding xtask does not disturb a running build. It is put in place by a
/// rename, since another fetch may be using the old one.
pub fn install(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let fresh = folder.join(format!("shim.{}", std::process::id()));
    std::fs::copy(std::env::current_exe()?, &fresh)?;
    std::fs::rename(&fresh, folder.join("shim"))?;
    for name in COMPILERS {
        let link = folder.join(name);
        if link.symlink_metadata().is_err() && find_compiler(name, folder).is_some() {
            std::os::unix::fs::symlink("shim", link)?;
        }
    }
    Ok(())
}
