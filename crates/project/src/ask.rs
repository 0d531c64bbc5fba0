//! Asking a compiler: one run of `CC FLAGS -v -dM -E -x c /dev/null` prints the macros on its
//! output, and on its error stream the target and the folders it searches.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::facts::Answers;
use crate::paths::{normalise, os};
use crate::process::{Output, run};

const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Why a compiler did not answer.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub text: String,
    /// It would not answer to other flags either.
    pub for_good: bool,
}

impl Refusal {
    fn of_flags(text: String) -> Self {
        Self { text, for_good: false }
    }
}

pub(crate) fn ask(compiler: &Path, flags: &[OsString]) -> Result<Answers, Refusal> {
    let question = ["-v", "-dM", "-E", "-x", "c", "/dev/null"].map(OsString::from);
    let args: Vec<OsString> = flags.iter().cloned().chain(question).collect();
    let output = run(compiler, &args, TIME_LIMIT)
        .map_err(|error| Refusal { text: error.to_string(), for_good: true })?;
    if !output.success {
        return Err(Refusal::of_flags(failure_text(&output.stderr)));
    }
    understand(&output).map_err(Refusal::of_flags)
}

fn understand(output: &Output) -> Result<Answers, String> {
    let predefined = String::from_utf8_lossy(&output.stdout);
    let lines = predefined.lines().filter(|line| line.starts_with("#define "));
    let answers = Answers {
        predefined: lines.flat_map(|line| [line, "\n"]).collect(),
        system_includes: search_list(&output.stderr),
        triple: triple(&output.stderr),
    };
    if answers.plausible() {
        Ok(answers)
    } else {
        Err("did not print its predefined macros as gcc does".to_owned())
    }
}

/// The folders between the two lines that gcc and clang put around them.
fn search_list(stderr: &[u8]) -> Vec<PathBuf> {
    let lines = stderr.split(|byte| *byte == b'\n');
    lines
        .skip_while(|line| !line.starts_with(b"#include <...> search starts here"))
        .skip(1)
        .take_while(|line| line.starts_with(b" "))
        .map(|line| line.trim_ascii())
        .filter(|line| !line.ends_with(b" (framework directory)"))
        .map(|line| normalise(Path::new(&os(line))))
        .collect()
}

fn triple(stderr: &[u8]) -> String {
    let line = stderr.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"Target: "));
    line.map_or(String::new(), |name| String::from_utf8_lossy(name).trim().to_owned())
}

/// The first line that says what was wrong.
fn failure_text(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| line.contains("error:"));
    let line = line.or_else(|| text.lines().rev().find(|line| !line.trim().is_empty()));
    format!("failed: {}", line.unwrap_or("no message").trim())
}

/// The flags that decide most, for a compiler that does not take all of them: language, target
/// and system root.
pub(crate) fn essential(flags: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let bytes = flag.as_bytes();
        let joined =
            [&b"-std="[..], b"-ansi", b"--sysroot=", b"--target=", b"-m32", b"-m64", b"-mx32"];
        if matches!(bytes, b"-isysroot" | b"-target") {
            out.push(flag.clone());
            out.extend(flags.next().cloned());
        } else if joined.iter().any(|known| bytes.starts_with(known)) {
            out.push(flag.clone());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const STDERR: &[u8] = b"Using built-in specs.\nTarget: x86_64-linux-gnu\n\
        #include \"...\" search starts here:\n /q\n#include <...> search starts here:\n \
        /usr/lib/gcc/../include\n /F (framework directory)\n /usr/inc\xff\nEnd of search list.\n /no\n";

    fn output(stdout: &[u8]) -> Output {
        Output { success: true, stdout: stdout.to_vec(), stderr: STDERR.to_vec() }
    }

    #[test]
    fn both_streams_are_understood() {
        let answers = understand(&output(b"noise\n#define __STDC__ 1\n#define A\n")).unwrap();
        assert_eq!(answers.predefined, "#define __STDC__ 1\n#define A\n");
        assert_eq!(answers.triple, "x86_64-linux-gnu");
        let folders: Vec<_> =
            answers.system_includes.iter().map(|p| p.as_os_str().as_bytes()).collect();
        assert_eq!(folders, [&b"/usr/lib/include"[..], b"/usr/inc\xff"]);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(understand(&output(b"usage: tool\n")).unwrap_err().contains("predefined"));
        assert_eq!(failure_text(b"x\ncc: error: bad flag\ny\n"), "failed: cc: error: bad flag");
        assert_eq!(failure_text(b"\n"), "failed: no message");
    }

    #[test]
    fn essential_flags_are_language_and_target() {
        let flags =
            ["-fPIC", "-std=c99", "-isysroot", "/s", "-march=x", "-m32", "-O2"].map(OsString::from);
        assert_eq!(essential(&flags), ["-std=c99", "-isysroot", "/s", "-m32"]);
    }
}
