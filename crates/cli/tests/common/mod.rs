//! The program, run in a folder of its own.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct Folder(pub PathBuf);

/// What a run left behind.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub const GOOD: &str = "\
#include <stdlib.h>
int main(void)
{
    void *p = malloc(8);
    free(p);
    return 0;
}
";

/// One finding: what line 4 allocates is lost in line 6.
pub const LEAK: &str = "\
#include <stdlib.h>
int leak(int n)
{
    char *p = malloc(8);
    if (n > 3)
        return -1;
    free(p);
    return 0;
}
";

impl Folder {
    /// Empty, and named after the test.
    pub fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A compile database in which gcc compiles each of `sources`.
    pub fn database(self, sources: &[&str]) -> Self {
        let entry = |source: &&str| {
            let folder = self.0.display();
            format!(r#"{{"directory":"{folder}","file":"{source}","command":"gcc -c {source}"}}"#)
        };
        let entries: Vec<String> = sources.iter().map(entry).collect();
        let text = format!("[{}]", entries.join(","));
        self.file("compile_commands.json", text)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caulk"));
        command.args(args).current_dir(&self.0);
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        // One cache for all tests: each compiler is asked once.
        command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        command
    }

    /// Whether git does as told here, by whatever name.
    pub fn git(&self, words: &[&str]) -> bool {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words);
        git.current_dir(&self.0).output().is_ok_and(|output| output.status.success())
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }
}

impl Ran {
    pub fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Without the times, which are the only thing that may differ from run to run.
    pub fn untimed(self) -> Self {
        Self { out: untimed(&self.out), err: untimed(&self.err), ..self }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no `{text}` in stdout:\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no `{text}` in stderr:\n{}", self.err);
        self
    }
}

/// Both as the summary has it (`, in 0.3 s`) and as JSON does (`"seconds": 0.3`).
fn untimed(text: &str) -> String {
    let is_time = |text: &str| text.starts_with(|ch: char| ch.is_ascii_digit());
    let line = |line: &str| match line.split_once(", in ").filter(|(_, text)| is_time(text)) {
        Some((before, after)) => {
            let rest = after.split_once(" s").map_or("", |(_, rest)| rest);
            format!("{before}{rest}\n")
        }
        None if line.contains("seconds\":") => String::new(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
