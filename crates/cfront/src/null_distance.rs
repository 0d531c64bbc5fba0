//! `((char *)p) - ((char *)0)` as `(long)((char *)p)`.
//!
//! This is how programs wrote `offsetof` before it was a macro of the language, and gcc takes it
//! in a static initialiser. The checker does not fold the distance of two addresses that are
//! numbers, and loses the whole initialiser; it does fold the cast.

use rucc_base::Interner;
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// Rewrites every distance from a null `char` pointer.
pub(crate) fn rewrite(tokens: &mut Vec<PpToken>, names: &Interner) {
    let words = Words { names };
    let mut at = 0;
    while at < tokens.len() {
        if let Some(found) = words.distance(tokens, at) {
            words.replace(tokens, &found);
        }
        at += 1;
    }
}

/// The left side begins at `start`, the minus stands at `minus`, the null pointer ends before
/// `end`.
struct Distance {
    start: usize,
    minus: usize,
    end: usize,
}

struct Words<'a> {
    names: &'a Interner,
}

impl Words<'_> {
    fn distance(&self, tokens: &[PpToken], minus: usize) -> Option<Distance> {
        if !is(tokens, minus, Punct::Minus) || !is(tokens, minus.checked_sub(1)?, Punct::RParen) {
            return None;
        }
        let end = self.null_pointer(tokens, minus + 1)?;
        let bracket = opening(tokens, minus - 1)?;
        let start = if self.char_cast(tokens, bracket + 1).is_some() {
            bracket
        } else {
            self.cast_before(tokens, bracket)?
        };
        Some(Distance { start, minus, end })
    }

    /// Where the `(char *)` begins that stands right before `at`.
    fn cast_before(&self, tokens: &[PpToken], at: usize) -> Option<usize> {
        let start = at.checked_sub(4)?;
        (self.char_cast(tokens, start)? == at).then_some(start)
    }

    /// `(char *)0`, with or without brackets around either part; the index after it.
    fn null_pointer(&self, tokens: &[PpToken], at: usize) -> Option<usize> {
        if let Some(after) = self.char_cast(tokens, at) {
            return self.zero(tokens, after);
        }
        let after = self.char_cast(tokens, open(tokens, at)?)?;
        close(tokens, self.zero(tokens, after)?)
    }

    /// `(char *)`; the index after it.
    fn char_cast(&self, tokens: &[PpToken], at: usize) -> Option<usize> {
        self.pointer_cast(tokens, at, "char")
    }

    fn pointer_cast(&self, tokens: &[PpToken], at: usize, word: &str) -> Option<usize> {
        let at = open(tokens, at)?;
        let star = at + 1;
        (self.spells(tokens.get(at)?, word) && is(tokens, star, Punct::Star)).then_some(())?;
        close(tokens, star + 1)
    }

    /// `0`, `(0)`, `(void *)0` or `((void *)0)`; the index after it.
    fn zero(&self, tokens: &[PpToken], at: usize) -> Option<usize> {
        if self.is_zero(tokens.get(at)?) {
            return Some(at + 1);
        }
        if let Some(after) = self.pointer_cast(tokens, at, "void") {
            return self.is_zero(tokens.get(after)?).then_some(after + 1);
        }
        let inside = open(tokens, at)?;
        let after = self.pointer_cast(tokens, inside, "void").unwrap_or(inside);
        if !self.is_zero(tokens.get(after)?) {
            return None;
        }
        close(tokens, after + 1)
    }

    fn is_zero(&self, token: &PpToken) -> bool {
        token.kind == PpTokenKind::Number
            && token.value.is_some_and(|value| self.names.resolve(value) == "0")
    }

    fn spells(&self, token: &PpToken, word: &str) -> bool {
        token.kind == PpTokenKind::Ident
            && token.value.is_some_and(|value| self.names.resolve(value) == word)
    }

    fn replace(&self, tokens: &mut Vec<PpToken>, found: &Distance) {
        let Some(long) = self.names.find("long") else { return };
        tokens.drain(found.minus..found.end);
        let bracket = tokens[found.start];
        let word = PpToken { kind: PpTokenKind::Ident, value: Some(long), ..bracket };
        let end = PpToken { kind: PpTokenKind::Punct(Punct::RParen), ..bracket };
        tokens.splice(found.start..found.start, [bracket, word, end]);
    }
}

fn is(tokens: &[PpToken], at: usize, punct: Punct) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == PpTokenKind::Punct(punct))
}

fn open(tokens: &[PpToken], at: usize) -> Option<usize> {
    is(tokens, at, Punct::LParen).then_some(at + 1)
}

fn close(tokens: &[PpToken], at: usize) -> Option<usize> {
    is(tokens, at, Punct::RParen).then_some(at + 1)
}

/// The bracket that the one at `close` closes.
fn opening(tokens: &[PpToken], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        if is(tokens, at, Punct::RParen) {
            depth += 1;
        } else if is(tokens, at, Punct::LParen) {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}
