//! Random programs that make, link and release nodes. They move references instead of copying them,
//! so they neither free twice nor use what was freed, and no two parameters lead to one object:
//! explore-addresses are taken to be distinct (P3), which is no switch.

use std::fmt::Write;

use caulk_testkit::Random;

const HEAD: &str = "\
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
struct node { struct node *left, *right; int *data; int count; };
struct node *kept; int total, compared; int seen[4];
int by(const void *a, const void *b) { compared = 1; return *(const int *)a - *(const int *)b; }
";

/// Statements about `p` and `q`, which own what they point to, `c` and `r`.
const STATEMENTS: &[&str] = &[
    "p = calloc(1, sizeof *p);",
    "q = calloc(1, sizeof *q);",
    "if (p) { free(p); p = 0; }",
    "if (q) { free(q); q = 0; }",
    "q = p; p = 0;",
    "if (p) { p->left = q; q = 0; }",
    "if (p) { q = p->right; p->right = 0; }",
    "if (q) { p = q->left; q->left = 0; }",
    "if (p) { p->data = malloc(4); }",
    "if (p) { free(p->data); p->data = 0; }",
    "if (q && q->data) { free(q->data); q->data = 0; }",
    "if (p && p->left) { free(p->left->data); p->left->data = 0; }",
    "r = r + 1;",
    "r = r - 2;",
    "r = c & 7;",
    "if (r > 3) r = 0;",
    "c = c / 2;",
];

pub struct Writer {
    random: Random,
    text: String,
    /// Functions so far: those that make a node, and those that work on one.
    makers: usize,
    workers: usize,
}

impl Writer {
    pub fn program(seed: u64) -> String {
        let random = Random::new(seed);
        let mut writer = Writer { random, text: HEAD.to_string(), makers: 0, workers: 0 };
        for _ in 0..2 + writer.random.below(4) {
            writer.function();
        }
        writer.main();
        writer.text
    }

    fn function(&mut self) {
        if self.random.percent(50) {
            let _ = writeln!(self.text, "struct node *make{}(int c) {{", self.makers);
            self.line("struct node *p = 0, *q = 0; int r = 0;");
            self.statements(6, 2);
            let result =
                self.random.pick(&["return p;", "if (r) return 0;\nreturn p;", "return q;"]);
            self.line(result);
            self.makers += 1;
        } else {
            let _ = writeln!(self.text, "int work{}(struct node *p, int c) {{", self.workers);
            self.line("struct node *q = 0; int r = 0;");
            self.line("struct node *const own = p;");
            self.worker_statements();
            self.line("return r;");
            self.workers += 1;
        }
        self.text.push_str("}\n");
    }

    /// A worker may change what its parameter leads to, and frees none of the parameter itself.
    fn worker_statements(&mut self) {
        const OWN: &[&str] = &[
            "if (own) { own->left = q; q = 0; }",
            "if (own) { q = own->right; own->right = 0; }",
            "if (own) { own->data = malloc(4); }",
            "if (own) { free(own->data); own->data = 0; }",
            "if (own && own->left) { free(own->left->data); own->left->data = 0; }",
            "if (q) { free(q); q = 0; }",
            "q = calloc(1, sizeof *q);",
            "r = r + 1;",
            "if (own) { own->count = r; }",
            "if (own) { own->count = c & 3; }",
            "if (own && !kept) { kept = own->right; own->right = 0; }",
            "if (own && !own->right) { own->right = kept; kept = 0; }",
            "if (own && own->left && !own->right) { own->right = own->left->left; own->left->left = 0; }",
            "total = r + 2;",
            "seen[c & 3] = r;",
            "memset(seen, 0, sizeof seen);",
            "qsort(seen, 4, sizeof *seen, by);",
            "if (own) { memset(&own->count, 0, sizeof own->count); }",
            "if (own && q) { memcpy(&own->count, &q->count, sizeof own->count); }",
        ];
        for _ in 0..1 + self.random.below(5) {
            let statement = self.random.pick(OWN);
            let guard = self.guard();
            self.line(&format!("{guard}{{ {statement} }}"));
        }
    }

    fn main(&mut self) {
        self.line("int main(int argc, char **argv) {");
        self.line("struct node *p = 0, *q = 0; int r = 0; int c = argc * 37;");
        self.statements(8, 2);
        self.calls();
        self.line("if (r < 0) return 1;\nif (r > 100) return 2;\nreturn r;\n}");
    }

    /// Every function is called with several arguments, and workers with several trees.
    fn calls(&mut self) {
        self.line("for (int i = 0; i < 12; i++) {");
        self.line("if (!kept && i & 1) kept = calloc(1, sizeof *kept);");
        self.line("if (!q && i & 2) q = calloc(1, sizeof *q);");
        for number in 0..self.makers {
            self.line(&format!("q = make{number}(c + i * 11);"));
        }
        for number in 0..self.workers {
            self.line("p = calloc(1, sizeof *p);");
            self.line("if (p && i & 1) { p->left = calloc(1, sizeof *p); p->count = i; }");
            self.line("if (p && i & 2) { p->right = calloc(1, sizeof *p); }");
            self.line("if (p && i & 4) { p->data = malloc(4); }");
            self.line("if (p && p->left) { p->left->left = q; p->left->data = malloc(4); q = 0; }");
            self.line(&format!("r = r + work{number}(p, c + i * 11);"));
        }
        self.line("}");
    }

    fn statements(&mut self, most: usize, depth: usize) {
        for _ in 0..1 + self.random.below(most) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(10) {
            0 if self.makers > 0 => {
                let number = self.random.below(self.makers);
                let target = self.random.pick(&["p", "q"]);
                self.line(&format!("{target} = make{number}(c);"));
            }
            1 if self.workers > 0 => {
                let number = self.random.below(self.workers);
                let target = self.random.pick(&["p", "q"]);
                if self.random.percent(70) {
                    self.line(&format!("if (!{target}) {target} = calloc(1, sizeof *{target});"));
                }
                self.line(&format!("r = r + work{number}({target}, c);"));
            }
            2 | 3 if depth > 0 => {
                let guard = self.guard();
                self.line(&format!("{guard}{{"));
                self.statements(3, depth - 1);
                self.line("}");
            }
            _ => {
                let statement = self.random.pick(STATEMENTS);
                self.line(statement);
            }
        }
    }

    fn guard(&mut self) -> String {
        let bit = self.random.below(6);
        match self.random.below(4) {
            0 => format!("for (int i = 0; i < (c >> {bit} & 3); i++) "),
            1 => String::new(),
            2 => format!("if (r < {bit}) "),
            _ => format!("if (c >> {bit} & 1) "),
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }
}
