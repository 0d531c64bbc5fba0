//! The canonical form, rule by rule.

use super::notation::{arena, name, parse};

/// What is written, and the text of its canonical form.
fn check(rules: &[(&str, &str)]) {
    let mut terms = arena();
    for (written, expected) in rules {
        let id = parse(&mut terms, written);
        assert_eq!(terms.text(id, &name), *expected, "{written}");
    }
}

/// Terms that are one, written in several ways.
fn check_same(classes: &[&[&str]]) {
    let mut terms = arena();
    for class in classes {
        let ids: Vec<_> = class.iter().map(|text| parse(&mut terms, text)).collect();
        for (text, &id) in class.iter().zip(&ids) {
            assert_eq!(id, ids[0], "{text} is {}", terms.text(id, &name));
        }
    }
}

#[test]
fn constants_fold() {
    check(&[
        ("(+ 2 3)", "5"),
        ("(- 2 3)", "-1"),
        ("(* 200:8 2:8)", "-112"),
        ("(/u -1 2)", "2147483647"),
        ("(/s -7 2)", "-3"),
        ("(%s -7 2)", "-1"),
        ("(%u 7 4)", "3"),
        ("(/s -128:8 -1:8)", "-128"),
        ("(/u 1 0)", "1 / 0"),
        ("(%s 1 0)", "1 % 0"),
        ("(<< 1 40)", "0"),
        ("(>>u -1 28)", "15"),
        ("(>>s -16 2)", "-4"),
        ("(>>s -16 200)", "-1"),
        ("(^ 5 3)", "6"),
        ("(<u 1 -1)", "1"),
        ("(<s 1 -1)", "0"),
        ("(sext:32 -1:8)", "-1"),
        ("(zext:32 -1:8)", "255"),
        ("(trunc:8 511)", "-1"),
    ]);
}

#[test]
fn sums() {
    check(&[
        ("(- x 4)", "x - 4"),
        ("(+ (+ x 4) 5)", "x + 9"),
        ("(+ (- x y) y)", "x"),
        ("(- (+ x y) y)", "x"),
        ("(- x x)", "0"),
        ("(+ x x)", "x * 2"),
        ("(- (- x))", "x"),
        ("(~ (~ x))", "x"),
        ("(~ x)", "~x"),
        ("(- (- 1) x)", "~x"),
        ("(- y x)", "y - x"),
        ("(* x 0)", "0"),
        ("(* x 1)", "x"),
        ("(* (+ x 2) 4)", "x * 4 + 8"),
        ("(- x (* y 4))", "x - y * 4"),
        ("(<< x 3)", "x * 8"),
        ("(<< x 32)", "0"),
        ("(>>u x 3)", "x / 8"),
        ("(>>u x 0)", "x"),
        ("(<< 0 x)", "0"),
        ("(/u x 1)", "x"),
        ("(/s x -1)", "-x"),
        ("(%s x 1)", "0"),
        ("(%s x -1)", "0"),
    ]);
    check_same(&[
        &["(+ x y)", "(+ y x)", "(- x (- y))"],
        &["(- (- 0 x))", "x"],
        &["(* x y)", "(* y x)"],
        &["(+ (+ x 1) y)", "(+ x (+ y 1))", "(- (+ y x) -1)"],
        &["(* (* x 2) y)", "(* x (* y 2))", "(* (* x y) 2)"],
        &["(%u x 16)", "(& x 15)"],
    ]);
}

#[test]
fn bitwise() {
    check(&[
        ("(^ x x)", "0"),
        ("(& x x)", "x"),
        ("(| x x)", "x"),
        ("(& x 0)", "0"),
        ("(& x -1)", "x"),
        ("(| x 0)", "x"),
        ("(| x -1)", "-1"),
        ("(^ x 0)", "x"),
        ("(^ x -1)", "~x"),
        ("(& x (~ x))", "0"),
        ("(| x (~ x))", "-1"),
        ("(^ (^ x y) x)", "y"),
        ("(& (& x 12) 6)", "x & 4"),
        ("(& (& x 15) 6)", "x & 6"),
        ("(& x 15)", "x & 15"),
        ("(& (zext:32 a) 6)", "a & 6"),
        ("(& (zext:32 a) 256)", "0"),
    ]);
    check_same(&[
        &["(& x (& y z))", "(& z (& x (& y x)))"],
        &["(zext:32 (trunc:8 x))", "(& x 255)"],
        &["(^ (~ x) y)", "(~ (^ x y))", "(^ x (~ y))"],
    ]);
}

#[test]
fn equalities() {
    check(&[
        ("(== (+ x 4) y)", "x + 4 == y"),
        ("(== (+ x 3) 10)", "x == 7"),
        ("(== (- x y) 0)", "x == y"),
        ("(== x x)", "1"),
        ("(== x (+ x 1))", "0"),
        ("(== (* x 2) 3)", "0"),
        ("(== (* x 3) 9)", "x == 3"),
        ("(== (* x 4) 8)", "x * 4 == 8"),
        ("(== (~ x) 0)", "x == -1"),
        ("(== (^ x y) 0)", "x == y"),
        ("(== (^ x 5) 1)", "x == 4"),
        ("(== (& x 4) 4)", "(x & 4) != 0"),
        ("(== (& x 4) 3)", "0"),
        ("(== (| x 4) 3)", "0"),
        ("(== (| x y) 0)", "x == 0 && y == 0"),
        ("(== (zext:32 a) 65)", "a == 65"),
        ("(== (zext:32 a) 256)", "0"),
        ("(== (sext:32 a) -1)", "a == -1"),
        ("(== (sext:32 a) 200)", "0"),
        ("(== (zext:32 a) (zext:32 b))", "a == b"),
        ("(!= x y)", "x != y"),
    ]);
    check_same(&[
        &["(== x y)", "(== y x)", "(== (- x y) 0)", "(== 0 (- y x))", "(! (! (== x y)))"],
        &["(== (+ x 4) y)", "(== x (- y 4))", "(== (- y x) 4)", "(== (+ x 5) (+ y 1))"],
        &["(== (zext:32 (trunc:8 x)) 3)", "(== (trunc:8 x) 3:8)", "(== (& x 255) 3)"],
        &["(!= (& x 4) 0)", "(== (& x 4) 4)", "(== (& 4 (& x 12)) 4)"],
    ]);
}

#[test]
fn orders() {
    check(&[
        ("(<u x 1)", "x == 0"),
        ("(<u 0 x)", "x != 0"),
        ("(<=u 1 x)", "x != 0"),
        ("(<u x 0)", "0"),
        ("(<=u 0 x)", "1"),
        ("(<=u x -1)", "1"),
        ("(<u x -1)", "x != -1"),
        ("(<=u x x)", "1"),
        ("(<s x x)", "0"),
        ("(<s x 10)", "x <= 9"),
        ("(<s 10 x)", "x >= 11"),
        ("(<s x 0)", "x < 0"),
        ("(<s 0 x)", "x > 0"),
        ("(<=s 0 x)", "x >= 0"),
        ("(! (<s x y))", "y <= x"),
        ("(! (<=u x y))", "y < x"),
        ("(! (<s x 10))", "x >= 10"),
        ("(<s (zext:32 a) 0)", "0"),
        ("(<=s 0 (zext:32 a))", "1"),
        ("(<s (zext:32 a) 300)", "1"),
        ("(<s (zext:32 a) 200)", "a <= 199"),
        ("(<s (sext:32 a) 128)", "1"),
        ("(<s (sext:32 a) -128)", "0"),
        ("(<s (sext:32 a) 5)", "a <= 4"),
        ("(<s (zext:32 a) (zext:32 b))", "a < b"),
    ]);
    check_same(&[
        &["(<u x 10)", "(<=u x 9)", "(! (<=u 10 x))", "(! (<u 9 x))"],
        &["(<s x y)", "(! (<=s y x))"],
        &["(<s (zext:32 a) (zext:32 b))", "(<u a b)", "(<u (sext:32 a) (sext:32 b))"],
    ]);
}

#[test]
fn conditions() {
    check(&[
        ("(! (! p))", "p"),
        ("(! p)", "!p"),
        ("(& p (! p))", "0"),
        ("(| p (! p))", "1"),
        ("(& (<s x y) (<=s y x))", "0"),
        ("(| (<s x y) (<=s y x))", "1"),
        ("(! (& p q))", "!p || !q"),
        ("(! (| p (<s x y)))", "!p && y <= x"),
        ("(== p 1:1)", "p"),
        ("(== p 0:1)", "!p"),
        ("(== p q)", "p == q"),
        ("(!= p q)", "p != q"),
        ("(<u p q)", "q && !p"),
        ("(^ (<s x y) (<=s y x))", "1"),
        ("(== (zext:32 p) 0)", "!p"),
        ("(!= (zext:32 p) 0)", "p"),
        ("(== (zext:32 p) 1)", "p"),
        ("(== (zext:32 p) 2)", "0"),
        ("(== (zext:32 (zext:8 p)) 0)", "!p"),
        ("(!= (zext:32 (== (zext:32 p) 0)) 0)", "!p"),
        ("(== (sext:32 p) -1)", "p"),
        ("(trunc:1 (zext:32 p))", "p"),
    ]);
}

#[test]
fn choices() {
    check(&[
        ("(? p x x)", "x"),
        ("(? 1:1 x y)", "x"),
        ("(? 0:1 x y)", "y"),
        ("(? p x y)", "p ? x : y"),
        ("(? (! p) x y)", "p ? y : x"),
        ("(!= (? p 1 0) 0)", "p"),
        ("(== (? p 3 5) 3)", "p"),
        ("(== (? p 3 5) 5)", "!p"),
        ("(== (? p 3 5) 4)", "0"),
        ("(== (+ (? p 3 5) 1) 4)", "p"),
        ("(<s (? p 3 5) 4)", "p"),
        ("(== (? p x 0) 1)", "p && x == 1"),
        ("(!= (? p 0 x) 0)", "!p && x != 0"),
        ("(? p q 0:1)", "p && q"),
        ("(? p 1:1 q)", "p || q"),
        ("(? p q (! q))", "p == q"),
        ("(zext:32 (? p 3:8 5:8))", "p ? 3 : 5"),
    ]);
    check_same(&[
        &["(? p 1 0)", "(zext:32 p)", "(? (! p) 0 1)"],
        &["(? (<s x y) a b)", "(? (<=s y x) b a)"],
    ]);
}

#[test]
fn resizing() {
    check(&[
        ("(trunc:8 (zext:32 a))", "a"),
        ("(trunc:8 (sext:32 a))", "a"),
        ("(trunc:4 (zext:32 a))", "a & 15"),
        ("(trunc:8 x)", "(uint8_t)x"),
        ("(trunc:8 (& x 256))", "0"),
        ("(trunc:8 (| x 256))", "(uint8_t)x"),
    ]);
    check_same(&[
        &["(zext:64 (zext:32 a))", "(zext:64 a)", "(sext:64 (zext:32 a))"],
        &["(sext:64 (sext:32 a))", "(sext:64 a)"],
        &["(trunc:8 (trunc:16 x))", "(trunc:8 x)"],
        &["(trunc:16 (zext:32 a))", "(zext:16 a)"],
        &["(zext:8 a)", "a"],
    ]);
}

#[test]
fn functions() {
    check(&[("(f x (+ y 1))", "f0(x, y + 1)"), ("(== (f x) (f x))", "1")]);
    check_same(&[&["(f (+ x 1))", "(f (- x -1))"]]);
}

#[test]
fn text_binds_as_c_does() {
    check(&[
        ("(* (+ x y) z)", "z * (x + y)"),
        ("(& (| x y) z)", "z & (x | y)"),
        ("(/u (* x y) z)", "x * y / z"),
        ("(/u x (* y z))", "x / (y * z)"),
        ("(<u (+ x 1) y)", "x + 1 < y"),
        ("(<u x 3000000000)", "x <= 2999999999"),
        ("(& (| p q) r)", "r && (p || q)"),
    ]);
}

#[test]
fn depth_is_no_danger() {
    let mut terms = arena();
    let (mut both, mut chosen) = (parse(&mut terms, "p"), parse(&mut terms, "x"));
    for number in 0..50_000 {
        let (q, zero) = (terms.symbol(100 + number, 1), terms.constant(u64::from(number), 32));
        both = if number % 2 == 0 { terms.and(both, q) } else { terms.or(both, q) };
        chosen = terms.select(q, zero, chosen);
    }
    let negated = terms.not(both);
    assert_eq!(terms.not(negated), both);
    let zero = terms.constant(7, 32);
    let equal = terms.eq(chosen, zero);
    assert!(terms.text(equal, &|number| number.to_string()).len() > 100);
    assert!(terms.text(negated, &|number| number.to_string()).contains('…'));
}

#[test]
fn a_symbol_is_one_term_in_whatever_order_numbers_come() {
    let mut terms = caulk_guard::bits::Terms::new();
    let asked = [(0, 32), (1, 64), (1, 32), (5, 32), (2, 32), (3, 8), (5, 32), (5, 64), (9, 1)];
    let first = asked.map(|(number, width)| terms.symbol(number, width));
    let again = asked.map(|(number, width)| terms.symbol(number, width));
    assert_eq!(first, again);
    for (one, left) in asked.iter().zip(first) {
        for (other, right) in asked.iter().zip(first) {
            assert_eq!(one == other, left == right, "{one:?} and {other:?}");
        }
    }
}
