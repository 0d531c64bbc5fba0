//! Which functions an error spoiled.
//!
//! Recovery leaves no mark in the tree: a statement that was skipped is simply not there. So a
//! function is damaged when an error was reported inside its text, or when a poisoned node (the
//! silent consequence of an error elsewhere) stands in its body.

use caulk_base::FxHashMap;
use rucc_ast::{Ast, Decl, DeclId as AstDeclId};
use rucc_base::Idx;
use rucc_diag::Span;
use rucc_sema::{DeclId, ExprId, ExprKind, Stmt, StmtId, Tast};

use crate::error::FrontError;

pub(crate) type Damage = FxHashMap<DeclId, FrontError>;

/// A function definition: its tokens, and the token of its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    text: Span,
    name: u32,
    /// Inside another definition.
    nested: bool,
}

/// The definitions of the unit, nested ones included, by where they begin.
pub(crate) fn extents(ast: &Ast) -> Vec<Extent> {
    let decls = (0..ast.counts().decls).map(AstDeclId::from_usize);
    let mut found: Vec<Extent> = decls.filter_map(|id| extent(ast, id)).collect();
    found.sort_by_key(|extent| extent.text.lo);
    let mut outer_end = 0;
    for extent in &mut found {
        extent.nested = extent.text.hi <= outer_end;
        outer_end = outer_end.max(extent.text.hi);
    }
    found
}

fn extent(ast: &Ast, id: AstDeclId) -> Option<Extent> {
    let Decl::Function { declarator, .. } = ast[id] else { return None };
    Some(Extent { text: ast.decl_span(id), name: ast[declarator].name_span.lo, nested: false })
}

/// Spreads the errors over the functions they stand in. `end` is the number of tokens: an error
/// at the end of the unit belongs to the function that was still open there.
pub(crate) fn assess(
    extents: &[Extent],
    errors: &[(Span, FrontError)],
    definitions: &[DeclId],
    tast: &Tast,
    end: u32,
) -> Damage {
    let by_name: FxHashMap<u32, DeclId> =
        definitions.iter().map(|&id| (tast.definition_span(id).lo, id)).collect();
    let mut damage = Damage::default();
    let mut spoil = |at: u32, error: &FrontError| {
        for extent in around(extents, at, end) {
            if let Some(&function) = by_name.get(&extent.name) {
                damage.entry(function).or_insert_with(|| error.clone());
            }
        }
    };
    for (span, error) in errors.iter().filter(|(span, _)| !span.is_dummy()) {
        spoil(span.lo, error);
    }
    let first = errors.first().map(|(_, error)| error.message.as_str()).unwrap_or_default();
    let silent = FrontError::error(format!("depends on what could not be checked: {first}"), None);
    for at in poisoned(tast) {
        spoil(at, &silent);
    }
    damage
}

/// The definitions that hold the token `at`, innermost first.
fn around(extents: &[Extent], at: u32, end: u32) -> impl Iterator<Item = &Extent> {
    let before = extents.partition_point(|extent| extent.text.lo <= at);
    let outer = extents[..before].iter().rposition(|extent| !extent.nested).unwrap_or(0);
    extents[outer..before].iter().rev().filter(move |extent| holds(extent.text, at, end))
}

fn holds(text: Span, at: u32, end: u32) -> bool {
    text.lo <= at && (at < text.hi || at >= end && text.hi >= end)
}

/// Where nodes stand that were already the subject of an error.
fn poisoned(tast: &Tast) -> impl Iterator<Item = u32> + '_ {
    let counts = tast.counts();
    let exprs = (0..counts.exprs).map(|index| -> ExprId { Idx::from_usize(index) });
    let stmts = (0..counts.stmts).map(|index| -> StmtId { Idx::from_usize(index) });
    let exprs = exprs.filter(|&id| matches!(tast[id].kind, ExprKind::Error));
    let stmts = stmts.filter(|&id| matches!(tast[id], Stmt::Error));
    let spans = exprs.map(|id| tast.expr_span(id)).chain(stmts.map(|id| tast.stmt_span(id)));
    spans.filter(|span| !span.is_dummy()).map(|span| span.lo)
}
