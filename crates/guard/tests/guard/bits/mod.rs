//! Bit-vector terms: the rules one by one, and random terms against naive evaluation.

mod facts;
mod notation;
mod random;
mod rules;
mod solve;
mod tree;
