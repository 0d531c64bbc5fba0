//! The text form: what is printed reads back, and what is wrong is told.

mod common;

use caulk_base::FxHashSet;
use caulk_ir::{
    BinaryOp, CompareOp, Constant, ConvertOp, FunctionId, Inst, OverflowOp, RmwOp, Scalar, Type,
    UnaryOp, ValueId, parse, print, verify,
};
use common::{assert_same, check_round_trip, parse_ok, seeds};

#[test]
fn seeds_print_as_they_are_written() {
    for (name, text) in seeds() {
        let module = parse_ok(&name, &text);
        assert_same(&name, &text, &print::module(&module));
        check_round_trip(&name, &module);
    }
}

#[test]
fn seeds_are_correct() {
    for (name, text) in seeds() {
        let found = verify::module(&parse_ok(&name, &text));
        assert!(found.is_empty(), "{name}: {}", found[0]);
    }
}

/// The first words of all instruction lines, without results.
fn mnemonics(text: &str) -> FxHashSet<&str> {
    let lines = text.lines().filter(|line| line.starts_with("  "));
    lines
        .filter_map(|line| {
            let line = line.trim_start();
            let after = match line.split_once(" = ") {
                Some((before, after)) if before.starts_with('v') && !before.starts_with("va") => {
                    after
                }
                _ => line,
            };
            after.split_whitespace().next()
        })
        .collect()
}

#[test]
fn seeds_cover_every_instruction_and_terminator() {
    let texts: String = seeds().into_iter().map(|(_, text)| text).collect();
    let seen = mnemonics(&texts);
    let mut wanted: Vec<String> = Vec::new();
    wanted.extend(UnaryOp::ALL.iter().map(|op| op.1.to_owned()));
    wanted.extend(BinaryOp::ALL.iter().map(|op| op.1.to_owned()));
    wanted.extend(CompareOp::ALL.iter().map(|op| op.1.to_owned()));
    wanted.extend(ConvertOp::ALL.iter().map(|op| op.1.to_owned()));
    wanted.extend(RmwOp::ALL.iter().map(|op| format!("rmw.{}", op.1)));
    let plain = "load load.volatile store store.volatile loadbits.s loadbits.u storebits.s \
                 storebits.u field index copy fill havoc.memory havoc alloca call va_start va_end \
                 va_copy va_arg cmpxchg fence asm begin end set jump branch switch.s switch.u goto \
                 return unreachable";
    wanted.extend(plain.split_whitespace().map(str::to_owned));
    for word in &wanted {
        assert!(seen.contains(word.as_str()), "no seed has `{word}`");
    }
    for op in OverflowOp::ALL {
        assert!(seen.iter().any(|word| word.starts_with(&format!("overflow.{}", op.1))));
    }
}

#[test]
fn seeds_cover_every_constant_scalar_and_type() {
    let (mut constants, mut scalars, mut types) =
        (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
    for (name, text) in seeds() {
        let module = parse_ok(&name, &text);
        types.extend(module.types.types.rows().iter().map(std::mem::discriminant::<Type>));
        for (_, _, body) in module.bodies() {
            for (id, value) in body.values.iter() {
                scalars.insert(value.scalar);
                constants
                    .extend(body.constant(id).map(|it| std::mem::discriminant::<Constant>(&it)));
            }
        }
    }
    assert_eq!(constants.len(), 8);
    assert_eq!(scalars.len(), Scalar::ALL.len());
    assert_eq!(types.len(), 9);
}

#[test]
fn seeds_cover_every_attribute() {
    let mut kinds = FxHashSet::default();
    for (name, text) in seeds() {
        let module = parse_ok(&name, &text);
        let functions = module.functions.rows().iter().flat_map(|row| &row.attributes);
        let objects = module.objects.rows().iter().flat_map(|row| &row.attributes);
        kinds.extend(functions.chain(objects).map(std::mem::discriminant));
    }
    assert_eq!(kinds.len(), 29);
}

const SMALL: &str = "module \"m\" format 1
target \"t\" pointer 8 little
file0 \"m.c\"
t0 = void
t1 = i32.s
rec0 struct pair size 8 align 4 {
  +0 a: t1
}
sig0 () -> t0
sig1 (t1) -> t0
declare f0:take external sig1
define f1:main external sig0 @file0:1:1 {
  scope sc0
  var x0:n t1 in sc0 values
  slot s0 t1 size 4 align 4
b0:
BODY
}
";

fn small(body: &str) -> String {
    SMALL.replace("BODY\n", &format!("{body}\n"))
}

fn body_of(text: &str) -> caulk_ir::Body {
    let module = parse_ok("small", text);
    module.bodies().next().map(|(_, _, body)| body.clone()).expect("a body")
}

#[test]
fn equal_constants_share_a_row_and_fill_the_gaps() {
    let text = small("  v1 = add i32 7, i32 8\n  v3 = add v1, i32 7\n  return");
    let body = body_of(&text);
    assert_eq!(body.values.len(), 4);
    assert_eq!(body.constant(ValueId(0)), Some(Constant::Int(7)));
    assert_eq!(body.constant(ValueId(2)), Some(Constant::Int(8)));
    let Inst::Binary { lhs, rhs, .. } = body.insts.rows()[1] else { panic!("an addition") };
    assert_eq!((lhs, rhs), (ValueId(1), ValueId(0)));
}

#[test]
fn constants_nothing_uses_keep_their_ids() {
    let text = small("  return").replace("b0:\n", "  const v1 = i64 3\n  const v0 = i64 3\nb0:\n");
    let module = parse_ok("listed", &text);
    check_round_trip("listed", &module);
    assert!(print::module(&module).contains("const v1 = i64 3"));
}

#[test]
fn floats_keep_their_bits() {
    let bits = [
        0,
        1,
        0x8000_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0x3fb9_9999_9999_999a,
        0x7fef_ffff_ffff_ffff,
    ];
    for bits in bits {
        let text = small(&format!("  v0 = fneg f64 {bits:#x}\n  return"));
        let printed = print::module(&parse_ok("bits", &text));
        let again = body_of(&printed);
        assert_eq!(again.constant(ValueId(1)), Some(Constant::Float(bits)), "{printed}");
    }
}

#[test]
fn a_function_and_a_scalar_may_share_a_spelling() {
    let mut text = small("  store f64:g -> s0\n  store f64 2.0 -> s0\n  return");
    for index in 2..65 {
        text += &format!("declare f{index}:g external sig0\n");
    }
    let module = parse_ok("f64", &text);
    let (_, _, body) = module.bodies().next().expect("a body");
    let constants: Vec<_> = body.values.ids().filter_map(|id| body.constant(id)).collect();
    assert!(constants.contains(&Constant::Function(FunctionId(64))));
    check_round_trip("f64", &module);
}

/// The error for a text: `line:column: message`.
fn error(text: &str) -> String {
    match parse::module(text) {
        Ok(_) => panic!("this text must be refused:\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_tell_where_and_what_was_expected() {
    let cases = [
        ("  retur", "17:3: expected an instruction, found `retur`"),
        ("  v0 = add i32 1", "17:17: expected `,`, found the end of the line"),
        ("  v0 = add i32 1, v9\n  return", "17:19: expected an id that exists, found v9 of 2"),
        ("  v7 = fence\n  return", "17:3: expected ids without gaps, found v7 among 1"),
        ("  v0 = fence\n  return", "17:3: expected `v0: SCALAR`, as earlier lines do not imply it"),
        ("  v0 = neg v1\n  v1 = neg v0\n  return", "17:3: expected `v0: SCALAR`"),
        ("  v0 = havoc i8\n  v0 = havoc i8\n  return", "18:3: expected v0 to be defined once"),
        ("  jump b1", "17:8: expected an id that exists, found b1 of 1"),
        ("  return\nb2:", "18:1: expected `b1`, the next in order, found `b2`"),
        ("  call c1 f0:take(i32 1)\n  return", "17:8: expected ids without gaps, found c1 among 1"),
        ("  call c0 f0:give(i32 1)\n  return", "17:11: expected the name of f0: take"),
        ("  call c0 f9:take(i32 1)\n  return", "17:11: expected an id that exists, found f9 of 2"),
        ("  call c0 f0:take(i32 1, null)\n  return", "17:26: expected the argument's type"),
        ("  set x0:m = i32 1\n  return", "17:7: expected the name of x0: n"),
        ("  set x1 = i32 1\n  return", "17:7: expected an id that exists, found x1 of 1"),
        ("  begin sc7\n  return", "17:9: expected an id that exists, found sc7 of 1"),
        ("  store i32 1 -> s1\n  return", "17:18: expected an id that exists, found s1 of 1"),
        ("  copy t7 s0 <- s0, i64 1\n  return", "17:8: expected an id that exists, found t7 of 2"),
        ("  v0 = field s0, +0 rec0.1\n  return", "17:21: expected a field that exists"),
        ("  v0 = field s0, +0 rec0.0:pair.b\n  return", "17:21: expected the names of the record"),
        (
            "  v0 = add i32 99999999999999999999, i32 1\n  return",
            "17:16: expected a number that fits i32",
        ),
        (
            "  store \"a\nb\" -> s0",
            "17:9: expected a value or a constant, found something unreadable",
        ),
        ("  fence @9:9:9\n  return", "17:13: expected the end of the line, found `:`"),
        ("  fence @file3:9:9\n  return", "17:10: expected an id that exists, found file3 of 1"),
        ("  return @1:1 @1:1", "17:15: expected the end of the line, found `@`"),
    ];
    for (body, wanted) in cases {
        let told = error(&small(body));
        assert!(told.starts_with(wanted), "{body}\n told: {told}\nwanted: {wanted}");
    }
}

#[test]
fn errors_outside_of_bodies() {
    let cases = [
        ("t1 = i32.s", "t2 = i32.s", "5:1: expected `t1`, the next in order, found `t2`"),
        ("t1 = i32.s", "t1 = i32", "5:6: expected a type such as"),
        ("t1 = i32.s", "t1 = i33.s", "5:6: expected a type such as"),
        ("t1 = i32.s", "t1 = ptr t5", "5:10: expected an id that exists, found t5 of 2"),
        ("format 1", "format 2", "1:19: expected format 1"),
        ("pointer 8", "pointer -8", "2:20: expected the bytes of a pointer, found `-`"),
        ("sig1 (t1) -> t0", "sig1 (t1,) -> t0", "10:10: expected an id such as `t0`"),
        ("external sig1", "external sig1 [alloc_size]", "11:32: expected a known attribute"),
        ("declare f0:take", "declare f0", "11:12: expected `:`, found `external`"),
        ("file0 \"m.c\"", "file0 \"\\q\"", "3:7: expected escapes that are known"),
    ];
    let text = small("  return");
    for (from, to, wanted) in cases {
        let told = error(&text.replacen(from, to, 1));
        assert!(told.starts_with(wanted), "{to}\n told: {told}\nwanted: {wanted}");
    }
}

#[test]
fn long_and_nested_texts_neither_overflow_nor_crawl() {
    error(&small(&"(".repeat(1_000_000)));
    error(&format!("module \"{}", "\\\"".repeat(500_000)));
    let mut lines = String::from("  v0 = havoc i32\n");
    (1..100_000).for_each(|id| lines += &format!("  v{id} = add v{}, i32 {id}\n", id - 1));
    let module = parse_ok("long", &small(&(lines + "  return")));
    assert!(verify::module(&module).is_empty());
}

#[test]
fn one_function_prints_as_it_stands_in_the_module() {
    let (name, text) = seeds().remove(0);
    let module = parse_ok(&name, &text);
    for id in module.functions.ids() {
        assert!(text.contains(&print::function(&module, id)), "{id}");
    }
}

#[test]
fn dot_shows_blocks_and_labelled_edges() {
    let body = "  asm asm0 \"a\\\"\\\\b\" []
  switch.s i32 3 [1: b1, 2..4: b2] default b2
b1:
  branch i1 1 ? b2 : b3
b2:
  jump b3
b3:
  return";
    let module = parse_ok("dot", &small(body));
    let dot = print::cfg_dot(&module, FunctionId(1));
    let wanted = r#"digraph "f1:main" {
  node [shape=box, fontname="monospace"];
  b0 [label="b0:\l  asm asm0 \"a\\\"\\\\b\" []\l  switch.s i32 3 [1: b1, 2..4: b2] default b2\l"];
  b0 -> b1 [label="1"];
  b0 -> b2 [label="2..4"];
  b0 -> b2 [label="default"];
  b1 [label="b1:\l  branch i1 1 ? b2 : b3\l"];
  b1 -> b2 [label="true"];
  b1 -> b3 [label="false"];
  b2 [label="b2:\l  jump b3\l"];
  b2 -> b3 [label=""];
  b3 [label="b3:\l  return\l"];
}
"#;
    assert_same("dot", &dot, wanted);
}
