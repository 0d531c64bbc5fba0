//! What became of each object on its way through the stages, as values for dumps (K5–K7).

use caulk_base::SpanId;
use caulk_guard::bits::{Answer, Term, TermId, Terms};
use caulk_ir::{InstId, VarId};
use caulk_program::StaticId;

use crate::explore::End;
use crate::paths::{Stop, Tried};
use crate::space::{Epoch, JoinKey, Origin, Query};
use crate::step::{Exec, Focus};
use crate::witness;

/// One object that a function makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectTrace {
    pub function: String,
    /// Of the call that makes it: `file:line`.
    pub place: String,
    pub callee: String,
    /// The engine's name of what became of it.
    pub class: &'static str,
    pub candidates: Vec<CandidateTrace>,
}

/// The ends of one kind that the joining search found, and the paths that were tried to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateTrace {
    pub ends: Vec<String>,
    pub outcome: &'static str,
    pub paths: Vec<PathTrace>,
}

/// A path that reached an end, with the condition that was given to the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathTrace {
    pub end: String,
    /// The decisions on it.
    pub decisions: Vec<String>,
    pub conditions: Vec<String>,
    pub answer: String,
    /// Values that satisfy the conditions, by what they are values of.
    pub values: Vec<(String, String)>,
}

/// What the stages asked about the paths of one candidate.
pub struct Asked {
    pub function: String,
    pub terms: Terms,
    pub queries: Vec<Query>,
}

impl Asked {
    /// Takes the terms along: the search is over.
    pub fn of(exec: &mut Exec<'_>) -> Option<Self> {
        let queries = exec.space.asked.take()?;
        let function = witness::function_name(exec).to_string();
        Some(Self { function, terms: exec.space.terms.clone(), queries })
    }
}

pub fn object(
    exec: &Exec<'_>,
    focus: Focus,
    class: &'static str,
    candidates: Vec<CandidateTrace>,
) -> ObjectTrace {
    ObjectTrace {
        function: witness::function_name(exec).to_string(),
        place: place(exec, exec.body.inst_spans[focus.call]),
        callee: witness::callee(exec, focus.call),
        class,
        candidates,
    }
}

pub fn candidate(
    exec: &Exec<'_>,
    ends: &[End],
    tried: &[Tried],
    outcome: &'static str,
) -> CandidateTrace {
    CandidateTrace {
        ends: ends.iter().map(|it| end(exec, it)).collect(),
        outcome,
        paths: tried.iter().map(|it| path(exec, it)).collect(),
    }
}

fn path(exec: &Exec<'_>, tried: &Tried) -> PathTrace {
    let text = |&id: &TermId| exec.space.terms.text(id, &|number| symbol(exec, number));
    let answer = match &tried.answer {
        Answer::Sat(_) => "satisfiable".to_string(),
        Answer::Unsat(core) => {
            let core: Vec<String> =
                core.iter().filter_map(|&at| tried.conditions.get(at)).map(text).collect();
            format!("contradictory: {}", core.join(" and "))
        }
        Answer::Unknown(why) => format!("not decided: {why}"),
    };
    PathTrace {
        end: end(exec, &tried.end),
        decisions: tried.path.iter().filter_map(|stop| decision(exec, stop)).collect(),
        conditions: tried.conditions.iter().map(text).collect(),
        answer,
        values: values(exec, tried),
    }
}

fn values(exec: &Exec<'_>, tried: &Tried) -> Vec<(String, String)> {
    let Answer::Sat(model) = &tried.answer else { return Vec::new() };
    let mut symbols: Vec<TermId> =
        tried.conditions.iter().flat_map(|&it| exec.space.symbols_of(it)).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let value = |&id: &TermId| match *exec.space.terms.get(id) {
        Term::Symbol { number, .. } => {
            Some((symbol(exec, number), format!("{:#x}", model.value(number))))
        }
        _ => None,
    };
    symbols.iter().filter_map(value).collect()
}

fn decision(exec: &Exec<'_>, stop: &Stop) -> Option<String> {
    let block = &exec.body.blocks[stop.block];
    let slot = stop.slot.filter(|_| block.terminator.edges().count() > 1)?;
    let text = caulk_flow::decision_text(exec.module, exec.body, &block.terminator, slot);
    Some(format!("{}: {text}", place(exec, block.terminator_span)))
}

fn end(exec: &Exec<'_>, end: &End) -> String {
    match end {
        End::Return(block) => {
            let at = place(exec, exec.body.blocks[*block].terminator_span);
            format!("lost at the return in {at}")
        }
        End::Turn { from, .. } => {
            let at = place(exec, exec.body.blocks[*from].terminator_span);
            format!("lost when the loop starts over after {at}")
        }
        End::Trouble { trouble, .. } => {
            let at = exec
                .body
                .inst_spans
                .get(trouble.at)
                .map_or_else(String::new, |&span| format!(" at {}", place(exec, span)));
            format!("{}{at}", trouble.fault.name())
        }
    }
}

fn place(exec: &Exec<'_>, span: SpanId) -> String {
    let module = exec.context.program.procs[exec.proc].module;
    exec.context.program.place(module, span).unwrap_or_else(|| "?".to_string())
}

/// What a symbol stands for, in words of the source as far as it has any.
fn symbol(exec: &Exec<'_>, number: u32) -> String {
    let var = |id: VarId| exec.module.names.text(exec.body.vars[id].name).to_string();
    let call = |at: InstId| witness::callee(exec, at);
    match exec.space.origin_of(number) {
        Some(Origin::Param(number)) => {
            let value = exec.body.params.get(number as usize);
            let name = value.and_then(|&value| exec.body.values[value].var).map(var);
            name.unwrap_or_else(|| format!("argument{number}"))
        }
        Some(Origin::Slot(slot)) => {
            let name = exec.body.slots[slot].var.map(var);
            format!("&{}", name.unwrap_or_else(|| slot.to_string()))
        }
        Some(Origin::Static(id)) => format!("&{}", static_name(exec, id)),
        Some(Origin::Function(id)) => exec.module.function_name(id).to_string(),
        Some(Origin::Proc(id)) => exec.context.program.procs[id].name.clone(),
        Some(Origin::Linked(unit, other)) => {
            let name = |unit| &exec.context.program.modules[unit].name;
            format!("{} rather than {}", name(unit), name(other))
        }
        Some(Origin::Initial { address, epoch, .. }) => {
            let at = exec.space.terms.text(address, &|number| symbol(exec, number));
            match epoch {
                Epoch::Start => format!("*({at})"),
                Epoch::After(event) => format!("*({at})@{event}"),
                Epoch::Join(block) => format!("*({at})@{block}"),
            }
        }
        Some(Origin::Made { serial: 0, call: at, index: 0 }) => format!("{}#{at}", call(at)),
        Some(Origin::Made { serial, call: at, index }) => {
            format!("{}#{at}.{serial}.{index}", call(at))
        }
        Some(Origin::Join(block, JoinKey::Value(value))) => format!("{value}@{block}"),
        Some(Origin::Join(block, JoinKey::Cell(_))) => format!("cell{number}@{block}"),
        Some(Origin::Join(block, JoinKey::DistanceOfValue(value))) => {
            format!("distance of {value}@{block}")
        }
        Some(Origin::Join(block, JoinKey::DistanceInCell(_))) => {
            format!("distance{number}@{block}")
        }
        Some(Origin::Alloca(serial)) => format!("alloca{serial}"),
        Some(Origin::OneOf(serial) | Origin::Outcome(serial)) => format!("choice{serial}"),
        Some(Origin::Unknown(serial)) => format!("unknown{serial}"),
        Some(Origin::Version(_)) | None => format!("memory{number}"),
    }
}

fn static_name(exec: &Exec<'_>, id: StaticId) -> String {
    let (module, object) = exec.context.program.object(id);
    let names = &exec.context.program.modules[module].names;
    object.name.map_or_else(|| id.to_string(), |name| names.text(name).to_string())
}
