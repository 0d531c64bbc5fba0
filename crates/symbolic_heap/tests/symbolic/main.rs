//! The symbolic engine against the paper's rules, and against what programs do when they run.

mod common;
mod commutes;
mod rules;
mod shapes;
