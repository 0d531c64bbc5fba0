//! Names that engines write into verdicts as constants, read back from a cache. There are few of
//! them, and they live as long as the process.

use serde::{Deserialize, Deserializer};

/// Under its own name, serde does not borrow it from what is read.
pub(crate) type Name = &'static str;

pub fn name<'de, D: Deserializer<'de>>(source: D) -> Result<&'static str, D::Error> {
    String::deserialize(source).map(kept)
}

pub fn rows<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<(&'static str, u64)>, D::Error> {
    let rows = Vec::<(String, u64)>::deserialize(source)?;
    Ok(rows.into_iter().map(|(name, number)| (kept(name), number)).collect())
}

fn kept(name: String) -> &'static str {
    Box::leak(name.into_boxed_str())
}
