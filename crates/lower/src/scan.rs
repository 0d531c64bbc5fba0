//! What has to be known of a function before it is lowered: which locals need memory, where its
//! labels stand, and which scopes own variables.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_cfront::tree::{
    ArrayLen, Asm, AsmOperand, Conversion, DeclFlags, DeclId, DeclKind, Expr, ExprId, ExprKind,
    InitList, JumpAsk, LabelId, Linkage, Span, Stmt, StmtId, StorageDuration, TypeId, TypeKind,
    UnaryOp, VlaId,
};

use crate::unit::Unit;

/// The statements that open the scopes around a point, outermost first.
pub type ScopePath = Vec<StmtId>;

#[derive(Default)]
pub struct Facts {
    /// Locals used otherwise than by reading and assigning them whole.
    pub in_memory: FxHashSet<DeclId>,
    /// Scopes that declare automatic objects.
    pub owners: FxHashSet<StmtId>,
    pub labels: FxHashMap<LabelId, ScopePath>,
    /// `case` and `default` labels, by the statement they label.
    pub cases: FxHashMap<StmtId, ScopePath>,
    /// The function may return twice from a call: every local needs memory.
    pub returns_twice: bool,
    pub nested_function: Option<Span>,
}

pub fn scan(unit: &Unit<'_>, function: DeclId) -> Facts {
    let mut scanner =
        Scanner { unit, facts: Facts::default(), path: Vec::new(), lengths: FxHashSet::default() };
    let node = &unit.tree.tast[function];
    for &param in &unit.tree.tast[node.params] {
        scanner.declaration(param);
    }
    if let Some(body) = node.body {
        scanner.stmt(body);
    }
    scanner.facts
}

/// Calls that come back a second time.
pub fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "vfork" | "getcontext")
}

struct Scanner<'u, 't> {
    unit: &'u Unit<'t>,
    facts: Facts,
    path: ScopePath,
    /// Array lengths already scanned; a type may mention one many times.
    lengths: FxHashSet<VlaId>,
}

impl Scanner<'_, '_> {
    fn scoped(&mut self, owner: StmtId, inside: impl FnOnce(&mut Self)) {
        self.path.push(owner);
        inside(self);
        self.path.pop();
    }

    fn stmt(&mut self, id: StmtId) {
        let tast = &self.unit.tree.tast;
        match tast[id] {
            Stmt::Error | Stmt::Empty | Stmt::Goto(_) | Stmt::Break | Stmt::Continue => {}
            Stmt::Expr(expr) | Stmt::IndirectGoto(expr) => self.expr(expr),
            Stmt::Return(value) => value.into_iter().for_each(|value| self.expr(value)),
            Stmt::Block(list) => self.scoped(id, |it| {
                it.unit.tree.tast[list].iter().for_each(|&stmt| it.stmt(stmt));
            }),
            Stmt::Decls(list) => {
                tast[list].iter().for_each(|&decl| self.declaration(decl));
            }
            Stmt::If { cond, then, otherwise } => {
                self.expr(cond);
                self.stmt(then);
                otherwise.into_iter().for_each(|stmt| self.stmt(stmt));
            }
            Stmt::While { cond, body } | Stmt::DoWhile { body, cond } => {
                self.expr(cond);
                self.stmt(body);
            }
            Stmt::For { init, cond, step, body } => self.scoped(id, |it| {
                init.into_iter().for_each(|stmt| it.stmt(stmt));
                cond.into_iter().chain(step).for_each(|expr| it.expr(expr));
                it.stmt(body);
            }),
            Stmt::Switch { cond, body, .. } => {
                self.expr(cond);
                self.stmt(body);
            }
            Stmt::Case { body, .. } | Stmt::Default { body } => {
                self.facts.cases.insert(body, self.path.clone());
                self.stmt(body);
            }
            Stmt::Label { label, body } => {
                self.facts.labels.insert(label, self.path.clone());
                self.stmt(body);
            }
            Stmt::Asm(asm) => self.asm(&tast[asm]),
        }
    }

    fn asm(&mut self, asm: &Asm) {
        let tast = &self.unit.tree.tast;
        tast[asm.outputs].iter().for_each(|operand| self.asm_operand(operand));
        tast[asm.inputs].iter().for_each(|operand| self.asm_operand(operand));
    }

    fn asm_operand(&mut self, operand: &AsmOperand) {
        let by_value = matches!(self.kind(operand.value), ExprKind::Decl(_)) && !operand.memory;
        if !by_value {
            self.expr(operand.value);
        }
    }

    fn declaration(&mut self, decl: DeclId) {
        let tast = &self.unit.tree.tast;
        let node = &tast[decl];
        if node.kind == DeclKind::Function {
            if node.body.is_some() && node.linkage == Linkage::None {
                self.facts.nested_function = Some(tast.decl_span(decl));
            }
            return;
        }
        self.lengths(node.ty);
        tast.adjusted_from(decl).into_iter().for_each(|ty| self.lengths(ty));
        if node.kind != DeclKind::Object || node.duration != StorageDuration::Automatic {
            return;
        }
        if let Some(&owner) = self.path.last() {
            self.facts.owners.insert(owner);
        }
        if node.cleanup.is_some() || node.register.is_some() {
            self.facts.in_memory.insert(decl);
        }
        node.init.into_iter().for_each(|init| self.init(init));
    }

    fn init(&mut self, init: InitList) {
        let tast = &self.unit.tree.tast;
        tast[init].iter().for_each(|entry| self.expr(entry.value));
    }

    /// The length expressions inside a variably modified type.
    fn lengths(&mut self, ty: TypeId) {
        match self.unit.bare(ty) {
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(vla) = len
                    && self.lengths.insert(vla)
                {
                    self.expr(self.unit.tree.tast.vla_size(vla));
                }
                self.lengths(elem);
            }
            TypeKind::Pointer(to) => self.lengths(to),
            _ => {}
        }
    }

    fn kind(&self, id: ExprId) -> ExprKind {
        self.unit.tree.tast[id].kind
    }

    /// An operand that is read or assigned as a whole, which does not need an address.
    fn whole(&mut self, id: ExprId) {
        if !matches!(self.kind(id), ExprKind::Decl(_)) {
            self.expr(id);
        }
    }

    fn expr(&mut self, id: ExprId) {
        let tast = &self.unit.tree.tast;
        let Expr { kind, ty, .. } = tast[id];
        match kind {
            ExprKind::Decl(decl) => {
                self.facts.in_memory.insert(decl);
                self.note_setjmp(decl);
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.whole(operand),
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                    self.whole(operand);
                }
                _ => self.expr(operand),
            },
            ExprKind::Assign { lhs, rhs, .. } => {
                self.whole(lhs);
                self.expr(rhs);
            }
            ExprKind::StmtExpr(block) => self.stmt(block),
            ExprKind::CompoundLiteral(decl) => {
                let node = &tast[decl];
                if node.duration == StorageDuration::Automatic {
                    node.init.into_iter().for_each(|init| self.init(init));
                }
            }
            ExprKind::Jump { ask, buffer } => {
                self.facts.returns_twice |= ask == JumpAsk::Save;
                self.expr(buffer);
            }
            ExprKind::Cast(operand) => {
                self.lengths(ty);
                self.expr(operand);
            }
            _ => each_child(self.unit, kind, |child| self.expr(child)),
        }
    }

    fn note_setjmp(&mut self, decl: DeclId) {
        let node = &self.unit.tree.tast[decl];
        if node.kind != DeclKind::Function {
            return;
        }
        let name = node.name.map_or("", |name| self.unit.tree.names.resolve(name));
        self.facts.returns_twice |=
            node.flags.contains(DeclFlags::RETURNS_TWICE) || is_setjmp(name);
    }
}

/// The operands of an expression.
pub fn each_child(unit: &Unit<'_>, kind: ExprKind, mut visit: impl FnMut(ExprId)) {
    let tast = &unit.tree.tast;
    match kind {
        ExprKind::Error
        | ExprKind::Const(_)
        | ExprKind::Str(_)
        | ExprKind::Decl(_)
        | ExprKind::CompoundLiteral(_)
        | ExprKind::StmtExpr(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::Unreachable
        | ExprKind::Trap
        | ExprKind::FrameAddress { .. }
        | ExprKind::ThreadPointer
        | ExprKind::SpEntry
        | ExprKind::CpuModel { .. }
        | ExprKind::ApplyArgs => {}
        ExprKind::Member { base: one, .. }
        | ExprKind::Unary { operand: one, .. }
        | ExprKind::Cast(one)
        | ExprKind::Convert { operand: one, .. }
        | ExprKind::VaArg { list: one }
        | ExprKind::VaStart { list: one }
        | ExprKind::VaEnd { list: one }
        | ExprKind::ConvertVector { operand: one }
        | ExprKind::Abs { operand: one }
        | ExprKind::ByteSwap { operand: one }
        | ExprKind::BitCount { operand: one, .. }
        | ExprKind::Prefetch { address: one, .. }
        | ExprKind::ObjectSize { address: one, .. }
        | ExprKind::ConstantP { value: one }
        | ExprKind::Alloca { size: one }
        | ExprKind::Jump { buffer: one, .. } => visit(one),
        ExprKind::Subscript { base: first, index: second }
        | ExprKind::Binary { lhs: first, rhs: second, .. }
        | ExprKind::Assign { lhs: first, rhs: second, .. }
        | ExprKind::Comma { lhs: first, rhs: second }
        | ExprKind::VaCopy { dst: first, src: second }
        | ExprKind::Complex { real: first, imag: second }
        | ExprKind::Expect { value: first, hint: second, .. }
        | ExprKind::XState { address: first, mask: second, .. }
        | ExprKind::Apply { function: first, args: second, .. } => {
            visit(first);
            visit(second);
        }
        ExprKind::Classify { lhs, rhs, .. }
        | ExprKind::Sign { lhs, rhs, .. }
        | ExprKind::Elementwise { lhs, rhs, .. } => {
            visit(lhs);
            rhs.into_iter().for_each(visit);
        }
        ExprKind::Cond { cond, then, otherwise } => {
            visit(cond);
            visit(then);
            visit(otherwise);
        }
        ExprKind::Shuffle { lhs, rhs, mask } => {
            visit(lhs);
            rhs.into_iter().for_each(&mut visit);
            visit(mask);
        }
        ExprKind::TimeStamp { aux: option } | ExprKind::Eflags { value: option } => {
            option.into_iter().for_each(visit);
        }
        ExprKind::Call { callee, args } => {
            visit(callee);
            tast[args].iter().copied().for_each(visit);
        }
        ExprKind::FpClassify { value, answers } => {
            visit(value);
            tast[answers].iter().copied().for_each(visit);
        }
        ExprKind::ShuffleVector { operands: list }
        | ExprKind::Overflow { args: list, .. }
        | ExprKind::Atomic { args: list, .. } => tast[list].iter().copied().for_each(visit),
    }
}
