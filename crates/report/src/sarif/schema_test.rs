//! The constraints of the official schema of SARIF 2.1.0 that concern what is written here:
//! required properties, types, enumerations, least values, and no properties that it does not know.
//!
//! The schema itself is not ours to copy. The output of these tests was validated against it by
//! hand, as `docs/json.md` tells; the tables below say what it said then.

use serde_json::{Value, json};

use super::tests::everything;

/// What an object may hold: its name here, what is required, and each property with its type.
struct Shape(&'static str, &'static [&'static str], &'static [(&'static str, Type)]);

enum Type {
    Text,
    Uri,
    Boolean,
    /// An integer that is at least this.
    From(i64),
    Rank,
    One(&'static [&'static str]),
    Is(&'static str),
    Many(&'static str),
    Texts,
    /// Any names, each with text.
    TextMap,
    /// Any names, each with an object of this shape.
    Map(&'static str),
    Free,
}

use Type::{Boolean, Free, From, Is, Many, Map, One, Rank, Text, TextMap, Texts, Uri};

const LEVEL: Type = One(&["none", "note", "warning", "error"]);

const SHAPES: &[Shape] = &[
    Shape(
        "log",
        &["version", "runs"],
        &[("$schema", Uri), ("version", One(&["2.1.0"])), ("runs", Many("run"))],
    ),
    Shape(
        "run",
        &["tool"],
        &[
            ("tool", Is("tool")),
            ("columnKind", One(&["utf16CodeUnits", "unicodeCodePoints"])),
            ("invocations", Many("invocation")),
            ("results", Many("result")),
            ("originalUriBaseIds", Map("artifactLocation")),
        ],
    ),
    Shape("tool", &["driver"], &[("driver", Is("driver"))]),
    Shape(
        "driver",
        &["name"],
        &[
            ("name", Text),
            ("version", Text),
            ("semanticVersion", Text),
            ("rules", Many("rule")),
            ("notifications", Many("rule")),
        ],
    ),
    Shape(
        "rule",
        &["id"],
        &[
            ("id", Text),
            ("name", Text),
            ("shortDescription", Is("multiformat")),
            ("fullDescription", Is("multiformat")),
            ("help", Is("multiformat")),
            ("defaultConfiguration", Is("configuration")),
            ("properties", Free),
        ],
    ),
    Shape("multiformat", &["text"], &[("text", Text), ("markdown", Text)]),
    Shape("configuration", &[], &[("level", LEVEL)]),
    Shape(
        "invocation",
        &["executionSuccessful"],
        &[
            ("executionSuccessful", Boolean),
            ("exitCode", From(i64::MIN)),
            ("toolExecutionNotifications", Many("notification")),
        ],
    ),
    Shape(
        "notification",
        &["message"],
        &[
            ("level", LEVEL),
            ("descriptor", Is("reference")),
            ("message", Is("message")),
            ("locations", Many("location")),
        ],
    ),
    Shape("reference", &[], &[("id", Text)]),
    Shape("message", &["text"], &[("text", Text)]),
    Shape(
        "result",
        &["message"],
        &[
            ("ruleId", Text),
            ("ruleIndex", From(-1)),
            ("level", LEVEL),
            ("kind", One(&["notApplicable", "pass", "fail", "review", "open", "informational"])),
            ("rank", Rank),
            ("message", Is("message")),
            ("locations", Many("location")),
            ("relatedLocations", Many("location")),
            ("codeFlows", Many("codeFlow")),
            ("partialFingerprints", TextMap),
            ("suppressions", Many("suppression")),
            ("properties", Free),
        ],
    ),
    Shape(
        "suppression",
        &["kind"],
        &[
            ("kind", One(&["inSource", "external"])),
            ("status", One(&["accepted", "underReview", "rejected"])),
            ("justification", Text),
            ("location", Is("location")),
        ],
    ),
    Shape("codeFlow", &["threadFlows"], &[("threadFlows", Many("threadFlow"))]),
    Shape("threadFlow", &["locations"], &[("locations", Many("threadFlowLocation"))]),
    Shape(
        "threadFlowLocation",
        &[],
        &[
            ("location", Is("location")),
            ("kinds", Texts),
            ("nestingLevel", From(0)),
            ("executionOrder", From(-1)),
            ("importance", One(&["important", "essential", "unimportant"])),
        ],
    ),
    Shape(
        "location",
        &[],
        &[
            ("id", From(-1)),
            ("physicalLocation", Is("physicalLocation")),
            ("logicalLocations", Many("logicalLocation")),
            ("message", Is("message")),
        ],
    ),
    Shape("logicalLocation", &[], &[("name", Text), ("kind", Text)]),
    Shape(
        "physicalLocation",
        &["artifactLocation"],
        &[("artifactLocation", Is("artifactLocation")), ("region", Is("region"))],
    ),
    Shape(
        "artifactLocation",
        &[],
        &[("uri", Uri), ("uriBaseId", Text), ("description", Is("message"))],
    ),
    Shape(
        "region",
        &[],
        &[
            ("startLine", From(1)),
            ("startColumn", From(1)),
            ("endLine", From(1)),
            ("endColumn", From(1)),
        ],
    ),
];

fn judge(value: &Value, name: &str, at: &str, wrong: &mut Vec<String>) {
    let Shape(_, required, properties) =
        SHAPES.iter().find(|shape| shape.0 == name).expect("a known shape");
    let Some(object) = value.as_object() else { return wrong.push(format!("{at}: no object")) };
    for name in required.iter().filter(|name| !object.contains_key(**name)) {
        wrong.push(format!("{at}: no {name}"));
    }
    for (property, value) in object {
        let at = format!("{at}.{property}");
        match properties.iter().find(|(known, _)| known == property) {
            Some((_, kind)) => judge_type(value, kind, &at, wrong),
            None => wrong.push(format!("{at}: not in the schema")),
        }
    }
}

fn judge_type(value: &Value, kind: &Type, at: &str, wrong: &mut Vec<String>) {
    let is_text = |value: &Value| value.is_string();
    let each =
        |test: &dyn Fn(&Value) -> bool| value.as_array().is_some_and(|rows| rows.iter().all(test));
    let is_right = match kind {
        Text => is_text(value),
        Uri => value.as_str().is_some_and(is_uri),
        Boolean => value.is_boolean(),
        From(least) => value.as_i64().is_some_and(|number| number >= *least),
        Rank => value.as_f64().is_some_and(|rank| (-1.0..=100.0).contains(&rank)),
        One(names) => value.as_str().is_some_and(|name| names.contains(&name)),
        Texts => each(&is_text),
        TextMap => value.as_object().is_some_and(|map| map.values().all(is_text)),
        Free => value.is_object(),
        Is(shape) => return judge(value, shape, at, wrong),
        Map(shape) => return parts(value.as_object().map(|map| map.values()), shape, at, wrong),
        Many(shape) => return parts(value.as_array(), shape, at, wrong),
    };
    if !is_right {
        wrong.push(format!("{at}: {value}"));
    }
}

fn parts<'a>(
    rows: Option<impl IntoIterator<Item = &'a Value>>,
    shape: &str,
    at: &str,
    wrong: &mut Vec<String>,
) {
    match rows {
        Some(rows) => rows.into_iter().for_each(|row| judge(row, shape, at, wrong)),
        None => wrong.push(format!("{at}: wrong type")),
    }
}

/// Only characters of a URI reference, and each `%` with its digits.
fn is_uri(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:%".contains(&byte);
    let digits =
        |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    text.bytes().all(plain) && text.split('%').skip(1).all(digits)
}

fn mistakes(log: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    judge(log, "log", "log", &mut wrong);
    wrong
}

#[test]
fn everything_fits_the_schema() {
    assert_eq!(mistakes(&everything()), Vec::<String>::new());
}

/// The test can fail.
#[test]
fn mistakes_are_found() {
    let broken = |pointer: &str, value: Value| {
        let mut log = everything();
        *log.pointer_mut(pointer).unwrap() = value;
        mistakes(&log).len()
    };
    assert_eq!(broken("/version", json!("2.0.0")), 1);
    assert_eq!(broken("/runs/0/results/0/message", json!({})), 1);
    assert_eq!(broken("/runs/0/results/0/level", json!("fatal")), 1);
    assert_eq!(
        broken("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
        1
    );
    assert_eq!(broken("/runs/0/results/0/rank", json!(101)), 1);
    assert_eq!(broken("/runs/0/tool", json!([])), 1);
}
