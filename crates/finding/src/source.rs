//! Source text, handed in by whoever may read files.

use std::path::Path;
use std::sync::Arc;

/// The bytes of a file, if it can be read. Called once per file by each user.
pub type Source<'a> = &'a dyn Fn(&Path) -> Option<Arc<[u8]>>;
