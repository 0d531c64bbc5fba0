//! Resources that are numbers, such as descriptors, while a scenario is played.
//!
//! A number has no origin: a handle is held at the end when its number is found in reachable memory
//! or is the function's result. The scenario chooses numbers that programs seldom have otherwise; one
//! that is there by chance only makes the handle look held.

use crate::machine::Machine;
use crate::scenario::{CellEnd, Fate};
use crate::value::Value;

/// An open or closed handle of a run.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    number: u32,
    made_at: u32,
    is_closed: bool,
    is_kept: bool,
}

impl Machine<'_> {
    pub fn open_handle(&mut self, number: u32) {
        let made_at = self.stack_now();
        let handle = Handle { number, made_at, is_closed: false, is_kept: false };
        self.script_mut().handles.push(handle);
    }

    /// Other numbers are closed without a word.
    pub fn close_handle(&mut self, number: Value) {
        if let Some(handle) = self.open_with(number) {
            handle.is_closed = true;
        }
    }

    pub fn keep_handle(&mut self, number: Value) {
        if let Some(handle) = self.open_with(number) {
            handle.is_kept = true;
        }
    }

    fn open_with(&mut self, number: Value) -> Option<&mut Handle> {
        let mut handles = self.script_mut().handles.iter_mut();
        handles.find(|handle| !handle.is_closed && handle.number == number.bits as u32)
    }

    /// What became of each handle, given the objects that outlive the function.
    pub fn handle_ends(&self, handles: &[Handle], marked: &[bool], result: Value) -> Vec<CellEnd> {
        let end = |handle: &Handle| CellEnd {
            made: self.positions(handle.made_at),
            fate: self.handle_fate(handle, marked, result),
        };
        handles.iter().map(end).collect()
    }

    fn handle_fate(&self, handle: &Handle, marked: &[bool], result: Value) -> Fate {
        let is_held = || {
            handle.is_kept
                || result.bits as u32 == handle.number
                || self.is_in_memory(handle.number, marked)
        };
        match handle.is_closed {
            true => Fate::Freed,
            false if is_held() => Fate::Held,
            false => Fate::Lost(None),
        }
    }

    fn is_in_memory(&self, number: u32, marked: &[bool]) -> bool {
        let number = number.to_le_bytes();
        let objects = self.memory.objects.iter().zip(marked).filter(|(_, marked)| **marked);
        let mut words = objects.flat_map(|(object, _)| object.bytes.chunks_exact(4));
        words.any(|word| word == number)
    }
}
