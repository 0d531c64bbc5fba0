//! The pipe itself: every unit through all stages, in parallel, within budgets.
//!
//! [`run`] is the entry. `pool` runs jobs on threads with large stacks and survives those that
//! panic or hang; `unit` takes one unit through its stages; `results` makes of all outcomes one
//! value that is the same for every number of threads. A unit's tree is dropped as soon as it is
//! lowered and its module as soon as the visitor lets go of it, so memory stays bounded.
//!
//! Knows nothing of formats, and prints nothing.

mod cached;
mod cfg_text;
mod dump;
mod engine_dump;
mod engines;
mod incomplete;
mod kept;
mod modelled;
mod options;
mod pool;
mod program_dump;
mod replay;
mod results;
mod run;
mod search_dump;
mod sites;
mod slices;
mod statistics;
mod text_ir;
mod threads;
mod times;
mod unit;
mod whole_program;

pub use caulk_flow::{Format as DumpFormat, Shown};
pub use caulk_guarded_flow::{Class, SWITCHES};
pub use caulk_pointer::printed;
pub use caulk_use_flow::Policies;
pub use dump::{Dump, DumpStage, Dumped};
pub use engine_dump::{EngineStage, dump_engine};
pub use engines::{Engine, Judge, Judged, Knowledge, Setting, Taken, queries, replay_paths};
pub use kept::{KeptSummaries, KeptVerdicts, linked};
pub use options::{Attempt, CancelFlag, MemoryLimit, Options, Progress, Silent, Stop};
pub use program_dump::{ProgramStage, dump_program};
pub use replay::replay;
pub use results::summarise;
pub use run::{Inputs, Run, run};
pub use search_dump::{SearchStage, dump_search};
pub use slices::Slices;
pub use statistics::statistics;
pub use text_ir::read_ir;
pub use threads::with_threads;
pub use times::StageTimes;
pub use unit::{UnitOutcome, UnitVisitor};
pub use whole_program::{FactOptions, Measured, Meter, Stages, WholeProgram};

/// Counts what is in each unit, and keeps nothing else of it.
pub struct CountOnly;

impl UnitVisitor for CountOnly {
    type Output = ();

    fn module(&self, _: &caulk_project::Unit, _: caulk_ir::Module) {}
}

/// Keeps every module, in the order of the units.
pub struct KeepModules;

impl UnitVisitor for KeepModules {
    type Output = caulk_ir::Module;

    fn module(&self, _: &caulk_project::Unit, module: caulk_ir::Module) -> caulk_ir::Module {
        module
    }
}
