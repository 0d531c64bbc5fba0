//! `caulk`: what people call. Reads the command line, runs the driver, shows the report.

mod args;
mod check;
mod dump;
mod exit;
mod input;
mod output;
mod progress;
mod retry;
mod session;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return ExitCode::from(usage(&error)),
    };
    let outcome = match command {
        Command::Check(args) => check::check(&args),
        Command::Dump(args) => dump::dump(&args),
    };
    ExitCode::from(outcome.unwrap_or_else(|failure| told(&failure)))
}

/// Help and version are no errors; whoever closed the pipe does not want the rest.
fn usage(error: &clap::Error) -> Exit {
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Clean }
}

fn told(failure: &Failure) -> Exit {
    terminal::complain(&format!("caulk: error: {}", failure.message));
    failure.exit
}
