use caulk_base::Id;
use caulk_ir::{BinaryOp, BlockId, Body, Inst, Terminator, ValueId, ValueKind, VarId};
use caulk_ssa::{FunctionFacts, Graph};

use crate::bodies::{branch, constant, define, jump, push_block, push_inst, terminator, to, value};
use crate::support::{Node, Random, for_random_graphs, list};

const PARAMS: usize = 2;

/// Values are defined once, and read anywhere.
fn random_body(graph: &Graph<Node>, random: &mut Random) -> Body {
    let mut body = Body::default();
    constant(&mut body);
    body.params = (0..PARAMS).map(|n| value(&mut body, ValueKind::Param(n as u32))).collect();
    let per_block = |_| (random.below(3), random.below(4));
    let shape: Vec<(usize, usize)> = graph.nodes().map(per_block).collect();
    let results: usize = shape.iter().map(|&(params, insts)| params + insts).sum();
    let count = 1 + PARAMS + results;
    let mut any = || ValueId::from_index(random.below(count));
    for node in graph.nodes() {
        let (params, insts) = shape[node.index()];
        let block = BlockId::from_index(node.index());
        let kind = |at| ValueKind::BlockParam(block, at as u32);
        let params = (0..params).map(|at| value(&mut body, kind(at))).collect();
        for _ in 0..insts {
            define(&mut body, Inst::Binary { op: BinaryOp::Add, lhs: any(), rhs: any() });
        }
        push_inst(&mut body, Inst::Set { var: VarId(0), value: any() });
        let condition = any();
        let terminator = terminator(graph, node, condition, || vec![any()]);
        push_block(&mut body, params, terminator);
    }
    body
}

enum Step {
    Read(ValueId),
    Write(ValueId),
}

fn steps(body: &Body, block: BlockId) -> Vec<Step> {
    let mut steps = Vec::new();
    if block == BlockId::ENTRY {
        steps.extend(body.params.iter().map(|&param| Step::Write(param)));
    }
    steps.extend(body.blocks[block].params.iter().map(|&param| Step::Write(param)));
    for inst in body.blocks[block].insts() {
        if let Inst::Binary { lhs, rhs, .. } = body.insts[inst] {
            steps.extend([Step::Read(lhs), Step::Read(rhs)]);
            steps.push(Step::Write(body.results[inst].unwrap()));
        }
    }
    let terminator = &body.blocks[block].terminator;
    steps.extend(terminator.operand().map(Step::Read));
    steps.extend(terminator.edges().flat_map(|edge| &edge.args).map(|&arg| Step::Read(arg)));
    steps
}

/// Whether some walk from the start of `block` reads the value before it is defined.
fn live_at_start(body: &Body, block: BlockId, value: ValueId) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut pending = vec![block];
    while let Some(block) = pending.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let touches = |step: &Step| matches!(step, Step::Read(v) | Step::Write(v) if *v == value);
        match steps(body, block).into_iter().find(touches) {
            Some(Step::Read(_)) => return true,
            Some(Step::Write(_)) => {}
            None => pending.extend(body.blocks[block].terminator.edges().map(|edge| edge.to)),
        }
    }
    false
}

#[test]
fn values_live_as_walks_say() {
    for_random_graphs(|cfg, random| {
        let body = random_body(cfg.graph(), random);
        let facts = FunctionFacts::new(&body);
        for _ in 0..5 {
            let value = ValueId::from_index(1 + random.below(body.values.len() - 1));
            for block in body.blocks.ids() {
                let live = live_at_start(&body, block, value);
                assert_eq!(
                    facts.liveness().is_live_at_start(block, value),
                    live,
                    "{block} {value}"
                );
                let mut next = body.blocks[block].terminator.edges().map(|edge| edge.to);
                let live = next.any(|next| live_at_start(&body, next, value));
                assert_eq!(facts.liveness().is_live_at_end(block, value), live, "{block} {value}");
            }
        }
    });
}

#[test]
fn the_graph_is_that_of_the_terminators() {
    for_random_graphs(|cfg, random| {
        let body = random_body(cfg.graph(), random);
        let facts = FunctionFacts::new(&body);
        let graph = facts.cfg().graph();
        assert_eq!(graph.entry(), BlockId::ENTRY);
        let pairs = graph.pairs().map(|(a, b)| (Node(a.0), Node(b.0)));
        assert_eq!(pairs.collect::<Vec<_>>(), cfg.graph().pairs().collect::<Vec<_>>());
        for edge in graph.edges() {
            let found = facts.edge(edge).unwrap();
            assert_eq!(found.to, graph.target(edge));
            let terminator = &body.blocks[graph.source(edge)].terminator;
            assert!(std::ptr::eq(found, terminator.edges().nth(graph.slot(edge)).unwrap()));
        }
        for (block, row) in body.blocks.iter() {
            assert!(row.insts().all(|inst| facts.block_of(inst) == block));
        }
    });
}

#[test]
fn empty_blocks_hold_no_instruction() {
    let mut body = Body::default();
    push_block(&mut body, vec![], jump(1));
    let inst = push_inst(&mut body, Inst::Fence);
    push_block(&mut body, vec![], jump(2));
    push_block(&mut body, vec![], Terminator::Return(None));
    assert_eq!(FunctionFacts::new(&body).block_of(inst), BlockId(1));
}

fn live(body: &Body) -> Vec<String> {
    let facts = FunctionFacts::new(body);
    let row = |block| {
        let liveness = facts.liveness();
        format!("{block}: {} | {}", list(liveness.at_start(block)), list(liveness.at_end(block)))
    };
    body.blocks.ids().map(row).collect()
}

/// `b0: v1 = havoc; jump b1(v1)`, `b1(v2): branch v2, b1(v2), b2`, `b2: return v1`
#[test]
fn an_argument_is_read_where_it_is_passed() {
    let mut body = Body::default();
    let result = define(&mut body, Inst::Havoc { scalar: caulk_ir::Scalar::I32 });
    push_block(&mut body, vec![], Terminator::Jump(to(1, &[result])));
    let param = value(&mut body, ValueKind::BlockParam(BlockId(1), 0));
    let again = Terminator::Branch { cond: param, then: to(1, &[param]), otherwise: to(2, &[]) };
    push_block(&mut body, vec![param], again);
    push_block(&mut body, vec![], Terminator::Return(None));
    assert_eq!(live(&body), ["b0:  | ", "b1:  | ", "b2:  | "]);
    body.blocks[BlockId(2)].terminator = Terminator::Return(Some(result));
    assert_eq!(live(&body), ["b0:  | v0", "b1: v0 | v0", "b2: v0 | "]);
}

/// The parameter is read on one side only; `Set` on the other side keeps nothing alive.
#[test]
fn a_parameter_lives_towards_its_use() {
    let mut body = Body::default();
    let param = value(&mut body, ValueKind::Param(0));
    let one = constant(&mut body);
    body.params.push(param);
    push_block(&mut body, vec![], branch(one, 1, 2));
    push_block(&mut body, vec![], Terminator::Return(Some(param)));
    push_inst(&mut body, Inst::Set { var: VarId(0), value: param });
    push_block(&mut body, vec![], Terminator::Return(Some(one)));
    assert_eq!(live(&body), ["b0:  | v0", "b1: v0 | ", "b2:  | "]);
}
