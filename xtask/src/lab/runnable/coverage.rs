//! Which lines and branches the inputs of a program reach, counted by gcov.

use super::native::run;
use super::program::{Input, Program};
use crate::corpus::run::captured;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A double free would end the run before it is counted, so nothing is freed.
const NOTHING_IS_FREED: &str = "void __wrap_free(void *p) { (void)p; }\n";
const WRAPPED: &[&str] = &["malloc", "calloc", "realloc", "strdup", "free"];

/// Lines of a program that no run executed, and lines with a branch that none took.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Uncovered {
    pub lines: Vec<u32>,
    pub branches: Vec<u32>,
}

/// A build that counts, in the folder that its counts go to.
pub struct Counted {
    folder: PathBuf,
    name: String,
}

impl Counted {
    pub fn build(program: &Program, failing: &Path, folder: &Path) -> Result<Counted, String> {
        let shim = folder.join("nothing_is_freed.c");
        std::fs::write(&shim, NOTHING_IS_FREED).map_err(|e| format!("{}: {e}", shim.display()))?;
        let object = format!("{}.counted.o", program.name);
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu17", "-w", "-O0", "--coverage", "-c"]).arg(&program.source);
        captured(gcc.arg("-o").arg(&object).current_dir(folder))?;
        let mut link = Command::new("gcc");
        link.args(["-w", "--coverage", "-fno-builtin", &object]).arg(failing).arg(&shim);
        link.args(WRAPPED.iter().map(|name| format!("-Wl,--wrap={name}")));
        captured(link.args(["-o", "counted", "-lm"]).current_dir(folder))?;
        Ok(Counted { folder: folder.to_path_buf(), name: program.name.clone() })
    }

    pub fn run(&self, input: &Input, failing: Option<u64>) -> Result<(), String> {
        let mut command = Command::new("timeout");
        command.args(["20", "./counted"]).args(&input.args).current_dir(&self.folder);
        command.envs(failing.map(|number| ("FAIL_ALLOC", number.to_string())));
        run(command, &input.stdin).map(drop)
    }

    pub fn uncovered(&self) -> Result<Uncovered, String> {
        let mut gcov = Command::new("gcov");
        gcov.args(["--json-format", "--branch-probabilities", "--stdout"]);
        gcov.arg(format!("{}.counted.gcda", self.name)).current_dir(&self.folder);
        let text = captured(&mut gcov)?;
        let json: Value = serde_json::from_str(&text).map_err(|e| format!("gcov: {e}"))?;
        Ok(uncovered(&json, &format!("{}.c", self.name)))
    }
}

fn uncovered(json: &Value, file: &str) -> Uncovered {
    let mut result = Uncovered::default();
    let rows = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let is_own = |entry: &Value| entry["file"].as_str().is_some_and(|path| path.ends_with(file));
    for line in rows(&json["files"]).iter().filter(|e| is_own(e)).flat_map(|e| rows(&e["lines"])) {
        let number = line["line_number"].as_u64().unwrap_or(0) as u32;
        let is_zero = |value: &Value| value["count"].as_u64() == Some(0);
        if is_zero(&line) {
            result.lines.push(number);
        } else if rows(&line["branches"]).iter().any(is_zero) {
            result.branches.push(number);
        }
    }
    for list in [&mut result.lines, &mut result.branches] {
        list.sort_unstable();
        list.dedup();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_branches_without_a_count_are_told() {
        let text = r#"{"files":[{"file":"/d/a.c","lines":[
            {"line_number":3,"count":2,"branches":[{"count":2},{"count":0}]},
            {"line_number":4,"count":0,"branches":[]},
            {"line_number":5,"count":1,"branches":[{"count":1},{"count":1}]}]},
            {"file":"/d/other.c","lines":[{"line_number":9,"count":0,"branches":[]}]}]}"#;
        let json: Value = serde_json::from_str(text).unwrap();
        let found = uncovered(&json, "a.c");
        assert_eq!(found, Uncovered { lines: vec![4], branches: vec![3] });
    }
}
