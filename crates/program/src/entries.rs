//! Where control may come in from outside.
//!
//! Every function is analysed, also those that `main` never reaches. A procedure is an entry when
//! something that caulk does not see may call it; the memory that its parameters reach then
//! belongs to that caller. Callbacks handed to library functions, signal handlers and thread
//! routines are found by the points-to analysis, which adds them.

use caulk_base::Table;
use caulk_ir::Attribute;

use crate::calls::DirectCalls;
use crate::program::{ProcId, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryReason {
    Main,
    /// `__attribute__((constructor))` or destructor.
    Constructor,
    /// Visible outside a library, which has no `main`.
    Exported,
    /// Nothing in the program calls it or takes its address.
    Uncalled,
    /// All its calls have copies of it; the body itself is analysed as if called from outside.
    Copied,
    /// Its address is handed to code that caulk does not see.
    Callback,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub proc: ProcId,
    pub reason: EntryReason,
}

#[derive(Clone, Debug)]
pub struct Entries {
    reasons: Table<ProcId, Option<EntryReason>>,
}

impl Entries {
    #[must_use]
    pub fn new(program: &Program, calls: &DirectCalls) -> Self {
        let library = !program.procs.rows().iter().any(|proc| proc.name == "main");
        let reasons =
            program.procs.ids().map(|proc| reason(program, calls, library, proc)).collect();
        Self { reasons }
    }

    #[must_use]
    pub fn reason(&self, proc: ProcId) -> Option<EntryReason> {
        self.reasons[proc]
    }

    pub fn add(&mut self, proc: ProcId, reason: EntryReason) {
        self.reasons[proc].get_or_insert(reason);
    }

    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.reasons.iter().filter_map(|(proc, reason)| reason.map(|reason| Entry { proc, reason }))
    }
}

fn reason(
    program: &Program,
    calls: &DirectCalls,
    library: bool,
    proc: ProcId,
) -> Option<EntryReason> {
    let row = &program.procs[proc];
    let starts = |attribute: &Attribute| {
        matches!(attribute, Attribute::Constructor(_) | Attribute::Destructor(_))
    };
    if row.name == "main" {
        Some(EntryReason::Main)
    } else if program.function(proc).attributes.iter().any(starts) {
        Some(EntryReason::Constructor)
    } else if library && row.exported {
        Some(EntryReason::Exported)
    } else if !calls.is_called(proc) && !calls.is_address_taken(proc) {
        Some(EntryReason::Uncalled)
    } else {
        None
    }
}
