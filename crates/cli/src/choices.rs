//! The command line over the configuration: what is asked of engines, and which findings are shown.

use std::path::{Path, PathBuf};

use caulk_driver::Engine;
use caulk_finding::{Changes, Confidence, Finding, Kind, Results, Verdicts, fingerprint};
use caulk_project::{SourceFiles, changed_since, current_dir, describe};

use crate::args::{CheckArgs, FailOn, ModelArgs, Show};
use crate::config::Config;
use crate::exit::Failure;

pub struct Choices {
    pub engine: Option<Engine>,
    pub fail_on: FailOn,
    pub models: ModelArgs,
    pub policies: Vec<(String, String)>,
    config: Config,
    /// The least confidence that is shown.
    least: Confidence,
    /// Kinds that are shown though they are off by default.
    kinds: Vec<Kind>,
    changes: Option<Changes>,
    folder: PathBuf,
}

impl Choices {
    pub fn of(args: &CheckArgs) -> Result<Self, Failure> {
        let given = &args.choices;
        if given.new_only || given.baseline.is_some() {
            return Err(Failure::usage("baselines are not built in yet"));
        }
        let config = Config::of(given)?;
        readable(&config.machines)?;
        let folder = current_dir().map_err(|error| Failure::usage(error.to_string()))?;
        let changes = match &given.changed_since {
            Some(revision) => Some(changes(&folder, revision)?),
            None => None,
        };
        let show = || config.show.iter().chain(&given.show).copied();
        let models = config.models.iter().chain(&args.models.models).cloned().collect();
        Ok(Self {
            engine: given.engine.or(config.engine),
            // What is not shown cannot fail.
            fail_on: given.fail_on.or(config.fail_on).unwrap_or(FailOn::Low),
            models: ModelArgs { models },
            policies: config.policies.clone(),
            least: show().filter_map(least).min().unwrap_or(Confidence::Medium),
            kinds: show().flat_map(kinds).collect(),
            changes,
            config,
            folder,
        })
    }

    /// Adds what an engine said to the results, and notes what is not shown.
    pub fn admit(&self, results: &mut Results, verdicts: Verdicts, files: &SourceFiles) {
        results.incomplete.extend(verdicts.incomplete);
        let mut findings = verdicts.findings;
        fingerprint::assign(&mut findings);
        let identity = |path: &Path| files.identity(&self.folder.join(path));
        let mut filter = |what: &str, keep: &dyn Fn(&Finding) -> bool| {
            let before = findings.len();
            findings.retain(|finding| keep(finding));
            if before > findings.len() {
                results
                    .notes
                    .push(format!("{} findings not shown: {what}", before - findings.len()));
            }
        };
        filter("in excluded files", &|finding| !self.is_excluded(finding));
        filter("their kind is off; --show KIND", &|finding| self.shows(finding.kind));
        filter("low confidence; --show low", &|finding| finding.confidence >= self.least);
        if let Some(changes) = &self.changes {
            filter("not touched by changes", &|finding| changes.touch(finding, &identity));
        }
        results.findings = findings;
    }

    fn is_excluded(&self, finding: &Finding) -> bool {
        self.config.excludes(&self.folder.join(&finding.primary.path))
    }

    fn shows(&self, kind: Kind) -> bool {
        kind != Kind::AtExit || self.kinds.contains(&kind)
    }
}

fn least(show: Show) -> Option<Confidence> {
    match show {
        Show::Confidence(confidence) => Some(confidence),
        Show::All => Some(Confidence::Low),
        Show::Kind(_) => None,
    }
}

fn kinds(show: Show) -> Vec<Kind> {
    match show {
        Show::Kind(kind) => vec![kind],
        Show::All => Kind::ALL.to_vec(),
        Show::Confidence(_) => Vec::new(),
    }
}

fn readable(paths: &[PathBuf]) -> Result<(), Failure> {
    let files = SourceFiles::new();
    for path in paths {
        files
            .read(path)
            .map_err(|error| Failure::usage(format!("machines: {}", describe(path, &error))))?;
    }
    Ok(())
}

fn changes(folder: &Path, revision: &str) -> Result<Changes, Failure> {
    let files = changed_since(folder, revision)
        .map_err(|why| Failure::usage(format!("--changed-since {revision}: {why}")))?;
    Ok(Changes::new(files.into_iter().map(|file| (file.path, file.lines))))
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Harm, Location};
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    fn finding(path: &str, kind: Kind, confidence: Confidence) -> Finding {
        Finding {
            kind,
            confidence,
            reason: String::new(),
            harm: Harm::PerCall,
            resource: "memory".to_owned(),
            message: String::new(),
            primary: Location::point(Path::new(path), 1, 1),
            path: Vec::new(),
            suggestion: None,
            function: "f".to_owned(),
            engine: "test",
            fingerprint: String::new(),
        }
    }

    /// The lines of the findings that are shown, and the notes.
    fn admitted(words: &[&str]) -> (usize, Vec<String>) {
        let words = ["caulk", "check", "--no-config"].iter().chain(words);
        let Command::Check(args) = Cli::parse_from(words).command else { unreachable!() };
        let choices = Choices::of(&args).unwrap();
        let findings = vec![
            finding("a.c", Kind::SomePath, Confidence::High),
            finding("a.c", Kind::SomePath, Confidence::Low),
            finding("a.c", Kind::AtExit, Confidence::High),
        ];
        let mut results = Results::default();
        let verdicts = Verdicts { findings, ..Verdicts::default() };
        choices.admit(&mut results, verdicts, &SourceFiles::new());
        (results.findings.len(), results.notes)
    }

    #[test]
    fn what_is_shown_is_chosen() {
        let (shown, notes) = admitted(&[]);
        assert_eq!(shown, 1);
        assert_eq!(notes.len(), 2);
        assert!(notes[1].contains("1 findings not shown: low confidence"), "{notes:?}");
        assert_eq!(admitted(&["--show", "low"]).0, 2);
        assert_eq!(admitted(&["--show", "leak/at-exit"]).0, 2);
        assert_eq!(admitted(&["--show", "all"]), (3, vec![]));
    }
}
