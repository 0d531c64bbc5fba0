//! A second, finer look at the function that makes what is to be reported.
//!
//! A function with many modes or exits is too large for a summary that tells all of them apart: what one
//! mode makes then seems to be made in each, and what goes with one status with all. Where an object of
//! such a call is found lost, the callee is summarised once more, with the constants of the call in
//! place of its parameters and with more room, and the paths are searched again with what that tells of
//! the one call (K3, K5).

use std::sync::Arc;

use caulk_ir::{Constant, Inst, InstId};
use caulk_program::{Binding, ProcId};
use caulk_ssa::FunctionFacts;

use crate::explore::End;
use crate::paths::{Counts, Found, Outcome, search};
use crate::search::{Detail, Options, summary_from};
use crate::step::{By, Exec, Focus};
use crate::summary::{Case, Expr, Summary};

/// A parameter by its number, and what a call passes for it.
pub type Passed = (usize, i64);

/// What is known of one call in place of its callee's summary.
#[derive(Clone)]
pub struct Finer {
    pub at: InstId,
    pub summary: Arc<Summary>,
}

/// Whether the finer look leaves no path to the ends.
pub fn refutes(
    exec: &Exec<'_>,
    focus: Focus,
    found: &Found,
    ends: &[End],
    options: &Options,
) -> bool {
    let by_result = found.state.focus.is_some_and(|it| exec.by_result.contains(&it));
    let Some(asked) = Asked::of(exec, focus, by_result) else { return false };
    let Some(again) = look(exec, &asked, options) else { return false };
    if !makes(&again, by_result) {
        return true;
    }
    // Objects of a call go by their places among what it makes.
    again.makes() == asked.summary.makes()
        && is_refuted(exec, Finer { at: focus.call, summary: again }, ends, options)
}

/// What the callee does with these arguments; none if that takes too long. Many calls ask the same.
fn look(exec: &Exec<'_>, asked: &Asked, options: &Options) -> Option<Arc<Summary>> {
    let finer = exec.context.summaries.finer();
    let key = (asked.proc, asked.constants.clone());
    if let Some(known) = finer.get(&key) {
        return known;
    }
    let facts = FunctionFacts::new(exec.context.program.body(asked.proc));
    let mut callee = Exec::new(exec.context, asked.proc, &facts);
    let again = summary_from(&mut callee, &asked.constants, Detail::Fine, options);
    let again = (!again.gave_up).then(|| Arc::new(again.summary));
    finer.set(key, again.clone());
    again
}

fn makes(summary: &Summary, by_result: bool) -> bool {
    let makes = |case: &Case| match by_result {
        true => case.result.as_ref().is_some_and(Expr::has_fresh),
        false => !case.makes.is_empty(),
    };
    summary.cases.iter().any(makes)
}

fn is_refuted(exec: &Exec<'_>, finer: Finer, ends: &[End], options: &Options) -> bool {
    let mut again = Exec::new(exec.context, exec.proc, exec.facts);
    again.focus = exec.focus;
    again.finer = Some(finer);
    let outcome = search(&mut again, ends, options.path_blocks, &mut Counts::default());
    matches!(outcome, Outcome::Refuted)
}

/// The one function that is called, where a finer look may tell more.
struct Asked {
    proc: ProcId,
    summary: Arc<Summary>,
    constants: Vec<Passed>,
}

impl Asked {
    fn of(exec: &Exec<'_>, focus: Focus, by_result: bool) -> Option<Self> {
        if focus.by == By::Releasing {
            return None;
        }
        let Binding::Procs(procs) = exec.binding(focus.call)? else { return None };
        let &[proc] = procs.as_slice() else { return None };
        let summary = exec.context.summaries.of(proc)?;
        let constants = constants(exec, focus.call);
        let is_vague = summary.rough || !by_result || !constants.is_empty();
        is_vague.then_some(Self { proc, summary, constants })
    }
}

fn constants(exec: &Exec<'_>, at: InstId) -> Vec<Passed> {
    let Inst::Call(id) = exec.body.insts[at] else { return Vec::new() };
    let args = exec.body.calls[id].args.iter().enumerate();
    let constants = args.filter_map(|(number, arg)| match exec.body.constant(arg.value)? {
        Constant::Int(value) => Some((number, value)),
        _ => None,
    });
    constants.collect()
}
