//! What exploration sees in programs that nobody said anything about.

use caulk_finding::{Finding, Kind};
use caulk_models::Models;
use caulk_replay::Player;

const HEAD: &str = "void *malloc(unsigned long);\nvoid free(void *);\nint getchar(void);\n\
    struct cell { struct cell *next; char *text; };\n";

/// What runs show: kind and line, in the order in which it was seen.
fn seen(text: &str) -> Vec<(Kind, u32)> {
    findings(text).iter().map(|it| (it.kind, line(it))).collect()
}

fn findings(text: &str) -> Vec<Finding> {
    let module = caulk_testkit::module("case.c", &format!("{HEAD}#line 1\n{text}"));
    let player = Player::new(vec![module], &Models::bundled()).expect("a 64-bit program");
    let sights: Vec<_> = player.starts().into_iter().flat_map(|it| player.explore(it)).collect();
    sights.iter().map(|sight| player.finding(sight).expect("a known place")).collect()
}

fn line(finding: &Finding) -> u32 {
    finding.primary.range.expect("a range").start.line
}

#[test]
fn cells_beyond_the_first_are_seen() {
    let text = "
static struct cell *push(struct cell *next) {
  struct cell *c = malloc(sizeof *c);
  c->next = next; c->text = malloc(8);
  return c;
}
int main(void) {
  struct cell *head = 0;
  for (int i = 0; i < 4; i++) head = push(head);
  for (int i = 0; head; i++) {
    struct cell *next = head->next;
    if (i != 2) free(head->text);
    free(head);
    head = next;
  }
  return 0;
}";
    assert_eq!(seen(text), [(Kind::LostWithOwner, 9)]);
}

#[test]
fn what_main_holds_at_its_end_is_told_as_that() {
    let text = "int main(void) {\n char *p = malloc(8);\n p[0] = 1;\n return p[0];\n}";
    assert_eq!(seen(text), [(Kind::AtExit, 2)]);
}

#[test]
fn the_function_that_loses_it_is_told() {
    let text = "
static void *make(int n) { return malloc(n); }
static void work(int c) {
  char *p = make(4);
  if (c == 7) return;
  free(p);
}
int main(void) { work(getchar()); return 0; }";
    let found = findings(text);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind, line(&found[0])), (Kind::SomePath, 4));
    assert_eq!(found[0].function, "work");
    assert_eq!(found[0].message, "memory from `make` is not freed when `work` returns");
    let outcome = found[0].replay.outcome.as_ref().expect("a run");
    assert_eq!(outcome.inputs[0].value, "7");
}

#[test]
fn a_second_release_is_seen() {
    let text = "
int main(void) {
  char *p[3];
  for (int i = 0; i < 3; i++) p[i] = malloc(1);
  p[2] = p[0];
  for (int i = 0; i < 3; i++) free(p[i]);
  return 0;
}";
    assert_eq!(seen(text), [(Kind::DoubleFree, 4)]);
}

#[test]
fn what_is_released_or_still_held_is_not_told() {
    let text = "
char *kept;
int main(void) {
  char *p = malloc(4), *q = malloc(4);
  if (getchar() == 3) { free(p); kept = q; } else { free(q); free(p); }
  return 0;
}";
    assert_eq!(seen(text), []);
}

#[test]
fn a_call_with_a_number_for_a_resource_is_followed() {
    let text = "
int open(const char *, int, ...);
int close(int);
int main(void) {
  int fd = open(\"a\", 0);
  char *p = malloc(1);
  if (fd >= 0) { close(fd); return 1; }
  free(p);
  return 0;
}";
    assert_eq!(seen(text), [(Kind::AtExit, 6)]);
}

#[test]
fn an_endless_program_and_far_arguments_end() {
    assert_eq!(seen("int main(void) { for (;;) free(malloc(1)); }"), []);
    let text = "int main(int argc, char **argv) { return argv[argc - 1][0]; }";
    assert_eq!(seen(text), []);
}

#[test]
fn a_library_is_run_from_what_takes_numbers() {
    let text = "
static int mode = 1;
void lists(int n) {
  struct cell *head = 0;
  for (int i = 0; i < n; i++) {
    struct cell *c = malloc(sizeof *c);
    c->next = head; head = c;
  }
  if (mode) { while (head && head->next) { head = head->next; } }
  free(head);
}
void given(struct cell *c) { c->next = malloc(1); c->next = 0; }
static void hidden(void) { malloc(1); }";
    assert_eq!(seen(text), [(Kind::Overwritten, 6)]);
}

#[test]
fn who_returns_its_argument_returns_null_where_it_fails() {
    let text = "
typedef struct _IO_FILE FILE;
FILE *fopen(const char *, const char *);
FILE *freopen(const char *, const char *, FILE *);
int fclose(FILE *);
int main(void) {
  FILE *f = fopen(\"a\", \"r\");
  if (!f) return 1;
  f = freopen(\"b\", \"r\", f);
  if (f) fclose(f);
  return 0;
}";
    assert_eq!(seen(text), []);
}

#[test]
fn what_is_lost_with_an_object_is_told() {
    let text = "
static void lose(void) {
  struct cell *c = malloc(sizeof *c);
  c->next = 0;
  c->text = malloc(8);
}
int main(void) { lose(); return 0; }";
    let module = caulk_testkit::module("case.c", &format!("{HEAD}#line 1\n{text}"));
    let player = Player::new(vec![module], &Models::bundled()).expect("a 64-bit program");
    let sights: Vec<_> = player.starts().into_iter().flat_map(|it| player.explore(it)).collect();
    let along = |sight| player.along(sight, &player.finding(sight).expect("a place").primary);
    let along: Vec<_> = sights.iter().flat_map(along).collect();
    let lines: Vec<u32> =
        along.iter().map(|step| step.location.range.expect("a range").start.line).collect();
    assert_eq!((sights.len(), lines), (1, vec![5]));
}
