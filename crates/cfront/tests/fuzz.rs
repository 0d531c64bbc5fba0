//! A seeded mutation loop: whatever becomes of the text, a value comes back.

mod common;

use std::time::{Duration, Instant};

use common::{Project, defined};

const SEEDS: [&str; 4] = [
    "#include \"h.h\"\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct node { struct node *next; char name[8]; unsigned bits : 3; };\n\
     static struct node *make(const char *name) __attribute__((malloc));\nstatic struct node *make(const char *name) {\n  struct node *n = malloc(sizeof *n);\n\
     if (!n) return 0;\n  for (int i = 0; i < 8 && name[i]; i++) n->name[i] = name[i];\n  n->next = 0;\n  return MAX(n, n);\n}\n",
    "enum color { RED = 1, GREEN, BLUE = GREEN << 2 };\nint table[] = { [RED] = 1, [GREEN ... BLUE] = 2, };\n\
     int pick(enum color c, ...) {\n  switch (c) { case RED: return table[c]; case GREEN ... BLUE: break; default: goto out; }\n\
     do { c++; } while (c < 9);\nout:\n  return ({ int t = c; t * 2; }) + _Generic(c, int: 1, default: 2);\n}\n",
    "typedef int (*cb)(void *, long);\n#if defined X && X > 1\n#elif 1\n#define STR(x) #x\n#define CAT(a, b) a##b\n#else\n#endif\n\
     const char *CAT(s, 1) = STR(hello \"w\\n\") L\"wide\" ;\nint run(cb f, int n) { int vla[n]; asm volatile(\"nop\" : \"=r\"(n) : \"0\"(n)); return f(vla, sizeof vla); }\n",
    "int old(a, b) int a; char *b; { return a ? b[a] : (long)(struct { int x; }){ .x = a }.x; }\n#line 7 \"other.c\"\n\
     _Thread_local double d = 1.5e3f; _Complex float z; __int128 big; union { int i; float f; } u = { .f = 1 };\n\
     static inline void done(int *p) { *p = 0; }\nvoid user(void) { __attribute__((cleanup(done))) int x = 1, *volatile p = &x; p[0]++; }\n",
];

/// A small generator: the same text on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len());
    let end = (at + random.below(12)).min(text.len());
    match random.below(5) {
        0 => drop(text.drain(at..end)),
        1 => text.insert(at, b"(){}[];,#\"'\\*&\n\xff\0=+"[random.below(19)]),
        2 => text[at] ^= 1 << random.below(8),
        3 => text.extend_from_within(at..end),
        _ => {
            let piece = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, piece);
        }
    }
}

#[test]
fn mutants_are_survived() {
    let mut random = Random(2);
    let (start, mut rounds, mut trees, mut clean) = (Instant::now(), 0, 0, 0);
    while start.elapsed() < Duration::from_millis(2500) && rounds < 4000 {
        let mut text = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..1 + random.below(6) {
            mutate(&mut text, &mut random);
        }
        let unit = Project::new(&text).file("/src/h.h", "void *malloc(unsigned long);\n").read();
        rounds += 1;
        trees += usize::from(unit.tree.is_some());
        clean += usize::from(unit.errors.is_empty());
        let failed = unit.errors.iter().any(|error| error.message.contains("the front end failed"));
        assert!(!failed, "{}", String::from_utf8_lossy(&text));
        if let Some(tree) = &unit.tree {
            check_spans(tree);
        }
    }
    assert!(rounds > 100 && trees * 10 > rounds * 9 && clean < rounds, "{rounds} {trees} {clean}");
}

/// Every span of the tree has a place, and its end is not before its start.
fn check_spans(tree: &caulk_cfront::Tree) {
    for index in 0..tree.tast.counts().exprs {
        let span = tree.span(tree.tast.expr_span(caulk_cfront::tree::Idx::from_usize(index)));
        assert!(span.start.line == 0 || tree.files().get(span.start.file).is_some());
        let (start, end) = ((span.start.line, span.start.column), (span.end_line, span.end_column));
        assert!(start <= end, "{span:?}");
    }
}

#[test]
fn the_seeds_are_good_c() {
    let functions: usize = SEEDS
        .iter()
        .map(|seed| {
            let unit = Project::new(seed).file("/src/h.h", "void *malloc(unsigned long);\n").read();
            assert_eq!(common::messages(&unit), Vec::<String>::new(), "{seed}");
            defined(unit.tree.as_ref().unwrap()).len()
        })
        .sum();
    assert_eq!(functions, 6);
}
