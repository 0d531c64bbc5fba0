//! The C front end: one unit in, a typed tree with source positions and a list of errors out.
//!
//! Built on the `rucc-*` crates, which this crate alone may name; [`tree`] is the contract that
//! another front end would have to meet. What those crates lack is here: positions that lead both
//! to the use and to the body of a macro (`origin`, `places`), attributes that the checker drops
//! (`attributes`), telling which functions an error spoiled (`damage`), encodings (`encoding`),
//! an idiom that the checker does not fold (`null_distance`), leaving out declarations of headers
//! that nothing needs (`unmentioned`), and refusing input that would overflow the stack (`depth`) or
//! take all memory (`ranges`).
//!
//! Nothing fails as a whole: an error costs the functions that contain it, a budget overrun or a
//! panic in a dependency costs the unit, and each is a value.

mod attribute;
mod attribute_text;
mod attributes;
mod damage;
mod depth;
mod disk;
mod encoding;
mod error;
mod limits;
mod null_distance;
mod origin;
mod places;
mod preprocess;
mod print;
mod ranges;
mod scan;
mod setup;
pub mod tree;
mod typed;
mod unit;
mod unmentioned;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use caulk_project::{SourceFiles, Unit};

pub use crate::attribute::{AccessMode, Attribute};
pub use crate::error::{FrontError, Position, Severity};
pub use crate::limits::Limits;
pub use crate::print::print_tree;
pub use crate::typed::Tree;
pub use crate::unit::Costs;

use crate::disk::{COMMAND_MACROS, COMPILER_MACROS, Disk};
use crate::setup::Setup;
use crate::unit::{Attempt, attempt};

/// A macro that the compiler does not list among its own and the preprocessor does not know; like
/// its other clocks, it stands still.
const UNLISTED: &[u8] = b"#define __TIMESTAMP__ \"Thu Jan  1 00:00:00 1970\"\n";

/// What became of a unit.
#[derive(Default)]
pub struct FrontUnit {
    /// None if nothing could be checked: the file is unreadable, a budget is overrun.
    pub tree: Option<Tree>,
    /// The first errors, in the order of the stages.
    pub errors: Vec<FrontError>,
    /// How many more there were.
    pub more_errors: usize,
    pub costs: Costs,
    /// Absolute, sorted.
    pub files_read: Vec<PathBuf>,
    /// Files that were looked for and are not there; absolute, sorted.
    pub files_absent: Vec<PathBuf>,
}

/// Reads, parses and checks one unit. Never fails as a whole. Needs a thread with a stack of
/// `limits.stack_bytes`.
#[must_use]
pub fn read_unit(unit: &Unit, files: &SourceFiles, limits: &Limits) -> FrontUnit {
    let setup = match Setup::new(unit, files) {
        Ok(setup) => setup,
        Err(error) => return FrontUnit { errors: vec![error], ..FrontUnit::default() },
    };
    let deadline = Instant::now() + limits.time;
    let mut disk = Disk::new(files, &unit.directory, deadline);
    disk.add_memory(COMPILER_MACROS, [&setup.compiler_macros[..], UNLISTED].concat());
    disk.add_memory(COMMAND_MACROS, setup.command_macros.as_str());
    let mut result = isolated(&setup, &disk, limits);
    if !result.not_utf8.is_empty() {
        result = retry_as_latin1(result, &setup, &mut disk, limits);
    }
    let (errors, more_errors) = result.errors.into_parts();
    let costs = Costs { bytes: disk.bytes_read(), ..result.costs };
    let (files_read, files_absent) = (disk.asked(true), disk.asked(false));
    FrontUnit { tree: result.tree, errors, more_errors, costs, files_read, files_absent }
}

/// A panic in a dependency is this unit's error and nobody else's.
fn isolated(setup: &Setup, disk: &Disk<'_>, limits: &Limits) -> Attempt {
    let outcome = catch_unwind(AssertUnwindSafe(|| attempt(setup, disk, limits)));
    outcome.unwrap_or_else(|payload| {
        let mut failed = Attempt::default();
        let message = format!("the front end failed: {}", panic_text(&*payload));
        failed.errors.push(FrontError::error(message, None));
        failed
    })
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown reason")
}

/// Reads the unit again, with the files that are no UTF-8 taken for Latin-1.
fn retry_as_latin1(first: Attempt, setup: &Setup, disk: &mut Disk<'_>, limits: &Limits) -> Attempt {
    let mut paths = first.not_utf8;
    paths.sort();
    paths.dedup();
    let mut notes = Vec::new();
    for path in paths {
        let message = format!("{} is not UTF-8; read as Latin-1", path.display());
        notes.push(FrontError::note(message, None));
        disk.read_as_latin1(path);
    }
    let mut second = isolated(setup, disk, limits);
    second.errors.prepend(notes);
    second
}
