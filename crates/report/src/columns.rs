//! Columns that count characters, for formats that know no others. Everywhere else a column
//! counts bytes, as compilers do.

use std::path::Path;
use std::sync::Arc;

use caulk_finding::{Location, Point, Results};

/// The bytes of a file, if it can be read.
pub type Source<'a> = &'a dyn Fn(&Path) -> Option<Arc<[u8]>>;

/// The same results with columns in characters. Places in files that cannot be read stay.
#[must_use]
pub fn in_characters(results: &Results, source: Source<'_>) -> Results {
    let mut results = results.clone();
    let convert = |place: &mut Location| convert(place, source);
    for finding in &mut results.findings {
        convert(&mut finding.primary);
        finding.path.iter_mut().for_each(|step| convert(&mut step.location));
    }
    results.incomplete.iter_mut().filter_map(|row| row.place.as_mut()).for_each(convert);
    results
}

fn convert(place: &mut Location, source: Source<'_>) {
    if let Some(range) = &mut place.range
        && let Some(text) = source(&place.path)
        && !text.is_ascii()
    {
        range.start = point(range.start, &text);
        range.end = point(range.end, &text);
    }
}

fn point(point: Point, text: &[u8]) -> Point {
    let line = point.line.saturating_sub(1) as usize;
    let line = text.split(|&byte| byte == b'\n').nth(line).unwrap_or_default();
    let before = point.column.saturating_sub(1) as usize;
    let bytes = &line[..before.min(line.len())];
    let extra = bytes.len() - String::from_utf8_lossy(bytes).chars().count();
    Point { column: u32::try_from(extra).map_or(1, |extra| point.column - extra), ..point }
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Incomplete, Subject};

    use super::*;

    /// The column in characters of a byte's column on line 2 of `text`.
    fn column(text: &[u8], column: u32) -> u32 {
        let place = Some(Location::point(Path::new("a.c"), 2, column));
        let row = Incomplete { what: Subject::Input, place, why: String::new() };
        let results = Results { incomplete: vec![row], ..Results::default() };
        let converted = in_characters(&results, &|_| Some(text.into()));
        let range = converted.incomplete[0].place.as_ref().unwrap().range.unwrap();
        assert_eq!(range.start, range.end);
        range.start.column
    }

    #[test]
    fn characters_are_counted() {
        assert_eq!(column("ä\n/* ä€ */ x\n".as_bytes(), 12), 9);
        assert_eq!(column(b"\n/* \xe4\xfc */ x\n", 10), 10);
        assert_eq!(column(b"\nabc\n", 3), 3);
    }

    #[test]
    fn places_beyond_the_text_do_no_harm() {
        assert_eq!(column("\nä\n".as_bytes(), 9), 8);
        assert_eq!(column("ä".as_bytes(), 9), 9);
        assert_eq!(column("\nä".as_bytes(), 0), 0);
    }

    #[test]
    fn unknown_files_stay_as_they_are() {
        let place = Some(Location::point(Path::new("a.c"), 1, 7));
        let row = Incomplete { what: Subject::Input, place, why: String::new() };
        let results = Results { incomplete: vec![row], ..Results::default() };
        assert_eq!(in_characters(&results, &|_| None).incomplete, results.incomplete);
    }
}
