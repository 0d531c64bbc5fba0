//! `caulk replay`: findings, run.

use caulk_finding::triage::{self, Wishes};
use caulk_finding::{Confidence, Finding, Incomplete, Proof};
use caulk_report::printable;

use crate::args::{ReplayArgs, Wanted};
use crate::choices::Basis;
use crate::exit::{Exit, Failure};
use crate::judging::{self, Judgement};
use crate::output;
use crate::terminal::complain;
use crate::why::{Line, excerpt, input};

pub fn replay(args: &ReplayArgs) -> Result<Exit, Failure> {
    let basis = Basis::of(&args.engine)?;
    let input = match &args.wanted {
        Wanted::At(place) => input(&args.input, place),
        Wanted::Named(_) => args.input.clone(),
    };
    let Judgement { mut results, verdicts, files, judged, .. } =
        judging::judge(&input, &basis, args.quiet)?;
    if let Some(verdicts) = verdicts {
        let all = Wishes { confidence: Confidence::Low, at_exit: true, ..Wishes::default() };
        triage::add(&mut results, verdicts, &all, &|path| files.read_shown(path));
    }
    let suppressed = results.suppressed.into_iter().map(|row| row.finding);
    let mut findings: Vec<Finding> = results.findings.into_iter().chain(suppressed).collect();
    findings.retain(|finding| match &args.wanted {
        Wanted::Named(name) => finding.fingerprint.starts_with(name.as_str()),
        Wanted::At(place) => Line { place, basis: &basis, files: &files }.holds(&finding.primary),
    });
    judged.replay(&mut findings, &mut results.incomplete);
    tell(&results.incomplete);
    if findings.is_empty() {
        return Err(Failure::usage(format!("no finding {}", asked(&args.wanted))));
    }
    let text: String = findings.iter().map(|finding| excerpt(finding, &files)).collect();
    output::write(None, &text)?;
    let is_shown = findings.iter().any(|it| it.replay.proof() == Some(Proof::Confirmed));
    Ok(if is_shown { Exit::Findings } else { Exit::Clean })
}

fn tell(incomplete: &[Incomplete]) {
    for row in incomplete {
        complain(&format!("caulk: not analysed: {}", printable(&row.to_string())));
    }
}

fn asked(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Named(name) => format!("has a fingerprint that begins with {name}"),
        Wanted::At(place) => {
            let path = printable(&place.path.display().to_string());
            format!(
                "on line {} of {path}; `caulk why {path}:{}` tells more",
                place.line, place.line
            )
        }
    }
}
