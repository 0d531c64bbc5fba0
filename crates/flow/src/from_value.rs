//! Where a value goes from its definition: [V-COPY], [V-CHI], [V-PHI] and [V-CSPAR].

use caulk_ir::{BinaryOp, Call, CallId, ConvertOp, Inst, InstId, RmwOp, Terminator, ValueId};
use caulk_memory::{VersionId, View};
use caulk_pointer::{ObjKind, Target};
use caulk_program::InstanceId;

use crate::graph::{Edges, Flow, end, plain};
use crate::node::{Cross, End, FlowEdge, Node, Point, Rule};
use crate::value_uses::ValueUse;

impl Flow<'_, '_> {
    pub(crate) fn value_successors(&self, instance: InstanceId, value: ValueId, edges: &mut Edges) {
        let body = self.body(instance);
        for &used in self.uses_of(instance, value) {
            match used {
                ValueUse::Inst(inst) => self.used_by(instance, value, inst, edges),
                // [V-PHI]
                ValueUse::Passed { block, edge, param } => {
                    if let Some(edge) = body.blocks[block].terminator.edges().nth(edge as usize) {
                        let to = body.blocks[edge.to].params[param as usize];
                        edges.push(plain(Node::Value(instance, to), Rule::Phi));
                    }
                }
                ValueUse::Terminator(block) => {
                    if matches!(body.blocks[block].terminator, Terminator::Return(_)) {
                        self.return_value(instance, edges, Point::Terminator(block));
                    }
                }
            }
        }
    }

    fn used_by(&self, instance: InstanceId, value: ValueId, inst: InstId, edges: &mut Edges) {
        let body = self.body(instance);
        match body.insts[inst] {
            // [V-COPY]; arithmetic is abstracted to its base (F10).
            Inst::Field { base, .. } | Inst::Index { base, .. } if base == value => {
                self.copy(instance, inst, edges);
            }
            Inst::Convert { op, .. } if keeps_address(op) => self.copy(instance, inst, edges),
            Inst::Binary { op, .. } if keeps_address_in(op) => self.copy(instance, inst, edges),
            // [V-CHI]
            Inst::Store { value: stored, .. } if stored == value => {
                self.store(instance, inst, edges);
            }
            Inst::AtomicRmw { op: RmwOp::Exchange, value: stored, .. } if stored == value => {
                self.store(instance, inst, edges);
            }
            Inst::CompareExchange { desired, .. } if desired == value => {
                self.store(instance, inst, edges);
            }
            Inst::Asm(asm) if body.asms[asm].inputs.iter().any(|input| input.value == value) => {
                self.store(instance, inst, edges);
            }
            Inst::Call(call) => self.argument(instance, value, inst, call, edges),
            _ => {}
        }
    }

    fn copy(&self, instance: InstanceId, inst: InstId, edges: &mut Edges) {
        if let Some(result) = self.body(instance).results[inst] {
            edges.push(plain(Node::Value(instance, result), Rule::Copy));
        }
    }

    fn store(&self, instance: InstanceId, inst: InstId, edges: &mut Edges) {
        let access = self.memory.access(instance, inst);
        let regions = access.map(|it| self.memory.regions().of_footprint(it.writes));
        let before = edges.len();
        for &region in regions.into_iter().flatten() {
            self.add_written(instance, inst, region, Rule::Chi, Cross::None, edges);
        }
        // An address that nothing is known of may lead anywhere.
        if edges.len() == before {
            edges.push(end(instance, Point::Inst(inst), End::Unknown(None)));
        }
    }

    fn argument(
        &self,
        instance: InstanceId,
        value: ValueId,
        inst: InstId,
        id: CallId,
        edges: &mut Edges,
    ) {
        let call = &self.body(instance).calls[id];
        for (index, _) in call.args.iter().enumerate().filter(|(_, arg)| arg.value == value) {
            for target in self.memory.input().points_to.callees(instance, id) {
                match *target {
                    Target::Instance(callee) => {
                        self.parameter(instance, inst, id, callee, index, edges);
                    }
                    Target::External(external) => {
                        self.external_argument(instance, inst, id, external, index as u32, edges);
                    }
                    Target::Unknown => {
                        if !self.is_constant_parameter(instance, call, index) {
                            edges.push(end(instance, Point::Inst(inst), End::Unknown(None)));
                        }
                    }
                }
            }
        }
    }

    /// [V-CSPAR]
    fn parameter(
        &self,
        instance: InstanceId,
        inst: InstId,
        call: CallId,
        callee: InstanceId,
        index: usize,
        edges: &mut Edges,
    ) {
        let site = caulk_memory::CallSite { caller: instance, inst, call };
        let cross = Cross::Call(site);
        match self.body(callee).params.get(index) {
            Some(&param) => {
                let to = Node::Value(callee, param);
                edges.push(FlowEdge { to, cross, rule: Rule::CallParameter });
            }
            None => self.variable_argument(cross, callee, edges),
        }
    }

    /// What is passed beyond the parameters is in memory of the callee's own as it is entered.
    fn variable_argument(&self, cross: Cross, callee: InstanceId, edges: &mut Edges) {
        let points_to = self.memory.input().points_to;
        let Some(object) = points_to.object(ObjKind::VarArgs(callee)) else { return };
        for &location in points_to.locations.of_object(object) {
            if let Some(region) = self.memory.regions().of_location(location) {
                let to = Node::Memory(callee, region, View::All, VersionId::ENTRY);
                edges.push(FlowEdge { to, cross, rule: Rule::CallParameter });
            }
        }
    }

    /// Whether an unknown function cannot keep this argument: the parameter points to constant
    /// data.
    pub(crate) fn is_constant_parameter(
        &self,
        instance: InstanceId,
        call: &Call,
        index: usize,
    ) -> bool {
        let input = self.memory.input();
        let types = &input.instances.module(input.program, instance).types;
        let declared = types.signatures[call.signature].params.get(index);
        declared.is_some_and(|&ty| match types.types[ty] {
            caulk_ir::Type::Pointer { to, to_const } => {
                to_const && types.scalar(to).is_some_and(|it| it != caulk_ir::Scalar::Ptr)
            }
            _ => false,
        })
    }
}

fn keeps_address(op: ConvertOp) -> bool {
    matches!(op, ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::Bits)
}

/// Tagging, aligning and stepping by numbers.
fn keeps_address_in(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::AddS
            | BinaryOp::Sub
            | BinaryOp::SubS
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
    )
}
