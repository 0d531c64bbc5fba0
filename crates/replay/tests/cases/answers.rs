//! What external functions may answer.

use crate::{confirmed, leak, refuted};

/// A row of 8 bytes, and a return without it where a condition holds.
fn lost_where(declaration: &str, condition: &str) -> caulk_finding::Outcome {
    leak(&format!(
        "{declaration}
        int f(const char *text, int number, FILE *file) {{ char *p = malloc(8); /* here */
        char room[20];
        if (!p) return 1;
        if ({condition}) return 2;
        free(p); return 0; }}"
    ))
}

#[test]
fn what_is_printed_is_at_least_the_format() {
    const PRINT: &str = "int snprintf(char *, size_t, const char *, ...);";
    refuted(&lost_where(PRINT, r#"snprintf(room, 20, "%d.", number) < 2"#));
    confirmed(&lost_where(PRINT, r#"snprintf(room, 20, "%d.", number) < 3"#), &[]);
    refuted(&leak(
        r#"int asprintf(char **, const char *, ...);
        int f(unsigned long number) { char *p;
        if (asprintf(&p, "%lu", number) <= 0) return 1; /* here */
        free(p); return 0; }"#,
    ));
    confirmed(
        &leak(
            r#"int asprintf(char **, const char *, ...);
        int f(const char *text) { char *p;
        if (asprintf(&p, "%s", text) <= 0) return 1; /* here */
        free(p); return 0; }"#,
        ),
        &[],
    );
}

#[test]
fn a_byte_is_a_small_number() {
    const GETC: &str = "int getc(FILE *);";
    refuted(&lost_where(GETC, "getc(file) < -1"));
    refuted(&lost_where(GETC, "getc(file) > 255"));
    confirmed(&lost_where(GETC, "getc(file) > 254"), &[]);
}

/// A number is put together of as many bytes as the caller says.
#[test]
fn a_number_of_two_bytes_is_not_negative() {
    const COUNT: &str = "int getc(FILE *);
        static int count(FILE *file, int bytes) { int n = 0;
            for (int i = 0; i < bytes; i++) {
                int c = getc(file);
                if (c == -1) return 0;
                n = (n << 8) + (unsigned)c; }
            return n; }";
    refuted(&lost_where(COUNT, "count(file, 2) < 0"));
    confirmed(&lost_where(COUNT, "count(file, 4) < 0"), &[]);
}

#[test]
fn a_literal_is_well_formed() {
    const PARSE: &str = "int inet_pton(int, const char *, void *);";
    refuted(&lost_where(PARSE, r#"inet_pton(10, "::1", room) < 1"#));
    confirmed(&lost_where(PARSE, "inet_pton(10, text, room) < 1"), &[]);
}

#[test]
fn a_negated_error_code_is_negative() {
    const ERRNO: &str = "int *__errno_location(void); int remove(const char *);
        static int gone(const char *text) { return remove(text) ? -*__errno_location() : 0; }";
    refuted(&lost_where(ERRNO, "gone(text) > 0"));
    confirmed(&lost_where(ERRNO, "gone(text) < 0"), &[]);
}
