#!/usr/bin/env python3
"""Checks that the programs of this folder mean one thing only.

    check.py [-j N] [-v] [FILE.c ...]      (default: every *.c beside this script)

Each program is built with gcc as plain -O0, -O2, and -O0 and -O2 with
-fsanitize=address,undefined; all four must give the same stdout, stderr and
exit status, and the sanitizers must stay silent.  With -v the -O0 build also
runs under valgrind, which sees reads of uninitialised memory.  Programs named
leaks/* may leak; everything else about them is checked the same way.
NAME.stdin beside NAME.c is the standard input; without it stdin is empty.
A line `// no-sanitizer: REASON` leaves out the sanitizer builds, and
`// no-valgrind: REASON` valgrind; both are looked for in the first three lines.
"""
import argparse, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SAN = ["-g", "-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
BUILDS = [["-O0"], ["-O2"], ["-O0"] + SAN, ["-O2"] + SAN]


def run(command, source, folder, env):
    stdin = source[:-2] + ".stdin"
    with open(stdin if os.path.exists(stdin) else os.devnull, "rb") as data:
        done = subprocess.run(command, stdin=data, capture_output=True, timeout=60, cwd=folder, env=env)
    return done.returncode, done.stdout, done.stderr


def check(source, valgrind):
    text = open(source).read()
    leaky = os.path.basename(os.path.dirname(source)) == "leaks"
    first = "\n".join(text.split("\n")[:3])
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=%d:allocator_may_return_null=1" % (not leaky),
               UBSAN_OPTIONS="print_stacktrace=1")
    want = None
    with tempfile.TemporaryDirectory() as folder:
        for flags in BUILDS:
            if "// no-sanitizer:" in first and flags[1:]:
                continue
            exe = os.path.join(folder, "x")
            built = subprocess.run(["gcc", "-std=gnu17", "-w", *flags, source, "-o", exe, "-lm"], capture_output=True, text=True)
            if built.returncode:
                return "does not build with %s\n%s" % (" ".join(flags), built.stderr)
            try:
                got = run([exe], source, folder, env)
            except subprocess.TimeoutExpired:
                return "does not end with " + " ".join(flags)
            if want is None:
                want = got
                if got[0] in (-11, -8, -4):
                    return "crashes: %d" % got[0]
            elif got != want:
                return "differs with %s: status %d, was %d\n%s\n%s" % (
                    " ".join(flags), got[0], want[0], got[1].decode(errors="replace")[-600:], got[2].decode(errors="replace")[:1500])
            if valgrind and flags == ["-O0"] and "// no-valgrind:" not in first:
                seen = run(["valgrind", "-q", "--error-exitcode=99", exe], source, folder, env)
                if seen[0] == 99 or seen[2] != want[2]:
                    return "valgrind:\n" + seen[2].decode(errors="replace")[:1500]
        if len(want[1]) + len(want[2]) == 0:
            return "prints nothing"
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("-j", type=int, default=2)
    options.add_argument("-v", action="store_true", help="valgrind as well")
    options.add_argument("files", nargs="*")
    given = options.parse_args()
    files = [os.path.abspath(f) for f in given.files] or sorted(
        os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith(".c"))
    bad = 0
    with ThreadPoolExecutor(given.j) as pool:
        for source, wrong in zip(files, pool.map(lambda f: check(f, given.v), files)):
            if wrong:
                bad += 1
                print("%s: %s" % (os.path.relpath(source), wrong), flush=True)
    print("%d programs, %d wrong" % (len(files), bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
