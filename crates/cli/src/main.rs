//! `caulk`: what people call. Reads the command line, runs the driver, shows the report.

mod args;
mod baseline;
mod check;
mod dump;
mod exit;
mod input;
mod lesson;
mod output;
mod program;
mod progress;
mod reports;
mod run;
mod session;
mod stats;
mod supervise;
mod terminal;

use std::process::ExitCode;

use caulk_project::end_with_parent;
use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return ExitCode::from(usage(&error).code()),
    };
    ExitCode::from(run(&command).unwrap_or_else(|failure| told(&failure).code()))
}

/// In another process if there can be one, else here.
fn run(command: &Command) -> Result<u8, Failure> {
    match command.is_watched() {
        Some(true) => end_with_parent(),
        Some(false) => {
            if let Some(outcome) = supervise::run() {
                return outcome;
            }
        }
        None => {}
    }
    work(command).map(Exit::code)
}

fn work(command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Check(args) => check::check(args),
        Command::Dump(args) => dump::dump(args),
        Command::Stats(args) => stats::stats(args),
        Command::Run(args) => run::run(args),
    }
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
