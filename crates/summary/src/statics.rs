//! Statics that a procedure and its callees write.

use caulk_base::FxHashSet;
use caulk_ir::{CallId, Callee, Constant, Inst, ValueId};
use caulk_program::{Binding, ProcId, StaticId};

use crate::exec::{Exec, Known};
use crate::facts::Operand;
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::State;
use crate::summary::Summary;
use crate::value::Value;

/// How many statics are told apart.
const MOST: usize = 256;

impl Exec<'_> {
    pub fn write_static(&mut self, id: StaticId) {
        if let Some(written) = &mut self.written_statics {
            written.insert(id);
            if written.len() > MOST {
                self.written_statics = None;
            }
        }
    }

    /// The callee may have replaced what these statics held, or what any held. With an object in
    /// focus, numbers are only written by who is seen to do so.
    pub fn forget_statics(
        &mut self,
        state: &mut State,
        written: Option<&[StaticId]>,
        writes_more: bool,
    ) {
        self.writes_more |= writes_more;
        match (written, &mut self.written_statics) {
            (None, own) => *own = None,
            (Some(ids), Some(own)) => own.extend(ids),
            (Some(_), None) => {}
        }
        let stays = |value: &Value| self.focus.is_some() && value.addresses().is_empty();
        let is_written = |&(cell, value): &(LocId, &Value)| match self.locations.root(cell) {
            Loc::Static(id) => {
                written.is_none_or(|ids| ids.binary_search(&id).is_ok())
                    || writes_more && !stays(value)
            }
            _ => false,
        };
        let lost: Vec<LocId> = state.memory.iter().filter(is_written).map(|row| row.0).collect();
        let held = lost.iter().filter_map(|&cell| state.memory.get(cell));
        let held = Value::new(Numbers::NONE, held.flat_map(Value::addresses).copied());
        self.give_away(state, &held);
        for cell in lost {
            self.forget_cell(state, cell);
            state.memory.remove(cell);
        }
        self.forget(state, |operand| match *operand {
            Operand::Cell(cell) => match self.locations.root(cell) {
                Loc::Static(id) => written.is_none_or(|ids| ids.binary_search(&id).is_ok()),
                _ => false,
            },
            _ => false,
        });
    }

    /// The statics that a callee writes and whose contents its summary does not tell.
    pub fn unnamed_statics(&mut self, summary: &Summary) -> Option<Vec<StaticId>> {
        let mut ids = summary.written.clone()?;
        if !self.options().one_global {
            for id in summary.cells.iter().filter_map(|row| summary.static_of(row.0)) {
                self.write_static(id);
                ids.retain(|&written| written != id);
            }
        }
        Some(ids)
    }

    pub fn written(&self) -> Option<Vec<StaticId>> {
        let mut ids: Vec<_> = self.written_statics.as_ref()?.iter().copied().collect();
        ids.sort_unstable();
        Some(ids)
    }

    /// What a procedure writes that could not be looked at: by its text, and by its callees.
    pub fn written_in_text(&self) -> Option<Vec<StaticId>> {
        let mut all: FxHashSet<StaticId> = FxHashSet::default();
        for inst in self.body.insts.rows() {
            match *inst {
                Inst::Store { to, .. }
                | Inst::StoreBits { to, .. }
                | Inst::Copy { to, .. }
                | Inst::Fill { to, .. }
                | Inst::HavocMemory { to, .. }
                | Inst::AtomicRmw { to, .. }
                | Inst::CompareExchange { to, .. } => all.extend(self.static_at(to)),
                Inst::Call(id) => {
                    let arguments = &self.body.calls[id].args;
                    all.extend(arguments.iter().filter_map(|it| self.static_at(it.value)));
                    for callee in self.procs_of(id) {
                        all.extend(self.written_by(callee)?);
                    }
                }
                _ => {}
            }
            if all.len() > MOST {
                return None;
            }
        }
        let mut ids: Vec<StaticId> = all.into_iter().collect();
        ids.sort_unstable();
        Some(ids)
    }

    fn written_by(&self, callee: ProcId) -> Option<Vec<StaticId>> {
        match self.context.schedule.get(callee, self.proc) {
            _ if callee == self.proc => Some(Vec::new()),
            Known::Summary(summary) => summary.written.clone(),
            Known::NotYet | Known::Later => None,
        }
    }

    fn procs_of(&self, id: CallId) -> Vec<ProcId> {
        match self.body.calls[id].callee {
            Callee::Function(function) => {
                match self.context.program.binding(self.module_id, function) {
                    Binding::Procs(procs) => procs.clone(),
                    Binding::External(_) => Vec::new(),
                }
            }
            Callee::Pointer(_) => {
                let procs = self.context.indirect.procs.get(&(self.proc, id));
                procs.cloned().unwrap_or_default()
            }
        }
    }

    /// The static that an address is in.
    fn static_at(&self, address: ValueId) -> Option<StaticId> {
        if let Some(constant) = self.body.constant(address) {
            return match constant {
                Constant::Object(object) => {
                    Some(self.context.program.static_of(self.module_id, object))
                }
                _ => None,
            };
        }
        match self.body.insts[self.body.definition(address)?] {
            Inst::Field { base, .. } | Inst::Index { base, .. } => self.static_at(base),
            _ => None,
        }
    }
}
