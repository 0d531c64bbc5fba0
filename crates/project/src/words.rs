//! Cutting text into words: a shell's way for `command` strings, gcc's way for response files.
//!
//! Neither expands anything (`$X`, `*`, backquotes): compile databases hold what was run, not
//! what was typed. Operators count only when they stand alone and unquoted, because many
//! databases are written without quoting `<`, `;` or `&` inside a word.

use std::ffi::OsString;

use crate::paths::os;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub text: OsString,
    /// Nothing in it was quoted or escaped, so it may be an operator.
    pub plain: bool,
}

/// The words of a POSIX shell command. An unclosed quote ends at the end of the text.
pub(crate) fn split_shell(text: &[u8]) -> Vec<Word> {
    Splitter { rest: text, escapes_in_double: b"$`\"\\\n", drop_escaped_newline: true }.words()
}

/// The words of a response file: in gcc a backslash escapes any character, inside quotes too.
pub(crate) fn split_response(text: &[u8]) -> Vec<OsString> {
    let splitter = Splitter { rest: text, escapes_in_double: &[], drop_escaped_newline: false };
    splitter.words().into_iter().map(|word| word.text).collect()
}

struct Splitter<'a> {
    rest: &'a [u8],
    /// What a backslash escapes between double quotes; empty means everything in any quotes.
    escapes_in_double: &'static [u8],
    drop_escaped_newline: bool,
}

impl Splitter<'_> {
    fn words(mut self) -> Vec<Word> {
        let mut words = Vec::new();
        while let Some(word) = self.next_word() {
            words.push(word);
        }
        words
    }

    fn take(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn next_word(&mut self) -> Option<Word> {
        let mut word = Vec::new();
        let mut plain = true;
        let mut started = false;
        while let Some(byte) = self.take() {
            match byte {
                b'\'' | b'"' => {
                    plain = false;
                    self.quoted(byte, &mut word);
                }
                b'\\' if self.escaped(&mut word) => plain = false,
                b'\\' => continue,
                byte if is_blank(byte) && started => break,
                byte if is_blank(byte) => continue,
                byte => word.push(byte),
            }
            started = true;
        }
        started.then(|| Word { text: os(&word), plain })
    }

    /// What follows a backslash outside quotes; false for a line continuation.
    fn escaped(&mut self, word: &mut Vec<u8>) -> bool {
        match self.take() {
            Some(b'\n') if self.drop_escaped_newline => false,
            Some(byte) => {
                word.push(byte);
                true
            }
            None => {
                word.push(b'\\');
                true
            }
        }
    }

    fn quoted(&mut self, quote: u8, word: &mut Vec<u8>) {
        while let Some(byte) = self.take() {
            match byte {
                byte if byte == quote => return,
                b'\\' if self.escapes_everywhere() => word.extend(self.take()),
                b'\\' if quote == b'"' => self.escaped_in_double(word),
                byte => word.push(byte),
            }
        }
    }

    fn escapes_everywhere(&self) -> bool {
        self.escapes_in_double.is_empty()
    }

    fn escaped_in_double(&mut self, word: &mut Vec<u8>) {
        match self.rest.first() {
            Some(next) if self.escapes_in_double.contains(next) => {
                let next = *next;
                self.take();
                if next != b'\n' {
                    word.push(next);
                }
            }
            _ => word.push(b'\\'),
        }
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> Vec<String> {
        split_shell(text.as_bytes())
            .into_iter()
            .map(|word| word.text.into_string().unwrap())
            .collect()
    }

    fn response(text: &str) -> Vec<String> {
        split_response(text.as_bytes())
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect()
    }

    #[test]
    fn shell_quotes_and_escapes() {
        assert_eq!(shell("cc  -c\ta.c\n"), ["cc", "-c", "a.c"]);
        assert_eq!(shell(r#"cc -DX=\"a\ b\" 'c d'e"#), ["cc", "-DX=\"a b\"", "c de"]);
        assert_eq!(shell(r#""a\"b\c\\" 'x\y'"#), [r#"a"b\c\"#, r"x\y"]);
        assert_eq!(shell("a '' b"), ["a", "", "b"]);
        assert_eq!(shell("a \\\n b\\\nc"), ["a", "bc"]);
        assert_eq!(shell("'never closed"), ["never closed"]);
        assert_eq!(shell("end\\"), ["end\\"]);
        assert_eq!(shell(" \n "), [""; 0]);
    }

    #[test]
    fn only_bare_words_are_plain() {
        let plain: Vec<_> =
            split_shell(b"a && '&&' \\;").into_iter().map(|word| word.plain).collect();
        assert_eq!(plain, [true, true, false, false]);
    }

    #[test]
    fn response_files_escape_inside_quotes() {
        assert_eq!(response("-DA -I'x y'\n\"a\\\"b\""), ["-DA", "-Ix y", "a\"b"]);
        assert_eq!(response(r"'a\'b' c\\d"), ["a'b", r"c\d"]);
        assert_eq!(response("a\\ b"), ["a b"]);
    }
}
