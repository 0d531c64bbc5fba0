//! Findings of one program, run on all processors.

use std::panic::{AssertUnwindSafe, catch_unwind};

use caulk_finding::{Confidence, Finding, Outcome, Proof};
use caulk_ir::Module;
use caulk_models::Models;
use caulk_replay::Player;
use rayon::prelude::*;

use crate::CancelFlag;

/// Runs every finding and notes what came of it. What a run refutes loses its confidence. A finding
/// that the flag leaves no time for is left as it is, and so is what a run of the check itself has shown.
pub fn replay(
    modules: Vec<Module>,
    models: &Models,
    findings: &mut [Finding],
    cancel: &CancelFlag,
) {
    let player = Player::new(modules, models).map_err(|error| error.to_string());
    findings.par_iter_mut().filter(|_| cancel.reason().is_none()).for_each(|finding| {
        let outcome = match &player {
            // A mistake of the replay costs the finding's replay, and nothing else.
            Ok(player) => catch_unwind(AssertUnwindSafe(|| player.outcome(finding)))
                .unwrap_or_else(|_| not_replayable("internal error, please report it")),
            Err(why) => not_replayable(why),
        };
        judge_again(finding, outcome);
    });
}

fn not_replayable(why: &str) -> Outcome {
    let (proof, why) = (Proof::NotReplayable, why.to_owned());
    Outcome { proof, why, inputs: Vec::new(), stack: Vec::new() }
}

fn judge_again(finding: &mut Finding, outcome: Outcome) {
    let is_told = finding.replay.outcome.as_ref().is_some_and(|it| it.proof == Proof::Confirmed);
    match outcome.proof {
        Proof::Confirmed => {
            finding.confidence = Confidence::High;
            if !is_told {
                finding.reason = format!("a run confirms it; {}", finding.reason);
            }
        }
        // The function alone does not: a run of the check has shown it all the same.
        Proof::Refuted | Proof::Conditional | Proof::NotReplayable if is_told => return,
        Proof::Refuted => {
            finding.confidence = Confidence::Low;
            finding.reason = format!("refuted by running it: {}", outcome.why);
        }
        Proof::Conditional | Proof::NotReplayable => {}
    }
    finding.replay.outcome = Some(outcome);
}
