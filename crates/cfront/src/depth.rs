//! How deep the stages would recurse.
//!
//! The stages are recursive and an overflowing stack ends the process, so hostile nesting must be
//! found before they run. Every level of recursion eats at least one token, hence an upper bound:
//! at each point, the names and operators since the last place where an expression or statement
//! ended, summed over the open brackets. `else` chains cross such places and are counted apart.

use rucc_base::{Interner, Symbol};
use rucc_lex::{PpToken, PpTokenKind, Punct};

use crate::scan;

/// The line on which a file's round brackets nest deeper than `limit`. Only they matter to the
/// preprocessor: an argument is expanded by recursion.
pub(crate) fn deep_line(bytes: &[u8], limit: usize) -> Option<u32> {
    if scan::count(bytes, b'(') <= limit {
        return None;
    }
    let (mut depth, mut line) = (0_usize, 1);
    for &byte in bytes {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if depth > limit {
            return Some(line);
        }
    }
    None
}

/// The first token at which the stages may be more than `limit` levels deep.
pub(crate) fn deep_token(tokens: &[PpToken], names: &Interner, limit: usize) -> Option<usize> {
    let mut gauge = Gauge::new(names);
    tokens.iter().position(|token| gauge.step(token) > limit)
}

/// What is open between two brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Names and operators since the last end of an expression or statement.
    chain: usize,
    /// `else` after `else`, without another statement between.
    elses: usize,
    /// Commas end expressions here: the level is one of `{}`.
    braces: bool,
    /// A statement may have ended with the last token.
    ended: bool,
    /// The chain before a `}`: what goes on with an operator was no statement but a literal.
    held: usize,
}

struct Gauge {
    levels: Vec<Level>,
    current: Level,
    /// Of all levels but the current.
    outer: usize,
    word_else: Option<Symbol>,
}

impl Gauge {
    fn new(names: &Interner) -> Self {
        let current = Level { braces: true, ..Level::default() };
        Self { levels: Vec::new(), current, outer: 0, word_else: names.find("else") }
    }

    /// Takes a token and tells how deep the stages may be at it.
    fn step(&mut self, token: &PpToken) -> usize {
        match token.kind {
            PpTokenKind::Punct(punct) => self.punct(punct),
            PpTokenKind::Ident => self.name(token.value),
            _ => self.current.ended = false,
        }
        self.outer + self.current.chain + self.current.elses
    }

    fn punct(&mut self, punct: Punct) {
        match punct {
            Punct::LParen | Punct::LBracket => self.open(false),
            Punct::LBrace => self.open(true),
            Punct::RParen | Punct::RBracket => self.close(false),
            Punct::RBrace => self.close(true),
            Punct::Semi => self.end_statement(),
            Punct::Comma if self.current.braces => {
                self.current.chain = 0;
                self.current.held = 0;
            }
            _ => self.operator(),
        }
    }

    fn name(&mut self, name: Option<Symbol>) {
        if name.is_some() && name == self.word_else {
            self.current.elses += 1;
            self.current.ended = false;
        }
        self.extend();
    }

    fn operator(&mut self) {
        self.current.chain += std::mem::take(&mut self.current.held);
        self.extend();
    }

    fn extend(&mut self) {
        if self.current.ended {
            self.current.ended = false;
            self.current.elses = 0;
        }
        self.current.held = 0;
        self.current.chain += 1;
    }

    fn open(&mut self, braces: bool) {
        if braces { self.extend() } else { self.operator() }
        self.outer += self.current.chain + self.current.elses;
        let opened = Level { braces, ..Level::default() };
        self.levels.push(std::mem::replace(&mut self.current, opened));
    }

    fn close(&mut self, braces: bool) {
        let Some(level) = self.levels.pop() else { return };
        self.outer -= level.chain + level.elses;
        self.current = level;
        if braces {
            let chain = self.current.chain;
            self.end_statement();
            self.current.held = chain;
        }
    }

    fn end_statement(&mut self) {
        self.current.chain = 0;
        self.current.held = 0;
        self.current.ended = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(text: &str) -> usize {
        let mut names = Interner::new();
        let (tokens, _) =
            rucc_lex::tokenize(text.as_bytes(), 0, rucc_lex::Options::new(), &mut names);
        let mut gauge = Gauge::new(&names);
        tokens.iter().map(|token| gauge.step(token)).max().unwrap_or(0)
    }

    #[test]
    fn chains_count_and_lists_do_not() {
        let chain = format!("int x = a{};", "+a".repeat(1000));
        assert!(depth(&chain) >= 1000);
        let list = format!("int x[] = {{ 1{} }};", ",1+2".repeat(1000));
        assert!(depth(&list) < 20);
        let statements = "void f(void) { ".to_owned() + &"g(1, 2); ".repeat(1000) + "}";
        assert!(depth(&statements) < 20);
        let strings = format!("char x[] = {};", "\"a\" ".repeat(1000));
        assert!(depth(&strings) < 20);
    }

    #[test]
    fn else_chains_cross_statements() {
        let chain = "if (a) b(); ".to_owned() + &"else if (a) { b(); } ".repeat(1000);
        assert!(depth(&chain) >= 1000);
        let apart = "if (a) b(); else c(); ".repeat(1000);
        assert!(depth(&apart) < 20);
    }

    #[test]
    fn compound_literals_do_not_hide_a_chain() {
        let chain = format!("x = a{};", "+(T){1}".repeat(1000));
        assert!(depth(&chain) >= 1000);
        let blocks = "if (x) { y(); } ".repeat(1000);
        assert!(depth(&blocks) < 20);
    }

    #[test]
    fn brackets_sum_their_levels() {
        assert!(depth(&"(".repeat(500)) >= 500);
        assert!(depth(&"1+(".repeat(500)) >= 1000);
        assert!(depth(&"(1);".repeat(500)) < 10);
    }

    #[test]
    fn a_deep_line_is_named() {
        let text = "x\n".to_owned() + &"(".repeat(50) + "\n" + &")".repeat(50);
        assert_eq!(deep_line(text.as_bytes(), 49), Some(2));
        assert_eq!(deep_line(text.as_bytes(), 50), None);
        assert_eq!(deep_line("()".repeat(100).as_bytes(), 50), None);
    }
}
