//! How many elements the ranges of initialisers stand for.
//!
//! The checker writes `[0 ... 999] = x` out as a thousand entries, and a range inside of a range
//! as their product, so a line of text can ask for more than there is memory. This counts them
//! on the untyped tree, before the checker runs.

use caulk_base::FxHashMap;
use rucc_ast::{
    Ast, BinaryOp, Decl, DeclId, Designator, Enumerator, Expr, ExprId, Init, InitId, InitItem,
    TypeSpec, UnaryOp,
};
use rucc_base::{Idx, Symbol};
use rucc_diag::Span;

/// The first initialiser at which the ranges of the unit have more than `limit` elements.
pub(crate) fn endless_range(ast: &Ast, limit: u64) -> Option<Span> {
    let mut measure = Measure { ast, constants: FxHashMap::default(), elements: 0 };
    measure.enumerators();
    measure.roots().find(|&(init, _)| measure.adds(init) > limit).map(|(_, span)| span)
}

struct Measure<'a> {
    ast: &'a Ast,
    /// The enumerators; of those with one name, the last.
    constants: FxHashMap<Symbol, i128>,
    elements: u64,
}

impl<'a> Measure<'a> {
    /// Every initialiser that is not inside of another.
    fn roots(&self) -> impl Iterator<Item = (InitId, Span)> + use<'a> {
        let ast = self.ast;
        let decls = (0..ast.counts().decls).map(DeclId::from_usize);
        let declared = decls.flat_map(move |id| match ast[id] {
            Decl::Var { declarators, .. } => &ast[declarators],
            _ => &[],
        });
        let declared = declared.filter_map(|each| Some((each.init?, each.span)));
        let exprs = (0..ast.counts().exprs).map(|index| -> ExprId { Idx::from_usize(index) });
        let literals = exprs.filter_map(move |id| match ast[id] {
            Expr::CompoundLiteral { init, .. } => Some((init, ast.expr_span(id))),
            _ => None,
        });
        declared.chain(literals)
    }
}

impl Measure<'_> {
    /// The elements of all initialisers so far, with this one.
    fn adds(&mut self, init: InitId) -> u64 {
        // Without a range, the text bounds the work.
        if self.has_range(init) {
            self.elements = self.elements.saturating_add(self.elements_of(init));
        }
        self.elements
    }

    fn has_range(&self, init: InitId) -> bool {
        let Init::List(items) = self.ast[init] else { return false };
        let is_range = |each: &Designator| matches!(each, Designator::Range { .. });
        let in_item = |item: &InitItem| {
            self.ast[item.designators].iter().any(is_range) || self.has_range(item.init)
        };
        self.ast[items].iter().any(in_item)
    }

    /// Not less than there are. The values after a range may, without braces of their own, belong
    /// to its element; only the types would tell.
    fn elements_of(&self, init: InitId) -> u64 {
        let Init::List(items) = self.ast[init] else { return 1 };
        let (mut all, mut times) = (0_u64, 1);
        for item in &self.ast[items] {
            if !item.designators.is_empty() {
                let steps = self.ast[item.designators].iter();
                times = steps.fold(1, |times: u64, step| times.saturating_mul(self.length(*step)));
            }
            all = all.saturating_add(times.saturating_mul(self.elements_of(item.init)));
        }
        all
    }

    /// Of a range whose ends are not plain numbers (`sizeof`), nothing is known; it counts as one.
    fn length(&self, step: Designator) -> u64 {
        let Designator::Range { lo, hi } = step else { return 1 };
        match (self.number(lo), self.number(hi)) {
            // Below zero is an error, unless an unsigned number wrapped around.
            (Some(_), Some(last)) if last < 0 && self.is_unsigned(hi) => u64::MAX,
            (Some(first), Some(last)) if last >= first => {
                u64::try_from(last - first).map_or(u64::MAX, |steps| steps.saturating_add(1))
            }
            _ => 1,
        }
    }

    fn enumerators(&mut self) {
        let ast = self.ast;
        for id in (0..ast.counts().decls).map(DeclId::from_usize) {
            if let Decl::Var { specs, .. } | Decl::Function { specs, .. } = ast[id]
                && let TypeSpec::Enum { enumerators: Some(list), .. } = ast[specs].ty
            {
                self.enumeration(&ast[list]);
            }
        }
    }

    fn enumeration(&mut self, list: &[Enumerator]) {
        let mut next = Some(0);
        for each in list {
            let value = each.value.map_or(next, |value| self.number(value));
            if let Some(value) = value {
                self.constants.insert(each.name, value);
            }
            next = value.and_then(|value| value.checked_add(1));
        }
    }

    fn number(&self, expr: ExprId) -> Option<i128> {
        match self.ast[expr] {
            Expr::Int(id) => i128::try_from(self.ast[id].value).ok(),
            Expr::Char(id) => Some(i128::from(self.ast[id].value)),
            Expr::Name(name) => self.constants.get(&name).copied(),
            Expr::Extension(operand) => self.number(operand),
            // What becomes of a number below zero depends on the type.
            Expr::Cast { operand, .. } => self.number(operand).filter(|&value| value >= 0),
            Expr::Unary { op, operand } => unary(op, self.number(operand)?),
            Expr::Binary { op, lhs, rhs } => binary(op, self.number(lhs)?, self.number(rhs)?),
            Expr::Cond { cond, then, otherwise } => match self.number(cond)? {
                0 => self.number(otherwise),
                value => then.map_or(Some(value), |then| self.number(then)),
            },
            _ => None,
        }
    }

    /// Whether the expression has an unsigned number in it.
    fn is_unsigned(&self, expr: ExprId) -> bool {
        match self.ast[expr] {
            Expr::Int(id) => self.ast[id].ty.suffix().contains('u'),
            Expr::Extension(operand) | Expr::Unary { operand, .. } => self.is_unsigned(operand),
            Expr::Binary { lhs, rhs, .. } => self.is_unsigned(lhs) || self.is_unsigned(rhs),
            _ => false,
        }
    }
}

fn unary(op: UnaryOp, value: i128) -> Option<i128> {
    match op {
        UnaryOp::Plus => Some(value),
        UnaryOp::Minus => value.checked_neg(),
        UnaryOp::BitNot => Some(!value),
        UnaryOp::Not => Some(i128::from(value == 0)),
        _ => None,
    }
}

fn binary(op: BinaryOp, lhs: i128, rhs: i128) -> Option<i128> {
    let shift = u32::try_from(rhs).ok().filter(|&by| by < 64);
    match op {
        BinaryOp::Add => lhs.checked_add(rhs),
        BinaryOp::Sub => lhs.checked_sub(rhs),
        BinaryOp::Mul => lhs.checked_mul(rhs),
        BinaryOp::Div => lhs.checked_div(rhs),
        BinaryOp::Rem => lhs.checked_rem(rhs),
        BinaryOp::Shl => lhs.checked_mul(1 << shift?),
        BinaryOp::Shr => Some(lhs >> shift?),
        BinaryOp::BitAnd => Some(lhs & rhs),
        BinaryOp::BitOr => Some(lhs | rhs),
        BinaryOp::BitXor => Some(lhs ^ rhs),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rucc_base::Interner;
    use rucc_lex::{Convert, Keywords, Options, convert, tokenize};
    use rucc_session::Std;
    use rucc_target::TargetInfo;

    #[test]
    fn ranges_multiply() {
        assert_eq!(elements("int a[] = {1, 2, [5] = 3};"), 0);
        assert_eq!(elements("int a[] = {[0 ... 9] = 1};"), 10);
        assert_eq!(elements("int a[] = {[0 ... 9] = 1, [3] = 1};"), 11);
        assert_eq!(elements("int a[][9] = {[0 ... 9][1 ... 2] = 1};"), 20);
        assert_eq!(elements("int a[][9] = {[0 ... 9] = {[1 ... 2] = 1, 5}};"), 40);
        assert_eq!(elements("int a[][4] = {[0 ... 9] = 1, 2, 3, 4};"), 40);
        assert_eq!(
            elements("void f(void) { g((int[]){[0 ... 9] = 1}, (int[]){[0 ... 4] = 1}); }"),
            15
        );
    }

    #[test]
    fn the_ends_are_folded() {
        assert_eq!(elements("enum { A, N = 'a' - 87, M }; int a[] = {[A ... M - 1] = 1};"), 11);
        assert_eq!(elements("int a[] = {[0 ... (1 << 31) - 1] = 1};"), 1 << 31);
        assert_eq!(elements("int a[] = {[0 ... 0xffffffffffffffffull] = 1};"), u64::MAX);
        assert_eq!(elements("int a[] = {[0 ... -1u] = 1};"), u64::MAX);
        assert_eq!(elements("int a[] = {[0 ... -1] = 1, [0 ... 1 / 0] = 1};"), 2);
        assert_eq!(elements("int a[] = {[0 ... sizeof(int) - 1] = 1};"), 1);
        assert_eq!(elements("int a[] = {[0 ... (unsigned char)-1] = 1};"), 1);
    }

    #[test]
    fn the_limit_is_for_the_whole_unit() {
        let text = "int a[] = {[0 ... 9] = 1}; int b[] = {[0 ... 9] = 1};";
        assert_eq!(with_ast(text, |ast| endless_range(ast, 20)), None);
        assert!(with_ast(text, |ast| endless_range(ast, 19)).is_some_and(|span| span.lo > 10));
    }

    fn elements(text: &str) -> u64 {
        with_ast(text, |ast| {
            let mut measure = Measure { ast, constants: FxHashMap::default(), elements: 0 };
            measure.enumerators();
            measure.roots().map(|(init, _)| measure.adds(init)).last().unwrap_or(0)
        })
    }

    fn with_ast<T>(text: &str, look: impl FnOnce(&Ast) -> T) -> T {
        let (std, gnu, pedantic) = (Std::C17, true, false);
        let mut names = Interner::new();
        let keywords = Keywords::new(&mut names, std, gnu);
        let target = TargetInfo::for_tuple("x86_64-linux-gnu".parse().expect("a target"));
        let (tokens, _) = tokenize(text.as_bytes(), 0, Options::new(), &mut names);
        let context =
            Convert { keywords: &keywords, interner: &names, target: &target, std, gnu, pedantic };
        let (tokens, _) = convert(&tokens, &context);
        let (error_limit, type_names) = (0, &[][..]);
        let interner = &names;
        let context = rucc_parse::Context { interner, std, gnu, pedantic, error_limit, type_names };
        look(&rucc_parse::parse(&tokens, context).ast)
    }
}
