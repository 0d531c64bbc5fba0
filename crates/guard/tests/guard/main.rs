//! Guards against truth tables, the two solvers against each other, and the rules one by one.

mod agreement;
mod bits;
mod bounds;
mod consistency;
mod expr;
mod linear;
mod parse;
mod rules;
mod text;
