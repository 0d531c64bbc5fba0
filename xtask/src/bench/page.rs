//! The page `docs/results/front-end.md`, made from the record: tables, and for each bar whether
//! it is met.

use super::record::{Figures, Program, Record};
use crate::table::{Table, grouped};

/// Most user CPU of caulk for each program, and for all, in parts of gcc's.
const EACH: f64 = 1.2;
const ALL: f64 = 1.0;
/// Most elapsed time in parts of the CPU time, for programs of more than so many units.
const WALL: f64 = 0.7;
const MANY_UNITS: usize = 50;
/// Most memory for the largest program.
const LARGEST: &str = "openssl";
const MOST_MEMORY: u64 = 3 << 29;

const HEAD: &str = "\
# The front end beside gcc

What reading, parsing, checking, lowering and verifying all units of the corpus costs, beside
`gcc -fsyntax-only -w` on the same units with the same commands, in the same run. Repeat with
`cargo xtask bench front-end`; the figures are in `front-end.json`.

- gcc checks one unit after the other, one process each; only the compiler's own processes count.
- caulk is one process, `caulk check -p`, once with `-j1` and once with all processors. Ratios are
  those of `-j1`, because gcc has a processor for itself as well.
- gcc and caulk run by turns, and take turns in going first. Of the rounds, the least of each
  figure counts, but the greatest peak of memory. caulk has asked the compilers for their facts
  before, as in every run but the first.
- CPU is user CPU; beside elapsed time, it is user and system CPU.
";

/// A bar of the issue and what was measured.
struct Bar {
    name: String,
    measured: String,
    is_met: bool,
}

/// The whole page.
pub fn page(record: &Record) -> String {
    let Record { date, commit, gcc, processors, rounds, .. } = record;
    let facts = format!("{date}, {processors} processors, {rounds} rounds, caulk {commit}, {gcc}.");
    format!("{HEAD}\n{facts}\n\n{}", body(record))
}

/// Bars and tables.
pub fn body(record: &Record) -> String {
    let bars: String = bars(record).iter().map(bar_line).collect();
    let parts = [
        format!("## Bars\n\n{bars}"),
        format!("## User CPU\n\nIn seconds.\n\n{}", cpu_table(record)),
        format!("## Both processors, and memory\n\nAll threads.\n\n{}", threads_table(record)),
        format!("## Share of the stages\n\n{}", stages_table(record)),
    ];
    parts.join("\n") + &remarks(record)
}

pub fn all_met(record: &Record) -> bool {
    bars(record).iter().all(|bar| bar.is_met)
}

fn bar_line(bar: &Bar) -> String {
    let word = if bar.is_met { "met" } else { "**not met**" };
    format!("- {}: {word}, {}\n", bar.name, bar.measured)
}

/// The bars that can be judged on these programs.
fn bars(record: &Record) -> Vec<Bar> {
    let programs = &record.programs;
    let many: Vec<&Program> = programs.iter().filter(|p| p.units > MANY_UNITS).collect();
    let all: Vec<&Program> = programs.iter().collect();
    let mut bars = vec![
        worst(&format!("CPU of each program ≤ {EACH} × gcc's"), EACH, &all, ratio),
        Bar {
            name: format!("CPU over all programs ≤ {ALL:.1} × gcc's"),
            measured: format!("{:.2} ×", ratio(&total(record))),
            is_met: ratio(&total(record)) <= ALL,
        },
    ];
    if !many.is_empty() {
        let name = format!("elapsed ≤ {WALL} × CPU above {MANY_UNITS} units");
        bars.push(worst(&name, WALL, &many, |p| elapsed(&p.all_threads)));
    }
    bars.extend(programs.iter().find(|p| p.name == LARGEST).map(memory_bar));
    bars
}

/// A bar that every program must meet.
fn worst(name: &str, limit: f64, programs: &[&Program], value: impl Fn(&Program) -> f64) -> Bar {
    let above: Vec<String> = programs
        .iter()
        .filter(|program| value(program) > limit)
        .map(|program| format!("{} {:.2}", program.name, value(program)))
        .collect();
    let most = programs.iter().map(|program| value(program)).fold(0.0, f64::max);
    let measured = match above.is_empty() {
        true => format!("at most {most:.2} ×"),
        false => format!("above it: {}", above.join(", ")),
    };
    Bar { name: name.into(), measured, is_met: above.is_empty() }
}

fn memory_bar(program: &Program) -> Bar {
    let peak = program.all_threads.peak_memory;
    Bar {
        name: format!("peak memory ≤ {} MiB for {LARGEST}", mebibytes(MOST_MEMORY)),
        measured: format!("{} MiB", mebibytes(peak)),
        is_met: peak <= MOST_MEMORY,
    }
}

/// caulk's user CPU in parts of gcc's.
fn ratio(program: &Program) -> f64 {
    program.one_thread.user / program.gcc.user.max(1e-9)
}

fn elapsed(figures: &Figures) -> f64 {
    figures.wall / figures.cpu().max(1e-9)
}

fn mebibytes(bytes: u64) -> String {
    grouped((bytes >> 20) as usize)
}

/// All programs as one, one after the other.
fn total(record: &Record) -> Program {
    let sum = |figures: fn(&Program) -> Figures| {
        record.programs.iter().map(figures).fold(Figures::default(), Figures::then)
    };
    Program {
        name: "all".into(),
        units: record.programs.iter().map(|p| p.units).sum(),
        rejected_by_gcc: 0,
        gcc: sum(|p| p.gcc),
        one_thread: sum(|p| p.one_thread),
        all_threads: sum(|p| p.all_threads),
        exit_codes: Vec::new(),
        stages: Vec::new(),
    }
}

fn with_total(record: &Record) -> Vec<Program> {
    record.programs.iter().cloned().chain([total(record)]).collect()
}

fn cpu_table(record: &Record) -> String {
    let mut table = Table::new(["program", "units", "gcc", "caulk -j1", "ratio", "caulk", "ratio"]);
    for program in with_total(record) {
        let Program { gcc, one_thread, all_threads, .. } = &program;
        table.row(vec![
            program.name.clone(),
            grouped(program.units),
            format!("{:.2}", gcc.user),
            format!("{:.2}", one_thread.user),
            format!("{:.2}", ratio(&program)),
            format!("{:.2}", all_threads.user),
            format!("{:.2}", all_threads.user / gcc.user.max(1e-9)),
        ]);
    }
    table.text()
}

fn threads_table(record: &Record) -> String {
    let mut table = Table::new([
        "program",
        "units",
        "user, s",
        "system, s",
        "elapsed, s",
        "elapsed / CPU",
        "peak, MiB",
    ]);
    for program in with_total(record) {
        let figures = &program.all_threads;
        table.row(vec![
            program.name.clone(),
            grouped(program.units),
            format!("{:.2}", figures.user),
            format!("{:.2}", figures.system),
            format!("{:.2}", figures.wall),
            format!("{:.2}", elapsed(figures)),
            mebibytes(figures.peak_memory),
        ]);
    }
    table.text()
}

/// In parts of the time of all stages, with one thread.
fn stages_table(record: &Record) -> String {
    let Some(first) = record.programs.first() else { return String::new() };
    let names = first.stages.iter().map(|stage| stage.name.as_str());
    let mut table = Table::of(std::iter::once("program").chain(names));
    for program in &record.programs {
        let seconds: Vec<f64> = program.stages.iter().map(|stage| stage.seconds).collect();
        table.row(shares(&program.name, &seconds));
    }
    let sum = |stage: usize| {
        let of_stage = |p: &Program| p.stages.get(stage).map_or(0.0, |stage| stage.seconds);
        record.programs.iter().map(of_stage).sum()
    };
    let sums: Vec<f64> = (0..first.stages.len()).map(sum).collect();
    table.row(shares("all", &sums));
    table.text()
}

fn shares(name: &str, seconds: &[f64]) -> Vec<String> {
    let total: f64 = seconds.iter().sum::<f64>().max(1e-9);
    let share = |seconds: &f64| format!("{:.1} %", 100.0 * seconds / total);
    std::iter::once(name.to_string()).chain(seconds.iter().map(share)).collect()
}

/// What spoils the comparison, if anything does.
fn remarks(record: &Record) -> String {
    let mut text = String::new();
    for program in &record.programs {
        if program.rejected_by_gcc > 0 {
            let (name, number) = (&program.name, program.rejected_by_gcc);
            text += &format!("\n{name}: gcc rejects {number} units, which then cost it less.\n");
        }
        if let Some(code) = program.exit_codes.first() {
            text += &format!("\n{}: caulk ended with exit code {code}.\n", program.name);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::stages::Stage;
    use super::*;

    fn program(name: &str, gcc: f64, caulk: f64, wall: f64) -> Program {
        let figures = |user, wall| Figures { user, system: 0.0, wall, peak_memory: 1600 << 20 };
        Program {
            name: name.into(),
            units: 100,
            rejected_by_gcc: 0,
            gcc: figures(gcc, gcc),
            one_thread: figures(caulk, caulk),
            all_threads: figures(caulk, wall),
            exit_codes: Vec::new(),
            stages: vec![
                Stage { name: "reading".into(), seconds: 3.0 },
                Stage { name: "lowering".into(), seconds: 1.0 },
            ],
        }
    }

    fn record(programs: Vec<Program>) -> Record {
        let text = String::from;
        let (date, commit, gcc) = (text("2026-11-30"), text("abc"), text("gcc 12"));
        Record { date, commit, gcc, processors: 2, rounds: 2, programs }
    }

    fn met(record: &Record) -> Vec<bool> {
        bars(record).iter().map(|bar| bar.is_met).collect()
    }

    #[test]
    fn bars_are_judged() {
        assert_eq!(met(&record(vec![program("a", 10.0, 8.0, 5.0)])), [true, true, true]);
        let slow = record(vec![program("a", 10.0, 13.0, 7.0), program("b", 10.0, 8.0, 7.0)]);
        assert_eq!(met(&slow), [false, false, false]);
        assert!(page(&slow).contains("**not met**, above it: a 1.30\n"));
        let large = record(vec![program("openssl", 10.0, 11.0, 5.0)]);
        assert_eq!(met(&large), [true, false, true, false]);
    }

    #[test]
    fn the_page_has_all_programs_and_their_sum() {
        let page = page(&record(vec![program("a", 10.0, 8.0, 5.0), program("b", 6.0, 8.0, 5.0)]));
        assert!(page.contains("2026-11-30, 2 processors, 2 rounds, caulk abc, gcc 12.\n"));
        assert!(page.contains("| all     |   200 | 16.00 |     16.00 |  1.00 |"), "{page}");
        assert!(page.contains("| all     |  75.0 % |   25.0 % |"), "{page}");
    }
}
