//! Random C programs that move pointers about in every way the rules know.

use std::fmt::Write;

const HEAD: &str = "\
struct s { struct s *next; void *data; struct s *arr[3]; struct s *(*fn)(struct s *, struct s *); };
typedef struct s *P;
typedef unsigned long word;
void *malloc(word); void *realloc(void *, word); void *memcpy(void *, const void *, word);
void qsort(void *, word, word, int (*)(const void *, const void *));
void keep(P); void look(const struct s *); P make(void); void watch(P (*)(P, P));
static P first(int n, ...) {
  __builtin_va_list list; P p = 0;
  __builtin_va_start(list, n);
  while (n--) p = __builtin_va_arg(list, P);
  return p;
}
static P chosen; static int compare(const void *a, const void *b) { chosen = *(P *)a; return a < b; }
static P by_value(struct s s) { s.data = s.next; return s.arr[1]; }
static struct s pair(P a, P b) { struct s s = { a, b }; return s; }
static struct s s0, s1, table[4]; static P g0, g1; extern P elsewhere;
static P new_one(P data) { P p = malloc(48); p->data = data; return p; }
";

const FUNCTIONS: u64 = 5;

struct Random(u64, bool);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len() as u64) as usize]
    }
}

pub fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, seed.is_multiple_of(4));
    let mut text = HEAD.to_string();
    for index in 0..FUNCTIONS {
        let _ = writeln!(text, "{}P f{index}(P a, P b);", linkage(index));
    }
    let _ = writeln!(text, "static P (*const table_of[])(P, P) = {{ f1, f{} }};", random.below(5));
    for index in 0..FUNCTIONS {
        function(&mut random, &mut text, index);
    }
    text
}

fn linkage(index: u64) -> &'static str {
    if index < 2 { "" } else { "static " }
}

fn function(random: &mut Random, text: &mut String, index: u64) {
    let _ = writeln!(text, "{}P f{index}(P a, P b) {{", linkage(index));
    text.push_str("  P c = a, d = b, m = 0; struct s l; P *out = &m; int n = a == b;\n");
    let count = 1 + random.below(9);
    for _ in 0..count {
        statement(random, text, 1);
    }
    let _ = writeln!(text, "  return {};\n}}", value(random));
}

fn statement(random: &mut Random, text: &mut String, depth: usize) {
    let indent = "  ".repeat(depth);
    let (x, y, z) = (variable(random), value(random), value(random));
    let p = pointer(random);
    let f = random.below(FUNCTIONS);
    let nested = depth < 3;
    // Steps by bytes make objects collapse: one program in four has them.
    let steps = random.1;
    let line = match random.below(34) {
        0 | 1 => format!("{x} = {y};"),
        2 => format!("{x} = malloc(48);"),
        3 => format!("{x} = new_one({y});"),
        4 | 5 => format!("{x} = {p}->next;"),
        6 | 7 => format!("{p}->next = {y};"),
        8 => format!("{x} = {p}->data;"),
        9 => format!("{p}->data = {y};"),
        10 => format!("{x} = (P)&{p}->data;"),
        11 if steps => format!("{x} = (P)((char *){y} - 8);"),
        12 if steps => format!("{x} = (P)((char *){y} + 8);"),
        13 => format!("{x} = {p}->arr[n];"),
        14 => format!("{p}->arr[1] = {y};"),
        15 => format!("*{p} = *{};", pointer(random)),
        16 => format!("memcpy({y}, {z}, 16);"),
        17 => format!("{x} = f{f}({y}, {z});"),
        18 => format!("{x} = {p}->fn({y}, {z});"),
        19 => format!("{p}->fn = f{f};"),
        20 => format!("{x} = table_of[n]({y}, {z});"),
        21 => format!("{x} = (P)((word){y} | (word){z});"),
        22 => format!("{x} = realloc({y}, 96);"),
        23 => format!("{x} = first(2, {y}, {z});"),
        24 => format!("{x} = by_value(*{p});"),
        25 => format!("l = pair({y}, {z});"),
        26 => format!("*out = {y};"),
        27 => format!("out = &{p}->next;"),
        28 => format!("{x} = *out;"),
        29 => random
            .pick(&["keep(c);", "look(&l);", "d = make();", "watch(f3);", "elsewhere = d;"])
            .to_string(),
        30 => format!("{x} = elsewhere->next; qsort(&l, 1, 8, compare);"),
        31 => format!("{x} = &table[n];"),
        32 if nested => return branch(random, text, depth, "if (n)"),
        33 if nested => return branch(random, text, depth, "while (n--)"),
        _ => format!("{x} = &{p}[n];"),
    };
    let _ = writeln!(text, "{indent}{line}");
}

fn branch(random: &mut Random, text: &mut String, depth: usize, head: &str) {
    let indent = "  ".repeat(depth);
    let _ = writeln!(text, "{indent}{head} {{");
    for _ in 0..=random.below(3) {
        statement(random, text, depth + 1);
    }
    let _ = writeln!(text, "{indent}}}");
}

fn variable(random: &mut Random) -> &'static str {
    random.pick(&["a", "b", "c", "d", "m", "g0", "g1"])
}

fn pointer(random: &mut Random) -> &'static str {
    random.pick(&["a", "b", "c", "d", "m", "g0", "(&l)", "(&s0)", "(&s1)", "table"])
}

fn value(random: &mut Random) -> &'static str {
    random.pick(&["a", "b", "c", "d", "m", "g0", "g1", "&l", "&s0", "&s1", "table + 1", "chosen"])
}
