//! The symbolic engine against the paper's rules, and against what programs do when they run.

mod budgets;
mod common;
mod commutes;
mod figures;
mod inputs;
mod rules;
mod shapes;
