//! One line on the terminal that says how far a long run is.

use std::cell::{Cell, RefCell};
use std::io::{Write, stderr};
use std::time::{Duration, Instant};

use caulk_driver::Progress;
use caulk_project::standard_error;

use crate::terminal::stderr_updates;

/// Shorter runs show nothing.
const QUIET_START: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(100);

/// Takes a terminal back to the start of its line, and clears it.
const EMPTY_LINE: &str = "\r\x1b[K";

/// Cleared away when it is dropped.
pub struct ProgressLine {
    /// Kept apart, because standard error is diverted during a run. None if nothing is wanted.
    terminal: Option<RefCell<Box<dyn Write>>>,
    next: Cell<Instant>,
    shown: Cell<bool>,
}

impl ProgressLine {
    pub fn new(quiet: bool) -> Self {
        let next = Cell::new(Instant::now() + QUIET_START);
        let wanted = !quiet && stderr_updates();
        let terminal = wanted.then(standard_error).and_then(Result::ok);
        let terminal = terminal.map(|stream| RefCell::new(Box::new(stream) as Box<dyn Write>));
        Self { terminal, next, shown: Cell::new(false) }
    }

    fn show(&self, text: &str) {
        if let Some(terminal) = &self.terminal {
            let _ = write!(terminal.borrow_mut(), "{EMPTY_LINE}{text}");
        }
    }
}

impl ProgressLine {
    /// Unless it is too early for a first or another word.
    pub fn say(&self, text: &str) {
        let now = Instant::now();
        if now < self.next.get() {
            return;
        }
        self.next.set(now + BETWEEN);
        self.shown.set(true);
        self.show(text);
    }
}

impl Progress for ProgressLine {
    fn units(&self, done: usize, total: usize) {
        self.say(&format!("{done} of {total} units"));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown.get() {
            self.show("");
        }
    }
}

/// Clears what a process that crashed has left there.
pub fn clear() {
    if stderr_updates() {
        let _ = write!(stderr(), "{EMPTY_LINE}");
    }
}
