//! Terms in prefix notation: `(== (+ x 4) y)`.
//!
//! `x`, `y`, `z` have 32 bits, `a`, `b` have 8, `p`, `q`, `r` have one. A number has 32 bits if it
//! does not say otherwise: `4:8`. Widths of conversions are part of the operator: `(zext:32 a)`.

use std::str::SplitWhitespace;

use caulk_guard::bits::{Binary, Compare, TermId, Terms, Unary};

const SYMBOLS: &[(&str, u8)] =
    &[("x", 32), ("y", 32), ("z", 32), ("a", 8), ("b", 8), ("p", 1), ("q", 1), ("r", 1)];

pub fn name(number: u32) -> String {
    SYMBOLS[number as usize].0.into()
}

/// An arena with the symbols in it, so that operands come in their order.
pub fn arena() -> Terms {
    let mut terms = Terms::new();
    for (number, &(_, width)) in (0..).zip(SYMBOLS) {
        terms.symbol(number, width);
    }
    terms
}

pub fn parse(terms: &mut Terms, text: &str) -> TermId {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let id = expression(terms, &mut words);
    assert_eq!(words.next(), None, "{text}");
    id
}

fn expression(terms: &mut Terms, words: &mut SplitWhitespace) -> TermId {
    let word = words.next().expect("a term");
    if word == "(" { application(terms, words) } else { leaf(terms, word) }
}

fn application(terms: &mut Terms, words: &mut SplitWhitespace) -> TermId {
    let operator = words.next().expect("an operator");
    let mut operands = Vec::new();
    loop {
        match words.next().expect("a parenthesis") {
            ")" => return apply(terms, operator, &operands),
            "(" => operands.push(application(terms, words)),
            word => operands.push(leaf(terms, word)),
        }
    }
}

fn leaf(terms: &mut Terms, word: &str) -> TermId {
    let symbol = (0..).zip(SYMBOLS).find(|(_, (name, _))| *name == word);
    if let Some((number, &(_, width))) = symbol {
        return terms.symbol(number, width);
    }
    let (value, width) = word.split_once(':').unwrap_or((word, "32"));
    let value: i64 = value.parse().expect("a number");
    terms.constant(value.cast_unsigned(), width.parse().expect("a width"))
}

fn apply(terms: &mut Terms, operator: &str, operands: &[TermId]) -> TermId {
    if let Some((conversion, width)) = operator.split_once(':') {
        let width = width.parse().expect("a width");
        return match conversion {
            "zext" => terms.extend_u(operands[0], width),
            "sext" => terms.extend_s(operands[0], width),
            "trunc" => terms.truncate(operands[0], width),
            _ => panic!("{conversion} is no conversion"),
        };
    }
    match (operator, operands) {
        ("!", &[of]) => terms.not(of),
        ("~", &[of]) => terms.unary(Unary::Not, of),
        ("-", &[of]) => terms.unary(Unary::Neg, of),
        ("?", &[condition, yes, no]) => terms.select(condition, yes, no),
        ("f", _) => terms.apply(0, operands, 32),
        ("!=", &[left, right]) => {
            let equal = terms.eq(left, right);
            terms.not(equal)
        }
        (_, &[left, right]) => match (binary(operator), compare(operator)) {
            (Some(operator), _) => terms.binary(operator, left, right),
            (_, Some(operator)) => terms.compare(operator, left, right),
            _ => panic!("{operator} is no operator"),
        },
        _ => panic!("{operator} of {}", operands.len()),
    }
}

fn binary(operator: &str) -> Option<Binary> {
    Some(match operator {
        "+" => Binary::Add,
        "-" => Binary::Sub,
        "*" => Binary::Mul,
        "/u" => Binary::DivU,
        "/s" => Binary::DivS,
        "%u" => Binary::RemU,
        "%s" => Binary::RemS,
        "&" => Binary::And,
        "|" => Binary::Or,
        "^" => Binary::Xor,
        "<<" => Binary::Shl,
        ">>u" => Binary::ShrU,
        ">>s" => Binary::ShrS,
        _ => return None,
    })
}

fn compare(operator: &str) -> Option<Compare> {
    Some(match operator {
        "==" => Compare::Eq,
        "<u" => Compare::LtU,
        "<=u" => Compare::LeU,
        "<s" => Compare::LtS,
        "<=s" => Compare::LeS,
        _ => return None,
    })
}
