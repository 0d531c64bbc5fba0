//! The page as text. What a browser makes of it is in `tests/html/browser.sh`.

use std::path::Path;

use caulk_finding::{Finding, Incomplete, Location, Suggestion};
use serde_json::Value;

use super::*;
use crate::sample::{leak, results, source, tool};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'--><!--&";

/// A run in which everything that comes from outside is hostile.
fn hostile() -> Results {
    let mut finding = leak();
    let place = Location::point(Path::new(HOSTILE), 1, 1);
    for text in [
        &mut finding.message,
        &mut finding.reason,
        &mut finding.resource,
        &mut finding.function,
        &mut finding.fingerprint,
    ] {
        *text = HOSTILE.into();
    }
    finding.primary = place.clone();
    finding.path.iter_mut().for_each(|step| step.message = HOSTILE.into());
    finding.path[0].location = place.clone();
    finding.suggestion = Some(Suggestion { location: place.clone(), code: HOSTILE.into() });
    let mut results = results();
    let why = HOSTILE.to_owned();
    results.incomplete.push(Incomplete {
        place: Some(place),
        why,
        ..results.incomplete[0].clone()
    });
    results.unknown.push((HOSTILE.into(), 1));
    Results { findings: vec![finding], ..results }
}

fn page(results: &Results) -> String {
    let hostile = |path: &Path| match path == Path::new(HOSTILE) {
        true => Some(HOSTILE.as_bytes().into()),
        false => source(path),
    };
    html(results, &tool(), &Texts::new(&hostile))
}

/// The JSON in the page.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let page = page(&hostile());
    let count = |text: &str| page.matches(text).count();
    assert_eq!((count("<script"), count("</script")), (2, 2));
    assert_eq!((count("<img"), count("<!--"), count("-->")), (0, 0, 0));
    let data = data_of(&page);
    assert_eq!(data["findings"][0]["message"], HOSTILE);
    assert_eq!(data["findings"][0]["excerpts"][0]["lines"][0][1], HOSTILE);
}

#[test]
fn nothing_is_loaded() {
    let page = page(&results());
    for word in ["http:", "https:", "src=", "url(", "@import", "innerHTML", "eval("] {
        let allowed = page.replace("http://www.w3.org/2000/svg", "").replace("url(#head)", "");
        assert!(!allowed.contains(word), "{word}");
    }
    assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--") && !STYLE.contains('<'));
}

#[test]
fn the_data_has_what_the_page_shows() {
    let data = data_of(&page(&results()));
    let finding = &data["findings"][0];
    assert_eq!(finding["place"], "list.c:5:15");
    assert_eq!(finding["steps"][2]["role"], "decision");
    assert!(data["kinds"][finding["kind"].as_str().unwrap()]["fix"].is_string());
    assert_eq!(data["findings"][1]["suppressed"]["reason"], "checked by hand");
    assert_eq!(data["classes"][0][1], 2);
    assert!(data["stub"].as_str().unwrap().contains("add = { }"));
}

#[test]
fn without_script_there_is_a_list() {
    let page = page(&Results { findings: vec![leak(); 3], ..Results::default() });
    assert_eq!(page.matches("<li><code>list.c:5:15</code>").count(), 3);
}

#[test]
fn a_run_without_findings_is_a_page() {
    assert_eq!(data_of(&page(&Results::default()))["findings"], serde_json::json!([]));
    let bare = Finding { path: Vec::new(), suggestion: None, ..leak() };
    let bare = Results { findings: vec![bare], ..Results::default() };
    assert_eq!(data_of(&page(&bare))["findings"][0]["excerpts"], serde_json::json!([]));
}
