//! The ground every other crate stands on: typed ids and tables, interned names, source
//! positions, and bit sets. Knows nothing of C.

pub mod bitset;
pub mod id;
pub mod name;
pub mod place;
pub mod table;

pub use bitset::BitSet;
pub use id::Id;
pub use name::{Name, Names};
pub use place::{File, FileId, Files, Place, Span, SpanId, Spans};
pub use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
pub use table::Table;
