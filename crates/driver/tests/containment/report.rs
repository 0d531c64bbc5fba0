//! What was compared, and what was wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use caulk_base::FxHashSet;
use caulk_driver::WholeProgram;
use caulk_ir::InstId;
use caulk_pointer::Names;
use caulk_program::InstanceId;

#[derive(Debug, Default)]
pub struct Report {
    pub counts: BTreeMap<&'static str, u64>,
    /// Each once for an instruction and an object.
    pub violations: Vec<String>,
    /// What is worth a look, but allowed.
    pub notes: BTreeSet<String>,
    told: FxHashSet<(&'static str, InstanceId, InstId, u32)>,
}

impl Report {
    pub fn count(&mut self, what: &'static str) -> &mut u64 {
        self.counts.entry(what).or_default()
    }

    pub fn add(
        &mut self,
        kind: &'static str,
        (instance, inst, object): (InstanceId, InstId, u32),
        text: String,
    ) {
        if self.told.insert((kind, instance, inst, object)) {
            self.violations.push(text);
        }
    }

    /// Adds another run's counts and violations.
    pub fn merge(&mut self, other: Report) {
        for (what, count) in other.counts {
            *self.count(what) += count;
        }
        self.violations.extend(other.violations);
        self.notes.extend(other.notes);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            writeln!(f, "{count:>10} {what}")?;
        }
        self.notes.iter().try_for_each(|text| writeln!(f, "note: {text}"))?;
        self.violations.iter().try_for_each(|text| writeln!(f, "{text}"))
    }
}

/// `path:line (function, instruction)`
pub fn place(whole: &WholeProgram, instance: InstanceId, inst: InstId) -> String {
    let proc = whole.instances.proc(instance);
    let body = whole.instances.body(&whole.program, instance);
    let span = body.inst_spans[inst];
    let line = whole.program.place(whole.program.procs[proc].module, span);
    let names = Names { input: whole.pointer_input(), points_to: &whole.points_to };
    let line = line.unwrap_or_else(|| "nowhere".into());
    format!("{line} ({}, {inst})", names.instance(instance))
}
