//! Arithmetic on words of wires, the least bit first.
//!
//! Addition ripples its carry, multiplication shifts and adds, division subtracts and restores,
//! and shifts go by powers of two. A divisor of zero falls out of the circuit as [`super`] says.

use super::gates::{Gates, Wire};

pub(super) type Word = Vec<Wire>;

impl Gates {
    pub fn number(&self, value: u64, width: usize) -> Word {
        (0..width).map(|bit| self.truth(bit < 64 && value >> bit & 1 == 1)).collect()
    }

    pub fn inputs(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    pub fn complement(word: &[Wire]) -> Word {
        word.iter().map(|&wire| !wire).collect()
    }

    pub fn bitwise(
        &mut self,
        left: &[Wire],
        right: &[Wire],
        gate: fn(&mut Self, Wire, Wire) -> Wire,
    ) -> Word {
        left.iter().zip(right).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    pub fn choose(&mut self, condition: Wire, yes: &[Wire], no: &[Wire]) -> Word {
        yes.iter().zip(no).map(|(&yes, &no)| self.choice(condition, yes, no)).collect()
    }

    pub fn add(&mut self, left: &[Wire], right: &[Wire], mut carry: Wire) -> Word {
        let mut sum = Word::with_capacity(left.len());
        for (&a, &b) in left.iter().zip(right) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        sum
    }

    pub fn subtract(&mut self, left: &[Wire], right: &[Wire]) -> Word {
        let yes = self.truth(true);
        self.add(left, &Self::complement(right), yes)
    }

    pub fn negate(&mut self, word: &[Wire]) -> Word {
        let zero = self.number(0, word.len());
        self.subtract(&zero, word)
    }

    /// The right operand is the one whose bits are gone through; a constant has no cost where it
    /// is zero.
    pub fn multiply(&mut self, left: &[Wire], right: &[Wire]) -> Word {
        let width = left.len();
        let no = self.truth(false);
        let mut product = self.number(0, width);
        for (bit, &factor) in right.iter().enumerate() {
            let row: Word =
                left[..width - bit].iter().map(|&wire| self.and(wire, factor)).collect();
            let high = self.add(&product[bit..], &row, no);
            product.splice(bit.., high);
        }
        product
    }

    /// The quotient and the remainder of unsigned numbers.
    pub fn divide(&mut self, left: &[Wire], right: &[Wire]) -> (Word, Word) {
        let width = left.len();
        // The remainder has a bit more, for it is doubled before it is reduced.
        let mut divisor = right.to_vec();
        divisor.push(self.truth(false));
        let mut remainder = self.number(0, width + 1);
        let mut quotient = self.number(0, width);
        for bit in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, left[bit]);
            let fits = self.at_most(&divisor, &remainder);
            let reduced = self.subtract(&remainder, &divisor);
            remainder = self.choose(fits, &reduced, &remainder);
            quotient[bit] = fits;
        }
        remainder.pop();
        (quotient, remainder)
    }

    /// The quotient and the remainder of signed numbers, rounded towards zero.
    pub fn divide_signed(&mut self, left: &[Wire], right: &[Wire]) -> (Word, Word) {
        let (left_sign, right_sign) = (left[left.len() - 1], right[right.len() - 1]);
        let (left, right) = (self.magnitude(left), self.magnitude(right));
        let (quotient, remainder) = self.divide(&left, &right);
        let differ = self.xor(left_sign, right_sign);
        (self.negate_if(differ, &quotient), self.negate_if(left_sign, &remainder))
    }

    fn magnitude(&mut self, word: &[Wire]) -> Word {
        self.negate_if(word[word.len() - 1], word)
    }

    fn negate_if(&mut self, condition: Wire, word: &[Wire]) -> Word {
        let negative = self.negate(word);
        self.choose(condition, &negative, word)
    }

    pub fn shift_left(&mut self, word: &[Wire], count: &[Wire]) -> Word {
        let reversed: Word = word.iter().rev().copied().collect();
        let no = self.truth(false);
        let mut shifted = self.shift_right(&reversed, count, no);
        shifted.reverse();
        shifted
    }

    /// Shifts to the right, filling from the left.
    pub fn shift_right(&mut self, word: &[Wire], count: &[Wire], fill: Wire) -> Word {
        let width = word.len();
        let mut result = word.to_vec();
        for (stage, &by) in count.iter().enumerate() {
            let step = u32::try_from(stage).ok().and_then(|stage| 1usize.checked_shl(stage));
            let step = step.unwrap_or(width).min(width);
            let moved: Word =
                (0..width).map(|bit| result.get(bit + step).copied().unwrap_or(fill)).collect();
            result = self.choose(by, &moved, &result);
        }
        result
    }

    pub fn equal(&mut self, left: &[Wire], right: &[Wire]) -> Wire {
        let mut same = self.truth(true);
        for (&a, &b) in left.iter().zip(right) {
            let differ = self.xor(a, b);
            same = self.and(same, !differ);
        }
        same
    }

    pub fn below(&mut self, left: &[Wire], right: &[Wire]) -> Wire {
        !self.at_most(right, left)
    }

    pub fn at_most(&mut self, left: &[Wire], right: &[Wire]) -> Wire {
        let mut holds = self.truth(true);
        for (&a, &b) in left.iter().zip(right) {
            holds = self.majority(!a, b, holds);
        }
        holds
    }

    /// A signed number as the unsigned one that has the same place in the order.
    pub fn biased(word: &[Wire]) -> Word {
        let mut biased = word.to_vec();
        if let Some(sign) = biased.last_mut() {
            *sign = !*sign;
        }
        biased
    }
}
