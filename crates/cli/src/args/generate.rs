//! `caulk completions` and `caulk manual`.

use clap::Args;
use clap_complete::Shell;

#[derive(Args, Debug)]
pub struct CompletionArgs {
    /// The shell; its completions go to standard output
    pub shell: Shell,
}

#[derive(Args, Debug)]
pub struct ManualArgs {
    /// The command that the page is about; without it, the program
    pub command: Option<String>,
}
