//! `caulk baseline`, `caulk why` and `caulk replay`.

use std::path::PathBuf;

use clap::Args;

use super::{EngineArgs, InputArgs};

pub const BASELINE: &str = "Write a file of all findings that there are now, so that `caulk check \
    --baseline FILE --new-only` shows what comes later. Findings that a comment suppresses or that \
    are in excluded files are left out; those of low confidence and at exit are in it.\n\n\
    Examples:\n  \
    caulk baseline                            caulk.baseline, of the project in this folder\n  \
    caulk baseline -p build -o known.txt      of another project, under another name";

pub const WHY: &str = "Tell what became of an allocation: the class that the engine puts it in, \
    and the finding with its way if there is one, shown by `caulk check` or not. A call of a \
    function that allocates for its caller is an allocation, too.\n\n\
    Examples:\n  \
    caulk why src/list.c:12                   in the project of this folder\n  \
    caulk why src/list.c:12 -p build          in another one\n  \
    caulk why a.c:12 a.c b.c -- -Iinclude     in these files, with compiler flags after `--`";

pub const REPLAY: &str = "Run the function of a finding in caulk's interpreter: the search gives it \
    inputs that lead to the loss, external functions follow their models (one of them may fail), \
    and the interpreter's memory tells what became of the object. The finding is confirmed, refuted \
    or not replayable, with the inputs and the call stack at the loss.\n\n\
    Examples:\n  \
    caulk replay src/list.c:12                the findings of this line\n  \
    caulk replay 3f9a04c2                     a finding by its fingerprint, or how that begins\n  \
    caulk replay a.c:12 a.c b.c -- -Iinclude  in these files, with compiler flags after `--`";

#[derive(Args, Debug)]
pub struct BaselineArgs {
    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Where it is written
    #[arg(short = 'o', long, value_name = "FILE", default_value = "caulk.baseline")]
    pub output: PathBuf,

    /// Show no progress, and do not tell how many findings there are
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct WhyArgs {
    /// The line of the allocation, as reports name it
    #[arg(value_name = "FILE:LINE", value_parser = place)]
    pub place: Place,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The line of the finding's allocation, or its fingerprint as `--verbose` and JSON have it
    #[arg(value_name = "FINDING", value_parser = wanted)]
    pub wanted: Wanted,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Which findings are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    At(Place),
    /// How the fingerprint begins.
    Named(String),
}

/// The shortest beginning of a fingerprint.
const SHORTEST_NAME: usize = 6;

fn wanted(text: &str) -> Result<Wanted, String> {
    let is_name = text.len() >= SHORTEST_NAME && text.chars().all(|ch| ch.is_ascii_hexdigit());
    if is_name {
        return Ok(Wanted::Named(text.to_ascii_lowercase()));
    }
    place(text).map(Wanted::At).map_err(|why| format!("{why}, or a fingerprint"))
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    pub line: u32,
}

/// A column after the line, as reports have it, does no harm.
fn place(text: &str) -> Result<Place, String> {
    let number = |text: &str| text.parse().ok().filter(|number: &u32| *number > 0);
    let lined = |text: &str| {
        let (path, line) = text.rsplit_once(':').filter(|(path, _)| !path.is_empty())?;
        Some(Place { path: path.into(), line: number(line)? })
    };
    let columned =
        |text: &str| lined(text.rsplit_once(':').filter(|(_, it)| number(it).is_some())?.0);
    columned(text)
        .or_else(|| lined(text))
        .ok_or_else(|| "expected a file and a line, as in src/list.c:12".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_named_by_place_or_fingerprint() {
        assert_eq!(wanted("3F9A04"), Ok(Wanted::Named("3f9a04".to_owned())));
        let place = Place { path: "abcdef.c".into(), line: 2 };
        assert_eq!(wanted("abcdef.c:2"), Ok(Wanted::At(place)));
        assert!(wanted("3f9a").is_err() && wanted("words").is_err());
    }

    #[test]
    fn places_are_read_as_reports_write_them() {
        let read = |text| place(text).map(|place| (place.path.display().to_string(), place.line));
        assert_eq!(read("a.c:12"), Ok(("a.c".to_owned(), 12)));
        assert_eq!(read("d/a.c:12:5"), Ok(("d/a.c".to_owned(), 12)));
        assert_eq!(read("odd:name.c:3"), Ok(("odd:name.c".to_owned(), 3)));
        for wrong in ["a.c", "a.c:", ":3", "a.c:0", "a.c:x", "12"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
