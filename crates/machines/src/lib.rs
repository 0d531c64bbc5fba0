//! What may be done with a resource, in which order: finite machines as data (K1).
//!
//! A machine has states, one of which an acquired resource starts in, and goes from one to the
//! next by [`Event`]s. An error is a state that is never left and has a message. Machines come
//! from the bundled files in `machines/` and from user files in the same format
//! (`docs/machines.md`); of two machines for one resource the later one counts.
//!
//! Every machine is total and deterministic: an event that a state does not mention leaves it as
//! it is, and a file whose states cannot all be reached is refused. Knows nothing of programs: an
//! engine says what is an event.

mod bundled;
mod event;
mod machine;
mod machines;
mod read;

pub use bundled::FILES as BUNDLED_FILES;
pub use caulk_models::ModelError as Problem;
pub use event::{Event, Fault};
pub use machine::{ErrorState, Machine, MachineId, Owner, StateId};
pub use machines::Machines;
