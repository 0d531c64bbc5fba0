//! All machines of a run: the bundled ones, and those of the user over them.

use caulk_base::Id;
use caulk_models::Resource;

use crate::machine::{ANY, Machine, MachineId};
use crate::{Problem, bundled, read};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machines {
    /// In the order of `add`, by name within a file.
    machines: Vec<Machine>,
}

impl Machines {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The machines that caulk brings along.
    ///
    /// # Panics
    /// Never: a test reads every bundled file.
    #[must_use]
    pub fn bundled() -> Self {
        let mut machines = Self::new();
        for (name, text) in bundled::FILES {
            machines.add(name, text).expect("bundled machines are tested");
        }
        machines
    }

    /// Adds the machines of a file. One with a known name replaces it, and of two for one resource
    /// the later counts. A file with a mistake adds nothing.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn add(&mut self, file_name: &str, text: &str) -> Result<(), Problem> {
        let added = read::file(file_name, text)?;
        self.machines.retain(|machine| added.iter().all(|new| new.name() != machine.name()));
        self.machines.extend(added);
        Ok(())
    }

    /// The machine of a resource: the last that names it, else the last that is for any.
    #[must_use]
    pub fn for_resource(&self, resource: &Resource) -> Option<&Machine> {
        self.id_of(resource).map(|id| self.get(id))
    }

    /// The same by its number, which the next [`Machines::add`] may change.
    #[must_use]
    pub fn id_of(&self, resource: &Resource) -> Option<MachineId> {
        let last = |name| self.machines.iter().rposition(|machine| machine.names(name));
        last(resource.name()).or_else(|| last(ANY)).map(MachineId::from_index)
    }

    /// # Panics
    /// For a number of other machines.
    #[must_use]
    pub fn get(&self, id: MachineId) -> &Machine {
        &self.machines[id.index()]
    }

    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Machine> {
        self.machines.iter().find(|machine| machine.name() == name)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Machine> {
        self.machines.iter()
    }
}
