//! Bad input costs itself: a message with its position, the other units as if it were not there,
//! exit code 3, no panic and no hang.

mod common;

use common::{Folder, GOOD, Ran};

/// Checks the file beside a good one, which must be analysed in any case.
#[track_caller]
fn check(test: &str, name: &str, text: impl AsRef<[u8]>) -> Ran {
    let folder = Folder::new(test).file("good.c", GOOD).file(name, text);
    let ran = folder.run(&["check", name, "good.c"]);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    let good = folder.run(&["check", "good.c"]).exits(0);
    let sites = good.out.lines().find(|line| line.contains("call site")).unwrap();
    assert!(sites.starts_with("1 allocation call site, 1 free"), "{sites}");
    ran
}

#[test]
fn missing_file() {
    let folder = Folder::new("missing_file").file("good.c", GOOD);
    let ran = folder.run(&["check", "nosuch.c", "good.c"]).exits(3);
    ran.says("1 unit: 1 analysed").says("nosuch.c: no such file");
}

#[test]
fn missing_header() {
    let text = "#include \"nope.h\"\nint f(void) { return 0; }\n";
    let ran = check("missing_header", "bad.c", text).exits(3);
    ran.says("2 units: 1 analysed, 1 in part").says("bad.c:1:1: `nope.h` file not found");
}

#[test]
fn broken_utf8() {
    let text = b"/* \x80\xff */ int w[] = L\"\xe4\xfc\";\nint f(void) { return 0; }\n";
    check("broken_utf8", "bad.c", text).exits(0).says("2 units: 2 analysed").says("1 note");
}

#[test]
fn binary_file() {
    let text: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let ran = check("binary_file", "bad.c", text).exits(3);
    assert!(!ran.out.bytes().any(|byte| byte.is_ascii_control() && byte != b'\n'));
    ran.says("bad.c:1:");
}

#[test]
fn deep_brackets() {
    let nested = |open: &str, close: &str| open.repeat(100_000) + "1" + &close.repeat(100_000);
    let round = format!("int f(void) {{ return {}; }}\n", nested("(", ")"));
    check("deep_round", "bad.c", round).exits(3).says("\n  bad.c:1:").says("nested");
    let square = format!("int f(int *a) {{ return {}; }}\n", nested("a[", "]"));
    check("deep_square", "bad.c", square).exits(3).says("\n  bad.c:1:").says("nested");
    let braces = format!("int f(void) {}\n", nested("{", "}"));
    check("deep_braces", "bad.c", braces).exits(3).says("\n  bad.c:1:").says("nested");
    let condition = format!("#if {}\n#endif\n", nested("(", ")"));
    check("deep_condition", "bad.c", condition).exits(3).says("\n  bad.c:1:").says("nested");
}

#[test]
fn deep_chains() {
    let sum = format!("int f(int a) {{ return a{}; }}\n", "+a".repeat(100_000));
    check("deep_sum", "bad.c", sum).exits(3).says("nested");
    let ladder = "if (a) a++; else ".repeat(50_000);
    let ladder = format!("int f(int a) {{ {ladder} a--; return a; }}\n");
    check("deep_ladder", "bad.c", ladder).exits(3).says("nested");
}

#[test]
fn macro_bomb() {
    let mut text = "#define A0 x x\n".to_owned();
    for n in 1..40 {
        text += &format!("#define A{n} A{0} A{0}\n", n - 1);
    }
    check("macro_bomb", "bad.c", text + "A39\n").exits(3).says("bad.c:41:1: macro expansion");
}

#[test]
fn include_cycle() {
    let text = "#include \"bad.c\"\nint f(void) { return 0; }\n";
    check("include_cycle", "bad.c", text).exits(3).says("bad.c:1:1: `#include` nested too deeply");
}

#[test]
fn a_line_of_50_megabytes() {
    let text = format!("int a = 0{};\nint f(void) {{ return 0; }}\n", " ".repeat(50_000_000));
    check("long_line", "bad.c", text).exits(0).says("2 units: 2 analysed");
}

#[test]
fn a_file_over_the_size_limit() {
    let text = " ".repeat(70_000_000);
    check("large_file", "bad.c", text).exits(3).says("bad.c: is larger than");
}

#[test]
fn empty_file() {
    check("empty_file", "bad.c", "").exits(0).says("2 units: 2 analysed");
}

#[test]
fn directory() {
    let folder = Folder::new("directory").file("good.c", GOOD).file("dir.c/x", "");
    let ran = folder.run(&["check", "dir.c", "good.c"]).exits(3);
    ran.says("1 unit: 1 analysed").says("dir.c: is a directory");
}

#[test]
fn syntax_error() {
    let text =
        "int f(void) { return 0; }\nint g(void) { return 1 + ; }\nint h(void) { return 2; }\n";
    let ran = check("syntax_error", "bad.c", text).exits(3);
    ran.says("1 in part").says("bad.c:2:26: expected an expression").says("function `g`");
}

#[test]
fn many_errors_are_counted() {
    let ran = check("many_errors", "bad.c", "int x = ;\n".repeat(20_000)).exits(3);
    ran.says(" errors in this unit; the first 50 are listed").says("more; --verbose lists all");
}

#[test]
fn database_with_wrong_json() {
    let folder = Folder::new("wrong_json").file("compile_commands.json", "[\n{\"file\": 3,,}]");
    folder.run(&["check"]).exits(3).says("compile_commands.json:2:");
    folder.run(&["check", "-p", "."]).exits(3).says("compile_commands.json:2:");
}

#[test]
fn database_with_missing_files() {
    let folder =
        Folder::new("missing_sources").file("good.c", GOOD).database(&["gone.c", "good.c"]);
    let ran = folder.run(&["check"]).exits(3);
    ran.says("1 unit: 1 analysed").says("compile_commands.json:1:").says("gone.c: no such file");
}

#[test]
fn no_database() {
    let folder = Folder::new("no_database");
    folder
        .run(&["check"])
        .exits(2)
        .complains("no compile_commands.json")
        .complains("caulk check --build 'make");
    folder.run(&["check", "-p", "nowhere"]).exits(2).complains("nowhere").complains("cmake");
    let empty = Folder::new("empty_database").database(&[]);
    empty.run(&["check"]).exits(2).complains("nothing to analyse");
}

#[test]
fn cpp_is_skipped_not_failed() {
    let folder =
        Folder::new("cpp").file("good.c", GOOD).file("a.cc", "").database(&["a.cc", "good.c"]);
    folder.run(&["check"]).exits(0).says("1 command skipped: C++ (a.cc)");
    folder.run(&["check", "a.cc"]).exits(2).complains("C++");
}

/// Within its limits the preprocessor would take all the memory there is.
#[test]
fn argument_bomb() {
    let text = format!("#define F(x) x x x x\nint y = {}+1{};\n", "F(".repeat(20), ")".repeat(20));
    let folder = Folder::new("argument_bomb").file("bad.c", text).file("good.c", GOOD);
    let ran = folder.run(&["check", "--memory-limit", "200", "bad.c", "good.c"]).exits(3);
    ran.says("1 analysed, 1 not at all").says("bad.c: needs more than 200 MiB of memory");
}

#[test]
fn unbalanced_braces() {
    let open = check("open_braces", "bad.c", "int f(void) { if (1) {\nint g(void) { return 0; }\n");
    open.exits(3).says("bad.c:").says("2 units: 1 analysed, 1 ");
    let closed = check("closed_braces", "bad.c", "int f(void) { return 0; } }\nint g(void);\n");
    closed.exits(3).says("bad.c:1:27: ");
}

/// Comments, a string and an initialiser: what generated code puts on one line.
#[test]
fn a_long_line() {
    let mut text = "int f(void) { return 0; } /* ".to_owned() + &"x".repeat(20_000_000) + " */ ";
    text += &format!("const char *s = \"{}\"; ", "y".repeat(20_000_000));
    text += &format!("char a[] = {{ {} }};\n", "1,".repeat(5_000_000));
    let ran = check("long_tokens", "bad.c", text);
    assert!(matches!(ran.code, Some(0 | 3)), "{:?} {} {}", ran.code, ran.out, ran.err);
    ran.says("2 units: ");
}

#[test]
fn a_path_that_is_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("path_not_utf8").file("good.c", GOOD);
    let name = OsStr::from_bytes(b"b\xff\xfe d.c");
    std::fs::write(folder.0.join(name), GOOD.replace("main", "other")).unwrap();
    let run = |words: &[&str], name: Option<&OsStr>| {
        let mut command = folder.command(words);
        Ran::of(command.args(name).output().unwrap())
    };
    run(&["check", "good.c"], Some(name)).exits(0).says("2 units: 2 analysed");
    let gone = OsStr::from_bytes(b"gone\xff.c");
    run(&["check", "good.c"], Some(gone)).exits(3).says("gone\u{fffd}.c: no such file");
    // Through a build and its database, too.
    let build = "gcc -c b*.c good.c";
    run(&["check", "--build", build], None).exits(0).says("2 units: 2 analysed");
    run(&["check", "--format", "sarif"], None).exits(0).says("2.1.0");
    // What is found there is quoted, from the cache as well.
    let leak = OsStr::from_bytes(b"leak\xe9.c");
    std::fs::write(folder.0.join(leak), common::LEAK).unwrap();
    for _ in 0..2 {
        let ran = run(&["check", "good.c"], Some(leak)).exits(1).says("leak\u{fffd}.c:4:");
        ran.says("char *p = malloc(8);");
    }
}

#[test]
fn includes_without_end() {
    let folder = Folder::new("include_loop").file("good.c", GOOD);
    let folder = folder.file("a.h", "#include \"b.h\"\n").file("b.h", "#include \"a.h\"\n");
    let folder = folder.file("bad.c", "#include \"a.h\"\nint f(void) { return 0; }\n");
    let ran = folder.run(&["check", "bad.c", "good.c"]).exits(3).says("2 units: 1 analysed, 1 ");
    ran.says(".h:1:1: `#include` nested too deeply");
}

/// Nobody can forbid root to read or to write, so there is nothing to see then.
fn may_everything(folder: &Folder) -> bool {
    let hidden = folder.0.join("hidden");
    std::fs::write(&hidden, "").unwrap();
    forbid(&hidden);
    let may = std::fs::read(&hidden).is_ok();
    if may {
        eprintln!("skipped: this user may read and write everything");
    }
    may
}

fn forbid(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o500 & !0o400)).unwrap();
}

#[test]
fn an_unreadable_file() {
    let folder = Folder::new("unreadable").file("good.c", GOOD).file("bad.c", GOOD);
    if may_everything(&folder) {
        return;
    }
    forbid(&folder.0.join("bad.c"));
    let ran = folder.run(&["check", "bad.c", "good.c"]).exits(3);
    ran.says("2 units: 1 analysed, 1 not at all").says("bad.c: permission denied");
}

#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("read_only").file("good.c", GOOD).file("out/x", "");
    // Not even root writes here.
    folder.run(&["check", "good.c", "-o", "/proc/report"]).exits(2).complains("/proc/report");
    if may_everything(&folder) {
        return;
    }
    let out = folder.0.join("out");
    std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o555)).unwrap();
    let ran = folder.run(&["check", "good.c", "-o", "out/report"]).exits(2);
    std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o755)).unwrap();
    ran.complains("out/report").complains("choose another --output");
}

/// A library is entered by whoever links it.
#[test]
fn a_library_without_main() {
    let library = "#include <stdlib.h>\nchar *make(void) { return malloc(3); }\n";
    let folder = Folder::new("library").file("lib.c", library).file("use.c", "int used;\n");
    let make = "libx.a: lib.o use.o\n\tar rcs $@ $^\n";
    let folder = folder.file("Makefile", make);
    let ran = folder.run(&["check", "--build", "make"]).exits(0).says("2 units: 2 analysed");
    ran.says("1 allocation call site");
}

#[test]
fn units_that_no_time_is_left_for() {
    let cases: String = (0..100_000).map(|n| format!("case {n}: a++;")).collect();
    let slow = format!("int f(int a) {{ switch (a) {{ {cases} }} return a; }}\n");
    let folder = Folder::new("time_limit").file("slow.c", slow).file("good.c", GOOD);
    let args = ["check", "-j1", "--time-limit", "0.05", "slow.c", "good.c"];
    let ran = folder.run(&args).exits(3).says("not reached");
    ran.says("slow.c: the time limit was reached before it was done");
    folder.run(&["check", "--time-limit", "100", "good.c"]).exits(0);
    folder.run(&["check", "--time-limit", "soon", "good.c"]).exits(2).complains("seconds");
}
