//! One engine, two papers, and what goes beyond them: every difference is a named field.

use caulk_flow::{GuardOptions, Precision};
use caulk_guard::Limits;

use crate::class::Class;

/// Who answers whether a guard can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Solving {
    /// FastCheck (F7).
    Sat,
    /// SABER (S8).
    Bdd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The user's name of it.
    pub engine: &'static str,
    pub precision: Precision,
    pub solving: Solving,
    /// How often a path may take one edge of a branch: N of S8.
    pub loops: u8,
    /// The height of formulas past which a site is `unknown/formula` (F11).
    pub height: u32,
    /// The steps of the search for one guard past which a site is `unknown/formula`, too.
    pub guard_steps: u32,
    /// Nodes of a backward slice past which a site is `unknown/slice` (S9).
    pub slice_limit: Option<usize>,
    /// Nodes of a forward search past which a site is `unknown/slice`: the value is everywhere.
    pub search_limit: usize,
    /// Whether pairs of releases are asked about, too (F7).
    pub double_frees: bool,
    /// Also one release that a loop reaches again.
    pub double_frees_in_loops: bool,
    /// Whether a test of a pointer that was loaded from memory is decided where the loaded pointer
    /// is the one that is followed (F9 through memory).
    pub loaded_tests: bool,
    /// Whether a test of a variable is decided after a join, on the way on which the variable
    /// came to the join with the object (F9, read path by path).
    pub joined_tests: bool,
    /// Improvement: a report needs a statement at which a last reference may die.
    pub holders: bool,
    /// Improvement: what is held by an object that lives on lives on.
    pub owners: bool,
    /// Improvement: equal conditions are one atom.
    pub correlated: bool,
    /// Improvement: tests of the status that comes with the object are decided.
    pub statuses: bool,
    /// Improvement: functions that never return are found by looking into them.
    pub endless: bool,
    /// Improvement: a function that releases what it is given unless the object itself says that
    /// others still need it, a reference count say, counts as releasing it.
    pub may_free: bool,
    /// Improvement: a list, array or record that has the object is not empty and not missing.
    pub walks: bool,
    /// Improvement: what needs another turn of a loop is of low confidence.
    pub turns: bool,
    /// Improvement: a leak needs a path that loses the object by the values on it.
    pub paths: bool,
    /// Findings are judged again with all improvements, and are of low confidence if those take
    /// them away. Changes no class and no finding, only how sure it is.
    pub second_look: bool,
    /// Not only memory: files, descriptors and what else models name.
    pub resources: bool,
    /// Classes to report besides the likely errors, at low confidence.
    pub show: Vec<Class>,
    pub threads: usize,
}

impl Configuration {
    /// F0–F14.
    #[must_use]
    pub fn fastcheck() -> Self {
        Self {
            engine: "fastcheck",
            precision: Precision::Locals,
            solving: Solving::Sat,
            loops: 1,
            height: 30,
            guard_steps: 25_000,
            slice_limit: None,
            search_limit: 20_000,
            double_frees: true,
            double_frees_in_loops: false,
            loaded_tests: false,
            joined_tests: true,
            holders: false,
            owners: false,
            correlated: false,
            statuses: false,
            endless: false,
            may_free: false,
            walks: false,
            turns: false,
            paths: false,
            second_look: true,
            resources: false,
            show: Vec::new(),
            threads: 1,
        }
    }

    /// FastCheck with the switches that make its reports better.
    #[must_use]
    pub fn fastcheck_improved() -> Self {
        Self {
            holders: true,
            correlated: true,
            statuses: true,
            endless: true,
            may_free: true,
            turns: true,
            paths: true,
            second_look: false,
            ..Self::fastcheck()
        }
    }

    /// S1–S9.
    #[must_use]
    pub fn saber() -> Self {
        Self {
            engine: "saber",
            precision: Precision::Full,
            solving: Solving::Bdd,
            height: 60,
            guard_steps: 100_000,
            slice_limit: Some(100),
            search_limit: 2_000,
            double_frees: false,
            loaded_tests: true,
            show: vec![Class::NeverFreedMain],
            ..Self::fastcheck()
        }
    }

    /// SABER with the switches that make its reports better.
    #[must_use]
    pub fn saber_improved() -> Self {
        Self {
            holders: true,
            owners: true,
            correlated: true,
            statuses: true,
            endless: true,
            may_free: true,
            walks: true,
            turns: true,
            paths: true,
            second_look: false,
            ..Self::saber()
        }
    }

    /// Whether sites of the class become findings.
    #[must_use]
    pub fn shows(&self, class: Class) -> bool {
        class.is_likely_error() || self.show.contains(&class)
    }

    pub(crate) fn guard_options(&self) -> GuardOptions {
        GuardOptions {
            loop_bound: self.loops,
            work: self.guard_steps,
            limits: Limits { height: self.height, ..Limits::default() },
            ..GuardOptions::default()
        }
    }
}
