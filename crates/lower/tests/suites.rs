//! The lowering, case by case: `suites/lower/*.md` holds prose, a C block and the ir it becomes.
//!
//! `CAULK_BLESS=1 cargo test -p caulk-lower` writes the ir blocks anew; read the difference.
//! Every case is also verified, printed, parsed and printed again.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use caulk_ir::FunctionBody;

/// One `## title` of a suite file: the C text, and where its ir block lies in the file.
struct Case<'a> {
    title: &'a str,
    c: &'a str,
    ir: &'a str,
}

#[test]
fn every_case_lowers_to_its_snapshot() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/lower");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut failures = String::new();
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "md")) {
        count += check_file(file, &mut failures);
    }
    assert!(count >= 40, "only {count} cases were found in {}", folder.display());
    assert!(failures.is_empty(), "{failures}");
}

fn check_file(file: &Path, failures: &mut String) -> usize {
    let text = std::fs::read_to_string(file).unwrap();
    let mut blessed = text.clone();
    let cases = cases(&text);
    for case in &cases {
        let actual = lower(case.c);
        if actual != case.ir {
            let name = file.file_name().unwrap().to_string_lossy();
            let _ = writeln!(
                failures,
                "{name}: {}\nexpected:\n{}\nactual:\n{actual}",
                case.title, case.ir
            );
            blessed = blessed.replacen(
                &format!("{}```\n\n```ir\n{}```", case.c, case.ir),
                &format!("{}```\n\n```ir\n{actual}```", case.c),
                1,
            );
        }
    }
    if std::env::var_os("CAULK_BLESS").is_some() {
        std::fs::write(file, blessed).unwrap();
        failures.clear();
    }
    cases.len()
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let sections = text.split("\n## ").skip(1);
    sections
        .map(|section| {
            let title = section.lines().next().unwrap_or_default();
            let c = block(section, "```c\n").unwrap_or_else(|| panic!("{title}: no C block"));
            let ir = block(section, "```ir\n").unwrap_or_else(|| panic!("{title}: no ir block"));
            Case { title, c, ir }
        })
        .collect()
}

fn block<'a>(section: &'a str, fence: &str) -> Option<&'a str> {
    let (_, rest) = section.split_once(fence)?;
    rest.split_once("```").map(|(inside, _)| inside)
}

/// The functions of a C text as ir, without positions: those have tests of their own.
fn lower(c: &str) -> String {
    let module = caulk_lower::lower(&tree(c), "case.c", &caulk_lower::Options::default()).module;
    let violations = caulk_ir::verify::module(&module);
    assert!(violations.is_empty(), "{violations:?}\n{}", caulk_ir::print::module(&module));
    let printed = caulk_ir::print::module(&module);
    let parsed =
        caulk_ir::parse::module(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(caulk_ir::print::module(&parsed), printed);
    let mut text = String::new();
    for (id, function) in module.functions.iter() {
        if function.body != FunctionBody::Declared {
            text.push_str(&without_positions(&caulk_ir::print::function(&module, id)));
        }
    }
    text
}

fn tree(c: &str) -> caulk_cfront::Tree {
    let path = PathBuf::from("/case/case.c");
    let files = caulk_project::SourceFiles::new();
    files.insert_virtual(&path, c.as_bytes());
    let unit = caulk_project::Unit {
        source: path,
        display: PathBuf::from("case.c"),
        directory: PathBuf::from("/case"),
        options: caulk_project::UnitOptions::default(),
    };
    let front = caulk_cfront::read_unit(&unit, &files, &caulk_cfront::Limits::default());
    assert!(front.errors.is_empty(), "{:?}", front.errors);
    front.tree.expect("a unit without errors has a tree")
}

/// Drops the position of each line.
fn without_positions(text: &str) -> String {
    let strip = |line: &str| match line.rfind(" @") {
        Some(at) if !line[at..].contains('"') => {
            let rest = line[at + 2..].split_once(' ').map_or("", |(_, rest)| rest);
            format!("{} {rest}", &line[..at]).trim_end().to_owned()
        }
        _ => line.to_owned(),
    };
    text.lines().map(|line| strip(line) + "\n").collect()
}

#[test]
fn only_an_integer_main_returns_zero_at_its_end() {
    assert!(lower("int main(void) { }\n").contains("return i32 0\n"));
    assert!(lower("float main(void) { }\n").contains("return f32 undef\n"));
}
