//! Findings that a comment in the source allows.
//!
//! `/* caulk: allow(leak/some-path) the caller keeps it */`, or `// caulk: allow(all) a test`. The
//! comment stands on the line of the allocation, of the loss or of any step between them, or alone
//! on the line before. A reason must follow: a suppression that nobody can judge later does
//! nothing, and is told. So are those that are not needed any more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use caulk_base::{FxHashMap, FxHashSet};
use memchr::memmem;

use crate::comments::{Comment, comments};
use crate::{Finding, Kind, Location, Range, Source};

const MARK: &str = "caulk:";

/// A finding, and why it is not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    pub finding: Finding,
    /// The words of whoever wrote the comment.
    pub reason: String,
    /// Where the comment stands.
    pub comment: Location,
}

/// Something about a comment or a file of caulk's own that its writer should know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remark {
    pub place: Location,
    pub message: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppression {
    pub kept: Vec<Finding>,
    pub suppressed: Vec<Suppressed>,
    /// Suppressions that are not used, have no reason or name unknown kinds; by place.
    pub remarks: Vec<Remark>,
}

/// Applies the comments in the files of the findings and in `files`, each of which is read once.
#[must_use]
pub fn suppress(findings: Vec<Finding>, files: &[PathBuf], source: Source<'_>) -> Suppression {
    let mut allowed = collect(&findings, files, source);
    let mut result = Suppression::default();
    for finding in findings {
        match allowed.take(&finding) {
            Some((reason, comment)) => {
                result.suppressed.push(Suppressed { finding, reason, comment });
            }
            None => result.kept.push(finding),
        }
    }
    result.remarks = allowed.remarks();
    result
}

/// One comment that allows something.
struct Allow {
    place: Location,
    kinds: Vec<Kind>,
    reason: String,
    used: bool,
}

/// All comments of the files in question.
#[derive(Default)]
struct Allowed {
    rows: Vec<Allow>,
    /// Which of them count for a line.
    lines: FxHashMap<PathBuf, BTreeMap<u32, Vec<usize>>>,
    mistakes: Vec<Remark>,
}

fn collect(findings: &[Finding], files: &[PathBuf], source: Source<'_>) -> Allowed {
    let mut allowed = Allowed::default();
    let mut seen: FxHashSet<&Path> = FxHashSet::default();
    let of_findings = findings.iter().flat_map(|finding| places(finding).map(|(path, _)| path));
    for path in files.iter().map(PathBuf::as_path).chain(of_findings) {
        if seen.insert(path)
            && let Some(text) = source(path)
        {
            allowed.read(path, &text);
        }
    }
    allowed
}

/// Every file and line that the finding speaks of, the insides of macros too.
fn places(finding: &Finding) -> impl Iterator<Item = (&Path, std::ops::RangeInclusive<u32>)> {
    let steps = finding.path.iter().map(|step| &step.location);
    [&finding.primary].into_iter().chain(steps).flat_map(|place| {
        let lines = |range: Range| range.start.line..=range.end.line.max(range.start.line);
        let own = place.range.map(|range| (&*place.path, lines(range)));
        let spelled = place.in_macro.as_ref().map(|(path, at)| (&**path, at.line..=at.line));
        [own, spelled].into_iter().flatten()
    })
}

impl Allowed {
    fn read(&mut self, path: &Path, text: &[u8]) {
        // Nearly all files have none: look before scanning.
        if memmem::find(text, MARK.as_bytes()).is_none() {
            return;
        }
        for comment in comments(text) {
            let written = String::from_utf8_lossy(comment.text);
            if let Some(rest) = after_mark(&written) {
                self.add(path, &comment, rest);
            }
        }
    }

    fn add(&mut self, path: &Path, comment: &Comment<'_>, written: &str) {
        let place = Location::point(path, comment.first_line, 1);
        let (kinds, mistakes) = match parse(written) {
            Ok((kinds, reason)) => (Some((kinds.0, reason)), kinds.1),
            Err(mistake) => (None, vec![mistake]),
        };
        let remark = |message| Remark { place: place.clone(), message };
        self.mistakes.extend(mistakes.into_iter().map(remark));
        let Some((kinds, reason)) = kinds.filter(|(kinds, _)| !kinds.is_empty()) else { return };
        let number = self.rows.len();
        self.rows.push(Allow { place, kinds, reason, used: false });
        let lines = self.lines.entry(path.to_path_buf()).or_default();
        // Beside code it is about that code; alone on its line it is about what follows.
        let last = comment.last_line.saturating_add(u32::from(!comment.after_code));
        for line in comment.first_line..=last {
            lines.entry(line).or_default().push(number);
        }
    }

    /// The first comment on the finding's way that allows it. All that would are counted as used.
    fn take(&mut self, finding: &Finding) -> Option<(String, Location)> {
        let mut numbers: Vec<usize> = Vec::new();
        for (path, range) in places(finding) {
            let Some(lines) = self.lines.get(path) else { continue };
            let rows = lines.range(range).flat_map(|(_, rows)| rows);
            numbers.extend(rows.filter(|&&row| self.rows[row].kinds.contains(&finding.kind)));
        }
        numbers.iter().for_each(|&row| self.rows[row].used = true);
        let first = &self.rows[*numbers.first()?];
        Some((first.reason.clone(), first.place.clone()))
    }

    fn remarks(self) -> Vec<Remark> {
        let unused = self.rows.into_iter().filter(|row| !row.used).map(|row| Remark {
            message: "this suppression is not used: nothing on this line is reported".into(),
            place: row.place,
        });
        let mut remarks: Vec<Remark> = self.mistakes.into_iter().chain(unused).collect();
        remarks.sort();
        remarks
    }
}

/// What a comment says to caulk.
fn after_mark(comment: &str) -> Option<&str> {
    let inside = comment.strip_prefix("//").or_else(|| {
        let body = comment.strip_prefix("/*")?;
        Some(body.strip_suffix("*/").unwrap_or(body))
    })?;
    Some(inside.trim_start_matches(['*', '/', '!', '<', ' ', '\t']).strip_prefix(MARK)?.trim())
}

type Kinds = (Vec<Kind>, Vec<String>);

/// `allow(KIND, …) REASON`: the kinds with complaints about unknown ones, and the reason.
fn parse(written: &str) -> Result<(Kinds, String), String> {
    let list = written.strip_prefix("allow").map(str::trim_start);
    let list = list.and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.split_once(')'));
    let Some((names, reason)) = list else {
        return Err("expected `allow(KIND) REASON` after `caulk:`".into());
    };
    let reason = reason.trim_start_matches([':', '-', '–', '—', ' ']);
    let lines = reason.lines().map(|line| line.trim().trim_start_matches('*').trim());
    let reason = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if reason.is_empty() {
        return Err("this suppression gives no reason, so it does nothing: \
            say after `)` why the finding is no mistake"
            .into());
    }
    Ok((kinds(names), reason))
}

fn kinds(names: &str) -> Kinds {
    let mut known = Vec::new();
    let mut mistakes = Vec::new();
    for name in names.split(',').map(str::trim) {
        match of_name(name) {
            Some(kinds) => known.extend(kinds),
            None => mistakes.push(unknown(name)),
        }
    }
    (known, mistakes)
}

/// A kind, `leak` for all that lose something, or `all`.
fn of_name(name: &str) -> Option<Vec<Kind>> {
    match name {
        "all" => Some(Kind::ALL.to_vec()),
        "leak" => Some(Kind::ALL.into_iter().filter(|kind| kind.is_leak()).collect()),
        _ => Kind::of_id(name).map(|kind| vec![kind]),
    }
}

fn unknown(name: &str) -> String {
    let known = Kind::ALL.map(Kind::id).join(", ");
    format!("unknown kind `{name}` in a suppression; known are all, leak, {known}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::leak;

    /// A leak that is allocated on line 2 and lost on line 4 of `text`.
    fn check(text: &str) -> (usize, Vec<String>) {
        let bytes: std::sync::Arc<[u8]> = text.as_bytes().into();
        let result = suppress(vec![leak("a.c", 2)], &[], &|_| Some(bytes.clone()));
        assert_eq!(result.kept.len() + result.suppressed.len(), 1);
        let told = |row: &Remark| format!("{}: {}", row.place, row.message);
        (result.suppressed.len(), result.remarks.iter().map(told).collect())
    }

    #[test]
    fn beside_before_and_on_the_way() {
        assert_eq!(check("a\nb // caulk: allow(leak/some-path) known\nc\nd\n"), (1, vec![]));
        assert_eq!(check("// caulk: allow(all) known\nb\nc\nd\n"), (1, vec![]));
        assert_eq!(check("a\nb\n/* caulk: allow(double-free, leak) x */\nd\n"), (1, vec![]));
        assert_eq!(check("a\nb\nc\nd /* caulk: allow(leak)\n known */\n"), (1, vec![]));
    }

    #[test]
    fn a_comment_beside_code_is_about_that_code() {
        let (suppressed, remarks) = check("a // caulk: allow(all) known\nb\nc\nd\n");
        assert_eq!(suppressed, 0);
        assert!(remarks[0].starts_with("a.c:1:1: this suppression is not used"), "{remarks:?}");
    }

    #[test]
    fn a_reason_is_needed() {
        let (suppressed, remarks) = check("a\nb // caulk: allow(leak)\n");
        assert_eq!(suppressed, 0);
        assert!(remarks[0].starts_with("a.c:2:1: this suppression gives no reason"), "{remarks:?}");
    }

    #[test]
    fn mistakes_are_told() {
        let (suppressed, remarks) = check("a\nb // caulk: allow(leak/some, leak) because\n");
        assert_eq!(suppressed, 1);
        assert!(remarks[0].contains("unknown kind `leak/some`"), "{remarks:?}");
        assert!(check("\n\nx /* caulk: alow(leak) y */\n").1[0].contains("expected `allow(KIND)"));
        assert_eq!(check("\"// caulk: allow(all) x\"\n// see caulk: a tool\n"), (0, vec![]));
    }

    #[test]
    fn another_kind_stays_and_the_reason_is_kept() {
        assert_eq!(check("a\nb // caulk: allow(double-free) x\n").0, 0);
        let bytes: std::sync::Arc<[u8]> =
            b"\nx /* caulk: allow(all): it is\n * meant */"[..].into();
        let result = suppress(vec![leak("a.c", 2)], &[], &|_| Some(bytes.clone()));
        assert_eq!(result.suppressed[0].reason, "it is meant");
        assert_eq!(result.suppressed[0].comment.to_string(), "a.c:2:1");
    }

    #[test]
    fn odd_ranges_do_no_harm() {
        let text: std::sync::Arc<[u8]> = b"x\n// caulk: allow(all) all of it\n"[..].into();
        let mut finding = leak("a.c", 1);
        finding.primary.range.as_mut().unwrap().end.line = u32::MAX;
        let backwards = finding.path[0].location.range.as_mut().unwrap();
        (backwards.start.line, backwards.end.line) = (u32::MAX, 0);
        let result = suppress(vec![finding], &[], &|_| Some(text.clone()));
        assert_eq!(result.suppressed.len(), 1);
    }

    #[test]
    fn files_without_findings_are_looked_at() {
        let bytes: std::sync::Arc<[u8]> = b"// caulk: allow(all) old\n"[..].into();
        let result = suppress(Vec::new(), &["b.c".into()], &|_| Some(bytes.clone()));
        assert_eq!(result.remarks.len(), 1);
    }
}
