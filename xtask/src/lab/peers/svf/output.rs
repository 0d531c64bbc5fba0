//! Reads what saber tells: a coloured line for each allocation, with its place as JSON.

use crate::lab::findings::{Finding, Kind};
use serde_json::Value;

pub fn parse(told: &str) -> Vec<Finding> {
    told.lines().filter_map(finding).collect()
}

/// `NeverFree : memory allocation at : (CallICFGNode: { "ln": 6, "cl": 25, "fl": "t.c" })`. A place
/// without line has no debug information, and cannot be compared.
fn finding(line: &str) -> Option<Finding> {
    let (what, place) = line.split_once(" at : ")?;
    let what = plain(what);
    let (word, _) = what.split_once(" :")?;
    let place: Value = serde_json::from_str(&place[place.find('{')?..=place.rfind('}')?]).ok()?;
    let number = u32::try_from(place["ln"].as_u64()?).ok()?;
    let kind = kind(word)?;
    Some(Finding {
        file: place["fl"].as_str()?.into(),
        line: number,
        kind,
        function: None,
        message: word.into(),
        allocation_line: Some(number),
        resource: Some(kind.usual_resource().into()),
        confidence: None,
    })
}

fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "NeverFree" | "PartialLeak" => Kind::Leak,
        "Double Free" => Kind::DoubleFree,
        "FileNeverClose" | "PartialFileClose" => Kind::ResourceLeak,
        _ => return None,
    })
}

/// Without the codes for colours, which end in `m`, and without space around.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once('m').map_or("", |(_, after)| after));
    std::iter::once(first).chain(rest).collect::<String>().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = include_str!("../recorded/saber.txt");

    #[test]
    fn a_recorded_output_is_read() {
        let found = parse(TOLD);
        let short: Vec<_> = found.iter().map(|f| (f.line, f.kind, f.message.as_str())).collect();
        let expected = [
            (3, Kind::Leak, "PartialLeak"),
            (6, Kind::Leak, "NeverFree"),
            (4, Kind::DoubleFree, "Double Free"),
            (5, Kind::ResourceLeak, "PartialFileClose"),
        ];
        assert_eq!(short, expected);
        assert_eq!(found[0].file, "t.c");
    }

    #[test]
    fn places_without_line_are_left_out() {
        assert!(parse("NeverFree : memory allocation at : (CallICFGNode: {  })\n").is_empty());
    }
}
