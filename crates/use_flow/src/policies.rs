//! The trade-offs of K8 that a user may make otherwise, each under its name.

/// What is done where the program does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    pub unknown_call: UnknownCall,
    pub global: Global,
    pub may_free: MayFree,
}

/// What happens to an object that a function gets of which nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownCall {
    /// It escapes: the function may keep it, and may release it later.
    #[default]
    Escape,
    /// The search ends there, as in the paper: nothing is said of paths through the call.
    Stop,
    /// The function looks at it, and does nothing else.
    Ignore,
}

/// What happens to an object that is stored in static memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Global {
    /// The variable holds it like any other: it is lost when that is overwritten in the function
    /// that made the object, or in a caller.
    #[default]
    Track,
    /// It escapes: nobody asks for its release any more.
    Safe,
}

/// What a callee does with an object that it releases on some of its paths, where its caller
/// cannot tell them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MayFree {
    #[default]
    Frees,
    Keeps,
}

impl Policies {
    /// The names that users know, each with its values; the first is what holds without.
    pub const NAMES: &'static [(&'static str, &'static [&'static str])] = &[
        ("unknown-call", &["escape", "stop", "ignore"]),
        ("global", &["track", "safe"]),
        ("may-free", &["frees", "keeps"]),
    ];

    /// False, and nothing is changed, for a name or value that is not among [`Policies::NAMES`].
    #[must_use]
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("unknown-call", "escape") => self.unknown_call = UnknownCall::Escape,
            ("unknown-call", "stop") => self.unknown_call = UnknownCall::Stop,
            ("unknown-call", "ignore") => self.unknown_call = UnknownCall::Ignore,
            ("global", "safe") => self.global = Global::Safe,
            ("global", "track") => self.global = Global::Track,
            ("may-free", "frees") => self.may_free = MayFree::Frees,
            ("may-free", "keeps") => self.may_free = MayFree::Keeps,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_value_is_known_and_the_first_is_the_default() {
        for (name, values) in Policies::NAMES {
            for (at, value) in values.iter().enumerate() {
                let mut policies = Policies::default();
                assert!(policies.set(name, value), "{name} = {value}");
                assert_eq!(policies == Policies::default(), at == 0, "{name} = {value}");
            }
        }
        assert!(!Policies::default().set("global", "sound"));
    }
}
