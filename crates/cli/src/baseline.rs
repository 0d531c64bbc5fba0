//! The file of known findings.

use std::path::Path;

use caulk_finding::baseline::{Baseline, parse};
use caulk_project::{SourceFiles, describe};

use crate::exit::Failure;

/// Reads a baseline; a mistake in it is told with its place.
pub fn load(path: &Path) -> Result<Baseline, Failure> {
    let bytes = SourceFiles::new()
        .read(path)
        .map_err(|error| Failure::usage(format!("--baseline: {}", describe(path, &error))))?;
    parse(&String::from_utf8_lossy(&bytes))
        .map_err(|error| Failure::usage(format!("--baseline: {}:{error}", path.display())))
}
