//! One machine.

use caulk_base::{Table, define_id};
use caulk_models::Resource;

use crate::event::{Event, Fault};

define_id!(pub StateId, "q", "A state of one [`Machine`].");
define_id!(pub MachineId, "m", "A machine among those of a run.");

/// Who owes the release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// Whoever has a reference: what nobody can get at any more is lost.
    #[default]
    Reference,
    /// The function that acquires it, if it releases it on some path. References outlive it: a
    /// lock is inside an object that others have, too.
    Function,
}

impl Owner {
    pub(crate) const ALL: [Owner; 2] = [Owner::Reference, Owner::Function];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Owner::Reference => "reference",
            Owner::Function => "function",
        }
    }
}

/// The name that stands for every resource without a machine of its own.
pub(crate) const ANY: &str = "*";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    pub(crate) name: String,
    pub(crate) noun: String,
    pub(crate) resources: Vec<String>,
    pub(crate) owner: Owner,
    pub(crate) start: StateId,
    pub(crate) states: Table<StateId, State>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub name: String,
    pub is_end: bool,
    pub error: Option<ErrorState>,
    /// By event.
    pub next: [StateId; Event::ALL.len()],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorState {
    pub fault: Fault,
    /// With places for the noun and the name of the resource; [`Machine::message`] fills them.
    pub message: String,
}

impl Machine {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The resources that it names, without the star that stands for all others.
    pub fn resources(&self) -> impl Iterator<Item = &str> {
        self.resources.iter().map(String::as_str).filter(|name| *name != ANY)
    }

    /// Whether it is for all resources that no machine names.
    #[must_use]
    pub fn is_for_any(&self) -> bool {
        self.names(ANY)
    }

    pub(crate) fn names(&self, resource: &str) -> bool {
        self.resources.iter().any(|name| name == resource)
    }

    /// What the resource is called in a sentence: `memory`, `a file`.
    #[must_use]
    pub fn noun(&self, resource: &Resource) -> String {
        self.noun.replace("{resource}", resource.name())
    }

    /// The state of a resource that has just been acquired.
    #[must_use]
    pub fn start(&self) -> StateId {
        self.start
    }

    #[must_use]
    pub fn step(&self, state: StateId, event: Event) -> StateId {
        self.states[state].next[event.index()]
    }

    #[must_use]
    pub fn error(&self, state: StateId) -> Option<&ErrorState> {
        self.states[state].error.as_ref()
    }

    /// Whether nothing is owed any more.
    #[must_use]
    pub fn is_end(&self, state: StateId) -> bool {
        self.states[state].is_end
    }

    /// What an error state says of a resource; nothing if it is none.
    #[must_use]
    pub fn message(&self, state: StateId, resource: &Resource) -> Option<String> {
        self.message_about(&self.noun(resource), state, resource)
    }

    /// The same of one that more is known of than its noun: `a file from fopen`.
    #[must_use]
    pub fn message_about(
        &self,
        subject: &str,
        state: StateId,
        resource: &Resource,
    ) -> Option<String> {
        let message = self.error(state)?.message.replace("{resource}", resource.name());
        Some(message.replace("{noun}", subject))
    }

    #[must_use]
    pub fn owner(&self) -> Owner {
        self.owner
    }

    #[must_use]
    pub fn state_name(&self, state: StateId) -> &str {
        &self.states[state].name
    }

    /// All states, those of the file in its order of names, errors last.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        self.states.ids()
    }
}
