//! Guards as they are written in tests: `(a ∧ b) ∨ ¬x0`.
//!
//! A letter is a test of two ways. A letter with a digit is an edge of the switch of that letter:
//! `w` has one way, `z` two, `x` three, `y` five, `v` a hundred.

use caulk_guard::{AtomId, Formulas, GuardId, Text};

const SWITCHES: [(char, u32); 5] = [('w', 1), ('z', 2), ('x', 3), ('y', 5), ('v', 100)];

pub struct Parser {
    pub formulas: Formulas,
    input: Vec<char>,
    at: usize,
    /// Whether operators of one kind are joined at once, or two by two.
    at_once: bool,
}

impl Parser {
    pub fn new(formulas: Formulas) -> Self {
        let mut formulas = formulas;
        for (letter, ways) in SWITCHES {
            let edges: Vec<AtomId> = (0..ways).map(|edge| edge_atom(letter, edge)).collect();
            formulas.switch(&edges);
        }
        Self { formulas, input: Vec::new(), at: 0, at_once: false }
    }

    pub fn parse(&mut self, input: &str) -> GuardId {
        self.input = input.chars().filter(|c| !c.is_whitespace()).collect();
        self.at = 0;
        let guard = self.expression();
        assert_eq!(self.at, self.input.len(), "trailing input in {input}");
        guard
    }

    pub fn parse_at_once(&mut self, input: &str) -> GuardId {
        self.at_once = true;
        let guard = self.parse(input);
        self.at_once = false;
        guard
    }

    pub fn show(&self, guard: GuardId) -> String {
        Text::new(&self.formulas, guard, &name).to_string()
    }

    fn peek(&self) -> Option<char> {
        self.input.get(self.at).copied()
    }

    fn expression(&mut self) -> GuardId {
        let mut operands = vec![self.unary()];
        let operator = self.peek();
        while self.peek().is_some_and(|c| c == '∧' || c == '∨') {
            assert_eq!(self.peek(), operator, "operators of two kinds need brackets");
            self.at += 1;
            operands.push(self.unary());
        }
        let formulas = &mut self.formulas;
        match (operator, self.at_once) {
            (Some('∧'), true) => formulas.and_all(operands),
            (Some('∨'), true) => formulas.or_all(operands),
            (Some('∧'), _) => operands.into_iter().reduce(|a, b| formulas.and(a, b)).unwrap(),
            (Some('∨'), _) => operands.into_iter().reduce(|a, b| formulas.or(a, b)).unwrap(),
            _ => operands[0],
        }
    }

    fn unary(&mut self) -> GuardId {
        let next = self.peek().expect("an operand");
        self.at += 1;
        match next {
            '¬' => {
                let inner = self.unary();
                self.formulas.not(inner)
            }
            '(' => {
                let inner = self.expression();
                self.at += 1;
                inner
            }
            '⊤' => GuardId::TRUE,
            '⊥' => GuardId::FALSE,
            letter => self.name(letter),
        }
    }

    fn name(&mut self, letter: char) -> GuardId {
        let mut digits = String::new();
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.at += 1;
        }
        let atom = match digits.parse() {
            Ok(edge) => edge_atom(letter, edge),
            Err(_) => AtomId(u32::from(letter)),
        };
        self.formulas.atom(atom)
    }
}

/// Edges come after tests of two ways, switch by switch.
fn edge_atom(letter: char, edge: u32) -> AtomId {
    AtomId(u32::from(letter) * 1000 + edge)
}

pub fn name(atom: AtomId) -> String {
    let letter = |code| char::from_u32(code).expect("a letter");
    match atom.0 {
        code @ 0..1000 => letter(code).to_string(),
        code => format!("{}{}", letter(code / 1000), code % 1000),
    }
}
