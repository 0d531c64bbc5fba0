//! `caulk check`.

use std::path::{Path, PathBuf};

use caulk_driver::{Engine, KeepModules, judge, summarise};
use caulk_finding::{Results, Stage};
use caulk_finding::triage::{self, Wishes as Shown};
use caulk_models::Models;
use caulk_program::LinkUnit;
use caulk_project::{SourceFiles, current_dir};
use caulk_report::{Style, Texts, Tool, View, coverage, gcc, html, json, one_line, sarif, stages};

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::program::METER;
use crate::reports::{Report, ReportFormat};
use crate::session::{self, Wishes};
use crate::terminal::{complain, stdout_colours, stdout_links};
use crate::{baseline, output};

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let baseline = args.baseline.as_deref().map(baseline::load).transpose()?;
    let wishes = Wishes { quiet: args.quiet, keep_broken: false };
    let (inputs, run) = session::run(&args.input, KeepModules, &wishes)?;
    let mut results = summarise(&inputs.project, &run);
    let modules = run.outcomes.into_iter().filter_map(|outcome| outcome.output);
    let units = modules.map(|module| LinkUnit { module, target: None }).collect();
    let judged = judge(units, &Models::bundled(), Engine::Smoke, METER);
    let shown = Shown { baseline: baseline.as_ref().filter(|_| args.new_only), ..Shown::default() };
    let source = |path: &Path| inputs.files.read(path).ok();
    triage::add(&mut results, judged.verdicts, &shown, &source);
    let measured = judged.stages.iter();
    results.stages.extend(measured.map(|row| Stage { name: row.name, time: row.processor }));
    let exit = Exit::of(&results);
    write(args, &results, exit, &inputs.files)?;
    tell(args, &results);
    Ok(exit)
}

/// Every report that can be written is, even if one cannot.
fn write(
    args: &CheckArgs,
    results: &Results,
    exit: Exit,
    files: &SourceFiles,
) -> Result<(), Failure> {
    let source = |path: &Path| files.read(path).ok();
    let texts = Texts::new(&source);
    let folder = current_dir().ok();
    let version = env!("CARGO_PKG_VERSION");
    let tool = Tool { name: "caulk", version, exit_code: exit.code(), folder: folder.as_deref() };
    let written = args.reports.0.iter().map(|report| {
        let text = match report.format {
            ReportFormat::Text => for_people(args, report, results, &texts, folder.as_ref()),
            ReportFormat::Gcc => gcc(results),
            ReportFormat::Json => json(results, &tool),
            ReportFormat::Sarif => sarif(results, &tool, &texts),
            ReportFormat::Html => html(results, &tool, &texts),
        };
        output::write(report.output.as_deref(), &text)
    });
    let written: Vec<Result<(), Failure>> = written.collect();
    written.into_iter().collect()
}

fn for_people(
    args: &CheckArgs,
    report: &Report,
    results: &Results,
    texts: &Texts<'_>,
    folder: Option<&PathBuf>,
) -> String {
    let is_screen = report.output.is_none();
    let style = Style { colour: is_screen && stdout_colours(), all: args.verbose };
    let links = folder.filter(|_| is_screen && stdout_links()).map(PathBuf::as_path);
    let view = View { style, texts, links };
    match (args.coverage, args.quiet) {
        (true, _) => coverage(results, &style),
        (false, true) => caulk_report::findings(results, &view),
        (false, false) => caulk_report::check(results, &view),
    }
}

/// What goes to standard error beside the report.
fn tell(args: &CheckArgs, results: &Results) {
    if args.verbose {
        complain(stages(&results.stages, results.wall).trim_end());
    }
    let elsewhere = !args.reports.shows_text();
    let missing = !results.incomplete.is_empty();
    if (elsewhere && !args.quiet) || (args.quiet && missing) {
        complain(&format!("caulk: {}", one_line(results)));
    }
}
