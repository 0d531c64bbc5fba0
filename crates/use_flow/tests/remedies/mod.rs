//! The release that a finding proposes can be put in as it stands, or none is proposed.

use caulk_use_flow::Options;

use crate::budgets::of_text;

const HEAD: &str = "
typedef struct file FILE;
void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);
FILE *fopen(const char *, const char *); int fclose(FILE *);
void *mmap(void *, unsigned long, int, int, int, long); int munmap(void *, unsigned long);
int work(void);
static void drop(char *text) { free(text); }
static int take(char *text) { if (work()) return 0; free(text); return 1; }
static char *make(void) { return malloc(8); }
";

/// What is proposed, where there is one finding.
fn proposed(body: &str) -> Option<String> {
    let text = [HEAD, "int task(int early)\n{\n", body, "}\n"].concat();
    let verdicts = of_text(text, &Options::default());
    let [finding] = verdicts.findings.as_slice() else {
        panic!("{} findings in {body}", verdicts.findings.len());
    };
    finding.suggestion.as_ref().map(|it| it.code.clone())
}

#[test]
fn a_return_of_its_own_gets_the_release() {
    let early = "char *text = malloc(8); if (!text) return 1;
        if (early) return 2;
        free(text); return 0;";
    assert_eq!(proposed(early).as_deref(), Some("free(text);"));
}

#[test]
fn a_return_that_other_ways_share_gets_none() {
    let shared = "char *text = malloc(8); if (!text) return 1;
        if (early) goto out;
        free(text);
        out: return 0;";
    assert_eq!(proposed(shared), None);
    let unset = "char *text; if (early) goto out;
        text = malloc(8); if (text) work();
        out: return 0;";
    assert_eq!(proposed(unset), None);
}

#[test]
fn what_the_function_calls_on_other_ways_is_proposed() {
    let dropped = "char *text = make(); if (!text) return 1;
        if (early) return 2;
        drop(text); return 0;";
    assert_eq!(proposed(dropped).as_deref(), Some("drop(text);"));
    let never = "char *text = make(); if (!text) return 1; return text[0];";
    assert_eq!(proposed(never), None);
}

#[test]
fn what_another_call_takes_unless_it_fails_is_released_where_it_failed() {
    let refused = "char *text = malloc(8); if (!text) return 1;
        if (!take(text)) return 2;
        return 0;";
    assert_eq!(proposed(refused).as_deref(), Some("free(text);"));
    let unasked = "char *text = malloc(8); if (!text) return 1;
        take(text);
        return 0;";
    assert_eq!(proposed(unasked), None);
}

#[test]
fn a_release_that_needs_more_than_the_object_is_not_proposed() {
    let mapped = "char *text = mmap(0, 64, 3, 34, -1, 0); if (text == (void *)-1) return 1;
        return text[0];";
    assert_eq!(proposed(mapped), None);
}

#[test]
fn a_file_that_may_not_be_there_is_not_closed() {
    let untested = "FILE *file = fopen(\"a\", \"r\"); if (file) work(); return 0;";
    assert_eq!(proposed(untested), None);
    let tested = "FILE *file = fopen(\"a\", \"r\"); if (!file) return 1;
        if (early) return 2;
        fclose(file); return 0;";
    assert_eq!(proposed(tested).as_deref(), Some("fclose(file);"));
}

#[test]
fn the_variable_is_one_that_still_has_it() {
    let grown = "char *text = 0, *more; unsigned long size = 8;
        while (1) {
            if ((more = realloc(text, size)) == 0) return 1;
            text = more;
            if (work()) break;
            size *= 2;
        }
        free(text); return 0;";
    assert_eq!(proposed(grown).as_deref(), Some("free(text);"));
    let inner = "{ char *text = malloc(8); if (!text) return 1; text[0] = 0; }
        work(); return 0;";
    assert_eq!(proposed(inner), None);
}

#[test]
fn what_earlier_turns_made_is_another_object() {
    let turns = "char *all[9]; int count = 0;
        while (count < 9) {
            char *text = malloc(8);
            if (!text) break;
            if (work()) { while (count) free(all[--count]); return 1; }
            all[count++] = text;
        }
        while (count) free(all[--count]);
        return 0;";
    assert_eq!(proposed(turns).as_deref(), Some("free(text);"));
}
