//! Where the result of a call goes within its function, and on which conditions control comes to a
//! place: what `caulk why` tells beside the fate of an object.
//!
//! A view for people, over all ways at once: the verdict does not hang on it.

use caulk_base::BitSet;
use caulk_flow::{decision_text, place_text};
use caulk_ir::{BlockId, Inst, InstId, Terminator, ValueId};

use crate::step::{Exec, Focus};
use crate::witness::callee;

/// Rows of each kind, and conditions of each place.
const MOST: usize = 4;
const MOST_CONDITIONS: usize = 3;
/// Times that a function is gone through for values that loops carry around.
const ROUNDS: usize = 3;

/// Who has the result, where it is stored, and to whom it is passed without being settled there.
pub fn whereto(exec: &Exec<'_>, focus: Focus, settled: &[InstId]) -> Vec<String> {
    let Some(result) = exec.body.results[focus.call] else { return Vec::new() };
    let carried = carried(exec, result);
    let mut lines = Vec::new();
    let names = holders(exec, &carried);
    if !names.is_empty() {
        lines.push(format!("held by {}", names.join(", ")));
    }
    let has = |value: ValueId| carried.contains(value);
    for (at, inst) in exec.body.insts.iter() {
        let line = match *inst {
            Inst::Store { to, value, .. } if has(value) => {
                let place = place_text(exec.module, exec.body, to);
                Some(("stored in", format!("`{place}`"), at))
            }
            Inst::Call(call) if at != focus.call && !settled.contains(&at) => {
                let passed = exec.body.calls[call].args.iter().any(|arg| has(arg.value));
                passed.then(|| ("passed to", format!("`{}`", callee(exec, at)), at))
            }
            _ => None,
        };
        lines.extend(line.and_then(|(verb, whom, at)| {
            let line = exec.module.spans.get(exec.body.inst_spans[at])?.start.line;
            Some(format!("{verb} {whom} in line {line}"))
        }));
    }
    lines.dedup();
    shortened(lines)
}

fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let rest = lines.len().saturating_sub(2 * MOST);
    if rest > 1 {
        lines.truncate(2 * MOST);
        lines.push(format!("and {rest} more uses"));
    }
    lines
}

/// Values that may be the result, or lead into it.
fn carried(exec: &Exec<'_>, result: ValueId) -> BitSet<ValueId> {
    let body = exec.body;
    let mut carried = BitSet::new(body.values.len());
    carried.insert(result);
    for _ in 0..ROUNDS {
        let mut grown = false;
        for (at, inst) in body.insts.iter() {
            let (Inst::Convert { value, .. }
            | Inst::Field { base: value, .. }
            | Inst::Index { base: value, .. }) = *inst
            else {
                continue;
            };
            if carried.contains(value)
                && let Some(result) = body.results[at]
            {
                grown |= carried.insert(result);
            }
        }
        for edge in body.blocks.rows().iter().flat_map(|block| block.terminator.edges()) {
            for (&param, &arg) in body.blocks[edge.to].params.iter().zip(&edge.args) {
                grown |= carried.contains(arg) && carried.insert(param);
            }
        }
        if !grown {
            break;
        }
    }
    carried
}

fn holders(exec: &Exec<'_>, carried: &BitSet<ValueId>) -> Vec<String> {
    let body = exec.body;
    let set = body.insts.rows().iter().filter_map(|inst| match *inst {
        Inst::Set { var, value } if carried.contains(value) => Some(var),
        _ => None,
    });
    let own = body.values.iter().filter(|it| carried.contains(it.0)).filter_map(|it| it.1.var);
    let mut names: Vec<String> = Vec::new();
    for var in own.chain(set) {
        let name = format!("`{}`", exec.module.names.text(body.vars[var].name));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(MOST);
    names
}

/// Branches that every way from one block to another takes, the nearest to the end last.
pub fn conditions(exec: &Exec<'_>, from: BlockId, to: BlockId) -> Vec<String> {
    let cfg = exec.facts.cfg();
    let mut texts = Vec::new();
    let mut at = to;
    while at != from
        && texts.len() < MOST_CONDITIONS
        && let Some(above) = cfg.dominators().immediate(at)
    {
        texts.extend(condition(exec, above, at).filter(|text| !texts.contains(text)));
        at = above;
    }
    texts.reverse();
    texts
}

fn condition(exec: &Exec<'_>, from: BlockId, to: BlockId) -> Option<String> {
    let terminator = &exec.body.blocks[from].terminator;
    let is_only_way = exec.facts.cfg().graph().in_edges(to).len() == 1;
    if !is_only_way || matches!(terminator, Terminator::Jump(_)) {
        return None;
    }
    let way = terminator.edges().position(|edge| edge.to == to)?;
    Some(format!("`{}`", decision_text(exec.module, exec.body, terminator, way)))
}
