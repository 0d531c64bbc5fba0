//! What the terminal can show, and messages to it.

use std::env;
use std::io::{IsTerminal, Write, stderr, stdout};

/// A message for people. Nothing can be done if nobody listens.
pub fn complain(message: &str) {
    let _ = writeln!(stderr(), "{message}");
}

/// Whether text on standard output is coloured.
pub fn stdout_colours() -> bool {
    wants_colours(&|name| env::var(name).ok(), stdout().is_terminal())
}

/// Whether text on standard output has hyperlinks. Terminals that do not know them leave them out,
/// except for the console of Linux.
pub fn stdout_links() -> bool {
    stdout().is_terminal() && stdout_colours() && env::var("TERM").as_deref() != Ok("linux")
}

/// Whether a line that updates itself makes sense on standard error.
pub fn stderr_updates() -> bool {
    stderr().is_terminal() && !is_dumb(&|name| env::var(name).ok())
}

type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The conventions of <https://no-color.org> and <https://bixense.com/clicolors>.
fn wants_colours(variable: Variables<'_>, terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") {
        return true;
    }
    terminal && variable("CLICOLOR").as_deref() != Some("0") && !is_dumb(variable)
}

fn is_dumb(variable: Variables<'_>) -> bool {
    variable("TERM").as_deref() == Some("dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(variables: &[(&str, &str)], terminal: bool) -> bool {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        wants_colours(&find, terminal)
    }

    #[test]
    fn colours_follow_the_conventions() {
        assert!(colours(&[], true) && !colours(&[], false));
        assert!(!colours(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(colours(&[("NO_COLOR", "")], true));
        assert!(colours(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!colours(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!colours(&[("CLICOLOR", "0")], true) && !colours(&[("TERM", "dumb")], true));
    }
}
