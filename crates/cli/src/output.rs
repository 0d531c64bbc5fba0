//! Where the report goes.

use std::io::{self, ErrorKind, Write, stdout};
use std::path::Path;

use caulk_project::{describe, write_file};

use crate::exit::Failure;

/// To the file, or to standard output.
pub fn write(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    match file {
        Some(path) => write_file(path, text.as_bytes()).map_err(|error| {
            let what = describe(path, &error);
            Failure::usage(format!("cannot write the report to {what}; choose another --output"))
        }),
        None => print(text.as_bytes())
            .map_err(|error| Failure::usage(format!("cannot write to standard output: {error}"))),
    }
}

/// Whoever closed the pipe (`caulk … | head`) has seen enough.
pub fn print(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
