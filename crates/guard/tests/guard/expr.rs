//! Random expressions with a meaning of their own, to compare guards with.

use caulk_guard::{AtomId, Formulas, GuardId};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`, by xorshift64*.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap() % bound
    }
}

/// Atoms 0, 1, … : first the tests of two ways, then the edges of each switch.
#[derive(Clone, Debug)]
pub struct Layout {
    pub free: usize,
    pub switches: Vec<usize>,
}

impl Layout {
    pub fn random(random: &mut Random, most: usize) -> Self {
        let mut switches = Vec::new();
        let mut left = 3 + random.below(most - 2);
        while left >= 2 && random.below(2) == 0 {
            let ways = 1 + random.below(left.min(5));
            switches.push(ways);
            left -= ways;
        }
        Self { free: left, switches }
    }

    pub fn atoms(&self) -> usize {
        self.free + self.switches.iter().sum::<usize>()
    }

    pub fn declare(&self, formulas: &mut Formulas) {
        let mut first = self.free;
        for &ways in &self.switches {
            let edges: Vec<AtomId> = (first..first + ways).map(atom).collect();
            formulas.switch(&edges);
            first += ways;
        }
    }

    /// All valuations that take one edge of each switch, in the order of atoms, false first.
    pub fn valuations(&self) -> Vec<Vec<bool>> {
        let mut found = vec![Vec::new()];
        for _ in 0..self.free {
            found = extend(&found, &[vec![false], vec![true]]);
        }
        for &ways in &self.switches {
            let last_first: Vec<Vec<bool>> = (0..ways)
                .rev()
                .map(|taken| (0..ways).map(|edge| edge == taken).collect())
                .collect();
            found = extend(&found, &last_first);
        }
        found
    }
}

fn extend(found: &[Vec<bool>], ends: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let join = |start: &Vec<bool>, end: &Vec<bool>| start.iter().chain(end).copied().collect();
    found.iter().flat_map(|start| ends.iter().map(move |end| join(start, end))).collect()
}

pub fn atom(index: usize) -> AtomId {
    AtomId(u32::try_from(index).unwrap())
}

#[derive(Clone, Debug)]
pub enum Expr {
    Atom(usize),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
}

impl Expr {
    pub fn random(random: &mut Random, atoms: usize, depth: usize) -> Self {
        match random.below(if depth == 0 { 2 } else { 13 }) {
            0 => Expr::Atom(random.below(atoms)),
            1 => Expr::Not(Box::new(Expr::Atom(random.below(atoms)))),
            2 => Expr::Not(Box::new(Self::random(random, atoms, depth - 1))),
            choice => {
                let count = 2 + random.below(3);
                let parts = (0..count).map(|_| Self::random(random, atoms, depth - 1)).collect();
                if choice % 2 == 0 { Expr::And(parts) } else { Expr::Or(parts) }
            }
        }
    }

    pub fn value(&self, values: &[bool]) -> bool {
        match self {
            Expr::Atom(index) => values[*index],
            Expr::Not(inner) => !inner.value(values),
            Expr::And(parts) => parts.iter().all(|part| part.value(values)),
            Expr::Or(parts) => parts.iter().any(|part| part.value(values)),
        }
    }

    pub fn build(&self, formulas: &mut Formulas) -> GuardId {
        match self {
            Expr::Atom(index) => formulas.atom(atom(*index)),
            Expr::Not(inner) => {
                let inner = inner.build(formulas);
                formulas.not(inner)
            }
            // Two operands are joined in pairs, more at once: both ways are tested.
            Expr::And(parts) => match build_all(parts, formulas)[..] {
                [left, right] => formulas.and(left, right),
                ref all => formulas.and_all(all.iter().copied()),
            },
            Expr::Or(parts) => match build_all(parts, formulas)[..] {
                [left, right] => formulas.or(left, right),
                ref all => formulas.or_all(all.iter().copied()),
            },
        }
    }
}

fn build_all(parts: &[Expr], formulas: &mut Formulas) -> Vec<GuardId> {
    parts.iter().map(|part| part.build(formulas)).collect()
}
