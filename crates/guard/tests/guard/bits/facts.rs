//! The contradiction filter against brute force on three symbols of three bits.

use caulk_guard::bits::{Binary, Facts, TermId, Terms, Unary, Valuation};

use super::notation::{arena, parse};
use super::random::Random;
use super::tree::{COMPARE, Shape, Tree};

/// Assumes conditions in turn; the position of the one that is a contradiction.
fn contradiction(terms: &mut Terms, conditions: &[&str]) -> Option<usize> {
    let mut facts = Facts::new();
    conditions.iter().position(|text| {
        let condition = parse(terms, text);
        !facts.assume(terms, condition)
    })
}

fn facts(terms: &mut Terms, conditions: &[&str]) -> Facts {
    let mut facts = Facts::new();
    for text in conditions {
        let condition = parse(terms, text);
        assert!(facts.assume(terms, condition), "{text}");
    }
    facts
}

#[test]
fn contradictions_are_found() {
    let cases: &[&[&str]] = &[
        &["p", "(! p)"],
        &["(== x 3)", "(!= x 3)"],
        &["(== x y)", "(== x 3)", "(!= y 3)"],
        &["(== x 3)", "(!= y 3)", "(== x y)"],
        &["(== x y)", "(== y z)", "(!= x z)"],
        &["(!= x z)", "(== x y)", "(== y z)"],
        &["(<s x y)", "(<s y x)"],
        &["(<=s x y)", "(<=s y x)", "(!= x y)"],
        &["(!= x y)", "(<=u x y)", "(<=u y x)"],
        &["(<s x 3)", "(<s 5 x)"],
        &["(<u x 3)", "(<s x 0)"],
        &["(<s x y)", "(<s y 3)", "(<s 1 x)"],
        &["(== (+ x 4) y)", "(== x y)"],
        &["(== (+ x 4) y)", "(== x 3)", "(!= y 7)"],
        &["(== (+ x 4) y)", "(== y (+ z 8))", "(!= x (+ z 4))"],
        &["(!= (& x 4) 0)", "(== x 3)"],
        &["(== (trunc:8 x) 3:8)", "(== x 5)"],
        &["(| p q)", "(! p)", "(! q)"],
        &["(! p)", "(! q)", "(| p q)"],
        &["(& p (& q (! (& p q))))"],
        &["(| (== x 1) (== x 2))", "(!= x 1)", "(== y x)", "(== y 3)"],
        &["(!= p q)", "p", "q"],
        &["(== p q)", "p", "(! q)"],
        &["(<=u x 2)", "(!= x 0)", "(!= x 1)", "(!= x 2)"],
        &["(== (zext:32 a) x)", "(<s x 0)"],
        &["(? p (== x 1) (== x 2))", "p", "(== x 2)"],
        &["(== (* x 4) y)", "(<u x 10)", "(<u 100 y)"],
        &["(== (? p x 0) y)", "(! p)", "(!= y 0)"],
    ];
    for conditions in cases {
        let last = conditions.len() - 1;
        assert_eq!(contradiction(&mut arena(), conditions), Some(last), "{conditions:?}");
    }
}

#[test]
fn decisions() {
    let cases: &[(&[&str], &str, Option<bool>)] = &[
        (&["(!= x 0)"], "(== x 0)", Some(false)),
        (&["(<s x y)"], "(<=s x y)", Some(true)),
        (&["(<s x y)"], "(== x y)", Some(false)),
        (&["(<s x y)"], "(<u x y)", None),
        (&["(== x y)"], "(<=u y x)", Some(true)),
        (&["(<u x 10)"], "(<s x 20)", Some(true)),
        (&["p"], "(| p q)", Some(true)),
        (&["p"], "(& p q)", None),
        (&["(== x 3)"], "(<s (+ x 1) 5)", Some(true)),
        (&["(== (+ x 8) y)", "(!= x 0)"], "(== y 8)", Some(false)),
    ];
    for (assumed, asked, expected) in cases {
        let mut terms = arena();
        let facts = facts(&mut terms, assumed);
        let asked_id = parse(&mut terms, asked);
        assert_eq!(facts.decide(&terms, asked_id), *expected, "{assumed:?}: {asked}");
    }
}

#[test]
fn joins() {
    let mut terms = arena();
    let left = facts(&mut terms, &["(== x 3)", "(== y (+ x 4))", "(!= z 0)", "p"]);
    let right = facts(&mut terms, &["(== x 5)", "(== y (+ x 4))", "(== z 7)", "q"]);
    let both = left.join(&terms, &right);
    let decide = |terms: &mut Terms, text| {
        let condition = parse(terms, text);
        both.decide(terms, condition)
    };
    assert_eq!(decide(&mut terms, "(<s 5 x)"), Some(false));
    assert_eq!(decide(&mut terms, "(<s x 3)"), Some(false));
    assert_eq!(decide(&mut terms, "(== x 3)"), None);
    assert_eq!(decide(&mut terms, "(== (- y x) 4)"), Some(true));
    assert_eq!(decide(&mut terms, "(== z 0)"), Some(false));
    assert_eq!(decide(&mut terms, "p"), None);
}

#[test]
fn facts_outlive_a_forgotten_name() {
    let mut terms = arena();
    let mut facts = facts(&mut terms, &["(== x y)", "(== z y)", "(<u x 10)", "(<u 3 z)"]);
    let x = parse(&mut terms, "x");
    let keep: Vec<bool> = (0..terms.len())
        .map(|id| !terms.below(&[TermId(u32::try_from(id).unwrap())]).contains(&x))
        .collect();
    facts.forget(&|id| keep[id.0 as usize]);
    for (text, expected) in [
        ("(== y z)", Some(true)),
        ("(<u y 10)", Some(true)),
        ("(<u z 4)", Some(false)),
        ("(== x y)", None),
    ] {
        let condition = parse(&mut terms, text);
        assert_eq!(facts.decide(&terms, condition), expected, "{text}");
    }
}

const WIDTH: u8 = 3;
const SYMBOLS: u32 = 3;
const SHAPE: Shape<'static> = Shape { widths: &[WIDTH], symbols: SYMBOLS, functions: false };

/// An assignment of the symbols of three bits and of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct World(u64);

impl World {
    pub fn all() -> impl Iterator<Item = World> {
        (0..1 << (SYMBOLS * 4)).map(World)
    }

    fn with_symbol(self, index: u32, value: u64) -> World {
        let (shift, low) = (index * 3, 7);
        World(self.0 & !(low << shift) | value << shift)
    }
}

impl Valuation for World {
    fn symbol(&self, number: u32) -> u64 {
        let (width, index) = (number / SYMBOLS, number % SYMBOLS);
        match width {
            1 => self.0 >> (9 + index) & 1,
            _ => self.0 >> (3 * index) & 7,
        }
    }

    fn apply(&self, _: u32, _: &[u64]) -> u64 {
        0
    }
}

/// The worlds that satisfy a conjunction, and the facts about it.
struct Case {
    facts: Facts,
    worlds: Vec<World>,
}

pub fn holds(tree: &Tree, world: World) -> bool {
    tree.value(&|number| world.symbol(number), &|_, _| 0) == 1
}

/// A condition like those of programs: an order, a test of a flag, or anything.
pub fn condition(random: &mut Random) -> Tree {
    let simple = |random: &mut Random| {
        let (operator, depth) = (random.pick(&COMPARE), u32::from(random.below(4) == 0));
        let left = Box::new(SHAPE.tree(random, WIDTH, depth));
        Tree::Compare(operator, left, Box::new(SHAPE.tree(random, WIDTH, 0)))
    };
    match random.below(5) {
        0 => SHAPE.tree(random, 1, 3),
        1 => {
            let operator = if random.below(2) == 0 { Binary::Or } else { Binary::And };
            Tree::Binary(operator, Box::new(simple(random)), Box::new(simple(random)))
        }
        2 => Tree::Unary(Unary::Not, Box::new(simple(random))),
        _ => simple(random),
    }
}

impl Case {
    /// Facts of a random conjunction, as long as no contradiction is found.
    fn random(random: &mut Random, terms: &mut Terms, count: &mut [usize; 2]) -> Option<Self> {
        let mut case = Self { facts: Facts::new(), worlds: World::all().collect() };
        for _ in 0..1 + random.below(6) {
            let tree = condition(random);
            let id = tree.build(terms);
            case.worlds.retain(|&world| holds(&tree, world));
            let open = case.facts.assume(terms, id);
            count[0] += usize::from(case.worlds.is_empty());
            count[1] += usize::from(!open);
            assert!(open || case.worlds.is_empty(), "{tree:?} is no contradiction");
            if !open || case.worlds.is_empty() {
                return None;
            }
        }
        Some(case)
    }

    /// Whether the facts say nothing wrong of a condition and of a term.
    fn check(&self, random: &mut Random, terms: &mut Terms) {
        let tree = condition(random);
        let id = tree.build(terms);
        if let Some(truth) = self.facts.decide(terms, id) {
            let wrong = self.worlds.iter().find(|&&world| holds(&tree, world) != truth);
            assert!(wrong.is_none(), "{tree:?} is not always {truth}");
        }
        let tree = SHAPE.tree(random, WIDTH, 2);
        let id = tree.build(terms);
        let range = self.facts.range(terms, id);
        for &world in &self.worlds {
            let value = tree.value(&|number| world.symbol(number), &|_, _| 0);
            let value = u64::try_from(value).expect("a word");
            assert!(range.contains(value), "{tree:?} may be {value}, which is not in {range:?}");
        }
    }
}

#[test]
fn facts_follow() {
    let mut random = Random(0xFAC7);
    let mut count = [0, 0];
    for _ in 0..1_000 {
        let mut terms = Terms::new();
        if let Some(case) = Case::random(&mut random, &mut terms, &mut count) {
            (0..4).for_each(|_| case.check(&mut random, &mut terms));
        }
    }
    let [contradictions, found] = count;
    assert!(found * 10 > contradictions * 8, "{found} of {contradictions} contradictions found");
}

#[test]
fn joins_know_what_both_know() {
    let (mut random, mut count) = (Random(0x701_57EA), [0, 0]);
    for _ in 0..500 {
        let mut terms = Terms::new();
        let left = Case::random(&mut random, &mut terms, &mut count);
        let right = Case::random(&mut random, &mut terms, &mut count);
        if let (Some(mut left), Some(right)) = (left, right) {
            let facts = left.facts.join(&terms, &right.facts);
            left.worlds.extend(right.worlds);
            let both = Case { facts, worlds: left.worlds };
            (0..4).for_each(|_| both.check(&mut random, &mut terms));
        }
    }
}

#[test]
fn forgetting_a_symbol_leaves_what_holds_for_all_its_values() {
    let (mut random, mut count) = (Random(0xF0_6E7), [0, 0]);
    for _ in 0..500 {
        let mut terms = Terms::new();
        let Some(mut case) = Case::random(&mut random, &mut terms, &mut count) else {
            continue;
        };
        let index = u32::try_from(random.below(SYMBOLS.into())).expect("small");
        let symbol = terms.symbol(SHAPE.symbol(index, WIDTH), WIDTH);
        case.facts.forget(&|id| !terms.below(&[id]).contains(&symbol));
        let worlds = case.worlds.iter();
        let mut freed: Vec<World> =
            worlds.flat_map(|&world| (0..8).map(move |v| world.with_symbol(index, v))).collect();
        freed.sort_unstable();
        freed.dedup();
        case.worlds = freed;
        (0..3).for_each(|_| case.check(&mut random, &mut terms));
    }
}
