//! What became of an object on the ways that were looked at, for people who ask why it is reported or
//! not.

use std::collections::BTreeSet;

use caulk_base::{Id, SpanId};
use caulk_ir::{BlockId, Callee, Inst, InstId};
use caulk_program::Binding;

use crate::explore::{End, Explored, Whereabouts};
use crate::step::{Exec, Focus};
use crate::whereto::{conditions, whereto};
use crate::witness::callee;

/// Lines of each kind; the rest would say the same.
const MOST: usize = 6;

/// Where the object goes, then a line for each place that decided something, in the order of the
/// function.
pub fn story(
    exec: &Exec<'_>,
    focus: Focus,
    explored: &Explored,
    owes: bool,
    class: &str,
) -> Vec<String> {
    let tale = Tale { exec, focus, explored };
    let mut lines = tale.whereto();
    lines.extend(tale.fates(Whereabouts::Released, |at, who| match who {
        Some(who) => format!("released by `{who}` in line {at}"),
        None => format!("released in line {at}"),
    }));
    lines.extend(tale.fates(Whereabouts::Kept, |at, who| match who {
        Some(who) => format!("lost from sight in line {at}: `{who}` keeps or perhaps releases it"),
        None => format!("lost from sight in line {at}: others can reach it from then on"),
    }));
    lines.extend(tale.fates(Whereabouts::Held, |at, _| {
        format!("the caller or static storage has it at the return in line {at}")
    }));
    lines.extend(losses(exec, explored, owes, class));
    if explored.gave_up {
        lines.push(String::from("some ways were left out: the search used up its budget"));
    }
    lines
}

/// Whether a callee took the object on some way, and nobody looks after it from then on.
pub fn is_out_of_sight(exec: &Exec<'_>, explored: &Explored) -> bool {
    let mut kept = explored.fates.iter().filter(|(fate, _)| *fate == Whereabouts::Kept);
    kept.any(|&(_, at)| matches!(exec.body.insts.get(InstId(at)), Some(Inst::Call(_))))
}

/// The functions that nothing is known of and that got the object, each once.
pub fn unknown_keepers(exec: &Exec<'_>, explored: &Explored) -> BTreeSet<String> {
    let kept = explored.fates.iter().filter(|(fate, _)| *fate == Whereabouts::Kept);
    let unknown = |at: InstId| {
        let Some(Inst::Call(id)) = exec.body.insts.get(at) else { return None };
        let Callee::Function(function) = exec.body.calls[*id].callee else { return None };
        let program = exec.context.program;
        let module = program.procs[exec.proc].module;
        let Binding::External(external) = program.binding(module, function) else { return None };
        let is_known = exec.context.externals.of(*external).is_some();
        (!is_known).then(|| program.externals[*external].name.clone())
    };
    kept.filter_map(|&(_, at)| unknown(InstId(at))).collect()
}

struct Tale<'s, 'a> {
    exec: &'s Exec<'a>,
    focus: Focus,
    explored: &'s Explored,
}

impl Tale<'_, '_> {
    /// Known of what the call returns; other objects are somewhere in memory.
    fn whereto(&self) -> Vec<String> {
        match self.explored.by_result {
            true => whereto(self.exec, self.focus, &self.settled()),
            false => Vec::new(),
        }
    }

    /// The instructions that released it or gave it away.
    fn settled(&self) -> Vec<InstId> {
        let fates = self.explored.fates.iter();
        fates.filter(|(fate, _)| *fate != Whereabouts::Held).map(|&(_, at)| InstId(at)).collect()
    }

    fn fates(
        &self,
        wanted: Whereabouts,
        words: impl Fn(u32, Option<String>) -> String,
    ) -> Vec<String> {
        let places = self.explored.fates.iter().filter(|(fate, _)| *fate == wanted);
        let line = |&(_, at): &(Whereabouts, u32)| {
            let (span, block, who) = self.place(wanted, at)?;
            let text = words(line_of(self.exec, span)?, who);
            Some(format!("{text}{}", self.when(block)))
        };
        let mut lines: Vec<String> = Vec::new();
        for line in places.filter_map(line) {
            if lines.len() < MOST && lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        lines
    }

    fn place(&self, fate: Whereabouts, at: u32) -> Option<(SpanId, BlockId, Option<String>)> {
        let exec = self.exec;
        match fate {
            Whereabouts::Held => Some((return_span(exec, BlockId(at))?, BlockId(at), None)),
            Whereabouts::Released | Whereabouts::Kept => {
                let at = InstId(at);
                let span = *exec.body.inst_spans.get(at)?;
                Some((span, exec.facts.block_of(at), called(exec, at)))
            }
        }
    }

    /// The conditions on which control comes there after the call.
    fn when(&self, block: BlockId) -> String {
        let start = self.exec.facts.block_of(self.focus.call);
        let conditions = conditions(self.exec, start, block);
        match conditions.is_empty() {
            true => String::new(),
            false => format!(", when {}", conditions.join(" and ")),
        }
    }
}

/// Returns and turns of loops at which nobody has it any more.
fn losses(exec: &Exec<'_>, explored: &Explored, owes: bool, class: &str) -> Vec<String> {
    let ending = match class {
        _ if !owes => ", which is meant: the function acquires it for its caller",
        "refuted" => ", on ways that no run can take",
        _ => "",
    };
    let place = |end: &End| match end {
        End::Return(block) => {
            let line = line_of(exec, return_span(exec, *block)?)?;
            Some(format!("nobody has it at the return in line {line}{ending}"))
        }
        End::Turn { from, .. } => {
            let line = line_of(exec, return_span(exec, *from)?)?;
            Some(format!("nobody has it when the loop starts over after line {line}{ending}"))
        }
        End::Trouble { .. } => None,
    };
    let mut lines: Vec<String> = explored.ends.iter().filter_map(place).collect();
    lines.sort();
    lines.dedup();
    lines.truncate(MOST);
    lines
}

fn return_span(exec: &Exec<'_>, block: BlockId) -> Option<SpanId> {
    exec.body.blocks.rows().get(block.index()).map(|block| block.terminator_span)
}

fn line_of(exec: &Exec<'_>, span: SpanId) -> Option<u32> {
    exec.module.spans.get(span).map(|span| span.start.line)
}

/// Who is called there, if it is a call.
fn called(exec: &Exec<'_>, at: InstId) -> Option<String> {
    matches!(exec.body.insts[at], Inst::Call(_)).then(|| callee(exec, at))
}
