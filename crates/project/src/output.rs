//! What the programs ask of the file system beside source text.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::load::DATABASE_NAME;

/// Writes a report; replaces what was there.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)
}

/// The folder the program was started in.
pub fn current_dir() -> io::Result<PathBuf> {
    env::current_dir()
}

/// Where build tools put a compile database.
const USUAL_FOLDERS: [&str; 3] = ["", "build", "out"];

/// The compile database of the project in `folder`, if it is in a usual place.
#[must_use]
pub fn find_database(folder: &Path) -> Option<PathBuf> {
    let mut places = USUAL_FOLDERS.iter().map(|usual| folder.join(usual).join(DATABASE_NAME));
    places.find(|path| path.is_file())
}
