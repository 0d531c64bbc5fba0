//! Memory as it is when an activation begins and when it returns, for tests of what analyses say
//! about the memory at the exits of functions.

use crate::event::Place;
use crate::machine::Machine;
use crate::memory::{Memory, State};
use crate::value::Value;

/// What a cell or an argument holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Address(Place),
    Number(u64),
    Undefined,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A function of the program, by number, has its arguments; an aggregate result goes to `into`.
    Begins { function: u32, arguments: Vec<Seen>, into: Option<Seen> },
    /// The activation is about to end by a return.
    Returns,
}

/// The machine at a moment.
pub struct Look<'m> {
    memory: &'m Memory,
    /// Activations, the one that begins or returns included.
    pub depth: usize,
    pub moment: Moment,
}

/// Who is shown memory as activations begin and return.
pub type Watcher<'a> = &'a mut dyn FnMut(&Look<'_>);

impl Look<'_> {
    /// Bytes of an object that lives.
    #[must_use]
    pub fn size(&self, object: u32) -> Option<u64> {
        let row = self.memory.objects.get(object as usize)?;
        (row.state == State::Live).then_some(row.size)
    }

    /// What `size` bytes hold, 8 at most; none if they are not in an object that lives.
    #[must_use]
    pub fn cell(&self, at: Place, size: usize) -> Option<Seen> {
        self.size(at.object)?;
        let row = self.memory.object(at.object);
        let start = usize::try_from(at.offset).ok()?;
        let bytes = row.bytes.get(start..start.checked_add(size)?)?;
        if row.undefined_bytes != 0 && row.undefined_mask(start, size) != 0 {
            return Some(Seen::Undefined);
        }
        let bits = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let is_word = size == 8 && start.is_multiple_of(8);
        let origin = row.origins.get(start / 8).copied().filter(|_| is_word).unwrap_or(0);
        Some(self.memory.seen(Value::pointer(bits, origin)))
    }
}

impl Memory {
    fn seen(&self, value: Value) -> Seen {
        match self.pointee(value) {
            _ if !value.is_defined() => Seen::Undefined,
            Some(place) => Seen::Address(place),
            None => Seen::Number(value.bits),
        }
    }
}

impl Machine<'_> {
    /// Shows memory as the last activation begins, its parameters set.
    pub(crate) fn show_begin(&mut self) {
        let (Some(_), Some(frame)) = (&self.watcher, self.frames.last()) else { return };
        let seen = |reg: u32| self.memory.seen(self.regs[frame.base + reg as usize]);
        let arguments = frame.code.params.iter().map(|&(reg, _)| seen(reg)).collect();
        let into = frame.code.result_into.map(seen);
        self.show(Moment::Begins { function: frame.function, arguments, into });
    }

    pub(crate) fn show(&mut self, moment: Moment) {
        if self.watcher.is_none() {
            return;
        }
        // Who listens to events too is told first what led to this.
        self.flush_trace();
        let depth = self.frames.len();
        if let Some(watcher) = &mut self.watcher {
            watcher(&Look { memory: &self.memory, depth, moment });
        }
    }
}
