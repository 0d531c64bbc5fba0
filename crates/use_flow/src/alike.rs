//! Exits that callers cannot tell apart: what one does, the others may do.

use caulk_guard::bits::{Compare, Unary};

use crate::exits::{Class, is_negative, is_status, number_width};
use crate::state::{Certainty, State};
use crate::step::Exec;
use crate::summary::{Case, Expr, Release};

/// May-free counts as a free: where callers cannot tell an exit that releases a parameter from one
/// that does not (a reference count, a flag inside the object), both do, and neither surely.
pub fn add_may_releases(cases: &mut [Case], classes: &[Class]) {
    let mut released: Vec<(usize, Release)> = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let sure = case.releases.iter().filter(|it| !it.inferred);
        released.extend(sure.map(|it| (at, it.clone())));
    }
    for (from, release) in released {
        let Some(number) = release.what.root_param() else { continue };
        for at in 0..cases.len() {
            let case = &cases[at];
            let has = case.releases.iter().any(|it| it.what == release.what);
            let kept = case.keeps.contains(&release.what);
            let other = classes[at] != classes[from]
                || case.is_told_apart(&cases[from], number)
                || is_null(case, &release.what)
                || is_null(case, &Expr::Param(number))
                || is_left_by_failure(cases, classes, at, &release.what);
            if !has && !kept && !other {
                let told = case.conditions_beyond(&cases[from]).next().is_some()
                    || cases[from].conditions_beyond(case).next().is_some();
                let perhaps = Release {
                    certainty: Certainty::Perhaps,
                    when_expected: Certainty::Perhaps,
                    inferred: told,
                    ..release.clone()
                };
                cases[at].releases.push(perhaps);
                let same = cases[from].releases.iter_mut().filter(|it| it.what == release.what);
                for it in same {
                    it.certainty = Certainty::Perhaps;
                    if !told {
                        it.when_expected = Certainty::Perhaps;
                    }
                }
            }
        }
    }
}

/// Whether an exit does not release something because an allocation failed there: no other exit leaves
/// it, and none tells of the failure.
fn is_left_by_failure(cases: &[Case], classes: &[Class], at: usize, what: &Expr) -> bool {
    let takes = |case: &Case| {
        let released = case.releases.iter().any(|it| !it.inferred && it.what == *what);
        released || case.keeps(what) || is_null(case, what)
    };
    cases[at].fails
        && classes[at] == Class::Nothing
        && cases.iter().all(|case| case.fails || takes(case))
}

/// So with what an exit keeps: a table that copies its values or not, as its type says; a value that
/// is put into a new one, or dropped, as its tag says.
pub fn add_may_keeps(exec: &Exec<'_>, cases: &mut [Case], classes: &[Class]) {
    for number in 0..u32::try_from(exec.body.params.len()).unwrap_or(0) {
        let mut what = kept_members(cases, number);
        if !exec.is_passed_by_copy(number as usize) {
            what.push(Expr::Param(number));
        }
        what.iter().for_each(|what| add_may_keep(cases, classes, number, what));
    }
}

/// What any exit keeps of the contents of an aggregate that is passed, or pointed to.
fn kept_members(cases: &[Case], number: u32) -> Vec<Expr> {
    let mut members: Vec<Expr> = Vec::new();
    for case in cases {
        let stored = case.stores.iter().map(|store| &store.value);
        for value in case.keeps.iter().chain(stored) {
            let refers =
                matches!(value, Expr::Load { pointer: true, .. } | Expr::Load { width: 32, .. });
            if refers && value.is_member_of(number) && !members.contains(value) {
                members.push(value.clone());
            }
        }
    }
    members
}

fn add_may_keep(cases: &mut [Case], classes: &[Class], number: u32, what: &Expr) {
    let takes: Vec<bool> = cases.iter().map(|case| case.keeps(what)).collect();
    let refuses = |at: usize, case: &Case| !takes[at] && !case.fails && !is_null(case, what);
    let without_failure = cases.iter().enumerate().any(|(at, case)| refuses(at, case));
    for at in 0..cases.len() {
        // A failure that the result does not tell of was dealt with; and where others do not
        // take it either, the failure is not why.
        let by_failure = cases[at].fails && classes[at] == Class::Nothing && !without_failure;
        if takes[at] || by_failure || is_null(&cases[at], what) {
            continue;
        }
        let alike = |from: usize| takes[from] && classes[at] == classes[from];
        let any = |told: &dyn Fn(usize) -> bool| (0..takes.len()).any(|it| alike(it) && !told(it));
        if any(&|from| cases[at].is_told_apart(&cases[from], number)) {
            cases[at].inferred_keeps.push(what.clone());
        } else if any(&|from| cases[at].is_excluded_by(&cases[from], number)) {
            cases[at].doubtful_refusals.push(what.clone());
        }
    }
}

/// A structure that has nothing to release is no exception either.
pub fn add_may_sweeps(cases: &mut [Case], classes: &[Class]) {
    for from in 0..cases.len() {
        for sweep in cases[from].sweeps.clone() {
            let Some(number) = sweep.root.root_param() else { continue };
            for at in 0..cases.len() {
                let other =
                    classes[at] != classes[from] || cases[at].is_told_apart(&cases[from], number);
                if !other && !cases[at].sweeps.contains(&sweep) {
                    cases[at].sweeps.push(sweep.clone());
                }
            }
        }
    }
}

/// Whether a pointer is NULL in a case.
fn is_null(case: &Case, pointer: &Expr) -> bool {
    case.conditions.iter().any(|it| it.equal_to_zero() == Some(pointer))
}

/// A number that an exit computes is none of the negative constants by which other exits tell that
/// they failed.
pub fn tell_statuses_apart(cases: &mut [Case]) {
    let mut statuses: Vec<(u64, u8)> = Vec::new();
    for case in cases.iter() {
        if let Some(Expr::Constant { value, width }) = case.result
            && width >= 32
            && value >> (width - 1) & 1 == 1
            && !statuses.contains(&(value, width))
        {
            statuses.push((value, width));
        }
    }
    for case in cases.iter_mut() {
        let Some(result) = case.result.clone() else { continue };
        let computed = match result {
            Expr::Constant { .. } | Expr::Fresh(_) | Expr::OneOf { .. } => false,
            Expr::Unknown { pointer, .. } => !pointer || statuses.iter().all(|it| it.1 == 64),
            _ => true,
        };
        for &(value, width) in statuses.iter().filter(|_| computed) {
            let status = Box::new(Expr::Constant { value, width });
            let least = Expr::Compare(Compare::LeS, status.clone(), Box::new(result.clone()));
            if case.conditions.contains(&least) {
                // It is computed by a choice of constants, and this is one of them.
                continue;
            }
            let equal = Expr::Compare(Compare::Eq, Box::new(result.clone()), status);
            case.conditions.push(Expr::Unary(Unary::Not, Box::new(equal)));
        }
    }
}

/// An exit that hands something out and computes a number is one that went well: where others tell
/// by negative numbers that they did not, that one is not negative.
pub fn tell_counts_apart(
    exec: &mut Exec<'_>,
    groups: &[State],
    cases: &mut [Case],
    classes: &[Class],
) {
    let Some(width @ 32..) = number_width(exec) else { return };
    if !groups.iter().any(|state| is_negative(exec, state)) {
        return;
    }
    for ((case, class), state) in cases.iter_mut().zip(classes).zip(groups) {
        let computed = *class == Class::Any && !is_status(exec, state);
        if let Some(result) = case.result.clone().filter(|_| computed && case.hands_out()) {
            let zero = Box::new(Expr::Constant { value: 0, width });
            case.conditions.push(Expr::Compare(Compare::LeS, zero, Box::new(result)));
        }
    }
}
