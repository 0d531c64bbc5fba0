//! Expressions: their value, their truth, their memory, or their effect alone.

use caulk_cfront::tree::{
    BinaryOp, Const, Conversion, ExprId, ExprKind, Span, Stmt, StmtId, TypeId, UnaryOp,
};
use caulk_ir::{
    BlockId, CompareOp, Constant, ConvertOp, Inst, Scalar, Terminator, Unreachable, ValueId,
};

use crate::function::FunctionLowering;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    fn kind(&self, expr: ExprId) -> ExprKind {
        self.unit.tree.tast[expr].kind
    }

    pub fn type_of(&self, expr: ExprId) -> TypeId {
        self.unit.tree.tast[expr].ty
    }

    pub fn span_of(&self, expr: ExprId) -> Span {
        self.unit.tree.tast.expr_span(expr)
    }

    /// Evaluates for the effects alone.
    pub fn discard(&mut self, expr: ExprId) -> Lowered<()> {
        let ty = self.type_of(expr);
        match self.kind(expr) {
            ExprKind::Convert { kind: Conversion::Void, operand } | ExprKind::Cast(operand)
                if self.unit.is_void(ty) =>
            {
                self.discard(operand)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs)?;
                self.discard(rhs)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.discarded_choice(cond, then, otherwise)
            }
            ExprKind::StmtExpr(block) => self.statement_expression(block, Self::discard),
            ExprKind::Decl(_) => Ok(()),
            ExprKind::Assign { op, computation, lhs, rhs } if self.unit.scalar(ty).is_some() => {
                self.assign_only(op, computation, lhs, rhs, self.span_of(expr))
            }
            _ if self.unit.is_aggregate(ty) => self.aggregate(expr).map(drop),
            _ if self.unit.scalar(ty).is_some() => self.value(expr).map(drop),
            _ => self.void_expression(expr),
        }
    }

    /// An expression of type `void`, or a function designator.
    fn void_expression(&mut self, expr: ExprId) -> Lowered<()> {
        let span = self.span_of(expr);
        match self.kind(expr) {
            ExprKind::Call { callee, args } => self.call(expr, callee, args).map(drop),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => self.discard(operand),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => self.discard(operand),
            ExprKind::Unreachable => {
                self.stop(span, Unreachable::Promised);
                Ok(())
            }
            ExprKind::Trap => {
                self.stop(span, Unreachable::Trap);
                Ok(())
            }
            ExprKind::Error => refuse("its source has an error", span),
            _ => self.builtin_effect(expr),
        }
    }

    /// Control does not go on from here.
    pub fn stop(&mut self, span: Span, why: Unreachable) {
        self.at(span);
        self.b.terminate(Terminator::Unreachable(why));
        self.b.enter_unreachable();
    }

    /// The value of a scalar expression.
    pub fn value(&mut self, expr: ExprId) -> Lowered<ValueId> {
        if let Some(&value) = self.shared.get(&expr) {
            return Ok(value);
        }
        if let Some(&key) = self.lengths.get(&expr) {
            return Ok(self.b.read(key));
        }
        let (ty, span) = (self.type_of(expr), self.span_of(expr));
        match self.kind(expr) {
            ExprKind::Error => refuse("its source has an error", span),
            ExprKind::Const(id) => {
                let constant = self.unit.tree.tast[id];
                self.constant(constant, ty, span)
            }
            ExprKind::Convert { kind, operand } => self.conversion(kind, operand, ty, span),
            ExprKind::Cast(operand) => self.cast(operand, ty, span),
            ExprKind::Unary { op, operand } => self.unary(op, operand, ty, span),
            ExprKind::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, ty, span),
            ExprKind::Assign { op, computation, lhs, rhs } => {
                self.assign(op, computation, lhs, rhs, span)
            }
            ExprKind::Call { callee, args } => match self.call(expr, callee, args)? {
                Some(value) => Ok(value),
                None => refuse("the value of a call without one is used", span),
            },
            ExprKind::Cond { cond, then, otherwise } => self.choice(cond, then, otherwise, ty),
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs)?;
                self.value(rhs)
            }
            ExprKind::StmtExpr(block) => {
                let mut result = None;
                self.statement_expression(block, |it, last| {
                    result = Some(it.value(last)?);
                    Ok(())
                })?;
                let scalar = self.scalar_of(ty, span)?;
                // Control may never reach the end of the block, or the block has no value.
                Ok(result.unwrap_or_else(|| self.b.constant(scalar, Constant::Undef)))
            }
            ExprKind::LabelAddr(label) => {
                let (_, number) = self.unit.label(label, self.id);
                Ok(self.b.constant(Scalar::Ptr, Constant::Label(number)))
            }
            ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::CompoundLiteral(_) => {
                let place = self.place(expr)?;
                self.at(span);
                self.read(place, ty, span)
            }
            _ => self.builtin(expr, ty, span),
        }
    }

    pub fn scalar_of(&self, ty: TypeId, span: Span) -> Lowered<Scalar> {
        match self.unit.scalar(ty) {
            Some(signed) => Ok(signed.scalar),
            None => refuse("a value of this type is not supported", span),
        }
    }

    fn constant(&mut self, constant: Const, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let scalar = self.scalar_of(ty, span)?;
        match constant {
            Const::Int(value) if scalar.is_float() => {
                refuse(format!("an integer constant {value} has a floating type"), span)
            }
            Const::Int(value) => Ok(self.b.int(scalar, value)),
            Const::Float(value) => Ok(self.b.float(scalar, value.to_bits())),
            Const::Address(_) => {
                self.at(span);
                let address = self.constant_address(constant, span)?;
                Ok(self.pointer_as(address, scalar))
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                refuse("it computes with complex numbers", span)
            }
            Const::Apart { .. } => refuse("it subtracts the addresses of labels", span),
        }
    }

    fn pointer_as(&mut self, address: ValueId, scalar: Scalar) -> ValueId {
        if scalar == Scalar::Ptr {
            return address;
        }
        self.b.define(scalar, Inst::Convert { op: ConvertOp::PtrToInt, value: address, to: scalar })
    }

    /// Whether a scalar expression is not zero, as an `i1`.
    pub fn truth(&mut self, expr: ExprId) -> Lowered<ValueId> {
        match self.kind(expr) {
            ExprKind::Convert { kind: Conversion::Bool, operand } => self.truth(operand),
            ExprKind::Binary { op, lhs, rhs } if is_comparison(op) => {
                self.comparison(op, lhs, rhs, self.span_of(expr))
            }
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => {
                self.short_circuit(expr)
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                self.falsehood(operand, self.span_of(expr))
            }
            ExprKind::Expect { value, hint, .. } => {
                self.discard(hint)?;
                self.truth_of_promoted(value)
            }
            _ => {
                let value = self.value(expr)?;
                self.at(self.span_of(expr));
                Ok(self.compare_with_zero(CompareOp::Ne, value))
            }
        }
    }

    /// Whether a scalar expression is zero.
    pub fn falsehood(&mut self, expr: ExprId, span: Span) -> Lowered<ValueId> {
        let value = match self.kind(expr) {
            ExprKind::Convert { kind: Conversion::Bool, operand } if !self.is_logical(operand) => {
                self.value(operand)?
            }
            _ => self.value(expr)?,
        };
        self.at(span);
        Ok(self.compare_with_zero(CompareOp::Eq, value))
    }

    /// `__builtin_expect(!!(x), 1)` converts a truth value to `long`; the branch is on `x`.
    fn truth_of_promoted(&mut self, expr: ExprId) -> Lowered<ValueId> {
        match self.kind(expr) {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand }
                if self.unit.scalar(self.type_of(operand)).is_some_and(|it| it.scalar.is_int()) =>
            {
                self.truth(operand)
            }
            _ => self.truth(expr),
        }
    }

    pub fn compare_with_zero(&mut self, op: CompareOp, value: ValueId) -> ValueId {
        let scalar = self.b.scalar(value);
        if let Some(Constant::Int(known)) = self.b.body.constant(value) {
            let truth = (known != 0) == (op == CompareOp::Ne);
            return self.b.int(Scalar::I1, i128::from(truth));
        }
        if scalar == Scalar::I1 && op == CompareOp::Ne {
            return value;
        }
        let (op, zero) = if scalar.is_float() {
            let op = if op == CompareOp::Ne { CompareOp::FNe } else { CompareOp::FEq };
            (op, self.b.float(scalar, 0))
        } else {
            (op, self.b.int(scalar, 0))
        };
        self.b.define(Scalar::I1, Inst::Compare { op, lhs: value, rhs: zero })
    }

    fn short_circuit(&mut self, expr: ExprId) -> Lowered<ValueId> {
        let (yes, no, join) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        let key = self.b.new_key(Scalar::I1, None);
        self.condition(expr, yes, no)?;
        for (block, truth) in [(yes, 1), (no, 0)] {
            self.continue_in(block);
            let value = self.b.int(Scalar::I1, truth);
            self.b.write(key, value);
            self.b.jump(join);
        }
        self.continue_in(join);
        Ok(self.b.read(key))
    }

    /// `cond ? then : otherwise` of a scalar; also GNU's `cond ?: otherwise`.
    fn choice(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
    ) -> Lowered<ValueId> {
        let scalar = self.scalar_of(ty, self.span_of(then))?;
        self.merged(cond, then, otherwise, scalar, |it, arm| it.value(arm))
    }

    /// Evaluates one of two arms to a value of `scalar`.
    fn merged(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
        scalar: Scalar,
        mut arm_value: impl FnMut(&mut Self, ExprId) -> Lowered<ValueId>,
    ) -> Lowered<ValueId> {
        let key = self.b.new_key(scalar, None);
        let (yes, no, join) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        let shared = self.branch_to_arms(cond, then, yes, no)?;
        for (block, arm) in [(yes, then), (no, otherwise)] {
            self.continue_in(block);
            if self.b.has_predecessors(block) {
                let value = arm_value(self, arm)?;
                self.b.write(key, value);
            }
            self.b.jump(join);
        }
        self.continue_in(join);
        if let Some(node) = shared {
            self.shared.remove(&node);
        }
        Ok(self.b.read(key))
    }

    /// Branches on the condition; the node that the first arm shares with it, if there is one.
    fn branch_to_arms(
        &mut self,
        cond: ExprId,
        then: ExprId,
        yes: BlockId,
        no: BlockId,
    ) -> Lowered<Option<ExprId>> {
        let shared = self.share_condition(cond, then)?;
        match shared {
            Some(node) => {
                let value = self.shared[&node];
                let truth = self.compare_with_zero(CompareOp::Ne, value);
                self.b.branch(truth, yes, no);
            }
            None => self.condition(cond, yes, no)?,
        }
        Ok(shared)
    }

    /// In `a ?: b` the condition and the first arm are one node, evaluated once.
    fn share_condition(&mut self, cond: ExprId, then: ExprId) -> Lowered<Option<ExprId>> {
        let (cond, then) = (self.unconverted(cond), self.unconverted(then));
        if cond != then || matches!(self.kind(cond), ExprKind::Const(_) | ExprKind::Decl(_)) {
            return Ok(None);
        }
        if self.unit.scalar(self.type_of(cond)).is_none() {
            return Ok(None);
        }
        let value = self.value(cond)?;
        self.shared.insert(cond, value);
        Ok(Some(cond))
    }

    /// The expression below conversions of its value.
    fn unconverted(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Convert { kind, operand } = self.kind(expr) {
            if matches!(kind, Conversion::Lvalue | Conversion::ArrayDecay) {
                break;
            }
            expr = operand;
        }
        expr
    }

    fn discarded_choice(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> Lowered<()> {
        let (yes, no, join) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        let shared = self.branch_to_arms(cond, then, yes, no)?;
        for (block, arm) in [(yes, then), (no, otherwise)] {
            self.continue_in(block);
            self.discard(arm)?;
            self.b.jump(join);
        }
        self.continue_in(join);
        if let Some(node) = shared {
            self.shared.remove(&node);
        }
        Ok(())
    }

    /// The memory that holds the value of an aggregate expression. It may be the object itself:
    /// whoever keeps the value has to copy it.
    pub fn aggregate(&mut self, expr: ExprId) -> Lowered<ValueId> {
        let (ty, span) = (self.type_of(expr), self.span_of(expr));
        match self.kind(expr) {
            ExprKind::Error => refuse("its source has an error", span),
            ExprKind::Call { callee, args } => match self.call(expr, callee, args)? {
                Some(address) => Ok(address),
                None => refuse("the value of a call without one is used", span),
            },
            ExprKind::Assign { op: None, lhs, rhs, .. } => self.assign_aggregate(lhs, rhs, span),
            ExprKind::Cond { cond, then, otherwise } => {
                self.merged(cond, then, otherwise, Scalar::Ptr, |it, arm| it.aggregate(arm))
            }
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs)?;
                self.aggregate(rhs)
            }
            ExprKind::StmtExpr(block) => {
                let into = self.temporary(ty, span)?;
                self.statement_expression(block, |it, last| {
                    let from = it.aggregate(last)?;
                    it.copy(into, from, ty, span)
                })?;
                Ok(into)
            }
            ExprKind::VaArg { list } => {
                let into = self.temporary(ty, span)?;
                self.va_arg(list, ty, Some(into), span)?;
                Ok(into)
            }
            ExprKind::Cast(operand) | ExprKind::Convert { operand, .. }
                if self.same_bytes(operand, ty) =>
            {
                self.aggregate(operand)
            }
            ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Unary { op: UnaryOp::Deref, .. } => self.address_of(expr),
            _ => self.unmodelled_aggregate(expr),
        }
    }

    /// A conversion between aggregates of one size keeps the bytes: qualifiers, vector casts.
    fn same_bytes(&self, operand: ExprId, ty: TypeId) -> bool {
        let from = self.type_of(operand);
        let size = |ty| self.unit.layout(ty).map(|layout| layout.size);
        self.unit.is_aggregate(from) && !self.is_complex(ty) && size(from) == size(ty)
    }

    fn is_complex(&self, ty: TypeId) -> bool {
        matches!(self.unit.bare(ty), caulk_cfront::tree::TypeKind::Complex(_))
    }

    /// Vector arithmetic: the operands are evaluated, the result is unknown bytes.
    fn unmodelled_aggregate(&mut self, expr: ExprId) -> Lowered<ValueId> {
        let (ty, span) = (self.type_of(expr), self.span_of(expr));
        if !matches!(self.unit.bare(ty), caulk_cfront::tree::TypeKind::Vector { .. }) {
            return refuse(format!("it computes with {}", self.type_text(ty)), span);
        }
        if let ExprKind::Assign { lhs, rhs, .. } = self.kind(expr) {
            let into = self.address_of(lhs)?;
            self.discard(rhs)?;
            return self.havoc(into, ty, span);
        }
        self.discard_operands(expr)?;
        let into = self.temporary(ty, span)?;
        self.havoc(into, ty, span)
    }

    pub fn havoc(&mut self, into: ValueId, ty: TypeId, span: Span) -> Lowered<ValueId> {
        self.at(span);
        let size = self.size_of(ty, span)?;
        self.b.effect(Inst::HavocMemory { to: into, size });
        Ok(into)
    }

    pub fn type_text(&self, ty: TypeId) -> String {
        let tree = self.unit.tree;
        caulk_cfront::tree::spell(&tree.types, &tree.names, ty)
    }

    /// `({ … })`: `use_value` gets the last expression, before the block's scope ends.
    fn statement_expression(
        &mut self,
        block: StmtId,
        use_value: impl FnOnce(&mut Self, ExprId) -> Lowered<()>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let span = tree.tast.stmt_span(block);
        let Stmt::Block(list) = tree.tast[block] else { return self.statement(block) };
        let list = &tree.tast[list];
        self.scoped(block, span, |it| {
            let Some((&last, before)) = list.split_last() else { return Ok(()) };
            before.iter().try_for_each(|&stmt| it.statement(stmt))?;
            let Some(expr) = it.last_expression(last) else { return it.statement(last) };
            it.place_labels(last);
            it.at(tree.tast.stmt_span(last));
            use_value(it, expr)
        })
    }

    /// The value of a block is that of its last statement, below its labels.
    fn last_expression(&self, stmt: StmtId) -> Option<ExprId> {
        match self.unit.tree.tast[stmt] {
            Stmt::Expr(expr) if !self.unit.is_void(self.type_of(expr)) => Some(expr),
            Stmt::Label { body, .. } => self.last_expression(body),
            _ => None,
        }
    }

    fn place_labels(&mut self, mut stmt: StmtId) {
        while let Stmt::Label { label, body } = self.unit.tree.tast[stmt] {
            self.place_label(label);
            stmt = body;
        }
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Gt | Le | Ge)
}
