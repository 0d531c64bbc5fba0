//! Functions that are handed to functions without a body, which run them: `qsort`, `pthread_once`.
//! What they do to the arguments is the model's business; which statics they write is told here.

use caulk_ir::{Callee, Constant, FunctionId};
use caulk_program::{Binding, ProcId, Program};

use crate::exec::{Exec, Known};
use crate::location::Loc;
use crate::numbers::Numbers;
use crate::state::State;
use crate::value::Value;

impl Exec<'_> {
    /// Whoever the value may be is run; nobody, where it is NULL.
    pub fn run_handed(&mut self, function: &Value, state: &mut State) {
        if function.addresses().is_empty() && function.numbers != Numbers::ZERO {
            return self.forget_statics(state, Some(&[]), true);
        }
        for &address in function.addresses() {
            match self.locations.get(address) {
                Loc::Function(function) => self.run_function(function, state),
                _ => self.forget_statics(state, Some(&[]), true),
            }
        }
    }

    /// Of what a call hands over, the functions that are known.
    pub fn run_known(&mut self, value: &Value, state: &mut State) {
        for &address in value.addresses() {
            if let Loc::Function(function) = self.locations.get(address) {
                self.run_function(function, state);
            }
        }
    }

    fn run_function(&mut self, function: FunctionId, state: &mut State) {
        let Binding::Procs(procs) = self.context.program.binding(self.module_id, function) else {
            return;
        };
        for &proc in procs {
            match self.context.schedule.get(proc, self.proc) {
                Known::Summary(summary) => {
                    self.forget_statics(state, summary.written.as_deref(), summary.writes_more);
                }
                Known::NotYet => {}
                Known::Later => self.forget_statics(state, None, true),
            }
        }
    }
}

/// The procedures that a body hands to functions without a body by their names: they are
/// summarised before it.
pub fn handed_to_externals(program: &Program, caller: ProcId) -> Vec<ProcId> {
    let (module, body) = (program.procs[caller].module, program.body(caller));
    let is_external = |callee: Callee| match callee {
        Callee::Function(id) => matches!(program.binding(module, id), Binding::External(_)),
        Callee::Pointer(_) => false,
    };
    let calls = body.calls.rows().iter().filter(|call| is_external(call.callee));
    let values = calls.flat_map(|call| &call.args).map(|argument| argument.value);
    let functions = values.filter_map(|value| match body.constant(value)? {
        Constant::Function(id) => Some(id),
        _ => None,
    });
    let bindings = functions.map(|id| program.binding(module, id));
    let procs = bindings.filter_map(|binding| match binding {
        Binding::Procs(procs) => Some(procs),
        Binding::External(_) => None,
    });
    procs.flatten().copied().collect()
}
