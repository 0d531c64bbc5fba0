//! `caulk check`.

use caulk_driver::{CountOnly, summarise};
use caulk_finding::Results;
use caulk_project::SourceFiles;
use caulk_report::{Style, Tool, coverage, in_characters, one_line, sarif, stages};

use crate::args::{CheckArgs, InputArgs, ReportFormat};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::record;
use crate::session::{self, Wishes};
use crate::terminal::{complain, stdout_colours};

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let wishes = Wishes { quiet: args.quiet, keep_broken: false };
    let (inputs, run) = session::run(&input(args), CountOnly, &wishes)?;
    let results = summarise(&inputs.project, &run);
    let exit = Exit::of(&results);
    output::write(args.output.as_deref(), &report(args, &results, exit, &inputs.files))?;
    tell(args, &results);
    Ok(exit)
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
