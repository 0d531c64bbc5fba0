//! From the command line to a project.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use caulk_project::{
    BuildSystem, LoadOptions, Project, SourceFiles, current_dir, default_cache_dir, find_database,
    from_database, from_files,
};

use crate::args::InputArgs;
use crate::exit::Failure;

/// The units that the command line asks for. Only a project that cannot be found at all is a
/// failure; what is wrong inside it is among its problems.
pub fn load(args: &InputArgs) -> Result<Project, Failure> {
    let options = load_options()?;
    let project = match (&args.database, args.files.is_empty()) {
        (Some(_), _) if !args.flags.is_empty() => Err(Failure::usage(
            "flags after `--` are for files named one by one; with -p, each unit has the flags \
             of its command: leave out one of the two",
        )),
        (Some(path), _) => narrowed(database(path, &options)?, &args.files, path, &options),
        (None, false) => Ok(from_files(&args.files, &args.flags, &options)),
        (None, true) => usual_database(args, &options),
    }?;
    if project.units.is_empty() && project.problems.is_empty() {
        return Err(nothing_to_do(&project));
    }
    Ok(project)
}

fn load_options() -> Result<LoadOptions, Failure> {
    let folder = current_dir().map_err(|error| {
        Failure::usage(format!(
            "the current folder is not there any more ({error}); change to another"
        ))
    })?;
    Ok(LoadOptions { cache_dir: default_cache_dir(), ..LoadOptions::new(&folder) })
}

/// A database that is there but cannot be understood is bad input like any other.
fn database(path: &Path, options: &LoadOptions) -> Result<Project, Failure> {
    match from_database(path, options) {
        Ok(project) => Ok(project),
        Err(problem) if problem.file.is_some() => {
            Ok(Project { problems: vec![problem], ..Project::default() })
        }
        Err(problem) => Err(Failure::usage(problem.to_string())),
    }
}

fn usual_database(args: &InputArgs, options: &LoadOptions) -> Result<Project, Failure> {
    if !args.flags.is_empty() {
        return Err(Failure::usage("flags after `--` need the files that they are for before it"));
    }
    match find_database(&options.current_dir) {
        Some(path) => database(&path, options),
        None => Err(Failure::usage(no_database(&options.current_dir))),
    }
}

fn no_database(folder: &Path) -> String {
    let missing = "nothing to analyse: there is no compile_commands.json in this folder, in build \
         or in out";
    let jobs = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
    match BuildSystem::of(folder) {
        Some(system) => {
            let (name, command) = (system.name(), system.command(jobs));
            format!("{missing}; this folder is built by {name}, so run: {command}")
        }
        None => format!(
            "{missing}; name one with -p, or name C files (`caulk check a.c -- -Iinclude`), or \
             let caulk watch the build: `caulk check --build 'make -j{jobs}'`"
        ),
    }
}

/// Only the units of `wanted`, if any are named.
fn narrowed(
    mut project: Project,
    wanted: &[PathBuf],
    database: &Path,
    options: &LoadOptions,
) -> Result<Project, Failure> {
    if wanted.is_empty() || project.units.is_empty() {
        return Ok(project);
    }
    let files = SourceFiles::new();
    let identity = |path: &Path| files.identity(&options.current_dir.join(path));
    for path in wanted {
        if !project.units.iter().any(|unit| files.identity(&unit.source) == identity(path)) {
            let (path, database) = (path.display(), database.display());
            return Err(Failure::usage(format!(
                "no command of {database} compiles {path}; check the name, or leave out -p and \
                 give the flags after `--`"
            )));
        }
    }
    let wanted: Vec<PathBuf> = wanted.iter().map(|path| identity(path)).collect();
    project.units.retain(|unit| wanted.contains(&files.identity(&unit.source)));
    project.problems.clear();
    project.skipped.clear();
    Ok(project)
}

fn nothing_to_do(project: &Project) -> Failure {
    let rows = project.skipped.iter().map(|row| format!("{} × {}", row.count, row.reason));
    let rows: Vec<String> = rows.collect();
    let skipped =
        if rows.is_empty() { String::new() } else { format!(" (skipped: {})", rows.join(", ")) };
    Failure::usage(format!(
        "nothing to analyse: no C file among the inputs{skipped}; if one is C in spite of its \
         name, name it and add `-- -x c`"
    ))
}
