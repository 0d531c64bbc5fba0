//! Which functions of a recursion return at all, by their control flow alone.
//!
//! A summary without cases says that its function does not return. In a recursion it may only say
//! that the rounds of summarising were too few: then the function's effects are unknown.

use caulk_base::{BitSet, FxHashSet};
use caulk_guard::bits::{Compare, Unary};
use caulk_ir::{BlockId, Body, Call, Callee, Constant, Inst, Terminator};
use caulk_models::Returns;
use caulk_program::{Binding, ProcId};

use crate::step::Context;
use crate::summary::{Case, Expr};

/// Those of a recursion from whose start a return can be reached over calls that return.
pub fn returning(context: Context<'_>, members: &[ProcId]) -> FxHashSet<ProcId> {
    let all: FxHashSet<ProcId> = members.iter().copied().collect();
    let mut found: FxHashSet<ProcId> = FxHashSet::default();
    loop {
        let before = found.len();
        for &proc in members {
            if !found.contains(&proc) && reaches_return(context, proc, &all, &found) {
                found.insert(proc);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn reaches_return(
    context: Context<'_>,
    proc: ProcId,
    members: &FxHashSet<ProcId>,
    found: &FxHashSet<ProcId>,
) -> bool {
    let body = context.program.body(proc);
    let passes = |call: &Call| returns(context, proc, call, members, found);
    let mut seen = BitSet::new(body.blocks.len());
    let mut open = vec![BlockId::ENTRY];
    while let Some(block) = open.pop() {
        if !seen.insert(block) || !calls_of(body, block).all(&passes) {
            continue;
        }
        let terminator = &body.blocks[block].terminator;
        if matches!(terminator, Terminator::Return(_)) {
            return true;
        }
        open.extend(terminator.edges().map(|edge| edge.to));
    }
    false
}

fn calls_of(body: &Body, block: BlockId) -> impl Iterator<Item = &Call> {
    body.blocks[block].insts().filter_map(|inst| match body.insts[inst] {
        Inst::Call(id) => Some(&body.calls[id]),
        _ => None,
    })
}

fn returns(
    context: Context<'_>,
    proc: ProcId,
    call: &Call,
    members: &FxHashSet<ProcId>,
    found: &FxHashSet<ProcId>,
) -> bool {
    let Callee::Function(function) = call.callee else { return !call.noreturn };
    let module = context.program.procs[proc].module;
    let body = context.program.body(proc);
    let one = |callee: &ProcId| {
        let summary = context.summaries.of(*callee).filter(|it| !it.cases.is_empty());
        match summary {
            Some(summary) => summary.cases.iter().any(|case| !is_excluded(case, call, body)),
            None if members.contains(callee) => found.contains(callee),
            None => context.summaries.of(*callee).is_none(),
        }
    };
    !call.noreturn
        && match context.program.binding(module, function) {
            Binding::Procs(procs) => procs.iter().any(one),
            Binding::External(external) => {
                let model = context.externals.of(*external);
                model.is_none_or(|model| model.returns != Returns::Never)
            }
        }
}

/// Whether the constants of a call show that it does not come to a case: `fail(true, …)` does not
/// return where `fail` returns only without its flag.
fn is_excluded(case: &Case, call: &Call, body: &Body) -> bool {
    case.conditions.iter().any(|condition| holds(condition, call, body) == Some(false))
}

fn holds(condition: &Expr, call: &Call, body: &Body) -> Option<bool> {
    match condition {
        Expr::Unary(Unary::Not, of) => holds(of, call, body).map(|it| !it),
        Expr::Compare(Compare::Eq, left, right) => {
            Some(number(left, call, body)? == number(right, call, body)?)
        }
        _ => None,
    }
}

fn number(expr: &Expr, call: &Call, body: &Body) -> Option<u64> {
    match expr {
        Expr::Constant { value, .. } => Some(*value),
        Expr::Param(at) => match body.constant(call.args.get(*at as usize)?.value)? {
            Constant::Int(value) => u64::try_from(value).ok(),
            _ => None,
        },
        Expr::ExtendU(of, _) => number(of, call, body),
        _ => None,
    }
}
