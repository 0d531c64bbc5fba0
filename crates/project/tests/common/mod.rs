//! A folder for one test, removed at its end.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use caulk_project::{LoadOptions, Project, from_database};

pub struct TempDir(PathBuf);

impl TempDir {
    pub fn new() -> Self {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let name = format!("caulk-project-{}-{serial}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, making the folders above it.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A program that answers as a compiler does and counts how often it was asked.
    pub fn fake_compiler(&self, name: &str, extra: &str) -> PathBuf {
        let script = format!(
            "#!/bin/sh\necho \"$@\" >> {0}/asked\n{extra}\n\
             echo 'Target: fake-linux-gnu' >&2\n\
             echo '#include <...> search starts here:' >&2\necho ' /fake/include' >&2\n\
             echo 'End of search list.' >&2\n\
             echo '#define __STDC__ 1'\necho '#define __STDC_VERSION__ 201112L'\n\
             echo '#define __SIZEOF_POINTER__ 4'\necho '#define __GNUC__ 9'\n",
            self.0.display()
        );
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_program(&path, &script);
        path
    }

    /// The questions that the fake compilers were asked.
    pub fn asked(&self) -> Vec<String> {
        let text = fs::read_to_string(self.join("asked")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub fn options(&self) -> LoadOptions {
        LoadOptions::new(&self.0)
    }

    /// Options that start no process.
    pub fn options_without_compiler(&self) -> LoadOptions {
        LoadOptions { compiler: Some(self.join("no-such-cc")), ..self.options() }
    }

    pub fn load(&self, json: impl AsRef<[u8]>) -> Project {
        self.write("compile_commands.json", json);
        from_database(self.path(), &self.options_without_compiler()).unwrap()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn displays(project: &Project) -> Vec<&str> {
    project.units.iter().map(|unit| unit.display.to_str().unwrap()).collect()
}

/// Written by another process: a program that this one has open for writing, if only in a child of
/// another test, cannot be run.
fn write_program(path: &Path, text: &str) {
    let script = r#"cat > "$0" && chmod 755 "$0""#;
    let mut shell = Command::new("sh");
    let mut child = shell.args(["-c", script]).arg(path).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}
