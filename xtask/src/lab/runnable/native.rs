//! A program built by gcc and run under the tools that know what happened to memory.

use super::frames::{self, Paragraph};
use super::program::{Input, Program};
use super::truth::{Kind, Observed};
use crate::corpus::run::captured;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds after which a run is ended: all of them take less than one.
const MOST_SECONDS: &str = "20";
const SANITIZER: &str = "detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=60:\
    allocator_may_return_null=1:exitcode=0";
const VALGRIND: &[&str] = &[
    "valgrind",
    "--leak-check=full",
    "--show-leak-kinds=all",
    "--track-fds=yes",
    "--num-callers=60",
];
/// What the build with failing allocations redirects; see `suites/programs/failing_malloc.c`.
const WRAPPED: &[&str] = &["malloc", "calloc", "realloc", "strdup"];

/// The builds of one program, in a folder of its own.
pub struct Native {
    folder: PathBuf,
    /// The name of the source, as stacks spell it.
    file: String,
}

impl Native {
    /// Builds it for the sanitizer and for valgrind. `data` is copied to where it runs.
    pub fn build(program: &Program, failing: &Path, folder: &Path) -> Result<Native, String> {
        let file = program.source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let native = Native { folder: folder.to_path_buf(), file };
        let sanitized = ["-fsanitize=address", "-fno-omit-frame-pointer"];
        native.compile(program, &sanitized, Some(failing), "sanitized")?;
        native.compile(program, &[], None, "plain")?;
        Ok(native)
    }

    fn compile(
        &self,
        program: &Program,
        options: &[&str],
        failing: Option<&Path>,
        output: &str,
    ) -> Result<(), String> {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu17", "-w", "-g", "-O0"]).args(options).arg(&program.source);
        if let Some(wrapper) = failing {
            gcc.args(WRAPPED.iter().map(|name| format!("-Wl,--wrap={name}"))).arg(wrapper);
        }
        captured(gcc.arg("-o").arg(self.folder.join(output)).arg("-lm")).map(drop)
    }

    /// What AddressSanitizer and LeakSanitizer say about one run.
    pub fn sanitized(&self, input: &Input, failing: Option<u64>) -> Result<Vec<Observed>, String> {
        let mut command = self.command(&["./sanitized"], input);
        command.env("ASAN_OPTIONS", SANITIZER).env("LSAN_OPTIONS", "exitcode=0");
        command.envs(failing.map(|number| ("FAIL_ALLOC", number.to_string())));
        let stderr = run(command, &input.stdin)?;
        if stderr.contains("LeakSanitizer has encountered a fatal error") {
            return Err("LeakSanitizer cannot run here".into());
        }
        sanitizer_defects(&frames::sanitizer(&stderr, &self.file))
    }

    /// What valgrind says about one run.
    pub fn valgrind(&self, input: &Input) -> Result<Vec<Observed>, String> {
        let words = [VALGRIND, &["./plain"]].concat();
        let stderr = run(self.command(&words, input), &input.stdin)?;
        Ok(valgrind_defects(&frames::valgrind(&stderr, &self.file)))
    }

    fn command(&self, words: &[&str], input: &Input) -> Command {
        let mut command = Command::new("timeout");
        command.arg(MOST_SECONDS).args(words).args(&input.args).current_dir(&self.folder);
        command
    }
}

/// Runs with this standard input; the result is what stands on standard error. However the program
/// ends, the tools have told what they know.
pub fn run(mut command: Command, stdin: &str) -> Result<String, String> {
    let told = |e: std::io::Error| format!("cannot run a program: {e}");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(told)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read its input closes the pipe early.
        let _ = pipe.write_all(stdin.as_bytes());
    }
    let output = child.wait_with_output().map_err(told)?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Double frees end the program, so that one run shows at most one of them and no leaks.
fn sanitizer_defects(paragraphs: &[Paragraph]) -> Result<Vec<Observed>, String> {
    let mut found = Vec::new();
    let mut error = "";
    for row in paragraphs {
        let headline = row.headline.as_str();
        if headline.contains("ERROR: AddressSanitizer: ") {
            error = headline;
        } else if headline.contains(" leak of ") {
            found.push(Observed::new(memory_or_resource(row), &row.stack));
        } else if headline.starts_with("previously allocated") && error.contains("double-free") {
            found.push(Observed::new(Kind::DoubleFree, &row.stack));
        }
    }
    let is_other = !error.is_empty() && !error.contains("double-free");
    match is_other && !error.contains("SEGV") {
        true => Err(format!("AddressSanitizer: {error}")),
        false => Ok(found),
    }
}

fn valgrind_defects(paragraphs: &[Paragraph]) -> Vec<Observed> {
    let mut found = Vec::new();
    let mut is_double = false;
    for row in paragraphs.iter() {
        let headline = row.headline.as_str();
        let is_loss = headline.contains(" in loss record ");
        let is_reachable = headline.contains("still reachable");
        let kind = memory_or_resource(row);
        is_double |= headline.starts_with("Invalid free()");
        is_double &=
            !headline.starts_with("Invalid read") && !headline.starts_with("Invalid write");
        if headline.starts_with("Open file descriptor") {
            found.push(Observed::new(Kind::ResourceLeak, &row.stack));
        } else if is_loss && (!is_reachable || kind == Kind::ResourceLeak) {
            found.push(Observed::new(kind, &row.stack));
        } else if headline.starts_with("Block was alloc'd at") && std::mem::take(&mut is_double) {
            found.push(Observed::new(Kind::DoubleFree, &row.stack));
        }
    }
    found.retain(|row| !row.chain.is_empty());
    found
}

/// Open streams hang on a list of the C library, so they are found by who allocated them.
fn memory_or_resource(row: &Paragraph) -> Kind {
    let opens = |name: &String| name.contains("open") || name.starts_with("tmpfile");
    if row.library.iter().any(opens) { Kind::ResourceLeak } else { Kind::Leak }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(found: &[Observed]) -> Vec<(Kind, u32)> {
        found.iter().map(|row| (row.kind, row.chain[0].line)).collect()
    }

    #[test]
    fn a_double_free_is_told_by_its_allocation() {
        let report = "==1==ERROR: AddressSanitizer: attempting double-free on 0x6 in thread T0:\n    \
            #0 0x7 in free x.cpp:1\n    #1 0x5 in main /d/a.c:9\n\n0x6 is located 0 bytes inside\n\
            freed by thread T0 here:\n    #0 0x7 in free x.cpp:1\n    #1 0x5 in main /d/a.c:8\n\n\
            previously allocated by thread T0 here:\n    #0 0x7 in malloc x.cpp:1\n    \
            #1 0x5 in main /d/a.c:3\n";
        let found = sanitizer_defects(&frames::sanitizer(report, "a.c")).unwrap();
        assert_eq!(kinds(&found), [(Kind::DoubleFree, 3)]);
        let other = report.replace("attempting double-free", "heap-use-after-free");
        assert!(sanitizer_defects(&frames::sanitizer(&other, "a.c")).is_err());
    }

    #[test]
    fn valgrind_tells_streams_and_descriptors_from_memory() {
        let report = "==7== Open file descriptor 3: x\n==7==    at 0x4: open (open64.c:41)\n\
            ==7==    by 0x5: main (a.c:4)\n==7== \n\
            ==7== 8 bytes in 1 blocks are still reachable in loss record 1 of 3\n\
            ==7==    at 0x4: malloc (m.c:1)\n==7==    by 0x5: main (a.c:5)\n==7== \n\
            ==7== 8 bytes in 1 blocks are still reachable in loss record 2 of 3\n\
            ==7==    at 0x4: malloc (m.c:1)\n==7==    by 0x4: fopen (f.c:1)\n\
            ==7==    by 0x5: main (a.c:6)\n==7== \n\
            ==7== 8 bytes in 1 blocks are definitely lost in loss record 3 of 3\n\
            ==7==    at 0x4: malloc (m.c:1)\n==7==    by 0x5: main (a.c:7)\n";
        let found = valgrind_defects(&frames::valgrind(report, "a.c"));
        let expected = [(Kind::ResourceLeak, 4), (Kind::ResourceLeak, 6), (Kind::Leak, 7)];
        assert_eq!(kinds(&found), expected);
    }

    #[test]
    fn valgrind_tells_a_double_free_by_its_allocation() {
        let report = "==7== Invalid free() / delete / delete[] / realloc()\n\
            ==7==    at 0x4: free (m.c:1)\n==7==    by 0x5: main (a.c:9)\n\
            ==7==  Address 0x4 is 0 bytes inside a block of size 8 free'd\n\
            ==7==    at 0x4: free (m.c:1)\n==7==    by 0x5: main (a.c:8)\n\
            ==7==  Block was alloc'd at\n==7==    at 0x4: malloc (m.c:1)\n\
            ==7==    by 0x5: main (a.c:3)\n";
        let found = valgrind_defects(&frames::valgrind(report, "a.c"));
        assert_eq!(kinds(&found), [(Kind::DoubleFree, 3)]);
        let read = report.replace("Invalid free()", "Invalid read");
        assert!(valgrind_defects(&frames::valgrind(&read, "a.c")).is_empty());
    }
}
