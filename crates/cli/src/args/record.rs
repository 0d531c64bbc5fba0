//! `caulk record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub const LONG: &str = "Run a build and write a compile database of what it compiles.\n\n\
    The build runs as it always does, with its own output and exit code, whatever it calls its \
    compilers: cc, gcc-12, arm-none-eabi-gcc, ccache gcc, libtool, /opt/bin/clang. Every C \
    compilation becomes a row of compile_commands.json, for caulk and for other tools.\n\n\
    Examples:\n  \
    caulk record -- make -j2                  writes compile_commands.json here\n  \
    caulk record -o build/compile_commands.json -- ./build.sh all\n  \
    caulk record --append -- make tests       adds to what was recorded before\n\n\
    What is up to date is not compiled and so not seen: start from a clean tree, or use --append.";

pub const EXIT_CODES: &str = "Exit codes:\n  \
    The build's own; 128 and the signal's number if a signal ended it. If the build was fine but \
    the database could not be written, 2.";

/// The hidden command that starts a build for its tracer.
pub const HOLD: &str = "held-start";

#[derive(Args, Debug)]
pub struct RecordArgs {
    /// Where the compile database is written
    #[arg(short = 'o', long, value_name = "FILE", default_value = "compile_commands.json")]
    pub output: PathBuf,

    /// Keep the rows of an existing database for files that are not compiled now
    #[arg(long)]
    pub append: bool,

    /// How the build is watched [default: trace, or shims where tracing is not allowed]
    #[arg(long, value_enum, value_name = "HOW")]
    pub with: Option<Watcher>,

    /// Say nothing if all went well
    #[arg(short, long)]
    pub quiet: bool,

    /// The build command, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Watcher {
    /// Follow every process with ptrace. Programs that trace others, or that gain rights when they
    /// start (sudo), do not work inside
    Trace,
    /// Put stand-ins for all compilers on PATH. Compilers called by an absolute path are not seen
    Shims,
}

#[derive(Args, Debug)]
pub struct HeldArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<OsString>,
}
