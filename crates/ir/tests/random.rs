//! Random modules: they print, read back as the same text, and keep their structure. Most break
//! some rule of the verifier; the text form has to carry them all the same.

mod common;

use caulk_base::{File, FileId, Id, Name, Place, Span, SpanId, Table};
use caulk_ir::{
    Asm, AsmId, AsmInput, AsmOutput, Attribute, BinaryOp, BitRange, Block, BlockId, Body, Call,
    CallArg, CallId, Callee, CompareOp, Constant, ConvertOp, Definition, Edge, EnumId, EnumType,
    Enumerator, Field, Function, FunctionBody, FunctionId, Init, Inst, InstId, Linkage, Module,
    Object, ObjectId, ObjectKind, OverflowOp, OverflowPart, Record, RecordId, RecordKind, Refusal,
    Relocation, RelocationTarget, RmwOp, Scalar, Scope, ScopeId, Signature, SignatureId, Slot,
    SlotId, SwitchCase, Target, Terminator, Type, TypeId, UnaryOp, Unreachable, Value, ValueId,
    ValueKind, Var, VarHome, VarId, parse, print, verify,
};
use common::{Random, check_round_trip};

/// Names that are awkward to spell.
const NAMES: [&str; 12] =
    ["a", "_", "v0", "b1:", "", "a b", "größe", "\n\t\0\\\"", "\u{202e}x", "$x_1", "//", "null"];

const TYPES: usize = 12;
const RECORDS: usize = 3;
const ENUMS: usize = 2;
const SIGNATURES: usize = 4;
const OBJECTS: usize = 5;
const FUNCTIONS: usize = 6;
const FILES: usize = 3;
const BLOCKS: usize = 5;
const VARS: usize = 3;
const SCOPES: usize = 3;
const SLOTS: usize = 3;
const LABELS: usize = 2;

struct Generator {
    random: Random,
    module: Module,
}

impl Generator {
    fn id<I: Id>(&mut self, len: usize) -> I {
        I::from_index(self.random.below(len))
    }

    fn name(&mut self) -> Name {
        let text = *self.random.pick(&NAMES);
        self.module.names.intern(text)
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.random.chance(50) { Some(make(self)) } else { None }
    }

    fn many<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.random.below(most + 1)).map(|_| make(self)).collect()
    }

    fn bool(&mut self) -> bool {
        self.random.chance(50)
    }

    fn scalar(&mut self) -> Scalar {
        *self.random.pick(&Scalar::ALL)
    }

    /// Small or huge.
    fn number(&mut self) -> u64 {
        let bits = self.random.next();
        if self.bool() { bits % 100 } else { bits }
    }

    fn span(&mut self) -> SpanId {
        if self.random.chance(30) {
            return SpanId::NOWHERE;
        }
        let (start, end) = (self.place(), self.place());
        let in_macro = self.maybe(Self::place);
        let (end_line, end_column) = (end.line, end.column);
        self.module.spans.add(Span { start, end_line, end_column, in_macro })
    }

    fn place(&mut self) -> Place {
        let line = self.random.below(4) as u32;
        Place { file: self.id::<FileId>(FILES), line, column: self.random.next() as u32 }
    }

    fn module(mut self) -> Module {
        for index in 0..FILES {
            let path = self.random.pick(&NAMES).to_string().into();
            self.module.files.push(File { path, system: index == 1 });
        }
        for _ in 0..TYPES {
            let ty = self.ty();
            self.module.types.types.push(ty);
        }
        for _ in 0..RECORDS {
            let record = self.record();
            self.module.types.records.push(record);
        }
        for _ in 0..ENUMS {
            let row = self.enumeration();
            self.module.types.enums.push(row);
        }
        for _ in 0..SIGNATURES {
            let params = self.many(3, |it| it.id(TYPES));
            let (result, variadic, prototyped) = (self.id(TYPES), self.bool(), self.bool());
            let signature = Signature { result, params, variadic, prototyped };
            self.module.types.signatures.push(signature);
        }
        for _ in 0..OBJECTS {
            let object = self.object();
            self.module.objects.push(object);
        }
        for _ in 0..FUNCTIONS {
            let function = self.function();
            self.module.functions.push(function);
        }
        self.module
    }

    fn ty(&mut self) -> Type {
        match self.random.below(9) {
            0 => Type::Void,
            1 => Type::Scalar { scalar: self.scalar(), signed: self.bool() },
            2 => Type::Enum(self.id::<EnumId>(ENUMS)),
            3 => Type::Pointer { to: self.id(TYPES), to_const: self.bool() },
            4 => Type::Array { element: self.id(TYPES), len: self.maybe(Self::number) },
            5 => Type::Vector { element: self.id(TYPES), len: self.number() as u32 },
            6 => Type::Record(self.id::<RecordId>(RECORDS)),
            7 => Type::Function(self.id::<SignatureId>(SIGNATURES)),
            _ => Type::Opaque { name: self.name(), size: self.number(), align: self.number() },
        }
    }

    fn record(&mut self) -> Record {
        let kind = *self.random.pick(&[RecordKind::Struct, RecordKind::Union]);
        let name = self.maybe(Self::name);
        let (complete, size, align) = (self.bool(), self.number(), self.number());
        let fields = self.many(4, |it| Field {
            name: it.maybe(Self::name),
            ty: it.id(TYPES),
            offset: it.number(),
            bits: it.maybe(|it| (it.number() as u8, it.number() as u8)),
        });
        Record { kind, name, complete, size, align, fields }
    }

    fn enumeration(&mut self) -> EnumType {
        let (name, scalar, signed) = (self.maybe(Self::name), self.scalar(), self.bool());
        let enumerators = self.many(3, |it| {
            let value = (i128::from(it.random.next() as i64)) << it.random.below(64);
            Enumerator { name: it.name(), value }
        });
        EnumType { name, scalar, signed, enumerators }
    }

    fn object(&mut self) -> Object {
        let kinds = [
            ObjectKind::Variable,
            ObjectKind::StringLiteral,
            ObjectKind::Literal,
            ObjectKind::StaticLocal(self.id::<FunctionId>(FUNCTIONS)),
        ];
        let definitions = [Definition::Declared, Definition::Tentative, Definition::Defined];
        Object {
            name: self.maybe(Self::name),
            kind: *self.random.pick(&kinds),
            linkage: self.linkage(),
            definition: *self.random.pick(&definitions),
            ty: self.id::<TypeId>(TYPES),
            size: self.number(),
            align: self.number(),
            thread_local: self.bool(),
            constant: self.bool(),
            init: self.maybe(Self::init),
            attributes: self.many(3, Self::attribute),
            span: self.span(),
        }
    }

    fn linkage(&mut self) -> Linkage {
        *self.random.pick(&[Linkage::External, Linkage::Internal, Linkage::None])
    }

    fn init(&mut self) -> Init {
        let text = self.bool();
        let bytes = self.many(80, |it| {
            let byte = it.random.next() as u8;
            if text { b' ' + byte % 95 } else { byte }
        });
        let relocations = self.many(3, |it| {
            let function = it.id(FUNCTIONS);
            let (label, base) = (it.random.next() as u32, it.random.next() as u32);
            let target = match it.random.below(4) {
                0 => RelocationTarget::Object(it.id::<ObjectId>(OBJECTS)),
                1 => RelocationTarget::Function(function),
                2 => RelocationTarget::Label { function, label },
                _ => RelocationTarget::LabelDistance { function, label, base },
            };
            let (offset, size, addend) = (it.number(), it.number() as u8, it.number() as i64);
            Relocation { offset, size, target, addend }
        });
        Init { bytes, relocations }
    }

    fn attribute(&mut self) -> Attribute {
        let (name, number) = (self.name(), self.random.next() as u32);
        let numbers = self.many(3, |it| it.random.next() as u32);
        match self.random.below(9) {
            0 => Attribute::MallocDealloc { function: name, argument: number },
            1 => Attribute::AllocSize { size: number, count: numbers.first().copied() },
            2 => Attribute::OwnershipTakes { class: name, arguments: numbers },
            3 => Attribute::NonNull(numbers),
            4 => Attribute::Constructor(numbers.first().copied()),
            5 => Attribute::Format { archetype: name, string: number, first: 0 },
            6 => Attribute::Access { mode: name, pointer: number, size: numbers.first().copied() },
            7 => Attribute::Section(name),
            _ => Attribute::Hot,
        }
    }

    fn function(&mut self) -> Function {
        let body = match self.random.below(4) {
            0 => FunctionBody::Declared,
            1 => {
                let reason = self.random.pick(&NAMES).to_string();
                FunctionBody::Refused(Refusal { reason, span: self.span() })
            }
            _ => FunctionBody::Defined(Box::new(BodyGenerator::new(self).body())),
        };
        Function {
            name: self.name(),
            linkage: self.linkage(),
            signature: self.id(SIGNATURES),
            attributes: self.many(3, Self::attribute),
            span: self.span(),
            system: self.bool(),
            body,
        }
    }
}

struct BodyGenerator<'g> {
    outer: &'g mut Generator,
    body: Body,
}

impl<'g> BodyGenerator<'g> {
    fn new(outer: &'g mut Generator) -> Self {
        Self { outer, body: Body::default() }
    }

    fn body(mut self) -> Body {
        self.tables();
        for index in 0..self.outer.random.below(4) {
            let param = self.define(ValueKind::Param(index as u32));
            self.body.params.push(param);
        }
        if self.outer.bool() {
            self.body.result_into = Some(self.define(ValueKind::Param(u32::MAX)));
        }
        for index in 0..BLOCKS {
            self.block(BlockId::from_index(index));
        }
        self.body
    }

    fn tables(&mut self) {
        for _ in 0..SCOPES {
            let parent = self.outer.maybe(|it| it.id::<ScopeId>(SCOPES));
            let span = self.outer.span();
            self.body.scopes.push(Scope { parent, span });
        }
        for _ in 0..VARS {
            let var = self.variable();
            self.body.vars.push(var);
        }
        for _ in 0..SLOTS {
            let it = &mut *self.outer;
            let (ty, size, align) = (it.id(TYPES), it.number(), it.number());
            let (scope, var) = (it.maybe(|it| it.id(SCOPES)), it.maybe(|it| it.id(VARS)));
            self.body.slots.push(Slot { ty, size, align, scope, var });
        }
        for _ in 0..LABELS {
            let label = (self.outer.name(), self.outer.id(BLOCKS));
            self.body.labels.push(label);
        }
    }

    fn variable(&mut self) -> Var {
        let it = &mut *self.outer;
        let homes = [
            VarHome::Values,
            VarHome::Slot(it.id::<SlotId>(SLOTS)),
            VarHome::Param,
            VarHome::Alloca,
            VarHome::Object(it.id(OBJECTS)),
        ];
        Var {
            name: it.name(),
            ty: it.id(TYPES),
            home: *it.random.pick(&homes),
            span: it.span(),
            scope: it.id(SCOPES),
            param: it.maybe(|it| it.number() as u32),
        }
    }

    fn define(&mut self, kind: ValueKind) -> ValueId {
        let scalar = self.outer.scalar();
        let var = self.outer.maybe(|it| it.id::<VarId>(VARS));
        self.body.values.push(Value { scalar, kind, var })
    }

    /// A value that exists, or a new constant; equal constants and unused rows do occur.
    fn operand(&mut self) -> ValueId {
        if self.outer.bool() && !self.body.values.is_empty() {
            return self.outer.id(self.body.values.len());
        }
        let scalar = self.outer.scalar();
        let constant = self.constant(scalar);
        let var = if self.outer.random.chance(10) { Some(VarId(0)) } else { None };
        let id = self.body.values.push(Value { scalar, kind: ValueKind::Const(constant), var });
        if self.outer.random.chance(10) { self.operand() } else { id }
    }

    fn constant(&mut self, scalar: Scalar) -> Constant {
        let it = &mut *self.outer;
        let bits = it.number();
        match it.random.below(8) {
            0 => Constant::Undef,
            1 => Constant::Object(it.id(OBJECTS)),
            2 => Constant::Function(it.id(FUNCTIONS)),
            3 => Constant::Slot(it.id(SLOTS)),
            4 => Constant::Label(it.random.below(LABELS) as u32),
            _ => match scalar {
                Scalar::F16 | Scalar::F32 | Scalar::F64 => Constant::Float(bits),
                Scalar::F80 | Scalar::F128 => self.wide(bits),
                Scalar::I128 if bits > 50 => self.wide(bits),
                _ => Constant::Int(bits as i64),
            },
        }
    }

    fn wide(&mut self, bits: u64) -> Constant {
        self.body.wide.push(u128::from(bits) << self.outer.random.below(65));
        Constant::Wide(self.body.wide.len() as u32 - 1)
    }

    fn block(&mut self, id: BlockId) {
        let mut params = Vec::new();
        for index in 0..self.outer.random.below(3) {
            params.push(self.define(ValueKind::BlockParam(id, index as u32)));
        }
        let first = self.body.insts.next_id();
        for _ in 0..self.outer.random.below(12) {
            self.instruction();
        }
        let end = self.body.insts.next_id();
        let terminator = self.terminator();
        let terminator_span = self.outer.span();
        self.body.blocks.push(Block { params, first, end, terminator, terminator_span });
    }

    fn instruction(&mut self) {
        let id: InstId = self.body.insts.next_id();
        let inst = self.inst();
        let result = if self.outer.bool() { Some(self.define(ValueKind::Inst(id))) } else { None };
        self.body.insts.push(inst);
        self.body.results.push(result);
        let span = self.outer.span();
        self.body.inst_spans.push(span);
    }

    fn inst(&mut self) -> Inst {
        let [one, two, three] = [self.operand(), self.operand(), self.operand()];
        if self.outer.random.chance(25) {
            return if self.outer.bool() { self.call() } else { self.assembly() };
        }
        let it = &mut *self.outer;
        let (scalar, flag, ty) = (it.scalar(), it.bool(), it.id(TYPES));
        let bits = BitRange { first: it.number() as u8, width: it.number() as u8, signed: flag };
        match it.random.below(24) {
            0 => Inst::Load { from: one, scalar, volatile: flag },
            1 => Inst::Store { to: one, value: two, volatile: flag },
            2 => Inst::LoadBits { from: one, scalar, bits },
            3 => Inst::StoreBits { to: one, value: two, bits },
            4 => Inst::Unary { op: it.random.pick(&UnaryOp::ALL).0, value: one },
            5 => Inst::Binary { op: it.random.pick(&BinaryOp::ALL).0, lhs: one, rhs: two },
            6 => Inst::Compare { op: it.random.pick(&CompareOp::ALL).0, lhs: one, rhs: two },
            7 => Inst::Convert { op: it.random.pick(&ConvertOp::ALL).0, value: one, to: scalar },
            8 => Inst::Overflow {
                op: it.random.pick(&OverflowOp::ALL).0,
                part: *it.random.pick(&[OverflowPart::Result, OverflowPart::Flag]),
                lhs: one,
                rhs: two,
                scalar,
                signs: [flag, it.bool(), it.bool()],
            },
            9 => Inst::Field { base: one, offset: it.number() as i64, field: None },
            10 => Inst::Index { base: one, index: two, stride: it.number() as i64 },
            11 => Inst::Copy { to: one, from: two, size: three, ty },
            12 => Inst::Fill { to: one, byte: two, size: three },
            13 => Inst::HavocMemory { to: one, size: two },
            14 => Inst::Havoc { scalar },
            15 => Inst::Alloca {
                size: one,
                align: it.number() as u32,
                scope: it.maybe(|it| it.id(SCOPES)),
            },
            16 => Inst::VaCopy { to: one, from: two },
            17 => Inst::VaArg {
                list: one,
                ty,
                scalar: it.maybe(Generator::scalar),
                into: flag.then_some(two),
            },
            18 => Inst::AtomicRmw { op: it.random.pick(&RmwOp::ALL).0, to: one, value: two },
            19 => Inst::CompareExchange { to: one, expected: two, desired: three },
            20 => Inst::ScopeBegin(it.id(SCOPES)),
            21 => Inst::ScopeEnd(it.id(SCOPES)),
            22 => Inst::Set { var: it.id(VARS), value: one },
            _ => Inst::Fence,
        }
    }

    fn call(&mut self) -> Inst {
        let callee = match self.outer.bool() {
            true => Callee::Function(self.outer.id(FUNCTIONS)),
            false => Callee::Pointer(self.operand()),
        };
        let args = (0..self.outer.random.below(4))
            .map(|_| CallArg { value: self.operand(), ty: self.outer.id(TYPES) })
            .collect();
        let signature = self.outer.id(SIGNATURES);
        let result_into = if self.outer.bool() { Some(self.operand()) } else { None };
        let noreturn = self.outer.bool();
        let call = Call { callee, signature, args, result_into, noreturn };
        Inst::Call(self.body.calls.push(call) as CallId)
    }

    fn assembly(&mut self) -> Inst {
        let mut asm = Asm {
            template: self.outer.random.pick(&NAMES).to_string(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers_memory: self.outer.bool(),
        };
        for _ in 0..self.outer.random.below(3) {
            let constraint = self.outer.random.pick(&NAMES).to_string();
            let (address, ty, read) = (self.operand(), self.outer.id(TYPES), self.outer.bool());
            asm.outputs.push(AsmOutput { constraint: constraint.clone(), address, ty, read });
            let (value, memory) = (self.operand(), self.outer.bool());
            asm.inputs.push(AsmInput { constraint, value, memory });
        }
        Inst::Asm(self.body.asms.push(asm) as AsmId)
    }

    fn terminator(&mut self) -> Terminator {
        let why = [Unreachable::Noreturn, Unreachable::Trap, Unreachable::Promised];
        match self.outer.random.below(7) {
            0 => Terminator::Jump(self.edge()),
            1 => {
                let cond = self.operand();
                Terminator::Branch { cond, then: self.edge(), otherwise: self.edge() }
            }
            2 => Terminator::Switch {
                value: self.operand(),
                signed: self.outer.bool(),
                cases: (0..self.outer.random.below(4)).map(|_| self.case()).collect(),
                default: self.edge(),
            },
            3 => Terminator::Indirect {
                target: self.operand(),
                edges: (0..self.outer.random.below(3)).map(|_| self.edge()).collect(),
            },
            4 => Terminator::Return(None),
            5 => Terminator::Return(Some(self.operand())),
            _ => Terminator::Unreachable(*self.outer.random.pick(&why)),
        }
    }

    fn case(&mut self) -> SwitchCase {
        let low = i128::from(self.outer.number() as i64);
        let high = if self.outer.bool() { low } else { i128::MAX };
        SwitchCase { low, high, edge: self.edge() }
    }

    fn edge(&mut self) -> Edge {
        let args = (0..self.outer.random.below(3)).map(|_| self.operand()).collect();
        Edge { to: self.outer.id(BLOCKS), args }
    }
}

fn generate(seed: u64) -> Module {
    let target = Target { name: "odd \"target\"".into(), pointer_bytes: 4, big_endian: true };
    let module = Module::new("some\nname".into(), target);
    Generator { random: Random::new(seed), module }.module()
}

/// What must survive exactly, whatever happens to names, spans and constants.
fn check_structure(name: &str, left: &Body, right: &Body) {
    assert_eq!(left.results, right.results, "{name}");
    assert_eq!(left.slots, right.slots, "{name}");
    assert_eq!(left.params, right.params, "{name}");
    assert_eq!(left.result_into, right.result_into, "{name}");
    assert_eq!(left.values.len(), right.values.len(), "{name}");
    for ((id, left), (_, right)) in left.values.iter().zip(right.values.iter()) {
        let constants =
            matches!((left.kind, right.kind), (ValueKind::Const(_), ValueKind::Const(_)));
        assert!(constants || left == right, "{name}: {id} {left:?} {right:?}");
    }
    let shape = |body: &Body| -> Table<BlockId, _> {
        body.blocks
            .rows()
            .iter()
            .map(|block| (block.first, block.end, block.params.clone()))
            .collect()
    };
    assert_eq!(shape(left), shape(right), "{name}");
}

#[test]
fn random_modules_round_trip() {
    for seed in 1..120 {
        let name = format!("seed {seed}");
        let module = generate(seed);
        check_round_trip(&name, &module);
        let again = parse::module(&print::module(&module)).expect("it was read before");
        for ((_, _, left), (_, _, right)) in module.bodies().zip(again.bodies()) {
            check_structure(&name, left, right);
        }
    }
}

#[test]
fn random_modules_are_verified_without_panic() {
    let mut in_bodies = 0;
    for seed in 1..120 {
        let mut module = generate(seed);
        // Labels that do not exist would end the check before it comes to the bodies.
        module.objects.iter_mut().for_each(|(_, object)| object.init = None);
        let found = verify::module(&module);
        in_bodies += usize::from(found.iter().any(|violation| violation.function.is_some()));
    }
    assert!(in_bodies > 80, "{in_bodies}");
}
