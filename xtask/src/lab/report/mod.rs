//! `cargo xtask lab report`: the page `docs/results/index.md`, from records alone.
//!
//! `weakest` says in plain words where caulk is behind each peer, `tables` shows all figures,
//! `scores` reads what planted leaks and runnable programs told, `published` sets a paper's own
//! figures beside them.

mod published;
mod scores;
mod tables;
mod weakest;

use super::findings::{Findings, read_all};
use super::replay::{self, Replayed};
use super::review::{Precision, precision_table, recorded_precision};
use super::speed::{self, Speed, plot};
use crate::tools::write_result;
use scores::Score;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

const INTRODUCTION: &str = "\
Written by `cargo xtask lab report` from the records in `lab/results`; the words are explained in
`docs/lab.md`. More pages: [coverage](coverage.md), [front end](front-end.md),
[execution](execution.md), [formats and cache](product.md),
[growth of the symbolic engine](symbolic-growth.md).
";
const SCORES: &str = "\
Programs whose defects are known. Runnable programs: the truth of all runs, and what `lab engine` and
`lab peers` recorded for `runnable`. Planted: one defect in each mutant, by `lab mutate` and
`lab mutate compare`; a tool that came to no end has not found it.
";
const NO_ENGINE: &str = "No engine has been measured yet.";

/// All that is recorded.
pub struct Records {
    findings: Vec<Findings>,
    speed: Vec<Speed>,
    precision: Vec<Precision>,
    scores: Vec<Score>,
    replayed: Vec<Replayed>,
}

/// The tools of an engine are named so.
fn is_engine(tool: &str) -> bool {
    tool.starts_with("caulk-")
}

impl Records {
    fn read(checkout: &Path) -> Result<Records, String> {
        Ok(Records {
            findings: read_all(checkout)?,
            speed: speed::read_all(checkout)?,
            precision: recorded_precision(checkout)?,
            scores: scores::read_all(checkout)?,
            replayed: replay::read_all(checkout)?,
        })
    }

    /// Engines first, then peers.
    fn tools(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.findings.iter().map(|f| f.tool.as_str()).collect();
        let (engines, peers): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|tool| is_engine(tool));
        [engines, peers].concat()
    }

    fn programs(&self) -> BTreeSet<&str> {
        let found = self.findings.iter().map(|record| record.program.as_str());
        found.chain(self.speed.iter().map(|record| record.program.as_str())).collect()
    }

    fn of(&self, tool: &str, program: &str) -> Option<&Findings> {
        self.findings.iter().find(|record| record.tool == tool && record.program == program)
    }

    /// The engines whose speed is recorded; the front end is one of them.
    fn timed(&self) -> BTreeSet<&str> {
        self.speed.iter().map(|record| record.engine.as_str()).collect()
    }

    fn speed_of(&self, engine: &str, program: &str) -> Option<&Speed> {
        self.speed.iter().find(|record| record.engine == engine && record.program == program)
    }

    fn has_engine(&self) -> bool {
        self.findings.iter().any(|record| is_engine(&record.tool))
    }
}

/// Runs `cargo xtask lab report`.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    if !arguments.is_empty() {
        return Err(super::usage());
    }
    let records = Records::read(checkout)?;
    for engine in records.timed() {
        let of_engine: Vec<&Speed> = records.speed.iter().filter(|s| s.engine == engine).collect();
        let title = format!("CPU of caulk ({engine}) on a quarter, half and all of the units");
        if let Some(picture) = plot::growth(&title, &of_engine) {
            write_result(checkout, &picture_of(engine), &picture)?;
        }
    }
    write_result(checkout, "index.md", &page(&records))?;
    Ok(ExitCode::SUCCESS)
}

fn picture_of(engine: &str) -> String {
    format!("growth-{engine}.svg")
}

fn page(records: &Records) -> String {
    let sections = [
        ("Found", tables::found(records)),
        ("False", false_findings(records)),
        ("Confirmed by running", replayed(records)),
        ("Time", tables::time(records)),
        ("Memory", tables::memory(records)),
        ("Beside the compiler", tables::compiler(records)),
        ("Beside SPARROW's paper", published::sparrow(records)),
        ("Growth", growth(records)),
        ("What did not work", tables::trouble(records)),
        ("Dates, versions and commands", tables::sources(records)),
    ];
    let sections = sections.map(|(title, text)| format!("## {title}\n\n{text}"));
    let first = weakest::paragraph(records);
    format!("# Results\n\n{first}\n{INTRODUCTION}\n{}", sections.join("\n"))
}

fn false_findings(records: &Records) -> String {
    let reviews = match records.precision.as_slice() {
        [] => "No findings of an engine have been reviewed yet.\n".to_string(),
        all => precision_table(all) + &changed(all),
    };
    let scores = match records.scores.as_slice() {
        [] => "Planted leaks and runnable programs have not been scored yet.\n".to_string(),
        all => format!("{SCORES}\n{}", scores::table(all)),
    };
    format!("{reviews}\n{scores}")
}

fn replayed(records: &Records) -> String {
    if records.replayed.is_empty() {
        return "Not measured yet.\n".into();
    }
    let introduction = "\
Every finding run by `caulk check --confirm` (`lab replay`; [what the words mean](../replay.md)): what
`--show leak/at-exit` shows, and on the runnable programs `--show all`. Each engine over all programs but
the runnable ones:
";
    let of_reviews = "\
On the runnable programs findings are true or false by their truth, *misplaced* where the object is lost
elsewhere than they say, or *other*: about memory that is still reachable at the end, or about lines that no
run came to. On other programs they are what two
readers decided in a review, as far as they were read. The reviewed findings of all programs together:
";
    let rows = &records.replayed;
    let (engines, reviewed, all) =
        (replay::engines(rows), replay::reviewed(rows), replay::table(rows));
    format!("{introduction}\n{engines}\n{of_reviews}\n{reviewed}\nEach program:\n\n{all}")
}

fn changed(all: &[Precision]) -> String {
    let line = |precision: &Precision| match precision.changed.len() {
        0 => String::new(),
        count => format!(
            "\n{count} findings of {} have changed since their review at {}.\n",
            precision.engine, precision.commit
        ),
    };
    all.iter().map(line).collect()
}

fn growth(records: &Records) -> String {
    let pictures = records
        .timed()
        .into_iter()
        .map(|engine| format!("\n![Growth of {engine}]({})\n", picture_of(engine)));
    let pictures: String = pictures.collect();
    match pictures.is_empty() {
        true => "Not measured yet.\n".into(),
        false => tables::exponents(records) + &pictures,
    }
}

#[cfg(test)]
mod tests {
    use super::super::findings::Kind;
    use super::super::findings::tests::{finding, findings};
    use super::super::speed::tests::speed;
    use super::*;

    pub fn records() -> Records {
        let leaks = |count| (1..=count).map(|line| finding("a.c", line, Kind::Leak)).collect();
        let missing = Findings {
            missing: Some("not installed".into()),
            ..findings("svf", "zlib", Vec::new())
        };
        Records {
            findings: vec![findings("gcc", "zlib", leaks(3)), missing],
            speed: vec![speed("zlib", 1.0)],
            precision: Vec::new(),
            scores: Vec::new(),
            replayed: Vec::new(),
        }
    }

    #[test]
    fn without_an_engine_the_page_says_so() {
        let page = page(&records());
        let first = page.lines().nth(2).unwrap();
        assert!(first.starts_with("No engine has been measured yet"), "{first}");
        for title in ["Found", "False", "Time", "Memory", "Growth", "What did not work"] {
            assert!(page.contains(&format!("\n## {title}\n")), "{title}");
        }
        assert!(page.contains("have been reviewed yet") && page.contains("growth-front-end.svg"));
    }

    #[test]
    fn engines_come_before_peers() {
        let mut records = records();
        records.findings.push(findings("caulk-saber", "zlib", Vec::new()));
        assert_eq!(records.tools(), ["caulk-saber", "gcc", "svf"]);
        assert!(!page(&records).contains(NO_ENGINE));
    }
}
