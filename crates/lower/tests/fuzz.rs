//! Mutated C: whatever the front end makes of it is lowered without a panic to a module that
//! verifies and whose text reads back.
//!
//! Three seconds by default; `CAULK_FUZZ_SECONDS` sets another time and `CAULK_FUZZ_SEED` another
//! start. A text that fails is made as small as it goes, then printed. One that ends the whole
//! process (a stack overflow) is found in `lower-fuzz.c` in cargo's folder for test files.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use caulk_cfront::{FrontUnit, Limits, read_unit};
use caulk_project::{SourceFiles, Unit, UnitOptions};

/// A text that takes longer hangs.
const SLOW: Duration = Duration::from_secs(20);

/// What the seeds take from headers.
const PRELUDE: &str = "\
typedef unsigned long size_t; typedef long ptrdiff_t; typedef __builtin_va_list va_list;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t;
typedef unsigned long uint64_t; typedef unsigned long uintptr_t; typedef long intptr_t;
#define NULL ((void *)0)
#define bool _Bool
#define true 1
#define false 0
#define offsetof(t, m) __builtin_offsetof(t, m)
#define va_start(l, p) __builtin_va_start(l, p)
#define va_arg(l, t) __builtin_va_arg(l, t)
#define va_copy(t, f) __builtin_va_copy(t, f)
#define va_end(l) __builtin_va_end(l)
typedef struct { long state[25]; } jmp_buf[1];
int setjmp(jmp_buf) __attribute__((returns_twice)); void longjmp(jmp_buf, int) __attribute__((noreturn));
int printf(const char *, ...); int puts(const char *); int putchar(int); void abort(void);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); size_t strlen(const char *);
int strcmp(const char *, const char *); char *strcpy(char *, const char *);
";

const OPERATORS: &str = "+ - * / % & | ^ << >> && || ! ~ = += -= *= /= <<= >>= |= == != < >= ++ -- \
    ? : , ; ( ) { } [ ] . -> ...";

const NUMBERS: &str = "0 1 -1 2 7 64 127 128 255 65536 0x7fffffff 0x80000000u 0xffffffffffffffffull \
    1.5 1e400 'a'";

/// Each may stand for each other.
const TYPES: &str = "char short int long unsigned signed float double _Bool __int128";

/// One in a line.
const PIECES: &str = "\
int\nchar\nunsigned char\nlong\nunsigned long\nfloat\ndouble\nlong double\n__int128\n_Bool\nvoid\nvoid *
struct { int a; char b[3]; }\nunion { int a; float b; }\nenum { A, B = 9 }\nint v[n];\nunsigned b : 3;
volatile\nconst\nstatic\nextern\n_Atomic\n_Thread_local\n_Complex double\nregister\ninline\ntypedef
return\nbreak;\ncontinue;\ngoto out;\nout: ;\ncase 3:\ncase 1 ... 5:\ndefault:\nif (1)\nelse\nwhile (1)
do\nfor (;;)\nswitch (1)\nsizeof\ntypeof(x)\n({ int x = 1; x; })\n_Alignas(32)\n&&out\ngoto *p;
(struct { int a, b; }){ .b = 1 }\n(int[]){ 1, 2, [5] = 3 }\n_Generic(x, int: 1, default: 2)
__attribute__((cleanup(f)))\n__attribute__((vector_size(16)))\n__attribute__((packed))
asm(\"\" : \"+r\"(x));\n__builtin_unreachable();\n__builtin_alloca(n)\n__builtin_va_arg(l, int)
__builtin_add_overflow(x, x, &x)\n__sync_fetch_and_add(&x, 1)\n__builtin_object_size(p, 0)";

/// A small generator of numbers, so that every failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 32) % limit.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, rows: impl Iterator<Item = &'a str>) -> &'a str {
        let rows: Vec<&str> = rows.collect();
        rows[self.below(rows.len())]
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The words, numbers, strings, single signs and blanks of a text; all together are the text.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = token_length(rest, first);
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

fn token_length(rest: &str, first: char) -> usize {
    let run = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    match first {
        _ if is_word(first) => run(is_word),
        _ if first.is_whitespace() => run(char::is_whitespace),
        '"' | '\'' => rest[1..].find(first).map_or(1, |end| end + 2),
        _ => first.len_utf8(),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// One or two changes. Most keep the shape of C, because only what checks is lowered.
fn mutate(text: &str, others: &[String], random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + random.below(2) {
        if tokens.is_empty() {
            break;
        }
        change(&mut tokens, others, random);
    }
    tokens.concat()
}

fn change<'a>(tokens: &mut Vec<&'a str>, others: &'a [String], random: &mut Random) {
    let solid: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].trim().is_empty()).collect();
    let at = solid.get(random.below(solid.len())).copied().unwrap_or(0);
    match random.below(10) {
        0..=3 => tokens[at] = alike(tokens, at, random),
        4 if random.below(2) == 0 => tokens[at] = random.pick(PIECES.lines()),
        4 => drop(tokens.splice(at..at, [" ", random.pick(PIECES.lines()), " "])),
        5 => drop(tokens.drain(range(tokens.len(), 12, random))),
        6 => {
            let piece = tokens[range(tokens.len(), 30, random)].to_vec();
            tokens.splice(at..at, piece);
        }
        7 => {
            let other = self::tokens(&others[random.below(others.len())]);
            let piece = other[range(other.len(), 40, random)].to_vec();
            tokens.splice(at..at, piece);
        }
        8 => {
            let other = random.below(tokens.len());
            tokens.swap(at, other);
        }
        _ => tokens[at] = alike(tokens, at, random),
    }
}

/// Another token of the same sort: a word of the same text, a type, a number, an operator.
fn alike<'a>(tokens: &[&'a str], at: usize, random: &mut Random) -> &'a str {
    let first = tokens[at].chars().next().unwrap_or(' ');
    let is_type = |word: &str| TYPES.split_whitespace().any(|name| name == word);
    let is_name = |word: &&str| word.starts_with(is_name_start) && !is_type(word);
    match first {
        '0'..='9' => random.pick(NUMBERS.split_whitespace()),
        _ if is_type(tokens[at]) => random.pick(TYPES.split_whitespace()),
        _ if is_name_start(first) => random.pick(tokens.iter().copied().filter(is_name)),
        _ => random.pick(OPERATORS.split_whitespace()),
    }
}

fn is_name_start(c: char) -> bool {
    is_word(c) && !c.is_ascii_digit()
}

fn range(length: usize, longest: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(length);
    start..(start + 1 + random.below(longest)).min(length)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name)
}

/// The texts of a folder's files that end in `.ending`, in the order of their names.
fn texts(name: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder(name)).expect("the folder of seeds");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a seed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// The C blocks of `suites/lower`, and the programs of `suites/run` that need no more of their
/// headers than the prelude has.
fn seeds() -> Vec<String> {
    let suites = texts("lower", "md");
    let blocks = suites.iter().flat_map(|text| text.split("```c\n").skip(1));
    let cases = blocks.filter_map(|block| block.split_once("```")).map(|(c, _)| c.to_owned());
    let is_own = |line: &&str| !line.trim_start().starts_with("#include");
    let own_lines = |text: &String| text.split_inclusive('\n').filter(is_own).collect::<String>();
    let programs: Vec<String> = texts("run", "c").iter().map(own_lines).collect();
    let good = programs.into_iter().filter(|text| read(text).errors.is_empty());
    cases.chain(good).collect()
}

fn read(text: &str) -> FrontUnit {
    let path = PathBuf::from("/fuzz/fuzz.c");
    let files = SourceFiles::new();
    files.insert_virtual(&path, format!("{PRELUDE}{text}").as_bytes());
    let unit = Unit {
        source: path,
        display: PathBuf::from("fuzz.c"),
        directory: PathBuf::from("/fuzz"),
        options: UnitOptions::default(),
    };
    read_unit(&unit, &files, &Limits::default())
}

/// What became of a text that nothing is wrong with.
#[derive(Default)]
struct Tally {
    texts: u64,
    without_errors: u64,
    functions: usize,
    /// Panics inside the front end's dependencies, which cost the unit alone.
    isolated: u64,
}

/// Everything that is promised of one text; else the reason.
fn check(text: &str, tally: &mut Tally) -> Result<(), String> {
    let front = read(text);
    tally.texts += 1;
    tally.without_errors += u64::from(front.errors.is_empty());
    let failed = |error: &&caulk_cfront::FrontError| error.message.contains("the front end failed");
    tally.isolated += u64::from(front.errors.iter().any(|error| failed(&error)));
    let Some(tree) = front.tree else { return Ok(()) };
    let module = caulk_lower::lower(&tree, "fuzz.c", &caulk_lower::Options::default()).module;
    if let Some(violation) = caulk_ir::verify::module(&module).first() {
        return Err(format!("malformed: {violation}"));
    }
    tally.functions += module.bodies().count();
    let printed = caulk_ir::print::module(&module);
    let read_back = caulk_ir::parse::module(&printed);
    let read_back = read_back.map_err(|error| format!("does not read back: {error}"))?;
    if caulk_ir::print::module(&read_back) != printed {
        return Err("reads back as something else".into());
    }
    Ok(())
}

/// What the loop is at, for those who watch it.
struct Watch {
    /// The text at work, and since when.
    current: Mutex<(Instant, String)>,
    /// What the last panic said, and where it was.
    last_panic: Mutex<String>,
    /// By their sort.
    failures: Mutex<BTreeMap<String, String>>,
    /// Holds the text at work as well; a stack overflow leaves nothing else behind.
    file: PathBuf,
}

impl Watch {
    fn new() -> Arc<Watch> {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lower-fuzz.c");
        let current = Mutex::new((Instant::now(), String::new()));
        let (last_panic, failures) = (Mutex::default(), Mutex::default());
        Arc::new(Watch { current, last_panic, failures, file })
    }

    /// Keeps panics of the thread `fuzz` from being shown: most are looked for again and again,
    /// while a text is made smaller.
    fn keep_panics(self: &Arc<Watch>) {
        let (watch, otherwise) = (self.clone(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |info| match std::thread::current().name() {
            Some("fuzz") => *watch.last_panic.lock().unwrap() = info.to_string(),
            _ => otherwise(info),
        }));
    }

    /// As `check`, with a panic as a reason like any other.
    fn survives(&self, text: &str, tally: &mut Tally) -> Result<(), String> {
        std::fs::write(&self.file, text).expect("a folder for test files");
        *self.current.lock().unwrap() = (Instant::now(), text.to_owned());
        let outcome = catch_unwind(AssertUnwindSafe(|| check(text, tally)));
        outcome.unwrap_or_else(|_| Err(self.last_panic.lock().unwrap().clone()))
    }

    fn knows(&self, sort: &str) -> bool {
        self.failures.lock().unwrap().contains_key(sort)
    }

    fn fails(&self, sort: String, text: String) {
        self.failures.lock().unwrap().insert(sort, text);
    }

    /// Whether a text has been at work for too long, which is a failure of its own.
    fn hangs(&self) -> bool {
        let (start, text) = self.current.lock().unwrap().clone();
        let hangs = start.elapsed() > SLOW;
        if hangs {
            let text = format!("takes more than {} s\n{text}", SLOW.as_secs());
            self.fails("slow".into(), text);
        }
        hangs
    }
}

/// The same sort of failure, whatever ids, numbers and instructions it names.
fn sort_of(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_ascii_digit()).take_while(|&c| c != '`').collect()
}

/// Leaves out pieces, large ones first, as long as the text fails for the same sort of reason.
fn smallest(text: &str, sort: &str, watch: &Watch) -> String {
    let fails = |text: &str| {
        let outcome = watch.survives(text, &mut Tally::default());
        outcome.is_err_and(|reason| sort_of(&reason) == sort)
    };
    let mut kept = tokens(text);
    let mut size = kept.len().next_power_of_two();
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.drain(at..(at + size).min(kept.len()));
            if fails(&fewer.concat()) { kept = fewer } else { at += size }
        }
        size /= 2;
    }
    kept.concat()
}

/// Goes on after a failure, so that one run shows all sorts of them, each once.
fn fuzz(watch: &Watch) -> Tally {
    let seeds = seeds();
    assert!(seeds.len() > 60, "only {} seeds", seeds.len());
    let mut random = Random(number("CAULK_FUZZ_SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let end = Instant::now() + Duration::from_secs(number("CAULK_FUZZ_SECONDS", 3));
    let mut tally = Tally::default();
    while Instant::now() < end {
        let text = mutate(&seeds[random.below(seeds.len())], &seeds, &mut random);
        let Err(reason) = watch.survives(&text, &mut tally) else { continue };
        let sort = sort_of(&reason);
        if !watch.knows(&sort) {
            let smallest = smallest(&text, &sort, watch);
            watch.fails(sort, format!("{reason}\n{smallest}\n"));
        }
    }
    tally
}

#[test]
fn every_mutant_is_lowered_or_refused() {
    let watch = Watch::new();
    watch.keep_panics();
    let watched = watch.clone();
    let thread = std::thread::Builder::new()
        .name("fuzz".into())
        .stack_size(Limits::default().stack_bytes)
        .spawn(move || fuzz(&watched))
        .expect("a thread");
    while !thread.is_finished() && !watch.hangs() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let failures: Vec<String> = watch.failures.lock().unwrap().values().cloned().collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    let tally = thread.join().expect("the loop itself does not fail");
    let Tally { texts, without_errors, functions, isolated } = tally;
    println!(
        "{texts} texts, {without_errors} without errors, {functions} functions lowered, \
         {isolated} isolated panics of the front end"
    );
    assert!(texts > without_errors && without_errors > 0 && functions > 0);
}

#[test]
fn tokens_are_the_text() {
    let text = "int f(a) { return a1+'x' ? \"y z\" : é; }\n'";
    assert_eq!(tokens(text).concat(), text);
    assert!(tokens(text).contains(&"\"y z\""));
}
