//! Text that cannot become markup or code.

/// For element content and for quoted attributes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // Not allowed in HTML, not even by number.
            '\0' => out.push(char::REPLACEMENT_CHARACTER),
            ch => out.push(ch),
        }
    }
    out
}

/// JSON inside a `script` element. A browser looks for `</script` and `<!--` there before anybody
/// reads the JSON; in it these characters stand only in strings, where they can be escaped.
pub fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for ch in json.chars() {
        match ch {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out += &format!("\\u{:04x}", u32::from(ch));
            }
            ch => out.push(ch),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("<b a=\"'\">&\0"), "&lt;b a=&quot;&#39;&quot;&gt;&amp;\u{fffd}");
    }

    #[test]
    fn a_script_element_cannot_be_left() {
        let value = json!({ "</script><!--": "<script>&\u{2028}]]>" });
        let text = in_script(&value.to_string());
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
