//! What a tool reports on a program, in one form for caulk's engines and for its peers, and the
//! files that keep it: `lab/results/findings/TOOL/PROGRAM.json`.
//!
//! caulk's engines are named `caulk-E`. A tool that could not be run is recorded as well, with the
//! reason, so that the page can say so.

use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// One tool on one program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    pub tool: String,
    pub version: String,
    pub program: String,
    pub program_version: String,
    /// Of caulk's checkout.
    pub commit: String,
    pub date: String,
    /// How to repeat it.
    pub command: String,
    /// Why the tool could not be run; the figures mean nothing then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Units that the tool was run on.
    pub units: usize,
    /// Units of the program.
    pub of_units: usize,
    pub timed_out: usize,
    pub failed: usize,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    /// Of the largest process.
    pub peak_kib: u64,
    /// In order, each once.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Relative to the program's sources.
    pub file: String,
    /// Of the loss or the second release; of the allocation if the tool tells no more.
    pub line: u32,
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation_line: Option<u32>,
    /// What is lost, where the tool tells: `memory`, `file`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// `high`, `medium` or `low`, where the tool tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Leak,
    DoubleFree,
    ResourceLeak,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Leak, Kind::DoubleFree, Kind::ResourceLeak];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Leak => "leak",
            Kind::DoubleFree => "double-free",
            Kind::ResourceLeak => "resource-leak",
        }
    }

    /// For tools that know memory and streams only.
    pub fn usual_resource(self) -> &'static str {
        if self == Kind::ResourceLeak { "file" } else { "memory" }
    }

    pub fn parse(word: &str) -> Option<Kind> {
        Self::ALL.into_iter().find(|kind| kind.name() == word)
    }
}

impl Findings {
    pub fn count(&self, kind: Kind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }

    /// One finding per line, so that a change shows as such, and no more space than that.
    pub fn to_json(&self) -> Result<String, String> {
        let told = |e: serde_json::Error| e.to_string();
        let head = Findings { findings: Vec::new(), ..self.clone() };
        let head = serde_json::to_string(&head).map_err(told)?;
        let lines: Vec<String> = self
            .findings
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()
            .map_err(told)?;
        let open = head.strip_suffix("]}").ok_or("findings are not last")?;
        let lines = lines.iter().map(|line| format!("\n{line}")).collect::<Vec<_>>().join(",");
        Ok(format!("{open}{lines}]}}\n"))
    }

    pub fn write(&self, checkout: &Path) -> Result<(), String> {
        let name = format!("findings/{}/{}.json", self.tool, self.program);
        write_record(checkout, &name, &self.to_json()?)
    }
}

/// Writes `lab/results/NAME`.
pub fn write_record(checkout: &Path, name: &str, text: &str) -> Result<(), String> {
    let file = results(checkout).join(name);
    let folder = file.parent().unwrap_or(checkout);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|e| format!("{}: {e}", file.display()))
}

pub fn results(checkout: &Path) -> PathBuf {
    checkout.join("lab/results")
}

/// All that is recorded, by tool and program.
pub fn read_all(checkout: &Path) -> Result<Vec<Findings>, String> {
    let mut records = Vec::new();
    for tool in entries(&results(checkout).join("findings")) {
        records.extend(read_records::<Findings>(&tool)?);
    }
    Ok(records)
}

/// The records in the JSON files of a folder, in the order of their names; none without a folder.
pub fn read_records<T: for<'a> Deserialize<'a>>(folder: &Path) -> Result<Vec<T>, String> {
    let files = entries(folder).into_iter().filter(|f| f.extension().is_some_and(|e| e == "json"));
    let read = |file: PathBuf| {
        let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|e| told(&e))?;
        serde_json::from_str(&text).map_err(|e| told(&e))
    };
    files.map(read).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// `file`, as named in `folder`, relative to `root` if it lies there.
pub fn relative(root: &Path, folder: &Path, file: &str) -> String {
    let mut path = PathBuf::new();
    for part in folder.join(file).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned()
}

/// The same for a record, which names no machine: builds may name folders after the kernel that runs.
pub fn recorded(root: &Path, folder: &Path, file: &str) -> String {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    without(&relative(root, folder, file), kernel.trim())
}

fn without(file: &str, kernel: &str) -> String {
    if kernel.is_empty() { file.to_string() } else { file.replace(kernel, "RELEASE") }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn finding(file: &str, line: u32, kind: Kind) -> Finding {
        Finding {
            file: file.into(),
            line,
            kind,
            function: None,
            message: "m".into(),
            allocation_line: None,
            resource: None,
            confidence: None,
        }
    }

    pub fn findings(tool: &str, program: &str, findings: Vec<Finding>) -> Findings {
        Findings {
            tool: tool.into(),
            version: "1.0".into(),
            program: program.into(),
            program_version: "1".into(),
            commit: "abc".into(),
            date: "2026-11-30".into(),
            command: format!("cargo xtask lab peers {program}"),
            missing: None,
            units: 4,
            of_units: 4,
            timed_out: 0,
            failed: 0,
            cpu_seconds: 2.0,
            wall_seconds: 1.0,
            peak_kib: 2048,
            findings,
        }
    }

    #[test]
    fn records_round_trip_with_a_line_each() {
        let two = vec![finding("a.c", 1, Kind::Leak), finding("b.c", 2, Kind::DoubleFree)];
        for record in [findings("gcc", "zlib", two), findings("gcc", "zlib", Vec::new())] {
            let text = record.to_json().unwrap();
            assert_eq!(serde_json::from_str::<Findings>(&text).unwrap(), record);
            assert_eq!(text.lines().count(), 1 + record.findings.len());
        }
    }

    #[test]
    fn files_are_relative_to_the_sources() {
        let root = Path::new("/c/zlib/source");
        let relative = |folder: &str, file: &str| super::relative(root, Path::new(folder), file);
        assert_eq!(relative("/c/zlib/source/a", "../b/./x.c"), "b/x.c");
        assert_eq!(relative("/c/zlib/source", "/c/zlib/source/x.c"), "x.c");
        assert_eq!(relative("/c/zlib/source", "/usr/include/x.h"), "/usr/include/x.h");
    }

    #[test]
    fn records_do_not_name_the_kernel() {
        assert_eq!(without("obj.Linux.6.1-a.x86/x.c", "6.1-a"), "obj.Linux.RELEASE.x86/x.c");
        assert_eq!(without("b/x.c", ""), "b/x.c");
    }

    #[test]
    fn kinds_have_one_spelling() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("{:?}", kind.name()));
            assert_eq!(Kind::parse(kind.name()), Some(kind));
        }
    }
}
