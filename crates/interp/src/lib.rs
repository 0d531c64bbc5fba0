//! Runs `ir` with a checked memory.
//!
//! Execution is the front end's proof: a C program compiled by the system's compiler and the
//! same program run here print the same bytes and exit with the same status. The analysed
//! program is data: nothing here touches the real file system, network, clock or processes.
//!
//! # The memory model
//!
//! A value is 64 bits, an *origin* (the object it points into, 0 for none) and a mask of
//! undefined bytes. Origins travel with pointers, through integers and back, through memory in
//! aligned words, and through copies. An access is checked against the object that its
//! pointer's origin names, never against what happens to lie at the address; a pointer without
//! origin is looked up by address among the objects whose address was seen as a number (see
//! [`memory`]). Bytes that were never written may be read and copied; it is a fault when they
//! decide a branch or a switch, are dereferenced, divide, or leave the program through a
//! library function.
//!
//! # Leaks
//!
//! At exit, heap cells that nothing reaches from static storage, live slots and live source
//! variables are leaked (see [`leaks`]). In watch mode, holders are counted as they change, and
//! a leak tells where its last reference died (see [`holders`]).
//!
//! What is deliberately absent: threads, 32-bit and big-endian targets, vectors (their results
//! are zero), inline assembly (its outputs are zero).

mod access;
mod arithmetic;
mod code;
mod decimal;
mod decode;
mod decode_flow;
mod decode_inst;
mod event;
mod execute;
mod fault;
pub mod handles;
mod holders;
pub mod leaks;
pub mod library;
mod link;
mod look;
mod machine;
pub mod memory;
mod meta;
mod moves;
mod observe;
mod op;
mod ranges;
mod roots;
mod run;
pub mod scenario;
mod softfloat;
mod special;
mod stacks;
mod trace;
mod value;

pub use event::{Birth, Event, EventKind, Keeper, Listener, Place, Span};
pub use fault::{Budget, FaultKind, Position, Report};
pub use leaks::{Leak, Loss};
pub use link::{LinkError, Program, ProgramFunction};
pub use look::{Look, Moment, Seen, Watcher};
pub use run::{Budgets, Outcome, RunOptions, Status, Uninitialised, Unknown, run};
pub use trace::{Fact, FactKind};
