//! What other engines may ask about a callee.

use std::sync::Arc;

use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_summary::{
    Anchor, Effects, Input, Options, ResultClass, Root, Step, Summary, summarise_all,
};

const TEXT: &str = "
void *malloc(unsigned long);
void free(void *);
struct box { char *text; };
char *kept;
int fill(struct box *b, char *name, int n) {
  if (n == 0) { free(name); return -1; }
  b->text = malloc(n);
  kept = name;
  return 1;
}
char *same(char *p, int n) {
  if (n) return p;
  return 0;
}
";

fn summary_of(name: &str) -> Arc<Summary> {
    let module = caulk_testkit::module("case.c", TEXT);
    let program = link(vec![LinkUnit { module, target: None }]);
    let externals = ExternalModels::new(&program, &Models::bundled());
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
        store: None,
    };
    let summaries = summarise_all(input, &Options::default());
    let found = program.procs.ids().find(|&proc| program.procs[proc].name == name);
    Arc::clone(&summaries[found.expect("a function of the text")])
}

fn path(number: u32, steps: &[Step]) -> Anchor {
    Anchor { root: Root::Arg(number), steps: steps.to_vec() }
}

#[test]
fn effects_are_told_by_class_of_result() {
    let fill = summary_of("fill");
    let name = path(2, &[Step::Deref]);
    let failed = fill.effects(&name, ResultClass::Negative);
    assert_eq!(failed, Effects { possible: true, frees: true, ..Effects::default() });
    let done = fill.effects(&name, ResultClass::Positive);
    assert_eq!(done, Effects { possible: true, keeps: true, ..Effects::default() });
    assert_eq!(fill.effects(&name, ResultClass::Zero), Effects::default());
    let text = path(1, &[Step::Deref, Step::Member("text".into()), Step::Deref]);
    assert!(fill.effects(&text, ResultClass::Positive).allocates);
    assert!(!fill.effects(&text, ResultClass::Negative).allocates);
}

#[test]
fn what_is_returned_is_told() {
    let same = summary_of("same");
    let pointee = path(1, &[Step::Deref]);
    assert!(same.effects(&pointee, ResultClass::NonZero).returns);
    assert!(same.effects(&pointee, ResultClass::Any).returns);
}
