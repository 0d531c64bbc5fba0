//! Mutated model files: nothing panics, and every complaint has a place in the text.
//!
//! A fixed number of rounds by default; `CAULK_FUZZ_SECONDS` sets a time instead and
//! `CAULK_FUZZ_SEED` another start.

use std::time::{Duration, Instant};

use caulk_models::{BUNDLED_FILES, Models};

const ROUNDS: u64 = 3000;

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "[[group]]\n",
    "[functions]\n",
    "=",
    ",",
    "\"",
    "\n",
    "0",
    "-1",
    "1e9",
    "99999999999999999999",
    "\"*1\"",
    "\"**0\"",
    "\"2..\"",
    "\"*1[4294967296]\"",
    "\"inside é\"",
    "true",
    "names = []\n",
    "frees = 1\n",
    "when = ",
    "{ argument = 1, is = \"null\" }",
    "é",
    "allocates",
    "0x7fffffffffffffff",
    "1979-05-27",
    "'",
    "#",
];

/// Marsaglia's xorshift: the same rounds on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (end as u64).max(1)).expect("smaller than a usize")
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Some lines of a bundled file, so that a round is short.
fn excerpt(random: &mut Random) -> String {
    let text = BUNDLED_FILES[random.below(BUNDLED_FILES.len())].1;
    let lines: Vec<&str> = text.lines().collect();
    let start = random.below(lines.len());
    let end = (start + 1 + random.below(30)).min(lines.len());
    format!("[functions]\n{}", lines[start..end].join("\n"))
}

fn place(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The values are where most of the reading happens: the next number becomes something else.
fn replace_value(text: &mut String, from: usize, random: &mut Random) {
    let found = text[from..].find(|c: char| c.is_ascii_digit());
    if let Some(at) = found.map(|at| from + at) {
        text.replace_range(at..=at, PIECES[random.below(PIECES.len())]);
    }
}

fn mutate(text: &mut String, random: &mut Random) {
    let (a, b) = (place(text, random), place(text, random));
    let end = a.max(b).min(a.min(b) + 20);
    match random.below(4) {
        3 => replace_value(text, a, random),
        0 => text.insert_str(a, PIECES[random.below(PIECES.len())]),
        1 if text.is_char_boundary(end) => text.replace_range(a.min(b)..end, ""),
        _ => {
            let part = text[a.min(b)..a.max(b)].chars().take(40).collect::<String>();
            text.insert_str(a, &part);
        }
    }
}

#[test]
fn mutated_files_do_not_panic() {
    let mut random = Random(number("CAULK_FUZZ_SEED").unwrap_or(0x9e37_79b9_7f4a_7c15) | 1);
    let end = number("CAULK_FUZZ_SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
    let goes_on = |round| end.map_or(round < ROUNDS, |end| Instant::now() < end);
    let (mut good, mut bad, mut round) = (0, 0, 0);
    let start = Models::new();
    while goes_on(round) {
        round += 1;
        let mut text = excerpt(&mut random);
        for _ in 0..random.below(4) {
            mutate(&mut text, &mut random);
        }
        match start.clone().add("fuzz.toml", &text) {
            Ok(()) => good += 1,
            Err(error) => {
                bad += 1;
                let lines = text.matches('\n').count() + 1;
                let line = usize::try_from(error.line).expect("fits");
                assert!((1..=lines).contains(&line) && error.column >= 1, "{error}\n{text}");
                assert!(!error.message.is_empty(), "{text}");
            }
        }
    }
    assert!(good > 20 && bad > 20, "one-sided: {good} files read, {bad} refused");
}
