//! Sums as linear forms, and what is made of them: products, quotients, shifts.
//!
//! A sum is written as a chain to the left, atoms in the order of their ids and the constant last:
//! `((x + y·4) + -z) + 8`. Coefficients and the constant are modulo a power of two, so every rule
//! of the ring holds without a look at overflow.

use super::arithmetic::{inverse, mask, sign_bit};
use super::{Binary, Compare, Term, TermId, Terms, Unary};

/// The most atoms of one linear form. A longer sum is an atom itself.
const LONGEST: usize = 32;

/// `c1·x1 + … + cn·xn + constant`: coefficients are not zero, atoms ascend.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Linear {
    atoms: Vec<(TermId, u64)>,
    constant: u64,
    width: u8,
}

impl Linear {
    fn constant(constant: u64, width: u8) -> Self {
        Self { atoms: Vec::new(), constant, width }
    }

    fn insert(&mut self, atom: TermId, coefficient: u64) {
        match self.atoms.binary_search_by_key(&atom, |&(atom, _)| atom) {
            Ok(place) => {
                let sum = self.atoms[place].1.wrapping_add(coefficient) & mask(self.width);
                self.atoms[place].1 = sum;
                if sum == 0 {
                    self.atoms.remove(place);
                }
            }
            Err(_) if coefficient & mask(self.width) == 0 => {}
            Err(place) => self.atoms.insert(place, (atom, coefficient & mask(self.width))),
        }
    }

    fn shift(&mut self, by: u64) {
        self.constant = self.constant.wrapping_add(by) & mask(self.width);
    }

    fn plus(mut self, other: &Self) -> Self {
        other.atoms.iter().for_each(|&(atom, coefficient)| self.insert(atom, coefficient));
        self.shift(other.constant);
        self
    }

    fn times(self, factor: u64) -> Self {
        let scaled = |value: u64| value.wrapping_mul(factor) & mask(self.width);
        let atoms = self.atoms.iter().map(|&(atom, c)| (atom, scaled(c)));
        let atoms = atoms.filter(|&(_, coefficient)| coefficient != 0).collect();
        Self { atoms, constant: scaled(self.constant), width: self.width }
    }

    /// The two forms without negative coefficients whose difference this is. A constant joins the
    /// side of the atoms that it is added to; with atoms on one side alone it is the other side.
    fn sides(&self) -> (Self, Self) {
        let sign = sign_bit(self.width);
        let (left, right) = self.atoms.iter().partition(|&&(_, c)| c & sign == 0 || c == sign);
        let mut left = Self { atoms: left, constant: 0, width: self.width };
        let negative = Self { atoms: right, constant: 0, width: self.width };
        let mut right = negative.times(u64::MAX);
        if left.atoms.is_empty() || right.atoms.is_empty() {
            let (empty, negate) =
                if left.atoms.is_empty() { (&mut left, false) } else { (&mut right, true) };
            let constant = self.constant;
            empty.shift(if negate { constant.wrapping_neg() } else { constant });
        } else {
            left.shift(self.constant);
        }
        (left, right)
    }
}

impl Terms {
    pub(super) fn add(&mut self, left: TermId, right: TermId) -> TermId {
        match self.as_constant(right) {
            Some(0) => left,
            Some(value) => match self.plus(left, value) {
                Some(sum) => sum,
                None => self.combine(left, right, 1),
            },
            None => self.combine(left, right, 1),
        }
    }

    /// The sum with a constant of what has the form of a sum as it is, or of one without its constant:
    /// the commonest case.
    fn plus(&mut self, left: TermId, value: u64) -> Option<TermId> {
        let (rest, known) = match *self.get(left) {
            Term::Binary(Binary::Add, front, last) => match self.as_constant(last) {
                Some(known) => (front, known),
                None => (left, 0),
            },
            _ => (left, 0),
        };
        let is_atom = !matches!(self.get(rest), Term::Unary(..) | Term::Constant { .. });
        if !is_atom || self.height(rest) as usize >= LONGEST / 2 {
            return None;
        }
        let width = self.width(rest);
        Some(self.plus_constant(rest, value.wrapping_add(known) & mask(width), width))
    }

    pub(super) fn subtract(&mut self, left: TermId, right: TermId) -> TermId {
        self.combine(left, right, u64::MAX)
    }

    pub(super) fn negative(&mut self, of: TermId) -> TermId {
        let form = self.linear(of).times(u64::MAX);
        self.sum(&form)
    }

    /// `~x` is `-x - 1`.
    pub(super) fn complement(&mut self, of: TermId) -> TermId {
        let mut form = self.linear(of).times(u64::MAX);
        form.shift(u64::MAX);
        self.sum(&form)
    }

    pub(super) fn multiply(&mut self, left: TermId, right: TermId) -> TermId {
        let (a, b) = (self.linear(left), self.linear(right));
        let form = match (a.atoms.as_slice(), b.atoms.as_slice()) {
            ([], _) => b.times(a.constant),
            (_, []) => a.times(b.constant),
            (&[(x, c)], &[(y, d)]) if a.constant == 0 && b.constant == 0 => {
                let product = self.intern(Term::Binary(Binary::Mul, x.min(y), x.max(y)));
                let mut form = Linear::constant(0, a.width);
                form.insert(product, c.wrapping_mul(d));
                form
            }
            _ => {
                let (left, right) = (left.min(right), left.max(right));
                return self.intern(Term::Binary(Binary::Mul, left, right));
            }
        };
        self.sum(&form)
    }

    pub(super) fn divide(&mut self, operator: Binary, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        let remainder = matches!(operator, Binary::RemU | Binary::RemS);
        let is_signed = matches!(operator, Binary::DivS | Binary::RemS);
        match self.as_constant(right) {
            Some(1) if remainder => self.constant(0, width),
            Some(1) => left,
            Some(by) if is_signed && by == mask(width) && remainder => self.constant(0, width),
            Some(by) if is_signed && by == mask(width) => self.negative(left),
            Some(by) if operator == Binary::RemU && by.is_power_of_two() => {
                let low = self.constant(by - 1, width);
                self.and(left, low)
            }
            _ => self.intern(Term::Binary(operator, left, right)),
        }
    }

    /// Shifts by a constant are products and quotients, but for the one that keeps the sign, which
    /// rounds down where division rounds towards zero.
    pub(super) fn shift(&mut self, operator: Binary, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        if self.as_constant(left) == Some(0) {
            return left;
        }
        let last = u64::from(width) - 1;
        match (operator, self.as_constant(right)) {
            (_, Some(0)) => left,
            (Binary::ShrS, Some(count)) => {
                let count = self.constant(count.min(last), width);
                self.intern(Term::Binary(operator, left, count))
            }
            (_, Some(count)) if count > last => self.constant(0, width),
            (Binary::Shl, Some(count)) => {
                let form = self.linear(left).times(1 << count);
                self.sum(&form)
            }
            (_, Some(count)) => {
                let by = self.constant(1 << count, width);
                self.divide(Binary::DivU, left, by)
            }
            (_, None) => self.intern(Term::Binary(operator, left, right)),
        }
    }

    /// Whether two terms of more than one bit are equal, as far as it follows from the linear form
    /// of their difference; otherwise the two sides that are left to compare.
    pub(super) fn balance(
        &mut self,
        left: TermId,
        right: TermId,
    ) -> Result<bool, (TermId, TermId)> {
        let negative = self.linear(right).times(u64::MAX);
        let mut form = self.linear(left).plus(&negative);
        let twos = |value: u64| value.trailing_zeros();
        let shared = form.atoms.iter().map(|&(_, c)| twos(c)).min();
        let Some(shared) = shared else {
            return Ok(form.constant == 0);
        };
        if form.constant != 0 && twos(form.constant) < shared {
            return Ok(false);
        }
        let lead = form.atoms.iter().find(|&&(_, c)| twos(c) == shared).map_or(1, |&(_, c)| c);
        form = form.times(inverse(lead >> shared));
        let (left, right) = form.sides();
        Err((self.sum(&left), self.sum(&right)))
    }

    /// The equality of two balanced sides.
    pub(super) fn equality(&mut self, left: TermId, right: TermId) -> TermId {
        self.intern(Term::Compare(Compare::Eq, left, right))
    }

    /// `left + factor·right`.
    fn combine(&mut self, left: TermId, right: TermId, factor: u64) -> TermId {
        let form = self.linear(right).times(factor);
        let form = self.linear(left).plus(&form);
        self.sum(&form)
    }

    /// The linear form of a term, which has one atom if it is no sum.
    fn linear(&self, id: TermId) -> Linear {
        let mut form = Linear::constant(0, self.width(id));
        let mut rest = id;
        while let Term::Binary(Binary::Add, front, last) = *self.get(rest)
            && form.atoms.len() + 1 < LONGEST
        {
            self.collect(last, &mut form);
            rest = front;
        }
        self.collect(rest, &mut form);
        form
    }

    fn collect(&self, part: TermId, form: &mut Linear) {
        match *self.get(part) {
            Term::Constant { value, .. } => form.shift(value),
            Term::Unary(Unary::Neg, of) => form.insert(of, u64::MAX),
            Term::Unary(Unary::Not, of) if form.width > 1 => {
                form.insert(of, u64::MAX);
                form.shift(u64::MAX);
            }
            Term::Binary(Binary::Mul, atom, factor) => match self.as_constant(factor) {
                Some(factor) => form.insert(atom, factor),
                None => form.insert(part, 1),
            },
            _ => form.insert(part, 1),
        }
    }

    fn sum(&mut self, form: &Linear) -> TermId {
        let all = mask(form.width);
        if let &[(atom, coefficient)] = form.atoms.as_slice()
            && coefficient == all
            && form.constant == all
        {
            return self.intern(Term::Unary(Unary::Not, atom));
        }
        if let &[(atom, coefficient)] = form.atoms.as_slice() {
            let product = self.product(atom, coefficient, form.width);
            return self.plus_constant(product, form.constant, form.width);
        }
        let mut parts: Vec<TermId> = Vec::with_capacity(form.atoms.len() + 1);
        for &(atom, coefficient) in &form.atoms {
            parts.push(self.product(atom, coefficient, form.width));
        }
        if form.constant != 0 || parts.is_empty() {
            parts.push(self.constant(form.constant, form.width));
        }
        let add = |front, last| self.intern(Term::Binary(Binary::Add, front, last));
        parts.into_iter().reduce(add).unwrap_or(TermId::FALSE)
    }

    /// A sum of what has the form of one without a constant, and a constant.
    fn plus_constant(&mut self, part: TermId, constant: u64, width: u8) -> TermId {
        if constant == 0 {
            return part;
        }
        let constant = self.constant(constant, width);
        self.intern(Term::Binary(Binary::Add, part, constant))
    }

    fn product(&mut self, atom: TermId, coefficient: u64, width: u8) -> TermId {
        if coefficient == 1 {
            atom
        } else if coefficient == mask(width) {
            self.intern(Term::Unary(Unary::Neg, atom))
        } else {
            let coefficient = self.constant(coefficient, width);
            self.intern(Term::Binary(Binary::Mul, atom, coefficient))
        }
    }
}
