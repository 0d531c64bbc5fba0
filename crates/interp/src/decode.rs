//! A body into [`Code`]. Three patterns melt into one operation each: a member's address and
//! the access through it, an element's address and the access through it, a comparison and the
//! branch on it. All are sound in SSA: the operands keep their values.

use caulk_base::{Id, SpanId};
use caulk_ir::{
    Block, BlockId, Body, Callee, Constant, Inst, InstId, Module, Scalar, Terminator, Type, TypeId,
    ValueId, ValueKind,
};

use crate::code::{ArgCode, CallCode, CalleeCode, Code, SlotCode};
use crate::link::Program;
use crate::op::{Op, Reg, Special};
use crate::value::{Value, mask};

/// Where the program's functions and objects are.
pub struct Addresses {
    pub functions: Vec<Value>,
    pub objects: Vec<Value>,
}

pub struct Decoder<'p> {
    pub program: &'p Program,
    pub addresses: &'p Addresses,
    pub module: &'p Module,
    pub module_index: usize,
    pub function: u32,
    pub body: &'p Body,
    pub code: Code,
    pub regs: Vec<Reg>,
    pub uses: Vec<u32>,
    /// Uses as an address that an access can absorb.
    pub absorbed: Vec<u32>,
    pub blocks: Vec<u32>,
    pub edge_blocks: Vec<BlockId>,
    pub span: SpanId,
    pub inst: InstId,
    pub watch: bool,
    pub scratch: Reg,
}

const NO_REG: Reg = Reg::MAX;

pub fn decode(
    program: &Program,
    addresses: &Addresses,
    function: u32,
    body: &Body,
    watch: bool,
) -> Code {
    let entry = &program.functions[function as usize];
    let mut decoder = Decoder {
        program,
        addresses,
        module: &program.modules[entry.module],
        module_index: entry.module,
        function,
        body,
        code: Code::default(),
        regs: vec![NO_REG; body.values.len()],
        uses: vec![0; body.values.len()],
        absorbed: vec![0; body.values.len()],
        blocks: Vec::new(),
        edge_blocks: Vec::new(),
        span: SpanId::NOWHERE,
        inst: InstId(0),
        watch,
        scratch: 0,
    };
    decoder.count_uses();
    decoder.layout();
    for (_, block) in body.blocks.iter() {
        decoder.block(block);
    }
    decoder.finish()
}

impl<'p> Decoder<'p> {
    fn count_uses(&mut self) {
        for (id, inst) in self.body.insts.iter() {
            if matches!(inst, Inst::Set { .. }) && !self.watch {
                continue;
            }
            let uses = &mut self.uses;
            self.body.operands(id, |value| uses[value.index()] += 1);
            if let Inst::Load { from: address, .. }
            | Inst::Store { to: address, .. }
            | Inst::Field { base: address, .. } = *inst
            {
                self.absorbed[address.index()] += 1;
            }
            if let Inst::Store { to, value, .. } = *inst
                && to == value
            {
                self.absorbed[to.index()] = 0;
            }
        }
        for block in self.body.blocks.rows() {
            block.terminator.operand().into_iter().for_each(|value| self.uses[value.index()] += 1);
            for edge in block.terminator.edges() {
                edge.args.iter().for_each(|value| self.uses[value.index()] += 1);
            }
        }
    }

    /// Gives every value its register.
    fn layout(&mut self) {
        let mut next = 0;
        let mut take = |scalar: Scalar| {
            let reg = next;
            next += if is_wide(scalar) { 2 } else { 1 };
            reg
        };
        for &param in &self.body.params {
            let scalar = self.body.values[param].scalar;
            let reg = take(scalar);
            self.regs[param.index()] = reg;
            self.code.params.push((reg, scalar));
        }
        if let Some(into) = self.body.result_into {
            self.regs[into.index()] = take(Scalar::Ptr);
            self.code.result_into = Some(self.regs[into.index()]);
        }
        for slot in self.body.slots.rows() {
            let reg = take(Scalar::Ptr);
            self.code.slots.push(SlotCode { reg, size: slot.size, align: slot.align });
        }
        for (id, value) in self.body.values.iter() {
            match value.kind {
                ValueKind::Const(Constant::Slot(slot)) => {
                    self.regs[id.index()] = self.code.slots[slot.index()].reg;
                }
                ValueKind::Const(_) => {}
                _ if self.regs[id.index()] == NO_REG => self.regs[id.index()] = take(value.scalar),
                _ => {}
            }
        }
        self.scratch = take(Scalar::I128);
        self.code.first_constant = next;
        self.scopes();
    }

    fn scopes(&mut self) {
        self.code.scope_slots = vec![Vec::new(); self.body.scopes.len()];
        self.code.scope_vars = vec![Vec::new(); self.body.scopes.len()];
        self.code.vars = self.body.vars.len();
        for (id, slot) in self.body.slots.iter() {
            match slot.scope {
                Some(scope) => self.code.scope_slots[scope.index()].push(id.0),
                None => self.code.whole_slots.push(id.0),
            }
        }
        for (id, var) in self.body.vars.iter() {
            self.code.scope_vars[var.scope.index()].push(id.0);
        }
        let signature =
            self.module.functions[self.program.functions[self.function as usize].id].signature;
        self.code.variadic = self.module.types.signatures[signature].variadic;
    }

    pub fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.spans.push(self.span);
        self.code.insts.push(self.inst);
    }

    pub fn special(&mut self, special: Special) {
        self.code.specials.push(special);
        let special = (self.code.specials.len() - 1) as u32;
        self.emit(Op::Special { special });
    }

    pub fn scalar(&self, value: ValueId) -> Scalar {
        self.body.values[value].scalar
    }

    /// The register of a value; a constant gets one when it is first needed.
    pub fn reg(&mut self, value: ValueId) -> Reg {
        let known = self.regs[value.index()];
        if known != NO_REG {
            return known;
        }
        let row = self.body.values[value];
        let reg = self.code.first_constant + self.code.constants.len() as u32;
        let ValueKind::Const(constant) = row.kind else { return reg };
        let (low, high) = self.constant(constant, row.scalar);
        self.code.constants.push(low);
        if is_wide(row.scalar) {
            self.code.constants.push(high);
        }
        self.regs[value.index()] = reg;
        reg
    }

    fn constant(&self, constant: Constant, scalar: Scalar) -> (Value, Value) {
        let none = Value::int(0);
        match constant {
            Constant::Int(number) => {
                let width = scalar.int_bits().unwrap_or(64);
                let high = if number < 0 { u64::MAX } else { 0 };
                (Value::int(number as u64 & mask(width)), Value::int(high))
            }
            Constant::Float(bits) => (Value::int(bits), none),
            Constant::Wide(index) => {
                let bits = self.body.wide.get(index as usize).copied().unwrap_or(0);
                (Value::int(bits as u64), Value::int((bits >> 64) as u64))
            }
            Constant::Object(id) => {
                let number = self.program.object_number(self.module_index, id);
                (self.addresses.objects[number as usize], none)
            }
            Constant::Function(id) => (self.function_address(id), none),
            Constant::Label(label) => {
                let own = self.addresses.functions[self.function as usize];
                (own.moved(i64::from(label) + 1), none)
            }
            Constant::Slot(_) => (none, none),
            Constant::Undef => (Value::UNDEF, Value::UNDEF),
        }
    }

    fn function_address(&self, id: caulk_ir::FunctionId) -> Value {
        let number = self.program.function_number(self.module_index, id);
        self.addresses.functions[number as usize]
    }

    /// A constant integer that fits an immediate operand, sign-extended from its width.
    pub fn small(&self, value: ValueId) -> Option<i32> {
        match self.body.constant(value)? {
            Constant::Int(number) if !is_wide(self.scalar(value)) => i32::try_from(number).ok(),
            _ => None,
        }
    }

    fn block(&mut self, block: &'p Block) {
        self.blocks.push(self.code.ops.len() as u32);
        for id in block.insts() {
            self.span = self.body.inst_spans[id];
            self.inst = id;
            self.inst(id);
        }
        self.span = block.terminator_span;
        self.inst = block.end;
        self.terminator(&block.terminator, block);
    }

    /// The register that an instruction defines.
    pub fn result(&mut self, id: InstId) -> Reg {
        match self.body.results[id] {
            Some(value) => self.reg(value),
            None => self.scratch,
        }
    }

    /// The access absorbs this address computation: nothing is left to do.
    pub fn is_absorbed(&self, id: InstId) -> bool {
        self.body.results[id].is_some_and(|value| {
            self.uses[value.index()] == self.absorbed[value.index()] && self.uses[value.index()] > 0
        })
    }

    /// The comparison runs with the branch that ends its block.
    pub fn melts_into_branch(&self, id: InstId) -> bool {
        let Some(value) = self.body.results[id] else { return false };
        let block = self.body.blocks.rows().partition_point(|block| block.end <= id);
        let terminator = self.body.blocks.rows().get(block).map(|block| &block.terminator);
        self.uses[value.index()] == 1
            && matches!(terminator, Some(Terminator::Branch { cond, .. }) if *cond == value)
    }

    /// The base and offset that an address amounts to, through members.
    pub fn place(&mut self, address: ValueId) -> (Reg, i32) {
        let (mut at, mut offset) = (address, 0_i64);
        while let Some(id) = self.body.definition(at)
            && let Inst::Field { base, offset: step, .. } = self.body.insts[id]
            && let Some(sum) = offset.checked_add(step)
            && i32::try_from(sum).is_ok()
            && self.is_absorbed(id)
            && self.absorbs_fully(id)
        {
            (at, offset) = (base, sum);
        }
        (self.reg(at), offset as i32)
    }

    /// The index computation that only this access uses.
    pub fn element(&mut self, address: ValueId) -> Option<(Reg, Reg, i16)> {
        let id = self.body.definition(address)?;
        let Inst::Index { base, index, stride } = self.body.insts[id] else { return None };
        if !self.is_melted_index(id) {
            return None;
        }
        let stride = i16::try_from(stride).ok()?;
        Some((self.reg(base), self.reg(index), stride))
    }

    /// An index whose only use is the address of one plain load or store.
    pub fn is_melted_index(&self, id: InstId) -> bool {
        let Some(value) = self.body.results[id] else { return false };
        let Inst::Index { stride, .. } = self.body.insts[id] else { return false };
        let next = InstId(id.0 + 1);
        let used_next = match self.body.insts.get(next) {
            Some(&Inst::Load { from, scalar, .. }) => from == value && is_plain(scalar),
            Some(&Inst::Store { to, value: stored, .. }) => {
                to == value && stored != value && is_plain(self.scalar(stored))
            }
            _ => false,
        };
        used_next && self.uses[value.index()] == 1 && i16::try_from(stride).is_ok()
    }

    pub fn is_watched(&self) -> bool {
        self.watch
    }

    pub fn type_size(&self, ty: TypeId) -> Option<u64> {
        type_size(self.module, ty)
    }

    pub fn call(&mut self, id: InstId, call: caulk_ir::CallId) {
        let row = &self.body.calls[call];
        let callee = match row.callee {
            Callee::Function(function) => {
                CalleeCode::Function(self.program.function_number(self.module_index, function))
            }
            Callee::Pointer(value) => CalleeCode::Pointer(self.reg(value)),
        };
        let args = row.args.iter().map(|arg| self.argument(arg.value, arg.ty)).collect();
        let result = self.body.results[id].map(|value| self.scalar(value));
        let dst = self.body.results[id].map(|value| self.reg(value));
        let into = row.result_into.map(|value| self.reg(value));
        self.code.calls.push(CallCode { callee, args, dst, result, into, noreturn: row.noreturn });
        let call = (self.code.calls.len() - 1) as u32;
        self.emit(Op::Call { call });
    }

    fn argument(&mut self, value: ValueId, ty: TypeId) -> ArgCode {
        let aggregate = self.module.types.is_aggregate(ty).then(|| self.type_size(ty).unwrap_or(0));
        ArgCode { reg: self.reg(value), scalar: self.scalar(value), ty, aggregate }
    }

    fn finish(mut self) -> Code {
        for (edge, block) in self.code.edges.iter_mut().zip(&self.edge_blocks) {
            edge.pc = self.blocks[block.index()];
        }
        self.code.value_regs = std::mem::take(&mut self.regs);
        self.code.entry_weight = self.weight(BlockId::ENTRY);
        self.code.registers = self.code.first_constant + self.code.constants.len() as u32;
        self.code
    }
}

pub fn is_wide(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I128 | Scalar::F80 | Scalar::F128)
}

/// Loaded and stored as its bits.
fn is_plain(scalar: Scalar) -> bool {
    !is_wide(scalar) && scalar != Scalar::I1
}

pub fn type_size(module: &Module, ty: TypeId) -> Option<u64> {
    let types = &module.types;
    match *types.types.get(ty)? {
        Type::Void | Type::Function(_) => Some(1),
        Type::Scalar { scalar, .. } => Some(match scalar {
            Scalar::F80 => 16,
            other => u64::from(other.bytes(8)),
        }),
        Type::Enum(id) => Some(u64::from(types.enums[id].scalar.bytes(8))),
        Type::Pointer { .. } => Some(8),
        Type::Array { element, len } => len?.checked_mul(type_size(module, element)?),
        Type::Vector { element, len } => u64::from(len).checked_mul(type_size(module, element)?),
        Type::Record(id) => Some(types.records[id].size),
        Type::Opaque { size, .. } => Some(size),
    }
}
