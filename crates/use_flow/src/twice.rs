//! A double release is told where it happens: a caller whose object one callee releases twice has
//! nothing to add to what is said of the callee.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_finding::{Confidence, Finding};
use caulk_ir::Inst;
use caulk_machines::Fault;
use caulk_program::ProcId;

use crate::callees::Targets;
use crate::explore::End;
use crate::report::Report;
use crate::state::State;
use crate::step::{By, Exec};

/// Who is to blame for a double release that a function reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice {
    /// Its place among the findings of the function.
    pub finding: usize,
    pub by: Blame,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The function itself releases what it was given.
    Own(ProcId),
    /// Both releases are in one call of these.
    Callees(Vec<ProcId>),
}

/// Of a double release that is about to be reported; none if it takes the function and its callees
/// together.
pub fn blame(exec: &Exec<'_>, end: &End) -> Option<Blame> {
    let End::Trouble { trouble, .. } = end else { return None };
    if trouble.fault != Fault::DoubleFree {
        return None;
    }
    if exec.focus.is_some_and(|focus| focus.by == By::Releasing) {
        return Some(Blame::Own(exec.proc));
    }
    let Inst::Call(id) = exec.body.insts[trouble.at] else { return None };
    match exec.targets(id, &exec.body.calls[id], &State::new()) {
        Targets::Procs(procs) if trouble.since == Some(trouble.at) => {
            Some(Blame::Callees(procs.into_owned()))
        }
        _ => None,
    }
}

/// Removes what is said of callees as well, and believed there no less.
pub fn forget_told(rows: &mut [Report]) {
    let mut told: FxHashMap<ProcId, Confidence> = FxHashMap::default();
    for (twice, finding) in rows.iter().flat_map(told_twice) {
        if let Blame::Own(proc) = twice.by {
            let most = told.entry(proc).or_insert(finding.confidence);
            *most = finding.confidence.max(*most);
        }
    }
    for row in rows {
        let is_told = |by: &Blame, confidence| match by {
            Blame::Own(_) => false,
            Blame::Callees(procs) => procs.iter().all(|it| told.get(it) >= Some(&confidence)),
        };
        let gone = told_twice(row).filter(|(twice, it)| is_told(&twice.by, it.confidence));
        let gone: FxHashSet<usize> = gone.map(|(twice, _)| twice.finding).collect();
        let mut at = 0..;
        row.findings.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    }
}

fn told_twice(row: &Report) -> impl Iterator<Item = (&Twice, &Finding)> {
    row.twice.iter().filter_map(|it| Some((it, row.findings.get(it.finding)?)))
}
