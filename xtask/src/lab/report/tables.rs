//! The tables of the page: tools side by side.

use super::{NO_ENGINE, Records};
use crate::lab::findings::{Findings, Kind};
use crate::lab::speed::{self, FRONT_END, Speed};
use crate::table::{Table, grouped};
use std::collections::{BTreeMap, BTreeSet};

const NONE: &str = "–";

/// A row for each program and a column for each tool.
fn by_tool(records: &Records, cell: impl Fn(&Findings) -> String) -> Option<String> {
    let tools = records.tools();
    let mut table = Table::of(std::iter::once("program").chain(tools.iter().copied()));
    let measured = |program: &&str| tools.iter().any(|tool| records.of(tool, program).is_some());
    let programs: Vec<&str> = records.programs().into_iter().filter(measured).collect();
    for program in &programs {
        let cell = |tool: &&str| match records.of(tool, program) {
            None => NONE.into(),
            Some(record) if record.missing.is_some() => "missing".into(),
            Some(record) => cell(record),
        };
        let cells = tools.iter().map(cell);
        table.row(std::iter::once(program.to_string()).chain(cells).collect());
    }
    (!programs.is_empty()).then(|| table.text())
}

pub fn found(records: &Records) -> String {
    let cell = |record: &Findings| {
        if record.timed_out + record.failed >= record.units {
            return "no answer".into();
        }
        let counts = Kind::ALL.map(|kind| record.count(kind).to_string()).join(" / ");
        match record.units < record.of_units {
            true => format!("{counts} on {} of {}", record.units, record.of_units),
            false => counts,
        }
    };
    let table = by_tool(records, cell).unwrap_or("Nothing has been recorded yet.\n".into());
    let note = if records.has_engine() { String::new() } else { format!("{NO_ENGINE} ") };
    format!(
        "{note}What each tool reports, right or wrong: leaks / double frees / resource leaks; where \
         it was run on a part of the units, on how many.\n\n{table}"
    )
}

/// For each unit, since not every tool was run on all of them.
pub fn time(records: &Records) -> String {
    let per_unit =
        |cpu: f64, units: usize| format!("{:.0}", 1000.0 * cpu / (units as f64).max(1.0));
    let peers = by_tool(records, |r| per_unit(r.cpu_seconds, r.units));
    let own = own_figures(records, |s| {
        let [syntax, object, caulk] = [s.syntax_only, s.compilation, s.one_thread]
            .map(|figures| per_unit(figures.cpu(), s.units));
        (syntax, object, caulk)
    });
    let peers = peers.unwrap_or("No tool has been run yet.\n".into());
    format!("CPU for each unit, in milliseconds.\n\n{peers}\n{own}")
}

pub fn memory(records: &Records) -> String {
    let mebibytes = |bytes: u64| grouped((bytes >> 20) as usize);
    let peers = by_tool(records, |record| grouped((record.peak_kib >> 10) as usize));
    let own = own_figures(records, |s| {
        let [syntax, object, caulk] = [s.syntax_only, s.compilation, s.one_thread]
            .map(|figures| mebibytes(figures.peak_memory));
        (syntax, object, caulk)
    });
    let peers = peers.unwrap_or("No tool has been run yet.\n".into());
    format!("Peak of the largest process, in MiB.\n\n{peers}\n{own}")
}

/// The compiler, and each engine of caulk with one thread.
fn own_figures(records: &Records, cells: impl Fn(&Speed) -> (String, String, String)) -> String {
    let engines: Vec<&str> = records.timed().into_iter().collect();
    let names: Vec<String> = engines.iter().map(|engine| format!("caulk {engine}")).collect();
    let heads = ["program", "gcc -fsyntax-only", "gcc -O0 -c"];
    let mut table = Table::of(heads.into_iter().chain(names.iter().map(String::as_str)));
    for program in records.programs() {
        let of = |engine: &&str| records.speed_of(engine, program);
        let Some(any) = engines.iter().find_map(of) else { continue };
        let (syntax, object, _) = cells(any);
        let caulk = |engine| of(engine).map_or(NONE.into(), |speed| cells(speed).2);
        let row = [program.to_string(), syntax, object];
        table.row(row.into_iter().chain(engines.iter().map(caulk)).collect());
    }
    match engines.is_empty() {
        true => "caulk's own speed has not been measured yet.\n".into(),
        false => table.text(),
    }
}

/// caulk beside gcc in the same run, with the ratios.
pub fn compiler(records: &Records) -> String {
    let mut text = String::new();
    for engine in records.timed() {
        let mut table = Table::new(speed::HEADS);
        records.speed.iter().filter(|s| s.engine == engine).for_each(|s| table.row(speed::row(s)));
        let what = if engine == FRONT_END { "reading, checking and lowering" } else { "all" };
        text += &format!(
            "caulk {engine} ({what}), user CPU with one thread and its ratios to gcc on the same \
             units in the same run; elapsed time and peak with all processors. The engine is all that \
             comes after the front end.\n\n{}\n{}\n",
            table.text(),
            stages(records, engine)
        );
    }
    if text.is_empty() { "Not measured yet.\n".into() } else { text.trim_end().to_string() + "\n" }
}

/// Shares of the stages in the whole run, in the order of the first program that has them; the parts of
/// an engine are told beside it.
fn stages(records: &Records, engine: &str) -> String {
    let of_engine = || records.speed.iter().filter(|s| s.engine == engine && !s.stages.is_empty());
    let Some(first) = of_engine().next() else { return String::new() };
    let names: Vec<&str> = first.stages.iter().map(|stage| stage.name.as_str()).collect();
    let mut table = Table::of(std::iter::once("stage").chain(names.iter().copied()));
    for speed in of_engine() {
        let total = speed.one_thread.user;
        let share = |name: &&str| {
            let stage = speed.stages.iter().find(|stage| stage.name == *name);
            let seconds = stage.map_or(0.0, |stage| stage.seconds);
            format!("{:.0} %", 100.0 * seconds / total.max(1e-9))
        };
        let shares = names.iter().map(share);
        table.row(std::iter::once(speed.program.clone()).chain(shares).collect());
    }
    table.text()
}

pub fn exponents(records: &Records) -> String {
    let mut table = Table::new(["program", "engine", "exponent"]);
    for speed in &records.speed {
        if let Some(exponent) = speed.exponent() {
            table.row(vec![speed.program.clone(), speed.engine.clone(), format!("{exponent:.2}")]);
        }
    }
    format!("How CPU grows with the number of units: 1 is linear.\n\n{}", table.text())
}

/// Units without an answer, and peers that are missing.
pub fn trouble(records: &Records) -> String {
    let is_trouble = |record: &&Findings| record.timed_out + record.failed > 0;
    let mut table = Table::new(["program", "tool", "units", "timed out", "failed"]);
    let mut troubled = records.findings.iter().filter(is_trouble).peekable();
    let any = troubled.peek().is_some();
    for record in troubled {
        let counts = [record.units, record.timed_out, record.failed].map(|n| n.to_string());
        let names = [record.program.clone(), record.tool.clone()];
        table.row(names.into_iter().chain(counts).collect());
    }
    let missing = records.findings.iter().filter_map(|r| Some((&r.tool, r.missing.as_ref()?)));
    let missing: BTreeSet<String> =
        missing.map(|(tool, reason)| format!("- {tool}: {reason}\n")).collect();
    let missing: String = missing.into_iter().collect();
    match (any, missing.is_empty()) {
        (false, true) => "Every tool was there and came to an end on every unit.\n".into(),
        (true, true) => table.text(),
        (false, false) => format!("Missing:\n\n{missing}"),
        (true, false) => format!("{}\nMissing:\n\n{missing}", table.text()),
    }
}

/// How to repeat each figure. Programs that were measured in the same way share a line.
pub fn sources(records: &Records) -> String {
    let of_tool = |r: &Findings| {
        let version = if r.version.is_empty() { "missing" } else { &r.version };
        let tool = format!("{}: {version}", r.tool);
        (
            (tool, r.date.clone(), r.commit.clone(), shared(&r.command, &r.program)),
            r.program.clone(),
        )
    };
    let of_engine = |s: &Speed| {
        let tool = format!("caulk {}: beside {}", s.engine, s.gcc);
        (
            (tool, s.date.clone(), s.commit.clone(), shared(&s.command, &s.program)),
            s.program.clone(),
        )
    };
    let all = records.findings.iter().map(of_tool).chain(records.speed.iter().map(of_engine));
    let mut programs: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for (way, program) in all {
        programs.entry(way).or_default().insert(program);
    }
    let mut text = String::new();
    let mut last = String::new();
    for ((tool, date, commit, command), programs) in programs {
        if tool != last {
            text += &format!("- {tool}\n");
        }
        let names: Vec<String> = programs.into_iter().collect();
        let command = command.replace(PROGRAMS, &names.join(" "));
        text += &format!("  - {date}, caulk {commit}: `{command}`\n");
        last = tool;
    }
    text
}

/// Stands for the programs in a command.
const PROGRAMS: &str = "@PROGRAMS@";

fn shared(command: &str, program: &str) -> String {
    let words = command.split(' ').map(|word| if word == program { PROGRAMS } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::records;
    use super::*;
    use crate::lab::findings::tests::findings;

    #[test]
    fn tools_stand_side_by_side() {
        let mut records = records();
        records.findings.push(Findings { units: 2, ..findings("gcc", "tar", Vec::new()) });
        let text = found(&records);
        assert!(text.starts_with(NO_ENGINE), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(rows[0].contains("gcc") && rows[0].contains("svf"));
        assert!(rows[2].contains("0 / 0 / 0 on 2 of 4") && rows[2].contains(NONE), "{text}");
        assert!(rows[3].contains("3 / 0 / 0") && rows[3].contains("missing"), "{text}");
    }

    #[test]
    fn time_is_for_each_unit() {
        let text = time(&records());
        assert!(text.contains("| zlib    | 500 | missing |"), "{text}");
        assert!(text.contains("|               250 |        500 |             125 |"), "{text}");
        assert!(
            memory(&records()).contains("| zlib    |   2 | missing |"),
            "{}",
            memory(&records())
        );
    }

    #[test]
    fn trouble_is_told() {
        let mut records = records();
        assert_eq!(trouble(&records), "Missing:\n\n- svf: not installed\n");
        records.findings[0].timed_out = 1;
        assert!(trouble(&records).contains("| zlib    |  gcc |     4 |         1 |      0 |"));
        records.findings.clear();
        assert!(trouble(&records).starts_with("Every tool"));
    }

    #[test]
    fn every_command_is_listed_once() {
        let mut records = records();
        records.findings.push(findings("gcc", "tar", Vec::new()));
        let text = sources(&records);
        assert!(
            text.contains(
                "- gcc: 1.0\n  - 2026-11-30, caulk abc: `cargo xtask lab peers tar zlib`"
            )
        );
        assert!(text.contains("- caulk front-end: beside gcc 12\n"), "{text}");
    }
}
