//! Chains against reaching definitions: on random graphs with random touches, every read, every
//! return and every point of the function sees exactly the writes that reach it.

mod facts;

use std::collections::BTreeSet;

use caulk_base::{Id, SpanId};
use caulk_ir::{
    Block, BlockId, Body, Constant, Edge, Inst, InstId, Scalar, Terminator, Value, ValueKind,
};
use caulk_memory::{Chain, Touch, Use, Version, VersionId, Write};
use caulk_ssa::FunctionFacts;
use caulk_testkit::Random;

const SEEDS: u64 = 4000;

/// A write, or none for what was there at the entry.
type Definition = Option<InstId>;

#[test]
fn every_point_sees_the_writes_that_reach_it() {
    let mut joins = 0;
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed);
        let body = random_body(&mut random);
        let touches = random_touches(&mut random, &body);
        let facts = FunctionFacts::new(&body);
        let chain = Chain::new(&facts, &touches);
        check(seed, &facts, &touches, &chain);
        check_uses(seed, &chain);
        joins += chain.versions().rows().iter().filter(is_join).count();
    }
    assert!(joins > SEEDS as usize / 2, "only {joins} joins: the graphs are too simple");
}

fn is_join(version: &&Version) -> bool {
    matches!(version, Version::Joined { .. })
}

fn random_body(random: &mut Random) -> Body {
    let mut body = Body::default();
    let kind = ValueKind::Const(Constant::Int(0));
    let target = body.values.push(Value { scalar: Scalar::I64, kind, var: None });
    let count = 1 + random.below(12);
    for _ in 0..count {
        let first = body.insts.next_id();
        for _ in 0..random.below(4) {
            body.insts.push(Inst::Fence);
            body.inst_spans.push(SpanId(0));
            body.results.push(None);
        }
        let end = body.insts.next_id();
        // Nothing leads to the entry; several edges to one block are allowed.
        let edges = (0..random.below(4)).filter(|_| count > 1).map(|_| Edge {
            to: BlockId::from_index(1 + random.below(count - 1)),
            args: Vec::new(),
        });
        let edges: Vec<Edge> = edges.collect();
        let terminator = match edges.is_empty() {
            true => Terminator::Return(None),
            false => Terminator::Indirect { target, edges },
        };
        let terminator_span = SpanId(0);
        body.blocks.push(Block { params: Vec::new(), first, end, terminator, terminator_span });
    }
    body
}

fn random_touches(random: &mut Random, body: &Body) -> Vec<Touch> {
    let density = 1 + random.below(3);
    let touched: Vec<InstId> = body.insts.ids().filter(|_| random.below(density) == 0).collect();
    let writes = [Write::None, Write::None, Write::Weak, Write::Strong];
    let touch = |inst| Touch {
        inst,
        reads: random.below(2) == 0,
        write: writes[random.below(writes.len())],
    };
    touched.into_iter().map(touch).collect()
}

/// What is before the `at`th instruction of a block, by walking back along every path.
fn naive(
    facts: &FunctionFacts,
    touches: &[Touch],
    block: BlockId,
    at: usize,
) -> BTreeSet<Definition> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![(block, at)];
    while let Some((block, at)) = work.pop() {
        if !seen.insert((block, at)) {
            continue;
        }
        if at == 0 {
            if block == BlockId::ENTRY {
                found.insert(None);
            }
            let graph = facts.cfg().graph();
            let sources = graph.in_edges(block).iter().map(|&edge| graph.source(edge));
            let reachable = sources.filter(|&source| facts.cfg().is_reachable(source));
            work.extend(reachable.map(|it| (it, facts.body().blocks[it].insts().len())));
            continue;
        }
        let inst = facts.body().blocks[block].insts().nth(at - 1).expect("inside the block");
        let touch = touches.iter().find(|touch| touch.inst == inst);
        let write = touch.map_or(Write::None, |touch| touch.write);
        if write != Write::None {
            found.insert(Some(inst));
        }
        if write != Write::Strong {
            work.push((block, at - 1));
        }
    }
    found
}

/// What a version may hold, by following what it keeps and joins.
fn definitions(chain: &Chain, version: VersionId) -> BTreeSet<Definition> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![version];
    while let Some(version) = work.pop() {
        if !seen.insert(version) {
            continue;
        }
        match &chain.versions()[version] {
            Version::Entry => {
                found.insert(None);
            }
            Version::Written { inst, previous } => {
                found.insert(Some(*inst));
                work.extend(previous);
            }
            Version::Joined { operands, .. } => work.extend(operands.iter().map(|&(_, it)| it)),
        }
    }
    found
}

fn check(seed: u64, facts: &FunctionFacts, touches: &[Touch], chain: &Chain) {
    for (block, row) in facts.body().blocks.iter() {
        if !facts.cfg().is_reachable(block) {
            assert!(row.insts().all(|inst| chain.read_at(inst).is_none()), "seed {seed}: {block}");
            continue;
        }
        let expect = |at: usize, version: VersionId, what: &str| {
            let (is, should) = (definitions(chain, version), naive(facts, touches, block, at));
            assert_eq!(is, should, "seed {seed}: {what} at {block}, instruction {at}");
        };
        expect(0, chain.at_start(facts, block), "the start");
        for (at, inst) in row.insts().enumerate() {
            expect(at, chain.before(facts, inst), "before");
            let reads = touches.iter().any(|touch| touch.inst == inst && touch.reads);
            assert_eq!(chain.read_at(inst).is_some(), reads, "seed {seed}: {inst}");
            if let Some(version) = chain.read_at(inst) {
                expect(at, version, "the read");
            }
        }
        expect(row.insts().len(), chain.at_end(facts, block), "the end");
        let returned = chain.returns().iter().find(|&&(other, _)| other == block);
        let returns = matches!(row.terminator, Terminator::Return(_));
        assert_eq!(returned.is_some(), returns, "seed {seed}: {block}");
        if let Some(&(_, version)) = returned {
            expect(row.insts().len(), version, "the return");
        }
    }
}

/// The uses are the versions' operands, the other way round.
fn check_uses(seed: u64, chain: &Chain) {
    for version in chain.versions().ids() {
        for used in chain.uses(version) {
            let back = match *used {
                Use::Read(inst) => chain.read_at(inst) == Some(version),
                Use::Return(block) => chain.returns().contains(&(block, version)),
                Use::Kept(by) | Use::Joined(by) => operands(chain, by).contains(&version),
            };
            assert!(back, "seed {seed}: {used:?} of {version}");
        }
        for operand in operands(chain, version) {
            let is_use =
                |used: &Use| matches!(*used, Use::Kept(by) | Use::Joined(by) if by == version);
            assert!(chain.uses(operand).iter().any(is_use), "seed {seed}: {version} of {operand}");
        }
    }
}

fn operands(chain: &Chain, version: VersionId) -> Vec<VersionId> {
    match &chain.versions()[version] {
        Version::Entry => Vec::new(),
        Version::Written { previous, .. } => previous.iter().copied().collect(),
        Version::Joined { operands, .. } => operands.iter().map(|&(_, it)| it).collect(),
    }
}
