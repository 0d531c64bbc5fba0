//! Statements.

use caulk_cfront::tree::{DeclId, DeclKind, Stmt, StmtId, StorageDuration};
use caulk_ir::{Scalar, VarHome};

use crate::function::{FunctionLowering, Local};
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    pub fn statement(&mut self, id: StmtId) -> Lowered<()> {
        let tree = self.unit.tree;
        let span = tree.tast.stmt_span(id);
        self.at(span);
        match tree.tast[id] {
            Stmt::Error => refuse("its source has an error", span),
            Stmt::Empty => Ok(()),
            Stmt::Expr(expr) => self.discard(expr),
            Stmt::Block(_) => self.scoped(id, span, |it| it.block_contents(id)),
            Stmt::Decls(list) => tree.tast[list].iter().try_for_each(|&decl| self.declare(decl)),
            Stmt::If { cond, then, otherwise } => self.if_statement(cond, then, otherwise),
            Stmt::While { cond, body } => self.while_statement(cond, body),
            Stmt::DoWhile { body, cond } => self.do_while_statement(body, cond),
            Stmt::For { init, cond, step, body } => {
                self.scoped(id, span, |it| it.for_statement(init, cond, step, body))
            }
            Stmt::Switch { cond, body, cases, default } => {
                self.switch_statement(cond, body, cases, default, span)
            }
            Stmt::Case { body, .. } | Stmt::Default { body } => self.case_label(body),
            Stmt::Label { label, body } => {
                self.place_label(label);
                self.statement(body)
            }
            Stmt::Goto(label) => self.goto_statement(label),
            Stmt::IndirectGoto(target) => self.indirect_goto(target, span),
            Stmt::Asm(asm) => self.assembly(asm, span),
            Stmt::Break => self.leave_to(self.breaks.last().copied(), span),
            Stmt::Continue => self.leave_to(self.continues.last().copied(), span),
            Stmt::Return(value) => self.return_statement(value, span),
        }
    }

    /// The statements of a block whose scope is already open.
    pub fn block_contents(&mut self, block: StmtId) -> Lowered<()> {
        let tree = self.unit.tree;
        match tree.tast[block] {
            Stmt::Block(list) => tree.tast[list].iter().try_for_each(|&stmt| self.statement(stmt)),
            _ => self.statement(block),
        }
    }

    fn declare(&mut self, decl: DeclId) -> Lowered<()> {
        let tree = self.unit.tree;
        let node = &tree.tast[decl];
        self.at(tree.tast.decl_span(decl));
        match node.kind {
            DeclKind::Function => Ok(()),
            DeclKind::Type => self.evaluate_lengths(decl, node.ty),
            DeclKind::Object if node.duration == StorageDuration::Automatic => {
                self.declare_automatic(decl)
            }
            DeclKind::Object => self.declare_static(decl),
        }
    }

    fn declare_static(&mut self, decl: DeclId) -> Lowered<()> {
        let object = self.unit.object_in(decl, Some(self.id));
        let scope = self.current_scope();
        self.new_var(decl, VarHome::Object(object), scope, None);
        Ok(())
    }

    fn declare_automatic(&mut self, decl: DeclId) -> Lowered<()> {
        let tree = self.unit.tree;
        let ty = tree.tast[decl].ty;
        self.evaluate_lengths(decl, ty)?;
        self.make_local(decl)?;
        self.at(tree.tast.decl_span(decl));
        self.initialize(decl)?;
        if let Some(handler) = tree.tast[decl].cleanup {
            let address = self.local_address(decl)?;
            self.owe_cleanup(address, handler);
        }
        Ok(())
    }

    /// Gives an automatic variable a home, once: a jump may have passed its declaration.
    pub fn make_local(&mut self, decl: DeclId) -> Lowered<()> {
        let ty = self.unit.tree.tast[decl].ty;
        let scope = self.current_scope();
        if self.is_variable_length(ty) {
            return self.make_variable_length(decl, scope);
        }
        match self.locals.get(&decl).copied() {
            // Reached again, as in a loop: the variable starts a new life without a value.
            Some(Local::Value(key, _)) if self.unit.tree.tast[decl].init.is_none() => {
                let scalar = self.b.key_info(key).scalar;
                let undef = self.b.constant(scalar, caulk_ir::Constant::Undef);
                self.b.write(key, undef);
            }
            Some(_) => {}
            None if self.lives_in_values(decl) => {
                let var = self.new_var(decl, VarHome::Values, scope, None);
                let signed = self.unit.scalar(ty);
                let scalar = signed.map_or(Scalar::I32, |signed| signed.scalar);
                let key = self.b.new_key(scalar, Some(var));
                self.locals.insert(decl, Local::Value(key, var));
                // Without an initialiser the variable holds nothing, also in a later iteration.
                if self.unit.tree.tast[decl].init.is_none() {
                    let undef = self.b.constant(scalar, caulk_ir::Constant::Undef);
                    self.b.write(key, undef);
                }
            }
            None => {
                let var = self.new_var(decl, VarHome::Values, scope, None);
                self.variable_slot(decl, var, scope)?;
            }
        }
        Ok(())
    }
}
