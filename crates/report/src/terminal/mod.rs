//! Findings as text for people, as the best compilers print theirs.

mod excerpt;
mod finding;
mod line;
mod shorten;
mod unknown;
mod view;

use caulk_base::FxHashMap;
use caulk_finding::{Finding, Remark, Results};

use crate::numbers::{count, grouped};
use crate::style::printable;

pub use unknown::model_stub;
pub(crate) use unknown::section as unknown_section;
pub use view::View;

/// Remarks that are shown unless all are asked for.
const SHOWN: usize = 20;

/// The findings, file by file; the file with the worst comes first.
#[must_use]
pub fn findings(results: &Results, view: &View<'_>) -> String {
    let groups = by_file(&results.findings);
    let is_several = groups.len() > 1;
    groups.iter().map(|group| file(group, is_several, view)).collect()
}

fn by_file(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut index: FxHashMap<&std::path::Path, usize> = FxHashMap::default();
    for finding in findings {
        let at = *index.entry(&finding.primary.path).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

fn file(group: &[&Finding], has_title: bool, view: &View<'_>) -> String {
    let mut text = String::new();
    if has_title {
        let path = printable(&group[0].primary.path.display().to_string());
        let number = count(group.len(), "finding", "findings");
        text += &format!("{}\n\n", view.style.heading(&format!("── {path}: {number}")));
    }
    group.iter().for_each(|row| text += &finding::finding(row, view));
    text
}

/// What the suppressions in the source need.
pub(crate) fn remarks(remarks: &[Remark], view: &View<'_>) -> String {
    let shown = if view.style.all { remarks.len() } else { remarks.len().min(SHOWN) };
    let word = view.style.warning("warning");
    let row =
        |row: &Remark| format!("{}: {word}: {}\n", view.place(&row.place), printable(&row.message));
    let mut text: String = remarks[..shown].iter().map(row).collect();
    if shown < remarks.len() {
        let hidden = grouped(remarks.len() - shown);
        text += &format!("… and {hidden} more about suppressions; --verbose lists all\n");
    }
    text
}

#[cfg(test)]
mod tests;
