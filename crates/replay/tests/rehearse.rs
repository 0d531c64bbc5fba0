//! What whole runs with made-up inputs see, each with a twin that is clean.

use caulk_finding::{Finding, Kind};
use caulk_models::Models;
use caulk_replay::Player;

const HEAD: &str = "typedef unsigned long size_t;\nvoid *malloc(size_t);\nvoid free(void *);\n\
    void *realloc(void *, size_t);\nchar *strdup(const char *);\n\
    int strcmp(const char *, const char *);\nchar *strchr(const char *, int);\n\
    int atoi(const char *);\nint getchar(void);\nlong time(long *);\nvoid srand(unsigned);\n\
    int rand(void);\nint unknown(void);\n";

fn findings(text: &str) -> Vec<Finding> {
    let module = caulk_testkit::module("case.c", &format!("{HEAD}#line 1\n{text}"));
    let player = Player::new(vec![module], &Models::bundled()).expect("a 64-bit program");
    let sights: Vec<_> = player.starts().into_iter().flat_map(|it| player.rehearse(it)).collect();
    sights.iter().map(|sight| player.finding(sight).expect("a known place")).collect()
}

fn seen(text: &str) -> Vec<(Kind, u32)> {
    let line = |it: &Finding| it.primary.range.expect("a range").start.line;
    findings(text).iter().map(|it| (it.kind, line(it))).collect()
}

/// `OLD` is what happens to the old value of a key that is set again.
const TABLE: &str = "
static char *names[4], *values[4];
static void set(const char *name, const char *value) {
  for (int i = 0; i < 4; i++) {
    if (names[i] && strcmp(names[i], name)) continue;
    if (!names[i]) names[i] = strdup(name); else OLD;
    values[i] = strdup(value);
    return;
  }
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *at = strchr(argv[i], '=');
    if (at) { *at = 0; set(argv[i], at + 1); }
  }
  for (int i = 0; i < 4; i++) { free(names[i]); free(values[i]); }
  return 0;
}";

#[test]
fn a_key_that_comes_again() {
    assert_eq!(seen(&TABLE.replace("OLD", "(void)0")), [(Kind::Overwritten, 7)]);
    assert_eq!(seen(&TABLE.replace("OLD", "free(values[i])")), []);
}

/// `OLD` is what happens to the room that became too small.
const GROWING: &str = "
static int *items, used, room;
static void add(int n) {
  if (used == room) {
    int *more = malloc((room + 8) * sizeof *more);
    for (int i = 0; i < used; i++) more[i] = items[i];
    OLD;
    items = more; room += 8;
  }
  items[used++] = n;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < n; i++) add(i);
  free(items);
  return 0;
}";

#[test]
fn a_buffer_that_grows_a_second_time() {
    assert_eq!(seen(&GROWING.replace("OLD", "(void)0")), [(Kind::Overwritten, 5)]);
    assert_eq!(seen(&GROWING.replace("OLD", "free(items)")), []);
}

#[test]
fn the_inputs_are_told() {
    let found = findings(&GROWING.replace("OLD", "(void)0"));
    let outcome = found[0].replay.outcome.as_ref().expect("a run");
    assert_eq!(outcome.inputs[0].name, "arguments");
    let first = outcome.inputs[0].value.split(' ').next().expect("a word");
    let digits: String = first.chars().take_while(char::is_ascii_digit).collect();
    assert!(digits.parse::<i32>().is_ok_and(|number| number > 8));
}

#[test]
fn what_is_freed_but_for_one_is_not_only_left_at_exit() {
    let all_but = |first: u32| {
        format!(
            "int main(void) {{
  char *p[3];
  for (int i = 0; i < 3; i++) p[i] = malloc(4);
  for (int i = {first}; i < 3; i++) free(p[i]);
  return 0;
}}"
        )
    };
    assert_eq!(seen(&all_but(0)), []);
    assert_eq!(seen(&all_but(1)), [(Kind::SomePath, 3)]);
    assert_eq!(seen(&all_but(3)), [(Kind::AtExit, 3)]);
}

#[test]
fn a_later_run_may_show_more() {
    let text = "struct cell { struct cell *next; };
int main(void) {
  struct cell *head = 0;
  int n = unknown() & 7;
  for (int i = 0; i <= n; i++) {
    struct cell *c = malloc(sizeof *c);
    c->next = head; head = c;
  }
  for (; n-- > 0; ) { struct cell *next = head->next; free(head); head = next; }
  return 0;
}";
    assert_eq!(seen(text), [(Kind::AtExit, 6), (Kind::SomePath, 6)]);
}

#[test]
fn what_realloc_frees_is_no_sign_of_care() {
    let text = "int main(void) {
  char *p = 0;
  for (int i = 1; i < 4; i++) p = realloc(p, 100 * i);
  return p[0] = 0;
}";
    assert_eq!(seen(text), [(Kind::AtExit, 3)]);
}

#[test]
fn programs_try_their_luck() {
    let text = "int main(void) {
  srand(time(0));
  char *p = malloc(4);
  if (rand() % 7 == 3) p = malloc(8);
  free(p);
  return 0;
}";
    assert_eq!(seen(text), [(Kind::Overwritten, 3)]);
    assert_eq!(seen(&text.replace("p = malloc(8)", "p[0] = 1")), []);
}

#[test]
fn unknown_functions_answer_with_numbers_only() {
    let text = "int main(void) {
  char *p = malloc(4);
  if (unknown() == 77) p = malloc(4);
  free(p);
  return 0;
}";
    assert_eq!(seen(text), [(Kind::Overwritten, 2)]);
    let text = "void *find(void);\nint main(void) {
  char *p = malloc(4);
  if (find()) p = malloc(4);
  free(p);
  return 0;
}";
    assert_eq!(seen(text), []);
}

#[test]
fn two_mains_are_two_programs() {
    let module = |name: &str| {
        let text = "void *malloc(unsigned long);\nint main(void) { malloc(3); return 0; }";
        caulk_testkit::module(name, text)
    };
    let player = |modules| Player::new(modules, &Models::bundled()).expect("a 64-bit program");
    let seen = |modules| {
        let player = player(modules);
        player.starts().into_iter().flat_map(|it| player.rehearse(it)).count()
    };
    assert_eq!(seen(vec![module("a.c")]), 1);
    assert_eq!(seen(vec![module("a.c"), module("b.c")]), 0);
}

#[test]
fn functions_of_a_library_are_given_numbers() {
    let text = "static char *last;
char *make(int n) { last = malloc(n); return malloc(n); }
void drop(void) { free(last); last = 0; }
void lose(short n, long m) {
  char *p = malloc(4);
  if (n == -20 && m > 3) return;
  free(p);
}
void twice(int n) { char *p = malloc(4), *q = realloc(p, n); free(q ? q : p); }
void given(char *p) { p = malloc(4); }";
    assert_eq!(seen(text), [(Kind::SomePath, 5)]);
}
