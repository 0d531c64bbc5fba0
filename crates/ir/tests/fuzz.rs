//! Mutated texts: nothing panics, and whatever is read can be printed and read again.
//!
//! Two seconds by default; `CAULK_FUZZ_SECONDS` sets another time and `CAULK_FUZZ_SEED` another
//! start.

mod common;

use std::time::{Duration, Instant};

use caulk_ir::{parse, print, verify};
use common::{Random, check_round_trip, seeds};

/// Pieces of grammar and hard numbers.
const PIECES: [&str; 44] = [
    "v0",
    "v1",
    "v4294967295",
    "v99999999999",
    "b0",
    "b1",
    "s0",
    "x0",
    "sc0",
    "c0",
    "f0",
    "o0",
    "t0",
    "t1",
    "rec0",
    "sig0",
    "enum0",
    "l0",
    "asm0",
    "file0",
    "i32 ",
    "ptr ",
    "f64 ",
    "i128 ",
    "null",
    "undef",
    "-1",
    "18446744073709551615",
    "0x",
    "0xffffffffffffffffffffffffffffffff",
    "1e400",
    "..",
    "->",
    "<-",
    "@1:1",
    "\"",
    "\\",
    "{",
    "}",
    ":",
    ", ",
    "\n",
    "const v0 = i8 1\n",
    "170141183460469231731687303715884105727",
];

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn mutate(text: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + random.below(3) {
        match random.below(12) {
            0 => flip(&mut text, random),
            1 => {
                let range = range(&text, 20, random);
                text.drain(range);
            }
            2 | 3 => replace(&mut text, random.pick(&PIECES).as_bytes().to_vec(), random),
            4 => duplicate_line(&mut text, random),
            5 => swap_lines(&mut text, random),
            6..=10 => change_number(&mut text, random),
            _ => {
                let other = random.pick(others).clone();
                let part = other[range(&other, 200, random)].to_vec();
                replace(&mut text, part, random);
            }
        }
    }
    text
}

fn range(text: &[u8], longest: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(text.len());
    let end = (start + random.below(longest)).min(text.len());
    start.min(end)..end
}

fn flip(text: &mut [u8], random: &mut Random) {
    if !text.is_empty() {
        let at = random.below(text.len());
        text[at] ^= 1 << random.below(8);
    }
}

/// Puts `piece` at a random place, over up to four bytes or between two.
fn replace(text: &mut Vec<u8>, piece: Vec<u8>, random: &mut Random) {
    let range = range(text, 4, random);
    text.splice(range, piece);
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn duplicate_line(text: &mut Vec<u8>, random: &mut Random) {
    let mut rows = lines(text);
    if !rows.is_empty() {
        let row = random.pick(&rows).clone();
        rows.insert(random.below(rows.len()), row);
    }
    *text = rows.concat();
}

fn swap_lines(text: &mut Vec<u8>, random: &mut Random) {
    let mut rows = lines(text);
    if !rows.is_empty() {
        let (left, right) = (random.below(rows.len()), random.below(rows.len()));
        rows.swap(left, right);
    }
    *text = rows.concat();
}

/// Another digit: ids that name something else are the most telling mistakes.
fn change_number(text: &mut [u8], random: &mut Random) {
    let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
    if !digits.is_empty() {
        text[*random.pick(&digits)] = b'0' + random.below(10) as u8;
    }
}

#[test]
fn no_text_makes_anything_panic() {
    let seed = number("CAULK_FUZZ_SEED", 1);
    let corpus: Vec<Vec<u8>> = seeds().into_iter().map(|(_, text)| text.into_bytes()).collect();
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs(number("CAULK_FUZZ_SECONDS", 2));
    let (mut tried, mut read, mut correct) = (0u64, 0u64, 0u64);
    while Instant::now() < end {
        let base = random.pick(&corpus).clone();
        let text = String::from_utf8_lossy(&mutate(&base, &corpus, &mut random)).into_owned();
        tried += 1;
        let Ok(module) = parse::module(&text) else { continue };
        read += 1;
        let first = verify::module(&module);
        correct += u64::from(first.is_empty());
        check_round_trip(&format!("seed {seed}, text {tried}"), &module);
        module.functions.ids().for_each(|id| drop(print::cfg_dot(&module, id)));
    }
    println!("{tried} texts, {read} were modules, {correct} of them correct");
    assert!(correct > 0 && read > correct && tried > read, "{tried} {read} {correct}");
}
