//! The bit-blaster against brute force, naive evaluation and the contradiction filter.

use caulk_guard::bits::{Answer, Budget, Compare, Facts, TermId, Terms, solve};

use super::facts::{World, condition, holds};
use super::notation::{arena, parse};
use super::random::{Hashed, Random};
use super::tree::{BINARY, COMPARE, Shape, Tree, UNARY};

fn query(terms: &Terms, conditions: &[TermId]) -> Answer {
    solve(terms, conditions, &Budget::default())
}

fn check(conditions: &[&str], core: Option<&[usize]>) {
    let mut terms = arena();
    let ids: Vec<TermId> = conditions.iter().map(|text| parse(&mut terms, text)).collect();
    match (query(&terms, &ids), core) {
        (Answer::Sat(model), None) => {
            let wrong = ids.iter().position(|&id| terms.evaluate(id, &model) != 1);
            assert_eq!(wrong, None, "{conditions:?}");
        }
        (Answer::Unsat(found), Some(core)) => assert_eq!(found, core, "{conditions:?}"),
        (answer, _) => panic!("{conditions:?}: {answer:?}"),
    }
}

#[test]
fn queries() {
    check(&[], None);
    check(&["p", "(== p q)"], None);
    check(&["r", "p", "(== p q)", "(! q)"], Some(&[1, 2, 3]));
    check(&["(== x 3)", "(!= y 0)", "(== (* x 2) 7)"], Some(&[2]));
    check(&["(<s x y)", "(<s y z)", "(<s z x)"], Some(&[0, 1, 2]));
    check(&["(<u x 10)", "(== (* x x) 49)"], None);
    check(&["(<u x 10)", "(== (* x x) 68)"], Some(&[0, 1]));
    check(&["(== (f x) 1)", "(== (f y) 2)"], None);
    check(&["(== (f x) 1)", "(== (f y) 2)", "(== x y)"], Some(&[0, 1, 2]));
    check(&["(!= (f (f (f x))) x)", "(== (f x) x)"], Some(&[0, 1]));
    check(&["p", "p", "(! p)"], Some(&[0, 2]));
    check(&["(== (/u x y) 3)", "(== (%u x y) 5)", "(<u y 10)"], None);
    check(&["(== (/u x y) 3)", "(== (%u x y) 5)", "(<u y 6)", "(!= y 0)"], Some(&[0, 1, 2]));
}

#[test]
fn budgets_end_queries() {
    let mut terms = arena();
    let product = parse(&mut terms, "(& (== (* x (+ y z)) 1000003) (& (<u 1 x) (<u 1 (+ y z))))");
    let few_gates = Budget { gates: 100, ..Budget::default() };
    assert_eq!(solve(&terms, &[product], &few_gates), Answer::Unknown("too many gates"));
    let few_conflicts = Budget { conflicts: 1, ..Budget::default() };
    assert_eq!(solve(&terms, &[product], &few_conflicts), Answer::Unknown("too many conflicts"));
}

/// Every operation on given operands has the value that naive evaluation gives, and no other.
#[test]
fn operations() {
    let mut random = Random(0x0B17);
    for round in 0..400 {
        let width = random.pick(&[1, 2, 5, 8, 16, 32, 64]);
        let operand = |random: &mut Random| {
            let shift = random.below(64);
            let near = [0, 1, 2, 3, 31, u64::MAX, 1 << (width - 1), random.next() >> shift];
            random.pick(&near) & (u64::MAX >> (64 - width))
        };
        let (a, b) = (operand(&mut random), operand(&mut random));
        let symbol = |number| Box::new(Tree::Symbol(number, width));
        let tree = match round % 5 {
            0 => Tree::Compare(random.pick(&COMPARE), symbol(0), symbol(1)),
            1 => Tree::Unary(random.pick(&UNARY), symbol(0)),
            _ => Tree::Binary(random.pick(&BINARY), symbol(0), symbol(1)),
        };
        let value = tree.value(&|number| if number == 0 { a } else { b }, &|_, _| 0);
        let given = |number, value| {
            Tree::Compare(Compare::Eq, symbol(number), Box::new(Tree::Constant(value, width)))
        };
        let result = Tree::Constant(u64::try_from(value).expect("a word"), tree.width());
        let right = Tree::Compare(Compare::Eq, Box::new(tree), Box::new(result));
        let mut terms = Terms::new();
        let mut conditions = [given(0, a), given(1, b), right.clone()].map(|t| t.build(&mut terms));
        assert!(matches!(query(&terms, &conditions), Answer::Sat(_)), "{right:?} of {a} and {b}");
        conditions[2] = terms.not(conditions[2]);
        assert!(query(&terms, &conditions).is_unsat(), "{right:?} of {a} and {b}");
    }
}

#[test]
fn brute_force_agrees() {
    let mut random = Random(0x50_17E5);
    let mut refuted = 0;
    for _ in 0..600 {
        let mut terms = Terms::new();
        let count = 1 + random.below(6);
        let trees: Vec<Tree> = (0..count).map(|_| condition(&mut random)).collect();
        let ids: Vec<TermId> = trees.iter().map(|tree| tree.build(&mut terms)).collect();
        let mut facts = Facts::new();
        let open = ids.iter().all(|&id| facts.assume(&mut terms, id));
        let satisfied = |world| trees.iter().all(|tree| holds(tree, world));
        match query(&terms, &ids) {
            Answer::Sat(model) => {
                assert!(open, "the filter refutes {trees:?}");
                assert!(ids.iter().all(|&id| terms.evaluate(id, &model) == 1), "{trees:?}");
            }
            Answer::Unsat(core) => {
                refuted += 1;
                assert!(!World::all().any(satisfied), "{trees:?}");
                let core: Vec<TermId> = core.iter().map(|&index| ids[index]).collect();
                assert!(query(&terms, &core).is_unsat(), "{trees:?}");
            }
            Answer::Unknown(why) => panic!("{why}: {trees:?}"),
        }
    }
    assert!(refuted > 50, "{refuted} refuted");
}

/// With functions and wider words there are too many worlds to try all.
#[test]
fn random_worlds_agree() {
    let shape = Shape { widths: &[4, 8], symbols: 3, functions: true };
    let mut random = Random(0x000A_C4E2);
    for _ in 0..300 {
        let mut terms = Terms::new();
        let trees: Vec<Tree> = (0..3).map(|_| shape.tree(&mut random, 1, 4)).collect();
        let ids: Vec<TermId> = trees.iter().map(|tree| tree.build(&mut terms)).collect();
        match query(&terms, &ids) {
            Answer::Sat(model) => {
                assert!(ids.iter().all(|&id| terms.evaluate(id, &model) == 1), "{trees:?}");
            }
            Answer::Unsat(_) => {
                for _ in 0..50 {
                    let world = Hashed(random.next());
                    assert!(ids.iter().any(|&id| terms.evaluate(id, &world) == 0), "{trees:?}");
                }
            }
            Answer::Unknown(_) => {}
        }
    }
}

#[test]
fn answers_are_the_same_in_every_run() {
    let conditions = ["(<u (* x y) z)", "(<s 5 (+ x z))", "(!= (f x) (f z))"];
    let run = || {
        let mut terms = arena();
        let ids = conditions.map(|text| parse(&mut terms, text));
        query(&terms, &ids)
    };
    assert_eq!(run(), run());
}

/// What the filter says of wide words follows for the solver too.
#[test]
fn the_filter_is_right_on_wide_words() {
    let shape = Shape { widths: &[8, 32, 64], symbols: 2, functions: true };
    let mut random = Random(0xF117E5);
    let mut decided = 0;
    for _ in 0..ROUNDS {
        let mut terms = Terms::new();
        let mut facts = Facts::new();
        let mut assumed = Vec::new();
        let mut open = true;
        while open && assumed.len() < 5 {
            let condition = simple(&shape, &mut random).build(&mut terms);
            assumed.push(condition);
            open = facts.assume(&mut terms, condition);
        }
        if open {
            let asked = simple(&shape, &mut random).build(&mut terms);
            let Some(truth) = facts.decide(&terms, asked) else { continue };
            assumed.push(if truth { terms.not(asked) } else { asked });
        }
        decided += 1;
        let answer = query(&terms, &assumed);
        let texts: Vec<String> =
            assumed.iter().map(|&id| terms.text(id, &|number| format!("s{number}"))).collect();
        assert!(!matches!(answer, Answer::Sat(_)), "{texts:?}: {answer:?}");
    }
    assert!(decided > ROUNDS / 8, "{decided} decided");
}

const ROUNDS: usize = 400;

fn simple(shape: &Shape<'_>, random: &mut Random) -> Tree {
    let (width, operator) = (random.pick(shape.widths), random.pick(&COMPARE));
    let depth = u32::try_from(random.below(3)).expect("small");
    let left = Box::new(shape.tree(random, width, depth));
    let compare = Tree::Compare(operator, left, Box::new(shape.tree(random, width, 0)));
    if random.below(3) == 0 { Tree::Unary(UNARY[0], Box::new(compare)) } else { compare }
}
