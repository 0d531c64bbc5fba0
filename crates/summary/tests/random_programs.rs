//! Soundness against execution: with the decisions off that lose leaks (`Options::sound`), every
//! cell that `interp` sees leaked by a random program is reported at one of the calls that made
//! it, every number that it sees a function return is among those of its summary, and what memory
//! holds as a function returns is among what its summary says.
//!
//! The programs move references instead of copying them, so they neither free twice nor use what
//! was freed, and no two parameters lead to one object: explore-addresses are taken to be
//! distinct (P3), which is no switch.

mod exits;

use std::cell::RefCell;
use std::fmt::Write;

use caulk_base::Id;
use caulk_interp::{Budgets, Event, EventKind, Leak, Look, Program, RunOptions, Status};
use caulk_ir::Module;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_summary::{Input, Numbers, Options, Summaries, check, summarise_all};
use caulk_testkit::Random;
use exits::{Counts, Exits};

const PROGRAMS: u64 = 150;
const ARGUMENTS: usize = 5;

const HEAD: &str = "void *malloc(unsigned long);\nvoid *calloc(unsigned long, unsigned long);\n\
    void free(void *);\nstruct node { struct node *left, *right; int *data; int count; };\n\
    struct node *kept; int total;\n";

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

struct Writer {
    random: Random,
    text: String,
    /// Functions so far: those that make a node, and those that work on one.
    makers: usize,
    workers: usize,
}

impl Writer {
    fn program(seed: u64) -> String {
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
        self.line("if (r < 0) return 1;\nif (r > 100) return 2;\nreturn r;\n}");
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

struct Said {
    lines: Vec<u32>,
    /// What functions return, by the order of the module.
    results: Vec<Option<Numbers>>,
    program: caulk_program::Program,
    summaries: Summaries,
}

fn said(module: Module, models: &Models) -> Said {
    let program = link(vec![LinkUnit { module, target: None }]);
    let externals = ExternalModels::new(&program, models);
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
        store: None,
    };
    let options = Options::sound();
    let verdicts = check(input, &options);
    assert!(verdicts.incomplete.is_empty(), "{:?}", verdicts.incomplete);
    let line = |it: &caulk_finding::Finding| it.primary.range.map_or(0, |range| range.start.line);
    let summaries = summarise_all(input, &options);
    let functions = program.modules.rows()[0].functions.ids();
    let result = |function| {
        let proc = program.procs.ids().find(|&proc| program.procs[proc].function == function)?;
        let held = summaries[proc].result.as_ref().filter(|held| held.nodes.is_empty());
        held.map(|held| held.numbers)
    };
    let results = functions.map(result).collect();
    let lines = verdicts.findings.iter().map(line).collect();
    Said { lines, results, program, summaries }
}

fn is_reported(leak: &Leak, said: &Said) -> bool {
    leak.allocated.iter().any(|place| said.lines.contains(&place.line))
}

/// Follows who runs, and compares what is returned; all results are `int`.
#[derive(Default)]
struct Returns {
    stack: Vec<u32>,
    numbers: usize,
    wrong: Option<String>,
}

impl Returns {
    fn see(&mut self, event: &Event, program: &Program, said: &Said) {
        if let EventKind::Enter { function } = event.kind {
            self.stack.truncate(event.depth.saturating_sub(1));
            return self.stack.push(function);
        }
        self.stack.truncate(event.depth);
        let EventKind::Return { bits: Some(bits), .. } = event.kind else { return };
        let Some(&function) = self.stack.last() else { return };
        let id = program.functions[function as usize].id;
        let (number, result) = (bits as i32, said.results[id.index()]);
        self.numbers += 1;
        if result.is_some_and(|numbers| !numbers.contains(i64::from(number))) {
            self.wrong = Some(format!("{id} returned {number}, not one of {result:?}"));
        }
    }
}

/// How much was compared, and what is wrong.
#[derive(Default)]
struct Judged {
    leaks: usize,
    numbers: usize,
    cells: Counts,
    wrong: Option<String>,
}

fn judged(program: &Program, said: &Said, count: usize) -> Judged {
    let args = vec![b"program".to_vec(); count];
    let budgets = Budgets { steps: 200_000, ..Budgets::default() };
    let mut returns = Returns::default();
    let exits = RefCell::new(Exits::new(program, &said.program, &said.summaries));
    let mut see = |event: &Event| {
        returns.see(event, program, said);
        exits.borrow_mut().note(event);
    };
    let mut look = |look: &Look<'_>| exits.borrow_mut().look(look);
    let options = RunOptions {
        args,
        budgets,
        events: Some(&mut see),
        watcher: Some(&mut look),
        ..RunOptions::default()
    };
    let outcome = caulk_interp::run(program, options);
    let Returns { numbers, wrong, .. } = returns;
    let Exits { counts: cells, wrong: outside, .. } = exits.into_inner();
    let wrong = wrong.or_else(|| outside.into_iter().next());
    let Status::Exit(_) = outcome.status else {
        let wrong = Some(format!("it ends with {:?}", outcome.status));
        return Judged { wrong, ..Judged::default() };
    };
    let missed = outcome.leaks.iter().find(|leak| !is_reported(leak, said));
    let missed = missed.map(|leak| format!("{leak:?} is not in {:?}", said.lines));
    Judged { leaks: outcome.leaks.len(), numbers, cells, wrong: wrong.or(missed) }
}

#[test]
fn what_runs_lose_is_reported() {
    let models = Models::bundled();
    let (mut leaks, mut numbers, mut wrong) = (0, 0, String::new());
    let mut cells = Counts::default();
    for seed in 0..PROGRAMS {
        let text = Writer::program(seed);
        let module = caulk_testkit::module("random.c", &text);
        let said = said(module.clone(), &models);
        let program = Program::link(vec![module]).expect("a program links");
        let rows: Vec<_> = (1..=ARGUMENTS).map(|count| judged(&program, &said, count)).collect();
        leaks += rows.iter().map(|row| row.leaks).sum::<usize>();
        numbers += rows.iter().map(|row| row.numbers).sum::<usize>();
        rows.iter().for_each(|row| cells.add(&row.cells));
        if let Some(fault) = rows.into_iter().find_map(|row| row.wrong) {
            let _ = writeln!(wrong, "seed {seed}: {fault}\n{text}");
        }
    }
    println!("{cells:?}");
    assert!(wrong.is_empty(), "{leaks} leaks seen\n{wrong}");
    assert!(leaks > 500 && numbers > 1000, "only {leaks} leaks and {numbers} results were seen");
    let is_enough = cells.addresses > 50 && cells.numbers > 400 && cells.informative() > 1500;
    assert!(is_enough, "too little was compared: {cells:?}");
}
