//! The verifier on modules that no text can express: ids that do not exist, and tables that do
//! not agree. A module is broken in memory, one id at a time.

mod common;

use caulk_base::{FileId, Name, Place, Span, SpanId, Table};
use caulk_ir::verify::{self, Violation};
use caulk_ir::{
    AsmId, Attribute, BlockId, Body, CallId, Callee, Constant, EnumId, FunctionBody, FunctionId,
    Inst, InstId, Module, ObjectId, ObjectKind, RecordId, Refusal, RelocationTarget, ScopeId,
    SignatureId, SlotId, Terminator, Type, TypeId, ValueId, ValueKind, VarHome, VarId,
};
use common::{parse_ok, seeds};

fn everything() -> Module {
    let (name, text) = seeds().into_iter().find(|(name, _)| name == "everything.ir").expect("seed");
    parse_ok(&name, &text)
}

fn body_mut(module: &mut Module, id: u32) -> &mut Body {
    match &mut module.functions[FunctionId(id)].body {
        FunctionBody::Defined(body) => body,
        _ => panic!("f{id} has a body"),
    }
}

fn broken(change: impl FnOnce(&mut Module)) -> Vec<Violation> {
    let mut module = everything();
    change(&mut module);
    // Whatever is wrong with it, it can still be shown.
    assert!(!caulk_ir::print::module(&module).is_empty());
    assert!(!caulk_ir::print::cfg_dot(&module, FunctionId(8)).is_empty());
    verify::module(&module)
}

fn told_for(wanted: &str, change: impl FnOnce(&mut Module)) {
    let found = broken(change);
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.contains(wanted)), "{told:?}\nwanted {wanted}");
}

fn body_told(wanted: &str, change: impl FnOnce(&mut Body)) {
    told_for(wanted, |module| change(body_mut(module, 8)));
}

/// Replaces the first instruction, which is `v2 = load i32 v1`.
fn inst_told(wanted: &str, inst: Inst) {
    body_told(wanted, |body| body.insts[InstId(0)] = inst);
}

#[test]
fn ids_of_the_module_exist() {
    told_for("names t99, which", |m| m.objects[ObjectId(0)].ty = TypeId(99));
    told_for("o0 names at9999", |m| m.objects[ObjectId(0)].span = SpanId(9999));
    told_for("f0 names sig99", |m| m.functions[FunctionId(0)].signature = SignatureId(99));
    told_for("f0 names name9999", |m| m.functions[FunctionId(0)].name = Name(9999));
    told_for("rec0 names t99", |m| m.types.records[RecordId(0)].fields[0].ty = TypeId(99));
    told_for("names file7", |m| {
        m.spans.add(Span::at(Place { file: FileId(7), line: 1, column: 1 }));
    });
    told_for("t0 names rec9", |m| m.types.types[TypeId(0)] = Type::Record(RecordId(9)));
    told_for("o2 names f99", |m| {
        let init = m.objects[ObjectId(2)].init.as_mut().expect("initial bytes");
        init.relocations[3].target = RelocationTarget::Function(FunctionId(99));
    });
    assert!(broken(|_| {}).is_empty());
}

#[test]
fn ids_of_the_module_s_tables_exist() {
    let name = Name(9999);
    let enumerated = |m: &mut Module| m.types.enums[EnumId(0)].enumerators[0].name = name;
    told_for("o1 names name9999", |m| m.objects[ObjectId(1)].name = Some(name));
    told_for("rec0 names name9999", |m| m.types.records[RecordId(0)].name = Some(name));
    told_for("rec0 names name9999", |m| m.types.records[RecordId(0)].fields[0].name = Some(name));
    told_for("enum0 names name9999", |m| m.types.enums[EnumId(0)].name = Some(name));
    told_for("enum0 names name9999", enumerated);
    told_for("sig0 names t99", |m| m.types.signatures[SignatureId(0)].result = TypeId(99));
    told_for("sig0 names t99", |m| m.types.signatures[SignatureId(0)].params[0] = TypeId(99));
    told_for("t0 names enum9", |m| m.types.types[TypeId(0)] = Type::Enum(EnumId(9)));
    told_for("t0 names sig9", |m| m.types.types[TypeId(0)] = Type::Function(SignatureId(9)));
    told_for("t0 names t99", |m| {
        m.types.types[TypeId(0)] = Type::Pointer { to: TypeId(99), to_const: false };
    });
    told_for("t0 names name9999", |m| {
        m.types.types[TypeId(0)] = Type::Opaque { name, size: 1, align: 1 };
    });
    told_for("o5 names f99", |m| {
        m.objects[ObjectId(5)].kind = ObjectKind::StaticLocal(FunctionId(99));
    });
    told_for("o2 names o99", |m| {
        let init = m.objects[ObjectId(2)].init.as_mut().expect("initial bytes");
        init.relocations[0].target = RelocationTarget::Object(ObjectId(99));
    });
    told_for("f0 names at9999", |m| m.functions[FunctionId(0)].span = SpanId(9999));
    told_for("f6 names at9999", |m| {
        let refusal = Refusal { reason: String::new(), span: SpanId(9999) };
        m.functions[FunctionId(6)].body = FunctionBody::Refused(refusal);
    });
    told_for("f0 names name9999", |m| {
        m.functions[FunctionId(0)].attributes.push(Attribute::Cleanup(name));
    });
    told_for("o0 names name9999", |m| {
        m.objects[ObjectId(0)].attributes.push(Attribute::Cleanup(name));
    });
}

#[test]
fn ids_of_a_body_exist() {
    let value = ValueId(9999);
    inst_told("v9999 does not exist", Inst::VaEnd { list: value });
    flow_told("v9999 does not exist", |body| body.calls[CallId(4)].result_into = Some(value));
    flow_told("v9999 does not exist", |body| {
        body.calls[CallId(0)].callee = Callee::Pointer(value);
    });
    body_told("v9999 does not exist", |body| body.asms[AsmId(1)].outputs[0].address = value);
    body_told("v9999 does not exist", |body| body.asms[AsmId(1)].inputs[0].value = value);
    body_told("f8 b1: v9999 does not exist", |body| {
        body.blocks[BlockId(1)].terminator = Terminator::Return(Some(value));
    });
    flow_told("f7 b0: v9999 does not exist", |body| {
        let edges = body.blocks[BlockId(0)].terminator.edges_mut();
        edges.flat_map(|edge| &mut edge.args).for_each(|arg| *arg = value);
    });
    inst_told("sc99 does not exist", Inst::ScopeEnd(ScopeId(99)));
    inst_told("c99 does not exist", Inst::Call(CallId(99)));
    inst_told("asm99 does not exist", Inst::Asm(AsmId(99)));
    inst_told("x99 does not exist", Inst::Set { var: VarId(99), value: ValueId(0) });
    let field = Some((RecordId(0), 99));
    inst_told("field 99 of rec0", Inst::Field { base: ValueId(1), offset: 0, field });
    body_told("t99 does not exist", |body| body.slots[SlotId(0)].ty = TypeId(99));
    body_told("b99 does not exist", |body| {
        body.blocks[BlockId(0)].terminator.edges_mut().for_each(|edge| edge.to = BlockId(99));
    });
    body_told("at9999 does not exist", |body| body.inst_spans[InstId(3)] = SpanId(9999));
    body_told("l7 does not exist", |body| set_constant(body, Constant::Label(7)));
    body_told("o99 does not exist", |body| set_constant(body, Constant::Object(ObjectId(99))));
    body_told("f99 does not exist", |body| set_constant(body, Constant::Function(FunctionId(99))));
    body_told("s99 does not exist", |body| set_constant(body, Constant::Slot(SlotId(99))));
    body_told("wide row 99", |body| set_constant(body, Constant::Wide(99)));
}

/// The same in `f7`, which has labels, calls and more variables.
fn flow_told(wanted: &str, change: impl FnOnce(&mut Body)) {
    told_for(wanted, |module| change(body_mut(module, 7)));
}

#[test]
fn ids_of_a_body_s_tables_exist() {
    let (value, at, ty) = (ValueId(9999), SpanId(9999), TypeId(99));
    body_told("x99 does not exist", |body| body.values[ValueId(3)].var = Some(VarId(99)));
    body_told("v9999 does not exist", |body| body.params[0] = value);
    body_told("v9999 does not exist", |body| body.result_into = Some(value));
    body_told("v9999 does not exist", |body| body.results[InstId(0)] = Some(value));
    body_told("the body has no scopes", |body| body.scopes = Table::new());
    body_told("at9999 does not exist", |body| body.blocks[BlockId(0)].terminator_span = at);
    body_told("at9999 does not exist", |body| body.scopes[ScopeId(0)].span = at);
    flow_told("v9999 does not exist", |body| body.blocks[BlockId(2)].params[0] = value);
    flow_told("b99 does not exist", |body| body.labels[0].1 = BlockId(99));
    flow_told("the name of l0 does not exist", |body| body.labels[0].0 = Name(9999));
    flow_told("sc99 does not exist", |body| body.scopes[ScopeId(1)].parent = Some(ScopeId(99)));
    flow_told("sc99 does not exist", |body| body.slots[SlotId(0)].scope = Some(ScopeId(99)));
    flow_told("x99 does not exist", |body| body.slots[SlotId(0)].var = Some(VarId(99)));
    flow_told("t99 does not exist", |body| body.vars[VarId(0)].ty = ty);
    flow_told("at9999 does not exist", |body| body.vars[VarId(0)].span = at);
    flow_told("sc99 does not exist", |body| body.vars[VarId(0)].scope = ScopeId(99));
    flow_told("a variable's name does not exist", |body| body.vars[VarId(0)].name = Name(9999));
    flow_told("s99 does not exist", |body| body.vars[VarId(3)].home = VarHome::Slot(SlotId(99)));
    flow_told("o99 does not exist", |body| {
        body.vars[VarId(3)].home = VarHome::Object(ObjectId(99));
    });
    flow_told("sig99 does not exist", |body| body.calls[CallId(0)].signature = SignatureId(99));
    flow_told("t99 does not exist", |body| body.calls[CallId(0)].args[0].ty = ty);
    flow_told("v9999 does not exist", |body| body.calls[CallId(0)].args[0].value = value);
    flow_told("f99 does not exist", |body| {
        body.calls[CallId(0)].callee = Callee::Function(FunctionId(99));
    });
    body_told("t99 does not exist", |body| body.asms[AsmId(1)].outputs[0].ty = ty);
    let (to, from) = (ValueId(1), ValueId(1));
    inst_told("t99 does not exist", Inst::Copy { to, from, size: ValueId(5), ty });
}

fn set_constant(body: &mut Body, constant: Constant) {
    let last = ValueId(body.values.len() as u32 - 1);
    body.values[last].kind = ValueKind::Const(constant);
}

#[test]
fn tables_agree() {
    body_told("differ in number", |body| {
        body.results.push(None);
    });
    body_told("b1 holds i4..", |body| body.blocks[BlockId(1)].first = InstId(4));
    body_told("not after the last instruction", |body| {
        body.blocks[BlockId(2)].end = InstId(3);
    });
    body_told("the body has no blocks", |body| *body = Body::default());
    body_told("v2 is defined as Inst(i0) but says", |body| {
        body.values[ValueId(2)].kind = ValueKind::Inst(InstId(5));
    });
    body_told("v2 is not defined where it says", |body| {
        body.values[ValueId(2)].kind = ValueKind::BlockParam(BlockId(77), 0);
    });
    body_told("v2 is defined as Inst(i1) but says", |body| {
        body.results[InstId(1)] = Some(ValueId(2));
    });
    body_told("v0 is not defined where it says: Param(0)", |body| {
        body.params[0] = ValueId(1);
    });
    told_for("c0 belongs to 2 instructions", |module| {
        let body = body_mut(module, 7);
        body.insts[InstId(0)] = Inst::Call(CallId(0));
    });
    told_for("c1 belongs to 0 instructions", |module| {
        body_mut(module, 7).insts[InstId(1)] = Inst::Fence;
    });
}
