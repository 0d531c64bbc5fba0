//! Colours, if asked for.

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

    fn wrap(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Text from source files without what would steer a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let escape = |ch: char| match ch.is_control() {
        true => ch.escape_default().to_string(),
        false => ch.to_string(),
    };
    text.chars().map(escape).collect()
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
