//! One small program per family of instructions.

mod common;

use caulk_interp::{RunOptions, Status};
use common::{main_with, outcome, returns};

#[test]
fn integers_wrap_divide_and_shift_in_their_width() {
    returns("b0:\n  v0 = add i32 2147483647, i32 1\n  v1 = shr.u v0, i32 31\n  return v1\n", 1);
    returns("b0:\n  v0 = div.s i32 -7, i32 2\n  return v0\n", -3);
    returns("b0:\n  v0 = rem.s i32 -7, i32 2\n  return v0\n", -1);
    returns("b0:\n  v0 = shr.s i8 -128, i8 4\n  v1 = sext v0 to i32\n  return v1\n", -8);
    returns("b0:\n  v0 = div.u i8 -1, i8 16\n  v1 = zext v0 to i32\n  return v1\n", 15);
    returns(
        "b0:\n  v0 = mul i128 0x100000000000000000, i128 -1\n  v1 = shr.s v0, i128 64\n  v2 = trunc v1 to i32\n  return v2\n",
        -16,
    );
}

#[test]
fn bit_counts_know_the_width() {
    returns("b0:\n  v0 = clz i8 16\n  v1 = zext v0 to i32\n  return v1\n", 3);
    returns("b0:\n  v0 = ctz i32 40\n  return v0\n", 3);
    returns("b0:\n  v0 = ffs i32 0\n  return v0\n", 0);
    returns("b0:\n  v0 = clrsb i32 -1\n  return v0\n", 31);
    returns("b0:\n  v0 = bswap i16 258\n  v1 = zext v0 to i32\n  return v1\n", 513);
}

#[test]
fn comparisons_respect_sign() {
    returns(
        "b0:\n  v0 = lt.s i32 -1, i32 1\n  v1 = lt.u i32 -1, i32 1\n  v2 = zext v0 to i32\n  v3 = zext v1 to i32\n  v4 = mul v2, i32 10\n  v5 = add v4, v3\n  return v5\n",
        10,
    );
    returns("b0:\n  v0 = lt.s i8 -1, i8 1\n  v1 = zext v0 to i32\n  return v1\n", 1);
    returns(
        "b0:\n  v0 = funordered f64 0x7ff8000000000000, f64 1.0\n  v1 = zext v0 to i32\n  return v1\n",
        1,
    );
}

#[test]
fn floats_convert_and_compute() {
    returns("b0:\n  v0 = fmul f64 2.5, f64 4.0\n  v1 = ftos v0 to i32\n  return v1\n", 10);
    returns(
        "b0:\n  v0 = fconv f64 0.1 to f80\n  v1 = fadd v0, v0\n  v2 = fconv v1 to f64\n  v3 = feq v2, f64 0.2\n  v4 = zext v3 to i32\n  return v4\n",
        1,
    );
    returns(
        "b0:\n  v0 = stof i32 -3 to f32\n  v1 = bits v0 to i32\n  v2 = shr.u v1, i32 31\n  return v2\n",
        1,
    );
    returns("b0:\n  v0 = ftou f64 3e9 to i32\n  v1 = shr.u v0, i32 28\n  return v1\n", 11);
}

#[test]
fn overflow_is_exact_across_signs() {
    returns(
        "b0:\n  v0 = overflow.add.flag i32 sss i32 2147483647, i32 1\n  v1 = zext v0 to i32\n  return v1\n",
        1,
    );
    returns(
        "b0:\n  v0 = overflow.sub.flag i32 uuu i32 1, i32 2\n  v1 = zext v0 to i32\n  return v1\n",
        1,
    );
    returns(
        "b0:\n  v0 = overflow.mul.result i8 sss i32 100, i32 3\n  v1 = sext v0 to i32\n  return v1\n",
        44,
    );
}

#[test]
fn memory_keeps_bytes_bits_and_copies() {
    let slots = "  slot s0 t6 size 24 align 8\n  slot s1 t6 size 24 align 8\n";
    returns(
        &format!(
            "{slots}b0:\n  store i32 258 -> s0\n  v0 = field s0, +1\n  v1 = load i8 v0\n  v2 = zext v1 to i32\n  return v2\n"
        ),
        1,
    );
    returns(
        &format!(
            "{slots}b0:\n  fill s0, i8 0, i64 24\n  storebits.u i32 5 -> s0, 3 width 4\n  v0 = loadbits.s i32 s0, 3 width 3\n  return v0\n"
        ),
        -3,
    );
    returns(
        &format!(
            "{slots}b0:\n  store i32 9 -> s0\n  copy t6 s1 <- s0, i64 24\n  v0 = load i32 s1\n  return v0\n"
        ),
        9,
    );
    returns(
        &format!(
            "{slots}b0:\n  fill s0, i8 1, i64 24\n  v0 = index s0, i64 2 * 4\n  v1 = load i32 v0\n  v2 = and v1, i32 257\n  return v2\n"
        ),
        257,
    );
}

#[test]
fn edges_move_all_arguments_at_once() {
    returns(
        "b0:\n  jump b1(i32 1, i32 2, i32 0)\nb1(v0: i32, v1: i32, v2: i32):\n  v3 = add v2, i32 1\n  v4 = lt.s v3, i32 4\n  branch v4 ? b1(v1, v0, v3) : b2\nb2:\n  v5 = mul v0, i32 10\n  v6 = add v5, v1\n  return v6\n",
        21,
    );
}

#[test]
fn switches_take_ranges_dense_and_sparse() {
    let body = |value: i32| {
        format!(
            "b0:\n  v0 = add i32 {value}, i32 0\n  switch.s v0 [-5..-2: b1, 1: b2, 1000000: b3] default b4\nb1:\n  return i32 1\nb2:\n  return i32 2\nb3:\n  return i32 3\nb4:\n  return i32 4\n"
        )
    };
    for (value, code) in [(-5, 1), (-2, 1), (-1, 4), (1, 2), (1_000_000, 3), (2, 4)] {
        returns(&body(value), code);
    }
}

#[test]
fn computed_jumps_find_their_label() {
    returns(
        "  label l0:a b1\n  label l1:b b2\nb0:\n  goto l1 [b1, b2]\nb1:\n  return i32 1\nb2:\n  return i32 2\n",
        2,
    );
}

#[test]
fn calls_pass_values_and_variable_arguments() {
    let sum = "define f5:sum internal sig4 {\n  params v0: i32\n  scope sc0\n  slot s0 t6 size 24 align 8\nb0:\n  va_start s0\n  v1 = va_arg t1 s0 as i32\n  v2 = va_arg t4 s0 as f64\n  v3 = ftos v2 to i32\n  v4 = add v1, v3\n  v5 = add v4, v0\n  return v5\n}\n";
    let main = "define f6:main external sig0 {\n  scope sc0\nb0:\n  v0 = call c0 f5:sum(i32 1, t1 i32 20, t4 f64 300.0)\n  return v0\n}\n";
    let status = outcome(&format!("{sum}{main}"), RunOptions::default()).status;
    assert_eq!(status, Status::Exit(321));
}

#[test]
fn atomics_return_what_was_there() {
    let slot = "  slot s0 t1 size 4 align 4\n";
    returns(
        &format!(
            "{slot}b0:\n  store i32 5 -> s0\n  v0 = rmw.add s0, i32 3\n  v1 = load i32 s0\n  v2 = mul v0, i32 10\n  v3 = add v2, v1\n  return v3\n"
        ),
        58,
    );
    returns(
        &format!(
            "{slot}b0:\n  store i32 5 -> s0\n  v0 = cmpxchg s0, i32 4, i32 9\n  v1 = load i32 s0\n  return v1\n"
        ),
        5,
    );
}

#[test]
fn pointers_survive_integers_and_bytes() {
    let slots =
        "  slot s0 t1 size 4 align 4\n  slot s1 t2 size 8 align 8\n  slot s2 t2 size 8 align 8\n";
    returns(
        &format!(
            "{slots}b0:\n  store i32 6 -> s0\n  v0 = ptrtoint s0 to i64\n  v1 = or v0, i64 1\n  v2 = and v1, i64 -2\n  v3 = inttoptr v2 to ptr\n  v4 = load i32 v3\n  return v4\n"
        ),
        6,
    );
    let copy: String = (0..8)
        .map(|at| format!("  v{a} = field s1, +{at}\n  v{b} = load i8 v{a}\n  v{c} = field s2, +{at}\n  store v{b} -> v{c}\n", a = 3 * at, b = 3 * at + 1, c = 3 * at + 2))
        .collect();
    returns(
        &format!(
            "{slots}b0:\n  store i32 8 -> s0\n  store s0 -> s1\n{copy}  v24 = load ptr s2\n  v25 = load i32 v24\n  return v25\n"
        ),
        8,
    );
}

#[test]
fn budgets_end_a_run() {
    let mut options = RunOptions::default();
    options.budgets.steps = 1000;
    let status = main_with("b0:\n  jump b1\nb1:\n  jump b1\n", options).status;
    assert_eq!(status, Status::OutOfBudget(caulk_interp::Budget::Steps));
    let recursion = "define f5:main external sig0 {\n  scope sc0\nb0:\n  v0 = call c0 f5:main()\n  return v0\n}\n";
    let mut options = RunOptions::default();
    options.budgets.depth = 100;
    assert_eq!(
        outcome(recursion, options).status,
        Status::OutOfBudget(caulk_interp::Budget::Depth)
    );
}

#[test]
fn an_unknown_external_stops_or_does_nothing() {
    let body = "b0:\n  v0 = call c0 f3:mystery()\n  return v0\n";
    let stopped = main_with(body, RunOptions::default()).status;
    assert_eq!(stopped, Status::UnknownExternal("mystery".to_string()));
    let options = RunOptions { unknown: caulk_interp::Unknown::Havoc, ..RunOptions::default() };
    assert_eq!(main_with(body, options).status, Status::Exit(0));
}

#[test]
fn the_widest_bit_field_keeps_all_its_bits() {
    let body = |width, load: &str| {
        format!(
            "  slot s0 t6 size 24 align 8\nb0:\n  fill s0, i8 -1, i64 24\n  v0 = sext i64 -3 to i128\n  v1 = shl v0, i128 90\n  storebits.s v1 -> s0, 7 width {width}\n  v2 = {load} i128 s0, 7 width {width}\n  v3 = shr.s v2, i128 90\n  v4 = trunc v3 to i32\n  return v4\n"
        )
    };
    returns(&body(128, "loadbits.s"), -3);
    returns(&body(100, "loadbits.s"), -3);
    returns(&body(100, "loadbits.u"), 1021);
}
