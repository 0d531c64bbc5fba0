//! Random damage to databases and flags: nothing may panic, hang or lose the order of units.
//! `CAULK_FUZZ_SECONDS` makes each loop run that long.

mod common;

use std::time::{Duration, Instant};

use caulk_project::{LoadOptions, from_database, from_files};
use common::TempDir;

/// How long a loop goes on: long enough to mean something on a slow machine, and no longer than
/// asked for on a fast one.
struct Budget {
    start: Instant,
    limit: Duration,
    rounds: u64,
}

const LEAST_ROUNDS: u64 = 200;

impl Budget {
    fn new() -> Self {
        let seconds = std::env::var("CAULK_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
        let limit = seconds.map_or(Duration::from_millis(600), Duration::from_secs);
        Self { start: Instant::now(), limit, rounds: 0 }
    }

    fn next_round(&mut self) -> bool {
        self.rounds += 1;
        self.rounds <= LEAST_ROUNDS || self.start.elapsed() < self.limit
    }
}

struct Random(u64);

impl Random {
    /// `CAULK_FUZZ_SEED` asks for other texts than the usual ones.
    fn new(usual: u64) -> Self {
        let seed = std::env::var("CAULK_FUZZ_SEED").ok().and_then(|text| text.parse::<u64>().ok());
        Self(usual ^ seed.map_or(0, |seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const SEEDS: [&str; 3] = [
    r#"[{"directory":"/d","file":"a.c","command":"ccache gcc -DX='a b' \"-I x\" @rsp -c a.c && true"},
        {"file":"b.c","arguments":["env","A=1","cc","-x","c","b.c","-std=c99","-Wp,-MD,x.d"]}]"#,
    r#"[ {"file":"a.c","command":"/bin/sh libtool --mode=compile cc -isysroot /s -I=y a.c"} , {} ]"#,
    r#"[[1,{"a":null}],"\u00e9\ud83d\ude00",{"file":3,"output":1e9},{"arguments":[]}]"#,
];

const BYTES: &[u8] = b"[]{},:\"'\\ \n-=@ncIxW\0\xff\xc3$";

const PIECES: [&str; 30] = [
    "-I",
    "-D",
    "-x",
    "c",
    "c++",
    "none",
    "a.c",
    "@rsp",
    "@",
    "--",
    "-",
    "-Wp,",
    "-Wp,-D,A",
    "-Xclang",
    "-include",
    "-std=",
    "-std=c99",
    "-O",
    "-m",
    "--sysroot",
    "--sysroot=",
    "-I=",
    "-iprefix",
    "-fpack-struct=x",
    "-target",
    "-f",
    "-fno-",
    "",
    "=",
    "\u{e9}",
];

fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(12)).min(text.len());
        match random.below(4) {
            0 => text.insert(at, *random.pick(BYTES)),
            1 => drop(text.drain(at..end)),
            2 => text.extend_from_within(at..end),
            _ => {
                let copy = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copy);
            }
        }
    }
}

fn options(dir: &TempDir) -> LoadOptions {
    dir.write("a.c", "");
    dir.write("b.c", "");
    dir.write("rsp", "-DA '-DB=\"x' \\");
    dir.options_without_compiler()
}

#[test]
fn damaged_databases() {
    let dir = TempDir::new();
    let options = options(&dir);
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut refused) = (0, 0);
    let mut budget = Budget::new();
    while budget.next_round() {
        let mut text = random.pick(&SEEDS).as_bytes().to_vec();
        mutate(&mut random, &mut text);
        let path = dir.write("compile_commands.json", &text);
        match from_database(&path, &options) {
            Ok(project) => {
                read += 1;
                assert!(project.units.len() <= 8);
            }
            Err(problem) => {
                refused += 1;
                assert!(
                    problem.line.is_some_and(|line| line as usize <= text.len() + 1),
                    "{problem}"
                );
            }
        }
    }
    assert!(read > 20 && refused > 20, "the damage is one-sided: {read} read, {refused} refused");
}

#[test]
fn random_flags() {
    let dir = TempDir::new();
    let options = options(&dir);
    let mut random = Random::new(42);
    let mut budget = Budget::new();
    let mut units = 0;
    while budget.next_round() {
        let flags: Vec<String> = (0..random.below(8))
            .map(|_| (0..=random.below(2)).map(|_| *random.pick(&PIECES)).collect())
            .collect();
        let project = from_files(&["a.c".into(), "b.c".into()], &flags, &options);
        units += project.units.len();
        assert!(project.units.is_sorted_by_key(|unit| &unit.source), "{flags:?}");
    }
    assert!(units > 100, "{units}");
}
