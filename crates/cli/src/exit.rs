//! How the program ends.

use caulk_finding::{Finding, Results};

use crate::args::FailOn;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Clean,
    Findings,
    /// Usage or configuration.
    Usage,
    /// Some input could not be analysed.
    Incomplete,
    /// The user stopped the run; as shells report it for SIGINT.
    Interrupted,
    /// What a program run by the interpreter ended with.
    Program(u8),
    /// The program was ended by a signal; as shells report it.
    Signal(u8),
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::Incomplete => 3,
            Exit::Interrupted => 130,
            Exit::Program(code) => code,
            Exit::Signal(signal) => 128 | signal,
        }
    }

    /// Incomplete wins over findings: a clean-looking rest proves nothing.
    pub fn of(results: &Results, fail_on: FailOn) -> Self {
        let is_failure = |finding: &Finding| fail_on.is_failure(finding.confidence);
        if results.interrupted {
            Exit::Interrupted
        } else if results.incomplete.iter().any(|row| row.what.is_input()) {
            Exit::Incomplete
        } else if results.findings.iter().any(is_failure) {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }
}

/// Why the program cannot do what was asked; the message says what to do next.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub exit: Exit,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit: Exit::Usage }
    }
}
