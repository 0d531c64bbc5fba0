//! One instruction: the rules D1–D10 of Figure 1, for the representation.
//!
//! A store is D1, D2 and (after a call that allocates) D3; `Set` of a pointer variable is D4 and D5;
//! a release is D6; values are D7 and D8; loads are D9 and D10.

use caulk_ir::{Constant, Inst, InstId, RmwOp, Scalar, ValueId, ValueKind};

use crate::get::Access;
use crate::heap::Item;
use crate::space::{AtomKind, Expr, Place};
use crate::state::{Activation, Context, Evaluator, Stop, origin};

impl<'a> Evaluator<'a> {
    /// The contexts after an instruction: none where it cannot be executed, several where it
    /// decides something.
    pub fn step(
        &mut self,
        run: &Activation<'a>,
        mut context: Context,
        inst: InstId,
    ) -> Result<Vec<Context>, Stop> {
        self.space.work += 1;
        self.check_budget()?;
        (self.at, self.made_here) = (origin(run.frame, inst), 0);
        let result = run.body.results[inst];
        let value = match run.body.insts[inst] {
            Inst::Call(call) => return self.call(run, context, inst, call),
            Inst::Load { from, scalar, volatile } => {
                return Ok(self.load(run, context, inst, from, scalar, volatile));
            }
            Inst::Store { to, value, .. } => {
                let bytes = self.bytes(run, run.body.values[value].scalar);
                let value = self.value(run, &context, value);
                let to = self.value(run, &context, to);
                return Ok(self.store(context, to, value, bytes, origin(run.frame, inst)));
            }
            Inst::LoadBits { .. } | Inst::Havoc { .. } => {
                self.unknown(self.is_pointer(run, result))
            }
            Inst::VaArg { scalar, into, .. } => {
                if let Some(into) = into {
                    self.fill_unknown(run, &mut context, into, None, inst);
                }
                self.unknown(scalar == Some(Scalar::Ptr))
            }
            Inst::Unary { op, value } => {
                let scalar = run.body.values[value].scalar;
                let value = self.value(run, &context, value);
                self.unary(op, value, scalar)
            }
            Inst::Binary { op, lhs, rhs } => {
                let scalar = run.body.values[lhs].scalar;
                let sides = (self.value(run, &context, lhs), self.value(run, &context, rhs));
                self.binary(&mut context, op, sides, scalar)
            }
            Inst::Compare { op, lhs, rhs } => {
                let scalar = run.body.values[lhs].scalar;
                let sides = (self.value(run, &context, lhs), self.value(run, &context, rhs));
                self.compare(&mut context, op, sides, scalar)
            }
            Inst::Convert { op, value, to } => {
                let from = run.body.values[value].scalar;
                let value = self.value(run, &context, value);
                self.convert(&mut context, op, value, (from, to))
            }
            Inst::Overflow { .. } => self.unknown(false),
            Inst::Field { base, offset, .. } => {
                let base = self.value(run, &context, base);
                self.space.offset(base, i128::from(offset))
            }
            Inst::Index { base, index, stride } => {
                let base = self.value(run, &context, base);
                let index = self.value(run, &context, index);
                let distance = self.space.scale(index, i128::from(stride));
                self.space.add(base, distance)
            }
            Inst::Alloca { .. } => {
                let number = run.frame << 16 | inst.0 & 0xffff;
                self.space.place(Place::Stack { number })
            }
            ref effect => return self.effect(run, context, inst, effect),
        };
        if let Some(result) = result {
            context.set(result, value);
        }
        Ok(vec![context])
    }

    /// Instructions that change memory and are no plain store.
    fn effect(
        &mut self,
        run: &Activation<'a>,
        mut context: Context,
        inst: InstId,
        effect: &Inst,
    ) -> Result<Vec<Context>, Stop> {
        let at = origin(run.frame, inst);
        match *effect {
            Inst::Copy { to, from, size, .. } => {
                let to = self.value(run, &context, to);
                let from = self.value(run, &context, from);
                let bytes = self.value(run, &context, size);
                self.append(&mut context, Item::Copy { to, from, bytes, at });
            }
            Inst::Fill { to, byte, size } => {
                let to = self.value(run, &context, to);
                let byte = Some(self.value(run, &context, byte));
                let bytes = Some(self.value(run, &context, size));
                let number = self.number();
                self.append(&mut context, Item::Fill { to, bytes, byte, number, at });
            }
            Inst::HavocMemory { to, size } => {
                self.fill_unknown(run, &mut context, to, Some(size), inst);
            }
            Inst::StoreBits { to, .. } => {
                // Bit-fields are read as unknown numbers, so what is stored does not matter.
                let to = self.value(run, &context, to);
                return Ok(self.reach(context, to, false).into_iter().map(|it| it.0).collect());
            }
            Inst::Set { var, value } => {
                let value = self.value(run, &context, value);
                self.set_variable(run, &mut context, var.0, value, inst);
            }
            Inst::AtomicRmw { op, to, value } => {
                return Ok(self.exchange(run, context, inst, op, to, value));
            }
            Inst::CompareExchange { .. } => {
                return Err(Stop::Unsupported("an atomic compare and exchange"));
            }
            Inst::Asm(_) => return Err(Stop::Unsupported("inline assembly")),
            Inst::VaCopy { to, .. } => self.fill_unknown(run, &mut context, to, None, inst),
            _ => {}
        }
        Ok(vec![context])
    }

    fn fill_unknown(
        &mut self,
        run: &Activation<'a>,
        context: &mut Context,
        to: ValueId,
        size: Option<ValueId>,
        inst: InstId,
    ) {
        let to = self.value(run, context, to);
        let bytes = size.map(|size| self.value(run, context, size));
        let number = self.number();
        let at = origin(run.frame, inst);
        self.append(context, Item::Fill { to, bytes, byte: None, number, at });
    }

    /// D4 and D5: a variable that holds a record made here is a reference to it. Others need no
    /// entry in the heap, and joins are cheaper without.
    fn set_variable(
        &mut self,
        run: &Activation<'a>,
        context: &mut Context,
        var: u32,
        value: Expr,
        inst: InstId,
    ) {
        let place = Place::Variable { frame: run.frame, var };
        let address = self.space.place(place);
        let old = self.last_put_to(context, address);
        if old == Some(value) || old.is_none() && !self.holds_cell(value) {
            return;
        }
        let at = origin(run.frame, inst);
        self.append(context, Item::Put { address, value, bytes: 8, at });
    }

    fn last_put_to(&self, context: &Context, wanted: Expr) -> Option<Expr> {
        let mut at = context.heap;
        while let Some((before, item)) = self.heaps.last(at) {
            match &*item {
                Item::Put { address, value, .. } if *address == wanted => return Some(*value),
                Item::Start { .. } => return None,
                _ => at = before,
            }
        }
        None
    }

    /// Whether a value is, or may be, the address of a record that was made here.
    pub fn holds_cell(&self, value: Expr) -> bool {
        let Some(base) = self.space.base(value) else { return false };
        match *self.space.kind(base) {
            AtomKind::Cell { .. } => true,
            AtomKind::Select { yes, no, .. } => self.holds_cell(yes) || self.holds_cell(no),
            _ => false,
        }
    }

    pub fn value(&mut self, run: &Activation<'a>, context: &Context, id: ValueId) -> Expr {
        let row = &run.body.values[id];
        match row.kind {
            ValueKind::Const(constant) => self.constant(run, constant, row.scalar),
            _ => match context.value(id) {
                Some(value) => self.simplify(&context.facts, value),
                None => self.space.atom(AtomKind::Undefined),
            },
        }
    }

    fn constant(&mut self, run: &Activation<'a>, constant: Constant, scalar: Scalar) -> Expr {
        match constant {
            Constant::Int(value) => self.space.constant(i128::from(value)),
            Constant::Object(object) => {
                let id = self.input.program.static_of(run.module_id, object);
                self.space.place(Place::Static(id.0))
            }
            Constant::Function(function) => {
                let (module, function) = (run.module_id.0, function.0);
                self.space.place(Place::Function { module, function })
            }
            Constant::Slot(slot) => {
                self.space.place(Place::Slot { frame: run.frame, slot: slot.0 })
            }
            Constant::Undef => self.space.atom(AtomKind::Undefined),
            Constant::Float(_) | Constant::Wide(_) | Constant::Label(_) => {
                self.unknown(scalar == Scalar::Ptr)
            }
        }
    }

    pub fn is_pointer(&self, run: &Activation<'a>, value: Option<ValueId>) -> bool {
        value.is_some_and(|value| run.body.values[value].scalar == Scalar::Ptr)
    }

    pub fn bytes(&self, run: &Activation<'a>, scalar: Scalar) -> u32 {
        scalar.bytes(run.module.target.pointer_bytes)
    }

    fn load(
        &mut self,
        run: &Activation<'a>,
        context: Context,
        inst: InstId,
        from: ValueId,
        scalar: Scalar,
        volatile: bool,
    ) -> Vec<Context> {
        let address = self.value(run, &context, from);
        let (bytes, pointer) = (self.bytes(run, scalar), scalar == Scalar::Ptr);
        let mut after = Vec::new();
        for (mut context, address) in self.reach(context, address, false) {
            let value = if volatile || scalar.is_float() {
                self.unknown(pointer)
            } else {
                let access = Access { address, bytes, pointer };
                self.constant_at(access).unwrap_or_else(|| self.get(&context, access))
            };
            if let Some(result) = run.body.results[inst] {
                context.set(result, value);
            }
            after.push(context);
        }
        after
    }

    pub fn store(
        &mut self,
        context: Context,
        to: Expr,
        value: Expr,
        bytes: u32,
        at: crate::heap::Origin,
    ) -> Vec<Context> {
        let mut after = self.reach(context, to, true);
        for (context, address) in &mut after {
            self.append(context, Item::Put { address: *address, value, bytes, at });
        }
        after.into_iter().map(|it| it.0).collect()
    }

    /// Contexts in which an address can be used: it is not ⊥, and (for stores) it is the address in
    /// one record.
    pub fn reach(&mut self, context: Context, address: Expr, single: bool) -> Vec<(Context, Expr)> {
        let Some(base) = self.space.base(address) else {
            let is_number = self.space.as_constant(address).is_some();
            return if is_number { Vec::new() } else { vec![(context, address)] };
        };
        match *self.space.kind(base) {
            AtomKind::Select { condition, yes, no } => {
                let sides = [yes, no].map(|it| self.space.as_constant(it).is_some());
                if !single && sides == [false, false] {
                    return vec![(context, address)];
                }
                let (holds, fails) = self.split(context, condition);
                let mut all = Vec::new();
                for (context, chosen) in [(holds, yes), (fails, no)] {
                    if let Some(context) = context {
                        let address = self.space.replace(address, base, chosen);
                        all.extend(self.reach(context, address, single));
                    }
                }
                all
            }
            AtomKind::Cell { .. } => {
                let start = self.space.of_atom(base);
                let null = self.space.is_zero(start);
                let there = self.space.not(null);
                self.assume(context, there).map(|context| (context, address)).into_iter().collect()
            }
            _ => vec![(context, address)],
        }
    }

    fn exchange(
        &mut self,
        run: &Activation<'a>,
        context: Context,
        inst: InstId,
        op: RmwOp,
        to: ValueId,
        value: ValueId,
    ) -> Vec<Context> {
        let scalar = run.body.values[value].scalar;
        let address = self.value(run, &context, to);
        let operand = self.value(run, &context, value);
        let (bytes, pointer) = (self.bytes(run, scalar), scalar == Scalar::Ptr);
        let mut after = Vec::new();
        for (mut context, address) in self.reach(context, address, true) {
            let old = self.get(&context, Access { address, bytes, pointer });
            let new = match op {
                RmwOp::Exchange => operand,
                RmwOp::Add => self.space.add(old, operand),
                RmwOp::Sub => self.space.subtract(old, operand),
                _ => self.unknown(false),
            };
            if let Some(result) = run.body.results[inst] {
                context.set(result, old);
            }
            let at = origin(run.frame, inst);
            self.append(&mut context, Item::Put { address, value: new, bytes, at });
            after.push(context);
        }
        after
    }
}
