//! `caulk stats`.

use caulk_driver::{Slices, Stages, statistics};
use caulk_report::{printable, statistics_json, wrappers};

use crate::args::{FailOn, StatsArgs, StatsFormat};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::program::{self, Loaded};
use crate::terminal::complain;

pub fn stats(args: &StatsArgs) -> Result<Exit, Failure> {
    let Loaded { mut whole, results, .. } =
        program::load(&args.input, &args.models, args.quiet, None)?;
    let meter = program::METER;
    let rows = std::mem::take(&mut whole.stages);
    let mut stages = Stages { meter, rows };
    let memory = stages.run("memory", || whole.memory());
    let slices = stages.run("flow", || Slices::new(&memory));
    program::tell_give_ups(&whole);
    let numbers = statistics(&whole, &memory, &slices, &stages.rows);
    let text = match (args.format, args.wrappers) {
        (StatsFormat::Json, _) => statistics_json(&numbers),
        (StatsFormat::Text, true) => wrappers(&numbers.wrappers),
        (StatsFormat::Text, false) => caulk_report::statistics(&numbers),
    };
    output::write(args.output.as_deref(), &text)?;
    if !args.quiet {
        for row in &results.incomplete {
            complain(&format!("caulk: {}", printable(&row.to_string())));
        }
    }
    Ok(Exit::of(&results, FailOn::Low))
}
