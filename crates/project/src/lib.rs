//! Projects: which files are compiled, how, and by what compiler.
//!
//! The road of a command: its words (`words`, `response`) lead to a compiler (`command`) and to
//! flags with a meaning (`flags`); the compiler is asked for what only it knows (`compilers`,
//! `ask`, `facts_cache`, or `builtin` without one); `load` makes units of it all. `sources` holds
//! the bytes of every file of a run. `worker` and `journal` let one process watch over another; `record`
//! watches a build. `unit_cache` keeps what was made of units between runs.
//!
//! This is the only library crate that touches files and processes. Nothing here prints or
//! panics: what goes wrong is a `Problem`, what is left out a `Skipped`, what is worth knowing a
//! note.

mod ask;
mod build_system;
mod builtin;
mod changes;
mod command;
mod compilers;
mod config_file;
mod database;
mod facts;
mod facts_cache;
mod flags;
mod journal;
mod language;
mod load;
mod options;
mod output;
mod paths;
mod problem;
mod process;
mod record;
mod response;
mod sources;
mod standard;
mod tally;
mod target;
mod unit_cache;
mod words;
mod worker;

use std::path::PathBuf;

pub use build_system::BuildSystem;
pub use builtin::BuiltInTarget;
pub use changes::{ChangedFile, changed_since};
pub use config_file::{CONFIG_NAME, find_config, repository};
pub use facts::{CompilerFacts, FactsSource};
pub use journal::{Culprits, Event, Journal, Record};
pub use load::{LoadOptions, Project, from_database, from_files};
pub use options::{
    IncludeDir, IncludeKind, MacroFlag, PreInclude, SearchDir, SearchOrder, Unit, UnitOptions,
};
pub use output::{
    create_file, current_dir, find_database, memory_in_use, memory_of_machine, processor_time,
    thread_time, write_file,
};
pub use paths::normalise;
pub use problem::{Position, Problem, SkipReason, Skipped};
pub use record::{
    Compilations, Mechanism, RecordOptions, Recording, ShimCall, called_as_shim, hold_and_become,
    record, run_again, write_database,
};
pub use sources::{SourceCounts, SourceFiles, describe};
pub use standard::{Standard, Version};
pub use target::{Arch, Target};
pub use unit_cache::{
    CacheStatistics, DEFAULT_CACHE_BYTES, Dependencies, KeptUnit, UnitCache, digest, print_of,
};
pub use worker::{Diverted, Ended, Worker, end_with_parent, interrupt, standard_error};

/// The best place for caches: `$XDG_CACHE_HOME/caulk` or `~/.cache/caulk`.
#[must_use]
pub fn default_cache_dir() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from);
    // The XDG rules say that a relative path here is to be ignored.
    let cache = folder("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let cache = cache.or_else(|| folder("HOME").map(|home| home.join(".cache")))?;
    cache.is_absolute().then(|| cache.join("caulk"))
}
