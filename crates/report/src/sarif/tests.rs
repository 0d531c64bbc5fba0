//! What the log says.

use std::path::Path;

use caulk_finding::{Finding, Point, Remark, Role, Subject};

use super::*;
use crate::sample::{leak, range, results, source, step, tool};

fn parsed(results: &Results) -> Value {
    serde_json::from_str(&sarif(results, &tool(), &Texts::new(&source))).unwrap()
}

/// A log with something of all that can be in one.
pub fn everything() -> Value {
    let mut results = results();
    results.findings[0].primary.in_macro = Some(("a b.h".into(), Point { line: 1, column: 2 }));
    results.findings[0].path[1].role = Role::Release;
    results.findings[0].path[2].role = Role::Flow;
    let absolute = Finding { primary: range("/x/ä.c", 0, 0, 9), ..leak() };
    let path = vec![step(Role::Decision, 1); limits::GITHUB.steps + 7];
    results.findings.extend([absolute, Finding { path, ..leak() }]);
    results.incomplete.push(Incomplete { what: Subject::Input, place: None, why: "x".into() });
    let place = caulk_finding::Location::file(Path::new("a.c"));
    results.remarks = vec![Remark { place, message: "unused".into() }];
    parsed(&results)
}

#[test]
fn an_empty_run_is_a_valid_log() {
    let log = parsed(&Results::default());
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"][0]["tool"]["driver"]["name"], "caulk");
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 3);
}

#[test]
fn a_finding_becomes_a_result_of_a_known_rule() {
    let log = parsed(&results());
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    let rule = &run["tool"]["driver"]["rules"][index];
    assert_eq!(rule["id"], result["ruleId"]);
    assert_eq!(rule["name"], "LeakSomePath");
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("## How to fix it"));
    let physical = &result["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"], json!({ "uri": "list.c", "uriBaseId": ROOT }));
    let region = json!({ "startLine": 5, "startColumn": 15, "endLine": 5, "endColumn": 28 });
    assert_eq!(physical["region"], region);
    assert_eq!(run["originalUriBaseIds"][ROOT]["uri"], "file:///project/");
    assert_eq!(result["properties"]["reason"], "every function on the way is known");
    assert_eq!(result["rank"], 60.0);
}

#[test]
fn steps_have_their_roles() {
    let log = parsed(&results());
    let result = &log["runs"][0]["results"][0];
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(flow[0]["location"]["message"]["text"], "memory is allocated");
    assert_eq!(flow[0]["kinds"], json!(["acquire", "resource"]));
    assert_eq!(
        (&flow[1]["importance"], &flow[1]["nestingLevel"]),
        (&json!("important"), &json!(1))
    );
    let related = &result["relatedLocations"];
    assert_eq!(related[0]["id"], 1);
    assert!(related[1]["message"]["text"].as_str().unwrap().ends_with("free (copy);"));
}

#[test]
fn suppressed_findings_say_why() {
    let log = parsed(&results());
    let suppression = &log["runs"][0]["results"][1]["suppressions"][0];
    assert_eq!(suppression["kind"], "inSource");
    assert_eq!(suppression["justification"], "checked by hand");
}

#[test]
fn columns_count_characters() {
    let source = |_: &Path| Some("/* ä */ p = malloc (8);\n".as_bytes().into());
    let finding = Finding { primary: range("a.c", 1, 14, 24), ..leak() };
    let results = Results { findings: vec![finding], ..Results::default() };
    let log: Value = serde_json::from_str(&sarif(&results, &tool(), &Texts::new(&source))).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startColumn"], 13);
}

/// Code hosts resolve paths against the repository, whatever folder a job runs in.
#[test]
fn paths_start_from_the_repository() {
    let at = |path| Finding { primary: range(path, 1, 1, 2), ..leak() };
    let findings =
        vec![at("a.c"), at("../b.c"), at("/project/./c.c"), at("../../d.c"), at("/usr/e.c")];
    let results = Results { findings, ..Results::default() };
    let tool = Tool { folder: Some(Path::new("/project/sub")), ..tool() };
    let log: Value = serde_json::from_str(&sarif(&results, &tool, &Texts::new(&source))).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["originalUriBaseIds"][ROOT]["uri"], "file:///project/");
    let place =
        |row: &Value| row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    let places: Vec<Value> = run["results"].as_array().unwrap().iter().map(place).collect();
    let outside = ["file:///d.c", "file:///usr/e.c"];
    assert_eq!(places, ["sub/a.c", "b.c", "c.c", outside[0], outside[1]]);
}

#[test]
fn what_is_missing_becomes_a_notification() {
    let mut results = results();
    results.incomplete.push(Incomplete { what: Subject::Input, place: None, why: "absent".into() });
    let log = parsed(&results);
    let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notifications[0]["message"]["text"], "function `g`: too hard");
    assert_eq!(notifications[0]["descriptor"]["id"], "function");
    let physical = &notifications[0]["locations"][0]["physicalLocation"];
    assert_eq!(physical["region"], json!({ "startLine": 3, "startColumn": 5 }));
    assert_eq!(notifications[1]["locations"], Value::Null);
}

#[test]
fn what_a_code_host_would_refuse_is_cut_and_told() {
    let limits = Limits { results: 3, steps: 5 };
    let mut findings = vec![leak(); 4];
    findings[0].path = (1..=12).map(|line| step(Role::Decision, line)).collect();
    let results = Results { findings, ..results() };
    let log = log(&results, &tool(), &Texts::new(&source), limits);
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 3);
    let flow = &run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let numbers = flow.as_array().unwrap().iter().map(|row| row["executionOrder"].as_u64());
    assert_eq!(numbers.flatten().collect::<Vec<_>>(), [1, 2, 10, 11, 12]);
    let told = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    let texts: Vec<&str> = told.iter().filter_map(|row| row["message"]["text"].as_str()).collect();
    assert!(texts[1].starts_with("2 results left out"), "{texts:?}");
    assert!(texts[2].starts_with("7 steps of paths left out"), "{texts:?}");
}
