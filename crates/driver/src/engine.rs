//! The engines by the names that users know, and the one place that calls them.

use caulk_finding::Verdicts;

use crate::options::CancelFlag;
use crate::whole_program::WholeProgram;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Fastcheck,
    Saber,
    Smoke,
}

impl Engine {
    pub const ALL: [Engine; 3] = [Engine::Fastcheck, Engine::Saber, Engine::Smoke];

    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Engine::Fastcheck => "fastcheck",
            Engine::Saber => "saber",
            Engine::Smoke => "smoke",
        }
    }

    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.id() == id)
    }
}

/// What an engine is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub engine: Engine,
    pub whole: &'a WholeProgram,
    /// Names and values of the user's policies; both are known to be among [`POLICIES`].
    pub policies: &'a [(String, String)],
    /// Raised when the user or the time limit wants an end: what is known by then is returned.
    pub cancel: &'a CancelFlag,
}

/// The policies that a user can choose, with their values; the first is what engines do without.
pub const POLICIES: &[(&str, &[&str])] =
    &[("may-free", &["frees", "keeps"]), ("unknown-external", &["keeps", "reads"])];

/// Runs the engine. The error tells people why it cannot be.
pub fn verdicts(question: &Question<'_>) -> Result<Verdicts, String> {
    let name = question.engine.id();
    Err(format!("the engine {name} is not built in; leave out --engine"))
}
