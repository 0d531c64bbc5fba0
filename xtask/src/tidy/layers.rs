//! Dependencies point one way.

use super::rust::Rust;
use super::{Violation, crate_of};

/// The crates in the order in which data passes them: each may depend on those before it.
///
/// The reason for each place is in the design's table: a crate comes after what it is made from,
/// and before whatever it must know nothing of. `ir`, `guard` and `finding` need nothing but
/// `base`; if a crate above them comes to need one, it moves up here.
const ORDER: &[&str] = &[
    "base",         // ids, names, spans: knows nothing of C
    "project",      // files, processes, compile commands: knows nothing of analysis
    "cfront",       // a typed tree per unit, from bytes and flags
    "ir",           // the representation: knows nothing of C
    "lower",        // from the tree to ir
    "testkit",      // only a dev-dependency: C text into modules for tests
    "interp",       // runs ir
    "ssa",          // facts about one function: knows nothing of memory
    "models",       // what external functions do
    "program",      // modules linked into one
    "pointer",      // points-to sets: knows nothing of leaks
    "memory",       // regions and memory SSA
    "guard",        // conditions as values: knows nothing of programs
    "oracle",       // only for its test: another solver beside guard's
    "flow",         // the value-flow graph, with guards on its edges
    "finding",      // what engines tell: verdicts with their way
    "machines",     // what may be done with a resource, in which order
    "guarded_flow", // the engines: each knows nothing of the others
    "use_flow",
    "summary",
    "symbolic_heap",
    "replay", // runs findings of every engine: knows no engine
    "staged", // one verdict from several engines
    "report", // the formats, which only it knows
    "driver", // the stages as one pipe
    "cli",    // what people call
    "lsp",    // what editors call
];

/// The crates that must not know each other.
const ENGINES: &[&str] = &["guarded_flow", "use_flow", "summary", "symbolic_heap"];

fn place(name: &str) -> Option<usize> {
    ORDER.iter().position(|c| *c == name)
}

/// A manifest may name only crates before its own, and only `cfront` names `rucc-*`.
pub fn dependencies(path: &str, text: &str) -> Vec<Violation> {
    let Some((name, "Cargo.toml")) = crate_of(path) else { return Vec::new() };
    let Some(own) = place(name) else {
        let message = "unknown crate: give it a place in ORDER in xtask/src/tidy/layers.rs";
        return vec![Violation::new(path, 1, message)];
    };
    let judge = |(line, dependency): (usize, String)| {
        let message = judge_dependency(name, own, &dependency)?;
        Some(Violation::new(path, line, message))
    };
    named_dependencies(text).into_iter().filter_map(judge).collect()
}

fn judge_dependency(name: &str, own: usize, dependency: &str) -> Option<String> {
    if dependency.starts_with("rucc-") {
        let message = format!("only cfront may depend on {dependency}: use what cfront offers");
        return (name != "cfront").then_some(message);
    }
    let other = dependency.strip_prefix("caulk-")?;
    if ENGINES.contains(&name) && ENGINES.contains(&other) {
        return Some(format!("{name} may not use {other}: combine them in staged"));
    }
    match place(other) {
        Some(place) if place < own => None,
        _ => Some(format!("{name} may not depend on {other}, which does not come before it")),
    }
}

/// The crates of `[dependencies]`, `[build-dependencies]` and their variants for targets.
fn named_dependencies(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            let last = header.rsplit('.').next().unwrap_or_default();
            inside = last.ends_with("dependencies") && last != "dev-dependencies";
            let single = header.rsplit_once("dependencies.");
            found.extend(
                single
                    .filter(|(kind, _)| !kind.ends_with("dev-"))
                    .map(|(_, name)| (number, name.to_string())),
            );
        } else if inside && !line.starts_with('#') {
            found.extend(dependencies_in(line).map(|name| (number, name)));
        }
    }
    found
}

/// The key of a line `key = …`, and the package that it renames.
fn dependencies_in(line: &str) -> impl Iterator<Item = String> {
    let key = line.split(['.', '=', ' ']).next().filter(|key| !key.is_empty());
    let package = line.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
    [key, package].into_iter().flatten().map(|name| name.trim_matches('"').to_string())
}

/// Only `cfront` names the `rucc` crates in its source, tests included.
pub fn foreign_front_end(path: &str, rust: &Rust) -> Vec<Violation> {
    let Some((name, _)) = crate_of(path) else { return Vec::new() };
    if name == "cfront" {
        return Vec::new();
    }
    let is_foreign = |line: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w.starts_with("rucc_"))
    };
    let message = "only cfront may name the rucc crates: use what cfront offers";
    let lines = (1..).zip(rust.all.lines());
    lines.filter(|(_, l)| is_foreign(l)).map(|(n, _)| Violation::new(path, n, message)).collect()
}

/// Whether a path is `prefix` or below it.
pub fn is_within(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(name: &str, dependencies: &str) -> Vec<(usize, String)> {
        let text = format!("[package]\nname = \"x\"\n[dependencies]\n{dependencies}\n");
        let found = super::dependencies(&format!("crates/{name}/Cargo.toml"), &text);
        found.into_iter().map(|v| (v.line, v.message)).collect()
    }

    #[test]
    fn dependencies_point_one_way() {
        assert!(
            manifest("lower", "caulk-ir.workspace = true\ncaulk-cfront.workspace = true")
                .is_empty()
        );
        let found = manifest("ir", "serde = \"1\"\ncaulk-lower.workspace = true");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, 5);
        assert_eq!(manifest("ir", "l = { package = \"caulk-lower\" }").len(), 1);
        assert_eq!(manifest("ir", "[dependencies.caulk-lower]").len(), 1);
        assert_eq!(manifest("ir", "[target.'cfg(unix)'.dependencies]\ncaulk-lower = {}").len(), 1);
        assert!(manifest("ir", "[dev-dependencies]\ncaulk-lower.workspace = true").is_empty());
        assert!(manifest("ir", "[dev-dependencies.caulk-lower]").is_empty());
        assert_eq!(manifest("surprise", "").len(), 1);
    }

    #[test]
    fn only_cfront_names_rucc() {
        assert!(manifest("cfront", "rucc-lex.workspace = true").is_empty());
        assert_eq!(manifest("lower", "rucc-lex.workspace = true").len(), 1);
        let source = Rust::new("// rucc_lex\nuse rucc_lex::Token;\n");
        assert_eq!(foreign_front_end("crates/lower/src/lib.rs", &source)[0].line, 2);
        assert!(foreign_front_end("crates/cfront/src/lib.rs", &source).is_empty());
    }

    #[test]
    fn engines_do_not_import_each_other() {
        assert_eq!(manifest("use_flow", "caulk-guarded_flow.workspace = true").len(), 1);
        assert!(manifest("staged", "caulk-use_flow.workspace = true").is_empty());
        assert!(manifest("use_flow", "caulk-flow.workspace = true").is_empty());
    }
}
