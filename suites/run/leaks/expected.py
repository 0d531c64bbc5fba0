#!/usr/bin/env python3
"""Finds, with real tools, which allocations of the programs in this folder leak.

    expected.py [--check] [FILE.c ...]     (default: every *.c beside this script)

Each program is built with `gcc -g -O0 -fsanitize=address` and run with
LeakSanitizer; for every leaked block, direct or indirect, the innermost frame
that lies in the program's own file gives the line of the allocating call.  The
sorted set of lines is written over the first line of the file:

    // leaks: 12 17        or        // leaks: none

A plain -O0 build then runs under valgrind (kinds definite, indirect, possible)
as a second opinion.  Where valgrind names another set, its set is kept in the
last line of the file as `// valgrind: 12`, and the comment in the program says
why; agreement leaves no such line.  Only first and last lines are ever touched,
so line numbers stay what they are.  --check writes nothing, and fails if a file
would change.
"""
import os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def lsan(source, folder):
    exe = os.path.join(folder, "asan")
    subprocess.run(["gcc", "-std=gnu17", "-w", "-g", "-O0", "-fno-omit-frame-pointer", "-fsanitize=address", source, "-o", exe], check=True)
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:fast_unwind_on_malloc=0:malloc_context_size=60",
               LSAN_OPTIONS="exitcode=0:report_objects=0:max_leaks=0")
    done = subprocess.run([exe], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env, errors="replace")
    name = re.escape(os.path.basename(source))
    if "AddressSanitizer:" in done.stderr.replace("SUMMARY: AddressSanitizer", "") or "fatal error" in done.stderr:
        raise SystemExit("%s: %s" % (source, done.stderr[:2000]))
    lines = set()
    for block in re.split(r"\n(?=(?:Direct|Indirect) leak)", done.stderr)[1:]:
        frame = re.search(r"^\s*#\d+ .*/" + name + r":(\d+)", block, re.M)
        if not frame:
            raise SystemExit("%s: a leak without a frame in the file\n%s" % (source, block))
        lines.add(int(frame.group(1)))
    return lines


def valgrind(source, folder):
    exe = os.path.join(folder, "plain")
    subprocess.run(["gcc", "-std=gnu17", "-w", "-g", "-O0", source, "-o", exe], check=True)
    done = subprocess.run(["valgrind", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible", "--num-callers=60", exe],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    name = re.escape(os.path.basename(source))
    lines = set()
    for block in re.split(r"==\d+== \n", done.stderr):
        if " in loss record " not in block:
            continue
        frame = re.search(r"\(" + name + r":(\d+)\)", block)
        if not frame:
            raise SystemExit("%s: a loss without a frame in the file\n%s" % (source, block))
        lines.add(int(frame.group(1)))
    return lines


def spell(lines):
    return " ".join(map(str, sorted(lines))) or "none"


def expect(source):
    old = open(source).read()
    rows = old.rstrip("\n").split("\n")
    if not rows[0].startswith("// leaks:"):
        raise SystemExit("%s: the first line must be `// leaks: ?`" % source)
    with tempfile.TemporaryDirectory() as folder:
        first, second = lsan(source, folder), valgrind(source, folder)
    rows[0] = "// leaks: " + spell(first)
    if rows[-1].startswith("// valgrind:"):
        rows.pop()
    if second != first:
        rows.append("// valgrind: " + spell(second))
        print("%s: LeakSanitizer %s, valgrind %s" % (os.path.basename(source), spell(first), spell(second)))
    return old, "\n".join(rows) + "\n"


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("-")]
    files = names or sorted(os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith(".c"))
    changed = leaking = 0
    for source in files:
        old, new = expect(os.path.abspath(source))
        leaking += not new.startswith("// leaks: none")
        if old != new:
            changed += 1
            if "--check" in sys.argv:
                print("%s: would become %s" % (os.path.basename(source), new.split("\n")[0]))
            else:
                open(source, "w").write(new)
    print("%d programs, %d leak, %d changed" % (len(files), leaking, changed))
    return "--check" in sys.argv and changed > 0


if __name__ == "__main__":
    sys.exit(main())
