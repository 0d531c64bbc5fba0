//! A copy of a program that is edited between two runs.

use crate::corpus::run::captured;
use crate::corpus::{Entry, Ready};
use crate::tools::Scratch;
use std::path::PathBuf;
use std::process::Command;

pub struct Copied<'a> {
    program: &'a Ready,
    pub scratch: Scratch,
}

const FUNCTION: &str = "\nint caulk_bench_edit(int n)\n{\n    return n + 1;\n}\n";
const STATEMENT: &str = "    { volatile int caulk_bench_edit = 0; caulk_bench_edit++; }";

impl<'a> Copied<'a> {
    pub fn new(program: &'a Ready) -> Result<Self, String> {
        let copied = Self { program, scratch: Scratch::new("bench-edit")? };
        let (from, to) = (program.folder.join("source"), copied.scratch.file("source"));
        captured(Command::new("cp").arg("-a").arg(&from).arg(&to))?;
        let database = program.folder.join("compile_commands.json");
        let text = std::fs::read_to_string(&database).map_err(|e| e.to_string())?;
        std::fs::write(copied.database(), copied.moved(&text)).map_err(|e| e.to_string())?;
        Ok(copied)
    }

    pub fn database(&self) -> PathBuf {
        self.scratch.file("compile_commands.json")
    }

    fn moved(&self, path: &str) -> String {
        let from = self.program.folder.join("source").display().to_string();
        path.replace(&from, &self.scratch.file("source").display().to_string())
    }

    fn file(&self, unit: &Entry) -> PathBuf {
        PathBuf::from(self.moved(&unit.directory)).join(self.moved(&unit.file))
    }

    /// One more function, at the end of the first unit.
    pub fn add_function(&self) -> Result<(), String> {
        let file = self.file(self.program.units.first().ok_or("no units")?);
        let source = std::fs::read(&file).map_err(|e| e.to_string())?;
        std::fs::write(&file, [&source, FUNCTION.as_bytes()].concat()).map_err(|e| e.to_string())
    }

    /// One more statement in the function in the middle of the largest unit; the unit, and the line
    /// of the statement.
    pub fn edit_function(&self) -> Result<(String, usize), String> {
        let size = |unit: &&Entry| std::fs::metadata(self.file(unit)).map_or(0, |data| data.len());
        let unit = self.program.units.iter().max_by_key(size).ok_or("no units")?;
        let file = self.file(unit);
        let bytes = std::fs::read(&file).map_err(|e| e.to_string())?;
        let (text, line) =
            edited(&bytes).ok_or(format!("{}: no function is seen", file.display()))?;
        std::fs::write(&file, text).map_err(|e| e.to_string())?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok((name.unwrap_or_default(), line))
    }
}

/// The text with a statement more in the middle one of its functions, and the statement's line.
fn edited(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let opens = |line: &[u8]| {
        let is_head = line.first().is_some_and(|byte| !byte.is_ascii_whitespace());
        line == b"{" || (is_head && line.ends_with(b") {"))
    };
    let bodies: Vec<usize> = (0..lines.len()).filter(|&at| opens(lines[at])).collect();
    let at = bodies.get(bodies.len() / 2)? + 1;
    lines.insert(at, STATEMENT.as_bytes());
    Some((lines.join(&b'\n'), at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_function_is_edited() {
        let text = "int a(void)\n{\n}\nint b(int n) {\n  if (n) {\n  }\n}\n";
        let (text, line) = edited(text.as_bytes()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(line, 5);
        assert_eq!(text.lines().nth(4), Some(STATEMENT));
        assert_eq!(text.lines().nth(3), Some("int b(int n) {"));
        assert_eq!(edited(b"int x;\n"), None);
    }
}
