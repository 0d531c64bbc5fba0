//! The command line over the configuration: what is asked of engines, and which findings are shown.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use caulk_driver::{Engine, Judge, KeptSummaries, Knowledge};
use caulk_finding::baseline::Baseline;
use caulk_finding::triage::{self, Wishes};
use caulk_finding::{Changes, Confidence, Finding, Kind, Results, Verdicts};
use caulk_project::{ChangedFile, SourceFiles, UnitCache, changed_since, current_dir};

use crate::args::{ChoiceArgs, EngineArgs, FailOn, Show};
use crate::config::Config;
use crate::exit::Failure;

/// Who judges, and by which knowledge.
pub struct Basis {
    pub engine: Engine,
    pub judge: Judge,
    pub knowledge: Arc<Knowledge>,
    pub config: Config,
    folder: PathBuf,
    /// Settings that the engine does not read.
    unused: Vec<&'static str>,
}

impl Basis {
    pub fn of(args: &EngineArgs) -> Result<Self, Failure> {
        let config = Config::of(&args.config)?;
        let engine = args.engine.or(config.engine).unwrap_or_default();
        let own = &args.knowledge;
        let knowledge = config.knowledge(own)?;
        let (machines, switches) = (engine.uses_machines(), engine.has_switches());
        let given = [
            ("machines", machines, config.machines.len() + own.machines.len()),
            ("policies", machines, config.policies.len() + own.policies.len()),
            ("switches", switches, config.switches.len() + own.switches.len()),
        ];
        let unused = given.iter().filter(|(_, is_used, rows)| !is_used && *rows > 0);
        let unused = unused.map(|(name, ..)| *name).collect();
        Ok(Self {
            engine,
            judge: engine.judge(),
            knowledge: Arc::new(knowledge),
            unused,
            folder: current_dir().map_err(|error| Failure::usage(error.to_string()))?,
            config,
        })
    }

    /// What the project's units are known by is relative to the folder.
    pub fn kept_summaries(&self, cache: UnitCache) -> KeptSummaries {
        KeptSummaries::new(cache, self.folder.clone())
    }

    /// Also reports the classes of sites that are asked for.
    pub fn showing(mut self, asked: &[Show]) -> Self {
        let knowledge = Arc::make_mut(&mut self.knowledge);
        for show in self.config.show.iter().chain(asked) {
            if let Show::Class(class) = show {
                knowledge.show(*class);
            }
        }
        self
    }

    pub fn is_excluded(&self, finding: &Finding) -> bool {
        self.config.excludes(&self.folder.join(&finding.primary.path))
    }

    /// What a path means, as it is shown or as a user writes it.
    pub fn identity(&self, path: &Path, files: &SourceFiles) -> PathBuf {
        files.identity(&self.folder.join(path))
    }

    /// Settings that this engine does not know.
    pub fn notes(&self) -> Vec<String> {
        let name = self.engine.id();
        self.unused.iter().map(|key| format!("the engine {name} does not use {key}")).collect()
    }
}

/// Which findings are shown, and which of them are failures.
pub struct Choices {
    pub fail_on: FailOn,
    /// The least confidence that is shown.
    least: Confidence,
    at_exit: bool,
    changes: Option<Changes>,
    /// Sources of C that have changed.
    changed: Vec<PathBuf>,
}

impl Choices {
    pub fn of(args: &ChoiceArgs, basis: &Basis) -> Result<Self, Failure> {
        let changed = match &args.changed_since {
            Some(revision) => Some(changed(&basis.folder, revision)?),
            None => None,
        };
        let is_source = |file: &&ChangedFile| file.path.extension().is_some_and(|it| it == "c");
        let sources = changed.iter().flatten().filter(is_source).map(|file| file.path.clone());
        let config = &basis.config;
        let show = || config.show.iter().chain(&args.show).copied();
        Ok(Self {
            // What is not shown cannot fail.
            fail_on: args.fail_on.or(config.fail_on).unwrap_or(FailOn::Low),
            least: show().filter_map(least).min().unwrap_or(Confidence::Medium),
            at_exit: show().any(|show| matches!(show, Show::All | Show::Kind(Kind::AtExit))),
            changed: sources.collect(),
            changes: changed
                .map(|files| Changes::new(files.into_iter().map(|file| (file.path, file.lines)))),
        })
    }

    /// Changed sources of which no unit was made: a new file is in no compile database yet.
    pub fn unread(&self, results: &Results, basis: &Basis, files: &SourceFiles) -> Vec<&Path> {
        let units = results.units.iter().map(|unit| basis.identity(Path::new(&unit.path), files));
        let units: BTreeSet<PathBuf> = units.collect();
        let changed = self.changed.iter().map(PathBuf::as_path);
        let unread = changed.filter(|path| !units.contains(&files.identity(path)));
        unread.map(|path| path.strip_prefix(&basis.folder).unwrap_or(path)).collect()
    }

    /// Adds what an engine said to the results; what is not shown is counted.
    pub fn add(
        &self,
        results: &mut Results,
        verdicts: Verdicts,
        basis: &Basis,
        baseline: Option<&Baseline>,
        files: &SourceFiles,
    ) {
        let identity = |path: &Path| basis.identity(path, files);
        let is_unchanged = |finding: &Finding| {
            self.changes.as_ref().is_some_and(|changes| !changes.touch(finding, &identity))
        };
        let wishes = Wishes {
            confidence: self.least,
            at_exit: self.at_exit,
            baseline,
            is_excluded: &|finding| basis.is_excluded(finding),
            is_unchanged: &is_unchanged,
        };
        triage::add(results, verdicts, &wishes, &|path| files.read_shown(path));
    }

    /// Findings that a run has refuted are of low confidence, and shown to those who ask for it.
    pub fn hide_refuted(&self, results: &mut Results) {
        let before = results.findings.len();
        results.findings.retain(|finding| finding.confidence >= self.least);
        results.hidden.confidence += before - results.findings.len();
    }
}

fn least(show: Show) -> Option<Confidence> {
    match show {
        Show::Confidence(confidence) => Some(confidence),
        Show::All | Show::Class(_) => Some(Confidence::Low),
        Show::Kind(_) => None,
    }
}

fn changed(folder: &Path, revision: &str) -> Result<Vec<ChangedFile>, Failure> {
    changed_since(folder, revision)
        .map_err(|why| Failure::usage(format!("--changed-since {revision}: {why}")))
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Harm, Hidden, Location, Replay};
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
            shared_doubt: caulk_finding::Sharing::Nobody,
            fingerprint: String::new(),
            replay: Replay::default(),
        }
    }

    /// How many findings are shown, and what is not.
    fn admitted(words: &[&str]) -> (usize, Hidden) {
        let words = ["caulk", "check", "--no-config"].iter().chain(words);
        let Command::Check(args) = Cli::parse_from(words).command else { unreachable!() };
        let basis = Basis::of(&args.engine).unwrap();
        let choices = Choices::of(&args.choices, &basis).unwrap();
        let findings = vec![
            finding("a.c", Kind::SomePath, Confidence::High),
            finding("b.c", Kind::SomePath, Confidence::Low),
            finding("c.c", Kind::AtExit, Confidence::High),
        ];
        let mut results = Results::default();
        let verdicts = Verdicts { findings, ..Verdicts::default() };
        choices.add(&mut results, verdicts, &basis, None, &SourceFiles::new());
        (results.findings.len(), results.hidden)
    }

    #[test]
    fn what_is_shown_is_chosen() {
        let (shown, hidden) = admitted(&[]);
        assert_eq!(shown, 1);
        assert_eq!((hidden.confidence, hidden.at_exit), (1, 1));
        assert_eq!(admitted(&["--show", "low"]).0, 2);
        assert_eq!(admitted(&["--show", "leak/at-exit"]).0, 2);
        assert_eq!(admitted(&["--show", "all"]), (3, Hidden::default()));
    }
}
