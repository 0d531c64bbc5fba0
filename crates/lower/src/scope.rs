//! Scopes: their begin and end, what is owed when one is left, and jumps across them.

use caulk_cfront::tree::{DeclId, Span, StmtId};
use caulk_ir::{BlockId, Call, CallArg, Callee, Inst, Scope, ScopeId, ValueId};

use crate::function::{FunctionLowering, closing_brace};
use crate::unit::{Lowered, refuse};

/// A scope around the statement being lowered.
pub struct OpenScope {
    pub owner: StmtId,
    /// None for a scope without variables, which leaves no trace.
    pub id: Option<ScopeId>,
    /// Variables with a cleanup attribute, in order of declaration.
    cleanups: Vec<(ValueId, DeclId)>,
}

impl OpenScope {
    pub fn new(owner: StmtId, id: Option<ScopeId>) -> Self {
        Self { owner, id, cleanups: Vec::new() }
    }
}

/// Where `break` or `continue` goes, and how many scopes stay open there.
#[derive(Clone, Copy)]
pub struct JumpTarget {
    pub block: BlockId,
    pub depth: usize,
}

impl FunctionLowering<'_, '_> {
    /// The innermost scope that has an id; the function's own always does.
    pub fn current_scope(&self) -> ScopeId {
        self.scopes.iter().rev().find_map(|scope| scope.id).unwrap_or(ScopeId(0))
    }

    /// Lowers `inside` as the contents of the scope that `owner` opens.
    pub fn scoped(
        &mut self,
        owner: StmtId,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        self.open_scope(owner, span);
        inside(self)?;
        self.b.span = closing_brace(span);
        self.close_scope()
    }

    pub fn open_scope(&mut self, owner: StmtId, span: Span) {
        let id = self.facts.owners.contains(&owner).then(|| {
            let parent = Some(self.current_scope());
            let id = self.scope_of(owner, span);
            self.b.body.scopes[id].parent = parent;
            id
        });
        if let Some(id) = id {
            self.b.effect(Inst::ScopeBegin(id));
        }
        self.scopes.push(OpenScope::new(owner, id));
    }

    pub fn close_scope(&mut self) -> Lowered<()> {
        let depth = self.scopes.len() - 1;
        if self.b.is_open() {
            self.leave_scopes(depth)?;
        }
        self.scopes.pop();
        Ok(())
    }

    pub fn owe_cleanup(&mut self, address: ValueId, handler: DeclId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.cleanups.push((address, handler));
        }
    }

    /// Ends every scope deeper than `depth`, innermost first, for a jump out of them. The scopes
    /// stay open for the code that follows.
    pub fn leave_scopes(&mut self, depth: usize) -> Lowered<()> {
        for level in (depth..self.scopes.len()).rev() {
            for (address, handler) in self.scopes[level].cleanups.clone().into_iter().rev() {
                self.call_cleanup(address, handler)?;
            }
            if let Some(id) = self.scopes[level].id {
                self.b.effect(Inst::ScopeEnd(id));
            }
        }
        Ok(())
    }

    fn call_cleanup(&mut self, address: ValueId, handler: DeclId) -> Lowered<()> {
        let tast = &self.unit.tree.tast;
        let (ty, span) = (tast[handler].ty, tast.decl_span(handler));
        let Some((types, signature)) = self.unit.signature_of(ty) else {
            return refuse("a cleanup handler is not a function", span);
        };
        let function = self.unit.function(handler);
        let signature_row = self.unit.tree.types.signature(types);
        let result = signature_row.ret;
        let param = signature_row.params.first().copied();
        let param = param.unwrap_or_else(|| self.unit.tree.types.void());
        let result_into =
            if self.unit.is_aggregate(result) { Some(self.temporary(result, span)?) } else { None };
        let call = Call {
            callee: Callee::Function(function),
            signature,
            args: vec![CallArg { value: address, ty: self.unit.ty(param) }],
            result_into,
            noreturn: false,
        };
        let id = self.b.body.calls.push(call);
        match self.unit.scalar(result) {
            Some(signed) => {
                self.b.define(signed.scalar, Inst::Call(id));
            }
            None => {
                self.b.effect(Inst::Call(id));
            }
        }
        Ok(())
    }

    /// How many of the open scopes also surround a point with this path.
    pub fn shared_depth(&self, path: &[StmtId]) -> usize {
        let pairs = self.scopes.iter().zip(path);
        pairs.take_while(|(open, owner)| open.owner == **owner).count()
    }

    /// Begins the scopes of `path` beyond `depth`: control jumps into their middle.
    pub fn begin_scopes(&mut self, path: &[StmtId], depth: usize) {
        for &owner in &path[depth..] {
            if self.facts.owners.contains(&owner) {
                let span = self.unit.tree.tast.stmt_span(owner);
                let id = self.scope_of(owner, span);
                self.b.effect(Inst::ScopeBegin(id));
            }
        }
    }

    /// The id of a scope that may not have been reached yet; its parent is set when it is.
    fn scope_of(&mut self, owner: StmtId, span: Span) -> ScopeId {
        if let Some(&id) = self.scope_ids.get(&owner) {
            return id;
        }
        let span = self.unit.span(span);
        let id = self.b.body.scopes.push(Scope { parent: Some(ScopeId(0)), span });
        self.scope_ids.insert(owner, id);
        id
    }
}
