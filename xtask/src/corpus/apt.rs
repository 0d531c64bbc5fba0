//! Debian's package tools: source packages, and the packages needed to build them.
//!
//! No host is named here: the places to download from are those that the machine already uses for
//! binary packages, asked once more for sources.

use super::run::{Outcome, captured, logged};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "/etc/apt/sources.list.d";
const MAIN_LIST: &str = "/etc/apt/sources.list";
/// The name, without extension, of the files written into `FOLDER`.
const OURS: &str = "caulk-corpus";

/// The package tools. The index is refreshed at the first use only.
#[derive(Default)]
pub struct Apt {
    refreshed: OnceCell<Outcome>,
}

impl Apt {
    /// Downloads the source package into `folder`, at the pinned version if there is one to be
    /// had, else at the newest that can be; returns the version.
    pub fn download(
        &self,
        source: &str,
        pinned: &str,
        folder: &Path,
        log: &Path,
    ) -> Result<String, String> {
        self.refresh(log)?;
        let mut versions = vec![pinned.to_string()];
        versions.extend(available_versions(source)?.into_iter().filter(|v| v != pinned));
        for version in versions {
            empty(folder)?;
            let mut get = apt_get(&["source", "--download-only", "--only-source"]);
            get.arg(format!("{source}={version}")).current_dir(folder);
            if logged(&mut get, log).is_ok() {
                return Ok(version);
            }
        }
        Err(format!("no version of {source} can be downloaded, see {}", log.display()))
    }

    /// Installs those of the packages that are missing.
    pub fn install(&self, packages: &[String], log: &Path) -> Outcome {
        let missing: Vec<&String> = packages.iter().filter(|p| !is_installed(p)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        self.refresh(log)?;
        let mut install = apt_get(&["install", "--yes", "--no-install-recommends"]);
        install.args(&missing).env("DEBIAN_FRONTEND", "noninteractive");
        logged(&mut install, log).map_err(|e| format!("cannot install {missing:?}: {e}"))
    }

    fn refresh(&self, log: &Path) -> Outcome {
        let refresh = || {
            enable_sources()?;
            logged(&mut apt_get(&["update"]), log)
        };
        self.refreshed.get_or_init(refresh).clone()
    }
}

/// `apt-get`, waiting for its turn if another one is running.
fn apt_get(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(["--quiet", "-o", "DPkg::Lock::Timeout=600", "-o", "APT::Sandbox::User=root"]);
    command.args(arguments);
    command
}

fn is_installed(package: &str) -> bool {
    captured(Command::new("dpkg-query").args(["-W", "-f", "${Status}", package]))
        .is_ok_and(|status| status.ends_with(" installed"))
}

/// The versions of a source package that the index knows, the newest first.
fn available_versions(source: &str) -> Result<Vec<String>, String> {
    let table = captured(Command::new("apt-cache").args(["madison", source]))?;
    let mut versions: Vec<String> = source_versions(&table, source);
    versions.sort_by(|a, b| compare_versions(b, a));
    versions.dedup();
    Ok(versions)
}

/// The versions in the rows `package | version | place` of `apt-cache madison` that are sources.
fn source_versions(table: &str, source: &str) -> Vec<String> {
    let version = |line: &str| {
        let mut columns = line.split('|').map(str::trim);
        let package = columns.next()?;
        let version = columns.next()?;
        let is_source = columns.next()?.ends_with("Sources");
        (package == source && is_source).then(|| version.to_string())
    };
    table.lines().filter_map(version).collect()
}

fn compare_versions(a: &str, b: &str) -> Ordering {
    let holds = |relation| {
        let mut dpkg = Command::new("dpkg");
        dpkg.args(["--compare-versions", a, relation, b]).status().is_ok_and(|s| s.success())
    };
    if a == b {
        Ordering::Equal
    } else if holds("lt") {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// Lets apt know the sources of the packages it knows, unless it does already.
fn enable_sources() -> Outcome {
    let targets =
        captured(Command::new("apt-get").args(["indextargets", "--format", "$(CREATED_BY)"]))?;
    if targets.lines().any(|line| line == "Sources") {
        return Ok(());
    }
    let release = release_name()?;
    let mut found = false;
    for (extension, derive) in
        [("sources", of_stanzas as fn(&str, &str) -> String), ("list", of_lines)]
    {
        let texts: Vec<String> = source_files(extension).iter().filter_map(read).collect();
        let derived: String = texts.iter().map(|text| derive(text, &release)).collect();
        if !derived.is_empty() {
            let path = Path::new(FOLDER).join(OURS).with_extension(extension);
            std::fs::write(&path, derived).map_err(|e| cannot_write(&path, &e))?;
            found = true;
        }
    }
    let failure = || format!("no package source for {release} in {FOLDER} or {MAIN_LIST}");
    found.then_some(()).ok_or_else(failure)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}; enable deb-src yourself, or run as root", path.display())
}

fn read(path: &PathBuf) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The release's code name, for instance `bookworm`.
fn release_name() -> Result<String, String> {
    let text =
        std::fs::read_to_string("/etc/os-release").map_err(|e| format!("os-release: {e}"))?;
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(|n| n.trim_matches('"').to_string()).ok_or("os-release names no release".into())
}

/// The files that say where packages come from, in one of apt's two formats.
fn source_files(extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    files.push(MAIN_LIST.into());
    files.retain(|f| f.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

/// The stanzas for this release, asking for sources instead of binaries.
fn of_stanzas(text: &str, release: &str) -> String {
    let about_release =
        |stanza: &&str| stanza.lines().any(|l| l.starts_with("Suites:") && l.contains(release));
    let line = |line: &str| {
        let types = if line.starts_with("Types:") { "Types: deb-src" } else { line };
        format!("{types}\n")
    };
    let stanza = |stanza: &str| stanza.lines().map(line).chain(["\n".into()]).collect::<String>();
    text.split("\n\n").filter(about_release).map(stanza).collect()
}

/// The lines for this release, asking for sources instead of binaries.
fn of_lines(text: &str, release: &str) -> String {
    let about_release = |line: &&str| line.starts_with("deb ") && line.contains(release);
    let line = |line: &str| format!("deb-src {}\n", &line["deb ".len()..]);
    text.lines().filter(about_release).map(line).collect()
}

/// Makes the folder exist with nothing in it.
fn empty(folder: &Path) -> Outcome {
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(told)?;
    }
    std::fs::create_dir_all(folder).map_err(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stanzas_of_the_release_are_derived() {
        let text = "Types: deb\nURIs: http://a\nSuites: bookworm\n\nTypes: deb\nSuites: other\n";
        assert_eq!(
            of_stanzas(text, "bookworm"),
            "Types: deb-src\nURIs: http://a\nSuites: bookworm\n\n"
        );
    }

    #[test]
    fn lines_of_the_release_are_derived() {
        let text = "# c\ndeb http://a bookworm main\ndeb http://b other main\n";
        assert_eq!(of_lines(text, "bookworm"), "deb-src http://a bookworm main\n");
    }

    #[test]
    fn only_source_rows_give_versions() {
        let table =
            " jq | 1.6-2 | http://a bookworm/main Sources\n jq | 1.6-1 | http://a amd64 Packages\n";
        assert_eq!(source_versions(table, "jq"), ["1.6-2"]);
    }
}
