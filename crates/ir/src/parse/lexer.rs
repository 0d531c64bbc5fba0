//! Tokens of the text form. A line break is a token; blanks and `//` comments are not.

use crate::text::{continues_word, starts_word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    /// Starts with a digit; what number it is, the parser decides.
    Number(&'t str),
    /// What stands between the quotes, escapes included.
    Quoted(&'t str),
    Mark(&'static str),
    LineEnd,
    End,
    /// A byte that starts nothing, or an open quote.
    Bad,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token, and the bytes where it starts and ends.
    pub(super) fn next(&mut self) -> (Token<'t>, usize, usize) {
        self.skip_blanks();
        let start = self.at;
        let token = self.token();
        (token, start, self.at)
    }

    fn token(&mut self) -> Token<'t> {
        match self.byte(0) {
            None => Token::End,
            Some(b'\n') => self.line_end(),
            Some(b'"') => self.quoted(),
            Some(byte) if starts_word(byte) => Token::Word(self.take_while(continues_word)),
            Some(byte) if byte.is_ascii_digit() => self.number(),
            Some(_) => self.mark(),
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'t str {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|&byte| !keep(byte)).unwrap_or(rest.len());
        self.take(len)
    }

    fn take(&mut self, len: usize) -> &'t str {
        let start = self.at;
        self.at += len;
        // Every caller stops at an ASCII byte or at the end.
        self.text.get(start..self.at).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        while matches!(self.byte(0), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        if self.byte(0) == Some(b'/') && self.byte(1) == Some(b'/') {
            self.take_while(|byte| byte != b'\n');
        }
    }

    /// Several line breaks in a row are one.
    fn line_end(&mut self) -> Token<'t> {
        while self.byte(0) == Some(b'\n') {
            self.at += 1;
            self.skip_blanks();
        }
        Token::LineEnd
    }

    fn quoted(&mut self) -> Token<'t> {
        let mut len = 1;
        loop {
            match self.byte(len) {
                None | Some(b'\n') => return Token::Bad,
                Some(b'"') => break,
                Some(b'\\') => len += 2,
                Some(_) => len += 1,
            }
        }
        let whole = self.take(len + 1);
        Token::Quoted(whole.get(1..len).unwrap_or(""))
    }

    /// Nearly all numbers are digits alone.
    fn number(&mut self) -> Token<'t> {
        let mut len = 1;
        while self.byte(len).is_some_and(|byte| byte.is_ascii_digit()) {
            len += 1;
        }
        match self.byte(len) {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'.' => self.long_number(),
            _ => Token::Number(self.take(len)),
        }
    }

    /// Digits and letters, a fraction, and the sign of a decimal exponent.
    fn long_number(&mut self) -> Token<'t> {
        let hex = self.byte(0) == Some(b'0') && self.byte(1) == Some(b'x');
        let mut len = 1;
        while let Some(byte) = self.byte(len) {
            let after = self.byte(len + 1).is_some_and(|next| next.is_ascii_digit());
            let exponent = !hex && matches!(self.byte(len - 1), Some(b'e' | b'E'));
            let goes_on = byte.is_ascii_alphanumeric()
                || (byte == b'.' && after)
                || (matches!(byte, b'+' | b'-') && exponent && after);
            if !goes_on {
                break;
            }
            len += 1;
        }
        Token::Number(self.take(len))
    }

    /// The longest one.
    fn mark(&mut self) -> Token<'t> {
        let mark = match (self.byte(0), self.byte(1), self.byte(2)) {
            (Some(b'.'), Some(b'.'), Some(b'.')) => "...",
            (Some(b'.'), Some(b'.'), _) => "..",
            (Some(b'-'), Some(b'>'), _) => "->",
            (Some(b'<'), Some(b'-'), _) => "<-",
            (Some(byte), ..) => single_mark(byte),
            (None, ..) => "",
        };
        self.at += mark.len();
        if mark.is_empty() { Token::Bad } else { Token::Mark(mark) }
    }

    /// `12:5` or `12:5-20` right here, as most spans are spelled; none, and nothing is taken, if
    /// anything else stands here.
    pub(super) fn plain_span(&mut self) -> Option<PlainSpan> {
        let (line, at) = self.digits(self.at)?;
        let (column, at) = self.digits(self.after(at, b':')?)?;
        let end = self.after(at, b'-').and_then(|at| self.digits(at));
        let end = end.filter(|&(_, at)| self.text.as_bytes().get(at) != Some(&b':'));
        self.at = end.map_or(at, |(_, at)| at);
        Some(PlainSpan { line, column, end_column: end.map(|(column, _)| column) })
    }

    fn after(&self, at: usize, byte: u8) -> Option<usize> {
        (self.text.as_bytes().get(at) == Some(&byte)).then_some(at + 1)
    }

    /// A number of digits alone, and where it ends.
    fn digits(&self, start: usize) -> Option<(u32, usize)> {
        let (bytes, mut at, mut number) = (self.text.as_bytes(), start, 0_u32);
        while let Some(byte) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
            number = number.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?;
            at += 1;
        }
        let goes_on = bytes.get(at).is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'.');
        (at > start && !goes_on).then_some((number, at))
    }
}

/// A span whose file is the one of the text, and that no macro made.
pub(super) struct PlainSpan {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_column: Option<u32>,
}

/// Empty if it is none.
fn single_mark(byte: u8) -> &'static str {
    match byte {
        b':' => ":",
        b',' => ",",
        b'(' => "(",
        b')' => ")",
        b'[' => "[",
        b']' => "]",
        b'{' => "{",
        b'}' => "}",
        b'=' => "=",
        b'?' => "?",
        b'.' => ".",
        b'@' => "@",
        b'~' => "~",
        b'-' => "-",
        b'+' => "+",
        b'*' => "*",
        b'/' => "/",
        _ => "",
    }
}

/// The bytes that a quoted text stands for; none if an escape is malformed.
pub(super) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'0' => 0,
            b'x' => hex_byte(bytes.next()?, bytes.next()?)?,
            quoted @ (b'"' | b'\\') => quoted,
            _ => return None,
        });
    }
    Some(out)
}

/// The bytes that hexadecimal digits stand for.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| hex_byte(pair[0], *pair.get(1)?)).collect()
}

fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| match lexer.next().0 {
            Token::End | Token::Bad => None,
            token => Some(token),
        })
        .collect()
    }

    #[test]
    fn ranges_floats_and_spans_are_told_apart() {
        use Token::{Mark, Number};
        assert_eq!(tokens("3..5"), [Number("3"), Mark(".."), Number("5")]);
        assert_eq!(tokens("2.5e-7"), [Number("2.5e-7")]);
        assert_eq!(tokens("1e300"), [Number("1e300")]);
        assert_eq!(tokens("5-20"), [Number("5"), Mark("-"), Number("20")]);
        assert_eq!(tokens("0x1e-3"), [Number("0x1e"), Mark("-"), Number("3")]);
    }

    #[test]
    fn a_span_is_taken_whole_or_not_at_all() {
        let taken = |text| {
            let mut lexer = Lexer::new(text);
            let span = lexer.plain_span().map(|span| (span.line, span.column, span.end_column));
            (span, lexer.at)
        };
        assert_eq!(taken("12:5"), (Some((12, 5, None)), 4));
        assert_eq!(taken("12:5-20~file1:3:9"), (Some((12, 5, Some(20))), 7));
        assert_eq!(taken("12:5-13:2"), (Some((12, 5, None)), 4));
        assert_eq!(taken("12:5 -20"), (Some((12, 5, None)), 4));
        for other in ["file1:12:5", "12", "12:", "12:5.5", "12:5x", "4294967296:1", ""] {
            assert_eq!(taken(other), (None, 0), "{other}");
        }
    }

    #[test]
    fn comments_and_blank_lines_vanish() {
        let lines = [Token::Word("a"), Token::LineEnd, Token::Word("b")];
        assert_eq!(tokens("a // note\n\n  // more\n\nb"), lines);
    }

    #[test]
    fn quotes_end_on_their_line() {
        assert_eq!(tokens(r#""a\"b" c"#), [Token::Quoted(r#"a\"b"#), Token::Word("c")]);
        assert_eq!(tokens("\"a\nb\""), []);
        assert_eq!(unescape(r"\x41\0\n\\"), Some(b"A\0\n\\".to_vec()));
        assert_eq!(unescape(r"\q"), None);
        assert_eq!(unescape(r"\x4"), None);
    }
}
