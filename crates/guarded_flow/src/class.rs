//! What becomes of an allocation site: the classes of F12, and one for slices past the bound (S9).

/// Every site is in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// No release is reached, and the address gets into memory that may live on.
    NeverFreedNotLocal,
    /// No release is reached, and `main` itself allocates: perhaps on purpose.
    NeverFreedMain,
    /// No release is reached, and nobody else can have it.
    NeverFreedLocal,
    FreedAlways,
    /// Some path does not release it.
    FreedConditional,
    /// A guard is past its bounds.
    UnknownFormula,
    /// A release is reached, but the address also gets into memory that is not followed.
    UnknownNotLocal,
    /// The slice is past its bound (S9).
    UnknownSlice,
}

impl Class {
    pub const ALL: [Class; 8] = [
        Class::NeverFreedNotLocal,
        Class::NeverFreedMain,
        Class::NeverFreedLocal,
        Class::FreedAlways,
        Class::FreedConditional,
        Class::UnknownFormula,
        Class::UnknownNotLocal,
        Class::UnknownSlice,
    ];

    /// The name that options and reports use; it never changes.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Class::NeverFreedNotLocal => "never-freed/not-local",
            Class::NeverFreedMain => "never-freed/main",
            Class::NeverFreedLocal => "never-freed/local",
            Class::FreedAlways => "freed/always",
            Class::FreedConditional => "freed/conditional",
            Class::UnknownFormula => "unknown/formula",
            Class::UnknownNotLocal => "unknown/not-local",
            Class::UnknownSlice => "unknown/slice",
        }
    }

    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.id() == id)
    }

    /// Whether the class is silent, and not because all is well.
    #[must_use]
    pub fn can_be_shown(self) -> bool {
        !self.is_likely_error() && self != Class::FreedAlways
    }

    #[must_use]
    pub fn is_never_freed(self) -> bool {
        matches!(self, Class::NeverFreedLocal | Class::NeverFreedMain | Class::NeverFreedNotLocal)
    }

    /// Reported without being asked for.
    #[must_use]
    pub fn is_likely_error(self) -> bool {
        matches!(self, Class::NeverFreedLocal | Class::FreedConditional)
    }
}
