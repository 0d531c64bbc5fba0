//! One function definition into a body.

use caulk_base::FxHashMap;
use caulk_cfront::tree::{
    DeclId, DeclKind, ExprId, LabelId, Linkage, Span, StmtId, StorageDuration, TypeId, VlaId,
};
use caulk_ir::{
    BlockId, Body, ConvertOp, FunctionId, Inst, Scalar, Scope, ScopeId, Slot, Terminator, Value,
    ValueId, ValueKind, Var, VarHome, VarId,
};

use crate::builder::{Builder, Key};
use crate::finish::finish;
use crate::scan::{self, Facts};
use crate::scope::{JumpTarget, OpenScope};
use crate::unit::{Lowered, Unit, refuse};

/// Where a local variable is.
#[derive(Clone, Copy)]
pub enum Local {
    /// In SSA values.
    Value(Key, VarId),
    /// In memory at a fixed place of the frame.
    Memory(ValueId),
    /// In memory whose address is known only at run time: a variable length array.
    Dynamic(Key),
}

pub struct FunctionLowering<'u, 't> {
    pub unit: &'u mut Unit<'t>,
    pub b: Builder,
    pub id: FunctionId,
    pub facts: Facts,
    pub locals: FxHashMap<DeclId, Local>,
    pub scopes: Vec<OpenScope>,
    /// Ids of the scopes met so far, by what opens them.
    pub scope_ids: FxHashMap<StmtId, ScopeId>,
    pub breaks: Vec<JumpTarget>,
    pub continues: Vec<JumpTarget>,
    /// Blocks of `case` and `default`, by the statement they label.
    pub case_blocks: FxHashMap<StmtId, BlockId>,
    pub label_blocks: FxHashMap<LabelId, BlockId>,
    /// Values of nodes that the tree shares (`a ?: b`).
    pub shared: FxHashMap<ExprId, ValueId>,
    /// Lengths of variable length arrays, fixed where their declaration was reached.
    pub lengths: FxHashMap<ExprId, Key>,
    /// The declaration that wrote each length.
    pub length_owners: FxHashMap<VlaId, DeclId>,
    /// Blocks that end in a computed goto.
    pub indirect: Vec<BlockId>,
    result: TypeId,
}

pub fn lower(unit: &mut Unit<'_>, decl: DeclId, id: FunctionId) -> Lowered<Body> {
    let facts = scan::scan(unit, decl);
    if let Some(span) = facts.nested_function {
        return refuse("it contains a nested function", span);
    }
    let span = unit.tree.tast.definition_span(decl);
    let Some((signature, _)) = unit.signature_of(unit.tree.tast[decl].ty) else {
        return refuse("its type is not a function type", span);
    };
    let signature = unit.tree.types.signature(signature);
    if signature.prototyped && signature.params.len() != unit.tree.tast[decl].params.len() {
        return refuse("its parameters do not match its type", span);
    }
    let result = signature.ret;
    let mut lowering = FunctionLowering {
        unit,
        b: Builder::new(),
        id,
        facts,
        locals: FxHashMap::default(),
        scopes: Vec::new(),
        scope_ids: FxHashMap::default(),
        breaks: Vec::new(),
        continues: Vec::new(),
        case_blocks: FxHashMap::default(),
        label_blocks: FxHashMap::default(),
        shared: FxHashMap::default(),
        lengths: FxHashMap::default(),
        length_owners: FxHashMap::default(),
        indirect: Vec::new(),
        result,
    };
    lowering.definition(decl)?;
    let FunctionLowering { unit, b, .. } = lowering;
    let mut last = (Span::DUMMY, unit.span(Span::DUMMY));
    Ok(finish(b, |span| {
        if span != last.0 {
            last = (span, unit.span(span));
        }
        last.1
    }))
}

impl<'t> FunctionLowering<'_, 't> {
    fn definition(&mut self, decl: DeclId) -> Lowered<()> {
        let tree = self.unit.tree;
        let node = &tree.tast[decl];
        let span = tree.tast.definition_span(decl);
        self.at(span);
        let Some(body) = node.body else { return refuse("it has no body", span) };
        let scope_span = self.unit.span(tree.tast.stmt_span(body));
        let whole = self.b.body.scopes.push(Scope { parent: None, span: scope_span });
        self.scopes.push(OpenScope::new(body, Some(whole)));
        self.b.effect(Inst::ScopeBegin(whole));
        self.parameters(&tree.tast[node.params], whole)?;
        self.block_contents(body)?;
        self.fall_off_the_end(tree.tast.stmt_span(body))?;
        self.connect_labels();
        self.b.seal_all();
        Ok(())
    }

    fn parameters(&mut self, params: &'t [DeclId], scope: ScopeId) -> Lowered<()> {
        if self.unit.is_aggregate(self.result) {
            let hidden = self.param_value(Scalar::Ptr, u32::MAX);
            self.b.body.result_into = Some(hidden);
        }
        for (index, &param) in params.iter().enumerate() {
            self.parameter(param, index as u32, scope)?;
        }
        for &param in params {
            let tast = &self.unit.tree.tast;
            let written = tast.adjusted_from(param).unwrap_or(tast[param].ty);
            self.evaluate_lengths(param, written)?;
        }
        Ok(())
    }

    fn param_value(&mut self, scalar: Scalar, index: u32) -> ValueId {
        let kind = ValueKind::Param(index);
        self.b.body.values.push(Value { scalar, kind, var: None })
    }

    fn parameter(&mut self, decl: DeclId, index: u32, scope: ScopeId) -> Lowered<()> {
        let ty = self.unit.tree.tast[decl].ty;
        self.at(self.unit.tree.tast.decl_span(decl));
        let scalar = self.unit.scalar(ty).map_or(Scalar::Ptr, |signed| signed.scalar);
        let passed = self.passed_as(scalar, index as usize);
        if passed != scalar && passed != promoted(scalar) {
            let span = self.unit.tree.tast.decl_span(decl);
            return refuse("its parameters do not match its type", span);
        }
        let mut value = self.param_value(passed, index);
        self.b.body.params.push(value);
        if passed != scalar {
            value = self.narrow(value, scalar);
        }
        let var = self.new_var(decl, VarHome::Values, scope, Some(index));
        if self.unit.is_aggregate(ty) {
            self.b.body.vars[var].home = VarHome::Param;
            self.b.body.values[value].var = Some(var);
            self.locals.insert(decl, Local::Memory(value));
        } else if self.lives_in_values(decl) {
            self.b.body.values[value].var = Some(var);
            let key = self.b.new_key(scalar, Some(var));
            self.b.write(key, value);
            self.b.effect(Inst::Set { var, value });
            self.locals.insert(decl, Local::Value(key, var));
        } else {
            let address = self.variable_slot(decl, var, scope)?;
            self.b.effect(Inst::Store { to: address, value, volatile: false });
        }
        Ok(())
    }

    /// What callers pass: an old-style definition receives its arguments promoted, unless a
    /// prototype that was seen before says otherwise.
    fn passed_as(&self, declared: Scalar, index: usize) -> Scalar {
        let types = &self.unit.module.types;
        let signature = &types.signatures[self.unit.module.functions[self.id].signature];
        let param = signature.params.get(index).filter(|_| signature.prototyped);
        param.and_then(|&ty| types.passed_as(ty)).unwrap_or(promoted(declared))
    }

    fn narrow(&mut self, value: ValueId, to: Scalar) -> ValueId {
        let op = if to == Scalar::F32 { ConvertOp::Float } else { ConvertOp::Trunc };
        self.b.define(to, Inst::Convert { op, value, to })
    }

    pub fn lives_in_values(&self, decl: DeclId) -> bool {
        let ty = self.unit.tree.tast[decl].ty;
        self.unit.scalar(ty).is_some()
            && !self.unit.is_volatile(ty)
            && !self.facts.returns_twice
            && !self.facts.in_memory.contains(&decl)
    }

    pub fn new_var(
        &mut self,
        decl: DeclId,
        home: VarHome,
        scope: ScopeId,
        param: Option<u32>,
    ) -> VarId {
        let node = &self.unit.tree.tast[decl];
        let (name, ty) = (node.name, node.ty);
        let name = match name {
            Some(name) => self.unit.symbol(name),
            None => self.unit.module.names.intern(""),
        };
        let span = self.unit.span(self.unit.tree.tast.decl_span(decl));
        let ty = self.unit.ty(ty);
        self.b.body.vars.push(Var { name, ty, home, span, scope, param })
    }

    /// Gives a variable memory in the frame.
    pub fn variable_slot(&mut self, decl: DeclId, var: VarId, scope: ScopeId) -> Lowered<ValueId> {
        let node = &self.unit.tree.tast[decl];
        let (ty, asked) = (node.ty, node.alignment);
        let Some(layout) = self.unit.layout(ty) else {
            let span = self.unit.tree.tast.decl_span(decl);
            return refuse("a local variable has an incomplete type", span);
        };
        let slot = self.b.body.slots.push(Slot {
            ty: self.unit.ty(ty),
            size: layout.size.max(self.unit.tree.tast.extent(decl)),
            align: asked.map_or(layout.align, |asked| layout.align.max(u64::from(asked))),
            scope: Some(scope),
            var: Some(var),
        });
        self.b.body.vars[var].home = VarHome::Slot(slot);
        let address = self.b.slot_address(slot);
        self.locals.insert(decl, Local::Memory(address));
        Ok(address)
    }

    /// Memory for a value that has no name; it lives as long as the activation.
    pub fn temporary(&mut self, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let Some(layout) = self.unit.layout(ty) else {
            return refuse("a value has an incomplete or variable size", span);
        };
        let ty = self.unit.ty(ty);
        let (size, align) = (layout.size, layout.align);
        Ok(self.b.slot(Slot { ty, size, align, scope: None, var: None }))
    }

    /// New instructions stand for this source text.
    pub fn at(&mut self, span: Span) {
        self.b.span = span;
    }

    /// The end of the body: `main` returns 0, others nothing or an unknown value.
    fn fall_off_the_end(&mut self, body: Span) -> Lowered<()> {
        if !self.b.is_open() {
            return Ok(());
        }
        self.b.span = closing_brace(body);
        let value = match self.unit.scalar(self.result) {
            Some(signed) if self.is_main() && signed.scalar.is_int() => {
                Some(self.b.int(signed.scalar, 0))
            }
            Some(signed) => Some(self.b.constant(signed.scalar, caulk_ir::Constant::Undef)),
            None => None,
        };
        self.leave_scopes(0)?;
        self.b.terminate(Terminator::Return(value));
        Ok(())
    }

    fn is_main(&self) -> bool {
        self.unit.module.function_name(self.id) == "main"
    }

    pub fn return_statement(&mut self, value: Option<ExprId>, span: Span) -> Lowered<()> {
        let value = match value {
            Some(expr) if self.unit.is_aggregate(self.result) => {
                let from = self.aggregate(expr)?;
                self.at(span);
                if let Some(into) = self.b.body.result_into {
                    self.copy(into, from, self.result, span)?;
                }
                None
            }
            Some(expr) if self.unit.scalar(self.result).is_none() => {
                self.discard(expr)?;
                None
            }
            Some(expr) => Some(self.value(expr)?),
            None => {
                let scalar = self.unit.scalar(self.result).map(|signed| signed.scalar);
                scalar.map(|scalar| self.b.constant(scalar, caulk_ir::Constant::Undef))
            }
        };
        self.at(span);
        self.leave_scopes(0)?;
        self.b.terminate(Terminator::Return(value));
        Ok(())
    }

    /// Static and external declarations inside a function stand for module objects.
    pub fn is_static(&self, decl: DeclId) -> bool {
        let node = &self.unit.tree.tast[decl];
        node.kind == DeclKind::Object
            && (node.duration != StorageDuration::Automatic || node.linkage != Linkage::None)
    }
}

/// What an argument without a prototype becomes.
fn promoted(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I1 | Scalar::I8 | Scalar::I16 => Scalar::I32,
        Scalar::F32 => Scalar::F64,
        other => other,
    }
}

/// The last token of a block.
pub fn closing_brace(block: Span) -> Span {
    Span::new(block.hi.saturating_sub(1).max(block.lo), block.hi)
}
