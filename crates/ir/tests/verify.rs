//! The verifier, rule by rule: a text that keeps the rule passes, one that breaks it is told.

mod common;

use caulk_ir::{BlockId, FunctionId, InstId, verify};
use common::parse_ok;

const HEAD: &str = "module \"m\" format 1
target \"t\" pointer 8 little
file0 \"m.c\"
t0 = void
t1 = i32.s
t2 = ptr t0
t3 = f64
t4 = rec0
t5 = i64.s
t6 = array 4 t1
t7 = sig0
rec0 struct pair size 8 align 4 {
  +0 a: t1
  +4 b: t1
}
sig0 () -> t0
sig1 (t1, t2) -> t1
sig2 (t4) -> t4
sig3 (t1, ...) -> t0
sig4 () -> t1 unprototyped
declare f0:nothing external sig0
declare f1:pair external sig2
declare f2:some external sig3
declare f3:old external sig4
";

/// A function `sig1` with a few variables around these lines.
fn function(lines: &str) -> String {
    format!(
        "{HEAD}define f4:test external sig1 {{
  params v0: i32, v1: ptr
  scope sc0
  var x0:n t1 in sc0 values
  var x1:m t1 in sc0 slot s0
  slot s0 t1 size 4 align 4 x1:m
{lines}
}}
"
    )
}

/// The same, with the lines in its only block.
fn block(lines: &str) -> String {
    function(&format!("b0:\n{lines}\n  return i32 0"))
}

fn passes(text: &str) {
    let found = verify::module(&parse_ok("good", text));
    assert!(found.is_empty(), "{}\n{text}", found[0]);
}

fn tells(text: &str, wanted: &str) {
    let found = verify::module(&parse_ok("bad", text));
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.contains(wanted)), "{told:?}\nwanted {wanted}\n{text}");
}

#[test]
fn instructions() {
    // Kept, broken, and what is told.
    let rules = [
        ("v2 = load i32 v1", "v2 = load i32 v0", "the address v0 is i32, not ptr"),
        ("store v0 -> v1", "store v1 -> v0", "the address v0 is i32, not ptr"),
        (
            "v2 = loadbits.s i32 v1, 7 width 32",
            "v2 = loadbits.s i32 v1, 8 width 3",
            "bits do not fit",
        ),
        ("v2 = loadbits.u i8 v1, 0 width 8", "v2 = loadbits.u i8 v1, 0 width 9", "bits do not fit"),
        ("storebits.s v0 -> v1, 0 width 1", "storebits.s v0 -> v1, 0 width 0", "bits do not fit"),
        ("storebits.s v0 -> v1, 0 width 1", "storebits.s v1 -> v1, 0 width 1", "do not fit ptr"),
        ("v2 = neg v0", "v2 = neg v1", "neg of ptr"),
        ("v2 = fneg f64 1.0", "v2 = fneg v0", "fneg of i32"),
        ("v2 = signbit f64 1.0", "v2: i32 = signbit f64 1.0", "the result is i32, not i1"),
        ("v2 = add v0, i32 1", "v2 = add v0, i64 1", "operands of i32 and i64"),
        ("v2 = shl v0, i32 1", "v2 = shl v0, i8 1", "operands of i32 and i8"),
        ("v2 = add v0, v0", "v2 = add v1, v1", "add of ptr"),
        ("v2 = add v0, v0", "v2: i64 = add v0, v0", "the result is i64, not i32"),
        ("v2 = fadd f64 1.0, f64 1.0", "v2 = fadd v0, v0", "fadd of i32"),
        ("v2 = ptrdiff v1, v1", "v2 = ptrdiff i64 1, i64 2", "ptrdiff of i64"),
        ("v2 = eq v1, null", "v2 = eq v1, i64 0", "operands of ptr and i64"),
        ("v2 = lt.u v1, null", "v2 = lt.s v1, null", "lt.s of ptr"),
        ("v2 = eq v0, v0", "v2 = eq f64 0.0, f64 0.0", "eq of f64"),
        ("v2 = flt f32 0.0, f32 0.0", "v2 = flt v0, v0", "flt of i32"),
        ("v2 = trunc v0 to i1", "v2 = trunc v0 to i32", "trunc of i32 to i32"),
        ("v2 = sext v0 to i64", "v2 = sext v0 to i16", "sext of i32 to i16"),
        ("v2 = zext i1 1 to i8", "v2 = zext v1 to i64", "zext of ptr to i64"),
        ("v2 = fconv f32 1.0 to f64", "v2 = fconv f32 1.0 to f32", "fconv of f32 to f32"),
        ("v2 = ftos f32 1.0 to i8", "v2 = ftos v0 to i8", "ftos of i32 to i8"),
        ("v2 = utof v0 to f64", "v2 = utof v0 to i64", "utof of i32 to i64"),
        ("v2 = ptrtoint v1 to i64", "v2 = ptrtoint v0 to i64", "ptrtoint of i32 to i64"),
        ("v2 = inttoptr i64 1 to ptr", "v2 = inttoptr i64 1 to i64", "inttoptr of i64 to i64"),
        ("v2 = bits v0 to f32", "v2 = bits v0 to f64", "bits of i32 to f64"),
        (
            "v2 = overflow.add.flag i8 ssu v0, i64 1",
            "v2 = overflow.add.flag f32 ssu v0, v0",
            "integers",
        ),
        ("v2 = field v1, +8", "v2 = field v0, +8", "the address v0 is i32"),
        ("v2 = index v1, i64 1 * 8", "v2 = index v1, v0 * 8", "the index v0 is i32, not i64"),
        ("copy t4 v1 <- s0, i64 8", "copy t4 v1 <- s0, i32 8", "is i32, not i64"),
        ("fill v1, i8 0, i64 8", "fill v1, i32 0, i64 8", "is i32, not i8"),
        ("havoc.memory v1, i64 8", "havoc.memory v0, i64 8", "the address v0 is i32"),
        ("v2 = alloca i64 8 align 16", "v2 = alloca i64 8 align 12", "alignment 12"),
        ("v2 = va_arg t1 s0 as i32", "v2 = va_arg t1 s0 as i64", "t1 is not fetched like this"),
        ("va_arg t4 s0 into v1", "v2 = va_arg t4 s0 as ptr", "t4 is not fetched like this"),
        ("va_start v1", "va_start v0", "the address v0 is i32"),
        ("va_copy v1 <- v1", "va_copy v1 <- v0", "the address v0 is i32"),
        ("v2 = rmw.exchange v1, null", "v2 = rmw.add v1, null", "add needs an integer"),
        ("v2 = cmpxchg v1, v0, i32 1", "v2 = cmpxchg v1, v0, i64 1", "operands of i32 and i64"),
        ("asm asm0 \"\" [memory \"m\" v1]", "asm asm0 \"\" [memory \"m\" v0]", "the address v0"),
        ("asm asm0 \"\" [out \"=r\" t1 v1]", "asm asm0 \"\" [out \"=r\" t1 v0]", "the address v0"),
        ("set x0:n = v0", "set x0:n = i64 1", "the variable cannot hold"),
        ("set x0:n = v0", "set x1:m = v0", "the variable cannot hold v0"),
        ("fence", "v2: i32 = fence", "a result that it does not give"),
        ("v2 = load i32 v1", "load i32 v1", "no result, but it gives i32"),
        ("v2 = havoc i64", "v2: i8 = havoc i64", "the result is i8, not i64"),
    ];
    for (good, bad, wanted) in rules {
        passes(&block(&format!("  {good}")));
        tells(&block(&format!("  {bad}")), wanted);
    }
}

#[test]
fn every_address_and_size_is_checked() {
    // Each operand that must be an address or a size, in turn given the `i32` v0.
    let insts = [
        "v2 = load i32 v1",
        "v2 = load.volatile i32 v1",
        "store i8 1 -> v1",
        "v2 = loadbits.s i32 v1, 0 width 3",
        "storebits.s i8 1 -> v1, 0 width 3",
        "v2 = field v1, +0",
        "v2 = index v1, i64 1 * 8",
        "copy t4 v1 <- s0, i64 8",
        "copy t4 s0 <- v1, i64 8",
        "fill v1, i8 1, i64 8",
        "havoc.memory v1, i64 8",
        "v2 = alloca i64 8 align 8",
        "va_start v1",
        "va_end v1",
        "va_copy v1 <- s0",
        "va_copy s0 <- v1",
        "v2 = va_arg t1 v1 as i32",
        "va_arg t4 v1 into s0",
        "va_arg t4 s0 into v1",
        "v2 = rmw.or v1, i8 1",
        "v2 = cmpxchg v1, i8 1, i8 1",
    ];
    for inst in insts {
        passes(&block(&format!("  {inst}")));
        for (from, what) in [("v1", "the address"), ("i64 8", "the size"), ("i64 1", "the index")] {
            if inst.contains(from) {
                tells(
                    &block(&format!("  {}", inst.replace(from, "v0"))),
                    &format!("{what} v0 is i32"),
                );
            }
        }
    }
}

#[test]
fn constants() {
    let rules = [
        ("store i8 -128 -> v1", "store i8 128 -> v1", "cannot be i8"),
        ("store i1 1 -> v1", "store i1 -1 -> v1", "cannot be i1"),
        ("store ptr 4096 -> v1", "store i64 s0 -> v1", "cannot be i64"),
        ("store f16 0x3c00 -> v1", "store f16 0x10000 -> v1", "cannot be f16"),
        ("store f32 0x7f800000 -> v1", "store f32 0x100000000 -> v1", "cannot be f32"),
        ("store f80 0x1 -> v1", "store f80 0x100000000000000000000 -> v1", "cannot be f80"),
        ("store i128 0x8000000000000000 -> v1", "store i128 0x5 -> v1", "cannot be i128"),
        ("store f128 0x0 -> v1", "store f128 0 -> v1", "cannot be f128"),
    ];
    for (good, bad, wanted) in rules {
        passes(&block(&format!("  {good}")));
        tells(&block(&format!("  {bad}")), wanted);
    }
}

#[test]
fn calls() {
    let rules = [
        ("call c0 f0:nothing()", "call c0 f0:nothing(t1 v0)", "1 arguments for 0 parameters"),
        ("call c0 f2:some(v0)", "call c0 f2:some()", "0 arguments for 1 parameters"),
        ("call c0 f2:some(v0, t2 v1)", "call c0 f2:some(v0, t1 v1)", "v1 is ptr, not i32"),
        ("call c0 f2:some(v0)", "call c0 f2:some(t2 v1)", "v1 is ptr, not i32"),
        ("call c0 f1:pair(v1) into v1", "call c0 f1:pair(v1)", "goes with an aggregate result"),
        ("call c0 f0:nothing()", "call c0 f0:nothing() into v1", "goes with an aggregate result"),
        ("call c0 f1:pair(v1) into v1", "call c0 f1:pair(v0) into v1", "v0 is i32, not ptr"),
        ("call c0 f1:pair(v1) into v1", "call c0 f1:pair(v1) into v0", "v0 is i32, not ptr"),
        ("v2 = call c0 f3:old(t3 f64 1.0)", "v2 = call c0 f3:old(t0 v0)", "which is no value"),
        ("call c0 *v1() sig0", "call c0 *v0() sig0", "the address v0 is i32"),
        ("v2 = call c0 f3:old()", "call c0 f3:old()", "no result, but it gives i32"),
        (
            "call c0 f0:nothing()",
            "v2: i32 = call c0 f0:nothing()",
            "a result that it does not give",
        ),
    ];
    for (good, bad, wanted) in rules {
        passes(&block(&format!("  {good}")));
        tells(&block(&format!("  {bad}")), wanted);
    }
}

#[test]
fn terminators() {
    let rest = "\nb1:\n  return v0\nb2(v2: i32):\n  return v2";
    let rules = [
        ("branch i1 1 ? b1 : b2(v0)", "branch v0 ? b1 : b2(v0)", "the condition v0 is i32, not i1"),
        (
            "branch i1 1 ? b1 : b2(v0)",
            "branch i1 1 ? b1(v0) : b2(v0)",
            "b1 gets 1 arguments, not 0",
        ),
        ("branch i1 1 ? b1 : b2(v0)", "branch i1 1 ? b1 : b2", "b2 gets 0 arguments, not 1"),
        ("branch i1 1 ? b1 : b2(v0)", "branch i1 1 ? b1 : b2(v1)", "v1 is ptr, not i32"),
        (
            "switch.s v0 [1: b1] default b2(v0)",
            "switch.s v1 [1: b1] default b2(v0)",
            "switch over ptr",
        ),
        (
            "switch.s v0 [1: b1, 3..4: b1] default b2(v0)",
            "switch.s v0 [3..4: b1, 1..3: b1] default b2(v0)",
            "two cases hold 3",
        ),
        ("switch.s v0 [3: b1] default b2(v0)", "switch.s v0 [4..3: b1] default b2(v0)", "is empty"),
        (
            "switch.u v0 [4294967295: b1] default b2(v0)",
            "switch.s v0 [4294967295: b1] default b2(v0)",
            "beyond i32",
        ),
        (
            "switch.s v0 [-1: b1] default b2(v0)",
            "switch.u v0 [-1: b1] default b2(v0)",
            "beyond i32",
        ),
        ("goto v1 [b1, b2(v0)]", "goto v0 [b1, b2(v0)]", "the address v0 is i32"),
        ("branch i1 0 ? b1 : b2(v0)", "jump b1", "b2 is unreachable"),
        ("branch i1 0 ? b1 : b2(v0)", "branch i1 0 ? b0 : b2(v0)", "an edge to the entry"),
    ];
    for (good, bad, wanted) in rules {
        passes(&function(&format!("b0:\n  {}{rest}", good)));
        tells(&function(&format!("b0:\n  {bad}{rest}")), wanted);
    }
    passes(&function("b0:\n  return v0"));
    tells(&function("b0:\n  return v1"), "the returned v1 is ptr, not i32");
    tells(&function("b0:\n  return"), "no value, but it returns i32");
    tells(&function("b0(v2: i32):\n  return v0"), "the entry takes parameters");
}

#[test]
fn definitions_dominate_uses() {
    // b1 and b2 join in b3; b4 is a loop on itself.
    let graph = |one: &str, two: &str, join: &str| {
        function(&format!(
            "b0:\n  v2 = havoc i1\n  branch v2 ? b1 : b2\nb1:\n{one}  jump b3\nb2:\n{two}  jump b3\n\
             b3:\n{join}  jump b4(v0)\nb4(v3: i32):\n  branch v2 ? b4(v3) : b5\nb5:\n  return v3"
        ))
    };
    passes(&graph("  v4 = neg v0\n  v5 = neg v4\n", "", ""));
    passes(&graph("", "", "  v4 = neg v0\n  v5 = neg v4\n"));
    tells(&graph("  v4 = neg v0\n", "", "  v5 = neg v4\n"), "f4 b3 i2: v4 is not defined");
    tells(&graph("  v4 = neg v0\n", "  v5 = neg v4\n", ""), "f4 b2 i2: v4 is not defined");
    tells(&graph("", "", "  v4: i32 = neg v5\n  v5 = neg v0\n"), "v5 is not defined on every way");
    tells(&graph("", "", "  v4: i32 = neg v4\n  v5 = neg v0\n"), "v4 is not defined on every way");
    tells(&graph("", "", "  v4 = neg v3\n  v5 = neg v0\n"), "v3 is not defined on every way");
    let late = "b0:\n  v2 = havoc i1\n  branch v2 ? b1 : b2(v3)\nb1:\n  v3 = havoc i32\n  jump b2(v3)\n\
                b2(v4: i32):\n  return v4";
    tells(&function(late), "f4 b0: v3 is not defined on every way");
    passes(&function(&late.replace("b2(v3)\nb1", "b2(v0)\nb1")));
}

#[test]
fn variables_scopes_and_slots() {
    let text = block("  fence");
    passes(&text);
    let rules = [
        ("var x0:n t1 in sc0 values", "var x0:n t4 in sc0 values", "x0 cannot live in Values"),
        ("var x0:n t1 in sc0 values", "var x0:n t1 in sc0 slot s0", "x0 cannot live in Slot(s0)"),
        ("var x0:n t1 in sc0 values", "var x0:n t1 in sc0 memory", "x0 cannot live in Param"),
        (
            "var x0:n t1 in sc0 values",
            "var x0:n t1 in sc0 param 2 values",
            "a parameter that does not",
        ),
        ("slot s0 t1 size 4 align 4", "slot s0 t1 size 4 align 0", "s0 has alignment 0"),
        ("  scope sc0", "  scope sc0\n  scope sc1", "sc1 does not lie in an earlier scope"),
        ("  scope sc0", "  scope sc0\n  scope sc1 in sc1", "sc1 does not lie in an earlier scope"),
        ("  scope sc0", "  scope sc0 in sc0", "sc0 does not lie in an earlier scope"),
        (
            "params v0: i32, v1: ptr",
            "params v0: i32 x0:n, v1: ptr x0:n",
            "v1 is ptr, unlike its variable",
        ),
        ("params v0: i32, v1: ptr", "params v0: i64, v1: ptr", "the parameter v0 is i64, not i32"),
        ("params v0: i32, v1: ptr", "params v0: i32", "the body has 1 parameters, not 2"),
        (
            "params v0: i32, v1: ptr",
            "params v0: i32, v1: ptr\n  result into v2: ptr",
            "hidden result pointer",
        ),
    ];
    for (from, to, wanted) in rules {
        tells(&text.replacen(from, to, 1), wanted);
    }
    let pair = "b0:\n  return\n}\n";
    let define = |into: &str| {
        format!(
            "{HEAD}define f4:test external sig2 {{\n  params v0: ptr\n{into}  scope sc0\n{pair}"
        )
    };
    passes(&define("  result into v1: ptr\n"));
    tells(&define(""), "a hidden result pointer goes with an aggregate result");
    tells(&define("  result into v1: i64\n"), "the hidden result pointer v1 is i64, not ptr");
    let returned = define("  result into v1: ptr\n").replace("  return\n", "  return v0\n");
    tells(&returned, "v0 is returned, but t4 is no scalar");
}

/// Module lines behind the head.
fn lines(lines: &str) -> String {
    format!("{HEAD}{lines}\n")
}

#[test]
fn types() {
    let rec = |fields: &str| format!("rec1 struct r size 8 align 4 {{\n{fields}}}");
    let rules = [
        (
            "t8 = opaque o size 4 align 4".into(),
            "t8 = opaque o size 4 align 3".into(),
            "alignment 3",
        ),
        ("t8 = f32".into(), "t8 = f32.u".into(), "t8 is an unsigned float"),
        ("t8 = i1.u".into(), "t8 = ptr.s".into(), "t8 is a pointer without"),
        ("t8 = array 9 t1".into(), "t8 = array 9 t8".into(), "t8 contains itself"),
        ("t8 = ptr t8".into(), "t8 = vector 9 t8".into(), "t8 contains itself"),
        (rec("  +4 a: t1\n"), rec("  +6 a: t1\n"), "rec1 at +6 ends beyond its size"),
        (rec("  +4 a: t1 bits 7 width 25\n"), rec("  +4 a: t1 bits 7 width 26\n"), "ends beyond"),
        (
            rec("  +0 a: t1 bits 7 width 25\n"),
            rec("  +0 a: t1 bits 8 width 2\n"),
            "does not fit its type",
        ),
        (
            rec("  +0 a: t1 bits 7 width 25\n"),
            rec("  +0 a: t3 bits 0 width 2\n"),
            "does not fit its type",
        ),
        (rec("  +0 a: t4\n"), rec("  +4 a: t4\n"), "ends beyond its size"),
        (rec(""), rec("").replace("align 4", "align 6"), "rec1 has alignment 6"),
        (
            rec("").replace(" size 8 align 4", " incomplete size 0 align 0"),
            rec("").replace("4", "0"),
            "alignment 0",
        ),
        (rec("  +0 p: t2\n"), format!("{}\nt8 = rec1", rec("  +0 p: t8\n")), "contains itself"),
        ("enum0 enum e i8.u {\n}".into(), "enum0 enum e f32 {\n}".into(), "enum0 is a f32, not an"),
        (
            "sig5 (t4) -> t4".into(),
            "sig5 (t0) -> t4".into(),
            "sig5 has a parameter that is no value",
        ),
        ("sig5 (t4) -> t4".into(), "sig5 (t4) -> t7".into(), "sig5 cannot return t7"),
        ("sig5 (t4) -> t4".into(), "sig5 (t4) -> t6".into(), "sig5 cannot return t6"),
    ];
    for (good, bad, wanted) in rules {
        let (good, bad): (String, String) = (good, bad);
        passes(&lines(&good));
        tells(&lines(&bad), wanted);
    }
    tells(&HEAD.replace("pointer 8", "pointer 7"), "pointers of 7 bytes are not supported");
}

#[test]
fn objects() {
    let object = |init: &str| {
        format!(
            "o0 unlinked defined variable t5 size 16 align 8 {{\n{init}}}\n{}",
            label_function()
        )
    };
    let rules = [
        (
            "  bytes \"0123456789abcdef\"\n",
            "  bytes \"0123456789abcdef0\"\n",
            "more initial bytes than its size",
        ),
        ("  +8 size 8 = f0\n", "  +9 size 8 = f0\n", "the relocation of o0 at +9 ends beyond"),
        (
            "  +0 size 8 = f0\n  +8 size 8 = o0\n",
            "  +8 size 8 = f0\n  +0 size 8 = o0\n",
            "out of order",
        ),
        (
            "  +0 size 4 = f0\n  +4 size 8 = o0\n",
            "  +0 size 5 = f0\n  +4 size 8 = o0\n",
            "overlaps",
        ),
        ("  +0 size 1 = f0\n", "  +0 size 0 = f0\n", "has no size"),
        (
            "  hex \"000001\"\n  +0 size 2 = f0\n",
            "  hex \"000100\"\n  +0 size 2 = f0\n",
            "covers set bytes",
        ),
        (
            "  +0 size 8 = label f4 l0\n",
            "  +0 size 8 = label f4 l1\n",
            "l1 of f4, which does not exist",
        ),
        ("  +0 size 8 = label f4 l0 from l0\n", "  +0 size 8 = label f4 l0 from l9\n", "l9 of f4"),
        ("  +0 size 8 = f1\n", "  +0 size 8 = label f1 l0\n", "l0 of f1, which does not exist"),
    ];
    for (good, bad, wanted) in rules {
        passes(&lines(&object(good)));
        tells(&lines(&object(bad)), wanted);
    }
    passes(&lines("o0:x external declared variable t5 size 0 align 0"));
    tells(&lines("o0:x external declared variable t5 size 8 align 0"), "o0 has alignment 0");
    tells(
        &lines("o0:x external tentative variable t5 size 8 align 8 {\n}"),
        "o0 has initial bytes but",
    );
}

fn label_function() -> &'static str {
    "define f4:jumps external sig0 {\n  scope sc0\n  label l0:here b0\nb0:\n  return\n}"
}

#[test]
fn spans() {
    let at = |span: &str| lines(&format!("declare f4:x external sig0 {span}"));
    passes(&at("@file0:3:4-9~file0:1:1"));
    tells(&at("@file0:3:4-3"), "at1 ends before it starts");
    tells(&at("@file0:0:4"), "at1 does not count from 1");
    tells(&at("@file0:1:4~file0:1:0"), "at1 does not count from 1");
}

#[test]
fn a_violation_shows_the_place_and_the_text() {
    let found = verify::module(&parse_ok("bad", &block("  store v1 -> v0")));
    assert_eq!(found.len(), 1);
    let wanted = "f4 b0 i0: the address v0 is i32, not ptr, in `store v1 -> v0`";
    assert_eq!(found[0].to_string(), wanted);
    let places = (found[0].function, found[0].block, found[0].inst);
    assert_eq!(places, (Some(FunctionId(4)), Some(BlockId(0)), Some(InstId(0))));
}
