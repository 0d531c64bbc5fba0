//! Inline assembly: what it reads and writes, and for `asm goto` where it may go.

use caulk_cfront::tree::{AsmId, AsmOperand, ExprId, ExprKind, Span};
use caulk_ir::{Asm, AsmInput, AsmOutput, Edge, Inst, Scalar, SwitchCase, Terminator, ValueId};

use crate::function::FunctionLowering;
use crate::place::Place;
use crate::unit::Lowered;

/// An output that is not memory: after the assembly, its temporary is read back into the place.
struct WriteBack {
    place: Place,
    from: ValueId,
    operand: ExprId,
}

impl FunctionLowering<'_, '_> {
    pub fn assembly(&mut self, id: AsmId, span: Span) -> Lowered<()> {
        let tree = self.unit.tree;
        let row = tree.tast[id];
        let mut back = Vec::new();
        let mut outputs = Vec::new();
        for operand in &tree.tast[row.outputs] {
            outputs.push(self.asm_output(operand, &mut back)?);
        }
        let mut inputs = Vec::new();
        for operand in &tree.tast[row.inputs] {
            inputs.push(self.asm_input(operand)?);
        }
        let clobbers = tree.tast[row.clobbers].iter();
        let clobbers: Vec<String> = clobbers.map(|&text| self.unit.string_text(text)).collect();
        self.at(span);
        let asm = Asm {
            template: self.unit.string_text(row.template),
            outputs,
            inputs,
            clobbers_memory: clobbers.iter().any(|name| name == "memory"),
        };
        let asm = self.b.body.asms.push(asm);
        self.b.effect(Inst::Asm(asm));
        for WriteBack { place, from, operand } in back {
            let ty = self.type_of(operand);
            let value = self.read(Place::memory(from), ty, span)?;
            self.write(place, value);
        }
        if !tree.tast[row.labels].is_empty() {
            self.asm_goto(id, span)?;
        }
        Ok(())
    }

    fn asm_output(
        &mut self,
        operand: &AsmOperand,
        back: &mut Vec<WriteBack>,
    ) -> Lowered<AsmOutput> {
        let (ty, span) = (self.type_of(operand.value), self.span_of(operand.value));
        let constraint = self.unit.string_text(operand.constraint);
        let read = constraint.starts_with('+');
        let place = self.place(operand.value)?;
        let address = match place {
            Place::Memory { address, .. } => address,
            Place::Variable { .. } | Place::Bits { .. } => {
                let from = self.temporary(ty, span)?;
                if read {
                    let value = self.read(place, ty, span)?;
                    self.write(Place::memory(from), value);
                }
                back.push(WriteBack { place, from, operand: operand.value });
                from
            }
        };
        Ok(AsmOutput { constraint, address, ty: self.unit.ty(ty), read })
    }

    fn asm_input(&mut self, operand: &AsmOperand) -> Lowered<AsmInput> {
        let constraint = self.unit.string_text(operand.constraint);
        let ty = self.type_of(operand.value);
        let is_function = self.unit.is_function_type(ty);
        let (value, memory) = match self.unit.tree.tast[operand.value].kind {
            _ if is_function => {
                (self.function_address(operand.value, self.span_of(operand.value))?, false)
            }
            _ if self.unit.is_aggregate(ty) => (self.aggregate(operand.value)?, true),
            ExprKind::Decl(_) if !operand.memory => (self.value(operand.value)?, false),
            _ if operand.memory => (self.address_of(operand.value)?, true),
            _ => (self.value(operand.value)?, false),
        };
        Ok(AsmInput { constraint, value, memory })
    }

    /// Goes on after the statement or at one of its labels; nobody knows which.
    fn asm_goto(&mut self, id: AsmId, span: Span) -> Lowered<()> {
        let tree = self.unit.tree;
        let labels = &tree.tast[tree.tast[id].labels];
        let value = self.b.define(Scalar::I32, Inst::Havoc { scalar: Scalar::I32 });
        let after = self.b.new_block();
        let entries: Vec<_> = labels.iter().map(|_| self.b.new_block()).collect();
        let cases = entries.iter().enumerate().map(|(index, &block)| {
            let number = index as i128;
            SwitchCase { low: number, high: number, edge: Edge { to: block, args: Vec::new() } }
        });
        let cases = cases.collect();
        let default = Edge { to: after, args: Vec::new() };
        self.b.terminate(Terminator::Switch { value, signed: true, cases, default });
        for (&label, block) in labels.iter().zip(entries) {
            self.continue_in(block);
            self.at(span);
            self.goto_statement(label)?;
        }
        self.continue_in(after);
        Ok(())
    }
}
