//! `caulk record`, and the build of `caulk check --build`.

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use caulk_project::{
    Ended, Mechanism, RecordOptions, Recording, SourceFiles, current_dir, describe,
    hold_and_become, run_again, write_database,
};

use crate::args::{HOLD, HeldArgs, RecordArgs, Watcher};
use crate::exit::{Exit, Failure};
use crate::terminal::complain;

pub fn record(args: &RecordArgs) -> Result<Exit, Failure> {
    let program = env::current_exe().map_err(|error| failed("finding caulk", &error))?;
    // Where the build leaves it is not where it was asked for.
    let here = current_dir().map_err(|error| failed("finding the current folder", &error))?;
    let output = here.join(&args.output);
    let older = if args.append { older(&output)? } else { None };
    let options = RecordOptions {
        command: args.command.clone(),
        holder: vec![program.into(), HOLD.into()],
        mechanism: args.with.map(|with| match with {
            Watcher::Trace => Mechanism::Trace,
            Watcher::Shims => Mechanism::Shims,
        }),
    };
    let recording = caulk_project::record(&options)
        .map_err(|error| failed(&format!("running {}", args.command[0].display()), &error))?;
    let exit = exit_of(recording.ended);
    match write_database(&output, &recording.compilations, older.as_deref()) {
        Ok(kept) => tell(args, &recording, kept),
        Err(error) => {
            let message = format!("cannot write {}", describe(&args.output, &error));
            return Err(Failure {
                message,
                exit: if exit.code() == 0 { Exit::Usage } else { exit },
            });
        }
    }
    Ok(exit)
}

fn failed(what: &str, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{what} failed: {error}"))
}

/// The build's exit code, as shells tell it.
fn exit_of(ended: Ended) -> Exit {
    match ended {
        Ended::Exit(code) => Exit::Program(code),
        Ended::Signal(signal) => Exit::Signal(signal),
    }
}

/// The database that is there already.
fn older(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match SourceFiles::new().read(path) {
        Ok(bytes) => Ok(Some(bytes.to_vec())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::usage(format!("--append: {}", describe(path, &error)))),
    }
}

fn tell(args: &RecordArgs, recording: &Recording, kept: usize) {
    let found = recording.compilations.len();
    if let Some(why) = &recording.refused {
        complain(&format!(
            "caulk: {why}, so compilers on PATH were watched instead; those that the build calls \
             by an absolute path were not seen"
        ));
    }
    if recording.lost_signals > 0 {
        let lost = recording.lost_signals;
        complain(&format!(
            "caulk: {lost} real-time signals could not be passed on while tracing; if the build \
             misbehaved, try --with shims"
        ));
    }
    if found == 0 {
        complain(
            "caulk: the build compiled no C; what is up to date is not compiled again, so clean \
             first (`make clean`)",
        );
    }
    if !args.quiet {
        let kept = if kept > 0 { format!(", {kept} kept from before") } else { String::new() };
        let gone = match recording.compilations.gone {
            0 => String::new(),
            gone => format!(", {gone} left out because their source is gone"),
        };
        let output = args.output.display();
        let found =
            if found == 1 { "1 compilation".into() } else { format!("{found} compilations") };
        complain(&format!("caulk: {output}: {found} of C recorded{kept}{gone}"));
    }
}

/// The process that a tracer watches.
pub fn held(args: &HeldArgs) -> Result<Exit, Failure> {
    let error = hold_and_become(&args.command);
    let name = args.command.first().cloned().unwrap_or_default();
    // As shells do it.
    let code = if error.kind() == ErrorKind::NotFound { 127 } else { 126 };
    let message = format!("cannot run {}", describe(Path::new(&name), &error));
    Err(Failure { message, exit: Exit::Program(code) })
}

/// How the build of `check --build` ended.
pub enum Built {
    Fine,
    /// What it compiled before can still be checked.
    Failed(u8),
    Interrupted,
}

/// The database that `check --build` writes and reads.
pub fn database_of(project: Option<&Path>) -> PathBuf {
    const NAME: &str = "compile_commands.json";
    match project {
        None => PathBuf::from(NAME),
        Some(path) if path.extension().is_some_and(|extension| extension == "json") => path.into(),
        Some(folder) => folder.join(NAME),
    }
}

/// Builds in a process of its own: what the build leaves running is let go when that one ends.
pub fn build(command: &OsString, database: &Path, quiet: bool) -> Result<Built, Failure> {
    let mut words: Vec<OsString> = ["record", "--append", "-o"].map(OsString::from).to_vec();
    words.push(database.into());
    if quiet {
        words.push("--quiet".into());
    }
    words.extend(["--", "/bin/sh", "-c"].map(OsString::from));
    words.push(command.clone());
    let (ended, interrupted) =
        run_again(&words).map_err(|error| failed("starting the build", &error))?;
    Ok(match exit_of(ended).code() {
        _ if interrupted => Built::Interrupted,
        0 => Built::Fine,
        code => Built::Failed(code),
    })
}
