//! Random terms keep their meaning through the constructors.

use caulk_guard::bits::{Terms, Valuation};

use super::tree::Shape;

/// A xorshift generator: the same numbers in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("an index")]
    }
}

/// Values that are a function of a seed, small ones more often.
pub struct Hashed(pub u64);

impl Hashed {
    fn value(&self, of: u64) -> u64 {
        let mut random = Random((self.0 ^ of.wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1);
        random.next();
        let near = [0, 1, 2, 5, u64::MAX, 1 << 7, 1 << 31, random.next(), random.next()];
        random.pick(&near)
    }
}

impl Valuation for Hashed {
    fn symbol(&self, number: u32) -> u64 {
        let width = number / 3;
        self.value(number.into()) & (u64::MAX >> (64 - width))
    }

    fn apply(&self, function: u32, arguments: &[u64]) -> u64 {
        let argument = arguments.iter().fold(7, |sum: u64, a| sum.wrapping_mul(31) ^ a);
        self.value(argument ^ u64::from(function) << 40) & (u64::MAX >> (64 - function))
    }
}

#[test]
fn constructors_keep_the_meaning() {
    let wide = Shape { widths: &[8, 16, 32, 64], symbols: 3, functions: true };
    let narrow = Shape { widths: &[2, 3, 4], symbols: 3, functions: true };
    let mut random = Random(0x00C0_FFEE);
    for round in 0..12_000 {
        let mut terms = Terms::new();
        let shape = if round % 2 == 0 { wide } else { narrow };
        let width = if random.below(2) == 0 { 1 } else { random.pick(shape.widths) };
        let depth = 1 + u32::try_from(random.below(6)).expect("small");
        let tree = shape.tree(&mut random, width, depth);
        let id = tree.build(&mut terms);
        assert_eq!(terms.width(id), width);
        let again = tree.build(&mut terms);
        for _ in 0..12 {
            let values = Hashed(random.next());
            let expected =
                tree.value(&|s| values.symbol(s), &|f, arguments| values.apply(f, arguments));
            let text = || terms.text(id, &|number| format!("s{number}"));
            let value = i128::from(terms.evaluate(id, &values));
            assert_eq!(value, expected, "{tree:?} became {}", text());
            assert_eq!(i128::from(terms.evaluate(again, &values)), expected, "{tree:?}");
        }
    }
}
