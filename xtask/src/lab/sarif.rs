//! Reads SARIF logs, which both clang and caulk write, as far as findings need it.

use serde_json::Value;

/// A result with the steps that lead to it.
pub struct Reported {
    pub rule: String,
    pub message: String,
    pub place: Place,
    pub steps: Vec<(String, Place)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// As the log names it, decoded.
    pub file: String,
    pub line: u32,
}

impl Reported {
    /// The line of a step in the same file.
    pub fn line_of(&self, step: Option<&(String, Place)>) -> Option<u32> {
        let place = &step?.1;
        (place.file == self.place.file).then_some(place.line)
    }
}

/// The results of the first run; none if the text is no log.
pub fn read(text: &str) -> Vec<Reported> {
    let Ok(log) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    results.iter().filter_map(reported).collect()
}

fn reported(result: &Value) -> Option<Reported> {
    let location = &result["locations"][0];
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    let step = |step: &Value| {
        let message = step["location"]["message"]["text"].as_str()?;
        Some((message.to_string(), place(&step["location"])?))
    };
    Some(Reported {
        rule: result["ruleId"].as_str()?.into(),
        message: result["message"]["text"].as_str()?.into(),
        place: place(location)?,
        steps: steps.into_iter().flatten().filter_map(step).collect(),
    })
}

fn place(location: &Value) -> Option<Place> {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str()?;
    let line = u32::try_from(place["region"]["startLine"].as_u64()?).ok()?;
    Some(Place { file: decoded(uri.strip_prefix("file://").unwrap_or(uri)), line })
}

/// Bytes written as `%2B`.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_are_decoded() {
        assert_eq!(decoded("/a%2Bb%20c/%zz%"), "/a+b c/%zz%");
    }

    #[test]
    fn steps_in_other_files_have_no_line_here() {
        let at = |file: &str, line| Place { file: file.into(), line };
        let reported = Reported {
            rule: String::new(),
            message: String::new(),
            place: at("a.c", 9),
            steps: vec![("x".into(), at("a.c", 3)), ("y".into(), at("b.c", 4))],
        };
        assert_eq!(reported.line_of(reported.steps.first()), Some(3));
        assert_eq!(reported.line_of(reported.steps.last()), None);
        assert_eq!(reported.line_of(None), None);
    }

    #[test]
    fn what_is_no_log_has_no_results() {
        assert!(read("").is_empty() && read("{}").is_empty());
    }
}
