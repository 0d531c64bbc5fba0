//! Z3 as a second judge of bit-vector conditions.
//!
//! The few functions of its C interface are declared by hand. This is the only unsafe code of the
//! project, and it rests on three facts: a context made without reference counting keeps all its
//! terms until it is deleted; all handles of a [`Z3`] come from its own context; and a context is
//! used by one thread (the raw pointers make `Z3` neither `Send` nor `Sync`).

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};

use caulk_base::FxHashMap;
use caulk_guard::bits::{Binary, Compare, Term, TermId, Terms, Unary};

type Context = *mut c_void;
type Sort = *mut c_void;
type Symbol = *mut c_void;
type Ast = *mut c_void;
type Declaration = *mut c_void;
type Solver = *mut c_void;
type Config = *mut c_void;
type Parameters = *mut c_void;

type OfOne = unsafe extern "C" fn(Context, Ast) -> Ast;
type OfTwo = unsafe extern "C" fn(Context, Ast, Ast) -> Ast;

#[link(name = "z3")]
unsafe extern "C" {
    fn Z3_mk_config() -> Config;
    fn Z3_del_config(config: Config);
    fn Z3_mk_context(config: Config) -> Context;
    fn Z3_del_context(context: Context);
    fn Z3_mk_params(context: Context) -> Parameters;
    fn Z3_params_inc_ref(context: Context, parameters: Parameters);
    fn Z3_params_dec_ref(context: Context, parameters: Parameters);
    fn Z3_params_set_uint(context: Context, parameters: Parameters, name: Symbol, value: c_uint);
    fn Z3_mk_string_symbol(context: Context, text: *const c_char) -> Symbol;
    fn Z3_mk_int_symbol(context: Context, number: c_int) -> Symbol;
    fn Z3_mk_bv_sort(context: Context, width: c_uint) -> Sort;
    fn Z3_mk_const(context: Context, symbol: Symbol, sort: Sort) -> Ast;
    fn Z3_mk_unsigned_int64(context: Context, value: u64, sort: Sort) -> Ast;
    fn Z3_mk_func_decl(
        context: Context,
        symbol: Symbol,
        count: c_uint,
        domain: *const Sort,
        range: Sort,
    ) -> Declaration;
    fn Z3_mk_app(context: Context, of: Declaration, count: c_uint, arguments: *const Ast) -> Ast;
    fn Z3_mk_eq(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_ite(context: Context, condition: Ast, yes: Ast, no: Ast) -> Ast;
    fn Z3_mk_bvnot(context: Context, of: Ast) -> Ast;
    fn Z3_mk_bvneg(context: Context, of: Ast) -> Ast;
    fn Z3_mk_bvadd(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvsub(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvmul(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvudiv(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvsdiv(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvurem(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvsrem(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvand(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvor(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvxor(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvshl(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvlshr(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvashr(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvult(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvule(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvslt(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_bvsle(context: Context, left: Ast, right: Ast) -> Ast;
    fn Z3_mk_zero_ext(context: Context, more: c_uint, of: Ast) -> Ast;
    fn Z3_mk_sign_ext(context: Context, more: c_uint, of: Ast) -> Ast;
    fn Z3_mk_extract(context: Context, high: c_uint, low: c_uint, of: Ast) -> Ast;
    fn Z3_mk_solver(context: Context) -> Solver;
    fn Z3_solver_inc_ref(context: Context, solver: Solver);
    fn Z3_solver_dec_ref(context: Context, solver: Solver);
    fn Z3_solver_set_params(context: Context, solver: Solver, parameters: Parameters);
    fn Z3_solver_push(context: Context, solver: Solver);
    fn Z3_solver_pop(context: Context, solver: Solver, levels: c_uint);
    fn Z3_solver_assert(context: Context, solver: Solver, condition: Ast);
    fn Z3_solver_check(context: Context, solver: Solver) -> c_int;
}

/// What one query may cost, in Z3's own steps: its answers do not depend on a clock either.
const STEPS: c_uint = 20_000_000;

/// An incremental solver for the conditions of one [`Terms`].
pub struct Z3<'t> {
    terms: &'t Terms,
    context: Context,
    solver: Solver,
    known: FxHashMap<TermId, Ast>,
}

impl<'t> Z3<'t> {
    #[must_use]
    pub fn new(terms: &'t Terms) -> Self {
        // SAFETY: the configuration outlives the context's making, and the rest is made in it.
        unsafe {
            let config = Z3_mk_config();
            let context = Z3_mk_context(config);
            Z3_del_config(config);
            let solver = Z3_mk_solver(context);
            Z3_solver_inc_ref(context, solver);
            let parameters = Z3_mk_params(context);
            Z3_params_inc_ref(context, parameters);
            let limit = Z3_mk_string_symbol(context, c"rlimit".as_ptr());
            Z3_params_set_uint(context, parameters, limit, STEPS);
            Z3_solver_set_params(context, solver, parameters);
            Z3_params_dec_ref(context, parameters);
            Self { terms, context, solver, known: FxHashMap::default() }
        }
    }

    /// Whether conditions can hold together; none if the limit ran out.
    pub fn is_satisfiable(&mut self, conditions: &[TermId]) -> Option<bool> {
        for id in self.terms.below(conditions) {
            if !self.known.contains_key(&id) {
                let term = self.translated(id);
                self.known.insert(id, term);
            }
        }
        let one = self.number(1, 1);
        // SAFETY: solver and terms are of this context.
        let answer = unsafe {
            Z3_solver_push(self.context, self.solver);
            for condition in conditions {
                let holds = Z3_mk_eq(self.context, self.known[condition], one);
                Z3_solver_assert(self.context, self.solver, holds);
            }
            let answer = Z3_solver_check(self.context, self.solver);
            Z3_solver_pop(self.context, self.solver, 1);
            answer
        };
        match answer {
            1 => Some(true),
            -1 => Some(false),
            _ => None,
        }
    }

    fn translated(&self, id: TermId) -> Ast {
        let width = self.terms.width(id);
        match self.terms.get(id) {
            Term::Constant { value, .. } => self.number(*value, width),
            Term::Symbol { number, .. } => self.symbol(*number, width),
            Term::Unary(Unary::Not, of) => self.of_one(Z3_mk_bvnot, *of),
            Term::Unary(Unary::Neg, of) => self.of_one(Z3_mk_bvneg, *of),
            Term::Binary(operator, left, right) => self.of_two(binary(*operator), *left, *right),
            Term::Compare(operator, left, right) => {
                self.bit(self.of_two(compare(*operator), *left, *right))
            }
            Term::Select { condition, yes, no } => {
                let holds = self.equal(self.known[condition], self.number(1, 1));
                self.choice(holds, self.known[yes], self.known[no])
            }
            Term::ExtendU { of, .. } => self.resized(Z3_mk_zero_ext, *of, width),
            Term::ExtendS { of, .. } => self.resized(Z3_mk_sign_ext, *of, width),
            Term::Truncate { of, .. } => {
                // SAFETY: as for all terms; the width is at least 1 and at most the operand's.
                unsafe { Z3_mk_extract(self.context, c_uint::from(width) - 1, 0, self.known[of]) }
            }
            Term::Apply { function, arguments, .. } => self.applied(*function, arguments, width),
        }
    }

    fn sort(&self, width: u8) -> Sort {
        // SAFETY: the context lives; a width is at least 1.
        unsafe { Z3_mk_bv_sort(self.context, width.into()) }
    }

    fn number(&self, value: u64, width: u8) -> Ast {
        // SAFETY: the sort is of this context.
        unsafe { Z3_mk_unsigned_int64(self.context, value, self.sort(width)) }
    }

    fn symbol(&self, number: u32, width: u8) -> Ast {
        // SAFETY: as above; symbols have even numbers, functions odd ones.
        unsafe {
            let symbol = Z3_mk_int_symbol(self.context, number as c_int * 2);
            Z3_mk_const(self.context, symbol, self.sort(width))
        }
    }

    fn of_one(&self, make: OfOne, of: TermId) -> Ast {
        // SAFETY: the operand was translated before, in this context.
        unsafe { make(self.context, self.known[&of]) }
    }

    fn of_two(&self, make: OfTwo, left: TermId, right: TermId) -> Ast {
        // SAFETY: both were translated before, and have the same width.
        unsafe { make(self.context, self.known[&left], self.known[&right]) }
    }

    fn equal(&self, left: Ast, right: Ast) -> Ast {
        // SAFETY: both are terms of this context with the same width.
        unsafe { Z3_mk_eq(self.context, left, right) }
    }

    fn choice(&self, condition: Ast, yes: Ast, no: Ast) -> Ast {
        // SAFETY: a truth value and two terms of one width.
        unsafe { Z3_mk_ite(self.context, condition, yes, no) }
    }

    /// A truth value as one bit.
    fn bit(&self, truth: Ast) -> Ast {
        self.choice(truth, self.number(1, 1), self.number(0, 1))
    }

    fn resized(
        &self,
        make: unsafe extern "C" fn(Context, c_uint, Ast) -> Ast,
        of: TermId,
        width: u8,
    ) -> Ast {
        let more = width - self.terms.width(of);
        // SAFETY: the operand was translated before.
        unsafe { make(self.context, more.into(), self.known[&of]) }
    }

    fn applied(&self, function: u32, arguments: &[TermId], width: u8) -> Ast {
        let domain: Vec<Sort> =
            arguments.iter().map(|&it| self.sort(self.terms.width(it))).collect();
        let arguments: Vec<Ast> = arguments.iter().map(|it| self.known[it]).collect();
        let count = arguments.len() as c_uint;
        // SAFETY: both lists have `count` members; a declaration is told apart by its sorts, too.
        unsafe {
            let symbol = Z3_mk_int_symbol(self.context, function as c_int * 2 + 1);
            let range = self.sort(width);
            let declared = Z3_mk_func_decl(self.context, symbol, count, domain.as_ptr(), range);
            Z3_mk_app(self.context, declared, count, arguments.as_ptr())
        }
    }
}

impl Drop for Z3<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and used by nobody else.
        unsafe {
            Z3_solver_dec_ref(self.context, self.solver);
            Z3_del_context(self.context);
        }
    }
}

fn binary(operator: Binary) -> OfTwo {
    match operator {
        Binary::Add => Z3_mk_bvadd,
        Binary::Sub => Z3_mk_bvsub,
        Binary::Mul => Z3_mk_bvmul,
        Binary::DivU => Z3_mk_bvudiv,
        Binary::DivS => Z3_mk_bvsdiv,
        Binary::RemU => Z3_mk_bvurem,
        Binary::RemS => Z3_mk_bvsrem,
        Binary::And => Z3_mk_bvand,
        Binary::Or => Z3_mk_bvor,
        Binary::Xor => Z3_mk_bvxor,
        Binary::Shl => Z3_mk_bvshl,
        Binary::ShrU => Z3_mk_bvlshr,
        Binary::ShrS => Z3_mk_bvashr,
    }
}

fn compare(operator: Compare) -> OfTwo {
    match operator {
        Compare::Eq => Z3_mk_eq,
        Compare::LtU => Z3_mk_bvult,
        Compare::LeU => Z3_mk_bvule,
        Compare::LtS => Z3_mk_bvslt,
        Compare::LeS => Z3_mk_bvsle,
    }
}
