//! All models of a run: the bundled ones, and those of the user over them.

use std::collections::{BTreeMap, BTreeSet};

use caulk_ir::{FunctionId, Module, Scalar, Type};

use crate::error::ModelError;
use crate::model::{Effect, FunctionModel, Target};
use crate::read;
use crate::resources::Resources;

/// Names to models. The order of `add` decides; nothing else does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Models {
    functions: BTreeMap<String, FunctionModel>,
    resources: Resources,
    /// What the user describes, and not caulk.
    own: BTreeSet<String>,
}

/// Whether a function can hand out what a model says: who asks whether there is a `malloc` declares
/// `char malloc()`.
fn can_be(module: &Module, function: FunctionId, model: &FunctionModel) -> bool {
    let types = &module.types;
    let result = types.signatures[module.functions[function].signature].result;
    let is_small = match types.types[result] {
        Type::Void => true,
        Type::Scalar { scalar, .. } => matches!(scalar, Scalar::I8 | Scalar::I16),
        _ => false,
    };
    let hands_out =
        |effect: &Effect| matches!(effect, Effect::Allocates { to: Target::Result, .. });
    !is_small || !model.effects.iter().any(hands_out)
}

/// Before a library function's name: how compilers and glibc's headers spell it.
const PREFIXES: &[&str] = &["__builtin_", "__isoc99_", "__isoc23_", "__libc_"];

impl Models {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The models that caulk brings along.
    ///
    /// # Panics
    /// Never: a test reads every bundled file.
    #[must_use]
    pub fn bundled() -> Self {
        let mut models = Self::new();
        for (name, text) in crate::bundled::FILES {
            models.add(name, text).expect("bundled models are tested");
        }
        models
    }

    /// Adds the models of a file, over those that are there. A file with a mistake adds nothing.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn add(&mut self, file_name: &str, text: &str) -> Result<(), ModelError> {
        let mut resources = self.resources.clone();
        let functions = read::file(file_name, text, &mut resources)?;
        self.resources = resources;
        self.functions.extend(functions);
        Ok(())
    }

    /// Adds a user's models: they also stand for the bodies of functions that the program defines.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn add_own(&mut self, file_name: &str, text: &str) -> Result<(), ModelError> {
        let functions = read::file(file_name, text, &mut self.resources.clone())?;
        self.own.extend(functions.into_iter().map(|row| row.0));
        self.add(file_name, text)
    }

    /// Whether a function is what the user says, whatever its body.
    #[must_use]
    pub fn replaces(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// The model of a function, also by the names that compilers give it: `__builtin_memcpy`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&FunctionModel> {
        let plain = || PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
        self.functions.get(name).or_else(|| self.functions.get(plain()?))
    }

    /// The model of a function that a module declares, by the linker's name or else by its own: headers
    /// of some systems rename functions for the linker alone.
    #[must_use]
    pub fn of_declaration(
        &self,
        module: &Module,
        function: FunctionId,
        linked_as: &str,
    ) -> Option<&FunctionModel> {
        let own_name = || self.find(module.function_name(function));
        let found = self.find(linked_as).or_else(own_name)?;
        Some(found).filter(|model| can_be(module, function, model))
    }

    /// All models, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FunctionModel)> {
        self.functions.iter().map(|(name, model)| (name.as_str(), model))
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The functions that release a resource, the usual one first.
    #[must_use]
    pub fn releases_of(&self, resource: &str) -> &[String] {
        self.resources.releases(resource)
    }
}
