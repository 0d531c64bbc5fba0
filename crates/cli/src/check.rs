//! `caulk check`.

use caulk_driver::{Engine, KeepModules, judge, summarise};
use caulk_finding::Results;
use caulk_models::Models;
use caulk_program::LinkUnit;
use caulk_project::SourceFiles;
use caulk_report::{Style, Tool, coverage, in_characters, one_line, sarif, stages};

use crate::args::{CheckArgs, ReportFormat};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::program::METER;
use crate::session::{self, Wishes};
use crate::terminal::{complain, stdout_colours};

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let wishes = Wishes { quiet: args.quiet, keep_broken: false };
    let (inputs, run) = session::run(&args.input, KeepModules, &wishes)?;
    let mut results = summarise(&inputs.project, &run);
    let modules = run.outcomes.into_iter().filter_map(|outcome| outcome.output);
    let units = modules.map(|module| LinkUnit { module, target: None }).collect();
    let judged = judge(units, &Models::bundled(), Engine::Smoke, METER);
    if std::env::var("CAULK_STATS").is_ok() {
        for row in &judged.verdicts.statistics { eprintln!("{row:#?}"); }
        for row in &judged.stages { eprintln!("{row:?}"); }
    }
    results.findings = judged.verdicts.findings;
    caulk_finding::fingerprint::assign(&mut results.findings);
    let exit = Exit::of(&results);
    output::write(args.output.as_deref(), &report(args, &results, exit, &inputs.files))?;
    tell(args, &results);
    Ok(exit)
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
