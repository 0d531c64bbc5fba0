//! A lowered unit as the text that a cache keeps.
//!
//! Only units of which nothing is missing and nothing is to be told are kept: a problem deserves
//! to be looked at anew, with its exact words. The text form of the module round-trips, and
//! reading it takes about an eighth of the processor time of the front end and the lowering.

use caulk_finding::Counts;
use caulk_ir::{Module, parse, print};
use caulk_project::{Dependencies, KeptUnit, SourceFiles, Unit, UnitCache, print_of};

/// A unit of an earlier run.
pub(crate) struct Loaded {
    pub module: Module,
    pub counts: Counts,
    /// A hash of the text that is kept of it.
    pub print: String,
}

/// The unit, if it would be lowered to the same again.
pub(crate) fn load(cache: &UnitCache, unit: &Unit, files: &SourceFiles) -> Option<Loaded> {
    let KeptUnit { content, print } = cache.load(unit, files)?;
    let text = str::from_utf8(&content).ok()?;
    let (counts, text) = text.split_once('\n')?;
    Some(Loaded { module: parse::module(text).ok()?, counts: read_counts(counts)?, print })
}

/// Keeps the unit, and tells a hash of its text. The next run is slower if it cannot be kept, and
/// not different.
pub(crate) fn store(
    cache: &UnitCache,
    unit: &Unit,
    dependencies: Dependencies<'_>,
    (module, counts): (&Module, &Counts),
    files: &SourceFiles,
) -> String {
    let text = format!("{}\n{}", write_counts(counts), print::module(module));
    let _ = cache.store(unit, dependencies, text.as_bytes(), files);
    print_of(text.as_bytes())
}

fn write_counts(counts: &Counts) -> String {
    let Counts { lowered, refused, unused, blocks, instructions, allocations, frees } = counts;
    format!("{lowered} {refused} {unused} {blocks} {instructions} {allocations} {frees}")
}

fn read_counts(text: &str) -> Option<Counts> {
    let numbers: Option<Vec<usize>> = text.split(' ').map(|number| number.parse().ok()).collect();
    let [lowered, refused, unused, blocks, instructions, allocations, frees] =
        numbers?.try_into().ok()?;
    Some(Counts { lowered, refused, unused, blocks, instructions, allocations, frees })
}
