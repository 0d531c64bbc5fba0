//! What packages need beside the program: completions for shells, pages of the manual.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, CompletionArgs, ManualArgs};
use crate::exit::{Exit, Failure};
use crate::output;

pub fn completions(args: &CompletionArgs) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "caulk", &mut text);
    show(&text)
}

/// A page for the program, or for one of its commands.
pub fn manual(args: &ManualArgs) -> Result<Exit, Failure> {
    let mut whole = Cli::command();
    whole.build();
    let page = match &args.command {
        None => whole,
        Some(name) => whole
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::usage(format!("there is no command `{name}`")))?,
    };
    let mut text = Vec::new();
    let rendered = Man::new(page).render(&mut text);
    rendered.map_err(|error| Failure::usage(error.to_string()))?;
    show(&text)
}

fn show(text: &[u8]) -> Result<Exit, Failure> {
    output::print(text)
        .map_err(|error| Failure::usage(format!("cannot write to standard output: {error}")))?;
    Ok(Exit::Clean)
}
