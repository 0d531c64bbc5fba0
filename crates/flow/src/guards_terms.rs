//! Decisions in the terms of the source: `q == NULL` at file:line (F7, F13).
//!
//! The text is made from the representation, with the names of variables and members, because a
//! branch may be part of an expression, or come out of a macro: the place is then where the macro
//! is used, and `spelled` where its text stands.

use std::fmt;

use caulk_base::SpanId;
use caulk_guard::AtomId;
use caulk_ir::{
    BinaryOp, Body, Callee, CompareOp, Constant, Inst, InstId, Module, Scalar, Terminator, Type,
    ValueId, ValueKind, VarHome,
};
use caulk_program::Program;

use crate::guards_atoms::Atoms;

/// A decision that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub text: String,
    /// `file:line`.
    pub place: Option<String>,
    /// `file:line` of the text of the macro that it came from.
    pub spelled: Option<String>,
    pub span: SpanId,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.place.as_ref().map_or(Ok(()), |place| write!(f, " at {place}"))
    }
}

/// What holds when an atom has a value.
#[must_use]
pub fn condition(program: &Program, atoms: &Atoms, atom: AtomId, holds: bool) -> Condition {
    let branch = atoms.branch(atom);
    let module = program.module_of(branch.proc);
    let body = program.body(branch.proc);
    let block = &body.blocks[branch.block];
    let span = block.terminator_span;
    let terms = Terms { module, body };
    Condition {
        text: terms.decision(&block.terminator, branch.way.unwrap_or(0) as usize, holds),
        place: program.place(program.procs[branch.proc].module, span),
        spelled: spelled(module, span),
        span,
    }
}

/// What holds when a terminator is left by this way: by the place of the edge, where the first of a
/// branch is taken when its condition is true and a switch's default comes last.
#[must_use]
pub fn decision_text(module: &Module, body: &Body, terminator: &Terminator, way: usize) -> String {
    let holds = !matches!(terminator, Terminator::Branch { .. }) || way == 0;
    Terms { module, body }.decision(terminator, way, holds)
}

/// What is at an address, as C spells it.
#[must_use]
pub fn place_text(module: &Module, body: &Body, address: ValueId) -> String {
    Terms { module, body }.at_address(address, DEPTH)
}

/// A value, as C spells it.
#[must_use]
pub fn value_text(module: &Module, body: &Body, value: ValueId) -> String {
    Terms { module, body }.value(value, DEPTH)
}

fn spelled(module: &Module, span: SpanId) -> Option<String> {
    let place = module.spans.get(span)?.in_macro?;
    Some(format!("{}:{}", module.files.get(place.file)?.path.display(), place.line))
}

/// How deep an expression is written out.
const DEPTH: u32 = 5;

struct Terms<'a> {
    module: &'a Module,
    body: &'a Body,
}

impl Terms<'_> {
    fn decision(&self, terminator: &Terminator, way: usize, holds: bool) -> String {
        match terminator {
            Terminator::Branch { cond, .. } => self.truth(*cond, holds, DEPTH),
            Terminator::Switch { value, cases, .. } => {
                let value = self.value(*value, DEPTH);
                let equal = if holds { "==" } else { "!=" };
                match cases.get(way) {
                    Some(case) if case.low == case.high => format!("{value} {equal} {}", case.low),
                    Some(case) => format!("{value} {equal} {}...{}", case.low, case.high),
                    None if holds => format!("{value} is none of the cases"),
                    None => format!("{value} is one of the cases"),
                }
            }
            Terminator::Indirect { target, edges } => {
                let target = self.value(*target, DEPTH);
                let label = edges.get(way).and_then(|edge| {
                    let found = self.body.labels.iter().find(|label| label.1 == edge.to);
                    found.and_then(|label| self.module.names.get(label.0))
                });
                let equal = if holds { "==" } else { "!=" };
                format!("{target} {equal} &&{}", label.unwrap_or("label"))
            }
            _ => String::from("control comes here"),
        }
    }

    /// A truth value that is true, or is not.
    fn truth(&self, value: ValueId, holds: bool, depth: u32) -> String {
        if let Some(Inst::Compare { op, lhs, rhs }) = self.inst(value) {
            let is_zero = self.body.constant(rhs) == Some(Constant::Int(0));
            match op {
                CompareOp::Ne if is_zero && self.is_truth(lhs) => {
                    return self.truth(self.plain(lhs), holds, depth);
                }
                CompareOp::Eq if is_zero && self.is_truth(lhs) => {
                    return self.truth(self.plain(lhs), !holds, depth);
                }
                _ => {}
            }
            if let Some(symbol) = symbol(op, holds) {
                let [left, right] = [lhs, rhs].map(|it| self.value(it, depth));
                // A variable that was set to another one goes by the name of that.
                return match left == right {
                    true => holds.to_string(),
                    false => format!("{left} {symbol} {right}"),
                };
            }
        }
        let text = self.value(value, depth);
        if holds { text } else { format!("!({text})") }
    }

    /// Whether a value is a comparison without a name, perhaps widened to an `int`.
    fn is_truth(&self, value: ValueId) -> bool {
        let unnamed = self.body.values[value].var.is_none();
        unnamed && matches!(self.inst(self.plain(value)), Some(Inst::Compare { .. }))
    }

    /// The value before it was widened or cast.
    fn plain(&self, mut value: ValueId) -> ValueId {
        while let Some(Inst::Convert { value: inner, .. }) = self.inst(value) {
            if self.body.values[value].var.is_some() {
                break;
            }
            value = inner;
        }
        value
    }

    fn inst(&self, value: ValueId) -> Option<Inst> {
        self.body.definition(value).map(|inst| self.body.insts[inst])
    }

    fn value(&self, value: ValueId, depth: u32) -> String {
        let row = &self.body.values[value];
        if let ValueKind::Const(constant) = row.kind {
            return self.constant(constant, row.scalar);
        }
        if let Some(name) = row.var.and_then(|var| self.module.names.get(self.body.vars[var].name))
        {
            return name.to_string();
        }
        let inner = depth.checked_sub(1);
        match (self.body.definition(value), inner) {
            (Some(inst), Some(depth)) => self.result(inst, depth),
            (Some(_), None) => String::from("…"),
            (None, _) => String::from("a value"),
        }
    }

    fn result(&self, inst: InstId, depth: u32) -> String {
        match self.body.insts[inst] {
            Inst::Load { from, .. } | Inst::LoadBits { from, .. } => self.at_address(from, depth),
            Inst::Convert { value, .. } => self.value(value, depth),
            Inst::Compare { .. } => match self.body.results[inst] {
                Some(result) => self.truth(result, true, depth),
                None => String::from("…"),
            },
            Inst::Binary { op, lhs, rhs } => match operator(op) {
                Some(text) => {
                    format!("({} {text} {})", self.value(lhs, depth), self.value(rhs, depth))
                }
                None => String::from("…"),
            },
            Inst::Field { .. } | Inst::Index { .. } => {
                format!(
                    "&{}",
                    self.at_address(self.body.results[inst].unwrap_or(ValueId(0)), depth)
                )
            }
            Inst::Call(call) => match self.body.calls[call].callee {
                Callee::Function(function) => {
                    format!("{}()", self.module.function_name(function))
                }
                Callee::Pointer(value) => format!("{}()", self.value(value, depth)),
            },
            _ => String::from("…"),
        }
    }

    /// What is stored at an address.
    fn at_address(&self, address: ValueId, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return String::from("…") };
        match self.body.values[address].kind {
            ValueKind::Const(constant @ (Constant::Slot(_) | Constant::Object(_))) => {
                let first = if self.is_array(constant) { "[0]" } else { "" };
                format!("{}{first}", self.variable(constant))
            }
            ValueKind::Inst(inst) => match self.body.insts[inst] {
                Inst::Field { base, field: Some((record, index)), .. } => {
                    let field = self.module.types.records[record].fields.get(index as usize);
                    let field = field.and_then(|field| field.name).map(|name| self.name(name));
                    self.member(base, &field.unwrap_or_default(), depth)
                }
                Inst::Index { base, index, .. } => {
                    format!("{}[{}]", self.pointer(base, depth), self.value(index, depth))
                }
                _ => format!("*{}", self.value(address, depth)),
            },
            _ => format!("*{}", self.value(address, depth)),
        }
    }

    fn member(&self, base: ValueId, field: &str, depth: u32) -> String {
        match self.is_place(base) {
            true => format!("{}.{field}", self.at_address(base, depth)),
            false => format!("{}->{field}", self.value(base, depth)),
        }
    }

    fn pointer(&self, base: ValueId, depth: u32) -> String {
        match self.body.values[base].kind {
            ValueKind::Const(constant @ (Constant::Slot(_) | Constant::Object(_))) => {
                self.variable(constant)
            }
            _ if self.is_place(base) => self.at_address(base, depth),
            _ => self.value(base, depth),
        }
    }

    fn variable(&self, constant: Constant) -> String {
        let name = match constant {
            Constant::Slot(slot) => self.body.slots[slot].var.map(|var| self.body.vars[var].name),
            Constant::Object(object) => self.module.objects[object].name,
            _ => None,
        };
        name.map_or(String::from("…"), |name| self.name(name))
    }

    fn is_array(&self, constant: Constant) -> bool {
        let ty = match constant {
            Constant::Slot(slot) => self.body.slots[slot].ty,
            Constant::Object(object) => self.module.objects[object].ty,
            _ => return false,
        };
        matches!(self.module.types.types[ty], Type::Array { .. })
    }

    /// Whether an address is that of a named object or of a part of something.
    fn is_place(&self, address: ValueId) -> bool {
        let row = &self.body.values[address];
        match row.kind {
            ValueKind::Const(Constant::Slot(_) | Constant::Object(_)) => true,
            ValueKind::Inst(inst) => {
                let part = matches!(self.body.insts[inst], Inst::Field { .. } | Inst::Index { .. });
                row.var.is_none() && part
            }
            _ => false,
        }
    }

    fn name(&self, name: caulk_base::Name) -> String {
        self.module.names.get(name).unwrap_or("…").to_string()
    }

    fn constant(&self, constant: Constant, scalar: Scalar) -> String {
        match constant {
            Constant::Int(0) if scalar == Scalar::Ptr => String::from("NULL"),
            Constant::Int(number) => number.to_string(),
            Constant::Float(_) | Constant::Wide(_) => String::from("a constant"),
            Constant::Object(object) => {
                let name = self.module.objects[object].name;
                name.map_or(String::from("\"…\""), |name| format!("&{}", self.name(name)))
            }
            Constant::Function(function) => self.module.function_name(function).to_string(),
            Constant::Slot(slot) => self.slot(slot),
            Constant::Label(_) => String::from("a label"),
            Constant::Undef => String::from("an unset value"),
        }
    }

    fn slot(&self, slot: caulk_ir::SlotId) -> String {
        let var = self.body.slots[slot].var.map(|var| &self.body.vars[var]);
        let var = var.filter(|var| matches!(var.home, VarHome::Slot(_)));
        var.map_or(String::from("…"), |var| format!("&{}", self.name(var.name)))
    }
}

/// The comparison, or its opposite. Floats have no opposite: neither may hold.
fn symbol(op: CompareOp, holds: bool) -> Option<&'static str> {
    use CompareOp as Op;
    Some(match (op, holds) {
        (Op::Eq, true) | (Op::Ne, false) | (Op::FEq, true) | (Op::FNe, false) => "==",
        (Op::Ne, true) | (Op::Eq, false) | (Op::FNe, true) | (Op::FEq, false) => "!=",
        (Op::LtS | Op::LtU, true) | (Op::GeS | Op::GeU, false) | (Op::FLt, true) => "<",
        (Op::LeS | Op::LeU, true) | (Op::GtS | Op::GtU, false) | (Op::FLe, true) => "<=",
        (Op::GtS | Op::GtU, true) | (Op::LeS | Op::LeU, false) | (Op::FGt, true) => ">",
        (Op::GeS | Op::GeU, true) | (Op::LtS | Op::LtU, false) | (Op::FGe, true) => ">=",
        _ => return None,
    })
}

fn operator(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add | BinaryOp::AddS | BinaryOp::FAdd => "+",
        BinaryOp::Sub | BinaryOp::SubS | BinaryOp::FSub | BinaryOp::PtrDiff => "-",
        BinaryOp::Mul | BinaryOp::MulS | BinaryOp::FMul => "*",
        BinaryOp::DivS | BinaryOp::DivU | BinaryOp::FDiv => "/",
        BinaryOp::RemS | BinaryOp::RemU => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl | BinaryOp::ShlS => "<<",
        BinaryOp::ShrS | BinaryOp::ShrU => ">>",
        BinaryOp::CopySign => return None,
    })
}
