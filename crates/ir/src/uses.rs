//! Every operand of a body, for the printer, the parser and the verifier.

use crate::body::{Body, Callee, ValueId};

impl Body {
    /// Calls `visit` on every operand in the body: of instructions, calls, assembly, terminators
    /// and edges. Goes over the tables, so it also works while ids are still wrong.
    pub fn each_use(&self, mut visit: impl FnMut(ValueId)) {
        self.insts.rows().iter().for_each(|inst| inst.visit_operands(&mut visit));
        for call in self.calls.rows() {
            if let Callee::Pointer(value) = call.callee {
                visit(value);
            }
            call.args.iter().for_each(|arg| visit(arg.value));
            call.result_into.into_iter().for_each(&mut visit);
        }
        for asm in self.asms.rows() {
            asm.outputs.iter().for_each(|output| visit(output.address));
            asm.inputs.iter().for_each(|input| visit(input.value));
        }
        for block in self.blocks.rows() {
            block.terminator.operand().into_iter().for_each(&mut visit);
            block.terminator.edges().flat_map(|edge| &edge.args).for_each(|&arg| visit(arg));
        }
    }

    /// The same, with the operands to change.
    pub fn each_use_mut(&mut self, mut visit: impl FnMut(&mut ValueId)) {
        self.insts.iter_mut().for_each(|(_, inst)| inst.visit_operands_mut(&mut visit));
        for (_, call) in self.calls.iter_mut() {
            if let Callee::Pointer(value) = &mut call.callee {
                visit(value);
            }
            call.args.iter_mut().for_each(|arg| visit(&mut arg.value));
            call.result_into.iter_mut().for_each(&mut visit);
        }
        for (_, asm) in self.asms.iter_mut() {
            asm.outputs.iter_mut().for_each(|output| visit(&mut output.address));
            asm.inputs.iter_mut().for_each(|input| visit(&mut input.value));
        }
        for (_, block) in self.blocks.iter_mut() {
            block.terminator.operand_mut().into_iter().for_each(&mut visit);
            block.terminator.edges_mut().flat_map(|edge| &mut edge.args).for_each(&mut visit);
        }
    }
}
