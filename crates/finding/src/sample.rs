//! Findings made by hand, for tests.

use std::path::Path;

use crate::{Confidence, Finding, Harm, Kind, Location, Replay, Role, Step};

/// Allocated on `line`, lost two lines below.
pub(crate) fn leak(path: &str, line: u32) -> Finding {
    let at = |line| Location::point(Path::new(path), line, 5);
    let step =
        |role, line, message: &str| Step { role, location: at(line), message: message.into() };
    Finding {
        kind: Kind::SomePath,
        confidence: Confidence::Medium,
        reason: "one call is unknown".into(),
        harm: Harm::PerCall,
        resource: "memory".into(),
        message: "memory is lost".into(),
        primary: at(line),
        path: vec![step(Role::Allocation, line, "allocated"), step(Role::Loss, line + 2, "lost")],
        suggestion: None,
        function: "f".into(),
        engine: "saber",
        shared_doubt: crate::Sharing::Nobody,
        fingerprint: String::new(),
        replay: Replay::default(),
    }
}
