//! Findings made by hand, for the tests of the formats.

use std::path::Path;
use std::sync::Arc;

use caulk_finding::{
    Confidence, Finding, Given, Harm, Incomplete, Kind, Location, Outcome, Point, Proof, Range,
    Replay, Results, Role, Site, Station, Step, Subject, Suggestion, Suppressed,
};

use crate::Tool;

pub(crate) fn tool() -> Tool<'static> {
    let folder = Some(Path::new("/project"));
    Tool { name: "caulk", version: "0.0.0", exit_code: 3, folder, root: folder }
}

pub(crate) const SOURCE: &str = "\
#include <stdlib.h>

int load (struct list *list, const char *name)
{
\tchar *copy = strdup (name);
\tif (copy == NULL)
\t\treturn -1;
\tif (list->full)
\t\treturn -2;
\treturn add (list, copy);
}
";

pub(crate) fn source(path: &Path) -> Option<Arc<[u8]>> {
    (path == Path::new("list.c")).then(|| SOURCE.as_bytes().into())
}

pub(crate) fn range(path: &str, line: u32, from: u32, to: u32) -> Location {
    let point = |column| Point { line, column };
    let range = Some(Range { start: point(from), end: point(to) });
    Location { range, ..Location::file(Path::new(path)) }
}

pub(crate) fn step(role: Role, line: u32) -> Step {
    let location = range("list.c", line, 2, 3);
    Step { role, location, message: format!("{} here", role.id()) }
}

fn said(role: Role, location: Location, message: &str) -> Step {
    Step { role, location, message: message.into() }
}

/// What a run of it may show.
pub fn confirmed() -> Outcome {
    let given = |name: &str, value: &str| Given { name: name.into(), value: value.into() };
    let station =
        |function: &str, place: &str| Station { function: function.into(), place: place.into() };
    Outcome {
        proof: Proof::Confirmed,
        why: "a run of `add` shows it".into(),
        inputs: vec![given("list->full", "1"), given("malloc in line 12", "fails")],
        stack: vec![station("push", "list.c:9:3"), station("add", "list.c:20:1")],
    }
}

/// The leak in `SOURCE`.
pub(crate) fn leak() -> Finding {
    let place = |line, from, to| range("list.c", line, from, to);
    Finding {
        kind: Kind::SomePath,
        confidence: Confidence::High,
        reason: "every function on the way is known".into(),
        harm: Harm::PerCall,
        resource: "memory".into(),
        message: "memory of `strdup` is lost when the list is full".into(),
        primary: place(5, 15, 28),
        path: vec![
            said(Role::Allocation, place(5, 15, 28), "memory is allocated"),
            said(Role::Decision, place(6, 6, 18), "`copy` is not NULL"),
            said(Role::Decision, place(8, 6, 16), "the condition is true"),
            said(Role::Loss, place(9, 3, 13), "`copy`, the last reference, goes out of scope"),
        ],
        suggestion: Some(Suggestion { location: place(9, 3, 13), code: "free (copy);".into() }),
        function: "load".into(),
        engine: "saber",
        shared_doubt: caulk_finding::Sharing::Nobody,
        fingerprint: "0123456789abcdef0123456789abcdef".into(),
        replay: Replay::default(),
    }
}

/// Something of everything.
pub(crate) fn results() -> Results {
    let suppressed = Suppressed {
        finding: Finding { kind: Kind::DoubleFree, ..leak() },
        reason: "checked by hand".into(),
        comment: Location::point(Path::new("list.c"), 4, 1),
    };
    let site = |class| Site {
        location: range("list.c", 5, 15, 28),
        function: "load".into(),
        callee: "strdup".into(),
        class,
        story: vec!["a path loses it".into()],
    };
    let place = Some(Location::point(Path::new("list.c"), 3, 5));
    let what = Subject::Function { name: "g".into(), unit: "list.c".into() };
    Results {
        findings: vec![leak()],
        suppressed: vec![suppressed],
        sites: vec![site("some path"), site("released"), site("released")],
        unknown: vec![("add".into(), 3)],
        incomplete: vec![Incomplete { what, place, why: "too hard".into() }],
        ..Results::default()
    }
}
