//! The decisions of section 3 (P6), each a switch. The defaults are the paper's.

#[derive(Clone, Debug)]
pub struct Options {
    /// All globals are one node of a summary; off: a summary tells which static was written.
    pub one_global: bool,
    /// A release or an escape on some path counts; off: only what happens on all paths.
    pub some_path_escapes: bool,
    /// Explore-addresses that one program point may make along one access path (k).
    pub explore: usize,
    /// When some exits allocate and others do not, only the former are summarised; off: all are
    /// joined.
    pub allocating_exits: bool,
    /// After an allocating call, a result that only the other exits have says that nothing was
    /// allocated. The paper takes such results for impossible.
    pub tied_results: bool,
    /// A return whose value several ways bring along is an exit for each of them; off: they are
    /// joined.
    pub exits_by_way: bool,
    /// Loops are taken to run at least once; off: allocations and releases of both ways are joined.
    pub loops_run: bool,
    /// Allocation sites name cells beside their paths; off: each path is a cell of its own.
    pub names: bool,
    /// `free` frees all that its argument may point to; off: only what it must point to.
    pub free_all: bool,
    /// A summary tells of the caller's memory by its members, where they are written or known; off:
    /// also that bytes of an object are written as a whole, by `memset` or `fread`, whichever they
    /// are then.
    pub members_only: bool,
    /// What was there before the call stays visible to the caller, whatever leads to it now. The
    /// paper's formula follows the memory at the exit alone.
    pub input_stays_visible: bool,
    /// A pointer that turns out to be NULL says that the allocation it came from failed. The
    /// paper keeps such cells.
    pub null_means_failed: bool,
    /// A fault is told if it is there, too, when states are joined only where the same became of
    /// its object. The paper joins all that meet.
    pub confirm: bool,
    /// A count that goes up in small steps does not wrap around.
    pub counts_stay: bool,
    /// What is lost with another lost cell that leads to it is told, too.
    pub tell_parts: bool,
    /// Resources other than memory are looked at too.
    pub resources: bool,
    /// The statistics say how many procedures have something in each category (P4).
    pub counts_categories: bool,
    pub budget: Budget,
}

/// What one procedure may cost; past it, its summary is the coarse one.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Steps: instructions executed and locations looked at by calls.
    pub steps: usize,
    /// Each call after the first between those asked about and a procedure halves its steps, and the third
    /// leaves an eighth, but not less than this.
    pub far: usize,
    /// Instructions of those that a procedure calls and no suspect does; past it, one that is no suspect is not
    /// asked about.
    pub below: usize,
    /// How many times the steps of the first look a look with one object in focus may take.
    pub again: usize,
    pub locations: usize,
    /// Visits of one block.
    pub visits: usize,
    /// Addresses that one value may be; more become one with the globals.
    pub addresses: usize,
    /// Explore-addresses of one program point over all access paths.
    pub explored: usize,
    /// Nodes of a summary.
    pub nodes: usize,
    /// Rounds over a cycle of calls.
    pub rounds: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            one_global: true,
            some_path_escapes: true,
            explore: 5,
            allocating_exits: true,
            tied_results: true,
            exits_by_way: true,
            loops_run: true,
            names: true,
            free_all: true,
            members_only: true,
            input_stays_visible: true,
            null_means_failed: true,
            confirm: true,
            counts_stay: true,
            tell_parts: false,
            resources: true,
            counts_categories: true,
            budget: Budget::default(),
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            steps: 200_000,
            far: usize::MAX,
            below: usize::MAX,
            again: usize::MAX,
            locations: 6_000,
            visits: 24,
            addresses: 24,
            explored: 20,
            nodes: 300,
            rounds: 4,
        }
    }
}

impl Options {
    /// With the decisions off that lose leaks.
    #[must_use]
    pub fn sound() -> Self {
        Self {
            one_global: false,
            some_path_escapes: false,
            allocating_exits: false,
            tied_results: false,
            loops_run: false,
            free_all: false,
            members_only: false,
            input_stays_visible: false,
            null_means_failed: false,
            confirm: false,
            counts_stay: false,
            tell_parts: true,
            // Cycles of calls end by widening, not by the budget.
            budget: Budget { rounds: 40, ..Budget::default() },
            ..Self::default()
        }
    }
}
