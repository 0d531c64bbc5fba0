//! Random small C programs that read and write memory: slots in scopes and loops, fields, array
//! elements, globals, heap objects, out-parameters, copies of structs, recursion and calls through
//! pointers.

use std::fmt::Write;

use caulk_testkit::Random;

const FUNCTIONS: usize = 4;

const HEAD: &str = "void *malloc(unsigned long); void free(void *);\n\
    void *realloc(void *, unsigned long); int cond(void);\n\
    struct s { struct s *a; struct s *b; int n; };\n\
    static struct s *g, *h; static struct s t; static struct s *many[4];\n\
    static struct s *byval(struct s c) { if (cond()) c.a = c.b; return c.a; }\n\
    typedef struct s *fn(struct s *, struct s **);\n";

pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let recursive = random.below(3) == 0;
    let mut c = String::from(HEAD);
    for id in 0..FUNCTIONS {
        let _ = writeln!(c, "static fn f{id};");
    }
    for id in 0..FUNCTIONS {
        let _ = writeln!(c, "static struct s *f{id}(struct s *p, struct s **q) {{");
        c.push_str("  struct s v, u, *x = &v, *y = &u, *w = &v, **k = &w;\n");
        c.push_str("  v.a = v.b = &u; u.a = u.b = &v;\n");
        let mut writer = Writer { random: &mut random, function: id, recursive };
        (0..4 + writer.random.below(6)).for_each(|_| writer.statement(2, &mut c));
        let _ = writeln!(c, "  return {};\n}}", writer.pointer());
    }
    c + "int main(void) { struct s z, *m = &z; z.a = z.b = &z; t.a = t.b = g = h = &t;\n\
         f0(&z, &m); f0(m, &g); return 0; }\n"
}

struct Writer<'r> {
    random: &'r mut Random,
    function: usize,
    recursive: bool,
}

impl Writer<'_> {
    fn statement(&mut self, depth: usize, c: &mut String) {
        let (x, y) = (self.pointer(), self.pointer());
        let (to, from) = (self.place(), self.place());
        let text = match self.random.below(if depth == 0 { 20 } else { 26 }) {
            0 | 1 => format!("{x} = malloc(sizeof *{x});"),
            2 => format!("{x} = malloc(3 * sizeof *{x});"),
            3 => format!("{x} = {y};"),
            4 | 5 => format!("{to} = {x};"),
            6 | 7 => format!("{x} = {from};"),
            8 => format!("{to} = {from};"),
            9 => format!("k = &{to};"),
            10 => format!("k = {};", self.random.pick(&["q", "&w", "&v.a", "&g", "&many[1]"])),
            11 => format!("{} = {};", self.aggregate(), self.aggregate()),
            12 => format!("{x} = &{};", self.aggregate()),
            13 if self.random.below(3) == 0 => format!("free({x});"),
            13 => format!("{to} = 0;"),
            14 if self.random.below(2) == 0 => format!("{x} = realloc({y}, 96);"),
            14 | 15 => format!("{x} = byval({});", self.aggregate()),
            16 | 17 => self.call(x, y),
            18 => self.elements(),
            19 if self.recursive => self.activations(),
            19 => format!("*q = {x}; {y} = *q;"),
            20 => return self.nested("if (cond())", depth, c),
            21 | 22 => return self.nested("while (cond())", depth, c),
            23 => return self.block(depth, c),
            _ => return self.newest(depth, c),
        };
        let _ = writeln!(c, "  {text}");
    }

    fn nested(&mut self, head: &str, depth: usize, c: &mut String) {
        let _ = writeln!(c, "  {head} {{");
        (0..1 + self.random.below(3)).for_each(|_| self.statement(depth - 1, c));
        c.push_str("  }\n");
    }

    /// A scope with a slot of its own.
    fn block(&mut self, depth: usize, c: &mut String) {
        let name = format!("e{}", self.random.below(1000));
        let _ = writeln!(c, "  {{ struct s {name}; if (cond()) {name}.a = x; y = &{name};");
        (0..1 + self.random.below(3)).for_each(|_| self.statement(depth - 1, c));
        let _ = writeln!(c, "  x = {name}.a; y = 0; k = &w; }}");
    }

    /// A heap object, or an array of them, that is used through the result of its allocation.
    fn newest(&mut self, depth: usize, c: &mut String) {
        let m = format!("m{}", self.random.below(1000));
        let count = 1 + 2 * self.random.below(2);
        let _ = writeln!(c, "  {{ struct s *{m} = malloc({count} * sizeof *{m});");
        let other = if count == 1 { format!("{m}->b") } else { format!("{m}[1].a") };
        let first = format!("{m}->a");
        for _ in 0..3 {
            let place = if self.random.below(3) == 0 { &other } else { &first };
            match self.random.below(5) {
                0 => self.statement(depth - 1, c),
                1 => drop(writeln!(c, "  if (cond()) g = {m};")),
                2 => drop(writeln!(c, "  x = {place};")),
                _ => drop(writeln!(c, "  if (cond()) {place} = {};", self.pointer())),
            }
        }
        let _ = writeln!(c, "  {first} = 0; y = {other}; x = {first}; }}");
    }

    /// Elements by their numbers: one location for many cells.
    fn elements(&mut self) -> String {
        let (x, y) = (self.pointer(), self.pointer());
        let (one, two) = (self.random.below(3), self.random.below(3));
        format!("many[{one}] = {x}; if (cond()) many[{two}] = {y}; {y} = many[{one}];")
    }

    /// The same slot in two activations.
    fn activations(&mut self) -> String {
        let (x, y, own) = (self.pointer(), self.pointer(), self.function);
        match self.random.below(3) {
            0 => format!("if (cond()) w = {x}; {y} = *q;"),
            1 => format!("*q = {x}; w = {y}; {x} = *q;"),
            _ => format!("w = {x}; if (cond()) {y} = f{own}({x}, &w); {x} = w;"),
        }
    }

    fn call(&mut self, x: &str, y: &str) -> String {
        let (Some(one), Some(two)) = (self.callee(), self.callee()) else {
            return format!("{x} = {y};");
        };
        let out = self.random.pick(&["&w", "k", "q", "&v.b", "&t.a", "&g"]);
        match self.random.below(4) {
            0 => format!("{x} = (cond() ? f{one} : f{two})({y}, {out});"),
            _ => format!("{x} = f{one}({y}, {out});"),
        }
    }

    /// Without recursion only later functions are called.
    fn callee(&mut self) -> Option<usize> {
        if self.recursive {
            return Some(self.random.below(FUNCTIONS));
        }
        let later = FUNCTIONS - 1 - self.function;
        (later > 0).then(|| self.function + 1 + self.random.below(later))
    }

    fn pointer(&mut self) -> &'static str {
        self.random.pick(&["p", "x", "y"])
    }

    fn aggregate(&mut self) -> &'static str {
        self.random.pick(&["v", "u", "t", "*x", "*p"])
    }

    fn place(&mut self) -> &'static str {
        self.random.pick(&[
            "x->a",
            "x->b",
            "y->a",
            "x[1].a",
            "x[2].b",
            "*k",
            "*k",
            "*q",
            "w",
            "v.a",
            "v.b",
            "t.a",
            "g",
            "h",
            "g->a",
            "many[1]",
            "many[cond()]",
        ])
    }
}
