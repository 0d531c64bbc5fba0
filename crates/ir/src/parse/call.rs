//! Calls and assembly.

use super::Parsed;
use super::body::BodyParser;
use super::cursor::Room;
use super::finish::UNKNOWN;
use crate::body::{Call, CallArg, CallId, Callee};
use crate::inst::{Asm, AsmId, AsmInput, AsmOutput, Inst};
use crate::types::{SignatureId, TypeId};

/// Whether an assembly operand is an output, and whether it is also read (an output) or memory
/// (an input).
const ASM_OPERANDS: [(&str, (bool, bool)); 4] = [
    ("out", (true, false)),
    ("inout", (true, true)),
    ("in", (false, false)),
    ("memory", (false, true)),
];

impl BodyParser<'_, '_> {
    pub(super) fn call(&mut self) -> Parsed<Inst> {
        let at = self.outer.cursor.at;
        let id = self.outer.cursor.id()?;
        let callee = match self.outer.cursor.accept("*") {
            true => Callee::Pointer(self.operand()?),
            false => Callee::Function(self.outer.named_use(Room::Function)?),
        };
        let args = self.arguments(id)?;
        let signature = self.call_signature(id, callee)?;
        let result_into = self.result_place()?;
        let noreturn = self.outer.cursor.accept_word("noreturn");
        self.calls.push((id, Call { callee, signature, args, result_into, noreturn }, at));
        Ok(Inst::Call(id))
    }

    /// Arguments, each after its type unless the signature tells it.
    fn arguments(&mut self, call: CallId) -> Parsed<Vec<CallArg>> {
        let (mut args, mut first) = (Vec::new(), true);
        self.outer.cursor.expect("(")?;
        while !self.outer.cursor.at_list_end(")", &mut first)? {
            let at = self.outer.cursor.at;
            let ty = match self.outer.cursor.peeks_id::<TypeId>() {
                true => self.outer.type_use()?,
                false => {
                    self.pending.argument_types.push((call, args.len(), at));
                    TypeId(UNKNOWN)
                }
            };
            args.push(CallArg { value: self.operand()?, ty });
        }
        Ok(args)
    }

    /// A direct call has its callee's signature unless it names another.
    fn call_signature(&mut self, id: CallId, callee: Callee) -> Parsed<SignatureId> {
        match callee {
            Callee::Function(function) if !self.outer.cursor.peeks_id::<SignatureId>() => {
                self.pending.signatures.push((id, function));
                Ok(SignatureId(UNKNOWN))
            }
            _ => self.outer.plain_use(Room::Signature),
        }
    }

    pub(super) fn assembly(&mut self) -> Parsed<Inst> {
        let at = self.outer.cursor.at;
        let id: AsmId = self.outer.cursor.id()?;
        let template = self.outer.cursor.text()?;
        let (outputs, inputs) = (Vec::new(), Vec::new());
        let mut asm = Asm { template, outputs, inputs, clobbers_memory: false };
        self.outer.cursor.expect("[")?;
        let mut first = true;
        while !self.outer.cursor.at_list_end("]", &mut first)? {
            self.asm_operand(&mut asm)?;
        }
        asm.clobbers_memory = self.outer.cursor.accept_word("clobbers");
        self.asms.push((id, asm, at));
        Ok(Inst::Asm(id))
    }

    fn asm_operand(&mut self, asm: &mut Asm) -> Parsed<()> {
        let what = "`out`, `inout`, `in` or `memory`";
        let (is_output, flag) = self.outer.cursor.choice(what, &ASM_OPERANDS)?;
        let constraint = self.outer.cursor.text()?;
        if is_output {
            let ty = self.outer.type_use()?;
            let address = self.operand()?;
            asm.outputs.push(AsmOutput { constraint, address, ty, read: flag });
        } else {
            let value = self.operand()?;
            asm.inputs.push(AsmInput { constraint, value, memory: flag });
        }
        Ok(())
    }
}
