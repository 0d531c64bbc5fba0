//! The call graph, as points-to resolved it, as text, for Graphviz, and as JSON.

use std::fmt::{self, Write};

use caulk_ir::{CallId, InstId};
use caulk_pointer::{Items, Names, Target};
use caulk_program::InstanceId;
use serde_json::{Value, json};

use crate::memory::Memory;
use crate::print::{Printer, quoted};

pub struct CallGraph<'a, 'p> {
    pub memory: &'a Memory<'p>,
    pub names: Names<'a>,
}

/// A call and whom it may enter, callbacks included.
struct Site {
    call: CallId,
    place: String,
    targets: Vec<String>,
}

impl CallGraph<'_, '_> {
    fn instances(&self, function: Option<&str>) -> Vec<InstanceId> {
        Printer { memory: self.memory, names: self.names }.instances(function).collect()
    }

    fn sites(&self, caller: InstanceId) -> Vec<Site> {
        let calls = &self.memory.accesses(caller).calls;
        calls.iter().map(|&(inst, call)| self.site(caller, inst, call)).collect()
    }

    fn site(&self, caller: InstanceId, inst: InstId, call: CallId) -> Site {
        let input = self.memory.input();
        let module = input.program.procs[input.instances.proc(caller)].module;
        let span = self.memory.body(caller).inst_spans[inst];
        let place = input.program.place(module, span).unwrap_or_else(|| "?".to_string());
        let direct = input.points_to.callees(caller, call);
        let mut targets: Vec<String> = direct.iter().map(|&it| self.names.target(it)).collect();
        for callee in self.memory.callees(caller, call) {
            if !direct.contains(&Target::Instance(callee)) {
                targets.push(format!("{} (called back)", self.names.instance(callee)));
            }
        }
        if self.memory.is_wild_call(caller, call) {
            targets.push("any function that wild pointers point to".to_string());
        }
        Site { call, place, targets }
    }

    fn entry(&self, instance: InstanceId) -> Option<String> {
        let input = self.memory.input();
        let row = &input.instances.rows[instance];
        let reason = input.points_to.entries().reason(row.proc)?;
        row.made_for.is_none().then(|| format!("{reason:?}").to_lowercase())
    }

    /// # Errors
    /// Those of the writer, here and below.
    pub fn text(&self, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
        for instance in self.instances(function) {
            let entry = self.entry(instance).map_or_else(String::new, |it| format!(" entry: {it}"));
            writeln!(out, "{instance} {}{entry}", self.names.instance(instance))?;
            for site in self.sites(instance) {
                let targets = match site.targets.is_empty() {
                    true => "nothing".to_string(),
                    false => site.targets.join(", "),
                };
                writeln!(out, "  {} {}: {targets}", site.call, site.place)?;
            }
        }
        Ok(())
    }

    /// # Errors
    /// See [`CallGraph::text`].
    pub fn dot(&self, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("digraph calls {\n  node [shape=box];\n")?;
        for instance in self.instances(function) {
            let from = quoted(&self.names.instance(instance));
            writeln!(out, "  {from};")?;
            for site in self.sites(instance) {
                for target in site.targets {
                    let (to, call) = (quoted(&target), site.call);
                    writeln!(out, "  {from} -> {to} [label=\"{call}\"];")?;
                }
            }
        }
        out.write_str("}\n")
    }

    /// # Errors
    /// See [`CallGraph::text`].
    pub fn json(&self, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
        let site = |it: Site| json!({"call": it.call.to_string(), "place": it.place, "targets": it.targets});
        out.write_str("{\"functions\": ")?;
        let mut functions = Items::begin(out)?;
        for instance in self.instances(function) {
            let calls: Vec<Value> = self.sites(instance).into_iter().map(site).collect();
            let row = json!({
                "id": instance.to_string(), "name": self.names.instance(instance),
                "entry": self.entry(instance), "calls": calls,
            });
            functions.add(&row.to_string())?;
        }
        functions.end()?;
        out.write_str("}\n")
    }
}
