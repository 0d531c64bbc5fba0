//! Random functions: the guard equals brute force under every assignment of the branches.

use std::collections::HashSet;

use caulk_base::{Id, Name, SpanId, Table};
use caulk_flow::{Atoms, Decisions, GuardOptions, Guards, Point, Target};
use caulk_guard::{AtomId, Formulas, GuardId, Limits};
use caulk_ir::{
    Block, BlockId, Body, Edge, Function, FunctionBody, Inst, InstId, Linkage, Module, Scalar,
    Signature, SwitchCase, Terminator, TypeId, Unreachable, Value, ValueId, ValueKind,
};
use caulk_program::{LinkUnit, ProcId, Program, link};
pub use caulk_testkit::Random;

use crate::oracle::{Choices, Oracle};

pub const PROC: ProcId = ProcId(0);

/// A function of random blocks, irreducible and unreachable ones among them.
pub fn random_body(random: &mut Random) -> Body {
    let count = 2 + random.below(8);
    let mut body = Body::default();
    let kind = ValueKind::Param(0);
    body.params.push(body.values.push(Value { scalar: Scalar::I1, kind, var: None }));
    let straight = random.percent(50);
    for index in 0..count {
        let first = body.insts.next_id();
        for _ in 0..random.below(3) {
            body.insts.push(Inst::Fence);
            body.inst_spans.push(SpanId::NOWHERE);
            body.results.push(None);
        }
        let end = body.insts.next_id();
        let terminator = random_terminator(random, index, count, straight);
        let params = Vec::new();
        body.blocks.push(Block {
            params,
            first,
            end,
            terminator,
            terminator_span: SpanId::NOWHERE,
        });
    }
    body
}

fn random_terminator(random: &mut Random, at: usize, count: usize, straight: bool) -> Terminator {
    let edge = |random: &mut Random| {
        let ahead = (at + 1 + random.below(2)).min(count - 1);
        let anywhere = 1 + random.below(count - 1);
        let to = if straight && random.percent(70) { ahead } else { anywhere };
        Edge { to: BlockId::from_index(to), args: Vec::new() }
    };
    let value = ValueId(0);
    match random.below(100) {
        0..25 => Terminator::Jump(edge(random)),
        25..75 => Terminator::Branch { cond: value, then: edge(random), otherwise: edge(random) },
        75..87 => {
            let case = |number| SwitchCase { low: number, high: number, edge: edge(random) };
            let cases: Vec<SwitchCase> = (0..3).map(case).collect();
            let cases = cases.into_iter().skip(random.below(4)).collect();
            Terminator::Switch { value, signed: true, cases, default: edge(random) }
        }
        87..95 => Terminator::Return(None),
        95..98 => Terminator::Unreachable(Unreachable::Noreturn),
        _ => Terminator::Unreachable(Unreachable::Promised),
    }
}

pub fn program_of(body: Body) -> Program {
    let target = caulk_ir::Target { name: "x86_64".into(), pointer_bytes: 8, big_endian: false };
    let mut module = Module::new("random.c".into(), target);
    let name: Name = module.names.intern("f");
    let result: TypeId = module.types.types.push(caulk_ir::Type::Void);
    let signature = Signature { params: vec![], result, variadic: false, prototyped: true };
    let signature = module.types.signatures.push(signature);
    module.functions.push(Function {
        name,
        linkage: Linkage::External,
        signature,
        attributes: vec![],
        span: SpanId::NOWHERE,
        system: false,
        body: FunctionBody::Defined(Box::new(body)),
    });
    link(vec![LinkUnit { module, target: None }])
}

pub fn random_point(random: &mut Random, body: &Body) -> Point {
    let block = BlockId::from_index(random.below(body.blocks.len()));
    let row = &body.blocks[block];
    match random.below(4) {
        0 => Point::Start(block),
        1 => Point::Terminator(block),
        2 if block.0 == 0 => Point::Entry,
        _ if row.insts().len() > 0 => {
            Point::Inst(InstId(row.first.0 + random.below(row.insts().len()) as u32))
        }
        _ => Point::Start(block),
    }
}

fn random_target(random: &mut Random, body: &Body) -> Target {
    match random.below(10) {
        0 => Target::AnyOf((0..3).map(|_| random_point(random, body)).collect()),
        1 | 2 => {
            let edges = (0..3).map(|_| {
                let block = BlockId::from_index(random.below(body.blocks.len()));
                (block, random.below(3) as u32)
            });
            let exists = |&(block, slot): &(BlockId, u32)| {
                body.blocks[block].terminator.edges().count() > slot as usize
            };
            Target::Along(edges.filter(exists).collect())
        }
        _ => Target::Point(random_point(random, body)),
    }
}

/// The branches with their number of ways.
pub fn branches(body: &Body) -> Vec<(BlockId, usize)> {
    let ways = |(id, block): (BlockId, &Block)| (id, block.terminator.edges().count());
    body.blocks.iter().map(ways).filter(|branch| branch.1 > 1).collect()
}

/// Calls `check` with every assignment, or with some of them if they are many.
pub fn each_choice(random: &mut Random, body: &Body, mut check: impl FnMut(&Choices)) {
    let branches = branches(body);
    let all: usize = branches.iter().map(|branch| branch.1).product();
    for round in 0..all.min(150) {
        let mut number = if all > 150 { random.below(all) } else { round };
        let mut choices = Choices::new();
        for &(block, ways) in &branches {
            choices.insert(block, number % ways);
            number /= ways;
        }
        check(&choices);
    }
}

/// What a formula says under an assignment.
pub fn evaluate(
    formulas: &Formulas,
    atoms: &Atoms,
    guard: GuardId,
    choices: &Choices,
) -> Option<bool> {
    formulas.evaluate(guard, &|atom: AtomId| {
        let branch = atoms.branch(atom);
        let chosen = choices[&branch.block];
        Some(branch.way.map_or(chosen == 0, |way| chosen == way as usize))
    })
}

pub fn unlimited() -> GuardOptions {
    let limits = Limits { height: 1000, width: 10_000 };
    GuardOptions { work: 50_000_000, limits, ..GuardOptions::default() }
}

struct Case {
    from: Point,
    to: Target,
    decisions: Vec<(AtomId, bool)>,
    options: GuardOptions,
}

fn random_case(random: &mut Random, body: &Body, atoms: &Atoms) -> Case {
    let mut decisions = Vec::new();
    for atom in 0..atoms.len() {
        let atom = AtomId(atom as u32);
        if atoms.branch(atom).way.is_none() && random.percent(5) {
            decisions.push((atom, random.percent(50)));
        }
    }
    let options = GuardOptions {
        loop_bound: if random.percent(30) { 2 } else { 1 },
        postdominance: random.percent(70),
        ..unlimited()
    };
    let from = if random.percent(20) { Point::Entry } else { random_point(random, body) };
    Case { from, to: random_target(random, body), decisions, options }
}

/// Whether brute force had the time, and whether there was something to compare.
struct Tried {
    complete: bool,
    formula: bool,
}

/// Checks one case.
fn check(random: &mut Random, program: &Program, atoms: &Atoms, case: &Case) -> Tried {
    let body = program.body(PROC);
    let mut guards = Guards::new(program, atoms, case.options);
    let decisions = Decisions::new(case.decisions.clone());
    let guard = guards.cguard(PROC, case.from, &case.to, &decisions);
    assert_ne!(guard, GuardId::TOO_LARGE);
    let oracle = Oracle {
        impossible: impossible(atoms, &case.decisions),
        bound: case.options.loop_bound,
        postdominance: case.options.postdominance,
        ..Oracle::new(body, case.from, &case.to)
    };
    let mut complete = true;
    each_choice(random, body, |choices| {
        let actual = evaluate(&guards.formulas, atoms, guard, choices);
        match oracle.holds(choices) {
            Ok(expected) => assert_eq!(actual, Some(expected), "{choices:?}"),
            Err(_) => complete = false,
        }
    });
    let constant = guard == GuardId::TRUE || guard == GuardId::FALSE;
    Tried { complete, formula: !constant }
}

fn impossible(atoms: &Atoms, decisions: &[(AtomId, bool)]) -> HashSet<(BlockId, usize)> {
    let edge = |&(atom, value): &(AtomId, bool)| (atoms.branch(atom).block, usize::from(value));
    decisions.iter().map(edge).collect()
}

fn show(body: &Body) -> String {
    let block = |(id, block): (BlockId, &Block)| {
        format!("{id} {}..{} {:?}\n", block.first, block.end, block.terminator)
    };
    body.blocks.iter().map(block).collect()
}

/// Tells seed and function of a failure.
fn with_seed<T>(seed: u64, body: &Body, case: &Case, run: impl FnOnce() -> T) -> T {
    let run = std::panic::AssertUnwindSafe(run);
    std::panic::catch_unwind(run).unwrap_or_else(|_| {
        let Case { from, to, decisions, options } = case;
        panic!("seed {seed}: {from:?} to {to:?}, {decisions:?}, {options:?}\n{}", show(body))
    })
}

#[test]
fn random_graphs_as_brute_force() {
    let (mut complete, mut formulas) = (0, 0);
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let program = program_of(random_body(&mut random));
        let body = program.body(PROC);
        let atoms = Atoms::new(&program);
        for _ in 0..3 {
            let case = random_case(&mut random, body, &atoms);
            let run = || check(&mut random, &program, &atoms, &case);
            let tried = with_seed(seed, body, &case, run);
            complete += u32::from(tried.complete);
            formulas += u32::from(tried.complete && tried.formula);
        }
    }
    assert!(complete > 11_000 && formulas > 1500, "{complete} {formulas}");
}

/// Budgets never change an answer, they only take it away.
#[test]
fn a_small_budget_gives_the_same_or_nothing() {
    let (mut same, mut nothing) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let program = program_of(random_body(&mut random));
        let atoms = Atoms::new(&program);
        let mut case = random_case(&mut random, program.body(PROC), &atoms);
        case.options.work = random.below(40) as u32;
        case.options.limits = Limits { height: 2, width: 4 };
        let decisions = Decisions::new(case.decisions.clone());
        let mut guards = Guards::new(&program, &atoms, case.options);
        let guard = guards.cguard(PROC, case.from, &case.to, &decisions);
        if guard == GuardId::TOO_LARGE {
            nothing += 1;
            continue;
        }
        same += 1;
        let unlimited = GuardOptions {
            limits: Limits { height: 1000, width: 10_000 },
            work: u32::MAX,
            ..case.options
        };
        let mut more = Guards::new(&program, &atoms, unlimited);
        let full = more.cguard(PROC, case.from, &case.to, &decisions);
        each_choice(&mut random, program.body(PROC), |choices| {
            let actual = evaluate(&guards.formulas, &atoms, guard, choices);
            assert_eq!(actual, evaluate(&more.formulas, &atoms, full, choices), "seed {seed}");
        });
    }
    assert!(same > 1000 && nothing > 50, "{same} {nothing}");
}

#[test]
fn exits_are_the_ends_without_return() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let program = program_of(random_body(&mut random));
        let body = program.body(PROC);
        let atoms = Atoms::new(&program);
        let from = random_point(&mut random, body);
        let is_exit = |block: &BlockId| {
            let terminator = &body.blocks[*block].terminator;
            matches!(terminator, Terminator::Unreachable(Unreachable::Noreturn))
        };
        let ends = body.blocks.ids().filter(is_exit).map(Point::Terminator).collect();
        let mut guards = Guards::new(&program, &atoms, unlimited());
        let none = Decisions::default();
        let expected = guards.cguard(PROC, from, &Target::AnyOf(ends), &none);
        assert_eq!(guards.exits(PROC, from, &none), expected, "seed {seed}");
    }
}

/// Numbers go out and come back.
#[test]
fn atoms_know_their_branches() {
    for seed in 0..500 {
        let program = program_of(random_body(&mut Random::new(seed)));
        let atoms = Atoms::new(&program);
        let mut seen: Table<AtomId, u32> = Table::filled(0, atoms.len());
        for (block, ways) in branches(program.body(PROC)) {
            for slot in 0..ways {
                let (atom, taken) = atoms.edge(PROC, block, slot).unwrap();
                let branch = atoms.branch(atom);
                assert_eq!((branch.proc, branch.block), (PROC, block));
                assert_eq!(taken, branch.way.map_or(slot == 0, |way| way as usize == slot));
                seen[atom] += 1;
            }
        }
        assert!(seen.iter().all(|(atom, &times)| {
            times == if atoms.branch(atom).way.is_none() { 2 } else { 1 }
        }));
    }
}
