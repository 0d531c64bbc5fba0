//! Mutated programs: whatever the verifier accepts runs to an outcome, without a panic, a hang
//! or an overflow of the host's stack.
//!
//! Three seconds by default; `CAULK_FUZZ_SECONDS` sets another time and `CAULK_FUZZ_SEED` another
//! start. The text that runs is kept in a file, for failures that end the process.

#[path = "../../ir/tests/common/mod.rs"]
mod ir_common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use caulk_interp::{Budgets, Program, RunOptions, Uninitialised, Unknown, run};
use caulk_ir::{Module, parse, verify};
use ir_common::{Random, seeds};

/// A run of so few steps that takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "8",
    "16",
    "63",
    "64",
    "127",
    "255",
    "4096",
    "2147483647",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
];

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The programs of this crate and the modules of `ir`, without their positions.
fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/tests/ir");
    let modules = ["everything.ir", "list.ir"]
        .map(|name| std::fs::read_to_string(folder.join(name)).expect("a module of the ir crate"));
    let own = seeds().into_iter().map(|(_, text)| text);
    own.chain(modules).map(|text| text.lines().map(without_span).collect()).collect()
}

fn without_span(line: &str) -> String {
    let end = if line.ends_with(" {") { " {\n" } else { "\n" };
    let kept = line.split(" @").next().unwrap_or(line);
    format!("{}{end}", kept.trim_end_matches(" {"))
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut rows: Vec<String> = text.lines().map(str::to_string).collect();
    if !text.contains(":main ") || random.chance(5) {
        promote(&mut rows, random);
    }
    if random.chance(50) {
        replace_library(&mut rows, random);
    }
    for _ in 0..1 + random.below(5) {
        let (at, other) = (random.below(rows.len()), random.below(rows.len()));
        match random.below(12) {
            0 => rows.insert(at, rows[other].clone()),
            1 if rows.len() > 1 => drop(rows.remove(at)),
            2 => rows.swap(at, other),
            3 | 4 => rows[at] = with_swapped_tokens(&rows[at], random),
            5 => rows[at] = with_token_of(&rows[at], &rows[other], random),
            6..=8 => rows[at] = with_number(&rows[at], random),
            _ => rows[at] = with_digit(&rows[at], random),
        }
    }
    rows.join("\n") + "\n"
}

/// Another function becomes `main`.
fn promote(rows: &mut [String], random: &mut Random) {
    let Some(name) = function("define ", rows, random) else { return };
    rows.iter_mut().for_each(|row| *row = row.replace(":main", ":other"));
    rename(rows, &name, "main");
}

/// A library function becomes another, called with the same arguments.
fn replace_library(rows: &mut [String], random: &mut Random) {
    let Some(name) = function("declare ", rows, random) else { return };
    let known: Vec<&str> = caulk_interp::library::names().collect();
    let new: &&str = random.pick(&known);
    rename(rows, &name, new);
}

/// One of the functions whose lines begin like this, as `f3:name`.
fn function(start: &str, rows: &[String], random: &mut Random) -> Option<String> {
    let name = |row: &String| row.strip_prefix(start)?.split(' ').next().map(str::to_string);
    let names: Vec<String> = rows.iter().filter_map(name).collect();
    (!names.is_empty()).then(|| random.pick(&names).clone())
}

fn rename(rows: &mut [String], function: &str, new: &str) {
    let Some((id, _)) = function.split_once(':') else { return };
    let new = format!("{id}:{new}");
    rows.iter_mut().for_each(|row| *row = row.replace(function, &new));
}

fn tokens(row: &str) -> Vec<&str> {
    row.split_inclusive([' ', '(', ')', ',']).collect()
}

fn with_swapped_tokens(row: &str, random: &mut Random) -> String {
    let mut tokens = tokens(row);
    if !tokens.is_empty() {
        let (left, right) = (random.below(tokens.len()), random.below(tokens.len()));
        tokens.swap(left, right);
    }
    tokens.concat()
}

fn with_token_of(row: &str, other: &str, random: &mut Random) -> String {
    let (mut own, other) = (tokens(row), tokens(other));
    if !own.is_empty() && !other.is_empty() {
        let at = random.below(own.len());
        own[at] = *random.pick(&other);
    }
    own.concat()
}

/// A hard number in place of a plain one.
fn with_number(row: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = tokens(row).into_iter().map(str::to_string).collect();
    let is_number = |token: &String| token.trim_end_matches([' ', ')', ',']).parse::<i64>().is_ok();
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| is_number(&tokens[at])).collect();
    if !places.is_empty() {
        let token = &mut tokens[*random.pick(&places)];
        let end = token.trim_start_matches(|sign: char| sign == '-' || sign.is_ascii_digit());
        *token = format!("{}{end}", random.pick(&NUMBERS));
    }
    tokens.concat()
}

/// Another digit: ids that name something else are the most telling mistakes.
fn with_digit(row: &str, random: &mut Random) -> String {
    let mut row = row.as_bytes().to_vec();
    let digits: Vec<usize> = (0..row.len()).filter(|&at| row[at].is_ascii_digit()).collect();
    if !digits.is_empty() {
        row[*random.pick(&digits)] = b'0' + random.below(10) as u8;
    }
    String::from_utf8_lossy(&row).into_owned()
}

fn options<'a>(random: &mut Random) -> RunOptions<'a> {
    RunOptions {
        args: vec![b"program".to_vec(), b"x".to_vec()],
        stdin: b"12 words\nand 3.5 more\n".to_vec(),
        fail_alloc: random.chance(20).then(|| 1 + random.below(6) as u64),
        budgets: Budgets { steps: 20_000, memory: 16 << 20, depth: 200 },
        unknown: if random.chance(50) { Unknown::Havoc } else { Unknown::Stop },
        uninitialised: *random.pick(&[
            Uninitialised::Stop,
            Uninitialised::Report,
            Uninitialised::Ignore,
        ]),
        ..RunOptions::default()
    }
}

/// Runs the module alone, watched and traced.
fn run_all(module: Module, random: &mut Random) {
    let Ok(program) = Program::link(vec![module]) else { return };
    run(&program, options(random));
    run(&program, RunOptions { watch_heap: true, ..options(random) });
    let mut tell = |fact: &caulk_interp::Fact| drop(fact.to_json());
    run(&program, RunOptions { trace: Some(&mut tell), ..options(random) });
}

/// Mutates and runs until the time is over; tells how many texts were programs.
fn fuzz(seed: u64, seconds: u64, kept: &Path, alive: &dyn Fn()) -> (u64, u64) {
    let corpus = corpus();
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut tried, mut ran) = (0, 0);
    while Instant::now() < end {
        tried += 1;
        let text = mutate(random.pick(&corpus).as_str(), &mut random);
        let Ok(module) = parse::module(&text) else { continue };
        if !verify::module(&module).is_empty() {
            continue;
        }
        ran += 1;
        std::fs::write(kept, &text).expect("a place for the text");
        if catch_unwind(AssertUnwindSafe(|| run_all(module, &mut random))).is_err() {
            panic!("seed {seed}, text {tried}:\n{text}");
        }
        alive();
    }
    (tried, ran)
}

/// Waits for the thread that sends a sign of life after each program.
fn wait(signs: &Receiver<()>, kept: &Path) {
    loop {
        match signs.recv_timeout(PATIENCE) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let text = std::fs::read_to_string(kept).unwrap_or_default();
                panic!("still running:\n{text}");
            }
        }
    }
}

#[test]
fn the_seeds_run() {
    for (name, text) in seeds() {
        let module = ir_common::parse_ok(&name, &text);
        let program = Program::link(vec![module]).expect("a 64-bit program links");
        let outcome = run(&program, RunOptions::default());
        assert!(outcome.status.code().is_some(), "{name}: {:?}", outcome.status);
    }
}

#[test]
fn no_program_makes_the_interpreter_panic() {
    let seed = number("CAULK_FUZZ_SEED", 1);
    let seconds = number("CAULK_FUZZ_SECONDS", 3);
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("interp-fuzz-{seed}.ir"));
    let (sign, signs) = channel();
    let place = kept.clone();
    let worker = std::thread::spawn(move || {
        fuzz(seed, seconds, &place, &|| sign.send(()).unwrap_or_default())
    });
    wait(&signs, &kept);
    let (tried, ran) = worker.join().expect("the failing text is above");
    println!("{tried} texts, {ran} were programs");
    assert!(ran > 0 && tried > ran, "{tried} {ran}");
}
