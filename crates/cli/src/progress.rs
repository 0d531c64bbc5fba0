//! One line on the terminal that says how far a long run is.

use std::cell::Cell;
use std::io::{Write, stderr};
use std::time::{Duration, Instant};

use caulk_driver::Progress;

use crate::terminal::stderr_updates;

/// Shorter runs show nothing.
const QUIET_START: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(100);

/// Cleared away when it is dropped.
pub struct ProgressLine {
    wanted: bool,
    next: Cell<Instant>,
    shown: Cell<bool>,
}

impl ProgressLine {
    pub fn new(quiet: bool) -> Self {
        let next = Cell::new(Instant::now() + QUIET_START);
        Self { wanted: !quiet && stderr_updates(), next, shown: Cell::new(false) }
    }
}

impl Progress for ProgressLine {
    fn units(&self, done: usize, total: usize) {
        let now = Instant::now();
        if !self.wanted || now < self.next.get() {
            return;
        }
        self.next.set(now + BETWEEN);
        self.shown.set(true);
        let _ = write!(stderr(), "\r\x1b[K{done} of {total} units");
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown.get() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
