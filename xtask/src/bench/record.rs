//! What was measured, as it is kept in `docs/results/front-end.json`. Times are in seconds.

use super::stages::Stage;
use crate::measure::Usage;
use serde::{Deserialize, Serialize};

/// One run of the benchmark.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    pub date: String,
    /// Of caulk; ends in a plus if sources differed from it.
    pub commit: String,
    pub gcc: String,
    pub processors: usize,
    pub rounds: usize,
    pub programs: Vec<Program>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    pub name: String,
    pub units: usize,
    /// Units that gcc rejects; they cost it less than they should.
    pub rejected_by_gcc: usize,
    /// All units, one process after the other.
    pub gcc: Figures,
    /// `caulk check -j1`.
    pub one_thread: Figures,
    /// `caulk check`.
    pub all_threads: Figures,
    /// The exit codes of caulk's runs other than 0.
    pub exit_codes: Vec<u8>,
    /// Where the time of `caulk check -j1` went.
    pub stages: Vec<Stage>,
}

/// The cost of some processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub user: f64,
    pub system: f64,
    pub wall: f64,
    /// In bytes; of the largest process.
    pub peak_memory: u64,
}

impl From<&Usage> for Figures {
    fn from(usage: &Usage) -> Figures {
        Figures {
            user: usage.user.as_secs_f64(),
            system: usage.system.as_secs_f64(),
            wall: usage.wall.as_secs_f64(),
            peak_memory: usage.peak_memory,
        }
    }
}

impl Figures {
    pub fn cpu(&self) -> f64 {
        self.user + self.system
    }

    /// One process after the other.
    pub fn then(self, next: Figures) -> Figures {
        Figures {
            user: self.user + next.user,
            system: self.system + next.system,
            wall: self.wall + next.wall,
            peak_memory: self.peak_memory.max(next.peak_memory),
        }
    }

    /// The least of two rounds, figure by figure, since noise only adds; but the greater peak.
    pub fn least(self, other: Figures) -> Figures {
        Figures {
            user: self.user.min(other.user),
            system: self.system.min(other.system),
            wall: self.wall.min(other.wall),
            peak_memory: self.peak_memory.max(other.peak_memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(user: f64, wall: f64, peak_memory: u64) -> Figures {
        Figures { user, system: 0.0, wall, peak_memory }
    }

    #[test]
    fn sums_and_minima() {
        let (a, b) = (figures(1.0, 2.0, 10), figures(3.0, 1.0, 20));
        assert_eq!(a.then(b), figures(4.0, 3.0, 20));
        assert_eq!(a.least(b), figures(1.0, 1.0, 20));
        assert_eq!(b.least(a), a.least(b));
    }
}
