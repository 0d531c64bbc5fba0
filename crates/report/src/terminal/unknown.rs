//! The functions whose effects would sharpen the result most, and how to tell caulk of them.

use crate::numbers::count;
use crate::style::{Style, printable};

/// Functions that are listed unless all are asked for.
const SHOWN: usize = 5;

/// The section of the report; empty if every function that mattered is known.
pub fn section(unknown: &[(String, u64)], style: &Style) -> String {
    if unknown.is_empty() {
        return String::new();
    }
    let shown = if style.all { unknown.len() } else { unknown.len().min(SHOWN) };
    let functions = count(unknown.len(), "function", "functions");
    let title = style.heading("Unknown functions:");
    let mut text = format!("\n{title} objects ended in {functions} without body or model.\n");
    text += "The most important, as a file for --models to fill in:\n\n";
    text += &indented(&model_stub(&unknown[..shown]));
    if shown < unknown.len() {
        text += &format!("  # … and {} more; --verbose lists all\n", unknown.len() - shown);
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// A model file with a line for each function. As it stands it says that they do nothing with
/// what they get; docs/models.md has what else can be said.
#[must_use]
pub fn model_stub(unknown: &[(String, u64)]) -> String {
    let width = unknown.iter().map(|(name, _)| key(name).len()).max().unwrap_or(0);
    let row = |(name, objects): &(String, u64)| {
        let objects = count(usize::try_from(*objects).unwrap_or(usize::MAX), "object", "objects");
        format!("{:<width$} = {{ }}  # {objects}\n", key(name))
    };
    let rows: String = unknown.iter().map(row).collect();
    format!(
        "# {{ }}: only looks at its arguments. Else what is true (docs/models.md):\n\
         # {{ keeps = 1 }}, {{ frees = 1 }}, {{ allocates = \"memory\" }}, {{ returns = 1 }}, …\n\
         [functions]\n{rows}"
    )
}

/// A key of TOML.
fn key(name: &str) -> String {
    let is_bare = |ch: char| ch.is_ascii_alphanumeric() || ch == '_' || ch == '-';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => format!("{:?}", printable(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stub_is_a_file_of_models() {
        let stub = model_stub(&[("ev_io_start".into(), 7), ("f".into(), 1)]);
        assert!(stub.ends_with(
            "[functions]\nev_io_start = { }  # 7 objects\nf           = { }  # 1 object\n"
        ));
    }

    #[test]
    fn only_the_most_important_are_listed() {
        let many: Vec<(String, u64)> = (0..9).map(|n| (format!("f{n}"), 9 - n)).collect();
        let text = section(&many, &Style::default());
        assert!(text.contains("  f4 = { }  # 5 objects\n  # … and 4 more"), "{text}");
        assert!(section(&many, &Style { all: true, ..Style::default() }).contains("f8"));
        assert_eq!(section(&[], &Style::default()), "");
    }
}
