//! Counts of one analysis.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Values, results and contents that can hold an address.
    pub variables: usize,
    pub constraints: usize,
    /// Variables that were found equal to another before solving.
    pub substituted: usize,
    /// Variables that were found to lie on a cycle with another.
    pub cycles_collapsed: usize,
    pub objects: usize,
    pub locations: usize,
    /// Objects with too many locations.
    pub objects_collapsed: usize,
    /// Different sets, and the elements of the largest.
    pub sets: usize,
    pub largest_set: usize,
    /// Variables that are wild.
    pub wild: usize,
    /// Rounds of the solver.
    pub rounds: usize,
    /// The budget was used up: sets lack elements.
    pub gave_up: bool,
}
