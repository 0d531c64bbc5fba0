//! What is known of the arguments of a function before it is entered: the constants that its calls
//! pass, where all its calls are known.

use caulk_base::Table;
use caulk_guard::bits::{Compare, TermId};
use caulk_ir::{Body, Constant, ValueId, ValueKind};
use caulk_program::{DirectCalls, Entries, ProcId, Program};

use crate::space::Origin;
use crate::state::State;
use crate::step::Exec;

/// What a call passes as an argument, as far as it is written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Passed {
    Number(i64),
    /// Of something with a name: not NULL.
    Address,
}

/// The constant arguments of one call, by their numbers.
type Row = Vec<(u32, Passed)>;

/// Per function the different calls; none where some are not known, or one passes no constant.
pub struct Callers {
    rows: Table<ProcId, Vec<Row>>,
}

/// A function that is called in more ways than these is called in all ways.
const MOST_ROWS: usize = 12;

impl Callers {
    pub fn new(program: &Program, calls: &DirectCalls, entries: &Entries) -> Self {
        let mut rows: Table<ProcId, Vec<Row>> = Table::filled(Vec::new(), program.procs.len());
        for caller in program.procs.ids() {
            let body = program.body(caller);
            for &(call, callee) in calls.of(caller) {
                let arguments = body.calls[call].args.iter().map(|arg| passed(body, arg.value));
                let told = (0u32..).zip(arguments);
                rows[callee].push(told.filter_map(|(at, it)| Some((at, it?))).collect());
            }
        }
        for proc in program.procs.ids() {
            let of_proc = &mut rows[proc];
            of_proc.sort_unstable();
            of_proc.dedup();
            let open = calls.is_address_taken(proc) || entries.reason(proc).is_some();
            if open || of_proc.len() > MOST_ROWS || of_proc.iter().any(Vec::is_empty) {
                of_proc.clear();
            }
        }
        Self { rows }
    }
}

fn passed(body: &Body, value: ValueId) -> Option<Passed> {
    match body.values[value].kind {
        ValueKind::Const(Constant::Int(number)) => Some(Passed::Number(number)),
        ValueKind::Const(Constant::Slot(_) | Constant::Object(_) | Constant::Function(_)) => {
            Some(Passed::Address)
        }
        _ => None,
    }
}

impl Exec<'_> {
    /// Whether a call can lead to a path, by the constants that it passes.
    pub fn is_called_so(&mut self, state: &State) -> bool {
        let rows = &self.context.callers.rows[self.proc];
        rows.is_empty() || rows.iter().any(|row| self.fits(state, row))
    }

    fn fits(&mut self, state: &State, row: &Row) -> bool {
        let mut state = state.clone();
        row.iter().all(|&(number, passed)| {
            let Some(condition) = self.condition(number, passed) else { return true };
            state.assume(&mut self.space, condition)
        })
    }

    fn condition(&mut self, number: u32, passed: Passed) -> Option<TermId> {
        let &param = self.body.params.get(number as usize)?;
        let scalar = self.body.values[param].scalar;
        let width = self.space.width(scalar);
        let is_pointer = scalar == caulk_ir::Scalar::Ptr;
        let term = self.space.symbol(Origin::Param(number), width, is_pointer);
        let value = match passed {
            Passed::Number(value) => value as u64,
            Passed::Address => 0,
        };
        let value = self.space.terms.constant(value, width);
        let equal = self.space.terms.compare(Compare::Eq, term, value);
        Some(if passed == Passed::Address { self.space.terms.not(equal) } else { equal })
    }
}
