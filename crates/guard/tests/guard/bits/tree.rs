//! Random expressions and what they mean, read off C's rules without any of the crate's code.

use caulk_guard::bits::{Binary, Compare, TermId, Terms, Unary};

use super::random::Random;

#[derive(Clone, Debug)]
pub enum Tree {
    Constant(u64, u8),
    Symbol(u32, u8),
    Unary(Unary, Box<Tree>),
    Binary(Binary, Box<Tree>, Box<Tree>),
    Compare(Compare, Box<Tree>, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
    ExtendU(Box<Tree>, u8),
    ExtendS(Box<Tree>, u8),
    Truncate(Box<Tree>, u8),
    Apply(u32, Vec<Tree>, u8),
}

pub const UNARY: [Unary; 2] = [Unary::Not, Unary::Neg];
pub const COMPARE: [Compare; 5] =
    [Compare::Eq, Compare::LtU, Compare::LeU, Compare::LtS, Compare::LeS];
pub const BINARY: [Binary; 13] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::DivU,
    Binary::DivS,
    Binary::RemU,
    Binary::RemS,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::ShrU,
    Binary::ShrS,
];

/// What random trees are made of.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    /// The widths besides 1.
    pub widths: &'a [u8],
    pub symbols: u32,
    pub functions: bool,
}

impl Shape<'_> {
    /// The number of a symbol. One number has one width.
    pub fn symbol(&self, index: u32, width: u8) -> u32 {
        u32::from(width) * self.symbols + index
    }

    pub fn tree(&self, random: &mut Random, width: u8, depth: u32) -> Tree {
        if depth == 0 || random.below(8) == 0 {
            return self.leaf(random, width);
        }
        let sub = |random: &mut Random, width| Box::new(self.tree(random, width, depth - 1));
        match random.below(12) {
            0 => Tree::Unary(random.pick(&UNARY), sub(random, width)),
            1..=5 => {
                let operator = random.pick(&BINARY);
                Tree::Binary(operator, sub(random, width), sub(random, width))
            }
            6 => Tree::Select(sub(random, 1), sub(random, width), sub(random, width)),
            7 if self.functions => {
                let argument = *sub(random, self.widths[0]);
                Tree::Apply(u32::from(width), vec![argument], width)
            }
            _ if width == 1 => {
                let inner = random.pick(self.widths);
                let operator = random.pick(&COMPARE);
                Tree::Compare(operator, sub(random, inner), sub(random, inner))
            }
            _ => self.resized(random, width, depth),
        }
    }

    fn resized(&self, random: &mut Random, width: u8, depth: u32) -> Tree {
        let from = if random.below(4) == 0 { 1 } else { random.pick(self.widths) };
        let of = Box::new(self.tree(random, from, depth - 1));
        match random.below(2) {
            _ if from > width => Tree::Truncate(of, width),
            0 => Tree::ExtendU(of, width),
            _ => Tree::ExtendS(of, width),
        }
    }

    fn leaf(&self, random: &mut Random, width: u8) -> Tree {
        if random.below(3) > 0 {
            let index = random.below(self.symbols.into());
            return Tree::Symbol(self.symbol(u32::try_from(index).expect("few"), width), width);
        }
        let all = u64::MAX >> (64 - width);
        let near = [0, 1, 2, 3, 4, 7, 8, all, all - 1, all / 2, all / 2 + 1, random.next()];
        Tree::Constant(random.pick(&near) & all, width)
    }
}

impl Tree {
    pub fn build(&self, terms: &mut Terms) -> TermId {
        match self {
            Tree::Constant(value, width) => terms.constant(*value, *width),
            Tree::Symbol(number, width) => terms.symbol(*number, *width),
            Tree::Unary(operator, of) => {
                let of = of.build(terms);
                terms.unary(*operator, of)
            }
            Tree::Binary(operator, left, right) => {
                let (left, right) = (left.build(terms), right.build(terms));
                terms.binary(*operator, left, right)
            }
            Tree::Compare(operator, left, right) => {
                let (left, right) = (left.build(terms), right.build(terms));
                terms.compare(*operator, left, right)
            }
            Tree::Select(condition, yes, no) => {
                let condition = condition.build(terms);
                let (yes, no) = (yes.build(terms), no.build(terms));
                terms.select(condition, yes, no)
            }
            Tree::ExtendU(of, width) => {
                let of = of.build(terms);
                terms.extend_u(of, *width)
            }
            Tree::ExtendS(of, width) => {
                let of = of.build(terms);
                terms.extend_s(of, *width)
            }
            Tree::Truncate(of, width) => {
                let of = of.build(terms);
                terms.truncate(of, *width)
            }
            Tree::Apply(function, arguments, width) => {
                let arguments: Vec<TermId> = arguments.iter().map(|a| a.build(terms)).collect();
                terms.apply(*function, &arguments, *width)
            }
        }
    }

    pub fn width(&self) -> u8 {
        match self {
            Tree::Constant(_, width)
            | Tree::Symbol(_, width)
            | Tree::ExtendU(_, width)
            | Tree::ExtendS(_, width)
            | Tree::Truncate(_, width)
            | Tree::Apply(_, _, width) => *width,
            Tree::Unary(_, of) | Tree::Binary(_, of, _) | Tree::Select(_, of, _) => of.width(),
            Tree::Compare(..) => 1,
        }
    }

    /// The unsigned value, on numbers without bounds that are cut at the end.
    pub fn value(&self, symbols: &dyn Fn(u32) -> u64, apply: &dyn Fn(u32, &[u64]) -> u64) -> i128 {
        let bits = self.width();
        let value = |tree: &Tree| tree.value(symbols, apply);
        let result = match self {
            Tree::Constant(value, _) => (*value).into(),
            Tree::Symbol(number, _) => symbols(*number).into(),
            Tree::Unary(Unary::Not, of) => -value(of) - 1,
            Tree::Unary(Unary::Neg, of) => -value(of),
            Tree::Binary(operator, left, right) => {
                binary(*operator, value(left), value(right), bits)
            }
            Tree::Compare(operator, left, right) => {
                let width = left.width();
                let (a, b) = (value(left), value(right));
                let (sa, sb) = (signed(a, width), signed(b, width));
                i128::from(match operator {
                    Compare::Eq => a == b,
                    Compare::LtU => a < b,
                    Compare::LeU => a <= b,
                    Compare::LtS => sa < sb,
                    Compare::LeS => sa <= sb,
                })
            }
            Tree::Select(condition, yes, no) => value(if value(condition) == 1 { yes } else { no }),
            Tree::ExtendU(of, _) | Tree::Truncate(of, _) => value(of),
            Tree::ExtendS(of, _) => signed(value(of), of.width()),
            Tree::Apply(function, arguments, _) => {
                let word = |tree| u64::try_from(value(tree)).expect("a word");
                let arguments: Vec<u64> = arguments.iter().map(word).collect();
                apply(*function, &arguments).into()
            }
        };
        result.rem_euclid(1 << bits)
    }
}

fn signed(value: i128, width: u8) -> i128 {
    if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

fn binary(operator: Binary, a: i128, b: i128, width: u8) -> i128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let count = b.min(127);
    let beyond = b >= width.into();
    match operator {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => {
            i128::from((u64::try_from(a).unwrap()).wrapping_mul(u64::try_from(b).unwrap()))
        }
        Binary::DivU => {
            if b == 0 {
                -1
            } else {
                a / b
            }
        }
        Binary::RemU => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        Binary::DivS if b == 0 => {
            if sa < 0 {
                1
            } else {
                -1
            }
        }
        Binary::DivS => sa / sb,
        Binary::RemS => {
            if b == 0 {
                a
            } else {
                sa % sb
            }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => {
            if beyond {
                0
            } else {
                a << count
            }
        }
        Binary::ShrU => {
            if beyond {
                0
            } else {
                a >> count
            }
        }
        Binary::ShrS => sa >> count,
    }
}
