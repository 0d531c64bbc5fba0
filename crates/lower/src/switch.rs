//! `switch`, with ranges, fall-through and labels inside nested statements.

use caulk_cfront::tree::{CaseList, ExprId, Span, StmtId};
use caulk_ir::{BlockId, Edge, SwitchCase, Terminator};

use crate::function::FunctionLowering;
use crate::scope::JumpTarget;
use crate::unit::{Lowered, refuse};

/// An arm of the switch: the block that the switch jumps to, and the statement it is for.
struct Arm {
    entry: BlockId,
    label: BlockId,
    body: StmtId,
}

impl FunctionLowering<'_, '_> {
    pub fn switch_statement(
        &mut self,
        cond: ExprId,
        body: StmtId,
        cases: CaseList,
        default: Option<StmtId>,
        span: Span,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let Some(signed) = self.unit.scalar(tree.tast[cond].ty) else {
            return refuse("a switch is not on an integer", span);
        };
        let value = self.value(cond)?;
        self.at(tree.tast.expr_span(cond));
        let exit = self.b.new_block();
        let bodies = tree.tast[cases].iter().map(|case| case.body).chain(default);
        let arms: Vec<Arm> = bodies.map(|body| self.arm(body)).collect();
        let rows = tree.tast[cases].iter().zip(&arms);
        let rows = rows
            .map(|(case, arm)| SwitchCase { low: case.low, high: case.high, edge: to(arm.entry) })
            .collect();
        let default = to(default.and(arms.last()).map_or(exit, |arm| arm.entry));
        let signed = signed.signed;
        self.b.terminate(Terminator::Switch { value, signed, cases: rows, default });
        self.enter_arms(&arms);
        self.b.enter_unreachable();
        self.breaks.push(JumpTarget { block: exit, depth: self.scopes.len() });
        self.statement(body)?;
        self.breaks.pop();
        self.b.jump(exit);
        arms.iter().for_each(|arm| self.b.seal(arm.label));
        self.continue_in(exit);
        Ok(())
    }

    fn arm(&mut self, body: StmtId) -> Arm {
        let label = self.b.new_block();
        self.case_blocks.insert(body, label);
        let entry = if self.enters_scopes(body) { self.b.new_block() } else { label };
        Arm { entry, label, body }
    }

    /// Whether the label stands inside scopes with variables that are not open at the switch.
    fn enters_scopes(&self, body: StmtId) -> bool {
        let Some(path) = self.facts.cases.get(&body) else { return false };
        let depth = self.shared_depth(path);
        path[depth..].iter().any(|owner| self.facts.owners.contains(owner))
    }

    fn enter_arms(&mut self, arms: &[Arm]) {
        for arm in arms.iter().filter(|arm| arm.entry != arm.label) {
            self.continue_in(arm.entry);
            let path = self.facts.cases.get(&arm.body).cloned().unwrap_or_default();
            let depth = self.shared_depth(&path);
            self.begin_scopes(&path, depth);
            self.b.jump(arm.label);
        }
    }

    /// `case` or `default` in the body: falls through from above, or is jumped to.
    pub fn case_label(&mut self, body: StmtId) -> Lowered<()> {
        let Some(&block) = self.case_blocks.get(&body) else {
            let span = self.unit.tree.tast.stmt_span(body);
            return refuse("a case label stands outside of a switch", span);
        };
        self.b.jump(block);
        self.b.enter(block);
        self.statement(body)
    }
}

fn to(block: BlockId) -> Edge {
    Edge { to: block, args: Vec::new() }
}
