//! The typed tree into `ir`. Every piece of C sugar dies here: evaluation order, short circuits,
//! `switch`, cleanup attributes, variable length arrays, compound literals, bit-fields.
//!
//! A function that cannot be lowered is refused alone, with its reason. Knows nothing of
//! analysis.

mod arithmetic;
mod assembly;
mod assign;
mod atomic;
mod attributes;
mod builder;
mod builtin;
mod call;
mod control;
mod convert;
mod expression;
mod finish;
mod fold;
mod function;
mod initializer;
pub mod layouts;
mod object;
mod place;
mod scan;
mod scope;
mod statement;
mod string_room;
mod switch;
mod types;
mod unit;
mod variable_length;

use caulk_cfront::Tree;
use caulk_ir::Module;

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Enter every complete type of the unit into the module, used or not.
    pub all_types: bool,
}

/// A lowered unit.
pub struct Output {
    pub module: Module,
    /// Inline functions of headers that nothing in the unit uses, and that were left out.
    pub unused_functions: usize,
}

/// Lowers one unit; `name` is the source file as shown to people.
#[must_use]
pub fn lower(tree: &Tree, name: &str, options: &Options) -> Output {
    let (module, unused_functions) = unit::module(tree, name, options);
    Output { module, unused_functions }
}
