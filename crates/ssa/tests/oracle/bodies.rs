//! Bodies of functions for tests, made from graphs.

use caulk_base::{Id, SpanId};
use caulk_ir::{
    Block, BlockId, Body, Constant, Edge, Inst, InstId, Scalar, SwitchCase, Terminator, Value,
    ValueId, ValueKind,
};
use caulk_ssa::Graph;

use crate::support::Node;

pub fn value(body: &mut Body, kind: ValueKind) -> ValueId {
    body.values.push(Value { scalar: Scalar::I32, kind, var: None })
}

pub fn constant(body: &mut Body) -> ValueId {
    value(body, ValueKind::Const(Constant::Int(1)))
}

pub fn push_inst(body: &mut Body, inst: Inst) -> InstId {
    body.inst_spans.push(SpanId(0));
    body.results.push(None);
    body.insts.push(inst)
}

/// Adds an instruction with a result.
pub fn define(body: &mut Body, inst: Inst) -> ValueId {
    let inst = push_inst(body, inst);
    let result = value(body, ValueKind::Inst(inst));
    body.results[inst] = Some(result);
    result
}

/// Ends a block that holds the instructions added since the last one.
pub fn push_block(body: &mut Body, params: Vec<ValueId>, terminator: Terminator) -> BlockId {
    let first = body.blocks.rows().last().map_or(InstId(0), |block| block.end);
    let end = body.insts.next_id();
    body.blocks.push(Block { params, first, end, terminator, terminator_span: SpanId(0) })
}

pub fn to(block: u32, args: &[ValueId]) -> Edge {
    Edge { to: BlockId(block), args: args.to_vec() }
}

pub fn jump(block: u32) -> Terminator {
    Terminator::Jump(to(block, &[]))
}

pub fn branch(cond: ValueId, then: u32, otherwise: u32) -> Terminator {
    Terminator::Branch { cond, then: to(then, &[]), otherwise: to(otherwise, &[]) }
}

/// A terminator with the edges of a node, each with arguments from `args`.
pub fn terminator(
    graph: &Graph<Node>,
    node: Node,
    value: ValueId,
    mut args: impl FnMut() -> Vec<ValueId>,
) -> Terminator {
    let mut edges: Vec<Edge> = graph
        .successors(node)
        .iter()
        .map(|&next| Edge { to: BlockId::from_index(next.index()), args: args() })
        .collect();
    let Some(default) = edges.pop() else { return Terminator::Return(Some(value)) };
    match edges.len() {
        0 => Terminator::Jump(default),
        1 => Terminator::Branch { cond: value, then: edges.remove(0), otherwise: default },
        _ => {
            let case = |(at, edge)| SwitchCase { low: at as i128, high: at as i128, edge };
            let cases = edges.into_iter().enumerate().map(case).collect();
            Terminator::Switch { value, signed: true, cases, default }
        }
    }
}
