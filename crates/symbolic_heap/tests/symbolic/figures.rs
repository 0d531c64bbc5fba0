//! Figures 2 and 3 of the paper, statement by statement, against runs: for every n the one context whose
//! path condition holds has the run's variables, its chain makes the run's heap, and its predecessor
//! sets are who holds each record in the run. Where the printed text says otherwise, the run is right
//! (`suites/symbolic_heap/paper.md` lists where).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::common::{inputs, run_main, with_analysis};
use caulk_base::Id;
use caulk_symbolic_heap::Options;
use caulk_symbolic_heap::graph::{Graph, Records, Roots};
use caulk_symbolic_heap::heap::Item;
use caulk_symbolic_heap::space::{AtomKind, Cond, Expr, Symbol};
use caulk_symbolic_heap::state::{Evaluator, Exit};

const LARGEST: i128 = 8;
/// Records are at multiples of this in the heap that a chain makes, by their site and turn.
const RECORD: i128 = 4096;
const TURNS: i128 = 64;

const START: &str = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void free(void *); int printf(const char *, ...);
struct bin { struct bin *left, *right; long key; };
";

/// A run tells its heap: `r0.8 = r1` for the second field of the first record, in the order of their making.
const WATCHED: &str = "static struct bin *made[16]; static int gone[16], count;
static struct bin *note(struct bin *it) { made[count++] = it; return it; }
static void drop(struct bin *it) {
    for (int k = 0; k < count; k++) if (made[k] == it) gone[k] = 1;
    free(it); }
static void variable(const char *name, struct bin *p) {
    for (int k = 0; k < count; k++) if (p && made[k] == p) printf(\"%s = r%d\\n\", name, k); }
static void field(int k, int at, struct bin *p) {
    for (int j = 0; j < count; j++) if (p && made[j] == p) printf(\"r%d.%d = r%d\\n\", k, at, j); }
static void records(void) {
    for (int k = 0; k < count; k++) {
        if (gone[k]) { printf(\"r%d freed\\n\", k); continue; }
        field(k, 0, made[k]->left); field(k, 8, made[k]->right);
        if (made[k]->key) printf(\"r%d.16 = %ld\\n\", k, made[k]->key); } }
#define malloc(size) note(calloc(1, size))
#define free(p) drop(p)
";

/// The heap at one place: what each variable and field holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heap {
    rows: BTreeMap<String, String>,
    freed: BTreeSet<String>,
    value: i128,
}

impl Heap {
    fn of_run(c: &str, variables: &[&str], arguments: &str) -> Self {
        let shown: String =
            variables.iter().map(|it| format!("variable(\"{it}\", {it}); ")).collect();
        let text = format!(
            "{START}{WATCHED}#define SHOW {shown}records();\n{c}\n\
             int main(void) {{ printf(\"value %ld\\n\", f({arguments})); return 0; }}\n"
        );
        let outcome = run_main(&text);
        let mut heap = Self::default();
        for line in String::from_utf8_lossy(&outcome.stdout).lines() {
            match (line.split_once(" = "), line.strip_suffix(" freed")) {
                (Some((place, value)), _) => {
                    heap.rows.insert(place.to_owned(), value.to_owned());
                }
                (_, Some(record)) => drop(heap.freed.insert(record.to_owned())),
                _ => heap.value = line.trim_start_matches("value ").parse().expect("a number"),
            }
        }
        heap
    }

    /// pred: the fields and variables that hold a record.
    fn holders(&self, record: &str) -> BTreeSet<String> {
        let rows = self.rows.iter().filter(|row| row.1 == record);
        rows.map(|row| row.0.clone()).collect()
    }
}

/// A context with numbers put in for the inputs.
struct Concrete<'c, 'a> {
    evaluator: &'c Evaluator<'a>,
    values: Vec<(Symbol, i128)>,
    /// The addresses of the records in the order of their making.
    made: Vec<i128>,
    heap: Heap,
}

impl Concrete<'_, '_> {
    fn atom(&self, kind: &AtomKind) -> Option<i128> {
        match kind {
            AtomKind::Symbol(symbol) => {
                self.values.iter().find(|it| it.0 == *symbol).map(|it| it.1)
            }
            AtomKind::Cell { site, turns } => {
                let mut number = site.index() as i128;
                for &turn in turns {
                    number = number * TURNS + self.number(turn);
                }
                Some(RECORD * (1 + number))
            }
            _ => None,
        }
    }

    fn number(&self, expr: Expr) -> i128 {
        let value = self.evaluator.space.evaluate(expr, &|kind| self.atom(kind));
        value.unwrap_or_else(|| panic!("no value: {}", self.evaluator.text(expr)))
    }

    fn holds(&self, condition: Cond) -> bool {
        let holds = self.evaluator.space.holds(condition, &|kind| self.atom(kind));
        holds.unwrap_or_else(|| panic!("undecided: {}", self.evaluator.condition_text(condition)))
    }

    /// `r1`, as the run calls the record at an address.
    fn record(&self, address: i128) -> Option<String> {
        let number = self.made.iter().position(|&it| it == address)?;
        Some(format!("r{number}"))
    }

    /// `r1.8` or the name of a variable.
    fn place(&self, address: Expr) -> String {
        let space = &self.evaluator.space;
        let base = space.base(address).expect("an address");
        if let AtomKind::Place(_) = space.kind(base) {
            return self.evaluator.text(address);
        }
        let address = self.number(address);
        let at = address % RECORD;
        format!("{}.{at}", self.record(address - at).expect("a record that was made"))
    }

    /// Does what a chain says, function by function.
    fn perform(&mut self, item: &Item) {
        match item {
            Item::New { cell, .. } => self.made.push(self.number(*cell)),
            Item::Put { address, value, .. } => {
                let (place, value) = (self.place(*address), self.number(*value));
                let value = self.record(value).unwrap_or_else(|| value.to_string());
                match value.as_str() {
                    "0" => drop(self.heap.rows.remove(&place)),
                    _ => drop(self.heap.rows.insert(place, value)),
                }
            }
            Item::Free { pointer, .. } => {
                let record = self.record(self.number(*pointer)).expect("a record that was made");
                let own = format!("{record}.");
                self.heap.rows.retain(|place, _| !place.starts_with(&own));
                self.heap.freed.insert(record);
            }
            Item::Loop(recurrence) => {
                for turn in 0..self.number(recurrence.count) {
                    self.values.push((recurrence.index, turn));
                    recurrence.body.iter().for_each(|item| self.perform(item));
                    self.values.pop();
                }
            }
            Item::Guarded { condition, items } => {
                if self.holds(*condition) {
                    items.iter().for_each(|item| self.perform(item));
                }
            }
            other => panic!("not of the paper: {other:?}"),
        }
    }
}

/// The context that these inputs lead to: its path condition is the only one that holds.
fn taken(evaluator: &Evaluator<'_>, exits: &[Exit], values: &[(Symbol, i128)]) -> usize {
    let concrete =
        Concrete { evaluator, values: values.to_vec(), made: Vec::new(), heap: Heap::default() };
    let is_taken = |exit: &Exit| exit.context.facts.conditions.iter().all(|&it| concrete.holds(it));
    let all: Vec<usize> = (0..exits.len()).filter(|&it| is_taken(&exits[it])).collect();
    let [only] = all[..] else { panic!("{} contexts for {values:?}", all.len()) };
    assert_eq!(exits[only].context.approximate, None);
    only
}

/// The predecessor sets of a context: the holders of each record, under the inputs.
fn predecessors(
    evaluator: &mut Evaluator<'_>,
    exit: &Exit,
    values: &[(Symbol, i128)],
    made: &[i128],
) -> BTreeMap<String, BTreeSet<String>> {
    let mut graph = Graph::new(evaluator, exit.context.clone(), Roots::Running);
    let families = graph.records();
    let held: Vec<_> = families.iter().map(|family| graph.holders(family.cell)).collect();
    assert!(!graph.unclear);
    let (made, heap) = (made.to_vec(), Heap::default());
    let mut concrete = Concrete { evaluator, values: values.to_vec(), made, heap };
    let mut sets = BTreeMap::new();
    for (family, holders) in families.iter().zip(&held) {
        for turn in turns(&concrete, family) {
            concrete.values.truncate(values.len());
            concrete.values.extend(turn);
            if !concrete.holds(family.exists) {
                continue;
            }
            let record = concrete.record(concrete.number(family.cell)).expect("a record");
            let holders = holders.iter().filter(|it| concrete.holds(it.condition));
            let places: BTreeSet<String> = holders.map(|it| concrete.place(it.address)).collect();
            sets.insert(record, places);
        }
        concrete.values.truncate(values.len());
    }
    sets
}

/// The turns that a family of records was made in; the figures have one loop.
fn turns(concrete: &Concrete<'_, '_>, family: &Records) -> Vec<Option<(Symbol, i128)>> {
    match family.turns[..] {
        [] => vec![None],
        [(turn, count)] => (0..concrete.number(count)).map(|it| Some((turn, it))).collect(),
        _ => panic!("more than one loop"),
    }
}

/// The text of a figure with `SHOW` where it is looked at.
fn compare(c: &str, variables: &[&str], all_inputs: &[Vec<i128>]) {
    let text = format!("{START}#define SHOW\n{c}");
    with_analysis(&text, "f", &Options::default(), |evaluator, analysis| {
        assert_eq!(analysis.stop, None, "{c}");
        // Many graphs are asked for here, where a function has a few.
        (evaluator.limit, evaluator.space.limit) = (u64::MAX, u64::MAX);
        let symbols = inputs(evaluator);
        for input in all_inputs {
            let values: Vec<(Symbol, i128)> =
                symbols.iter().copied().zip(input.iter().copied()).collect();
            let exit = &analysis.exits[taken(evaluator, &analysis.exits, &values)];
            let items = evaluator.heaps.items(exit.context.heap);
            let (made, heap) = (Vec::new(), Heap::default());
            let mut concrete = Concrete { evaluator, values: values.clone(), made, heap };
            items.iter().for_each(|item| concrete.perform(item));
            concrete.heap.value = concrete.number(exit.value.expect("a value"));
            let (heap, made) = (concrete.heap, concrete.made);
            let mut arguments = String::new();
            for (number, value) in input.iter().enumerate() {
                let comma = if number > 0 { ", " } else { "" };
                let _ = write!(arguments, "{comma}{value}");
            }
            let ran = Heap::of_run(c, variables, &arguments);
            assert_eq!(heap, ran, "f({arguments}) of\n{c}");
            for (record, holders) in predecessors(evaluator, exit, &values, &made) {
                assert_eq!(holders, ran.holders(&record), "pred({record}), f({arguments}) of\n{c}");
            }
        }
    });
}

fn up_to_largest() -> Vec<Vec<i128>> {
    (0..=LARGEST).map(|n| vec![n]).collect()
}

/// The last two assignments are the paper's s6, which changes p2 and p3, not p1 and p2 as the text says.
#[test]
fn figure_2_after_each_statement() {
    let statements = [
        "p1 = malloc(24);",
        "p2 = malloc(24);",
        "p3 = malloc(24);",
        "p1->left = p3;",
        "p1->right = p2;",
        "p1->right->left = p3;",
        "p3->right = p2;",
        "p2 = 0;",
        "p3 = 0;",
        "free(p1);",
    ];
    for length in 0..=statements.len() {
        let body = statements[..length].join(" ");
        let c = format!(
            "long f(int n) {{ struct bin *p1 = 0, *p2 = 0, *p3 = 0;\n{body} SHOW\n return n; }}"
        );
        compare(&c, &["p1", "p2", "p3"], &up_to_largest());
    }
}

/// The loop runs max(0, n - 1) times, and after it i is the first number above n.
#[test]
fn figure_3_before_and_behind_the_loop() {
    let turn = "p->left = malloc(24); p = p->left; p->key = i;";
    let whole = format!("p->key = 1; for (i = 2; i <= n; i++) {{ {turn} }}");
    for rest in ["", "p->key = 1;", &whole] {
        let c = format!(
            "long f(int n) {{ int i = 2; struct bin *p = malloc(24);\n{rest} SHOW\n return i; }}"
        );
        compare(&c, &["p"], &up_to_largest());
    }
}

/// The contexts inside the loop, behind each statement of the turn in which i is m. Behind the second
/// one p is the new record, which is D4's put that the text leaves out; behind the third one the key
/// of the record that turn k made is k + 2. Of the records only the first has no predecessor.
#[test]
fn figure_3_in_each_turn() {
    let statements = ["p->left = malloc(24);", "p = p->left;", "p->key = i;"];
    let pairs: Vec<Vec<i128>> =
        (0..=LARGEST).flat_map(|n| (0..=LARGEST).map(move |m| vec![n, m])).collect();
    for cut in 1..=statements.len() {
        let (before, behind) = (statements[..cut].join(" "), statements[cut..].join(" "));
        let c = format!(
            "long f(int n, int m) {{ int i = 2; struct bin *p = malloc(24); p->key = 1;\n\
             for (i = 2; i <= n; i++) {{ {before} if (i == m) {{ SHOW return i; }} {behind} }}\n\
             SHOW return i; }}"
        );
        compare(&c, &["p"], &pairs);
    }
}
