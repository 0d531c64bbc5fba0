//! Findings that a change may have made, or may know of.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use caulk_base::FxHashMap;

use crate::{Finding, Location};

/// The lines of each file that are new or different, counted from 1.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    files: FxHashMap<PathBuf, Vec<RangeInclusive<u32>>>,
}

impl Changes {
    pub fn new(files: impl IntoIterator<Item = (PathBuf, Vec<RangeInclusive<u32>>)>) -> Self {
        Self { files: files.into_iter().collect() }
    }

    /// Whether any station on the finding's way is on a changed line. `identity` leads from a
    /// path as it is shown to one as the changes have it.
    pub fn touch(&self, finding: &Finding, identity: &dyn Fn(&Path) -> PathBuf) -> bool {
        let steps = finding.path.iter().map(|step| &step.location);
        let mut places = steps.chain([&finding.primary]);
        places.any(|place| self.holds(place, identity))
    }

    fn holds(&self, place: &Location, identity: &dyn Fn(&Path) -> PathBuf) -> bool {
        let written = place.range.map(|range| (&place.path, range.start.line, range.end.line));
        let spelled = place.in_macro.as_ref().map(|(path, point)| (path, point.line, point.line));
        [written, spelled].into_iter().flatten().any(|(path, start, end)| {
            let lines = self.files.get(&identity(path));
            let meets =
                |range: &RangeInclusive<u32>| *range.start() <= end && start <= *range.end();
            lines.is_some_and(|lines| lines.iter().any(meets))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Confidence, Harm, Kind, Replay, Role, Step};

    fn finding(lines: &[u32]) -> Finding {
        let at = |line: &u32| Location::point(Path::new("a.c"), *line, 1);
        let step = |line| Step { role: Role::Flow, location: at(line), message: String::new() };
        Finding {
            kind: Kind::SomePath,
            confidence: Confidence::High,
            reason: String::new(),
            harm: Harm::PerCall,
            resource: "memory".to_owned(),
            message: String::new(),
            primary: at(&lines[0]),
            path: lines.iter().map(step).collect(),
            suggestion: None,
            function: "f".to_owned(),
            engine: "test",
            shared_doubt: crate::Sharing::Nobody,
            fingerprint: String::new(),
            replay: Replay::default(),
        }
    }

    #[test]
    fn any_station_counts() {
        let changes = Changes::new([("/d/a.c".into(), vec![3..=4, 9..=9])]);
        let touched =
            |lines: &[u32]| changes.touch(&finding(lines), &|path| Path::new("/d").join(path));
        assert!(touched(&[4]) && touched(&[1, 2, 9]) && touched(&[3, 20]));
        assert!(!touched(&[1, 2, 5, 8, 10]));
        assert!(!changes.touch(&finding(&[4]), &|path| Path::new("/e").join(path)));
    }

    #[test]
    fn a_changed_macro_counts() {
        let changes = Changes::new([("a.h".into(), vec![7..=7])]);
        let mut finding = finding(&[1]);
        assert!(!changes.touch(&finding, &Path::to_path_buf));
        finding.primary.in_macro = Some(("a.h".into(), crate::Point { line: 7, column: 1 }));
        assert!(changes.touch(&finding, &Path::to_path_buf));
    }
}
