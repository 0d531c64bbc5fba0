//! What external functions do: allocate, free, keep, copy, call back, never return.
//!
//! Models come from the bundled files in `models/`, from user files in the same format
//! (`docs/models.md`), and from attributes in the source. A user's model is better than a
//! bundled one, and that is better than attributes: glibc's say less than its manual.
//!
//! Knows nothing of engines, and of functions without a model.

mod attributes;
mod bundled;
mod complete;
mod error;
mod model;
mod models;
mod read;
mod resource;
mod resources;
mod stub;
mod text;

pub use attributes::{all_from_attributes, from_attributes};
pub use bundled::FILES as BUNDLED_FILES;
pub use error::ModelError;
pub use model::{
    Args, CallbackArgument, CallbackResult, Condition, Effect, Freed, FunctionModel, ResultKind,
    Returns, Success, Target, Test, Texts, Unmentioned, When,
};
pub use models::Models;
pub use read::document;
pub use resource::Resource;
pub use stub::stub;
pub use text::{least_printed, literal};
