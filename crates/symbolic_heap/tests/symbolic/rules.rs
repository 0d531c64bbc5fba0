//! The rules of the paper, by number. What the printed text gets wrong is said at the case.

use crate::common::with_analysis;
use caulk_symbolic_heap::Options;
use caulk_symbolic_heap::get::{Access, Got};
use caulk_symbolic_heap::graph::{Graph, Roots};
use caulk_symbolic_heap::heap::{Chain, Item};
use caulk_symbolic_heap::space::{Cond, Expr};
use caulk_symbolic_heap::state::Evaluator;

const START: &str = "void *malloc(unsigned long);\nvoid *calloc(unsigned long, unsigned long);\n\
    void free(void *);\n\
    struct bin { struct bin *left, *right; long key; };\nstruct bin *other(void);\n";

/// The heap at the only exit, a heap function a line.
fn heap(body: &str) -> Vec<String> {
    at_exit(body, |evaluator, chain| {
        evaluator.heaps.items(chain).iter().map(|item| evaluator.item_text(item)).collect()
    })
}

fn at_exit<T>(body: &str, look: impl FnOnce(&mut Evaluator<'_>, Chain) -> T) -> T {
    let c = format!("{START}{body}");
    with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        assert_eq!((analysis.stop.clone(), analysis.exits.len()), (None, 1), "{body}");
        look(evaluator, analysis.exits[0].context.heap)
    })
}

fn value(body: &str) -> String {
    let c = format!("{START}{body}");
    with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        assert_eq!((analysis.stop.clone(), analysis.exits.len()), (None, 1), "{body}");
        evaluator.text(analysis.exits[0].value.expect("a value"))
    })
}

#[test]
fn d1_a_pointer_is_put_into_a_field() {
    let items = heap("void f(struct bin *p, struct bin *q) {\n p->right = q; }");
    assert_eq!(items, ["put(p, 8, q)"]);
}

#[test]
fn d2_a_number_is_put_into_a_field() {
    assert_eq!(heap("void f(struct bin *p, int n) {\n p->key = n + 1; }"), ["put(p, 16, n + 1)"]);
}

#[test]
fn d3_a_new_record_is_put_into_a_field() {
    let items = heap("void f(struct bin *p) {\n p->left = malloc(24); }");
    assert_eq!(items, ["new(malloc:7)", "put(p, 0, malloc:7)"]);
}

/// The text prints `eval(var)` where the variable's name is meant.
#[test]
fn d4_a_pointer_is_assigned_to_a_variable() {
    let items =
        heap("void f(void) {\n struct bin *p = malloc(24);\n struct bin *q = p;\n free(q); }");
    assert_eq!(
        items,
        ["new(malloc:7)", "put(p, ⊥, malloc:7)", "put(q, ⊥, malloc:7)", "free(malloc:7)"]
    );
}

#[test]
fn d5_a_new_record_is_assigned_to_a_variable() {
    let items = heap("void f(void) {\n struct bin *p = malloc(24); }");
    assert_eq!(items, ["new(malloc:7)", "put(p, ⊥, malloc:7)"]);
}

#[test]
fn d6_a_record_is_freed() {
    assert_eq!(heap("void f(struct bin *p) {\n free(p->left); }"), ["free(*(p))"]);
}

#[test]
fn d7_nil_is_bottom() {
    assert_eq!(value("struct bin *f(void) {\n return 0; }"), "0");
}

#[test]
fn d8_a_variable_has_the_value_of_its_context() {
    assert_eq!(value("struct bin *f(struct bin *p) {\n struct bin *q = p; return q; }"), "p");
}

#[test]
fn d9_a_pointer_field_is_got_from_the_heap() {
    let body = "struct bin *f(struct bin *p, struct bin *q) {\n p->left = q; return p->left; }";
    assert_eq!(value(body), "q");
    assert_eq!(value("struct bin *f(struct bin *p) {\n return p->left->right; }"), "*(*(p) + 8)");
}

#[test]
fn d10_a_number_is_got_from_the_heap() {
    assert_eq!(
        value("long f(struct bin *p, long n) {\n p->key = n; return p->key + 1; }"),
        "n + 1"
    );
}

#[test]
fn rule_1_the_right_most_put_decides() {
    let body = "long f(struct bin *p) {\n p->key = 1; p->key = 2; p->left = 0; return p->key; }";
    assert_eq!(value(body), "2");
    assert_eq!(value("long f(void) {\n struct bin *p = malloc(24); return p->key; }"), "⊥");
    assert_eq!(value("long f(void) {\n struct bin *p = calloc(1, 24); return p->key; }"), "0");
}

/// "Not resolvable": two addresses that may be equal leave a choice, which is exact.
#[test]
fn rule_1_what_cannot_be_told_stays_in_the_expression() {
    let c = format!(
        "{START}long f(struct bin *p, struct bin *q) {{\n p->key = 1; q->key = 2; return p->key; }}"
    );
    let options = Options { inputs_may_alias: true, ..Options::default() };
    let told = with_analysis(&c, "f", &options, |evaluator, analysis| {
        evaluator.text(analysis.exits[0].value.expect("a value"))
    });
    assert!(told.starts_with('u'), "{told}");
}

/// The values at all exits.
fn values(body: &str) -> Vec<String> {
    let c = format!("{START}{body}");
    with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        assert_eq!(analysis.stop, None, "{body}");
        let exits = analysis.exits.iter();
        exits.map(|exit| evaluator.text(exit.value.expect("a value"))).collect()
    })
}

/// `h(k+1) = h(k) ⊕ …`: what a turn does is one heap function over its number.
#[test]
fn rule_2_a_loop_is_a_recurrence_over_the_heap() {
    let body =
        "void f(int n, struct bin **a) {\n for (int i = 0; i < n; i++) {\n a[i] = malloc(24); } }";
    let c = format!("{START}{body}");
    let items = with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        let items =
            analysis.exits.iter().flat_map(|it| evaluator.heaps.items(it.context.heap).to_vec());
        let loops = items.filter(|item| matches!(**item, Item::Loop(_)));
        loops.map(|item| evaluator.item_text(&item)).collect::<Vec<_>>()
    });
    let [item] = items.as_slice() else { panic!("{items:?}") };
    assert!(item.starts_with("for k") && item.contains(" < n: new(malloc:8[k"), "{item}");
    assert!(item.contains("⊕ put(a, 8*k"), "{item}");
}

/// The index set of a place: the turns that write it, none for another field or another record.
#[test]
fn rule_3_only_turns_that_write_the_place_count() {
    let body = |read: &str| {
        format!(
            "long f(int n, int m, long *a, struct bin *p) {{\n if (m < 0 || m >= n) return -1;\n \
             for (int i = 0; i < n; i++) {{ a[i] = 5 * i; p->key = i; }}\n return {read}; }}"
        )
    };
    assert!(values(&body("a[m]")).contains(&String::from("5*m")), "{:?}", values(&body("a[m]")));
    let other = values(&body("(long)p->left"));
    assert!(other.contains(&String::from("*(p)")), "{other:?}");
}

/// Of the turns that write a place the last one tells; without one, the heap before the loop.
#[test]
fn rule_4_the_last_turn_decides_and_else_the_heap_before() {
    let body = "long f(int n, struct bin *p) {\n p->key = 7;\n \
        for (int i = 0; i < n; i++) p->key = i * i;\n return p->key; }";
    let told = values(body);
    assert!(told.contains(&String::from("-2*n + n*n + 1")), "{told:?}");
    assert!(told.contains(&String::from("7")), "{told:?}");
}

/// Rules 2 to 4 together: the head of a list, which each turn writes anew.
#[test]
fn rules_2_to_4_on_a_list() {
    let body = "long f(int n) {\n struct bin *head = 0;\n \
        for (int i = 0; i < n; i++) {\n struct bin *c = malloc(24);\n c->key = i * i; c->left = head; \
        head = c; }\n return head ? head->key : -1; }";
    let told = values(body);
    assert!(told.contains(&String::from("-2*n + n*n + 1")), "{told:?}");
    assert!(told.contains(&String::from("-1")), "{told:?}");
}

/// Figure 2 up to its last statement. The text says that s6 changes p1 and p2; it is p2 and p3.
const FIGURE_2: &str = "void f(void) {\n struct bin *p1 = malloc(24);\n struct bin *p2 = malloc(24);\n \
    struct bin *p3 = malloc(24);\n p1->left = p3; p1->right = p2; p1->right->left = p3;\n \
    p3->right = p2;\n p2 = 0; p3 = 0;\n free(p1); }";

/// The fields and variables that hold the record made at a line, in the first `length` functions.
fn holders(body: &str, line: u32, length: u32) -> Vec<String> {
    at_exit(body, |evaluator, chain| {
        let heap = evaluator.prefix(chain, length);
        let cell = record_of(evaluator, chain, line);
        let mut context = empty_context(heap);
        context.heap = heap;
        let mut graph = Graph::new(evaluator, context, Roots::Running);
        let found = graph.holders(cell);
        found
            .iter()
            .filter(|holder| holder.condition != Cond::FALSE)
            .map(|holder| evaluator.text(holder.address))
            .collect()
    })
}

fn empty_context(heap: Chain) -> caulk_symbolic_heap::state::Context {
    caulk_symbolic_heap::state::Context {
        values: Default::default(),
        heap,
        facts: Default::default(),
        assumed: Default::default(),
        approximate: None,
    }
}

fn record_of(evaluator: &Evaluator<'_>, chain: Chain, line: u32) -> Expr {
    let items = evaluator.heaps.items(chain);
    let found = items.iter().find_map(|item| match &**item {
        Item::New { cell, at, .. } if evaluator.line(*at) == Some(line) => Some(*cell),
        _ => None,
    });
    found.expect("a record")
}

#[test]
fn rule_5_an_empty_heap_has_no_holders() {
    assert!(holders(FIGURE_2, 9, 0).is_empty());
}

#[test]
fn rule_6_new_adds_no_holder() {
    assert!(holders(FIGURE_2, 7, 1).is_empty());
}

#[test]
fn rule_7_put_adds_a_holder() {
    assert_eq!(holders(FIGURE_2, 9, 6), ["p3"]);
    assert_eq!(holders(FIGURE_2, 9, 7), ["p3", "malloc:7"]);
}

#[test]
fn rule_8_another_put_removes_the_holder() {
    assert_eq!(holders(FIGURE_2, 8, 6), ["p2"]);
    assert_eq!(holders(FIGURE_2, 8, 12), ["malloc:7 + 8", "malloc:9 + 8"]);
}

#[test]
fn rule_9_free_removes_what_it_held() {
    assert_eq!(holders(FIGURE_2, 9, 12), ["malloc:7", "malloc:8"]);
    assert_eq!(holders(FIGURE_2, 9, 13), ["malloc:8"]);
}

/// pred(α+3) = {α+2} and pred(α+2) = {α+3}; a variable stands for the root.
#[test]
fn rule_10_the_predecessors_of_figure_2() {
    assert_eq!(holders(FIGURE_2, 9, 13), ["malloc:8"]);
    assert_eq!(holders(FIGURE_2, 8, 13), ["malloc:9 + 8"]);
    assert_eq!(holders(FIGURE_2, 7, 13), ["p1"]);
}

/// Whether the record made at a line is reached from the root, in the first `length` functions.
fn is_reached(body: &str, line: u32, length: u32) -> bool {
    at_exit(body, |evaluator, chain| {
        let cell = record_of(evaluator, chain, line);
        let context = empty_context(evaluator.prefix(chain, length));
        let mut graph = Graph::new(evaluator, context, Roots::Running);
        let records = graph.records();
        let record = records.iter().find(|it| it.cell == cell).expect("the record").clone();
        let reached = graph.reached(&record);
        assert!(reached == Cond::TRUE || reached == Cond::FALSE, "{body}");
        reached == Cond::TRUE
    })
}

/// The root among the predecessors themselves.
#[test]
fn rule_11_a_variable_reaches_its_record() {
    let body = "void f(void) {\n struct bin *p = malloc(24);\n p = 0; }";
    assert!(is_reached(body, 7, 2));
    assert!(!is_reached(body, 7, 3));
}

/// The predecessors of predecessors.
#[test]
fn rule_12_the_root_is_behind_a_holder() {
    let body = "void f(void) {\n struct bin *p = malloc(24);\n struct bin *q = malloc(24);\n \
        p->left = q; q = 0;\n p->left = 0; }";
    assert!(is_reached(body, 8, 6));
    assert!(!is_reached(body, 8, 7));
}

/// The closure: two records that hold each other have no root in it.
#[test]
fn rule_13_the_closure_of_figure_2_does_not_reach_the_root() {
    assert!(is_reached(FIGURE_2, 9, 10));
    assert!(!is_reached(FIGURE_2, 9, 13));
    assert!(!is_reached(FIGURE_2, 8, 13));
}

/// Figure 3: pred(1) is empty and pred(k+1) = {k}, where the text has all of them empty.
#[test]
fn rules_10_to_13_on_the_recurrence_of_figure_3() {
    let body = "struct bin *f(int n) {\n struct bin *p = malloc(24);\n p->key = 1;\n \
        for (int i = 2; i <= n; i++) {\n p->left = malloc(24);\n p = p->left; p->key = i; }\n \
        return p; }";
    let c = format!("{START}{body}");
    with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        let exit = analysis.exits.iter().find(|exit| {
            evaluator
                .heaps
                .items(exit.context.heap)
                .iter()
                .any(|item| matches!(**item, Item::Loop(_)))
        });
        let exit = exit.expect("an exit after turns").clone();
        let first = record_of(evaluator, exit.context.heap, 7);
        let roots = Roots::Returned(exit.value);
        let mut graph = Graph::new(evaluator, exit.context.clone(), roots);
        let all = graph.records();
        assert!(graph.holders(first).is_empty());
        let families: Vec<_> = all.iter().filter(|it| !it.turns.is_empty()).cloned().collect();
        let holders: Vec<Expr> =
            families.iter().flat_map(|it| graph.holders(it.cell)).map(|it| it.address).collect();
        let texts: Vec<String> = holders.iter().map(|&it| evaluator.text(it)).collect();
        assert!(texts.iter().any(|text| text.starts_with("malloc:7")), "{texts:?}");
        assert!(texts.iter().any(|text| text.contains(" - 1]")), "{texts:?}");
    });
}

/// The first instruction behind a return has the place of its own, and the return has its.
#[test]
fn places_beside_the_end_of_a_block() {
    let c = format!("{START}void f(int n) {{\n if (n < 0)\n return;\n malloc(8);\n }}");
    with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        let leak = analysis.leaks.first().expect("a leak");
        assert_eq!(evaluator.line(evaluator.sites[leak.site].at), Some(9));
        let mut exits: Vec<_> = analysis.exits.iter().map(|exit| evaluator.line(exit.at)).collect();
        exits.sort_unstable();
        exits.dedup();
        assert_eq!(exits, [Some(8), Some(10)]);
    });
}

/// A call of an unknown function changes static storage, but not what is `const`.
#[test]
fn what_is_const_stays_as_it_is() {
    for (qualifier, leaks) in [("const", 0), ("", 1)] {
        let c = format!(
            "{START}static struct bin *{qualifier} none = (struct bin *)1;\nvoid set(void) {{ {} }}\n\
             void f(void) {{ struct bin *p = malloc(24); other(); if (p != none) free(p); }}",
            if qualifier.is_empty() { "none = other();" } else { "" }
        );
        with_analysis(&c, "f", &Options::default(), |_, analysis| {
            assert_eq!(analysis.leaks.len(), leaks, "{c}");
        });
    }
}

#[test]
fn get_says_when_it_cannot_tell() {
    at_exit("void f(struct bin *p) {\n p->key = 1; }", |evaluator, chain| {
        let context = empty_context(chain);
        let symbol = crate::common::inputs(evaluator)[0];
        let p = evaluator.space.symbol(symbol);
        let at = evaluator.space.offset(p, 16);
        let told = Access { address: at, bytes: 8, pointer: false };
        assert!(matches!(evaluator.try_get(&context, told), Got::Value(_)));
        let narrow = Access { bytes: 4, ..told };
        assert!(matches!(evaluator.try_get(&context, narrow), Got::CannotTell(_)));
    });
}
