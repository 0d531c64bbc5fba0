//! Sums of products over atoms, with rational coefficients: the normal form of expressions.
//!
//! `(c1·m1 + … + cn·mn + c0) / d`, monomials in increasing order, no zero coefficient, `d` positive
//! and without a common divisor with all coefficients. Equal polynomials are equal values.

use crate::space::Atom;

/// Atoms with their powers, in increasing order; empty for 1.
pub type Monomial = Box<[(Atom, u8)]>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Poly {
    pub terms: Vec<(Monomial, i128)>,
    pub divisor: i128,
}

/// No program counts this far; what would is given up.
const LARGEST: i128 = 1 << 100;
const MOST_TERMS: usize = 24;
const HIGHEST_POWER: u8 = 6;

impl Poly {
    #[must_use]
    pub fn constant(value: i128) -> Self {
        let terms = if value == 0 { Vec::new() } else { vec![(Monomial::default(), value)] };
        Self { terms, divisor: 1 }
    }

    #[must_use]
    pub fn atom(atom: Atom) -> Self {
        Self { terms: vec![(Box::new([(atom, 1)]), 1)], divisor: 1 }
    }

    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(monomial, value)] if monomial.is_empty() && self.divisor == 1 => Some(*value),
            _ => None,
        }
    }

    /// The summand without atoms, before the division.
    #[must_use]
    pub fn constant_part(&self) -> i128 {
        self.terms.first().filter(|(monomial, _)| monomial.is_empty()).map_or(0, |term| term.1)
    }

    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        let divisor = lcm(self.divisor, other.divisor)?;
        let (mut left, right) = (self.scaled(divisor / self.divisor)?, other);
        for (monomial, factor) in &right.terms {
            let factor = factor.checked_mul(divisor / right.divisor)?;
            left.put(monomial, factor)?;
        }
        left.divisor = divisor;
        left.reduced()
    }

    #[must_use]
    pub fn scale(&self, by: i128) -> Option<Self> {
        let mut result = self.scaled(by)?;
        result.divisor = self.divisor;
        result.reduced()
    }

    #[must_use]
    pub fn divide(&self, by: i128) -> Option<Self> {
        let sign = if by < 0 { -1 } else { 1 };
        let mut result = self.scaled(sign)?;
        result.divisor = self.divisor.checked_mul(by.checked_abs()?)?;
        result.reduced()
    }

    #[must_use]
    pub fn multiply(&self, other: &Self) -> Option<Self> {
        let mut result =
            Self { terms: Vec::new(), divisor: self.divisor.checked_mul(other.divisor)? };
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                result.put(&product(left, right)?, a.checked_mul(*b)?)?;
            }
        }
        result.reduced()
    }

    /// The greatest common divisor of the coefficients of monomials other than 1.
    #[must_use]
    pub fn content(&self) -> i128 {
        let factors = self.terms.iter().filter(|(monomial, _)| !monomial.is_empty());
        factors.fold(0, |sum, &(_, factor)| gcd(sum, factor))
    }

    fn scaled(&self, by: i128) -> Option<Self> {
        if by == 0 {
            return Some(Self { terms: Vec::new(), divisor: 1 });
        }
        let scale = |(monomial, factor): &(Monomial, i128)| {
            Some((monomial.clone(), factor.checked_mul(by)?))
        };
        let terms = self.terms.iter().map(scale).collect::<Option<_>>()?;
        Some(Self { terms, divisor: 1 })
    }

    fn put(&mut self, monomial: &Monomial, factor: i128) -> Option<()> {
        match self.terms.binary_search_by(|term| term.0.cmp(monomial)) {
            Ok(at) => {
                self.terms[at].1 = self.terms[at].1.checked_add(factor)?;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) => self.terms.insert(at, (monomial.clone(), factor)),
        }
        (self.terms.len() <= MOST_TERMS).then_some(())
    }

    fn reduced(mut self) -> Option<Self> {
        let common = self.terms.iter().fold(self.divisor, |sum, term| gcd(sum, term.1));
        if common > 1 {
            self.terms.iter_mut().for_each(|term| term.1 /= common);
            self.divisor /= common;
        }
        let small = self.terms.iter().all(|term| term.1.abs() < LARGEST) && self.divisor < LARGEST;
        small.then_some(self)
    }
}

fn product(left: &[(Atom, u8)], right: &[(Atom, u8)]) -> Option<Monomial> {
    let mut factors = left.to_vec();
    for &(atom, power) in right {
        match factors.binary_search_by_key(&atom, |factor| factor.0) {
            Ok(at) => factors[at].1 += power,
            Err(at) => factors.insert(at, (atom, power)),
        }
    }
    factors.iter().all(|factor| factor.1 <= HIGHEST_POWER).then(|| factors.into())
}

#[must_use]
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    a.checked_mul(b / gcd(a, b).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_one_form() {
        let (x, y) = (Poly::atom(Atom(1)), Poly::atom(Atom(2)));
        let left = x.add(&y).unwrap();
        let right = y.add(&x).unwrap();
        assert_eq!(left, right);
        assert_eq!(left.add(&left.scale(-1).unwrap()).unwrap(), Poly::constant(0));
    }

    #[test]
    fn halves_are_reduced() {
        let x = Poly::atom(Atom(1));
        let square = x.multiply(&x).unwrap();
        let triangle = square.add(&x).unwrap().divide(2).unwrap();
        assert_eq!(triangle.add(&triangle).unwrap(), square.add(&x).unwrap());
    }

    #[test]
    fn large_numbers_are_given_up() {
        assert_eq!(Poly::constant(1 << 90).multiply(&Poly::constant(1 << 90)), None);
    }
}
