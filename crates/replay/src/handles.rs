//! Resources that are numbers: descriptors. Each that the run opens gets a number of its own, which
//! programs seldom have otherwise, and is held while memory that outlives the function has it.

use caulk_guard::bits::TermId;
use caulk_ir::Scalar;
use caulk_models::Target;

use crate::external::{Call, last};
use crate::names;
use crate::search::{Done, Seeker, Stuck};
use crate::state::{Deed, State};
use crate::value::{Space, TypeRef, Value};

/// Large, and yet below what `select` takes.
const FIRST: u32 = 907;
const MOST: usize = 100;

#[derive(Clone, Copy, Debug)]
pub struct Handle {
    pub number: u32,
    pub is_wanted: bool,
    pub is_closed: bool,
    pub is_kept: bool,
}

impl Seeker<'_> {
    /// The type of the number that a resource is; none for what is behind a pointer.
    pub fn number_type(&self, call: &Call<'_>, to: Target) -> Option<Scalar> {
        let of_arg = |arg: u32| {
            let pointer = *call.types.get(arg as usize)?;
            let (module, ty) = names::pointee(self.program(), pointer)?;
            self.program().modules[module].types.scalar(ty)
        };
        let scalar = match to {
            Target::Result => call.result,
            Target::Pointee(arg) | Target::Element { arg, .. } => of_arg(arg),
            Target::Elements(_) | Target::Inside(_) => None,
        };
        scalar.filter(|scalar| matches!(scalar, Scalar::I32 | Scalar::I64))
    }

    /// Opens a handle; its number where that is the result.
    pub fn open_handle(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        to: Target,
        scalar: Scalar,
    ) -> Done<Option<Value>> {
        if state.handles.len() >= MOST {
            return Err(Stuck::loud("too many descriptors are opened"));
        }
        self.doubt("the number of a descriptor was chosen");
        let number = FIRST + state.handles.len() as u32;
        let is_wanted = self.is_site(state);
        state.handles.push(Handle { number, is_wanted, is_closed: false, is_kept: false });
        state.is_made |= is_wanted;
        last(state).deeds.push(Deed::Open { number });
        let bytes = scalar.bytes(8);
        let value = Value::Term(self.space.number(number.into(), bytes as u8 * 8));
        let (arg, index) = match to {
            Target::Pointee(arg) => (arg as usize, 0),
            Target::Element { arg, index } => (arg as usize, index),
            _ => return Ok(Some(value)),
        };
        let offset = i64::from(index) * i64::from(bytes);
        if let Some(&address) = call.args.get(arg) {
            let (object, at) = self.place(state, address)?;
            self.write(state, object, at + offset, bytes, value);
            last(state).deeds.push(Deed::StoreNumber { arg, offset, bytes: bytes as u8, number });
        }
        Ok(None)
    }

    /// Whether an argument is a number by its type.
    pub fn is_number(&self, call: &Call<'_>, arg: usize) -> bool {
        let scalar = |&(module, ty): &TypeRef| self.program().modules[module].types.scalar(ty);
        let scalar = call.types.get(arg).and_then(scalar);
        scalar.is_some_and(|it| it != Scalar::Ptr)
    }

    pub fn close_handle(&mut self, state: &mut State, call: &Call<'_>, arg: usize) {
        let number = call.args.get(arg).copied();
        if let Some(handle) = handle_of(&self.space, &mut state.handles, number) {
            handle.is_closed = true;
            last(state).deeds.push(Deed::Close { arg });
        }
    }

    pub fn keep_handle(&mut self, state: &mut State, call: &Call<'_>, arg: usize) {
        let number = call.args.get(arg).copied();
        if let Some(handle) = handle_of(&self.space, &mut state.handles, number) {
            handle.is_kept = true;
            last(state).deeds.push(Deed::Keep { arg });
        }
    }

    /// Whether a wanted handle is open and nobody has its number; a caller that passed this very
    /// number knows it.
    pub fn loses_handle(&mut self, state: &mut State, result: Option<Value>) -> bool {
        let lost = |handle: &&Handle| handle.is_wanted && !handle.is_closed && !handle.is_kept;
        let mut lost = state.handles.iter().filter(lost).peekable();
        if lost.peek().is_none() {
            return false;
        }
        let lost: Vec<Handle> = lost.copied().collect();
        if !self.is_possible(state) {
            return false;
        }
        let is_passed = |arg: &Value, number: u32| {
            matches!(*arg, Value::Term(it)
                if self.space.terms.evaluate(it, &*state.model) == u64::from(number))
        };
        let marked = state.reachable(result);
        let is = |value: Value, number: u32| is_number(&self.space, value, number);
        lost.iter().any(|handle| {
            let objects = state.objects.iter().zip(&marked).filter(|(_, marked)| **marked);
            let mut cells = objects.flat_map(|(object, _)| object.cells.values());
            !state.args.iter().any(|arg| is_passed(arg, handle.number))
                && !result.is_some_and(|value| is(value, handle.number))
                && !cells.any(|cell| is(cell.value, handle.number))
        })
    }
}

fn is_number(space: &Space, value: Value, number: u32) -> bool {
    let is_it = |term: TermId| space.constant(term) == Some(number.into());
    matches!(value, Value::Term(term) if is_it(term))
}

fn handle_of<'h>(
    space: &Space,
    handles: &'h mut [Handle],
    value: Option<Value>,
) -> Option<&'h mut Handle> {
    let value = value?;
    handles.iter_mut().find(|row| !row.is_closed && is_number(space, value, row.number))
}
