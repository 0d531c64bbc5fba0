//! The representation's text form as input.

use std::path::Path;

use caulk_finding::{Incomplete, Location, Subject};
use caulk_ir::{Module, parse, verify};
use caulk_project::{SourceFiles, describe};

/// Reads and verifies a `.ir` file.
pub fn read_ir(path: &Path, files: &SourceFiles) -> Result<Module, Box<Incomplete>> {
    let fail = |place, why| Box::new(Incomplete { what: Subject::Input, place, why });
    let whole = || Some(Location::file(path));
    let bytes = files.read(path).map_err(|error| {
        fail(None, format!("text ir {}; check the name", describe(path, &error)))
    })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        fail(whole(), format!("text ir must be UTF-8; byte {} is not", error.valid_up_to()))
    })?;
    let module = parse::module(text).map_err(|error| {
        fail(Some(Location::point(path, error.line, error.column)), error.message.clone())
    })?;
    match verify::module(&module).into_iter().next() {
        Some(violation) => Err(fail(whole(), format!("not valid ir: {violation}"))),
        None => Ok(module),
    }
}
