//! Pseudo-random numbers as glibc makes them: `random` by its additive feedback generator with
//! 31 words of state, `rand` the same, `drand48` by its linear congruence.

use super::{Args, LibraryFn, ZERO};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("rand", |m, _| Ok(Value::i32(m.library.random.next()))),
    ("random", |m, _| Ok(Value::i32(m.library.random.next()))),
    ("srand", seed),
    ("srandom", seed),
    ("rand_r", rand_r),
    ("srand48", srand48),
    ("drand48", drand48),
    ("lrand48", lrand48),
    ("mrand48", mrand48),
    ("arc4random", |m, _| Ok(Value::i32(m.library.random.next()))),
    ("getentropy", getrandom),
    ("getrandom", getrandom),
];

pub struct Random {
    words: Vec<u32>,
    front: usize,
}

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

impl Random {
    pub fn new(seed: u32) -> Self {
        let mut words = vec![0; DEGREE];
        words[0] = seed.max(1);
        for index in 1..DEGREE {
            let last = i64::from(words[index - 1] as i32);
            let (high, low) = (last / 127_773, last % 127_773);
            let word = 16_807 * low - 2_836 * high;
            words[index] = (if word < 0 { word + 2_147_483_647 } else { word }) as u32;
        }
        let mut random = Self { words, front: SEPARATION };
        (0..DEGREE * 10).for_each(|_| _ = random.next());
        random
    }

    pub fn next(&mut self) -> i32 {
        let rear = (self.front + DEGREE - SEPARATION) % DEGREE;
        self.words[self.front] = self.words[self.front].wrapping_add(self.words[rear]);
        let result = self.words[self.front] >> 1;
        self.front = (self.front + 1) % DEGREE;
        result as i32
    }
}

fn seed(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.random = Random::new(args.u64(0) as u32);
    Ok(ZERO)
}

fn rand_r(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut next = machine.memory.load::<4>(args.get(0))?.bits as u32;
    let mut step = |divisor: u32| {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        next / 65_536 % divisor
    };
    let mut result = step(2_048);
    result = result << 10 ^ step(1_024);
    result = result << 10 ^ step(1_024);
    machine.memory.put::<4>(args.get(0), Value::int(u64::from(next)))?;
    Ok(Value::int(u64::from(result)))
}

fn next48(machine: &mut Machine) -> u64 {
    let state = machine.library.rand48.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb);
    machine.library.rand48 = state & 0xffff_ffff_ffff;
    machine.library.rand48
}

fn srand48(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.rand48 = (args.u64(0) & 0xffff_ffff) << 16 | 0x330e;
    Ok(ZERO)
}

fn drand48(machine: &mut Machine, _: &Args) -> Step<Value> {
    Ok(Value::f64(next48(machine) as f64 / (1_u64 << 48) as f64))
}

fn lrand48(machine: &mut Machine, _: &Args) -> Step<Value> {
    Ok(Value::int(next48(machine) >> 17))
}

fn mrand48(machine: &mut Machine, _: &Args) -> Step<Value> {
    Ok(Value::int(i64::from((next48(machine) >> 16) as u32 as i32) as u64))
}

fn getrandom(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.memory.check(args.get(0), args.u64(1), true)?;
    let bytes: Vec<u8> = (0..args.u64(1)).map(|_| machine.library.random.next() as u8).collect();
    machine.memory.write(args.get(0), &bytes)?;
    Ok(Value::int(args.u64(1)))
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_first_numbers_are_those_of_glibc() {
        let mut random = Random::new(1);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [1_804_289_383, 846_930_886, 1_681_692_777]
        );
    }
}
