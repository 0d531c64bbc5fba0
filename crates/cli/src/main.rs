//! `caulk`: what people call. Reads the command line, runs the driver, shows the report.

mod args;
mod baseline;
mod cache;
mod check;
mod choices;
mod config;
mod dump;
mod exit;
mod generate;
mod init;
mod input;
mod judging;
mod lesson;
mod output;
mod program;
mod progress;
mod record;
mod replay;
mod reports;
mod run;
mod session;
mod stats;
mod supervise;
mod terminal;
mod why;

use std::process::ExitCode;

use caulk_project::{called_as_shim, end_with_parent};
use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};
use crate::record::Built;

/// Engines make and drop small things all the time: a tenth of the whole run less than with the C
/// library's.
#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(shim) = called_as_shim() {
        terminal::complain(&format!("caulk: standing in for a compiler failed: {}", shim.go()));
        return ExitCode::from(127);
    }
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
            let built = build_first(command)?;
            if let Some(Built::Interrupted) = built {
                return Ok(Exit::Interrupted.code());
            }
            if let Some(outcome) = supervise::run() {
                return outcome.map(|code| after(built, code));
            }
        }
        None => {}
    }
    work(command).map(Exit::code)
}

/// What `check --build` asks for.
fn build_first(command: &Command) -> Result<Option<Built>, Failure> {
    let Command::Check(args) = command else { return Ok(None) };
    let Some(build) = &args.build else { return Ok(None) };
    let database = record::database_of(args.input.database.as_deref());
    let built = record::build(build, &database, args.quiet)?;
    if let Built::Failed(code) = built {
        terminal::complain(&format!(
            "caulk: the build failed (exit code {code}); checking what it compiled"
        ));
    }
    Ok(Some(built))
}

/// A build that failed leaves units out that nobody knows of.
fn after(built: Option<Built>, code: u8) -> u8 {
    match built {
        Some(Built::Failed(_)) if code <= Exit::Findings.code() => Exit::Incomplete.code(),
        _ => code,
    }
}

fn work(command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Check(args) => check::check(args),
        Command::Dump(args) => dump::dump(args),
        Command::Stats(args) => stats::stats(args),
        Command::Baseline(args) => baseline::baseline(args),
        Command::Why(args) => why::why(args),
        Command::Replay(args) => replay::replay(args),
        Command::Run(args) => run::run(args),
        Command::Cache(args) => cache::cache(args),
        Command::Completions(args) => generate::completions(args),
        Command::Manual(args) => generate::manual(args),
        Command::Init(args) => init::init(args),
        Command::Record(args) => record::record(args),
        Command::Held(args) => record::held(args),
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
