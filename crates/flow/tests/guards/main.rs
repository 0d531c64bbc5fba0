//! Guards against brute force, and the papers' examples.

mod cases;
mod decided;
#[path = "../facts/mod.rs"]
mod facts;
mod oracle;
mod random;
mod random_c;
mod slices;
mod terms;
mod values;
