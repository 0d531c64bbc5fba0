//! The command line. Its help is the first thing people read, so it teaches.

mod ask;
mod choices;
mod generate;
mod record;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use caulk_driver::Engine;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::reports::Reports;
pub use ask::{BaselineArgs, Place, ReplayArgs, Wanted, WhyArgs};
pub use choices::{ChoiceArgs, ConfigArgs, EngineArgs, FailOn, Show, switch};
pub use generate::{CompletionArgs, ManualArgs};
pub use record::{HOLD, HeldArgs, RecordArgs, Watcher};

/// Finds memory leaks in C programs without running them.
#[derive(Parser, Debug)]
#[command(name = "caulk", version, arg_required_else_help = true, after_long_help = EXIT_CODES)]
#[command(long_about = "Finds memory leaks in C programs without running them.\n\n\
    caulk reads a project the way its compiler does: from a compile database \
    (compile_commands.json) or from single files with their compiler flags.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Analyse a project or single files
    #[command(long_about = CHECK, after_long_help = EXIT_CODES)]
    Check(CheckArgs),
    /// Run a build and write a compile database of what it compiles
    #[command(long_about = record::LONG, after_long_help = record::EXIT_CODES)]
    Record(RecordArgs),
    /// Write a commented caulk.toml
    Init(InitArgs),
    /// Write a file of the findings that there are now, to see only what comes later
    #[command(long_about = ask::BASELINE, after_long_help = EXIT_CODES)]
    Baseline(BaselineArgs),
    /// Tell what became of an allocation, and why it is reported or not
    #[command(long_about = ask::WHY, after_long_help = EXIT_CODES)]
    Why(WhyArgs),
    /// Run a finding in caulk's interpreter, and tell what happened
    #[command(long_about = ask::REPLAY, after_long_help = EXIT_CODES)]
    Replay(ReplayArgs),
    /// Show what a stage of the analysis makes of a file
    #[command(long_about = DUMP, after_long_help = EXIT_CODES)]
    Dump(DumpArgs),
    /// Count what is in a program, and what its analysis costs
    #[command(long_about = STATS, after_long_help = EXIT_CODES)]
    Stats(StatsArgs),
    /// For developers: run a program in caulk's interpreter
    #[command(long_about = RUN)]
    Run(RunArgs),
    /// Look at or clear the units that are kept between runs
    Cache(CacheArgs),
    /// Print completions for a shell
    Completions(CompletionArgs),
    /// Print a page of the manual
    #[command(hide = true)]
    Manual(ManualArgs),
    /// Stops, and becomes the command when it is let go on; see `record`
    #[command(name = record::HOLD, hide = true)]
    Held(HeldArgs),
}

impl Command {
    /// Whether the process that watches over this one started it; none for commands that are
    /// not watched.
    pub fn is_watched(&self) -> Option<bool> {
        match self {
            Command::Check(args) => Some(args.input.journal.is_some()),
            Command::Dump(args) => Some(args.input.journal.is_some()),
            Command::Stats(args) => Some(args.input.journal.is_some()),
            Command::Baseline(args) => Some(args.input.journal.is_some()),
            Command::Why(args) => Some(args.input.journal.is_some()),
            Command::Replay(args) => Some(args.input.journal.is_some()),
            Command::Cache(_)
            | Command::Completions(_)
            | Command::Manual(_)
            | Command::Init(_)
            | Command::Record(_)
            | Command::Held(_)
            | Command::Run(_) => None,
        }
    }
}

const CHECK: &str = "Analyse a project or single files.\n\n\
    caulk links all units into one program and follows every resource from where it is made: \
    memory, files, descriptors and others. It reports those that are lost on some path (leaks), \
    released twice, used after their release or released by the wrong function, with the way that \
    leads there. What it could not analyse is always told, never hidden.\n\n\
    Examples:\n  \
    caulk check                               the project in this folder\n  \
    caulk check -p build                      the project of build/compile_commands.json\n  \
    caulk check -p build src/main.c           one file, with its flags from the database\n  \
    caulk check a.c b.c -- -Iinclude -DX=1    files, with compiler flags after `--`\n  \
    caulk check a.c -- arm-linux-gnueabi-gcc  … as this compiler sees it\n  \
    caulk check --build 'make -j2'            a project built by make: build it and check it\n  \
    caulk check --show low --show leak/at-exit   also what is off by default\n  \
    caulk check --changed-since main          only findings that touch lines changed since then\n  \
    caulk check --baseline caulk.baseline --new-only   only what `caulk baseline` did not write\n  \
    caulk check --coverage                    which functions were analysed, and why others not\n  \
    caulk check --format sarif -o caulk.sarif a report for code hosts and editors\n  \
    caulk check --format html -o caulk.html --format json -o caulk.json   several at once\n\n\
    To make a compile database: `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup`, \
    or `caulk record -- make`.";

const DUMP: &str = "Show what a stage of the analysis makes of a file.\n\n\
    Examples:\n  \
    caulk dump --stage ir a.c -- -Iinclude            the representation, as text\n  \
    caulk dump --stage ir a.ir                        … of a text file, read and printed again\n  \
    caulk dump --stage cfg --function main a.c        blocks, edges, dominators and loops\n  \
    caulk dump --stage cfg --format dot a.c | dot -Tsvg > a.svg\n  \
    caulk dump --stage ast -p build src/a.c           the typed tree, with flags of the database\n  \
    caulk dump --stage points-to -p build --function main\n  \
    caulk dump --stage slice --format dot a.c | dot -Tsvg > a.svg\n  \
    caulk dump --stage summary --format svg --function push list.c > push.svg\n  \
    caulk dump --stage conditions --function main a.c  why the engine smoke says what it says\n\n\
    The stages from callgraph on link all units into one program; without files they take the \
    whole compile database.";

const STATS: &str = "Count what is in a program, and what its analysis costs: functions, \
    pointers, loads and stores, allocation and release sites, wrappers, points-to sets, regions, \
    and the time and memory of each stage. All units are linked into one program.\n\n\
    Examples:\n  \
    caulk stats                               the project in this folder\n  \
    caulk stats -p build --wrappers           who allocates and releases for others\n  \
    caulk stats --engine smoke                also what an engine did, as its paper counts\n  \
    caulk stats --format json -o stats.json   the same numbers for programs";

const RUN: &str = "Run a program in caulk's interpreter, which checks every access to memory and \
    knows what leaked. This is a development tool: it proves that caulk understands C as the \
    compiler does. The program sees no real file, clock, network or process.\n\n\
    Examples:\n  \
    caulk run a.c b.c -- first second         the program's arguments after `--`\n  \
    caulk run a.c --cflag=-Iinclude --stdin input.txt\n  \
    caulk run -p build --leaks                a program of a compile database\n  \
    caulk run a.c --fail-alloc 3              the third allocation fails\n  \
    caulk run a.c --trace 2> facts.jsonl      loads, stores, calls and frees as JSON lines\n\n\
    The exit code is the program's; 125 if the run ended otherwise: a fault (with its position \
    and call stack), an unknown function, a budget.";

const EXIT_CODES: &str = "Exit codes:\n  \
    0    nothing found\n  \
    1    findings\n  \
    2    usage or configuration: nothing was analysed, or the report could not be written\n  \
    3    some input could not be analysed; findings in the rest are still reported\n  \
    130  interrupted (Ctrl-C, or told to terminate); what was known by then is reported";

#[derive(Args, Clone, Debug)]
pub struct InputArgs {
    /// C source files; with a compile database, only these of it
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A compile database, or the folder that holds compile_commands.json
    #[arg(short = 'p', long = "project", value_name = "PATH")]
    #[arg(long_help = "A compile database, or the folder that holds compile_commands.json. \
        Without it and without files, caulk looks in this folder, in build and in out.")]
    pub database: Option<PathBuf>,

    /// How many threads work at once [default: all processors]
    #[arg(short = 'j', long = "jobs", value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Memory that caulk may take, in MiB [default: while units are read, 4096 or half of the machine's]
    #[arg(long = "memory-limit", value_name = "MIB", alias = "memory")]
    pub memory: Option<u64>,

    /// Stop after so many seconds, and report what is known by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,

    /// Read every unit anew, and keep nothing for the next run
    #[arg(long)]
    pub no_cache: bool,

    /// For developers: the stack that each thread really has, in MiB. The limits that keep units
    /// from overflowing it stay as they are, so a crash can be tried out
    #[arg(long, hide = true, value_name = "MIB")]
    pub stack: Option<usize>,

    /// Given by the process that watches over this one; see `supervise`
    #[arg(long, hide = true, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Compiler flags for the files, after `--`; the first may be the compiler
    #[arg(last = true, value_name = "FLAG")]
    pub flags: Vec<String>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

#[derive(Args, Debug)]
pub struct CacheArgs {
    #[command(subcommand)]
    pub action: CacheAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum CacheAction {
    /// Tell where it is and how much is in it
    Stats,
    /// Take everything away; the next run reads all units again
    Clear,
}

#[derive(Args, Debug)]
pub struct InitArgs {
    /// Replace a caulk.toml that is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Run this build command first, and check what it compiles
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["files", "flags"])]
    #[arg(long_help = "Run this build command first, and check what it compiles. The compile \
        database is kept as compile_commands.json here (or where -p says), so that the next \
        `caulk check` needs no build; files that a later build does not compile again stay in it.")]
    pub build: Option<OsString>,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub choices: ChoiceArgs,

    /// Show which functions were lowered, which were refused, and why
    #[arg(long)]
    pub coverage: bool,

    #[command(flatten)]
    pub reports: Reports,

    /// Run each finding that is shown, and mark those that a run confirms
    #[arg(long)]
    #[arg(
        long_help = "Run the function of each finding that is shown in caulk's interpreter, with \
        inputs that lead to the loss and external functions that follow their models. Findings that \
        a run confirms are marked, with the inputs; those that no run can show are of low \
        confidence from then on. At most about a second for each finding."
    )]
    pub confirm: bool,

    /// A file of known findings, as `caulk baseline` writes it
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Show only findings that are not in the baseline
    #[arg(long, requires = "baseline")]
    pub new_only: bool,

    /// Say nothing but findings and, in one line, what could not be analysed
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// List everything, notes and the time of each stage included
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Args, Debug)]
pub struct DumpArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// What to show
    #[arg(long, value_enum)]
    pub stage: Stage,

    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub knowledge: KnowledgeArgs,

    /// How it is shown; ast and ir are text, cfg is text or dot
    #[arg(long, value_enum, default_value_t = DumpFormat::Text)]
    pub format: DumpFormat,
}

/// What engines know besides the program.
#[derive(Args, Clone, Debug)]
pub struct KnowledgeArgs {
    /// A file of models of external functions, over the bundled ones; may be given many times
    #[arg(long = "models", value_name = "FILE")]
    pub models: Vec<PathBuf>,

    /// A file of machines: what may be done with a resource, in which order; may be given many times
    #[arg(long = "machines", value_name = "FILE")]
    pub machines: Vec<PathBuf>,

    /// How to decide where C leaves a choice, as NAME=VALUE; may be given many times
    #[arg(long = "policy", value_name = "NAME=VALUE", value_parser = choices::policy)]
    #[arg(
        long_help = "How to decide where C leaves a choice: unknown-call=escape|stop|ignore (what \
        an unknown function does with an object), global=track|safe (what becomes of an object in a \
        static variable), may-free=frees|keeps (a callee that releases an object on some of its \
        paths). The first value is the default; docs/configuration.md tells more."
    )]
    pub policies: Vec<(String, String)>,

    /// A switch of the engines fastcheck and saber, as NAME or NAME=VALUE; may be given many times
    #[arg(long = "switch", value_name = "NAME[=VALUE]", value_parser = choices::switch)]
    #[arg(
        long_help = "A switch of the engines fastcheck and saber. `improved` turns on all that take         wrong reports away: holders, owners (saber), correlated, statuses, endless, may-free, turns, walks (saber). Others:         loops=N (how often a path goes round a loop or a recursion, 1), slice=N|off (nodes of a \
        slice past which a site is given up), height=N (of formulas), solver=sat|bdd, double-frees, \
        double-frees-in-loops, loaded-tests, joined-tests, resources (not only memory). Each takes \
        =on and =off; docs/engines/guarded-flow.md tells more."
    )]
    pub switches: Vec<String>,
}

#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub knowledge: KnowledgeArgs,

    /// Run this engine too, and count what it did
    #[arg(long, value_name = "NAME", value_parser = choices::engine)]
    pub engine: Option<Engine>,

    /// List the functions that allocate, reallocate or release for their callers
    #[arg(long)]
    pub wrappers: bool,

    /// How the numbers are written
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub format: StatsFormat,

    /// Write the numbers to a file
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show no progress, and do not tell what could not be analysed
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsFormat {
    /// For people
    Text,
    Json,
}

#[derive(Args, Debug)]
pub struct RunArgs {
    /// C source files of one program
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A compile database, or the folder that holds compile_commands.json
    #[arg(short = 'p', long = "project", value_name = "PATH")]
    pub database: Option<PathBuf>,

    /// A compiler flag for the files; may be given many times
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,

    /// What the program reads from its standard input; `-` is caulk's own
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// A file that the program finds, under the name it is given here
    #[arg(long = "file", value_name = "FILE")]
    pub program_files: Vec<PathBuf>,

    /// A variable of the program's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,

    /// The allocation that fails, counted from 1
    #[arg(long, value_name = "N")]
    pub fail_alloc: Option<u64>,

    /// Tell on standard error which memory leaked, and where its last reference died
    #[arg(long)]
    pub leaks: bool,

    /// Write every load, store, call, allocation and free to standard error as a JSON line
    #[arg(long)]
    pub trace: bool,

    /// Let unknown functions do nothing and return 0, instead of ending the run
    #[arg(long)]
    pub havoc: bool,

    /// What to do when memory that was never set decides a branch
    #[arg(long, value_enum, value_name = "ACTION", default_value = "stop")]
    pub uninitialised: Unset,

    /// The most instructions to run
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,

    /// Tell on standard error how much was run
    #[arg(short, long)]
    pub verbose: bool,

    /// The program's arguments, after `--`
    #[arg(last = true, value_name = "ARG")]
    pub args: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Unset {
    /// End the run
    Stop,
    /// Tell each place once, and go on
    Report,
    /// Read zeros, and say nothing
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The typed tree
    Ast,
    /// The representation that is analysed, as text that reads back
    Ir,
    /// Blocks, edges, dominators and loops
    Cfg,
    /// Who may be called by whom, pointers and callbacks included, and where control comes in
    Callgraph,
    /// What each pointer may point to
    PointsTo,
    /// Effects of functions, and memory SSA: which write a read may see
    Memory,
    /// The value-flow graph from the allocation sites
    Flow,
    /// The use-flow graph of each allocated object
    Uses,
    /// The forward slice of each allocation site
    Slice,
    /// Who holds each allocated object where, and where its last reference may die
    Holders,
    /// What the engine smoke found of each object, before it looks at single paths
    Candidates,
    /// The paths that it then tried, with their conditions and what the solver says of them
    Conditions,
    /// What the summary engine says of each function: eight categories of effects on memory
    Summary,
    /// Contexts, heaps and leaks of the symbolic engine
    Symbolic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DumpFormat {
    Text,
    /// For Graphviz
    Dot,
    Json,
    /// A picture; of the stage summary
    Svg,
}
