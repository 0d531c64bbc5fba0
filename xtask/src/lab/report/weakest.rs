//! The first paragraph: against each peer, the figure in which caulk is furthest behind.

use super::{NO_ENGINE, Records, is_engine};
use crate::lab::findings::Findings;
use crate::lab::speed::FRONT_END;

/// A figure that can be compared: above 1, caulk is behind.
struct Figure {
    behind: f64,
    words: String,
}

pub fn paragraph(records: &Records) -> String {
    let start = if records.has_engine() { "" } else { NO_ENGINE };
    let peers = records.tools().into_iter().filter(|tool| !is_engine(tool));
    let sentences: Vec<String> = peers.map(|peer| sentence(records, peer)).collect();
    let rest = match sentences.is_empty() {
        true => "No peer has been run yet.".to_string(),
        false => sentences.join(" "),
    };
    format!("{start} {rest}").trim().to_string() + "\n"
}

fn sentence(records: &Records, peer: &str) -> String {
    let of_peer = || records.findings.iter().filter(|record| record.tool == peer);
    if let Some(reason) = of_peer().find_map(|record| record.missing.as_deref())
        && of_peer().all(|record| record.missing.is_some())
    {
        return format!("**{peer}** is missing: {reason}.");
    }
    if !records.has_engine() {
        let count: usize = of_peer().map(|record| record.findings.len()).sum();
        let programs = of_peer().filter(|record| record.missing.is_none()).count();
        let cost = worst(costs(records, peer))
            .map_or(String::new(), |cost| format!("; reading and lowering alone {}", cost.words));
        return format!(
            "Against **{peer}**: caulk reports nothing, where {peer} reports {} (not reviewed) on \
             {}{cost}.",
            counted(count, "finding"),
            counted(programs, "program")
        );
    }
    let figures = costs(records, peer).into_iter().chain(shares(records, peer));
    match worst(figures.collect()) {
        Some(Figure { behind, words }) => {
            let word = if behind > 1.0 { "weakest" } else { "weakest, though ahead" };
            format!("Against **{peer}** ({word}): caulk {words}.")
        }
        None => format!("Against **{peer}** nothing can be compared yet."),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn worst(figures: Vec<Figure>) -> Option<Figure> {
    figures.into_iter().max_by(|one, other| one.behind.total_cmp(&other.behind))
}

/// Time and memory on each program that both were run on.
fn costs(records: &Records, peer: &str) -> Vec<Figure> {
    let of_peer = records.findings.iter().filter(|r| r.tool == peer && r.missing.is_none());
    of_peer.flat_map(|record| compared(records, record)).collect()
}

fn compared(records: &Records, peer: &Findings) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (engine, cpu, peak) in engines(records, &peer.program) {
        let program = &peer.program;
        let per_unit = peer.cpu_seconds / (peer.units as f64).max(1.0);
        let mut add = |behind: f64, what: &str| {
            let words = format!("takes {behind:.2} × its {what} on {program} ({engine})");
            figures
                .extend((behind.is_finite() && behind > 0.0).then_some(Figure { behind, words }));
        };
        add(cpu / per_unit, "CPU");
        add(peak as f64 / peer.peak_kib as f64, "memory");
    }
    figures
}

/// Engines on a program: name, CPU seconds per unit, peak in KiB. Without engines, the front end.
fn engines<'a>(records: &'a Records, program: &str) -> Vec<(&'a str, f64, u64)> {
    let has_engine = records.has_engine();
    let timed = records
        .speed
        .iter()
        .filter(|speed| speed.program == program && (speed.engine == FRONT_END) != has_engine);
    let figures = |speed: &'a crate::lab::speed::Speed| {
        let cpu = speed.one_thread.cpu() / (speed.units as f64).max(1.0);
        (speed.engine.as_str(), cpu, speed.one_thread.peak_memory >> 10)
    };
    timed.map(figures).collect()
}

/// What is found of known defects, over whole suites: single programs have too few.
fn shares(records: &Records, peer: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    let is_whole = |score: &&super::Score| score.tool == peer && score.program == "all";
    for other in records.scores.iter().filter(is_whole) {
        let same = |score: &&super::Score| {
            is_engine(&score.tool)
                && (&score.suite, &score.program) == (&other.suite, &other.program)
        };
        for own in records.scores.iter().filter(same) {
            let behind = other.share() / own.share().max(1e-3);
            let words = format!(
                "finds {} of {} defects where {peer} finds {} ({}, {}, {})",
                own.found, own.defects, other.found, own.suite, own.program, own.tool
            );
            figures.push(Figure { behind, words });
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::super::scores::tests::score;
    use super::super::tests::records;
    use super::*;
    use crate::lab::findings::tests::findings;
    use crate::lab::speed::tests::speed;

    #[test]
    fn without_an_engine_the_front_end_is_compared() {
        let text = paragraph(&records());
        assert!(text.starts_with("No engine has been measured yet."), "{text}");
        assert!(text.contains("gcc reports 3 findings (not reviewed) on 1 program;"), "{text}");
        // 64 MiB to 2 MiB is worse than 1 s for 8 units to 2 s for 4.
        assert!(text.contains("takes 32.00 × its memory on zlib (front-end)"), "{text}");
        assert!(text.contains("**svf** is missing: not installed."), "{text}");
    }

    #[test]
    fn the_worst_figure_of_an_engine_is_told() {
        let mut records = records();
        records.findings.push(findings("caulk-saber", "zlib", Vec::new()));
        let mut measured = speed("zlib", 1.0);
        measured.engine = "saber".into();
        measured.one_thread.peak_memory = 1 << 20;
        records.speed.push(measured);
        assert!(
            paragraph(&records).contains("(weakest, though ahead): caulk takes 0.50 × its memory")
        );
        records.scores = vec![score("gcc", 8), score("caulk-saber", 4)];
        let text = paragraph(&records);
        assert!(
            text.contains("(weakest): caulk finds 4 of 10 defects where gcc finds 8"),
            "{text}"
        );
    }
}
