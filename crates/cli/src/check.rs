//! `caulk check`.

use std::sync::Arc;

use caulk_driver::engine::{self, Question};
use caulk_driver::{CountOnly, Engine, summarise};
use caulk_finding::Results;
use caulk_project::SourceFiles;
use caulk_report::{Style, Tool, coverage, in_characters, one_line, sarif, stages};

use crate::args::{CheckArgs, InputArgs, ReportFormat};
use crate::choices::Choices;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::program::{self, Loaded};
use crate::record;
use crate::session::{self, Wishes};
use crate::terminal::{complain, stdout_colours};

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let choices = Choices::of(args)?;
    let (results, files) = match choices.engine {
        Some(engine) => judged(args, &choices, engine)?,
        None => counted(args)?,
    };
    let exit = Exit::of(&results, choices.fail_on);
    output::write(args.output.as_deref(), &report(args, &results, exit, &files))?;
    tell(args, &results);
    Ok(exit)
}

/// Every unit for itself.
fn counted(args: &CheckArgs) -> Result<(Results, Arc<SourceFiles>), Failure> {
    let wishes = Wishes { quiet: args.quiet, keep_broken: false, cache: true };
    let read = session::run(&input(args), CountOnly, &wishes)?;
    Ok((summarise(&read.inputs.project, &read.run), read.inputs.files))
}

/// All units as one program, and what an engine says about it.
fn judged(
    args: &CheckArgs,
    choices: &Choices,
    engine: Engine,
) -> Result<(Results, Arc<SourceFiles>), Failure> {
    let loaded = program::load(&input(args), &choices.models, args.quiet, None)?;
    let Loaded { whole, mut results, files, cancel } = loaded;
    let policies = &choices.policies;
    let question = Question { engine, whole: &whole, policies, cancel: &cancel };
    let verdicts = engine::verdicts(&question).map_err(Failure::usage)?;
    choices.admit(&mut results, verdicts, &files);
    Ok((results, files))
}

/// After `--build`, the database that the build left.
fn input(args: &CheckArgs) -> InputArgs {
    let mut input = args.input.clone();
    if args.build.is_some() {
        input.database = Some(record::database_of(input.database.as_deref()));
    }
    input
}

fn report(args: &CheckArgs, results: &Results, exit: Exit, files: &SourceFiles) -> String {
    let colour = args.output.is_none() && stdout_colours();
    let style = Style { colour, all: args.verbose };
    match (args.format, args.coverage, args.quiet) {
        (ReportFormat::Sarif, _, _) => {
            let version = env!("CARGO_PKG_VERSION");
            let results = in_characters(results, &|path| files.read(path).ok());
            sarif(&results, &Tool { name: "caulk", version, exit_code: exit.code() })
        }
        (ReportFormat::Text, true, _) => coverage(results, &style),
        (ReportFormat::Text, false, true) => caulk_report::findings(results, &style),
        (ReportFormat::Text, false, false) => caulk_report::check(results, &style),
    }
}

/// What goes to standard error beside the report.
fn tell(args: &CheckArgs, results: &Results) {
    if args.verbose {
        complain(stages(&results.stages, results.wall).trim_end());
    }
    let elsewhere = args.output.is_some() || args.format == ReportFormat::Sarif;
    let missing = !results.incomplete.is_empty();
    if (elsewhere && !args.quiet) || (args.quiet && missing) {
        complain(&format!("caulk: {}", one_line(results)));
    }
}
