//! Who judges, and what the user wants of the findings. Each of these may also stand in `caulk.toml`.

use std::path::PathBuf;

use caulk_driver::{Class, Engine, Knowledge, Policies};
use caulk_finding::{Confidence, Kind};
use clap::{Args, ValueEnum};

use super::KnowledgeArgs;

/// Who judges, and by which knowledge.
#[derive(Args, Clone, Debug)]
pub struct EngineArgs {
    #[command(flatten)]
    pub config: ConfigArgs,

    /// The engine that judges [default: staged]
    #[arg(long, value_name = "NAME", value_parser = engine)]
    #[arg(long_help = "The engine that judges: staged (the default) asks smoke, sparrow and \
        symbolic and weighs what they say; smoke follows each object and decides single paths; saber (full value flow with guards) and fastcheck (value flow of locals) are \
        as their papers have them, with more false reports; sparrow summarises every function by \
        abstract interpretation; symbolic evaluates functions over unknown inputs and tells for \
        which of them memory is lost.")]
    pub engine: Option<Engine>,

    #[command(flatten)]
    pub knowledge: KnowledgeArgs,
}

/// Where the configuration is.
#[derive(Args, Clone, Debug)]
pub struct ConfigArgs {
    /// The configuration [default: caulk.toml here or above, within the repository]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}

/// Which findings are shown.
#[derive(Args, Clone, Debug)]
pub struct ChoiceArgs {
    /// The least confidence of a finding that makes the exit code 1 [default: any shown finding]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub fail_on: Option<FailOn>,

    /// Show more: findings down to a confidence (low, medium, high), a kind that is off
    /// (leak/at-exit), or all
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = show)]
    #[arg(
        long_help = "Show more: findings down to a confidence (low, medium, high), a kind that is \
        off (leak/at-exit), or all. With fastcheck and saber also sites of a class that is no \
        likely error, and with them what is of low confidence: never-freed/not-local, \
        never-freed/main, unknown/formula, unknown/not-local, unknown/slice."
    )]
    pub show: Vec<Show>,

    /// Only findings whose way touches lines that changed since a git revision
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
}

/// From which confidence on a finding is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    High,
    Medium,
    Low,
    /// Findings never change the exit code
    Never,
}

impl FailOn {
    pub fn of_id(id: &str) -> Option<Self> {
        Self::from_str(id, false).ok()
    }

    pub fn is_failure(self, confidence: Confidence) -> bool {
        match self {
            FailOn::High => confidence >= Confidence::High,
            FailOn::Medium => confidence >= Confidence::Medium,
            FailOn::Low => true,
            FailOn::Never => false,
        }
    }
}

/// One wish of `--show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Confidence(Confidence),
    Kind(Kind),
    /// A class of sites that the value-flow engines do not report.
    Class(Class),
    All,
}

impl Show {
    pub fn of_id(id: &str) -> Option<Self> {
        let all = (id == "all").then_some(Show::All);
        let level = || Confidence::of_id(id).map(Show::Confidence);
        let class = || Class::of_id(id).filter(|it| it.can_be_shown()).map(Show::Class);
        all.or_else(level).or_else(|| Kind::of_id(id).map(Show::Kind)).or_else(class)
    }

    /// Everything that can be shown, for messages.
    pub fn ids() -> Vec<&'static str> {
        let levels = Confidence::ALL.map(Confidence::id);
        let classes = Class::ALL.into_iter().filter(|it| it.can_be_shown()).map(Class::id);
        levels.into_iter().chain(["all"]).chain(Kind::ALL.map(Kind::id)).chain(classes).collect()
    }
}

pub fn engine(text: &str) -> Result<Engine, String> {
    Engine::of_id(text).ok_or_else(|| expected(&Engine::ALL.map(Engine::id)))
}

pub fn policy(text: &str) -> Result<(String, String), String> {
    let known = |name: &str| Policies::NAMES.iter().find(|(it, _)| *it == name);
    let names: Vec<&str> = Policies::NAMES.iter().map(|(name, _)| *name).collect();
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let (_, values) = known(name).ok_or_else(|| expected(&names))?;
    if !values.contains(&value) {
        return Err(expected(values));
    }
    Ok((name.to_owned(), value.to_owned()))
}

pub fn switch(text: &str) -> Result<String, String> {
    Knowledge::bundled().set(text).map(|()| text.to_owned())
}

fn show(text: &str) -> Result<Show, String> {
    Show::of_id(text).ok_or_else(|| expected(&Show::ids()))
}

fn expected(choices: &[&str]) -> String {
    format!("expected one of {}", choices.join(", "))
}
