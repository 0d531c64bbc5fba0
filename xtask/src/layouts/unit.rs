//! One unit: read by caulk, its layouts written as assertions, judged by its compiler.

use super::judge::{Verdict, judge};
use crate::corpus::Entry;
use crate::syntax_only::SyntaxOnly;
use caulk_cfront::{Limits, read_unit};
use caulk_project::{LoadOptions, SourceFiles, Unit, default_cache_dir, from_files};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A unit to be checked.
pub struct Check<'a> {
    pub entry: &'a Entry,
    pub files: &'a SourceFiles,
    /// Written for the compiler, and removed again.
    pub file: PathBuf,
}

pub struct Report {
    pub assertions: usize,
    pub verdict: Verdict,
}

impl Check<'_> {
    pub fn run(&self) -> Result<Report, String> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.assertions()));
        let assertions = outcome.map_err(|_| "caulk panicked")??;
        let source = Path::new(&self.entry.directory).join(&self.entry.file);
        let text = format!("#include \"{}\"\n{assertions}", source.display());
        let told = |e: std::io::Error| format!("{}: {e}", self.file.display());
        std::fs::write(&self.file, &text).map_err(told)?;
        let errors = self.compile();
        std::fs::remove_file(&self.file).map_err(told)?;
        let verdict = judge(&text, &self.file.to_string_lossy(), &errors?);
        Ok(Report { assertions: assertions.matches("_Static_assert(").count(), verdict })
    }

    fn assertions(&self) -> Result<String, String> {
        let unit = load(self.entry)?;
        let front = read_unit(&unit, self.files, &Limits::default());
        let tree = front.tree.ok_or_else(|| format!("caulk cannot read it: {:?}", front.errors))?;
        Ok(caulk_lower::layouts::assertions(&tree, &self.entry.file))
    }

    /// What the compiler complains about.
    fn compile(&self) -> Result<String, String> {
        let SyntaxOnly { compiler, arguments, folder } = SyntaxOnly::on(self.entry, &self.file);
        let output = Command::new(&compiler)
            .args(arguments)
            .arg("-fmax-errors=0")
            .current_dir(folder)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot run {compiler}: {e}"))?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.success() || errors.contains("error: ") {
            true => Ok(errors),
            false => Err(format!("{compiler}: {}: {errors}", output.status)),
        }
    }
}

/// The unit as caulk loads it from the command alone.
fn load(entry: &Entry) -> Result<Unit, String> {
    let flags: Vec<String> =
        entry.arguments.iter().filter(|word| **word != entry.file).cloned().collect();
    let options = LoadOptions {
        cache_dir: default_cache_dir(),
        ..LoadOptions::new(Path::new(&entry.directory))
    };
    let project = from_files(&[PathBuf::from(&entry.file)], &flags, &options);
    let problem = || project.problems.iter().map(|p| p.to_string()).collect::<String>();
    project.units.first().cloned().ok_or_else(|| format!("caulk cannot load it: {}", problem()))
}
