//! The numbers of `caulk stats`, for people and for programs.

use caulk_finding::{Section, StageCost, Statistics, WrapperRow};
use serde_json::{Map, Value, json};

use crate::numbers::grouped;
use crate::style::printable;

/// Unknown functions that are listed.
const SHOWN: usize = 20;

#[must_use]
pub fn statistics(numbers: &Statistics) -> String {
    let mut text: String = numbers.sections.iter().map(section).collect();
    text += &stages(&numbers.stages);
    text + &unknown(&numbers.unknown)
}

/// Numbers under their title, and an empty line.
pub(crate) fn section(section: &Section) -> String {
    let row = |(name, number): &(&str, u64)| format!("  {name:<34}{:>14}\n", big(*number));
    let rows: String = section.rows.iter().map(row).collect();
    format!("{}\n{rows}\n", section.title)
}

fn big(number: u64) -> String {
    usize::try_from(number).map_or_else(|_| number.to_string(), grouped)
}

fn stages(stages: &[StageCost]) -> String {
    let row = |stage: &StageCost| {
        let memory = |bytes: u64| format!("{:>8} MiB", big(bytes >> 20));
        let memory = stage.memory.map_or_else(String::new, memory);
        let seconds = stage.processor.as_secs_f64();
        format!("  {:<34}{seconds:>12.3} s{memory}\n", stage.name)
    };
    let rows: String = stages.iter().map(row).collect();
    format!("Stages: processor time in user mode, and memory at their end\n{rows}")
}

fn unknown(rows: &[(String, u64)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let row = |(name, number): &(String, u64)| format!("  {:<34}{number:>14}\n", printable(name));
    let shown: String = rows.iter().take(SHOWN).map(row).collect();
    let more = match rows.len().saturating_sub(SHOWN) {
        0 => String::new(),
        rest => format!("  … and {} more\n", big(rest as u64)),
    };
    format!("\nFunctions without a body or a model, and their calls\n{shown}{more}")
}

/// One line for each function that allocates or releases for others.
#[must_use]
pub fn wrappers(rows: &[WrapperRow]) -> String {
    let line = |row: &WrapperRow| {
        let place = row.place.as_deref().unwrap_or("?");
        format!("{}: {}: {}\n", printable(place), printable(&row.name), row.effects.join("; "))
    };
    rows.iter().map(line).collect()
}

/// As one JSON object; the schema is in the documentation.
#[must_use]
pub fn statistics_json(numbers: &Statistics) -> String {
    let rows = |section: &Section| -> Map<String, Value> {
        section.rows.iter().map(|(name, number)| ((*name).to_string(), json!(number))).collect()
    };
    let sections: Map<String, Value> = numbers
        .sections
        .iter()
        .map(|section| (section.title.to_string(), Value::Object(rows(section))))
        .collect();
    let stages: Vec<Value> = numbers
        .stages
        .iter()
        .map(|stage| {
            let seconds = stage.processor.as_secs_f64();
            json!({"name": stage.name, "processor_seconds": seconds, "memory_bytes": stage.memory})
        })
        .collect();
    let wrappers: Vec<Value> = numbers
        .wrappers
        .iter()
        .map(|row| json!({"name": row.name, "place": row.place, "effects": row.effects}))
        .collect();
    let unknown: Map<String, Value> =
        numbers.unknown.iter().map(|(name, calls)| (name.clone(), json!(calls))).collect();
    let all = json!({
        "counts": sections, "stages": stages, "wrappers": wrappers, "unknown_functions": unknown,
    });
    format!("{all:#}\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn numbers() -> Statistics {
        let sections = vec![Section { title: "Code", rows: vec![("functions", 12_345)] }];
        let processor = Duration::from_millis(1500);
        let stages = vec![StageCost { name: "points-to", processor, memory: Some(64 << 20) }];
        let wrappers = vec![WrapperRow {
            name: "xmalloc".into(),
            place: Some("x.c:3".into()),
            effects: vec!["returns a fresh object".into()],
        }];
        Statistics { sections, stages, wrappers, unknown: vec![("mystery".into(), 7)] }
    }

    #[test]
    fn people_see_rows_under_titles() {
        let text = statistics(&numbers());
        let row = format!("Code\n  {:<34}{:>14}\n", "functions", "12,345");
        assert!(text.contains(&row), "{text}");
        assert!(text.contains("1.500 s      64 MiB\n"), "{text}");
        assert!(text.contains("mystery"), "{text}");
        assert_eq!(wrappers(&numbers().wrappers), "x.c:3: xmalloc: returns a fresh object\n");
    }

    #[test]
    fn programs_see_the_same_numbers() {
        let value: Value = serde_json::from_str(&statistics_json(&numbers())).unwrap();
        assert_eq!(value["counts"]["Code"]["functions"], 12_345);
        assert_eq!(value["stages"][0]["memory_bytes"], 64 << 20);
        assert_eq!(value["unknown_functions"]["mystery"], 7);
        assert_eq!(value["wrappers"][0]["name"], "xmalloc");
    }
}
