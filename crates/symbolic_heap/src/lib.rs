//! The symbolic heap engine: Scholz, Blieberger, Fahringer, "Symbolic Pointer Analysis for Detecting
//! Memory Leaks" (2000), Y1–Y6.

pub mod arithmetic;
pub mod calls;
pub mod condition;
pub mod escape;
pub mod exits;
pub mod external;
pub mod facts;
pub mod function;
pub mod get;
pub mod graph;
pub mod heap;
pub mod leaf;
pub mod leaks;
pub mod loops;
pub mod matching;
pub mod normal;
pub mod poly;
pub mod print;
pub mod recurrence;
pub mod region;
pub mod space;
pub mod state;
pub mod step;
pub mod substitute;
