//! The project's own tools, run as `cargo xtask COMMAND`.

mod corpus;
mod measure;
mod tidy;

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
        "corpus" => corpus::main(checkout, rest),
        "tidy" => tidy::main(checkout),
        "measure" => measure::main(rest),
        measure::CHILD => measure::child(rest),
        _ => Err(usage()),
    }
}

fn usage() -> String {
    format!("usage:\n{}\n{}\n{}", corpus::USAGE, tidy::USAGE, measure::USAGE)
}

/// Writes to standard output; whoever closed it does not want the rest.
fn show(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
