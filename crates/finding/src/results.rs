//! Everything a run found out, as the report writers take it.

use std::ops::AddAssign;
use std::time::Duration;

use caulk_base::FxHashMap;

use crate::{Finding, Incomplete, Remark, Section, Site, Suppressed};

/// The same for every number of threads, except for `stages` and `wall`.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Those that are shown, in the order of `order`.
    pub findings: Vec<Finding>,
    /// Those that a comment allows.
    pub suppressed: Vec<Suppressed>,
    pub hidden: Hidden,
    /// About suppressions: unused ones and mistakes.
    pub remarks: Vec<Remark>,
    /// What became of every allocation site.
    pub sites: Vec<Site>,
    /// Functions that nothing is known of, by how many objects ended there, most first.
    pub unknown: Vec<(String, u64)>,
    /// The tables of the engine's paper.
    pub statistics: Vec<Section>,
    /// Inputs first, then in the order of the units.
    pub incomplete: Vec<Incomplete>,
    /// In the order of the project.
    pub units: Vec<UnitRow>,
    /// Units that an earlier run had kept, and that were not read again.
    pub from_cache: usize,
    pub skipped: Vec<SkippedCommands>,
    /// Commands that repeat an earlier unit exactly.
    pub merged: usize,
    /// Worth knowing, but nothing is lost by them.
    pub notes: Vec<String>,
    pub stages: Vec<Stage>,
    pub wall: Duration,
    /// The user stopped the run.
    pub interrupted: bool,
}

/// How many findings are not shown, by the first reason that hides each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Below the confidence that is asked for.
    pub confidence: usize,
    pub at_exit: usize,
    pub suppressed: usize,
    /// Known to the baseline.
    pub baseline: usize,
    /// In files that the project does not want to hear of.
    pub excluded: usize,
    /// Touched by no change.
    pub unchanged: usize,
    /// Not findings: entries of the baseline that match nothing any more.
    pub stale: usize,
}

/// What became of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRow {
    pub path: String,
    pub state: UnitState,
    pub counts: Counts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitState {
    Whole,
    /// Some of its text or its functions are missing from the results.
    Partial,
    Failed,
    /// The run was stopped before it was done.
    NotReached,
}

/// What a unit holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub lowered: usize,
    pub refused: usize,
    /// Inline functions of headers that the unit does not use.
    pub unused: usize,
    pub blocks: usize,
    pub instructions: usize,
    pub allocations: usize,
    pub frees: usize,
}

impl Counts {
    /// All functions with a body in the source.
    #[must_use]
    pub fn defined(&self) -> usize {
        self.lowered + self.refused + self.unused
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.lowered += other.lowered;
        self.refused += other.refused;
        self.unused += other.unused;
        self.blocks += other.blocks;
        self.instructions += other.instructions;
        self.allocations += other.allocations;
        self.frees += other.frees;
    }
}

/// Commands of the project that compile no C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedCommands {
    pub reason: String,
    pub count: usize,
    pub examples: Vec<String>,
}

/// The time that one stage took, summed over all units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub name: &'static str,
    pub time: Duration,
}

impl Results {
    /// Over all units.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut total = Counts::default();
        self.units.iter().for_each(|unit| total += unit.counts);
        total
    }

    #[must_use]
    pub fn units_in(&self, state: UnitState) -> usize {
        self.units.iter().filter(|unit| unit.state == state).count()
    }

    /// How many sites are in each class, the largest first.
    #[must_use]
    pub fn classes(&self) -> Vec<(&'static str, usize)> {
        let mut tally: FxHashMap<&'static str, usize> = FxHashMap::default();
        self.sites.iter().for_each(|site| *tally.entry(site.class).or_default() += 1);
        let mut rows: Vec<(&'static str, usize)> = tally.into_iter().collect();
        rows.sort_by_key(|&(class, number)| (std::cmp::Reverse(number), class));
        rows
    }
}
