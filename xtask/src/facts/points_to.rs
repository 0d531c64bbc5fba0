//! `cargo xtask facts points-to`: on real programs the fast solver says what the naive one says, and
//! unification contains both.
//!
//! Each value is compared by the objects that it may point to. Where objects collapse, the places
//! that were copied before stay, and the solvers come to them in another order: then what came
//! from outside through such a place has another name, and counts as one object. In a program
//! without such objects the places are compared, too.

use crate::corpus::{self, Ready};
use crate::show;
use caulk_driver::{CancelFlag, Inputs, KeepModules, Options as RunOptions, Silent, WholeProgram};
use caulk_ir::{Module, ValueId};
use caulk_pointer::{Input, LocId, Names, Options, PointsTo, naive, print, printed, unification};
use caulk_program::InstanceId;
use caulk_project::{LoadOptions, from_database};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The programs that are compared when none is named: the naive solver takes up to 20 s for each.
const PROGRAMS: [&str; 8] =
    ["bzip2", "cjson", "gzip", "hiredis", "jq", "lua5.4", "tinyproxy", "zlib"];

pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let names: Vec<String> = match arguments {
        [] => PROGRAMS.map(String::from).to_vec(),
        named => named.to_vec(),
    };
    let mut agree = true;
    for program in corpus::choose(checkout, &names)?.programs {
        let start = Instant::now();
        let verdict = compare(&WholeProgram::of(modules(&program)?));
        agree &= verdict.is_ok();
        let text = verdict.unwrap_or_else(|difference| format!("DIFFER: {difference}"));
        show(&format!("{}: {text}, {:.0} s\n", program.name, start.elapsed().as_secs_f64()));
    }
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn modules(program: &Ready) -> Result<Vec<Module>, String> {
    let database = program.folder.join("compile_commands.json");
    let project =
        from_database(&database, &LoadOptions::new(&program.folder)).map_err(|e| e.to_string())?;
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let (inputs, options) = (Inputs::new(project), RunOptions::new(threads));
    let run = caulk_driver::run(&inputs, &options, KeepModules, &CancelFlag::new(), &Silent);
    Ok(run.outcomes.into_iter().filter_map(|it| it.output).collect())
}

fn compare(whole: &WholeProgram) -> Result<String, String> {
    let (input, fast) = (whole.pointer_input(), &whole.points_to);
    if let Some(missing) = unification(input).missing(fast) {
        return Err(format!("unification lacks {missing}"));
    }
    let slow = naive(input, &Options::default());
    let collapsed = fast.statistics().objects_collapsed;
    let told = |points_to| objects(input, points_to, collapsed == 0);
    let (mine, oracle) = (told(fast), told(&slow));
    if let Some((a, b)) = mine.iter().zip(&oracle).find(|(a, b)| a != b) {
        return Err(format!("{}: {:?} and {:?}", a.0, more(&a.1, &b.1), more(&b.1, &a.1)));
    }
    let text = |points_to: &PointsTo| printed(|out| print(Names { input, points_to }, None, out));
    if collapsed == 0 && text(fast) != text(&slow) {
        return Err("the same objects at other places".to_string());
    }
    Ok(format!("{} values agree, {collapsed} objects collapsed", mine.len()))
}

/// What one has and the other does not.
fn more<'a>(of: &'a BTreeSet<String>, than: &'a BTreeSet<String>) -> Vec<&'a String> {
    of.difference(than).collect()
}

/// The names of the objects that each value may point to.
fn objects(
    input: Input,
    points_to: &PointsTo,
    outside_too: bool,
) -> Vec<(String, BTreeSet<String>)> {
    let names = Names { input, points_to };
    let name = |&loc: &LocId| {
        let object = points_to.locations.object(loc);
        let is_named = outside_too || !points_to.objects[object].outside;
        if is_named { names.object(object) } else { "memory from outside".to_string() }
    };
    let row = |(instance, value): (InstanceId, ValueId)| {
        let set = points_to.set(points_to.value(instance, value)).iter();
        (format!("{}.{value}", names.instance(instance)), set.map(name).collect())
    };
    points_to.each_value().map(row).collect()
}
