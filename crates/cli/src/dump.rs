//! `caulk dump`.

use std::path::{Path, PathBuf};

use caulk_driver::{
    Dump, DumpFormat as Format, DumpStage, Dumped, EngineStage, Knowledge, ProgramStage,
    SearchStage, Shown, dump_engine, dump_program, dump_search, read_ir, summarise,
};
use caulk_finding::{Incomplete, Results};
use caulk_ir::{FunctionBody, Module};
use caulk_program::LinkUnit;
use caulk_project::SourceFiles;
use caulk_report::printable;

use crate::args::{DumpArgs, DumpFormat, FailOn, InputArgs, Stage};
use crate::config::Config;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::program;
use crate::session::{self, Session, Wishes};
use crate::terminal::complain;

pub fn dump(args: &DumpArgs) -> Result<Exit, Failure> {
    let stage = match wanted(args)? {
        Wanted::Program(stage) => return dump_whole(args, stage),
        Wanted::Search(stage) => {
            let (name, format) = (args.function.as_deref(), format(args));
            return dump_judged(args, |units, known| {
                dump_search(units, known, stage, name, format)
            });
        }
        Wanted::Engine(stage) => {
            let (name, format) = (args.function.as_deref(), format(args));
            return dump_judged(args, |units, known| {
                dump_engine(units, known, stage, name, format)
            });
        }
        Wanted::Unit(stage) => stage,
    };
    let dump = Dump { stage, function: args.function.clone() };
    let (ir_files, files): (Vec<PathBuf>, Vec<PathBuf>) =
        args.input.files.iter().cloned().partition(|path| is_text_ir(path));
    require_files(args, &ir_files)?;
    let mut shown = Units::default();
    if !files.is_empty() {
        let input = InputArgs { files, ..args.input.clone() };
        shown.units(&input, &dump)?;
    }
    ir_files.iter().for_each(|path| shown.text_ir(path, &dump));
    shown
        .incomplete
        .iter()
        .for_each(|row| complain(&format!("caulk: {}", printable(&row.to_string()))));
    output::write(None, &shown.text)?;
    shown.exit(&dump)
}

/// What the command line asks for.
enum Wanted {
    Unit(DumpStage),
    Program(ProgramStage),
    Search(SearchStage),
    Engine(EngineStage),
}

fn wanted(args: &DumpArgs) -> Result<Wanted, Failure> {
    let unit = match (args.stage, args.format) {
        (Stage::Summary, DumpFormat::Svg) => {
            return Ok(Wanted::Engine(EngineStage::SummaryPicture));
        }
        (_, DumpFormat::Svg) => {
            return Err(Failure::usage(
                "this stage has no SVG form: use --format dot and Graphviz",
            ));
        }
        (Stage::Callgraph, _) => return Ok(Wanted::Program(ProgramStage::CallGraph)),
        (Stage::PointsTo, _) => return Ok(Wanted::Program(ProgramStage::PointsTo)),
        (Stage::Memory, _) => return Ok(Wanted::Program(ProgramStage::Memory)),
        (Stage::Flow, _) => return Ok(Wanted::Program(ProgramStage::Flow)),
        (Stage::Uses, _) => return Ok(Wanted::Program(ProgramStage::Uses)),
        (Stage::Slice, _) => return Ok(Wanted::Program(ProgramStage::Slice)),
        (Stage::Holders, _) => return Ok(Wanted::Program(ProgramStage::Holders)),
        (Stage::Candidates | Stage::Conditions, DumpFormat::Dot) => {
            return Err(Failure::usage("this stage has no dot form"));
        }
        (Stage::Candidates, _) => return Ok(Wanted::Search(SearchStage::Candidates)),
        (Stage::Conditions, _) => return Ok(Wanted::Search(SearchStage::Conditions)),
        (Stage::Summary, _) => return Ok(Wanted::Engine(EngineStage::Summary)),
        (Stage::Symbolic, DumpFormat::Text) => {
            return Ok(Wanted::Engine(EngineStage::Symbolic));
        }
        (Stage::Ast, DumpFormat::Text) => DumpStage::Ast,
        (Stage::Ir, DumpFormat::Text) => DumpStage::Ir,
        (Stage::Cfg, DumpFormat::Text) => DumpStage::Cfg,
        (Stage::Cfg, DumpFormat::Dot) => DumpStage::CfgDot,
        (_, DumpFormat::Dot) => return Err(Failure::usage("this stage has no dot form")),
        (_, DumpFormat::Json) => return Err(Failure::usage("this stage has no JSON form")),
    };
    Ok(Wanted::Unit(unit))
}

/// The units of the command line, and text files that could not be read.
fn read_units(args: &DumpArgs) -> Result<(program::Units, Vec<Incomplete>), Failure> {
    let (ir_files, files): (Vec<PathBuf>, Vec<PathBuf>) =
        args.input.files.iter().cloned().partition(|path| is_text_ir(path));
    let (modules, broken) = read_modules(&ir_files);
    let input = InputArgs { files, ..args.input.clone() };
    let modules = (!ir_files.is_empty()).then_some(modules);
    Ok((program::read(&input, false, modules)?, broken))
}

fn format(args: &DumpArgs) -> Format {
    match args.format {
        DumpFormat::Text | DumpFormat::Svg => Format::Text,
        DumpFormat::Dot => Format::Dot,
        DumpFormat::Json => Format::Json,
    }
}

fn write(text: &str, results: &Results, broken: &[Incomplete]) -> Result<Exit, Failure> {
    tell(results, broken);
    output::write(None, text)?;
    Ok(exit(results, broken))
}

fn tell(results: &Results, broken: &[Incomplete]) {
    for row in results.incomplete.iter().chain(broken) {
        complain(&format!("caulk: {}", printable(&row.to_string())));
    }
}

fn exit(results: &Results, broken: &[Incomplete]) -> Exit {
    if broken.is_empty() { Exit::of(results, FailOn::Low) } else { Exit::Incomplete }
}

fn dump_whole(args: &DumpArgs, stage: ProgramStage) -> Result<Exit, Failure> {
    let knowledge = Config::of(&args.config)?.knowledge(&args.knowledge)?;
    let (read, broken) = read_units(args)?;
    let whole = program::facts(read.units, &knowledge.models, read.front_end);
    let procs = whole.program.procs.rows();
    if let Some(name) = &args.function
        && !procs.iter().any(|proc| proc.name == *name)
    {
        let defined: Vec<String> = procs.iter().map(|proc| proc.name.clone()).collect();
        return Err(no_function(name, &defined));
    }
    program::tell_give_ups(&whole);
    let shown = Shown { function: args.function.as_deref(), format: format(args) };
    tell(&read.results, &broken);
    output::stream(|out| dump_program(&whole, stage, shown, out))?;
    Ok(exit(&read.results, &broken))
}

/// What `dump` makes of the units; none if no function has the name.
fn dump_judged(
    args: &DumpArgs,
    dump: impl FnOnce(Vec<LinkUnit>, &Knowledge) -> Option<String>,
) -> Result<Exit, Failure> {
    let knowledge = Config::of(&args.config)?.knowledge(&args.knowledge)?;
    let (read, broken) = read_units(args)?;
    let defined: Vec<String> =
        read.units.iter().flat_map(|unit| defined_in(&unit.module)).collect();
    let name = args.function.as_deref();
    match dump(read.units, &knowledge) {
        Some(text) => write(&text, &read.results, &broken),
        None => Err(no_function(name.unwrap_or_default(), &defined)),
    }
}

fn defined_in(module: &Module) -> Vec<String> {
    let functions = module.functions.rows().iter();
    let defined = functions.filter(|it| matches!(it.body, FunctionBody::Defined(_)));
    defined.map(|it| module.names.text(it.name).to_owned()).collect()
}

fn read_modules(files: &[PathBuf]) -> (Vec<Module>, Vec<Incomplete>) {
    let (mut modules, mut broken) = (Vec::new(), Vec::new());
    for path in files {
        match read_ir(path, &SourceFiles::new()) {
            Ok(module) => modules.push(module),
            Err(incomplete) => broken.push(*incomplete),
        }
    }
    (modules, broken)
}

fn is_text_ir(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ir")
}

fn require_files(args: &DumpArgs, ir_files: &[PathBuf]) -> Result<(), Failure> {
    if args.input.files.is_empty() {
        return Err(Failure::usage("dump needs files: `caulk dump --stage ir a.c -- -Iinclude`"));
    }
    match ir_files.first() {
        Some(path) if args.stage == Stage::Ast => Err(Failure::usage(format!(
            "{} is text ir, which has no tree; use --stage ir or --stage cfg",
            path.display()
        ))),
        _ => Ok(()),
    }
}

#[derive(Default)]
struct Units {
    text: String,
    incomplete: Vec<Incomplete>,
    /// For a message about a function that is nowhere.
    defined: Vec<String>,
    interrupted: bool,
}

impl Units {
    fn units(&mut self, args: &InputArgs, dump: &Dump) -> Result<(), Failure> {
        let wishes = Wishes { quiet: false, keep_broken: true, cache: false };
        let Session { inputs, run, .. } = session::run(args, dump.clone(), &wishes)?;
        let results = summarise(&inputs.project, &run);
        self.incomplete.extend(results.incomplete);
        self.interrupted = results.interrupted;
        run.outcomes.into_iter().filter_map(|outcome| outcome.output).for_each(|it| self.add(it));
        Ok(())
    }

    fn text_ir(&mut self, path: &Path, dump: &Dump) {
        match read_ir(path, &SourceFiles::new()) {
            Ok(module) => self.add(dump.print(&module)),
            Err(incomplete) => self.incomplete.push(*incomplete),
        }
    }

    fn add(&mut self, dumped: Dumped) {
        self.text += &dumped.text;
        self.defined.extend(dumped.defined);
    }

    fn exit(&self, dump: &Dump) -> Result<Exit, Failure> {
        match &dump.function {
            _ if self.interrupted => Ok(Exit::Interrupted),
            _ if !self.incomplete.is_empty() => Ok(Exit::Incomplete),
            Some(name) if self.text.is_empty() => Err(no_function(name, &self.defined)),
            _ => Ok(Exit::Clean),
        }
    }
}

/// Names in a message about what there is.
const SHOWN: usize = 20;

fn no_function(name: &str, defined: &[String]) -> Failure {
    let mut names = defined.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if defined.len() > SHOWN {
        names += &format!(" and {} more", defined.len() - SHOWN);
    }
    let there = if defined.is_empty() { "none".to_owned() } else { names };
    Failure::usage(format!("no function `{name}` is defined in these files; defined: {there}"))
}
