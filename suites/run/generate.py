#!/usr/bin/env python3
"""Writes a random C program without undefined behaviour, for tests by comparison.

    generate.py SEED [--size N] > x.c

The same seed always gives the same program.  The program computes with globals
of every integer type, arrays, structs with bit-fields, locals, pointers to all
of these and to heap blocks, calls, bounded loops, switches and forward gotos,
then prints a checksum of every global and returns its low bits.  N (default 1)
scales the number of functions and statements.

How the result stays defined:
- every operation goes through a type: operands are converted to one type T, the
  operation is done in T's unsigned counterpart (or in T where it cannot
  overflow), and the result is converted back, which gcc defines as modulo 2^N;
- shift counts are masked, divisors go through helpers that turn 0 (and -1)
  into something harmless;
- indices are masked to the array's length, a power of two;
- loops count down a private counter; functions only call functions that were
  written before them, and a global fuel counter cuts the call tree;
- an expression has at most one call, and that call is a statement of its own,
  so no result depends on the order of evaluation; assignments are never nested;
- pointers are only taken to objects that live at least as long as they do, and
  are never null, and their type is the object's type.
"""
import random
import sys

# name in C, bits, signed
TYPES = [("int8_t", 8, True), ("uint8_t", 8, False), ("int16_t", 16, True), ("uint16_t", 16, False),
         ("int32_t", 32, True), ("uint32_t", 32, False), ("int64_t", 64, True), ("uint64_t", 64, False),
         ("char", 8, True), ("long long", 64, True), ("unsigned", 32, False), ("_Bool", 1, False)]
WIDE = TYPES[4:8]
UNSIGNED = {32: "uint32_t", 64: "uint64_t"}

PRELUDE = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t crc = 1469598103934665603ull;
static int fuel = 20000;
static void mix(const char *name, uint64_t v) {
    for (int i = 0; i < 8; i++) { crc ^= v >> (8 * i) & 255; crc *= 1099511628211ull; }
    printf("%s %016llx\n", name, (unsigned long long)v);
}
#define HELPERS(S, U, N) \
    static S add_##S(S a, S b) { return (S)((U)a + (U)b); } \
    static S sub_##S(S a, S b) { return (S)((U)a - (U)b); } \
    static S mul_##S(S a, S b) { return (S)((U)a * (U)b); } \
    static S div_##S(S a, S b) { return b == 0 || b == (S)-1 ? a : (S)(a / b); } \
    static S mod_##S(S a, S b) { return b == 0 || b == (S)-1 ? b : (S)(a % b); } \
    static S shl_##S(S a, S b) { return (S)((U)a << ((U)b & (N - 1))); } \
    static S shr_##S(S a, S b) { return (S)(a >> ((U)b & (N - 1))); } \
    static S neg_##S(S a) { return (S)(0 - (U)a); }
HELPERS(int32_t, uint32_t, 32)
HELPERS(uint32_t, uint32_t, 32)
HELPERS(int64_t, uint64_t, 64)
HELPERS(uint64_t, uint64_t, 64)
"""


class Program:
    def __init__(self, seed, size):
        self.r = random.Random(seed)
        self.size = size
        self.out = []
        self.structs = []      # (name, [(field, type, bits or None)])
        self.globals = []      # (lvalue text, type): scalars, elements excluded
        self.arrays = []       # (name, type, length)
        self.objects = []      # (name, struct)
        self.pointers = []     # (name, type): global pointers to scalars
        self.functions = []    # (name, result type, [parameter types])
        self.labels = 0
        self.names = 0
        self.budget = 0        # statements this function may still open blocks in

    # ---- small choices
    def name(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def constant(self):
        r = self.r
        kind = r.randrange(5)
        if kind == 0:
            return str(r.choice([0, 1, 2, 3, 7, 8, 15, 16, 100]))
        if kind == 1:
            return "%d" % r.randrange(-200, 200) if r.random() < .5 else "'%c'" % r.choice("azAZ09")
        if kind == 2:
            return "0x%xu" % r.getrandbits(32)
        if kind == 3:
            return "0x%xull" % r.getrandbits(64)
        return "%dLL" % r.randrange(-2 ** 40, 2 ** 40)

    # ---- declarations
    def declare(self):
        r = self.r
        for _ in range(r.randint(1, 3)):
            name = self.name("S")
            fields = []
            for _ in range(r.randint(2, 6)):
                kind = r.choice(TYPES)
                bits = None
                if r.random() < .4:
                    kind = r.choice(TYPES[4:8])
                    bits = r.randint(1, kind[1] - 1)
                fields.append((self.name("f"), kind, bits))
            self.structs.append((name, fields))
            packed = " __attribute__((packed))" if r.random() < .2 else ""
            body = " ".join("%s %s%s;" % (t[0], f, "" if b is None else " : %d" % b) for f, t, b in fields)
            self.out.append("struct%s %s { %s };" % (packed, name, body))
        for _ in range(r.randint(5, 9)):
            kind = r.choice(TYPES)
            name = self.name("g")
            volatile = "volatile " if r.random() < .1 else ""
            self.out.append("static %s%s %s = (%s)%s;" % (volatile, kind[0], name, kind[0], self.constant()))
            self.globals.append((name, kind, not volatile))
        for _ in range(r.randint(2, 4)):
            kind, length = r.choice(TYPES), r.choice([2, 4, 8, 16])
            name = self.name("a")
            values = ", ".join("(%s)%s" % (kind[0], self.constant()) for _ in range(r.randint(1, length)))
            self.out.append("static %s %s[%d] = {%s};" % (kind[0], name, length, values))
            self.arrays.append((name, kind, length))
        for _ in range(r.randint(1, 3)):
            struct = r.choice(self.structs)
            name = self.name("s")
            values = ", ".join(".%s = (%s)%s" % (f, t[0], self.constant()) for f, t, b in struct[1] if r.random() < .7)
            self.out.append("static struct %s %s = {%s};" % (struct[0], name, values))
            self.objects.append((name, struct))
        for _ in range(r.randint(1, 3)):
            lvalue, kind, plain = r.choice([g for g in self.globals if g[2]] or [self.extra_global()])
            name = self.name("p")
            self.out.append("static %s *%s = &%s;" % (kind[0], name, lvalue))
            self.pointers.append((name, kind))

    def extra_global(self):
        name, kind = self.name("g"), TYPES[4]
        self.out.append("static %s %s;" % (kind[0], name))
        self.globals.append((name, kind, True))
        return self.globals[-1]

    # ---- expressions.  A scope is a list of (text, type) that can be read and written.
    def lvalue(self, scope, writable=True):
        r = self.r
        kind = r.randrange(10)
        if kind < 4 and scope:
            choices = [v for v in scope if v[2] or not writable]
            if choices:
                return r.choice(choices)[:2]
        if kind < 6:
            name, t, length = r.choice(self.arrays)
            return "%s[(unsigned)%s & %d]" % (name, self.atom(scope), length - 1), t
        if kind < 7:
            name, struct = r.choice(self.objects)
            field, t, bits = r.choice(struct[1])
            return "%s.%s" % (name, field), t
        if kind < 8:
            name, t = r.choice(self.pointers)
            return "*%s" % name, t
        name, t, plain = r.choice(self.globals)
        return name, t

    def atom(self, scope):
        if self.r.random() < .3:
            return self.constant()
        choices = [v[0] for v in scope] + [g[0] for g in self.globals] + ["*" + p[0] for p in self.pointers]
        return self.r.choice(choices)

    def expr(self, scope, depth=0):
        """An expression of some type; the text needs no parentheses around it."""
        r = self.r
        if depth > 2 or r.random() < .25:
            return "(%s)" % (self.lvalue(scope, False)[0] if r.random() < .7 else self.constant())
        t = r.choice(WIDE)[0]
        a = lambda: "(%s)%s" % (t, self.expr(scope, depth + 1))
        kind = r.randrange(12)
        if kind < 5:
            op = r.choice(["add", "sub", "mul", "div", "mod", "shl", "shr"])
            return "%s_%s(%s, %s)" % (op, t, a(), a())
        if kind < 6:
            return "neg_%s(%s)" % (t, a())
        if kind < 8:
            return "(%s %s %s)" % (a(), r.choice("&|^"), a())
        if kind < 9:
            return "(%s %s %s)" % (self.expr(scope, depth + 1), r.choice(["<", "<=", ">", ">=", "==", "!="]), self.expr(scope, depth + 1))
        if kind < 10:
            return "(%s %s %s)" % (self.expr(scope, depth + 1), r.choice(["&&", "||"]), self.expr(scope, depth + 1))
        if kind < 11:
            return "(%s ? %s : %s)" % (self.expr(scope, depth + 1), a(), a())
        return "(%s%s)" % (r.choice(["~", "!", "+"]), a() if r.random() < .5 else "(%s)%s" % (r.choice(TYPES[:4])[0], self.expr(scope, depth + 1)))

    # ---- statements
    def block(self, scope, depth, indent, in_loop, count=None):
        r = self.r
        scope = list(scope)
        lines = []
        for _ in range(count or r.randint(1, 3)):
            lines += self.statement(scope, depth, indent, in_loop)
        return lines

    def statement(self, scope, depth, indent, in_loop):
        r = self.r
        pad = "    " * indent
        self.budget -= 1
        kind = r.randrange(22)
        if (depth > 2 or self.budget <= 0) and kind >= 12:
            kind = r.randrange(12)
        if kind < 3:
            target, t = self.lvalue(scope)
            return ["%s%s = (%s)%s;" % (pad, target, t[0], self.expr(scope))]
        if kind < 5:
            target, t = self.lvalue(scope)
            return ["%s%s %s= (%s)%s;" % (pad, target, r.choice("&|^"), t[0], self.expr(scope))]
        if kind < 6:   # arithmetic compound assignment on unsigned 32/64 only: wraps
            choices = [g[0] for g in self.globals if g[1][0] in ("uint32_t", "uint64_t", "unsigned")]
            choices += [v[0] for v in scope if v[1][0] in ("uint32_t", "uint64_t", "unsigned") and v[2]]
            if choices:
                return ["%s%s %s= %s;" % (pad, r.choice(choices), r.choice("+-*"), "(uint32_t)" + self.expr(scope))]
            return ["%s;" % pad]
        if kind < 7:   # ++ and -- where a wrap is defined
            choices = [g[0] for g in self.globals if g[1][1] <= 16 or not g[1][2]]
            choices += [v[0] for v in scope if v[2] and (v[1][1] <= 16 or not v[1][2])]
            if choices:
                target = r.choice(choices)
                return [pad + (r.choice(["(%s)++;", "++(%s);", "(%s)--;", "--(%s);"]) % target)]
            return ["%s;" % pad]
        if kind < 9:   # a new local, sometimes with a pointer to it
            t = r.choice(TYPES)
            name = self.name("v")
            lines = ["%s%s %s = (%s)%s;" % (pad, t[0], name, t[0], self.expr(scope))]
            scope.append((name, t, True))
            if r.random() < .3:
                pointer = self.name("q")
                lines.append("%s%s *%s = &%s;" % (pad, t[0], pointer, name))
                scope.append(("*" + pointer, t, True))
            elif r.random() < .2:
                copy = self.name("c")
                struct = r.choice(self.objects)
                lines.append("%sstruct %s %s = %s;" % (pad, struct[1][0], copy, struct[0]))
                lines.append("%sstruct %s *%s_p = &%s;" % (pad, struct[1][0], copy, copy))
                for field, ft, bits in struct[1][1]:
                    scope.append(("%s.%s" % (copy, field), ft, True))
                    scope.append(("%s_p->%s" % (copy, field), ft, True))
            return lines
        if kind < 10:  # a struct assignment or a redirected pointer
            same = [(a, b) for a in self.objects for b in self.objects if a[1] is b[1] and a is not b]
            if same and r.random() < .5:
                a, b = r.choice(same)
                return ["%s%s = %s;" % (pad, a[0], b[0])]
            name, t = r.choice(self.pointers)
            targets = [g[0] for g in self.globals if g[1] is t and g[2]]
            targets += ["%s[%d]" % (a[0], r.randrange(a[2])) for a in self.arrays if a[1] is t]
            if targets:
                return ["%s%s = &%s;" % (pad, name, r.choice(targets))]
            return ["%s;" % pad]
        if kind < 12 and self.functions:
            name, result, params = r.choice(self.functions)
            args = ", ".join("(%s)%s" % (p[0], self.expr(scope, 2)) if isinstance(p, tuple) else p for p in
                             [self.argument(p, scope) for p in params])
            target, t = self.lvalue(scope)
            value = self.name("r")
            scope.append((value, result, True))
            return ["%s%s %s = %s(%s);" % (pad, result[0], value, name, args), "%s%s = (%s)%s;" % (pad, target, t[0], value)]
        if kind < 15:
            lines = ["%sif (%s) {" % (pad, self.expr(scope))] + self.block(scope, depth + 1, indent + 1, in_loop)
            if r.random() < .5:
                lines += ["%s} else {" % pad] + self.block(scope, depth + 1, indent + 1, in_loop)
            return lines + ["%s}" % pad]
        if kind < 18:
            counter = self.name("i")
            limit = r.randint(1, 8)
            head = r.choice(["for (int %s = 0; %s < %d && fuel-- > 0; %s++) {", "for (unsigned %s = %d; %s-- > 0 && fuel-- > 0;) {", "while"])
            inner = scope + [(counter, ("int", 32, True), False)]
            body = self.block(inner, depth + 1, indent + 1, True)
            if head == "while":
                style = r.randrange(2)
                if style:
                    return ["%s{ int %s = %d;" % (pad, counter, limit), "%sdo {" % pad] + body + ["%s} while (--%s > 0 && fuel-- > 0); }" % (pad, counter)]
                return ["%s{ int %s = %d;" % (pad, counter, limit), "%swhile (%s-- > 0 && fuel-- > 0) {" % (pad, counter)] + body + ["%s} }" % pad]
            if head.startswith("for (int"):
                return [pad + head % (counter, counter, limit, counter)] + body + ["%s}" % pad]
            return [pad + head % (counter, limit, counter)] + body + ["%s}" % pad]
        if kind < 20:
            mask = r.choice([3, 7])
            lines = ["%sswitch ((unsigned)%s & %d) {" % (pad, self.expr(scope), mask)]
            cases = r.sample(range(mask + 1), r.randint(2, mask))
            default = r.randrange(len(cases) + 1)
            for i, case in enumerate(cases):
                if i == default:
                    lines += ["%sdefault: {" % pad] + self.block(scope, depth + 1, indent + 1, in_loop) + ["%s}" % pad]
                label = "case %d:" % case
                if r.random() < .15 and case + 1 <= mask and case + 1 not in cases:
                    label = "case %d ... %d:" % (case, case + 1)
                lines += ["%s%s {" % (pad, label)] + self.block(scope, depth + 1, indent + 1, in_loop) + ["%s}" % pad]
                if r.random() < .7:
                    lines.append("%s    break;" % pad)
            return lines + ["%s}" % pad]
        if kind < 21:  # a forward goto out of a block
            self.labels += 1
            label = "L%d" % self.labels
            return (["%s{" % pad] + self.block(scope, depth + 1, indent + 1, in_loop) +
                    ["%s    if (%s) goto %s;" % (pad, self.expr(scope), label)] +
                    self.block(scope, depth + 1, indent + 1, in_loop) + ["%s}" % pad, "%s%s:;" % (pad, label)])
        if in_loop:
            return ["%sif (%s) %s;" % (pad, self.expr(scope), r.choice(["break", "continue"]))]
        return ["%s;" % pad]

    def argument(self, param, scope):
        """A scalar parameter stays a type; a pointer or a struct becomes finished text."""
        if param[0] == "pointer":
            name, t, length = next(a for a in self.arrays if a[0] == param[2])
            return name
        if param[0] == "struct":
            return self.r.choice([o[0] for o in self.objects if o[1] is param[1]])
        return param

    def function(self):
        r = self.r
        name, result = self.name("fn"), r.choice(TYPES)
        params, scope, text = [], [], []
        for _ in range(r.randint(0, 5)):
            p = self.name("x")
            choice = r.random()
            if choice < .2:
                array = r.choice(self.arrays)
                params.append(("pointer", array[1], array[0]))
                text.append("%s *%s" % (array[1][0], p))
                scope.append(("%s[%d]" % (p, r.randrange(array[2])), array[1], True))
                scope.append(("*%s" % p, array[1], True))
            elif choice < .35:
                struct = r.choice(self.objects)[1]
                params.append(("struct", struct))
                text.append("struct %s %s" % (struct[0], p))
                scope += [("%s.%s" % (p, f), t, True) for f, t, b in struct[1]]
            else:
                t = r.choice(TYPES)
                params.append(t)
                text.append("%s %s" % (t[0], p))
                scope.append((p, t, True))
        lines = ["static %s %s(%s) {" % (result[0], name, ", ".join(text) or "void"), "    if (fuel-- <= 0) return 0;"]
        heap = None
        if r.random() < .5:
            t, length = r.choice(TYPES), r.choice([2, 4, 8])
            heap = self.name("h")
            lines.append("    %s *%s = %s;" % (t[0], heap, "calloc(%d, sizeof *%s)" % (length, heap)))
            lines.append("    if (!%s) abort();" % heap)
            scope += [("%s[%d]" % (heap, i), t, True) for i in range(length)]
        if r.random() < .4:
            t, length = r.choice(TYPES), r.choice([2, 4, 8])
            local = self.name("l")
            lines.append("    %s %s[%d] = {(%s)%s};" % (t[0], local, length, t[0], self.expr(scope, 2)))
            scope.append(("%s[(unsigned)%s & %d]" % (local, self.r.choice(self.globals)[0], length - 1), t, True))
            scope.append(("%s[%d]" % (local, r.randrange(length)), t, True))
        self.budget = 30 * self.size
        lines += self.block(scope, 0, 1, False, r.randint(3, 5 + 2 * self.size))
        lines.append("    %s result = (%s)%s;" % (result[0], result[0], self.expr(scope)))
        if heap:
            lines.append("    free(%s);" % heap)
        self.out += lines + ["    return result;", "}"]
        self.functions.append((name, result, params))

    def main(self):
        self.out.append("int main(void) {")
        self.out += self.block([], 0, 1, False, 3)
        for name, result, params in self.functions:
            args = ", ".join("(%s)%s" % (p[0], self.constant()) if isinstance(p, tuple) else p
                             for p in [self.argument(p, []) for p in params])
            self.out.append("    fuel = 20000;")
            self.out.append('    mix("%s", (uint64_t)%s(%s));' % (name, name, args))
        for name, t, plain in self.globals:
            self.out.append('    mix("%s", (uint64_t)%s);' % (name, name))
        for name, t, length in self.arrays:
            self.out.append('    for (int i = 0; i < %d; i++) mix("%s", (uint64_t)%s[i]);' % (length, name, name))
        for name, struct in self.objects:
            for field, t, bits in struct[1]:
                self.out.append('    mix("%s.%s", (uint64_t)%s.%s);' % (name, field, name, field))
        for name, t in self.pointers:
            self.out.append('    mix("*%s", (uint64_t)*%s);' % (name, name))
        self.out += ['    printf("checksum %016llx\\n", (unsigned long long)crc);', "    return crc & 127;", "}"]

    def text(self, seed):
        self.declare()
        for _ in range(self.r.randint(3, 4 + 2 * self.size)):
            self.function()
        self.main()
        return "// generate.py %s%s\n" % (seed, PRELUDE) + "\n".join(self.out) + "\n"


def main():
    args = [a for a in sys.argv[1:]]
    size = 1
    if "--size" in args:
        at = args.index("--size")
        size = int(args[at + 1])
        del args[at:at + 2]
    if len(args) != 1:
        raise SystemExit(__doc__)
    sys.stdout.write(Program(args[0], size).text(args[0]))


if __name__ == "__main__":
    main()
