//! No place that an engine may name breaks a format: outside of the file, backwards, at 0.

use std::path::Path;

use caulk_finding::{Finding, Location, Point, Range, Results};

use crate::sample::{leak, results, tool};
use crate::{Sites, Style, Texts, View, check, gcc, html, json, sarif};

const NUMBERS: [u32; 4] = [0, 1, 3, u32::MAX];

/// Text with everything that is hard to show.
const TEXT: &[u8] = "\t漢字 \u{202e}é\r\nä\n\n\0\x1b\u{7f}".as_bytes();

fn places() -> impl Iterator<Item = Location> {
    let points = || {
        let lines = NUMBERS.into_iter();
        lines.flat_map(|line| NUMBERS.map(|column| Point { line, column }))
    };
    let ranges = points().flat_map(move |start| points().map(move |end| Range { start, end }));
    let place = |range| Location { range: Some(range), ..Location::file(Path::new("a.c")) };
    ranges.map(place).chain([Location::file(Path::new("a.c")), Location::file(Path::new(""))])
}

fn at(place: &Location) -> Finding {
    let mut finding = leak();
    finding.primary = place.clone();
    finding.path.iter_mut().step_by(2).for_each(|step| step.location = place.clone());
    finding.suggestion.as_mut().unwrap().location = place.clone();
    finding
}

fn all_formats(findings: Vec<Finding>, text: &[u8]) {
    let results = Results { findings, ..results() };
    let source = |_: &Path| Some(text.into());
    let texts = Texts::new(&source);
    let view = View { style: Style::default(), texts: &texts, links: None };
    let written = [
        check(&results, &view),
        gcc(&results),
        json(&results, &tool(), Sites::Stories),
        sarif(&results, &tool(), &texts),
        html(&results, &tool(), &texts),
    ];
    assert!(written.iter().all(|text| text.ends_with('\n')));
    assert!(!written[0].contains(['\x1b', '\0', '\u{202e}', '\r']));
}

#[test]
fn odd_places_do_no_harm() {
    let findings: Vec<Finding> = places().map(|place| at(&place)).collect();
    all_formats(findings.clone(), TEXT);
    all_formats(findings.clone(), b"");
    all_formats(findings, b"\xff\xfe\n\x80");
}
