//! `caulk check`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caulk_driver::{CountOnly, summarise};
use caulk_finding::Results;
use caulk_finding::baseline::Baseline;
use caulk_project::{SourceFiles, current_dir, repository};
use caulk_report::{
    Sites, Style, Texts, Tool, View, coverage, gcc, html, json, one_line, sarif, stages,
};

use crate::args::{CheckArgs, InputArgs};
use crate::choices::{Basis, Choices};
use crate::exit::{Exit, Failure};
use crate::judging::{self, Judgement};
use crate::reports::{Report, ReportFormat};
use crate::session::{self, Wishes};
use crate::terminal::{complain, stdout_colours, stdout_links};
use crate::{baseline, output, record};

pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let basis = Basis::of(&args.engine)?.showing(&args.choices.show);
    let choices = Choices::of(&args.choices, &basis)?;
    let baseline = args.baseline.as_deref().map(baseline::load).transpose()?;
    let known = baseline.as_ref().filter(|_| args.new_only);
    let (results, files) = match wants_findings(args) {
        true => judged(args, &basis, &choices, known)?,
        false => counted(args)?,
    };
    let exit = Exit::of(&results, choices.fail_on);
    write(args, &results, exit, &files)?;
    tell(args, &results);
    if args.input.files.is_empty() {
        tell_unread(&choices.unread(&results, &basis, &files));
    }
    Ok(exit)
}

/// The table of what was lowered needs no engine.
fn wants_findings(args: &CheckArgs) -> bool {
    let is_table = |report: &Report| args.coverage && report.format == ReportFormat::Text;
    !args.reports.0.iter().all(is_table)
}

/// Every unit for itself.
fn counted(args: &CheckArgs) -> Result<(Results, Arc<SourceFiles>), Failure> {
    let wishes = Wishes { quiet: args.quiet, keep_broken: false, cache: true };
    let read = session::run(&input(args), CountOnly, &wishes)?;
    Ok((summarise(&read.inputs.project, &read.run), read.inputs.files))
}

/// All units as one program.
fn judged(
    args: &CheckArgs,
    basis: &Basis,
    choices: &Choices,
    known: Option<&Baseline>,
) -> Result<(Results, Arc<SourceFiles>), Failure> {
    let Judgement { mut results, verdicts, is_partial, files, judged } =
        judging::judge(&input(args), basis, args.quiet)?;
    // Without verdicts, no suppression can be told to be of no use.
    if let Some(verdicts) = verdicts {
        choices.add(&mut results, verdicts, basis, known, &files);
        if is_partial {
            // Nor without all of them.
            results.remarks.clear();
            results.hidden.stale = 0;
        }
        if args.confirm {
            let (findings, missing) = (&mut results.findings, &mut results.incomplete);
            judged.replay(findings, missing);
            choices.hide_refuted(&mut results);
        }
    }
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

/// Every report that can be written is, even if one cannot.
fn write(
    args: &CheckArgs,
    results: &Results,
    exit: Exit,
    files: &SourceFiles,
) -> Result<(), Failure> {
    let source = |path: &Path| files.read_shown(path);
    let texts = Texts::new(&source);
    let folder = current_dir().ok();
    let version = env!("CARGO_PKG_VERSION");
    let root = folder.as_deref().map(repository);
    let exit_code = exit.code();
    let tool = Tool { name: "caulk", version, exit_code, folder: folder.as_deref(), root };
    let written = args.reports.0.iter().map(|report| {
        let text = match report.format {
            ReportFormat::Text => for_people(args, report, results, &texts, folder.as_ref()),
            ReportFormat::Gcc => gcc(results),
            ReportFormat::Json => json(results, &tool, sites(args)),
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

fn sites(args: &CheckArgs) -> Sites {
    if args.verbose { Sites::Stories } else { Sites::Classes }
}

/// Silence about a changed file must not look like an answer.
fn tell_unread(files: &[&Path]) {
    const NAMED: usize = 5;
    let Some(number) = files.len().checked_sub(1) else { return };
    let names: Vec<String> = files.iter().take(NAMED).map(|it| it.display().to_string()).collect();
    let more = if number < NAMED { "" } else { ", …" };
    let what = if number == 0 { "a changed file is" } else { "changed files are" };
    complain(&format!(
        "caulk: {what} not in the compile database, so not checked: {}{more}; record the build \
         again to add what it compiles",
        names.join(", ")
    ));
}

/// What goes to standard error beside the report.
fn tell(args: &CheckArgs, results: &Results) {
    if args.verbose {
        complain(stages(&results.stages, results.wall).trim_end());
    }
    let elsewhere = !args.reports.shows_text();
    let missing = results.incomplete.iter().any(|row| row.what.is_input());
    if (elsewhere && !args.quiet) || (args.quiet && missing) {
        complain(&format!("caulk: {}", one_line(results)));
    }
}
