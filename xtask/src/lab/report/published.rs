//! What SPARROW's paper reports (Jung and Yi, ISMM 2008, Tables 2 and 5) beside the engine here.

use super::Records;
use crate::lab::findings::{Findings, Kind};
use crate::lab::speed::Speed;
use crate::table::{Table, grouped};
use std::collections::BTreeSet;

const ENGINE: &str = "sparrow";
const TOOL: &str = "caulk-sparrow";
const NONE: &str = "–";

const INTRODUCTION: &str = "\
`caulk check --engine sparrow` beside Tables 2 and 5 of the paper (Jung and Yi, ISMM 2008; a Pentium 4 of
3.2 GHz). Lines are those of the compiled sources without headers; seconds are user CPU with one thread, front
end included. The programs of one name are versions twenty years apart. Findings here are leaks, double frees
and resource leaks of `lab engine`, right and wrong; which share is wrong was read in a sample.
";

/// A row of Table 5.
struct Published {
    /// As the corpus calls it.
    name: &'static str,
    version: &'static str,
    lines: f64,
    seconds: f64,
    bugs: usize,
    false_alarms: usize,
}

/// Those programs of Table 5 that the corpus has.
const TABLE_5: [Published; 6] = [
    row("apache2", "httpd-2.2.2", 316.4, 74.87, [0, 0]),
    row("binutils", "binutils-2.13.1", 909.4, 712.09, [228, 25]),
    row("bzip2", "bzip2 of SPEC2000", 4.6, 1.52, [1, 0]),
    row("gzip", "gzip of SPEC2000", 7.7, 1.56, [1, 4]),
    row("openssh", "openssh-3.5p1", 36.7, 10.75, [18, 4]),
    row("tar", "tar-1.13", 49.5, 11.73, [5, 3]),
];

const fn row(
    name: &'static str,
    version: &'static str,
    kilolines: f64,
    seconds: f64,
    [bugs, false_alarms]: [usize; 2],
) -> Published {
    Published { name, version, lines: 1000.0 * kilolines, seconds, bugs, false_alarms }
}

/// The row of Table 2, with the false alarms of the abstract.
const LINES: usize = 1_777_000;
const LINES_PER_SECOND: usize = 720;
const BUGS: usize = 332;
const FALSE_ALARMS: usize = 47;

pub fn sparrow(records: &Records) -> String {
    let timed: Vec<&Speed> = records.speed.iter().filter(|row| row.engine == ENGINE).collect();
    if timed.is_empty() {
        return "Not measured yet.\n".into();
    }
    format!("{INTRODUCTION}\n{}\n{}", overall(records, &timed), programs(records, &timed))
}

/// Table 2.
fn overall(records: &Records, timed: &[&Speed]) -> String {
    let mut table =
        Table::new(["", "lines", "lines/s", "true", "false alarms", "false alarms, share"]);
    let share = |wrong: usize, all: usize| format!("{:.1} %", 100.0 * wrong as f64 / all as f64);
    table.row(vec![
        "paper".into(),
        grouped(LINES),
        grouped(LINES_PER_SECOND),
        BUGS.to_string(),
        FALSE_ALARMS.to_string(),
        share(FALSE_ALARMS, BUGS + FALSE_ALARMS),
    ]);
    let lines: usize = timed.iter().filter_map(|row| row.lines).sum();
    let counted = timed.iter().filter(|row| row.lines.is_some());
    let seconds: f64 = counted.map(|row| row.one_thread.user).sum();
    let reviewed = records.precision.iter().find(|row| row.engine == ENGINE);
    let read = reviewed.map_or([NONE; 3].map(String::from), |row| {
        let all = &row.all;
        let [right, wrong] = [all.true_ + all.marked, all.false_ + all.disputed];
        [right.to_string(), wrong.to_string(), share(wrong, right + wrong)]
    });
    let speed = grouped((lines as f64 / seconds.max(1e-9)) as usize);
    table.row(["here".into(), grouped(lines), speed].into_iter().chain(read).collect());
    table.text()
}

/// Table 5.
fn programs(records: &Records, timed: &[&Speed]) -> String {
    let mut table = Table::new([
        "program",
        "lines",
        "s",
        "lines/s",
        "of `gcc -O0 -c`",
        "findings",
        "paper",
        "lines",
        "s",
        "lines/s",
        "bugs",
        "false alarms",
    ]);
    let names: BTreeSet<&str> = timed.iter().map(|row| row.program.as_str()).collect();
    let of_paper = TABLE_5.iter().map(|row| row.name);
    for name in names.into_iter().chain(of_paper).collect::<BTreeSet<&str>>() {
        let here = measured(records, timed.iter().find(|row| row.program == name).copied(), name);
        table.row([name.to_string()].into_iter().chain(here).chain(published(name)).collect());
    }
    table.text()
}

fn measured(records: &Records, speed: Option<&Speed>, name: &str) -> [String; 5] {
    let none = || String::from(NONE);
    let findings = |record: &Findings| {
        Kind::ALL.map(|kind| record.count(kind)).iter().sum::<usize>().to_string()
    };
    let found = records.of(TOOL, name).map_or_else(none, findings);
    let Some(speed) = speed else { return [none(), none(), none(), none(), found] };
    [
        speed.lines.map_or_else(none, grouped),
        format!("{:.2}", speed.one_thread.user),
        speed.lines_per_second().map_or_else(none, |rate| grouped(rate as usize)),
        format!("{:.2}", speed.to_compilation()),
        found,
    ]
}

fn published(name: &str) -> [String; 6] {
    match TABLE_5.iter().find(|row| row.name == name) {
        None => [NONE; 6].map(String::from),
        Some(row) => [
            row.version.into(),
            grouped(row.lines as usize),
            format!("{:.2}", row.seconds),
            grouped((row.lines / row.seconds) as usize),
            row.bugs.to_string(),
            row.false_alarms.to_string(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::records;
    use super::*;
    use crate::lab::speed::tests::speed;

    #[test]
    fn the_paper_stands_beside_what_was_measured() {
        let mut records = records();
        assert_eq!(sparrow(&records), "Not measured yet.\n");
        records.speed.push(Speed { engine: ENGINE.into(), ..speed("tar", 2.0) });
        let text = sparrow(&records);
        let rows = |start: &str| -> Vec<String> {
            let row = text.lines().find(|line| line.starts_with(&format!("| {start} ")));
            let row = row.unwrap_or_else(|| panic!("{start}: {text}"));
            row.split('|').map(|cell| cell.trim().to_string()).collect()
        };
        assert_eq!(rows("paper")[2..7], ["1,777,000", "720", "332", "47", "12.4 %"]);
        assert_eq!(rows("here")[2..5], ["4,000", "2,000", "–"]);
        let tar = ["4,000", "2.00", "2,000", "0.50", "–", "tar-1.13", "49,500", "11.73"];
        assert_eq!(rows("tar")[2..10], tar);
        assert_eq!(rows("gzip")[2..7], ["–"; 5]);
    }
}
