//! What tools are run on: programs of the corpus, and the runnable programs of `suites/lab`
//! together, under the name `runnable`.

use super::runnable::{self, SUITE, program};
use crate::corpus::{self, Entry, Ready};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

pub struct Subject {
    pub program: Ready,
    /// Each unit is a program of its own.
    pub is_apart: bool,
}

/// The named subjects, in order.
pub fn choose(checkout: &Path, names: &[String]) -> Result<Vec<Subject>, String> {
    let one = |name: &String| match name.as_str() {
        SUITE => Ok(vec![Subject { program: suite(checkout)?, is_apart: true }]),
        _ => {
            let programs = corpus::choose(checkout, std::slice::from_ref(name))?.programs;
            let subject = |program| Subject { program, is_apart: false };
            Ok(programs.into_iter().map(subject).collect())
        }
    };
    let chosen: Result<Vec<Vec<Subject>>, String> = names.iter().map(one).collect();
    Ok(chosen?.into_iter().flatten().collect())
}

/// A copy beside the corpus, since results are kept beside the sources.
fn suite(checkout: &Path) -> Result<Ready, String> {
    let folder = corpus::root(checkout)?.join(".runnable");
    let source = folder.join("source");
    let told = |e: std::io::Error| format!("{}: {e}", source.display());
    std::fs::create_dir_all(&source).map_err(told)?;
    let programs = program::read_all(&runnable::folder(checkout), &[])?;
    let mut units = Vec::new();
    let mut hasher = DefaultHasher::new();
    for program in programs {
        let file = format!("{}.c", program.name);
        std::fs::write(source.join(&file), &program.text).map_err(told)?;
        program.text.hash(&mut hasher);
        units.push(unit(&source, &file));
    }
    let version = format!("{:016x}", hasher.finish());
    Ok(Ready { name: SUITE.into(), version, folder, units })
}

/// How a runnable program is compiled.
pub fn unit(folder: &Path, file: &str) -> Entry {
    let arguments = ["gcc", "-std=gnu17", "-c", file].map(String::from).to_vec();
    let directory = folder.to_string_lossy().into_owned();
    Entry { file: file.into(), directory, arguments, output: None }
}
