//! How a run begins: each parameter is a symbol, a structure that is passed is an object.

use caulk_guard::bits::Compare;
use caulk_ir::{Body, Scalar};

use crate::names;
use crate::object::{Author, Kind, Object, Rest};
use crate::search::{Done, Seeker};
use crate::state::State;
use crate::target::Wish;
use crate::value::{Symbol, TypeRef, Value, width};

/// What `argc` is at most; no program behaves otherwise for more.
const MOST_ARGUMENTS: i64 = 1_000;
/// Who explores needs no long command lines.
const FEW_ARGUMENTS: i64 = 5;

impl Seeker<'_> {
    /// Puts the first state on the stack.
    pub fn begin(&mut self) -> Done<()> {
        let function = self.target.start;
        let body = self.body(function)?;
        let mut state = State::default();
        let args: Vec<Value> =
            (0..body.params.len()).map(|number| self.param(&mut state, body, number)).collect();
        let into = body.result_into.map(|_| self.room(&mut state, "the result", None));
        self.enter(&mut state, function, &args, into)?;
        state.args = args;
        state.result_into = into;
        if self.target.is_main {
            self.command_line(&mut state);
        }
        self.push(state);
        Ok(())
    }

    fn param(&mut self, state: &mut State, body: &Body, number: usize) -> Value {
        let module = self.program().functions[self.target.start as usize].module;
        let var = body.vars.rows().iter().find(|var| var.param == Some(number as u32));
        let names = &self.program().modules[module].names;
        let name = var.map_or_else(
            || format!("parameter {}", number + 1),
            |var| names.text(var.name).to_owned(),
        );
        let ty = var.map(|var| (module, var.ty));
        let types = &self.program().modules[module].types;
        if ty.is_some_and(|(_, ty)| types.is_aggregate(ty)) {
            return self.room(state, &name, ty);
        }
        let scalar = body.values[body.params[number]].scalar;
        let Some(width) = width(scalar) else { return Value::Opaque };
        let pointee = ty.and_then(|ty| names::pointee(self.program(), ty));
        let is_pointer = scalar == Scalar::Ptr;
        let term = self.space.symbol(Symbol { name, width, is_pointer, pointee, member: None });
        let world = self.world;
        if let Some(numbers) = world.passed.of(self.target.start, number).filter(|_| !is_pointer) {
            let is_passed = self.one_of(term, numbers);
            state.assume(is_passed);
        }
        Value::Term(term)
    }

    /// An object of the caller.
    fn room(&mut self, state: &mut State, name: &str, ty: Option<TypeRef>) -> Value {
        let author = Author { event: 0, arg: 0, base: 0 };
        let mut object = Object::new(Kind::Outside, Rest::Input(author));
        (object.name, object.ty) = (name.to_owned(), ty);
        let object = state.add(object);
        Value::Pointer { object, offset: self.space.offset(0) }
    }

    /// A program has a name among its arguments, and a command line ends.
    fn command_line(&mut self, state: &mut State) {
        if let Some(&Value::Term(count)) = state.args.first() {
            let width = self.space.terms.width(count);
            let is_exploring = self.target.wish == Wish::Any;
            let most = if is_exploring { FEW_ARGUMENTS } else { MOST_ARGUMENTS };
            let (one, most) = (self.space.number(1, width), self.space.number(most, width));
            let (least, bound) = (
                self.space.terms.compare(Compare::LeS, one, count),
                self.space.terms.compare(Compare::LeS, count, most),
            );
            state.assume(least);
            state.assume(bound);
        }
    }
}
