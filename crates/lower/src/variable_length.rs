//! Variable length arrays: their lengths are fixed where the declaration is reached.

use caulk_cfront::tree::{ArrayLen, DeclId, ExprId, Span, TypeId, TypeKind, VlaId};
use caulk_ir::{BinaryOp, Inst, Scalar, ScopeId, ValueId, VarHome};

use crate::function::{FunctionLowering, Local};
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    pub fn is_variable_length(&self, ty: TypeId) -> bool {
        match self.unit.bare(ty) {
            TypeKind::Array { elem, len } => {
                matches!(len, ArrayLen::Variable(_)) || self.is_variable_length(elem)
            }
            TypeKind::Record(id) => self.unit.tree.types.record_info(id).variable.is_some(),
            _ => false,
        }
    }

    /// Evaluates every length in a variably modified type, outermost first. A length belongs to
    /// the declaration that wrote it: others that name its type (by a typedef or `typeof`) use
    /// the value from there.
    pub fn evaluate_lengths(&mut self, owner: DeclId, ty: TypeId) -> Lowered<()> {
        match self.unit.bare(ty) {
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(vla) = len
                    && *self.length_owners.entry(vla).or_insert(owner) == owner
                {
                    self.evaluate_length(vla)?;
                }
                self.evaluate_lengths(owner, elem)
            }
            TypeKind::Pointer(to) => self.evaluate_lengths(owner, to),
            _ => Ok(()),
        }
    }

    fn evaluate_length(&mut self, vla: VlaId) -> Lowered<()> {
        let expr: ExprId = self.unit.tree.tast.vla_size(vla);
        let ty = self.type_of(expr);
        let Some(signed) = self.unit.scalar(ty) else { return Ok(()) };
        // Evaluated again when control comes back to the declaration.
        let known = self.lengths.remove(&expr);
        let value = self.value(expr)?;
        let key = known.unwrap_or_else(|| self.b.new_key(signed.scalar, None));
        self.b.write(key, value);
        self.lengths.insert(expr, key);
        Ok(())
    }

    pub fn make_variable_length(&mut self, decl: DeclId, scope: ScopeId) -> Lowered<()> {
        let tast = &self.unit.tree.tast;
        let (ty, span) = (tast[decl].ty, tast.decl_span(decl));
        let size = self.size_of(ty, span)?;
        let asked = self.unit.tree.tast[decl].alignment.unwrap_or(1);
        let align = self.element_align(ty).max(asked);
        let var = self.new_var(decl, VarHome::Alloca, scope, None);
        let inst = Inst::Alloca { size, align, scope: Some(scope) };
        let address = self.b.define(Scalar::Ptr, inst);
        self.b.body.values[address].var = Some(var);
        let key = match self.locals.get(&decl) {
            Some(&Local::Dynamic(key)) => key,
            _ => self.b.new_key(Scalar::Ptr, None),
        };
        self.b.write(key, address);
        self.locals.insert(decl, Local::Dynamic(key));
        Ok(())
    }

    fn element_align(&self, ty: TypeId) -> u32 {
        match self.unit.bare(ty) {
            TypeKind::Array { elem, .. } => self.element_align(elem),
            _ => self.unit.layout(ty).map_or(16, |layout| layout.align as u32),
        }
    }

    /// The size of a type in bytes, as an `i64`.
    pub fn size_of(&mut self, ty: TypeId, span: Span) -> Lowered<ValueId> {
        if let Some(layout) = self.unit.layout(ty) {
            return Ok(self.b.int(Scalar::I64, i128::from(layout.size)));
        }
        let TypeKind::Array { elem, len } = self.unit.bare(ty) else {
            return refuse("the size of a value is not known", span);
        };
        let count = match len {
            ArrayLen::Fixed(count) => self.b.int(Scalar::I64, i128::from(count)),
            ArrayLen::Variable(vla) => {
                let expr = self.unit.tree.tast.vla_size(vla);
                let signed = self.signed_of(self.type_of(expr), span)?.signed;
                let count = self.value(expr)?;
                self.resize(count, Scalar::I64, signed)
            }
            ArrayLen::Unknown | ArrayLen::Star => {
                return refuse("the size of an array is not known", span);
            }
        };
        let size = self.size_of(elem, span)?;
        let op = BinaryOp::MulS;
        Ok(self.b.define(Scalar::I64, Inst::Binary { op, lhs: count, rhs: size }))
    }
}
