//! Where the report goes.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write, stdout};
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

/// To standard output while it is made, for what may be larger than memory.
pub fn stream(print: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> Result<(), Failure> {
    let mut out = Stream { out: BufWriter::new(stdout().lock()), error: None };
    let printed = print(&mut out);
    let Stream { mut out, error } = out;
    match error.map_or_else(|| out.flush(), Err) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::usage(format!("cannot write to standard output: {error}"))),
        Ok(()) => printed.map_err(|_| Failure::usage("the output could not be made")),
    }
}

/// A printer knows no errors of files: the first one ends it and is told here.
struct Stream {
    out: BufWriter<StdoutLock<'static>>,
    error: Option<io::Error>,
}

impl fmt::Write for Stream {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
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
