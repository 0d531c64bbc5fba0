use std::collections::BTreeSet;

use caulk_base::{Id, Names, SpanId};
use caulk_ir::{
    BlockId, Body, Inst, InstId, ObjectId, Scope, ScopeId, Terminator, TypeId, Unreachable, Var,
    VarHome, VarId,
};
use caulk_ssa::{FunctionFacts, Graph};

use crate::bodies::{branch, constant, jump, push_block, push_inst, terminator};
use crate::support::{Node, Random, for_random_graphs, list};

fn push_scope(body: &mut Body, parent: Option<ScopeId>) -> ScopeId {
    body.scopes.push(Scope { parent, span: SpanId(0) })
}

/// Scopes begin and end anywhere, in no sensible order.
fn random_body(graph: &Graph<Node>, random: &mut Random) -> Body {
    let mut body = Body::default();
    let value = constant(&mut body);
    for id in 0..6 {
        let parent = if id < 2 { None } else { Some(ScopeId(random.below(id) as u32)) };
        push_scope(&mut body, parent);
    }
    for node in graph.nodes() {
        for _ in 0..[0, 0, 1, 2][random.below(4)] {
            let scope = ScopeId(random.below(6) as u32);
            let begins = random.chance(2);
            push_inst(
                &mut body,
                if begins { Inst::ScopeBegin(scope) } else { Inst::ScopeEnd(scope) },
            );
        }
        push_block(&mut body, vec![], terminator(graph, node, value, Vec::new));
    }
    body
}

fn step(body: &Body, innermost: Option<ScopeId>, inst: InstId) -> Option<ScopeId> {
    match body.insts[inst] {
        Inst::ScopeBegin(scope) => Some(scope),
        Inst::ScopeEnd(scope) => body.scopes[scope].parent,
        _ => innermost,
    }
}

/// Every pair of a block and an innermost scope with which some path from the entry starts it.
fn states(body: &Body) -> BTreeSet<(BlockId, Option<ScopeId>)> {
    let mut states = BTreeSet::from([(BlockId::ENTRY, None)]);
    let mut pending = vec![(BlockId::ENTRY, None)];
    while let Some((block, start)) = pending.pop() {
        let end = body.blocks[block].insts().fold(start, |scope, inst| step(body, scope, inst));
        for edge in body.blocks[block].terminator.edges() {
            if states.insert((edge.to, end)) {
                pending.push((edge.to, end));
            }
        }
    }
    states
}

fn open(body: &Body, innermost: Option<ScopeId>) -> Vec<ScopeId> {
    std::iter::successors(innermost, |&scope| body.scopes[scope].parent).collect()
}

#[test]
fn open_scopes_are_those_open_on_every_path() {
    for_random_graphs(|cfg, random| {
        let body = random_body(cfg.graph(), random);
        let facts = FunctionFacts::new(&body);
        let states = states(&body);
        for block in body.blocks.ids() {
            let here = || states.iter().filter(|state| state.0 == block).map(|state| state.1);
            let first = here().next().flatten();
            let everywhere = |scope: &ScopeId| here().all(|end| open(&body, end).contains(scope));
            let expected: Vec<ScopeId> =
                open(&body, first).into_iter().filter(everywhere).collect();
            let scopes = facts.scopes();
            assert_eq!(scopes.innermost_at_start(block), expected.first().copied(), "{block}");
            for scope in body.scopes.ids() {
                assert_eq!(scopes.is_open_at_start(scope, block), expected.contains(&scope));
            }
        }
    });
}

#[test]
fn scopes_within_a_block_follow_its_instructions() {
    for_random_graphs(|cfg, random| {
        let body = random_body(cfg.graph(), random);
        let facts = FunctionFacts::new(&body);
        for (id, block) in body.blocks.iter() {
            let mut innermost = facts.scopes().innermost_at_start(id);
            for inst in block.insts() {
                assert_eq!(facts.scopes().innermost_before(&body, id, inst), innermost);
                innermost = step(&body, innermost, inst);
            }
        }
    });
}

#[test]
fn begins_and_ends_are_all_listed() {
    for_random_graphs(|cfg, random| {
        let body = random_body(cfg.graph(), random);
        let facts = FunctionFacts::new(&body);
        for scope in body.scopes.ids() {
            let all = |wanted: Inst| -> Vec<InstId> {
                body.insts.iter().filter(|row| *row.1 == wanted).map(|row| row.0).collect()
            };
            assert_eq!(facts.scopes().begins(scope), all(Inst::ScopeBegin(scope)));
            assert_eq!(facts.scopes().ends(scope), all(Inst::ScopeEnd(scope)));
        }
    });
}

fn push_var(body: &mut Body, scope: ScopeId, home: VarHome) -> VarId {
    let name = Names::new().intern("p");
    body.vars.push(Var { name, ty: TypeId(0), home, span: SpanId(0), scope, param: None })
}

/// `{ char *p; static char *q; if (c) return; if (d) abort(); } return;`
#[test]
fn a_variable_dies_on_every_way_out_but_abort() {
    let mut body = Body::default();
    let condition = constant(&mut body);
    let outer = push_scope(&mut body, None);
    let inner = push_scope(&mut body, Some(outer));
    let local = push_var(&mut body, inner, VarHome::Values);
    let fixed = push_var(&mut body, inner, VarHome::Object(ObjectId(0)));

    push_inst(&mut body, Inst::ScopeBegin(outer));
    push_inst(&mut body, Inst::ScopeBegin(inner));
    push_block(&mut body, vec![], branch(condition, 1, 2));
    push_inst(&mut body, Inst::ScopeEnd(inner));
    push_inst(&mut body, Inst::ScopeEnd(outer));
    push_block(&mut body, vec![], Terminator::Return(None));
    push_block(&mut body, vec![], branch(condition, 3, 4));
    push_block(&mut body, vec![], Terminator::Unreachable(Unreachable::Noreturn));
    push_inst(&mut body, Inst::ScopeEnd(inner));
    push_block(&mut body, vec![], jump(5));
    push_inst(&mut body, Inst::ScopeEnd(outer));
    push_block(&mut body, vec![], Terminator::Return(None));

    let facts = FunctionFacts::new(&body);
    let scopes = facts.scopes();
    assert_eq!(list(scopes.ends_of_var(&body, local)), "i2 i4");
    assert_eq!(list(scopes.ends_of_var(&body, fixed)), "");
    assert_eq!(list(scopes.ends(outer)), "i3 i5");
    assert_eq!(list(scopes.returns()), "b1 b5");
    let innermost = |block| scopes.innermost_at_start(BlockId::from_index(block));
    let expected = [None, Some(inner), Some(inner), Some(inner), Some(inner), Some(outer)];
    assert_eq!((0..6).map(innermost).collect::<Vec<_>>(), expected);
}
