//! Instructions.

use std::fmt::{self, Display, Formatter};

use super::body::BodyPrinter;
use crate::body::{CallArg, CallId, Callee, ValueKind};
use crate::inst::{Asm, AsmId, BitRange, Inst, InstId, OverflowPart};
use crate::result::ResultRule;
use crate::text;
use crate::types::{RecordId, Scalar, SignatureId};

impl BodyPrinter<'_> {
    pub(super) fn inst(&self, f: &mut Formatter<'_>, id: InstId) -> fmt::Result {
        let Some(inst) = self.body.insts.get(id) else { return write!(f, "{id}") };
        if let Some(&Some(result)) = self.body.results.get(id) {
            write!(f, "{} = ", self.defined(result, self.implied_scalar(id, inst)))?;
        }
        match *inst {
            Inst::Call(id) => self.call(f, id),
            Inst::Asm(id) => self.assembly(f, id),
            _ => self.plain(f, inst),
        }
    }

    /// The result's scalar, where the instruction and what stands before it tell it.
    fn implied_scalar(&self, id: InstId, inst: &Inst) -> Option<Scalar> {
        match inst.result(self.outer.module, self.body) {
            ResultRule::Nothing => None,
            ResultRule::Is(scalar) => Some(scalar),
            ResultRule::SameAs(operand) => {
                let operand = self.body.values.get(operand)?;
                let earlier = !matches!(operand.kind, ValueKind::Inst(other) if other >= id);
                earlier.then_some(operand.scalar)
            }
        }
    }

    fn plain(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        match *inst {
            Inst::Load { .. } | Inst::Store { .. } | Inst::LoadBits { .. } => self.access(f, inst),
            Inst::StoreBits { .. } | Inst::Copy { .. } | Inst::Fill { .. } => self.access(f, inst),
            Inst::Field { .. } | Inst::Index { .. } => self.address(f, inst),
            Inst::Unary { op, value } => write!(f, "{} {}", op.name(), self.value(value)),
            Inst::Binary { op, lhs, rhs } => {
                write!(f, "{} {}, {}", op.name(), self.value(lhs), self.value(rhs))
            }
            Inst::Compare { op, lhs, rhs } => {
                write!(f, "{} {}, {}", op.name(), self.value(lhs), self.value(rhs))
            }
            Inst::Convert { op, value, to } => {
                write!(f, "{} {} to {to}", op.name(), self.value(value))
            }
            Inst::Overflow { op, part, lhs, rhs, scalar, signs } => {
                let (part, signs) = (part_word(part), sign_letters(signs));
                write!(f, "overflow.{}.{part} {scalar} {signs} ", op.name())?;
                write!(f, "{}, {}", self.value(lhs), self.value(rhs))
            }
            Inst::HavocMemory { to, size } => {
                write!(f, "havoc.memory {}, {}", self.value(to), self.value(size))
            }
            Inst::Havoc { scalar } => write!(f, "havoc {scalar}"),
            Inst::AtomicRmw { op, to, value } => {
                write!(f, "rmw.{} {}, {}", op.name(), self.value(to), self.value(value))
            }
            Inst::CompareExchange { to, expected, desired } => {
                write!(f, "cmpxchg {}", self.values(&[to, expected, desired]))
            }
            Inst::Fence => f.write_str("fence"),
            Inst::ScopeBegin(scope) => write!(f, "begin {scope}"),
            Inst::ScopeEnd(scope) => write!(f, "end {scope}"),
            Inst::Set { var, value } => write!(f, "set {} = {}", self.var(var), self.value(value)),
            _ => self.stack(f, inst),
        }
    }

    fn access(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        match *inst {
            Inst::Load { from, scalar, volatile } => {
                write!(f, "load{} {scalar} {}", volatile_suffix(volatile), self.value(from))
            }
            Inst::Store { to, value, volatile } => {
                let (value, to) = (self.value(value), self.value(to));
                write!(f, "store{} {value} -> {to}", volatile_suffix(volatile))
            }
            Inst::LoadBits { from, scalar, bits } => {
                let (sign, place) = bits_text(bits);
                write!(f, "loadbits.{sign} {scalar} {}, {place}", self.value(from))
            }
            Inst::StoreBits { to, value, bits } => {
                let (sign, place) = bits_text(bits);
                write!(f, "storebits.{sign} {} -> {}, {place}", self.value(value), self.value(to))
            }
            Inst::Copy { to, from, size, ty } => {
                let (to, from) = (self.value(to), self.value(from));
                write!(f, "copy {ty} {to} <- {from}, {}", self.value(size))
            }
            Inst::Fill { to, byte, size } => {
                write!(f, "fill {}", self.values(&[to, byte, size]))
            }
            _ => Ok(()),
        }
    }

    fn address(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        match *inst {
            Inst::Field { base, offset, field } => {
                write!(f, "field {}, {offset:+}", self.value(base))?;
                let Some((record, index)) = field else { return Ok(()) };
                write!(f, " {}", self.field_ref(record, index))
            }
            Inst::Index { base, index, stride } => {
                write!(f, "index {}, {} * {stride}", self.value(base), self.value(index))
            }
            _ => Ok(()),
        }
    }

    /// `rec3.1:list.next`
    fn field_ref(&self, id: RecordId, index: u32) -> impl Display {
        let record = self.outer.module.types.records.get(id);
        fmt::from_fn(move |f| {
            write!(f, "{id}.{index}")?;
            let Some(record) = record else { return Ok(()) };
            let Some(field) = record.fields.get(index as usize) else { return Ok(()) };
            let (outer, inner) =
                (self.outer.maybe_name(record.name), self.outer.maybe_name(field.name));
            write!(f, ":{outer}.{inner}")
        })
    }

    fn stack(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        match *inst {
            Inst::Alloca { size, align, scope } => {
                write!(f, "alloca {} align {align}", self.value(size))?;
                scope.map_or(Ok(()), |scope| write!(f, " in {scope}"))
            }
            Inst::VaStart { list } => write!(f, "va_start {}", self.value(list)),
            Inst::VaEnd { list } => write!(f, "va_end {}", self.value(list)),
            Inst::VaCopy { to, from } => {
                write!(f, "va_copy {} <- {}", self.value(to), self.value(from))
            }
            Inst::VaArg { list, ty, scalar, into } => {
                write!(f, "va_arg {ty} {}", self.value(list))?;
                if let Some(scalar) = scalar {
                    write!(f, " as {scalar}")?;
                }
                into.map_or(Ok(()), |into| write!(f, " into {}", self.value(into)))
            }
            _ => Ok(()),
        }
    }

    /// The signature is omitted where the callee's declaration has it, an argument's type where
    /// the signature has it.
    fn call(&self, f: &mut Formatter<'_>, id: CallId) -> fmt::Result {
        let Some(call) = self.body.calls.get(id) else { return write!(f, "call {id}") };
        match call.callee {
            Callee::Function(callee) => write!(f, "call {id} {}", self.outer.function_ref(callee))?,
            Callee::Pointer(callee) => write!(f, "call {id} *{}", self.value(callee))?,
        }
        self.arguments(f, call.signature, &call.args)?;
        if self.declared_signature(call.callee) != Some(call.signature) {
            write!(f, " {}", call.signature)?;
        }
        if let Some(into) = call.result_into {
            write!(f, " into {}", self.value(into))?;
        }
        f.write_str(if call.noreturn { " noreturn" } else { "" })
    }

    fn declared_signature(&self, callee: Callee) -> Option<SignatureId> {
        match callee {
            Callee::Function(id) => Some(self.outer.module.functions.get(id)?.signature),
            Callee::Pointer(_) => None,
        }
    }

    fn arguments(
        &self,
        f: &mut Formatter<'_>,
        signature: SignatureId,
        args: &[CallArg],
    ) -> fmt::Result {
        let signature = self.outer.module.types.signatures.get(signature);
        f.write_str("(")?;
        for (index, arg) in args.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            if signature.and_then(|known| known.params.get(index)) != Some(&arg.ty) {
                write!(f, "{} ", arg.ty)?;
            }
            write!(f, "{}", self.value(arg.value))?;
        }
        f.write_str(")")
    }

    fn assembly(&self, f: &mut Formatter<'_>, id: AsmId) -> fmt::Result {
        let Some(asm) = self.body.asms.get(id) else { return write!(f, "asm {id}") };
        write!(f, "asm {id} {} [", text::quoted(asm.template.as_bytes()))?;
        self.asm_operands(f, asm)?;
        f.write_str(if asm.clobbers_memory { "] clobbers" } else { "]" })
    }

    fn asm_operands(&self, f: &mut Formatter<'_>, asm: &Asm) -> fmt::Result {
        let mut comma = "";
        for output in &asm.outputs {
            let word = if output.read { "inout" } else { "out" };
            let constraint = text::quoted(output.constraint.as_bytes());
            let address = self.value(output.address);
            write!(f, "{comma}{word} {constraint} {} {address}", output.ty)?;
            comma = ", ";
        }
        for input in &asm.inputs {
            let word = if input.memory { "memory" } else { "in" };
            let constraint = text::quoted(input.constraint.as_bytes());
            write!(f, "{comma}{word} {constraint} {}", self.value(input.value))?;
            comma = ", ";
        }
        Ok(())
    }
}

fn volatile_suffix(volatile: bool) -> &'static str {
    if volatile { ".volatile" } else { "" }
}

fn part_word(part: OverflowPart) -> &'static str {
    match part {
        OverflowPart::Result => "result",
        OverflowPart::Flag => "flag",
    }
}

/// The signs of the left and right operand and of the result: `ssu`.
fn sign_letters(signs: [bool; 3]) -> String {
    signs.iter().map(|&signed| if signed { 's' } else { 'u' }).collect()
}

fn bits_text(bits: BitRange) -> (char, String) {
    let sign = if bits.signed { 's' } else { 'u' };
    (sign, format!("{} width {}", bits.first, bits.width))
}
