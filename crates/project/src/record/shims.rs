//! Standing in for the compilers on `PATH`.
//!
//! A folder of links to this program, each with the name of a compiler, is put before `PATH`. Run
//! under such a name, the program writes down what was asked and becomes the real compiler. What
//! that one starts is no longer seen, since the folder is taken out of its `PATH` again: so nothing
//! is recorded twice, and launchers that look for the next compiler on `PATH` find it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{env, process};

use nix::unistd::Pid;
use rustc_hash::FxHashSet;

use super::entries::{string, words};
use super::signals::Signals;
use super::{Collector, Started, Watched};
use crate::command::is_compiler;
use crate::database::{Entry, Text};
use crate::paths::{file_name, find_program};
use crate::worker::ended;

/// Names the folder of links to the programs in it.
const FOLDER: &str = "CAULK_SHIMS";
const JOURNAL: &str = ".started";

pub(super) fn run(command: &[OsString], collector: &mut Collector) -> io::Result<Watched> {
    let folder = Folder::create()?;
    let (program, args) =
        command.split_first().ok_or_else(|| io::Error::other("there is no command to run"))?;
    let mut build = Command::new(program)
        .args(args)
        .env("PATH", folder.first_on_path()?)
        .env(FOLDER, &folder.0)
        .spawn()?;
    let pid = Pid::from_raw(i32::try_from(build.id()).map_err(io::Error::other)?);
    let signals = Signals::pass_on_to(pid)?;
    let status: ExitStatus = build.wait()?;
    let interrupted = signals.seen();
    folder.started()?.iter().for_each(|started| {
        collector.add(started, true);
    });
    Ok(Watched { ended: ended(status), interrupted, lost_signals: 0 })
}

/// Goes away with this value.
struct Folder(PathBuf);

impl Folder {
    fn create() -> io::Result<Self> {
        let folder = Self(env::temp_dir().join(format!("caulk-shims-{}", process::id())));
        fs::create_dir(&folder.0)?;
        fs::write(folder.0.join(JOURNAL), "")?;
        let caulk = env::current_exe()?;
        for name in compilers_on(&env::var_os("PATH").unwrap_or_default()) {
            symlink(&caulk, folder.0.join(name))?;
        }
        Ok(folder)
    }

    fn first_on_path(&self) -> io::Result<OsString> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.0.clone()).chain(env::split_paths(&path));
        env::join_paths(folders).map_err(io::Error::other)
    }

    fn started(&self) -> io::Result<Vec<Started>> {
        let text = fs::read(self.0.join(JOURNAL))?;
        let lines = text.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(of_line).collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn compilers_on(path: &OsStr) -> FxHashSet<OsString> {
    let files = env::split_paths(path).filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    files.filter_map(|file| Some(file.ok()?.file_name())).filter(|name| is_compiler(name)).collect()
}

fn of_line(line: &[u8]) -> Option<Started> {
    let entry: Entry = serde_json::from_slice(line).ok()?;
    let words = entry.arguments?.into_iter().map(|Text(word)| word).collect();
    let Text(directory) = entry.directory?;
    Some(Started { words, program: None, directory: directory.into() })
}

fn to_line(directory: &Path, arguments: &[OsString]) -> Vec<u8> {
    let mut out = b"{\"directory\": ".to_vec();
    string(&mut out, directory.as_os_str());
    out.extend_from_slice(b", \"arguments\": ");
    words(&mut out, arguments);
    out.extend_from_slice(b"}\n");
    out
}

/// This program, run under the name of a compiler.
#[derive(Debug)]
pub struct ShimCall {
    folder: PathBuf,
    words: Vec<OsString>,
}

/// Whether this process stands in for a compiler.
#[must_use]
pub fn called_as_shim() -> Option<ShimCall> {
    let folder = PathBuf::from(env::var_os(FOLDER)?);
    let words: Vec<OsString> = env::args_os().collect();
    let name = words.first()?;
    let is_link = folder.join(OsStr::new(Path::new(name).file_name()?)).is_symlink();
    is_link.then_some(ShimCall { folder, words })
}

impl ShimCall {
    /// Writes the call down and becomes the compiler. Returns only if that fails.
    #[must_use]
    pub fn go(self) -> io::Error {
        match self.noted() {
            Ok(mut compiler) => compiler.exec(),
            Err(error) => error,
        }
    }

    fn noted(&self) -> io::Result<Command> {
        let directory = env::current_dir()?;
        // One write of a file that is open for appending: lines of two compilers do not mix.
        let journal = OpenOptions::new().append(true).open(self.folder.join(JOURNAL));
        // A compilation is worth more than its record.
        let _ = journal.and_then(|mut file| file.write_all(&to_line(&directory, &self.words)));
        let path = env::var_os("PATH").unwrap_or_default();
        let rest = env::split_paths(&path).filter(|folder| *folder != self.folder);
        let rest = env::join_paths(rest).map_err(io::Error::other)?;
        let name = crate::paths::os(file_name(&self.words[0]));
        let program = find_program(&name, &directory, &rest, |_| false)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such compiler"))?;
        let mut command = Command::new(program);
        command.arg0(&self.words[0]).args(&self.words[1..]);
        command.env("PATH", rest).env_remove(FOLDER);
        Ok(command)
    }
}
