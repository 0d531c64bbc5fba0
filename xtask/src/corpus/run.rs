//! Running other programs: with their output kept in a log, or returned.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

/// Nothing, or a sentence that says what went wrong.
pub type Outcome = Result<(), String>;

/// Runs to the end, appending all output to `log`; fails with the last lines of it.
pub fn logged(command: &mut Command, log: &Path) -> Outcome {
    let told = |e: std::io::Error| format!("{}: {e}", log.display());
    let file: File = OpenOptions::new().create(true).append(true).open(log).map_err(told)?;
    let errors = file.try_clone().map_err(told)?;
    let status = command.stdin(Stdio::null()).stdout(file).stderr(errors).status();
    match status {
        Err(error) => Err(format!("cannot run {}: {error}", command.get_program().display())),
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}; the end of {}:\n{}", log.display(), tail(log))),
    }
}

fn tail(log: &Path) -> String {
    let bytes = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(12)..];
    last.iter().map(|line| format!("    {line}\n")).collect()
}

/// Runs to the end and returns what was written to standard output.
pub fn captured(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run {}: {e}", command.get_program().display()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", command.get_program().display(), errors.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_returned_and_failure_told() {
        assert_eq!(captured(Command::new("echo").arg("a")).unwrap(), "a\n");
        assert!(captured(Command::new("sh").args(["-c", "echo no >&2; exit 3"])).is_err());
        assert!(captured(&mut Command::new("no-such-program-here")).is_err());
    }
}
