//! How often harm is done: for programs, and in words.

use caulk_finding::Harm;

pub(crate) fn id(harm: Harm) -> &'static str {
    match harm {
        Harm::PerIteration => "per-iteration",
        Harm::PerCall => "per-call",
        Harm::PerProcess => "per-process",
    }
}

pub(crate) fn words(harm: Harm) -> &'static str {
    match harm {
        Harm::PerIteration => "again in every turn of a loop",
        Harm::PerCall => "once in each call",
        Harm::PerProcess => "once per process",
    }
}
