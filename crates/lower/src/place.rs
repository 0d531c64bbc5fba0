//! Places: what an lvalue names, and reading and writing it.

use caulk_cfront::tree::{
    self, Base, Const, Conversion, DeclId, DeclKind, ExprId, ExprKind, RecordId, Span, TypeId,
    TypeKind, UnaryOp,
};
use caulk_ir::{BitRange, Constant, Inst, RelocationTarget, Scalar, Slot, ValueId, VarId};

use crate::builder::Key;
use crate::function::{FunctionLowering, Local};
use crate::unit::{Lowered, refuse};

#[derive(Clone, Copy)]
pub enum Place {
    /// A variable in SSA values.
    Variable {
        key: Key,
        var: VarId,
    },
    Memory {
        address: ValueId,
        volatile: bool,
    },
    Bits {
        address: ValueId,
        bits: BitRange,
    },
}

impl Place {
    pub fn memory(address: ValueId) -> Place {
        Place::Memory { address, volatile: false }
    }
}

impl FunctionLowering<'_, '_> {
    /// The place an lvalue names. An aggregate rvalue is a place too: its memory.
    pub fn place(&mut self, expr: ExprId) -> Lowered<Place> {
        let tast = &self.unit.tree.tast;
        let (node, span) = (tast[expr], tast.expr_span(expr));
        match node.kind {
            ExprKind::Decl(decl) => self.declared_place(decl, span),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let address = self.value(operand)?;
                Ok(self.memory_of(address, node.ty))
            }
            ExprKind::Member { base, field } => self.member(base, field, node.ty, span),
            ExprKind::Subscript { base, index } => {
                let address = self.subscript(base, index, span)?;
                Ok(self.memory_of(address, node.ty))
            }
            ExprKind::Str(id) => {
                let object = self.unit.string(id);
                Ok(Place::memory(self.b.constant(Scalar::Ptr, Constant::Object(object))))
            }
            ExprKind::CompoundLiteral(decl) => {
                let address = self.compound_literal(decl, span)?;
                Ok(self.memory_of(address, node.ty))
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand }
                if self.unit.is_aggregate(node.ty) =>
            {
                self.place(operand)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs)?;
                self.place(rhs)
            }
            _ if self.unit.is_aggregate(node.ty) => Ok(Place::memory(self.aggregate(expr)?)),
            _ => refuse("an expression used as an object is not one", span),
        }
    }

    fn memory_of(&self, address: ValueId, ty: TypeId) -> Place {
        Place::Memory { address, volatile: self.unit.is_volatile(ty) }
    }

    fn declared_place(&mut self, decl: DeclId, span: Span) -> Lowered<Place> {
        let ty = self.unit.tree.tast[decl].ty;
        if let Some(&local) = self.locals.get(&decl) {
            return Ok(match local {
                Local::Value(key, var) => Place::Variable { key, var },
                Local::Memory(address) => self.memory_of(address, ty),
                Local::Dynamic(key) => Place::memory(self.b.read(key)),
            });
        }
        if self.unit.tree.tast[decl].kind == DeclKind::Function {
            let function = self.unit.function(decl);
            return Ok(Place::memory(self.b.constant(Scalar::Ptr, Constant::Function(function))));
        }
        if self.is_static(decl) {
            let object = self.unit.known_object(decl, self.id, span)?;
            let address = self.b.constant(Scalar::Ptr, Constant::Object(object));
            return Ok(self.memory_of(address, ty));
        }
        // A jump went past the declaration, into its scope.
        if self.is_variable_length(ty) {
            return refuse("a variable length array is used before its declaration", span);
        }
        self.make_local(decl)?;
        self.declared_place(decl, span)
    }

    pub fn local_address(&mut self, decl: DeclId) -> Lowered<ValueId> {
        let span = self.unit.tree.tast.decl_span(decl);
        let place = self.declared_place(decl, span)?;
        self.address(place, span)
    }

    /// The address of a place in memory.
    pub fn address(&mut self, place: Place, span: Span) -> Lowered<ValueId> {
        match place {
            Place::Memory { address, .. } => Ok(address),
            Place::Variable { .. } | Place::Bits { .. } => {
                refuse("the address of a value without memory is needed", span)
            }
        }
    }

    pub fn address_of(&mut self, expr: ExprId) -> Lowered<ValueId> {
        let place = self.place(expr)?;
        self.address(place, self.unit.tree.tast.expr_span(expr))
    }

    fn member(&mut self, base: ExprId, field: u32, ty: TypeId, span: Span) -> Lowered<Place> {
        let base_ty = self.unit.tree.tast[base].ty;
        let TypeKind::Record(record) = self.unit.bare(base_ty) else {
            return refuse("a member of something that is not a record is used", span);
        };
        let info = self.unit.tree.types.record_info(record);
        if info.variable.is_some() {
            return refuse("a record has members of variable size", span);
        }
        if info.reverse {
            return refuse("a record is stored in the other byte order", span);
        }
        let Some(&row) = info.fields.get(field as usize) else {
            return refuse("a member does not exist", span);
        };
        let base_place = self.place(base)?;
        let volatile = matches!(base_place, Place::Memory { volatile: true, .. });
        let base = self.address(base_place, span)?;
        self.at(span);
        let address = self.field_address(base, record, field, &row);
        Ok(match row.bits {
            Some(width) => {
                let signed = self.unit.scalar(row.ty).is_some_and(|scalar| scalar.signed);
                let bits = BitRange { first: row.bit as u8, width: width as u8, signed };
                Place::Bits { address, bits }
            }
            None => Place::Memory { address, volatile: volatile || self.unit.is_volatile(ty) },
        })
    }

    fn field_address(
        &mut self,
        base: ValueId,
        record: RecordId,
        field: u32,
        row: &tree::Field,
    ) -> ValueId {
        let record = self.unit.record(record);
        let offset = row.offset as i64;
        self.b.define(Scalar::Ptr, Inst::Field { base, offset, field: Some((record, field)) })
    }

    /// `base + offset` bytes; the base itself for none.
    pub fn offset(&mut self, base: ValueId, offset: i64) -> ValueId {
        if offset == 0 {
            return base;
        }
        self.b.define(Scalar::Ptr, Inst::Field { base, offset, field: None })
    }

    fn subscript(&mut self, base: ExprId, index: ExprId, span: Span) -> Lowered<ValueId> {
        let base_ty = self.unit.tree.tast[base].ty;
        if let TypeKind::Vector { elem, .. } = self.unit.bare(base_ty) {
            let address = self.address_of(base)?;
            return self.step(address, index, elem, false, span);
        }
        let Some(to) = self.unit.pointee(base_ty) else {
            return refuse("a subscript is on something that is not a pointer", span);
        };
        let address = self.value(base)?;
        self.step(address, index, to, false, span)
    }

    /// The value in a place.
    pub fn read(&mut self, place: Place, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let Some(signed) = self.unit.scalar(ty) else {
            return refuse("a value of this type is not supported", span);
        };
        let scalar = signed.scalar;
        Ok(match place {
            Place::Variable { key, .. } => self.b.read(key),
            Place::Memory { address, volatile } => {
                self.b.define(scalar, Inst::Load { from: address, scalar, volatile })
            }
            Place::Bits { address, bits } => {
                self.b.define(scalar, Inst::LoadBits { from: address, scalar, bits })
            }
        })
    }

    pub fn write(&mut self, place: Place, value: ValueId) {
        match place {
            Place::Variable { key, var } => {
                self.name_value(value, var);
                self.b.write(key, value);
                self.b.effect(Inst::Set { var, value });
            }
            Place::Memory { address, volatile } => {
                self.b.effect(Inst::Store { to: address, value, volatile });
            }
            Place::Bits { address, bits } => {
                self.b.effect(Inst::StoreBits { to: address, value, bits });
            }
        }
    }

    /// A computed value takes the name of the first variable it is assigned to.
    fn name_value(&mut self, value: ValueId, var: VarId) {
        let row = &mut self.b.body.values[value];
        if row.var.is_none() && !matches!(row.kind, caulk_ir::ValueKind::Const(_)) {
            row.var = Some(var);
        }
    }

    /// Copies a whole aggregate.
    pub fn copy(&mut self, into: ValueId, from: ValueId, ty: TypeId, span: Span) -> Lowered<()> {
        if into == from {
            return Ok(());
        }
        let size = self.size_of(ty, span)?;
        let ty = self.unit.ty(ty);
        self.b.effect(Inst::Copy { to: into, from, size, ty });
        Ok(())
    }

    /// An address that folding already worked out.
    pub fn constant_address(&mut self, value: Const, span: Span) -> Lowered<ValueId> {
        let Const::Address(address) = value else {
            return refuse("a constant is not an address", span);
        };
        if let Base::Decl(decl) = address.base
            && let Some(&local) = self.locals.get(&decl)
        {
            let Local::Memory(base) = local else {
                return refuse("the address of a value without memory is needed", span);
            };
            return Ok(self.offset(base, address.offset as i64));
        }
        let (target, offset) = self.unit.address_target(address, self.id, span)?;
        let constant = match target {
            Some(RelocationTarget::Object(object)) => Constant::Object(object),
            Some(RelocationTarget::Function(function)) => Constant::Function(function),
            Some(RelocationTarget::Label { label, .. }) => Constant::Label(label),
            Some(RelocationTarget::LabelDistance { .. }) | None => {
                return Ok(self.b.int(Scalar::Ptr, i128::from(offset)));
            }
        };
        let base = self.b.constant(Scalar::Ptr, constant);
        Ok(self.offset(base, offset))
    }

    /// The memory of a compound literal, initialised anew.
    fn compound_literal(&mut self, decl: DeclId, span: Span) -> Lowered<ValueId> {
        if self.is_static(decl) {
            let object = self.unit.known_object(decl, self.id, span)?;
            return Ok(self.b.constant(Scalar::Ptr, Constant::Object(object)));
        }
        let node = &self.unit.tree.tast[decl];
        let (ty, init) = (node.ty, node.init);
        let Some(layout) = self.unit.layout(ty) else {
            return refuse("a compound literal has a variable size", span);
        };
        let address = match self.locals.get(&decl) {
            Some(&Local::Memory(address)) => address,
            _ => {
                let ty = self.unit.ty(ty);
                let (size, align) = (layout.size, layout.align);
                let scope = Some(self.current_scope());
                let address = self.b.slot(Slot { ty, size, align, scope, var: None });
                self.locals.insert(decl, Local::Memory(address));
                address
            }
        };
        self.fill(address, ty, init, span)?;
        Ok(address)
    }
}
