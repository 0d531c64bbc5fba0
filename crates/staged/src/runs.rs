//! The last stage lets the interpreter run the program. What a run shows is certain, and it sees
//! structures as they are, where the other stages give up. What they are not sure of is run first,
//! then everything from where the program starts.

use std::panic::{AssertUnwindSafe, catch_unwind};

use caulk_finding::{
    A_PART, Confidence, Finding, Incomplete, Kind, Location, Outcome, Proof, Role, Sharing, Step,
    Subject, Verdicts,
};
use caulk_replay::{Fault, Place, Player, Sight, is_same_start};
use rayon::prelude::*;

/// Doubtful findings that are run, the first in the order of the verdicts.
const MOST_DOUBTFUL: usize = 40;

/// Functions from which everything is run.
const MOST_STARTS: usize = 100;

/// Runs what is in doubt, and adds what other runs show and no other stage says.
#[must_use]
pub fn run(mut verdicts: Verdicts, player: &Player) -> Verdicts {
    let findings = verdicts.findings.par_iter_mut();
    let is_doubtful = |it: &&mut Finding| {
        it.confidence == Confidence::Low && it.shared_doubt != Sharing::Everybody
    };
    let doubtful: Vec<&mut Finding> = findings.filter(is_doubtful).collect();
    doubtful.into_par_iter().take(MOST_DOUBTFUL).for_each(|finding| confirm(finding, player));
    let mut starts = player.starts();
    verdicts.incomplete.extend(left_out(&starts, player));
    starts.truncate(MOST_STARTS);
    // A mistake of this stage costs what it would have found, and nothing else.
    let explored: Vec<_> = starts
        .into_par_iter()
        .flat_map_iter(|start| {
            let explore = || player.explore(start);
            let rehearse = || player.rehearse(start);
            [catch_unwind(AssertUnwindSafe(explore)), catch_unwind(AssertUnwindSafe(rehearse))]
        })
        .collect();
    for sights in explored {
        match sights {
            Ok(sights) => sights.iter().for_each(|sight| tell(&mut verdicts, player, sight)),
            Err(_) => verdicts.incomplete.push(broken()),
        }
    }
    verdicts
}

/// The functions of a large library that are not run.
fn left_out(starts: &[u32], player: &Player) -> Option<Incomplete> {
    let first = *starts.get(MOST_STARTS)?;
    let what = Subject::Search { name: player.name(first).to_owned(), unit: String::new() };
    let others = starts.len() - MOST_STARTS - 1;
    let why = format!(
        "of the functions that take only numbers {MOST_STARTS} are run, and not this one and {others} others"
    );
    Some(Incomplete { what, place: None, why })
}

fn broken() -> Incomplete {
    let what = Subject::Search { name: String::from("main"), unit: String::new() };
    Incomplete { what, place: None, why: String::from("internal error, please report it") }
}

/// Only a run that shows it counts: what may not be like this, or was not found, stays in doubt. Of a
/// function that runs by itself, nobody knows whether memory is ever as the run needs it: five of nine
/// such findings that were read were false. Where the doubt is just that, or the resource is a number
/// that memory is full of, such a run changes nothing.
fn confirm(finding: &mut Finding, player: &Player) {
    let outcome = catch_unwind(AssertUnwindSafe(|| player.direct_outcome(finding)));
    let Ok(outcome) = outcome else { return };
    if outcome.proof != Proof::Confirmed {
        return;
    }
    let made_up = outcome.inputs.iter().any(|it| is_in_memory(&it.name));
    let depends = depends_on_memory(&finding.reason) || finding.resource != "memory";
    let (confidence, words) = if is_whole_run(&outcome) {
        (Confidence::High, "a run shows it")
    } else if made_up && depends {
        (finding.confidence, "a run shows it, if memory is ever like that")
    } else {
        (Confidence::Medium, "a run of the function alone shows it")
    };
    finding.confidence = confidence;
    finding.reason = format!("{words}; {}", finding.reason);
    finding.replay.outcome = Some(outcome);
}

/// Whether a finding is in doubt because memory may never be like that, by its reason: only a second
/// engine says so, or only if an unknown function changes something, or a callee finds a reason not to
/// take the object, or it depends on the function that a pointer leads to.
fn depends_on_memory(reason: &str) -> bool {
    reason.starts_with("only ") || reason.contains("called through a pointer")
}

fn is_whole_run(outcome: &Outcome) -> bool {
    outcome.stack.last().is_some_and(|outermost| outermost.function == "main")
}

/// Whether what a run was given is neither an argument, a text nor the result of a call.
fn is_in_memory(name: &str) -> bool {
    ["->", "*", "."].iter().any(|part| name.contains(part))
}

fn tell(verdicts: &mut Verdicts, player: &Player, sight: &Sight) {
    let Some(seen) = player.finding(sight) else { return };
    let findings = &mut verdicts.findings;
    let at = if let Some(at) = released_there(findings, player, sight) {
        note_origin(&mut findings[at], &seen);
        believe(&mut findings[at], seen);
        at
    } else if let Some(at) = made_there(findings, &player.places(sight), &seen) {
        believe(&mut findings[at], seen);
        at
    } else {
        findings.push(Finding { engine: "staged", ..seen });
        findings.len() - 1
    };
    let along = player.along(sight, &findings[at].primary);
    note_along(&mut findings[at], along);
}

/// What is lost with the object has no finding of its own: one cause is one finding. The last step stays
/// the last.
fn note_along(finding: &mut Finding, along: Vec<Step>) {
    const MOST: usize = 8;
    let path = &mut finding.path;
    for step in along {
        let told = path.iter().filter(|it| it.role == Role::Along);
        if told.clone().count() < MOST && !told.clone().any(|it| it.location == step.location) {
            let last = path.len().max(2) - 1;
            path.insert(last.min(path.len()), step);
        }
    }
}

/// The finding that a function releases twice what it is given, where a run does so: one mistake,
/// wherever the object came from.
fn released_there(findings: &[Finding], player: &Player, sight: &Sight) -> Option<usize> {
    if sight.fault != Fault::FreedTwice {
        return None;
    }
    let stack = player.stack(sight);
    let is_there = |it: &Location| stack.iter().any(|at| is_same_start(at, it));
    findings.iter().position(|it| second_release(it).is_some_and(is_there))
}

/// Of what the function was given.
fn second_release(finding: &Finding) -> Option<&Location> {
    let is_given = finding.path.iter().all(|step| step.role != Role::Allocation);
    let release = finding.path.iter().rfind(|step| step.role == Role::Release);
    let release = release.filter(|_| is_given && finding.kind == Kind::DoubleFree)?;
    Some(&release.location)
}

/// The finding of the object that a run saw. That a part of what a call makes is lost says nothing
/// for a doubtful finding that the whole is, and is not what another run saw of the whole.
fn made_there(findings: &[Finding], places: &[Place], seen: &Finding) -> Option<usize> {
    findings.iter().position(|it| {
        let is_other = it.confidence == Confidence::Low || it.replay.outcome.is_some();
        let is_whole = is_other && !it.message.contains(A_PART);
        let is_it =
            |at: &Place| is_same_start(&at.location, &it.primary) && !(at.is_part && is_whole);
        it.kind.is_leak() == seen.kind.is_leak() && places.iter().any(is_it)
    })
}

/// What is released twice came from somewhere in the run.
fn note_origin(known: &mut Finding, seen: &Finding) {
    if known.replay.outcome.is_some() {
        return;
    }
    let made = seen.path.iter().find(|step| step.role == Role::Allocation);
    let note = made.map(|step| Step {
        role: Role::Flow,
        message: format!("{}, in a run that shows it", step.message),
        ..step.clone()
    });
    known.path.splice(0..0, note);
}

/// A run saw what was said before. What is lost long before the end, or alone of its like, matters
/// more than what is only not freed at exit.
fn believe(known: &mut Finding, seen: Finding) {
    if known.kind == Kind::AtExit && seen.kind != Kind::AtExit {
        *known = Finding { engine: "staged", ..seen };
        return;
    }
    known.confidence = seen.confidence;
    if known.replay.outcome.is_none() {
        known.reason = format!("a run shows it; {}", known.reason);
        known.replay.outcome = seen.replay.outcome;
    }
}
