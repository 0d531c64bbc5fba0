//! The project's own tools, run as `cargo xtask COMMAND`.

mod bench;
mod corpus;
mod coverage;
mod dist;
mod execution;
mod facts;
mod full;
mod lab;
mod layouts;
mod measure;
mod process_tree;
mod syntax_only;
mod table;
mod tidy;
mod tools;
mod workers;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(compiler) = corpus::shim::called_as() {
        return corpus::shim::run(compiler);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    dispatch(&arguments).unwrap_or_else(|message| {
        eprintln!("xtask: {message}");
        ExitCode::from(2)
    })
}

fn dispatch(arguments: &[String]) -> Result<ExitCode, String> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no checkout")?;
    let (command, rest) = arguments.split_first().ok_or_else(usage)?;
    match command.as_str() {
        "tidy" => tidy::main(checkout),
        "corpus" => corpus::main(checkout, rest),
        "coverage" => coverage::main(checkout, rest),
        "layouts" => layouts::main(checkout, rest),
        "bench" => bench::main(checkout, rest),
        "execution" => execution::main(checkout, rest),
        "facts" => facts::main(checkout, rest),
        "lab" => lab::main(checkout, rest),
        "dist" => dist::main(checkout, rest),
        "full" => full::main(checkout, rest),
        "measure" => measure::main(rest),
        measure::CHILD => measure::child(rest),
        _ => Err(usage()),
    }
}

fn usage() -> String {
    let usages = [
        tidy::USAGE,
        corpus::USAGE,
        coverage::USAGE,
        layouts::USAGE,
        bench::USAGE,
        execution::USAGE,
        facts::USAGE,
        lab::USAGE,
        dist::USAGE,
        full::USAGE,
        measure::USAGE,
    ];
    format!("usage:\n{}", usages.join("\n"))
}

/// Writes to standard output; whoever closed it does not want the rest.
fn show(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
