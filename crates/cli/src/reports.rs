//! Which report goes where: `--format FORMAT` and `--output FILE` in pairs, as often as wanted.
//!
//! Declared by hand, because only the order on the command line tells which belong together.

use std::path::PathBuf;

use clap::builder::EnumValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// A line per finding and step, as compilers write them, for editors
    Gcc,
    /// Everything, for programs; docs/json.md has the schema
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// One page for a browser, with nothing to load
    Html,
}

/// None of `output` is standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub format: ReportFormat,
    pub output: Option<PathBuf>,
}

/// At least one report; at most one goes to standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reports(pub Vec<Report>);

impl Reports {
    /// Whether people see the report itself.
    pub fn shows_text(&self) -> bool {
        self.0.iter().any(|row| row.format == ReportFormat::Text && row.output.is_none())
    }
}

const FORMAT: &str = "format";
const OUTPUT: &str = "output";

impl Args for Reports {
    fn augment_args(command: Command) -> Command {
        let format = Arg::new(FORMAT)
            .long(FORMAT)
            .value_name("FORMAT")
            .action(ArgAction::Append)
            .value_parser(EnumValueParser::<ReportFormat>::new())
            .help("How the report is written; may be given many times [default: text]");
        let output = Arg::new(OUTPUT)
            .short('o')
            .long(OUTPUT)
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(PathBuf))
            .help("Write the report of the format before it to a file");
        command.arg(format).arg(output)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Reports {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let reports = paired(words(matches));
        match complaint(&reports) {
            Some(message) => Err(Error::raw(ErrorKind::ArgumentConflict, message + "\n")),
            None => Ok(Self(reports)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

enum Word {
    Format(ReportFormat),
    Output(PathBuf),
}

/// Both options in the order of the command line.
fn words(matches: &ArgMatches) -> Vec<Word> {
    let formats = matches.get_many::<ReportFormat>(FORMAT).into_iter().flatten();
    let formats = formats.map(|format| Word::Format(*format));
    let outputs = matches.get_many::<PathBuf>(OUTPUT).into_iter().flatten();
    let outputs = outputs.map(|path| Word::Output(path.clone()));
    let places = |name| matches.indices_of(name).into_iter().flatten();
    let mut words: Vec<(usize, Word)> =
        places(FORMAT).zip(formats).chain(places(OUTPUT).zip(outputs)).collect();
    words.sort_by_key(|(place, _)| *place);
    words.into_iter().map(|(_, word)| word).collect()
}

/// A file belongs to the format before it; one that comes first waits for its format.
fn paired(words: Vec<Word>) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    let mut waiting: Vec<PathBuf> = Vec::new();
    for word in words {
        match word {
            Word::Format(format) => {
                let output = if waiting.is_empty() { None } else { Some(waiting.remove(0)) };
                reports.push(Report { format, output });
            }
            Word::Output(path) => match reports.last_mut() {
                Some(report) if report.output.is_none() => report.output = Some(path),
                _ => waiting.push(path),
            },
        }
    }
    reports.extend(
        waiting.into_iter().map(|path| Report { format: ReportFormat::Text, output: Some(path) }),
    );
    if reports.is_empty() {
        reports.push(Report { format: ReportFormat::Text, output: None });
    }
    reports
}

fn complaint(reports: &[Report]) -> Option<String> {
    if reports.iter().filter(|row| row.output.is_none()).count() > 1 {
        let message = "only one report can go to standard output: give the others an --output \
                       (--format sarif --output a.sarif --format html --output a.html)";
        return Some(message.into());
    }
    let mut outputs: Vec<&PathBuf> = reports.iter().filter_map(|row| row.output.as_ref()).collect();
    outputs.sort();
    let twice = outputs.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(format!("two reports would be written to {}", twice[0].display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `FORMAT>FILE` each, or the complaint.
    fn told(args: &[&str]) -> Result<String, String> {
        let command = Reports::augment_args(Command::new("caulk").no_binary_name(true));
        let matches = command.try_get_matches_from(args).unwrap();
        let reports = Reports::from_arg_matches(&matches).map_err(|error| error.to_string())?;
        let row = |row: &Report| {
            let output =
                row.output.as_ref().map_or(String::new(), |path| path.display().to_string());
            format!("{:?}>{output}", row.format)
        };
        Ok(reports.0.iter().map(row).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn formats_and_files_come_in_pairs() {
        let told = |line: &str| told(&line.split_whitespace().collect::<Vec<_>>()).unwrap();
        assert_eq!(told(""), "Text>");
        assert_eq!(told("-o a"), "Text>a");
        assert_eq!(told("--format sarif -o a --format html --output b"), "Sarif>a Html>b");
        assert_eq!(told("--format text --format sarif -o a"), "Text> Sarif>a");
        assert_eq!(told("-o a --format sarif"), "Sarif>a");
        assert_eq!(told("--format sarif -o a -o b"), "Sarif>a Text>b");
    }

    #[test]
    fn standard_output_and_files_are_taken_once() {
        assert!(told(&["--format", "sarif", "--format", "html"]).unwrap_err().contains("only one"));
        let twice = ["--format", "json", "-o", "a", "--format", "html", "-o", "a"];
        assert!(told(&twice).unwrap_err().contains("written to a"));
    }
}
