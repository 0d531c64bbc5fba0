//! Colours, if asked for.

use caulk_finding::Role;

/// What the terminal text looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
    /// List everything, however much it is.
    pub all: bool,
}

impl Style {
    pub(crate) fn heading(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(crate) fn warning(&self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    pub(crate) fn place(&self, text: &str) -> String {
        self.wrap("36", text)
    }

    pub(crate) fn help(&self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// What holds the picture together, and should not be looked at.
    pub(crate) fn frame(&self, text: &str) -> String {
        self.wrap("34", text)
    }

    pub(crate) fn role(&self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Allocation => "1;32",
            Role::Flow | Role::Decision | Role::Along => "1;34",
            Role::Release => "1;35",
            Role::Loss => "1;31",
        };
        self.wrap(code, text)
    }

    fn wrap(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Text from source files without what would steer a terminal, or make text look like another.
#[must_use]
pub fn printable(text: &str) -> String {
    if !text.chars().any(steers) {
        return text.to_owned();
    }
    let escape = |ch: char| match steers(ch) {
        true => ch.escape_default().to_string(),
        false => ch.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Control characters, and those that change the direction or the lines of text.
fn steers(ch: char) -> bool {
    let turns =
        matches!(ch, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    ch.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(printable("ä\x1b[1m\0\n"), "ä\\u{1b}[1m\\u{0}\\n");
    }

    #[test]
    fn colours_only_if_asked() {
        assert_eq!(Style::default().heading("a"), "a");
        let style = Style { colour: true, all: false };
        assert_eq!(style.heading("a"), "\x1b[1ma\x1b[0m");
    }
}
