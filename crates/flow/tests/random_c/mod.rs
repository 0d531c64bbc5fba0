//! Random small C programs that move pointers about: through variables, fields, slots, globals,
//! parameters, results and function pointers.

use std::fmt::Write;

const FUNCTIONS: u64 = 4;
const VARIABLES: [&str; 4] = ["p", "x", "y", "z"];

pub struct RandomC {
    state: u64,
    recursive: bool,
}

impl RandomC {
    pub fn new(seed: u64, recursive: bool) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, recursive }
    }

    pub fn program(&mut self) -> String {
        let mut c = String::from(
            "void *malloc(unsigned long); void free(void *); void *realloc(void *, unsigned long);\n\
             int cond(void);\nstruct s { struct s *a, *b; };\nstatic struct s *g, *h;\n",
        );
        for id in 0..FUNCTIONS {
            let _ = writeln!(c, "{}struct s *f{id}(struct s *p, struct s **q);", linkage(id));
        }
        for id in 0..FUNCTIONS {
            let _ = writeln!(c, "{}struct s *f{id}(struct s *p, struct s **q) {{", linkage(id));
            c.push_str("  struct s *x = 0, *y = 0, *z = 0, *w = 0;\n");
            (0..3 + self.below(5)).for_each(|_| self.statement(id, 2, &mut c));
            let _ = writeln!(c, "  return {};\n}}", self.variable());
        }
        c
    }

    fn statement(&mut self, function: u64, depth: usize, c: &mut String) {
        let (x, y) = (self.variable(), self.variable());
        let text = match self.below(if depth == 0 { 14 } else { 16 }) {
            0 | 1 => format!("{x} = malloc(sizeof *{x});"),
            2 => format!("{x} = {y};"),
            3 => format!("if ({y}) {x} = {y}->{};", self.field()),
            4 | 5 => format!("if ({y}) {y}->{} = {x};", self.field()),
            6 => format!("free({x});"),
            7 => format!("*{} = {x};", self.place()),
            8 => format!("{x} = *{};", self.place()),
            9 => format!("{} = {x};", self.global()),
            10 => format!("{x} = {};", self.global()),
            11 => format!("{x} = realloc({y}, 16);"),
            12 | 13 => self.call(function, x, y),
            14 => return self.nested("if (cond())", function, depth, c),
            _ => return self.nested("while (cond())", function, depth, c),
        };
        let _ = writeln!(c, "  {text}");
    }

    fn nested(&mut self, head: &str, function: u64, depth: usize, c: &mut String) {
        let _ = writeln!(c, "  {head} {{");
        (0..1 + self.below(2)).for_each(|_| self.statement(function, depth - 1, c));
        c.push_str("  }\n");
    }

    fn call(&mut self, function: u64, x: &str, y: &str) -> String {
        let (Some(one), Some(two)) = (self.callee(function), self.callee(function)) else {
            return format!("{x} = {y};");
        };
        let place = self.place();
        if self.below(4) == 0 {
            format!("{x} = (cond() ? f{one} : f{two})({y}, {place});")
        } else {
            format!("{x} = f{one}({y}, {place});")
        }
    }

    /// Without recursion only later functions are called.
    fn callee(&mut self, function: u64) -> Option<u64> {
        if self.recursive {
            return Some(self.below(FUNCTIONS));
        }
        let later = FUNCTIONS - 1 - function;
        (later > 0).then(|| function + 1 + self.below(later))
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.below(4) as usize]
    }

    fn field(&mut self) -> &'static str {
        ["a", "b"][self.below(2) as usize]
    }

    fn global(&mut self) -> &'static str {
        ["g", "h"][self.below(2) as usize]
    }

    /// `z` and `w` live in memory where their address is taken.
    fn place(&mut self) -> &'static str {
        ["q", "(&z)", "(&w)", "(&g)"][self.below(4) as usize]
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }
}

/// Half of them can be called from outside.
fn linkage(id: u64) -> &'static str {
    if id.is_multiple_of(2) { "" } else { "static " }
}
