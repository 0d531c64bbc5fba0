//! `FILE`s over descriptors. Standard output counts what a real buffer would have flushed, as a
//! program that dies loses the rest.

use super::descriptors::{Open, Target};
use crate::event::Birth;
use crate::fault::{Fault, FaultKind, Step};
use crate::machine::Machine;
use crate::memory::{ObjectKind, State};
use crate::value::Value;

pub const STDIN: usize = 0;
pub const STDOUT: usize = 1;
pub const STDERR: usize = 2;

/// The size of glibc's buffer for a pipe or file.
const BUFFER: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffering {
    Full,
    Line,
    None,
}

pub struct Stream {
    pub descriptor: usize,
    pub handle: Value,
    pub readable: bool,
    pub writable: bool,
    pub eof: bool,
    pub error: bool,
    /// Bytes pushed back, last first.
    pub pushed: Vec<u8>,
    pub buffering: Buffering,
    /// Where an `open_memstream` tells its buffer and size.
    pub memory: Option<(Value, Value)>,
    /// The buffer that `open_memstream` made last.
    buffer: Value,
    pub closed: bool,
    /// How much of standard output has left the buffer.
    pub flushed: usize,
}

impl Stream {
    pub fn new(descriptor: usize, handle: Value, readable: bool, writable: bool) -> Self {
        Self {
            descriptor,
            handle,
            readable,
            writable,
            eof: false,
            error: false,
            pushed: Vec::new(),
            buffering: Buffering::Full,
            memory: None,
            buffer: Value::int(0),
            closed: false,
            flushed: 0,
        }
    }

    pub fn kept(&self) -> Option<Value> {
        (self.memory.is_some() && !self.closed).then_some(self.buffer)
    }
}

impl Machine<'_> {
    /// The stream behind a `FILE *`.
    pub fn stream(&mut self, handle: Value) -> Step<usize> {
        let object = self.memory.object(handle.origin());
        match object.kind {
            ObjectKind::File(number)
                if object.state == State::Live && !self.library.streams[number as usize].closed =>
            {
                Ok(number as usize)
            }
            ObjectKind::File(_) => {
                Err(Fault::new(FaultKind::UseAfterFree, "use of a closed stream").into())
            }
            _ if handle.bits == 0 => {
                Err(Fault::new(FaultKind::NullDereference, "use of a NULL stream").into())
            }
            _ => Err(Fault::new(FaultKind::BadArgument, "use of what is no stream").into()),
        }
    }

    /// The next byte, or none at the end of the file.
    pub fn stream_byte(&mut self, number: usize) -> Option<u8> {
        let stream = &mut self.library.streams[number];
        if let Some(byte) = stream.pushed.pop() {
            return Some(byte);
        }
        let byte = if stream.readable {
            self.library.descriptors.read_byte(stream.descriptor)
        } else {
            stream.error = true;
            return None;
        };
        if byte.is_none() {
            stream.eof = true;
        }
        byte
    }

    pub fn push_back(&mut self, number: usize, byte: u8) {
        let stream = &mut self.library.streams[number];
        stream.pushed.push(byte);
        stream.eof = false;
    }

    /// Writes all bytes; false if the stream does not take them.
    pub fn stream_write(&mut self, number: usize, bytes: &[u8]) -> Step<bool> {
        let stream = &mut self.library.streams[number];
        if !stream.writable || !self.library.descriptors.write(stream.descriptor, bytes) {
            stream.error = true;
            self.set_errno(9);
            return Ok(false);
        }
        let open = self.library.descriptors.get(stream.descriptor);
        if open.is_some_and(|open| open.target == Target::Stdout) {
            let len = self.library.descriptors.stdout_len();
            match stream.buffering {
                Buffering::None => stream.flushed = len,
                Buffering::Line => {
                    if let Some(newline) = bytes.iter().rposition(|&byte| byte == b'\n') {
                        stream.flushed = len - bytes.len() + newline + 1;
                    }
                }
                Buffering::Full => {
                    if len.saturating_sub(stream.flushed) > BUFFER {
                        stream.flushed = len - (len - stream.flushed) % BUFFER;
                    }
                }
            }
        }
        if self.library.streams[number].memory.is_some() {
            self.update_memory_stream(number)?;
        }
        Ok(true)
    }

    pub fn flush(&mut self, number: usize) -> Step<()> {
        let stream = &mut self.library.streams[number];
        if stream.descriptor == STDOUT {
            stream.flushed = self.library.descriptors.stdout_len();
        }
        if stream.memory.is_some() {
            self.update_memory_stream(number)?;
        }
        Ok(())
    }

    /// What happens to buffers at a normal exit.
    pub fn flush_all(&mut self) {
        for number in 0..self.library.streams.len() {
            // A memory stream that cannot be updated at exit changes nothing any more.
            let _ = self.flush(number);
        }
    }

    /// The program died: what standard output still held is lost.
    pub fn lose_buffers(&mut self) {
        let flushed = self.library.streams.iter().filter(|stream| stream.descriptor == STDOUT);
        let flushed = flushed.map(|stream| stream.flushed).max().unwrap_or(0);
        self.library.descriptors.cut_stdout(flushed);
    }

    pub fn open_stream(&mut self, open: Open) -> Value {
        let (readable, writable) = (open.readable, open.writable);
        let descriptor = self.library.descriptors.add(open);
        let handle = self.library.open_stream(&mut self.memory, descriptor, readable, writable);
        self.tell_birth(handle.origin(), Birth::Heap);
        handle
    }

    /// `open_memstream`: the buffer is a heap cell of the program, made anew when it grows.
    pub fn open_memory_stream(&mut self, buffer: Value, size: Value) -> Step<Value> {
        let file = self.library.descriptors.create_unnamed();
        let open = Open {
            target: Target::File(file),
            position: 0,
            append: false,
            readable: false,
            writable: true,
        };
        let handle = self.open_stream(open);
        let number = self.stream(handle)?;
        self.library.streams[number].memory = Some((buffer, size));
        self.update_memory_stream(number)?;
        Ok(handle)
    }

    fn update_memory_stream(&mut self, number: usize) -> Step<()> {
        let stream = &self.library.streams[number];
        let Some((buffer, size)) = stream.memory else { return Ok(()) };
        let (old, descriptor) = (stream.buffer, stream.descriptor);
        let Some(open) = self.library.descriptors.get(descriptor) else { return Ok(()) };
        let mut bytes = self.library.descriptors.contents(open.target).to_vec();
        let len = bytes.len() as u64;
        bytes.push(0);
        let fits = old.bits != 0 && self.memory.object(old.origin()).size > len;
        let cell = if fits {
            self.memory.write(old, &bytes)?;
            old
        } else {
            let Some(cell) = self.allocate((len + 1).next_power_of_two().max(128), 16, true)?
            else {
                return Ok(());
            };
            self.memory.write(cell, &bytes)?;
            if old.bits != 0 {
                self.tell_birth(cell.origin(), Birth::InsteadOf(old.origin()));
            }
            self.release(old)?;
            cell
        };
        self.library.streams[number].buffer = cell;
        self.memory.put::<8>(buffer, cell)?;
        self.memory.put::<8>(size, Value::int(len))?;
        Ok(())
    }
}
