//! Questions that other engines may ask about a callee, in its own terms.

use crate::categories::Anchor;
use crate::numbers::Numbers;
use crate::summary::{ExitEffects, Held, Summary};

/// Which exits a question is about, by what they return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultClass {
    Any,
    /// NULL, or the number zero.
    Zero,
    NonZero,
    Negative,
    Positive,
}

/// What a callee does with what an access path leads to, on the exits of a class: on some of
/// them, as this engine joins paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The callee can return so at all.
    pub possible: bool,
    pub frees: bool,
    /// Globals, or the world outside, reach it.
    pub keeps: bool,
    /// The result, or a part of it, is it.
    pub returns: bool,
    /// Something that the callee made is there at the exit.
    pub allocates: bool,
}

impl ResultClass {
    fn admits(self, result: Option<&Held>) -> bool {
        let Some(held) = result else { return self == ResultClass::Any };
        let is_address = !held.nodes.is_empty();
        let some = |low, high| !held.numbers.meet(&Numbers::range(low, high)).is_none();
        match self {
            ResultClass::Any => true,
            ResultClass::Zero => held.numbers.contains(0),
            ResultClass::NonZero => is_address || !held.numbers.without(0).is_none(),
            ResultClass::Negative => some(i64::MIN, -1),
            ResultClass::Positive => is_address || some(1, i64::MAX),
        }
    }
}

impl Summary {
    /// What becomes of that which `path` leads to: `arg1*.next*` before the call, or, for
    /// `allocates`, at the exit (`ret*`, `arg1*.next*`).
    #[must_use]
    pub fn effects(&self, path: &Anchor, class: ResultClass) -> Effects {
        let exits = self.exits.iter().filter(|exit| class.admits(exit.result.as_ref()));
        let mut all = Effects::default();
        if self.coarse {
            return Effects { possible: true, keeps: true, ..all };
        }
        let categories = self.categories();
        let made = categories.alloc2arg.contains(path) || categories.alloc2ret.contains(path);
        for exit in exits {
            all.possible = true;
            all.frees |= self.names_any(&exit.frees, path);
            all.keeps |= self.names_any(&exit.escapes, path);
            all.returns |= self.returns(exit, path);
            all.allocates |= made && exit.allocates;
        }
        all
    }

    fn names_any(&self, nodes: &[crate::summary::NodeId], path: &Anchor) -> bool {
        nodes.iter().any(|&node| self.before(node).as_ref() == Some(path))
    }

    fn returns(&self, exit: &ExitEffects, path: &Anchor) -> bool {
        exit.result.as_ref().is_some_and(|held| self.names_any(&held.nodes, path))
    }
}
