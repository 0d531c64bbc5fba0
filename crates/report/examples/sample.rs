//! A run made by hand, in any format, for looking at the formats and for `tests/html/browser.sh`:
//! `cargo run -p caulk-report --example sample -- text|gcc|json|sarif|html [COLOURS]`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use caulk_finding::{
    Confidence, Finding, Harm, Hidden, Incomplete, Kind, Location, Point, Range, Replay, Results,
    Role, Site, Step, Subject, Suggestion, UnitRow, UnitState, Verdicts, triage,
};
use caulk_report::{Sites, Style, Texts, Tool, View, check, gcc, html, json, sarif};

const LIST: &str = include_str!("list.c");
const NASTY: &str = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">.c";

fn source(path: &Path) -> Option<Arc<[u8]>> {
    match path.to_str()? {
        "src/list.c" => Some(LIST.as_bytes().into()),
        NASTY => Some(format!("char *p = f (\"{NASTY}\");\n").as_bytes().into()),
        _ => None,
    }
}

/// Where `text` stands on a line of `list.c`.
fn at(line: u32, text: &str) -> Location {
    let found = LIST.lines().nth(line as usize - 1).and_then(|line| line.find(text));
    let column = found.map_or(1, |at| at as u32 + 1);
    let point = |column| Point { line, column };
    let range = Range { start: point(column), end: point(column + text.len() as u32) };
    Location { range: Some(range), ..Location::file(Path::new("src/list.c")) }
}

fn step(role: Role, location: Location, message: &str) -> Step {
    Step { role, location, message: message.into() }
}

fn finding(kind: Kind, message: &str, path: Vec<Step>) -> Finding {
    Finding {
        kind,
        confidence: Confidence::High,
        reason: "every function on the way is known".into(),
        harm: Harm::PerCall,
        resource: "memory".into(),
        message: message.into(),
        primary: path[0].location.clone(),
        path,
        suggestion: None,
        function: "load".into(),
        engine: "saber",
        shared_doubt: caulk_finding::Sharing::Nobody,
        fingerprint: String::new(),
        replay: Replay::default(),
    }
}

fn some_path() -> Finding {
    let path = vec![
        step(Role::Allocation, at(19, "strdup (name)"), "memory is allocated"),
        step(Role::Decision, at(20, "copy == NULL"), "`copy` is not NULL"),
        step(Role::Decision, at(22, "list->full"), "the condition is true"),
        step(Role::Loss, at(23, "return -2;"), "`copy`, the last reference, goes out of scope"),
    ];
    let suggestion = Suggestion { location: at(23, "return"), code: "free (copy);".into() };
    let finding = finding(Kind::SomePath, "memory of `strdup` is lost when the list is full", path);
    Finding { suggestion: Some(suggestion), ..finding }
}

fn in_a_loop() -> Finding {
    let mut made = at(33, "GROW (list, n)");
    made.in_macro = Some(("src/list.h".into(), Point { line: 7, column: 22 }));
    let mut path = vec![step(Role::Allocation, made, "memory is allocated")];
    path.push(step(Role::Decision, at(32, "i < n"), "`i < n` is true"));
    for turn in 1..=9 {
        path.push(step(Role::Decision, at(34, "list->items[i]"), &format!("turn {turn}: false")));
    }
    let other = Location::point(Path::new("src/other.c"), 120, 9);
    path.push(step(Role::Flow, other, "passed to `keep`, which does not keep it"));
    path.push(step(Role::Loss, at(33, "list->items = "), "the last reference is overwritten"));
    let finding = finding(Kind::Overwritten, "memory is lost when `items` is assigned again", path);
    Finding { harm: Harm::PerIteration, confidence: Confidence::Medium, ..finding }
}

fn nasty() -> Finding {
    let place = |column| Location::point(Path::new(NASTY), 1, column);
    let path = vec![
        step(Role::Allocation, place(11), NASTY),
        step(Role::Release, place(1), "released\x1b[31m"),
        step(Role::Release, place(3), "released again"),
    ];
    let finding = finding(Kind::DoubleFree, NASTY, path);
    Finding { function: NASTY.into(), confidence: Confidence::Low, ..finding }
}

fn suppressed() -> Finding {
    let path = vec![
        step(Role::Allocation, at(42, "malloc (8)"), "memory is allocated"),
        step(Role::Loss, at(43, "}"), "lost"),
    ];
    finding(Kind::NeverFreed, "memory is never released", path)
}

fn results() -> Results {
    let site = |class| Site {
        location: at(19, "strdup"),
        function: "load".into(),
        callee: "strdup".into(),
        class,
        story: Vec::new(),
    };
    let classes = ["released"; 40].into_iter().chain(["some path"; 2]).chain(["global"; 7]);
    let verdicts = Verdicts {
        findings: vec![some_path(), in_a_loop(), nasty(), suppressed()],
        sites: classes.map(site).collect(),
        unknown: vec![("ev_io_start".into(), 7), ("list_add".into(), 2)],
        incomplete: vec![Incomplete {
            what: Subject::Function { name: "hard".into(), unit: "src/list.c".into() },
            place: Some(at(3, "struct")),
            why: "complex numbers".into(),
        }],
        ..Verdicts::default()
    };
    let unit = UnitRow {
        path: "src/list.c".into(),
        state: UnitState::Partial,
        counts: caulk_finding::Counts { lowered: 4, refused: 1, ..Default::default() },
    };
    let mut results = Results {
        units: vec![unit],
        wall: Duration::from_millis(340),
        hidden: Hidden { at_exit: 2, ..Hidden::default() },
        ..Results::default()
    };
    let wishes = triage::Wishes { confidence: Confidence::Low, ..triage::Wishes::default() };
    triage::add(&mut results, verdicts, &wishes, &source);
    results
}

fn main() {
    let mut args = std::env::args().skip(1);
    let format = args.next().unwrap_or_default();
    let colour = args.next().is_some();
    let texts = Texts::new(&source);
    let folder = Some(Path::new("/project"));
    let tool = Tool { name: "caulk", version: "0.0.0", exit_code: 1, folder, root: folder };
    let style = Style { colour, ..Style::default() };
    let results = results();
    let text = match format.as_str() {
        "gcc" => gcc(&results),
        "json" => json(&results, &tool, Sites::Stories),
        "sarif" => sarif(&results, &tool, &texts),
        "html" => html(&results, &tool, &texts),
        _ => check(&results, &View { style, texts: &texts, links: None }),
    };
    print!("{text}");
}
