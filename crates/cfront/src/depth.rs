//! How deep the stages would recurse.
//!
//! The stages are recursive and an overflowing stack ends the process, so hostile nesting must be
//! found before they run. Every level of recursion eats at least one token, hence an upper bound:
//! at each point, the names and operators since the last place where an expression or statement
//! ended, summed over the open brackets. `else` chains cross such places and are counted apart.

use memchr::{memchr, memmem};
use rucc_base::{Interner, Symbol};
use rucc_lex::{PpToken, PpTokenKind, Punct};

use crate::scan;

/// The line on which a file's round brackets nest deeper than `limit`, outside of strings and
/// comments. Only they matter to the preprocessor: an argument is expanded by recursion, and each
/// level copies its text.
pub(crate) fn deep_line(bytes: &[u8], limit: usize) -> Option<u32> {
    if scan::count(bytes, b'(') <= limit {
        return None;
    }
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'(' if depth == limit => return Some(line_of(bytes, at)),
            b'(' => {
                depth += 1;
                1
            }
            b')' => {
                depth = depth.saturating_sub(1);
                1
            }
            b'/' | b'"' | b'\'' => quiet_length(&bytes[at..]),
            _ => 1,
        };
    }
    None
}

fn line_of(bytes: &[u8], at: usize) -> u32 {
    u32::try_from(scan::count(&bytes[..at], b'\n')).map_or(u32::MAX, |lines| lines + 1)
}

/// The length of the comment or literal that `text` begins with; 1 for all else.
fn quiet_length(text: &[u8]) -> usize {
    match text {
        [b'/', b'*', rest @ ..] => memmem::find(rest, b"*/").map_or(text.len(), |end| end + 4),
        [b'/', b'/', rest @ ..] => memchr(b'\n', rest).map_or(text.len(), |end| end + 2),
        [quote @ (b'"' | b'\''), ..] => literal_length(text, *quote),
        _ => 1,
    }
}

/// A literal ends at its quote, or with its line: an apostrophe may stand in skipped text.
fn literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
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
    /// Commas end expressions here, as in an initialiser; elsewhere they may be operators.
    list: bool,
    /// Opened right after a name: a call, a condition, parameters.
    named: bool,
    /// A statement may have ended with the last token.
    ended: bool,
    /// The chain before a `}`: what goes on with an operator was no statement but a literal.
    held: usize,
}

/// The token before the current one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Name,
    /// `else` or `do`.
    Clause,
    /// The `)` of a level that was opened after a name.
    NamedClose,
    Punct(Punct),
    Literal,
}

struct Gauge {
    levels: Vec<Level>,
    current: Level,
    /// Of all levels but the current.
    outer: usize,
    last: Last,
    word_else: Option<Symbol>,
    word_do: Option<Symbol>,
}

impl Gauge {
    fn new(names: &Interner) -> Self {
        Self {
            levels: Vec::new(),
            current: Level { list: true, ..Level::default() },
            outer: 0,
            last: Last::Punct(Punct::Semi),
            word_else: names.find("else"),
            word_do: names.find("do"),
        }
    }

    /// Takes a token and tells how deep the stages may be at it.
    fn step(&mut self, token: &PpToken) -> usize {
        self.last = match token.kind {
            PpTokenKind::Punct(punct) => self.punct(punct),
            PpTokenKind::Ident => self.name(token.value),
            _ => {
                self.current.ended = false;
                Last::Literal
            }
        };
        self.outer + self.current.chain + self.current.elses
    }

    fn punct(&mut self, punct: Punct) -> Last {
        match punct {
            Punct::LParen | Punct::LBracket => {
                self.operator();
                self.open(false);
            }
            Punct::LBrace => {
                let list = self.opens_list();
                self.extend();
                self.open(list);
            }
            Punct::RParen | Punct::RBracket if self.close() => return Last::NamedClose,
            Punct::RParen | Punct::RBracket => {}
            Punct::RBrace => self.close_brace(),
            Punct::Semi => self.end_statement(),
            Punct::Comma if self.current.list => {
                self.current.chain = 0;
                self.current.held = 0;
            }
            _ => self.operator(),
        }
        Last::Punct(punct)
    }

    fn name(&mut self, name: Option<Symbol>) -> Last {
        let is_else = name.is_some() && name == self.word_else;
        if is_else {
            self.current.elses += 1;
            self.current.ended = false;
        }
        self.extend();
        if is_else || name.is_some() && name == self.word_do { Last::Clause } else { Last::Name }
    }

    /// Whether a `{` here begins a list (an initialiser, enumerators, members) and not a block.
    fn opens_list(&self) -> bool {
        match self.last {
            Last::Clause | Last::NamedClose => false,
            Last::Punct(Punct::Semi | Punct::RBrace | Punct::Colon | Punct::LParen) => false,
            Last::Punct(Punct::LBrace) => self.current.list,
            Last::Name | Last::Literal | Last::Punct(_) => true,
        }
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

    fn open(&mut self, list: bool) {
        self.outer += self.current.chain + self.current.elses;
        let opened = Level { list, named: self.last == Last::Name, ..Level::default() };
        self.levels.push(std::mem::replace(&mut self.current, opened));
    }

    /// Whether the level that ends was opened after a name.
    fn close(&mut self) -> bool {
        let Some(level) = self.levels.pop() else { return false };
        self.outer -= level.chain + level.elses;
        std::mem::replace(&mut self.current, level).named
    }

    fn close_brace(&mut self) {
        self.close();
        let chain = self.current.chain;
        self.end_statement();
        self.current.held = chain;
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
        for start in ["int x[] = {", "int *x = (int[]) {", "enum e {", "int x[][2] = {{"] {
            let list = format!("{start} 1{} }};", ",1+2".repeat(1000));
            assert!(depth(&list) < 20, "{start}");
        }
        let commas = format!("int f(void) {{ a{}; }}", ",a".repeat(1000));
        assert!(depth(&commas) >= 1000);
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
        assert_eq!(deep_line("\"(\"; '('; /*(\n(*/ //(\n".repeat(30).as_bytes(), 50), None);
        let text = "don't\n/*\n*/\"\\\"(\"".to_owned() + &"(".repeat(51);
        assert_eq!(deep_line(text.as_bytes(), 50), Some(3));
    }
}
