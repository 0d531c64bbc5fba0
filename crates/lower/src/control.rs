//! Branches, loops and jumps.

use caulk_cfront::tree::{BinaryOp, Conversion, ExprId, ExprKind, LabelId, Span, StmtId, UnaryOp};
use caulk_ir::{BlockId, Terminator};

use crate::function::FunctionLowering;
use crate::scope::JumpTarget;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    /// Branches on a condition; `&&`, `||` and `!` become control flow. Both targets stay
    /// unsealed.
    pub fn condition(&mut self, cond: ExprId, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        let tast = &self.unit.tree.tast;
        match tast[cond].kind {
            ExprKind::Convert { kind: Conversion::Bool, operand } if self.is_logical(operand) => {
                self.condition(operand, then, otherwise)
            }
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                let next = self.b.new_block();
                self.condition(lhs, next, otherwise)?;
                self.continue_in(next);
                self.condition(rhs, then, otherwise)
            }
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                let next = self.b.new_block();
                self.condition(lhs, then, next)?;
                self.continue_in(next);
                self.condition(rhs, then, otherwise)
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                self.condition(operand, otherwise, then)
            }
            _ => {
                let truth = self.truth(cond)?;
                self.at(self.unit.tree.tast.expr_span(cond));
                self.b.branch(truth, then, otherwise);
                Ok(())
            }
        }
    }

    /// Whether the expression is an operator that `condition` turns into control flow.
    pub fn is_logical(&self, expr: ExprId) -> bool {
        let tast = &self.unit.tree.tast;
        match tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => true,
            ExprKind::Unary { op: UnaryOp::Not, .. } => true,
            ExprKind::Convert { kind: Conversion::Bool, operand } => self.is_logical(operand),
            _ => false,
        }
    }

    /// Goes on in a block that has all its predecessors.
    pub fn continue_in(&mut self, block: BlockId) {
        self.b.seal(block);
        self.b.enter(block);
    }

    pub fn if_statement(
        &mut self,
        cond: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    ) -> Lowered<()> {
        let (yes, join) = (self.b.new_block(), self.b.new_block());
        let no = if otherwise.is_some() { self.b.new_block() } else { join };
        self.condition(cond, yes, no)?;
        self.continue_in(yes);
        self.statement(then)?;
        self.b.jump(join);
        if let Some(otherwise) = otherwise {
            self.continue_in(no);
            self.statement(otherwise)?;
            self.b.jump(join);
        }
        self.continue_in(join);
        Ok(())
    }

    /// Lowers a loop body, with where `break` and `continue` go.
    fn loop_body(&mut self, body: StmtId, next: BlockId, exit: BlockId) -> Lowered<()> {
        let depth = self.scopes.len();
        self.breaks.push(JumpTarget { block: exit, depth });
        self.continues.push(JumpTarget { block: next, depth });
        self.statement(body)?;
        self.breaks.pop();
        self.continues.pop();
        Ok(())
    }

    pub fn while_statement(&mut self, cond: ExprId, body: StmtId) -> Lowered<()> {
        let (head, inside, exit) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        self.b.jump(head);
        self.b.enter(head);
        self.condition(cond, inside, exit)?;
        self.continue_in(inside);
        self.loop_body(body, head, exit)?;
        self.b.jump(head);
        self.b.seal(head);
        self.continue_in(exit);
        Ok(())
    }

    pub fn do_while_statement(&mut self, body: StmtId, cond: ExprId) -> Lowered<()> {
        let (inside, test, exit) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        self.b.jump(inside);
        self.b.enter(inside);
        self.loop_body(body, test, exit)?;
        self.b.jump(test);
        self.continue_in(test);
        self.condition(cond, inside, exit)?;
        self.b.seal(inside);
        self.continue_in(exit);
        Ok(())
    }

    pub fn for_statement(
        &mut self,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> Lowered<()> {
        init.map_or(Ok(()), |init| self.statement(init))?;
        let (head, inside, next, exit) =
            (self.b.new_block(), self.b.new_block(), self.b.new_block(), self.b.new_block());
        self.b.jump(head);
        self.b.enter(head);
        match cond {
            Some(cond) => self.condition(cond, inside, exit)?,
            None => self.b.jump(inside),
        }
        self.continue_in(inside);
        self.loop_body(body, next, exit)?;
        self.b.jump(next);
        self.continue_in(next);
        step.map_or(Ok(()), |step| self.discard(step))?;
        self.b.jump(head);
        self.b.seal(head);
        self.continue_in(exit);
        Ok(())
    }

    /// `break` or `continue`.
    pub fn leave_to(&mut self, target: Option<JumpTarget>, span: Span) -> Lowered<()> {
        let Some(JumpTarget { block, depth }) = target else {
            return refuse("a break or continue stands outside of a loop", span);
        };
        self.leave_scopes(depth)?;
        self.b.jump(block);
        Ok(())
    }

    fn label_block(&mut self, label: LabelId) -> BlockId {
        if let Some(&block) = self.label_blocks.get(&label) {
            return block;
        }
        let block = self.b.new_block();
        self.label_blocks.insert(label, block);
        block
    }

    /// Goes on at a label. Its block is sealed at the end of the function, when all jumps to it
    /// are known.
    pub fn place_label(&mut self, label: LabelId) {
        let block = self.label_block(label);
        self.b.jump(block);
        self.b.enter(block);
    }

    pub fn goto_statement(&mut self, label: LabelId) -> Lowered<()> {
        let path = self.facts.labels.get(&label).cloned().unwrap_or_default();
        let depth = self.shared_depth(&path);
        self.leave_scopes(depth)?;
        self.begin_scopes(&path, depth);
        let block = self.label_block(label);
        self.b.jump(block);
        Ok(())
    }

    /// A computed goto may reach every label whose address the function takes. It leaves the
    /// scopes that are around none of them.
    pub fn indirect_goto(&mut self, target: ExprId, span: Span) -> Lowered<()> {
        let target = self.value(target)?;
        self.at(span);
        let paths = self.facts.labels.values();
        let depth = paths.map(|path| self.shared_depth(path)).min().unwrap_or(0);
        self.leave_scopes(depth)?;
        self.b.terminate(Terminator::Indirect { target, edges: Vec::new() });
        self.indirect.push(self.b.current);
        Ok(())
    }

    /// Ties address-taken labels and computed gotos together, once all are known.
    pub fn connect_labels(&mut self) {
        let mut taken: Vec<(u32, LabelId)> = Vec::new();
        for (&label, &(function, number)) in &self.unit.labels {
            if function == self.id {
                taken.push((number, label));
            }
        }
        taken.sort_unstable();
        let mut blocks = Vec::new();
        for (_, label) in taken {
            let block = self.label_block(label);
            let name = self.unit.symbol(self.unit.tree.tast[label].name);
            self.b.body.labels.push((name, block));
            blocks.push(block);
        }
        let mut targets = blocks;
        targets.sort_unstable();
        targets.dedup();
        for block in std::mem::take(&mut self.indirect) {
            self.b.set_indirect_edges(block, &targets);
        }
    }
}
