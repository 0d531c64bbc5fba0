//! What led into dead ends, so that ways without it come first.
//!
//! Each activation remembers what it settled last: the way that it took at an open decision, or how a
//! call went. Where a state comes to an end that is not wanted, that is to blame: an `open` that
//! failed before the process ended, a status that took the run off the finding's path. When a call
//! goes as one that was blamed, what its callee settled last is to blame in turn. So the search learns
//! how callees have to go, from the outermost activation inwards. Blame only orders the ways: none is
//! left out for it.

use caulk_base::FxHashSet;
use caulk_ir::{BlockId, InstId};

use crate::search::Seeker;
use crate::state::State;
use crate::target::Wish;
use crate::value::Value;

/// What an activation of a function settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Settled {
    /// An open decision led to a block.
    Way { function: u32, to: BlockId },
    /// A call returned zero, or something else.
    Call { function: u32, inst: InstId, zero: bool },
}

#[derive(Default)]
pub struct Blame {
    blamed: FxHashSet<Settled>,
}

impl Seeker<'_> {
    pub fn is_blamed(&self, settled: Settled) -> bool {
        self.blame.blamed.contains(&settled)
    }

    /// The innermost activation settles something.
    pub fn settled(&self, state: &mut State, settled: Settled) {
        state.detours += u32::from(self.is_blamed(settled));
        state.frame().settled = Some(settled);
    }

    /// A callee has returned to the innermost activation. Whether that is as it was when the search
    /// came to a dead end behind it; what the callee had settled is to blame then.
    pub fn call_went(
        &mut self,
        state: &mut State,
        inst: InstId,
        value: Option<Value>,
        inside: Option<Settled>,
    ) -> bool {
        let zero = match value {
            Some(Value::Pointer { .. } | Value::Function(_)) => false,
            Some(Value::Term(term)) => match self.space.constant(term) {
                Some(number) => number == 0,
                None => return false,
            },
            Some(Value::Opaque) | None => return false,
        };
        let settled = Settled::Call { function: state.frame().function, inst, zero };
        self.settled(state, settled);
        let is_blamed = self.is_blamed(settled);
        if is_blamed && let Some(inside) = inside {
            self.blame.blamed.insert(inside);
        }
        is_blamed
    }

    /// A state has come to an end that nobody wants. A function that never returns is not to blame
    /// for not returning.
    pub fn dead_end(&mut self, state: &State) {
        if self.target.wish == Wish::Any {
            return;
        }
        for frame in state.frames.iter().rev() {
            let to_return = self.distances_to_return(frame.function);
            let returns = to_return.get(BlockId::ENTRY).copied().flatten().is_some();
            if let (true, Some(settled)) = (returns, frame.settled) {
                self.blame.blamed.insert(settled);
                return;
            }
        }
    }
}
