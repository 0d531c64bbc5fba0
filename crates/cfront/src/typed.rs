//! A checked unit: the typed tree, and what the tree itself does not say.

use caulk_base::{Files, Span};
use rucc_base::Interner;
use rucc_sema::{DeclId, Linkage, Tast};
use rucc_target::TargetInfo;
use rucc_types::Types;

use crate::attribute::Attribute;
use crate::attributes::Attributes;
use crate::damage::Damage;
use crate::error::FrontError;
use crate::places::Places;
use crate::tree;

pub struct Tree {
    pub tast: Tast,
    pub types: Types,
    pub names: Interner,
    pub target: TargetInfo,
    pub(crate) places: Places,
    pub(crate) attributes: Attributes,
    pub(crate) damage: Damage,
    pub(crate) definitions: Vec<DeclId>,
}

impl Tree {
    /// Where a person would point at for `span`; file `u32::MAX`, line 0 if nowhere.
    #[must_use]
    pub fn span(&self, span: tree::Span) -> Span {
        self.places.span(span)
    }

    /// The files that `span` names.
    #[must_use]
    pub fn files(&self) -> &Files {
        self.places.files()
    }

    /// Whether `span` begins in a system header. For the span of a function's name: whether its
    /// body is the system's and not the user's.
    #[must_use]
    pub fn in_system_header(&self, span: tree::Span) -> bool {
        self.places.in_system_header(span)
    }

    /// What all declarations of `decl` in this unit say about it.
    #[must_use]
    pub fn attributes(&self, decl: DeclId) -> &[Attribute] {
        self.attributes.get(&decl).map_or(&[], Vec::as_slice)
    }

    /// Why the body of `function` is not to be trusted, if so.
    #[must_use]
    pub fn damage(&self, function: DeclId) -> Option<&FrontError> {
        self.damage.get(&function)
    }

    /// The functions with a body, in the order of their definitions. Nested functions are among
    /// them; see [`Tree::is_nested`].
    #[must_use]
    pub fn definitions(&self) -> &[DeclId] {
        &self.definitions
    }

    /// Whether a definition stands inside another function.
    #[must_use]
    pub fn is_nested(&self, function: DeclId) -> bool {
        self.tast[function].linkage == Linkage::None
    }

    /// The objects and functions declared at file scope, each once, in order.
    #[must_use]
    pub fn file_scope_decls(&self) -> &[DeclId] {
        self.tast.top_level()
    }

    /// The name of a declaration, empty for unnamed ones.
    #[must_use]
    pub fn decl_name(&self, decl: DeclId) -> &str {
        self.tast[decl].name.map_or("", |name| self.names.resolve(name))
    }
}
