//! `caulk record` and `caulk check --build`: the database is what the build compiled, and the
//! build is what it would have been.

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Folder, GOOD, Ran};
use serde_json::Value;

const UNIT: &str = "int f(void) { return 0; }\n";

/// The rows of a database as `file > output: arguments`, with paths below the folder.
fn rows(folder: &Folder, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.0.join(name)).unwrap();
    let rows: Value = serde_json::from_str(&text).unwrap();
    let row = |row: &Value| {
        let directory = row["directory"].as_str().unwrap();
        let below = Path::new(directory).strip_prefix(&folder.0).unwrap().to_str().unwrap();
        let words: Vec<_> = row["arguments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        let output = row["output"].as_str().unwrap_or("-");
        format!("{below}/{} > {output}: {}", row["file"].as_str().unwrap(), words.join(" "))
            .replace(folder.0.to_str().unwrap(), "TOP")
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

fn script(folder: Folder, name: &str, text: &str) -> Folder {
    let folder = folder.file(name, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(folder.0.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn real_compiler() -> PathBuf {
    let found = Command::new("sh").args(["-c", "command -v gcc || command -v cc"]).output();
    let path = String::from_utf8(found.unwrap().stdout).unwrap();
    fs::canonicalize(path.trim()).unwrap()
}

/// The real compiler under another name, in a folder that a build puts on its `PATH`.
fn compiler(folder: Folder, name: &str) -> Folder {
    let bin = folder.0.join("bin");
    fs::create_dir_all(&bin).unwrap();
    symlink(real_compiler(), bin.join(name)).unwrap();
    folder
}

fn record(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["record"][..], args].concat())
}

#[test]
fn a_recursive_make() {
    let make = "all:\n\tcc -c a.c\n\t$(MAKE) -C sub\nclean:\n\trm -f a.o\n";
    let sub = "all: b.o c.o\nb.o: b.c\n\tgcc -DX='a b' -c -o b.o b.c\nc.o: c.c\n\tgcc -c c.c\n";
    let folder = Folder::new("record_make").file("Makefile", make).file("sub/Makefile", sub);
    let folder = folder.file("a.c", UNIT).file("sub/b.c", UNIT).file("sub/c.c", UNIT);
    let ran = record(&folder, &["--", "make", "-j2"]).exits(0).says("cc -c a.c");
    ran.complains("caulk: compile_commands.json: 3 compilations of C recorded\n");
    let expected = [
        "/a.c > a.o: cc -c a.c",
        "sub/b.c > b.o: gcc -DX=a b -c -o b.o b.c",
        "sub/c.c > c.o: gcc -c c.c",
    ];
    assert_eq!(rows(&folder, "compile_commands.json"), expected);
    folder.run(&["check"]).exits(0).says("3 units: 3 analysed");
}

/// Cross compilers, a compiler by its path, one whose name tells nothing, a launcher, a script in
/// the compiler's place, libtool's two compilations. What only the build has on its `PATH` is
/// recorded as the file that it was.
#[test]
fn whatever_compilers_are_called() {
    let build = "PATH=$PWD/bin:$PATH
arm-none-eabi-gcc -c a.c
\"$PWD/bin/gcc-12\" -c b.c
strange -c c.c
ccache gcc -c d.c
wrapped-gcc -c f.c
./libtool --mode=compile gcc -c g.c -o g.lo
env X=1 nice gcc -c h.c
echo a.o b.o > objects; gcc -c i.c -o i.o; gcc main.c @objects -o main
gcc -c 'sp ace.c'
gcc -E a.c > /dev/null; gcc -MM a.c > /dev/null; echo 'int x;' | gcc -c -x c - -o x.o
gcc -c plus.cc -x c++ || true
echo 'int y;' > conftest.c; gcc -c conftest.c; rm conftest.c
";
    let mut folder = script(Folder::new("record_names"), "build.sh", build);
    for name in ["a", "b", "c", "d", "f", "g", "h", "i", "sp ace"] {
        folder = folder.file(&format!("{name}.c"), UNIT.replace('f', &name[..1]));
    }
    folder = folder.file("main.c", "int main(void) { return 0; }\n");
    for name in ["arm-none-eabi-gcc", "gcc-12", "strange"] {
        folder = compiler(folder, name);
    }
    folder = script(folder, "bin/ccache", "exec \"$@\"");
    folder = script(folder, "bin/wrapped-gcc", "gcc -DWRAPPED \"$@\"");
    folder = script(
        folder,
        "libtool",
        "shift; mkdir -p .libs; $1 $2 $3 -fPIC -DPIC -o .libs/g.o; $1 $2 $3 -o g.o",
    );
    record(&folder, &["-o", "db.json", "--", "./build.sh"]).exits(0);
    let real = real_compiler();
    let rows: Vec<String> = rows(&folder, "db.json")
        .iter()
        .map(|row| row.replace(real.to_str().unwrap(), "REAL"))
        .collect();
    let expected = [
        "/a.c > a.o: REAL -c a.c",
        "/b.c > b.o: TOP/bin/gcc-12 -c b.c",
        "/c.c > c.o: REAL -c c.c",
        "/d.c > d.o: gcc -c d.c",
        "/f.c > f.o: gcc -DWRAPPED -c f.c",
        "/g.c > .libs/g.o: gcc -c g.c -fPIC -DPIC -o .libs/g.o",
        "/g.c > g.o: gcc -c g.c -o g.o",
        "/h.c > h.o: gcc -c h.c",
        "/i.c > i.o: gcc -c i.c -o i.o",
        "/main.c > main: gcc main.c a.o b.o -o main",
        "/sp ace.c > sp ace.o: gcc -c sp ace.c",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn shims_see_the_compilers_on_the_path() {
    let build = "all:\n\tcc -c a.c\n\tgcc -c b.c\n\t$(ABSOLUTE) -c c.c\n";
    let folder = Folder::new("record_shims").file("Makefile", build);
    let folder = folder.file("a.c", UNIT).file("b.c", UNIT).file("c.c", UNIT);
    let folder = compiler(folder, "gcc");
    let absolute = format!("ABSOLUTE={}", folder.0.join("bin/gcc").display());
    let ran = record(&folder, &["--with", "shims", "--", "make", &absolute]).exits(0);
    ran.complains("2 compilations of C recorded");
    let expected = ["/a.c > a.o: cc -c a.c", "/b.c > b.o: gcc -c b.c"];
    assert_eq!(rows(&folder, "compile_commands.json"), expected);
    assert!(folder.0.join("c.o").exists());
}

#[test]
fn the_build_ends_as_it_would() {
    let folder = Folder::new("record_exit").file("a.c", UNIT).file("bad.c", "int x = ;\n");
    for with in ["trace", "shims"] {
        let shell = |text: &str| record(&folder, &["--with", with, "--", "sh", "-c", text]);
        shell("gcc -c a.c; exit 7").exits(7);
        assert_eq!(rows(&folder, "compile_commands.json"), ["/a.c > a.o: gcc -c a.c"]);
        shell("gcc -c bad.c").exits(1).complains("error: expected expression");
        assert_eq!(rows(&folder, "compile_commands.json").len(), 1);
        shell("kill -TERM $$").exits(143).complains("compiled no C");
        shell("cat; echo out; echo err >&2; exit 3").exits(3).says("out\n").complains("err\n");
        shell("trap 'exit 9' USR1; kill -USR1 $$; exit 1").exits(9);
    }
    record(&folder, &["--", "no-such-program"]).exits(127).complains("no-such-program");
    record(&folder, &["--", "./a.c"]).exits(126).complains("a.c");
    record(&folder, &["--"]).exits(2);
    record(&folder, &["-o", "no/folder.json", "--", "true"]).exits(2).complains("no/folder.json");
    record(&folder, &["-o", "/dev/full", "--", "sh", "-c", "exit 5"]).exits(5).complains("full");
}

#[test]
fn the_environment_of_the_build_is_unchanged() {
    let folder = Folder::new("record_environment");
    let alone = Command::new("env").env_clear().env("A", "b c").output().unwrap().stdout;
    let mut command = folder.command(&["record", "--quiet", "--", "/usr/bin/env"]);
    let ran = Ran::of(command.env_clear().env("A", "b c").output().unwrap()).exits(0);
    assert_eq!(ran.out.as_bytes(), alone);
}

#[test]
fn an_interrupt_ends_the_build_and_keeps_what_was_seen() {
    for with in ["trace", "shims"] {
        let folder = Folder::new(&format!("record_interrupt_{with}")).file("a.c", UNIT);
        let build = "gcc -c a.c; touch ready; sleep 30";
        let mut command = folder.command(&["record", "--with", with, "--", "sh", "-c", build]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !folder.0.join("ready").exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(100));
        // To caulk alone: it passes it on to the shell, and `sleep` is left to itself.
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let mut child = child;
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(143));
        assert_eq!(rows(&folder, "compile_commands.json"), ["/a.c > a.o: gcc -c a.c"]);
    }
}

#[test]
fn appending_keeps_what_is_up_to_date() {
    let make = "all: a.o b.o\n";
    let folder = Folder::new("record_append").file("Makefile", make);
    let folder = folder.file("a.c", UNIT).file("b.c", "int g(void) { return 0; }\n");
    record(&folder, &["--", "make"]).exits(0).complains("2 compilations");
    let both = rows(&folder, "compile_commands.json");
    fs::remove_file(folder.0.join("a.o")).unwrap();
    record(&folder, &["--append", "--", "make"]).exits(0).complains("1 kept from before");
    let mut again = rows(&folder, "compile_commands.json");
    again.sort();
    assert_eq!(again, both);
    record(&folder, &["--", "make"]).exits(0).complains("make clean");
    assert!(rows(&folder, "compile_commands.json").is_empty());
}

#[test]
fn check_builds_and_checks() {
    let make = "all: good.o\n";
    let folder = Folder::new("check_build").file("Makefile", make).file("good.c", GOOD);
    folder.run(&["check"]).exits(2).complains("built by make").complains("caulk check --build");
    let first = folder.run(&["check", "--build", "make"]).exits(0).says("1 unit: 1 analysed");
    first.complains("1 compilation of C recorded");
    folder.run(&["check"]).exits(0).says("1 unit: 1 analysed");
    // Up to date now: the database of before still holds.
    folder.run(&["check", "--build", "make"]).exits(0).says("1 unit: 1 analysed");
    let ran = folder.run(&["check", "-q", "-p", "out.json", "--build", "make -B; exit 3"]).exits(3);
    ran.complains("the build failed (exit code 3)");
    folder.run(&["check", "--build", "make", "good.c"]).exits(2);
    let empty = Folder::new("check_build_nothing");
    empty.run(&["check", "--build", "true"]).exits(2).complains("compiled no C");
}

#[test]
fn build_systems_are_recognised() {
    let check = |test: &str, file: &str, command: &str| {
        let folder = Folder::new(&format!("recognise_{test}")).file(file, "");
        folder.run(&["check"]).exits(2).complains(command);
    };
    check("cmake", "CMakeLists.txt", "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
    check("meson", "meson.build", "meson setup build");
    check("make", "Makefile", "caulk check --build 'make -j");
    check("configure", "configure", "./configure && caulk check --build 'make -j");
}

/// The usual way with CMake, where there is one.
#[test]
fn a_cmake_project() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("skipped: there is no cmake");
        return;
    }
    let lists = "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(p good.c)\n";
    let folder = Folder::new("cmake").file("CMakeLists.txt", lists).file("good.c", GOOD);
    let args = ["-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"];
    let made = Command::new("cmake").args(args).current_dir(&folder.0).output().unwrap();
    assert!(made.status.success());
    folder.run(&["check"]).exits(0).says("1 unit: 1 analysed");
    fs::remove_file(folder.0.join("build/compile_commands.json")).unwrap();
    folder.run(&["check", "--build", "cmake --build build"]).exits(0).says("1 unit: 1 analysed");
}
