//! The journal of a run: which units are being read, in a file that survives a crash.
//!
//! The process that watches over a run creates it and writes what earlier attempts have taught;
//! the process that does the work adds a line for every unit that it starts and finishes. What a
//! dying program prints may go to the same file in pieces, so an event is one write that begins
//! and ends a line of its own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::{env, process};

/// Units are named by their number in the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// To be read when no other unit is.
    Alone(usize),
    /// Not to be read again.
    GivenUp(usize, String),
    Started(usize),
    Finished(usize),
    /// The run cannot go on because of these units.
    Failed(Culprits),
    /// All units are done; from here on people see what is written.
    Reporting,
}

/// The units that were read when something went wrong, the latest one last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprits {
    pub units: Vec<usize>,
    /// What to tell if it was this unit.
    pub why: String,
}

/// What a journal holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub events: Vec<Event>,
    /// Whatever else was printed.
    pub text: String,
}

#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// A new file in the system's folder for such files, and its name.
    pub fn create(events: &[Event]) -> io::Result<(Self, PathBuf)> {
        let (file, path) = new_file()?;
        let journal = Self(file);
        events.iter().try_for_each(|event| journal.write(event))?;
        Ok((journal, path))
    }

    /// Takes the name away, so that nothing is left behind whatever happens next. The process
    /// that created the file can still read it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        fs::remove_file(path)?;
        Ok(Self(file))
    }

    pub fn write(&self, event: &Event) -> io::Result<()> {
        (&self.0).write_all(format!("\n{MARK}{}\n", spell(event)).as_bytes())
    }

    pub fn read(&self) -> io::Result<Record> {
        let mut bytes = Vec::new();
        let mut file = &self.0;
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(parse(&String::from_utf8_lossy(&bytes)))
    }

    pub(crate) fn file(&self) -> &File {
        &self.0
    }
}

fn new_file() -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let name = format!("caulk-{}-{number}.journal", process::id());
        let path = env::temp_dir().join(name);
        let mut options = OpenOptions::new();
        match options.read(true).append(true).create_new(true).mode(0o600).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
            file => return Ok((file?, path)),
        }
    }
}

/// Lines with it are events.
const MARK: char = '@';

fn spell(event: &Event) -> String {
    match event {
        Event::Alone(unit) => format!("alone {unit}"),
        Event::GivenUp(unit, why) => format!("given-up {unit} {why}"),
        Event::Started(unit) => format!("started {unit}"),
        Event::Finished(unit) => format!("finished {unit}"),
        Event::Failed(Culprits { units, why }) => {
            let units: Vec<String> = units.iter().map(usize::to_string).collect();
            format!("failed {} {why}", units.join(","))
        }
        Event::Reporting => "reporting".to_owned(),
    }
}

fn parse(text: &str) -> Record {
    let mut record = Record::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix(MARK).and_then(event) {
            Some(event) => record.events.push(event),
            None => record.text += &format!("{line}\n"),
        }
    }
    record
}

fn event(line: &str) -> Option<Event> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (number, why) = rest.split_once(' ').unwrap_or((rest, ""));
    let unit = || number.parse().ok();
    Some(match word {
        "alone" => Event::Alone(unit()?),
        "given-up" => Event::GivenUp(unit()?, why.to_owned()),
        "started" => Event::Started(unit()?),
        "finished" => Event::Finished(unit()?),
        "failed" => {
            let units = number.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
            Event::Failed(Culprits { units, why: why.to_owned() })
        }
        "reporting" => Event::Reporting,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_read_all_events() {
        let lesson = [Event::Alone(3), Event::GivenUp(7, "too hard".into())];
        let failed = Event::Failed(Culprits { units: vec![3, 12], why: "too large".into() });
        let news = [Event::Started(12), Event::Finished(12), failed, Event::Reporting];
        let (parent, path) = Journal::create(&lesson).unwrap();
        let child = Journal::open(&path).unwrap();
        assert!(!path.exists());
        assert_eq!(child.read().unwrap().events, lesson);
        news.iter().for_each(|event| child.write(event).unwrap());
        let record = parent.read().unwrap();
        assert_eq!(record, Record { events: [&lesson[..], &news].concat(), text: String::new() });
    }

    #[test]
    fn other_text_is_kept_apart() {
        let record = parse("\n@started 1\nthread 'un\n@finished 2\nit-0' has\n@what 3\n@alone x\n");
        assert_eq!(record.events, [Event::Started(1), Event::Finished(2)]);
        assert_eq!(record.text, "thread 'un\nit-0' has\n@what 3\n@alone x\n");
    }
}
