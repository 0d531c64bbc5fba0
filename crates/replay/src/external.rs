//! External functions follow their models: each call is answered, and what the answer does is
//! written down so that the interpreter can repeat it. A call that may fail does both, success
//! first. A function without a model keeps what it is given and returns anything.

use std::rc::Rc;

use caulk_guard::bits::{Binary, Compare, TermId};
use caulk_ir::{Body, CallArg, Inst, InstId, Scalar};
use caulk_models::{
    Args, Effect, Freed, FunctionModel, Resource, ResultKind, Returns, Success, Target, Test, When,
};

use crate::blame::Settled;
use crate::names;
use crate::object::{Author, Kind, Life, Made, Object, Rest};
use crate::search::{Done, Seeker, Stuck};
use crate::state::{Answer, Deed, Frame, KnownResult, State};
use crate::step::{End, Flow};
use crate::target::Wish;
use crate::value::{Symbol, TypeRef, Value, width};

/// One call, as its effects see it.
pub struct Call<'c> {
    name: String,
    inst: InstId,
    pub args: &'c [Value],
    pub types: Vec<TypeRef>,
    /// What is written there, for arguments that are string literals.
    texts: Vec<Option<&'c [u8]>>,
    /// What the result is, if there is one, and the type it points to.
    pub result: Option<Scalar>,
    pointee: Option<TypeRef>,
    /// Whether it goes well, where the model tells the difference.
    went: Option<bool>,
}

impl<'a> Seeker<'a> {
    pub fn external(
        &mut self,
        state: &mut State,
        body: &'a Body,
        inst: InstId,
        callee: Option<u32>,
        args: &[Value],
        into: Option<Value>,
    ) -> Done<Flow> {
        let world = self.world;
        let model = callee.and_then(|number| world.model(number));
        let args: Vec<Value> = args.iter().map(|&arg| self.known(state, arg)).collect();
        if into.is_some() {
            self.doubt("an external function returns a structure");
        }
        let variants: &[Option<bool>] = match model {
            // Memory that runs out is looked for on purpose only: every program has such ways.
            Some(model) if self.target.wish == Wish::Any && makes_memory(model) => &[Some(true)],
            Some(model) if self.parses_literal(state, body, inst, model) => &[Some(true)],
            Some(model) if can_fail(model) => &[Some(true), Some(false)],
            _ => &[None],
        };
        let mut states = Vec::new();
        for (number, &went) in variants.iter().enumerate() {
            let mut next = state.way(number + 1 == variants.len());
            let call = self.described(&next, body, inst, callee, &args, went);
            match self.answer(&mut next, &call, model) {
                Ok(value) => {
                    if next.answers.last().is_some_and(|answer| answer.ends) {
                        *state = next;
                        return Ok(Flow::Ended(End::Exit));
                    }
                    self.finish(&mut next, body, inst, value);
                    if let Some(went) = went {
                        let function = next.frame().function;
                        self.settled(&mut next, Settled::Call { function, inst, zero: !went });
                    }
                    states.push(next);
                }
                Err(stuck) if next.is_done => {
                    *state = next;
                    return Err(stuck);
                }
                Err(stuck) if stuck.is_doubt => self.doubt(stuck.why),
                Err(_) => {}
            }
        }
        Ok(Flow::Split(states))
    }

    /// Whoever wrote a text into the program saw to it that it can be read.
    fn parses_literal(
        &self,
        state: &mut State,
        body: &Body,
        inst: InstId,
        model: &FunctionModel,
    ) -> bool {
        let (Some(arg), Some(_), Inst::Call(id)) = (model.parses, model.success, body.insts[inst])
        else {
            return false;
        };
        let program = self.program();
        let module = program.functions[state.frame().function as usize].module;
        let text = body.calls[id].args.get(arg as usize);
        text.is_some_and(|it| {
            caulk_models::literal(&program.modules[module], body, it.value).is_some()
        })
    }

    fn described<'c>(
        &self,
        state: &State,
        body: &'a Body,
        inst: InstId,
        callee: Option<u32>,
        args: &'c [Value],
        went: Option<bool>,
    ) -> Call<'c>
    where
        'a: 'c,
    {
        let program = self.program();
        let function = state.frames.last().map_or(0, |frame| frame.function);
        let module = program.functions[function as usize].module;
        let name =
            callee.map_or_else(String::new, |it| program.functions[it as usize].name.clone());
        let (mut types, mut texts, mut pointee) = (Vec::new(), Vec::new(), None);
        if let Inst::Call(id) = body.insts[inst] {
            let row = &body.calls[id];
            types = row.args.iter().map(|arg| (module, arg.ty)).collect();
            let text =
                |arg: &CallArg| caulk_models::literal(&program.modules[module], body, arg.value);
            texts = row.args.iter().map(text).collect();
            let result = program.modules[module].types.signatures[row.signature].result;
            pointee = names::pointee(program, (module, result));
        }
        let result = body.results[inst].map(|id| body.values[id].scalar);
        Call { name, inst, args, types, texts, result, pointee, went }
    }

    fn answer(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        model: Option<&FunctionModel>,
    ) -> Done<Option<Value>> {
        let function = state.frame().function;
        let fails = call.went == Some(false);
        state.answers.push(Rc::new(Answer {
            name: call.name.clone(),
            function,
            inst: call.inst,
            args: call.args.to_vec(),
            deeds: Vec::new(),
            result: None,
            result_made: None,
            ends: false,
            fails,
        }));
        let result = match model {
            None => self.unknown(state, call)?,
            Some(model) if self.never_returns(model, call) => {
                last(state).ends = true;
                None
            }
            Some(model) => self.modelled(state, call, model)?,
        };
        last(state).result = result;
        Ok(result)
    }

    fn never_returns(&self, model: &FunctionModel, call: &Call<'_>) -> bool {
        match &model.returns {
            Returns::Always | Returns::OnlyOnFailure => false,
            Returns::Never => true,
            Returns::NeverWhen(condition) => {
                let arg = call.args.get(condition.arg as usize);
                let number = arg.and_then(|&arg| self.constant(arg));
                number.is_some_and(|number| condition.test.holds(number))
            }
        }
    }

    fn constant(&self, value: Value) -> Option<i64> {
        match value {
            Value::Term(term) => self.space.constant(term),
            _ => None,
        }
    }

    fn unknown(&mut self, state: &mut State, call: &Call<'_>) -> Done<Option<Value>> {
        self.doubt("a function that nothing is known of is called");
        for arg in 0..call.args.len() {
            self.keep(state, call, arg);
            if self.is_to_be_filled(state, call, arg) {
                self.overwrite(state, call, arg)?;
            }
        }
        Ok(self.any_result(state, call))
    }

    /// Whether an argument is the address of a local variable that holds nothing yet, or zero, or of
    /// memory with a pointer to what is released: such are given to be filled.
    fn is_to_be_filled(&self, state: &State, call: &Call<'_>, arg: usize) -> bool {
        let Some(&Value::Pointer { object, offset }) = call.args.get(arg) else { return false };
        let row = state.object(object);
        let Some(at) = self.space.constant(offset) else { return false };
        let pointee = call.types.get(arg).and_then(|&ty| names::pointee(self.program(), ty));
        let Some(size) = pointee.and_then(|ty| names::size(self.program(), ty)) else {
            return false;
        };
        let cells = row.overlapping(at, size as i64);
        let mut values = cells.into_iter().map(|it| row.cells[&it].value);
        let is_released = |value: Value| match value {
            Value::Pointer { object, .. } => state.object(object).life == Life::Freed,
            _ => false,
        };
        row.life != Life::Freed && values.clone().any(is_released)
            || row.kind == Kind::Slot && values.all(|value| self.constant(value) == Some(0))
    }

    fn modelled(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        model: &FunctionModel,
    ) -> Done<Option<Value>> {
        if let Some(known) = self.known_result(state, call, model) {
            return Ok(Some(known));
        }
        self.refuse_null(state, call, model)?;
        self.look_at_data(state, call, model)?;
        let mut result = None;
        for effect in &model.effects {
            if let Some(value) = self.effect_of(state, call, effect)? {
                result = Some(value);
            }
        }
        self.note_room(state, call, model)?;
        if model.unmentioned == caulk_models::Unmentioned::Unknown {
            self.doubt("only a part of what a function does is known");
            (0..call.args.len()).for_each(|arg| self.keep(state, call, arg));
        }
        let result = match (result, model.result) {
            (Some(value), _) => Some(value),
            (None, ResultKind::Argument(arg)) => call.args.get(arg as usize).copied(),
            (None, _) if model.returns_twice => self.first_return(call),
            (None, _) => self.any_result(state, call),
        };
        // Who returns its argument returns NULL where it fails: `freopen`.
        let is_nothing = call.went == Some(false) && model.success == Some(Success::NonNull);
        let result = match result {
            Some(Value::Pointer { .. }) if is_nothing => Some(Value::Term(self.space.offset(0))),
            result => result,
        };
        if let (Some(Value::Term(term)), Some(success), Some(went)) =
            (result, model.success, call.went)
        {
            let holds = self.success(success, term);
            let condition = if went { holds } else { self.failure(success, term) };
            state.assume(condition);
        } else if let (Some(Value::Term(term)), true) = (result, model.nonnull) {
            let condition = self.success(Success::NonNull, term);
            state.assume(condition);
        } else if let (Some(Value::Term(term)), true) = (result, model.nonnegative) {
            let condition = self.success(Success::NonNegative, term);
            state.assume(condition);
        }
        self.assume_printed(state, call, model, result);
        self.assume_counted(state, call, model, result);
        self.assume_between(state, model, result);
        if model.pure
            && !model.reads_memory
            && let Some(value) = result
        {
            let (name, args) = (call.name.clone(), call.args.to_vec());
            state.known_results.push(Rc::new(KnownResult { name, args, value }));
        }
        Ok(result)
    }

    /// Who prints by a constant format returns at least what that makes of anything.
    fn assume_printed(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        model: &FunctionModel,
        result: Option<Value>,
    ) {
        let is_count = call.went == Some(true) || model.nonnegative;
        let format =
            model.format.filter(|_| is_count).and_then(|it| *call.texts.get(it as usize)?);
        if let (Some(format), Some(Value::Term(term))) = (format, result) {
            let least = i64::from(caulk_models::least_printed(format));
            let least = self.space.number(least, self.space.terms.width(term));
            let condition = self.space.terms.compare(Compare::LeS, least, term);
            state.assume(condition);
        }
    }

    /// Who made an array of what the result counts found something.
    fn assume_counted(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        model: &FunctionModel,
        result: Option<Value>,
    ) {
        let counts = (0..call.args.len() as u32).any(|arg| model.counts_elements(arg));
        if let (true, Some(true), Some(Value::Term(term))) = (counts, call.went, result) {
            let condition = self.success(Success::Positive, term);
            state.assume(condition);
        }
    }

    fn assume_between(&mut self, state: &mut State, model: &FunctionModel, result: Option<Value>) {
        let (Some((least, greatest)), Some(Value::Term(term))) = (model.between, result) else {
            return;
        };
        let width = self.space.terms.width(term);
        let [least, greatest] = [least, greatest].map(|it| self.space.number(it, width));
        for (left, right) in [(least, term), (term, greatest)] {
            let condition = self.space.terms.compare(Compare::LeS, left, right);
            state.assume(condition);
        }
    }

    /// Who resizes the block behind one argument, as `getline` does, writes its size behind another:
    /// that is not 0.
    fn note_room(&mut self, state: &mut State, call: &Call<'_>, model: &FunctionModel) -> Done<()> {
        let resizes = |it: &Effect| matches!(it, Effect::Reallocates { through: true, .. });
        if call.went == Some(false) || !model.effects.iter().any(resizes) {
            return Ok(());
        }
        for effect in &model.effects {
            let Effect::Writes { args } = effect else { continue };
            for arg in pointers(call, *args) {
                let pointee =
                    call.types.get(arg).and_then(|&ty| names::pointee(self.program(), ty));
                let is_size = pointee.and_then(|ty| names::size(self.program(), ty)) == Some(8);
                if let Some(&address) = call.args.get(arg).filter(|_| is_size)
                    && let Value::Term(size) = self.load(state, address, Scalar::I64)?
                {
                    let zero = self.space.number(0, 64);
                    let is_empty = self.space.terms.eq(size, zero);
                    let condition = self.space.terms.not(is_empty);
                    state.assume(condition);
                }
            }
        }
        Ok(())
    }

    /// The run ends where NULL is handed to a function that follows it.
    fn refuse_null(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        model: &FunctionModel,
    ) -> Done<()> {
        for &arg in &model.follows {
            let Some(&Value::Term(term)) = call.args.get(arg as usize) else { continue };
            if self.space.constant(term) == Some(0) {
                return Err(Stuck::quiet("a library function follows NULL"));
            }
            let condition = self.success(Success::NonNull, term);
            state.assume(condition);
        }
        Ok(())
    }

    /// What no effect mentions is used during the call; only pointers to data are followed for it.
    fn look_at_data(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        model: &FunctionModel,
    ) -> Done<()> {
        for arg in 0..call.args.len() {
            let pointee = call.types.get(arg).and_then(|&ty| names::pointee(self.program(), ty));
            let is_data = pointee.is_some_and(|ty| names::size(self.program(), ty).is_some());
            if is_data && !releases(model, arg as u32) {
                self.look(state, call, arg)?;
            }
        }
        Ok(())
    }

    /// A pure function gives for the same arguments what it gave before.
    fn known_result(&self, state: &State, call: &Call<'_>, model: &FunctionModel) -> Option<Value> {
        let mut rows = state.known_results.iter().filter(|_| model.pure);
        rows.find(|row| row.name == call.name && row.args == call.args).map(|row| row.value)
    }

    fn success(&mut self, success: Success, result: TermId) -> TermId {
        let width = self.space.terms.width(result);
        let zero = self.space.number(0, width);
        let minus = self.space.number(-1, width);
        let terms = &mut self.space.terms;
        match success {
            Success::Zero | Success::ZeroElseMinusOne | Success::Null => terms.eq(result, zero),
            Success::NonZero | Success::NonNull => {
                let is_zero = terms.eq(result, zero);
                terms.not(is_zero)
            }
            Success::NonNegative => terms.compare(Compare::LeS, zero, result),
            Success::Positive => terms.compare(Compare::LtS, zero, result),
            Success::One => {
                let one = self.space.number(1, width);
                self.space.terms.eq(result, one)
            }
            Success::NotMinusOne => {
                let is_minus = terms.eq(result, minus);
                terms.not(is_minus)
            }
        }
    }

    /// Functions that count or return a descriptor fail with -1, and most system calls do.
    fn failure(&mut self, success: Success, result: TermId) -> TermId {
        if matches!(success, Success::NonNegative | Success::ZeroElseMinusOne) {
            let minus = self.space.number(-1, self.space.terms.width(result));
            return self.space.terms.eq(result, minus);
        }
        let success = if success == Success::One { Success::Positive } else { success };
        let holds = self.success(success, result);
        self.space.terms.not(holds)
    }

    /// What `setjmp` returns at first; the second return is not followed.
    fn first_return(&mut self, call: &Call<'_>) -> Option<Value> {
        self.doubt("a jump back to `setjmp` is not followed");
        let width = width(call.result?)?;
        Some(Value::Term(self.space.number(0, width)))
    }

    /// A result that may be anything.
    fn any_result(&mut self, _state: &mut State, call: &Call<'_>) -> Option<Value> {
        let Some(width) = width(call.result?) else { return Some(Value::Opaque) };
        let callee = if call.name.is_empty() { "the function pointer" } else { &call.name };
        let name = format!("the result of {callee}");
        let is_pointer = call.result == Some(Scalar::Ptr);
        let symbol = Symbol { name, width, is_pointer, pointee: call.pointee, member: None };
        Some(Value::Term(self.space.symbol(symbol)))
    }

    /// Does what an effect says; some where that decides the result.
    fn effect_of(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        effect: &Effect,
    ) -> Done<Option<Value>> {
        match effect {
            Effect::Allocates { to, resource, zeroed, may_fail, when, .. } => {
                let fails = *may_fail && call.went == Some(false);
                match (fails, self.applies(state, call, when)) {
                    (true, _) => return Ok(self.nothing(call, *to)),
                    (false, true) => {
                        let made = self.make(state, call, *to, resource, None)?;
                        note_zeroed(state, *zeroed);
                        return Ok(made);
                    }
                    (false, false) => {}
                }
            }
            Effect::Reallocates { arg, through, to, size, resource, .. } => {
                let from = (*arg as usize, *through);
                return self.resize(state, call, from, *to, size, resource);
            }
            Effect::Frees { resource, .. } if self.world.is_inside(resource) => {
                self.doubt("a resource inside an object of the program is not followed");
            }
            Effect::Frees { args, what, when, .. } if self.applies(state, call, when) => {
                for arg in pointers(call, *args) {
                    self.free(state, call, arg, *what)?;
                }
            }
            Effect::Keeps { args, when } if self.applies(state, call, when) => {
                pointers(call, *args).into_iter().for_each(|arg| self.keep(state, call, arg));
            }
            Effect::StoresArgument { arg, .. } => {
                self.doubt("a function stores its argument in memory");
                self.keep(state, call, *arg as usize);
            }
            Effect::Writes { args } => {
                for arg in pointers(call, *args) {
                    self.overwrite(state, call, arg)?;
                }
            }
            Effect::CopiesMemory { to, .. } => self.overwrite(state, call, *to as usize)?,
            Effect::Reads { args } => {
                for arg in pointers(call, *args) {
                    self.look(state, call, arg)?;
                }
            }
            Effect::ReturnsArgument { arg, interior, when, .. }
                if self.applies(state, call, when) =>
            {
                if *interior {
                    self.doubt("a function returns a pointer into its argument");
                }
                return Ok(call.args.get(*arg as usize).copied());
            }
            Effect::ReturnsLoaded { arg } => {
                if let Some(&address) = call.args.get(*arg as usize) {
                    return self.load(state, address, Scalar::Ptr).map(Some);
                }
            }
            Effect::Clears { arg } => self.clear(state, call, *arg as usize)?,
            Effect::CallsBack { function, entry, .. } => {
                self.called_back(state, call, *function as usize, *entry)?;
            }
            Effect::Retains { .. } => self.doubt("references are counted outside"),
            _ => {}
        }
        Ok(None)
    }

    fn applies(&mut self, state: &mut State, call: &Call<'_>, when: &When) -> bool {
        match when {
            When::Always => true,
            When::OnSuccess => call.went != Some(false),
            When::OnFailure => call.went == Some(false),
            When::Condition(condition) => {
                let arg = call.args.get(condition.arg as usize).copied();
                match arg {
                    Some(Value::Pointer { .. } | Value::Function(_)) => condition.test.holds(1),
                    Some(value) => match self.constant(value) {
                        Some(number) => condition.test.holds(number),
                        None => {
                            self.doubt("what a function does depends on an open argument");
                            self.assume_test(state, value, &condition.test);
                            true
                        }
                    },
                    None => false,
                }
            }
        }
    }

    /// An open argument is such that the model's effect happens.
    fn assume_test(&mut self, state: &mut State, value: Value, test: &Test) {
        let Value::Term(term) = value else { return };
        let one_of = |player: &mut Self, values: &[i64]| {
            let values: Vec<u64> = values.iter().map(|&value| value as u64).collect();
            player.one_of(term, &values)
        };
        let holds = match test {
            Test::Is(values) => one_of(self, values),
            Test::IsNot(values) => {
                let inside = one_of(self, values);
                self.space.terms.not(inside)
            }
            Test::Lacks(bits) => {
                let width = self.space.terms.width(term);
                let bits = self.space.terms.constant(*bits as u64, width);
                let set = self.space.terms.binary(Binary::And, term, bits);
                self.space.terms.is_zero(set)
            }
        };
        state.demanded.push(term);
        state.assume(holds);
    }

    /// The result of an allocation that fails, where the model does not tell another.
    fn nothing(&mut self, call: &Call<'_>, to: Target) -> Option<Value> {
        let is_pointer = to == Target::Result && call.result == Some(Scalar::Ptr);
        is_pointer.then(|| Value::Term(self.space.offset(0)))
    }

    /// A new object, with what the old one held.
    fn make(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        to: Target,
        resource: &Resource,
        old: Option<u32>,
    ) -> Done<Option<Value>> {
        if let Some(scalar) = self.number_type(call, to) {
            return self.open_handle(state, call, to, scalar);
        }
        let is_wanted = self.is_site(state);
        let mut object = Object::new(Kind::Heap, Rest::Zero);
        if let Some(old) = old {
            let old = state.object(old);
            (object.cells, object.rests) = (old.cells.clone(), old.rests.clone());
        }
        object.is_wanted = is_wanted;
        // Nobody points to what is inside an object: exploration would take it for lost.
        if !matches!(to, Target::Elements(_) | Target::Inside(_)) {
            object.made =
                Some(Rc::new(Made { stack: calls_of(state), resource: resource.clone() }));
        }
        state.is_made |= is_wanted;
        let id = state.add(object);
        let pointer = Value::Pointer { object: id, offset: self.space.offset(0) };
        let answer = last(state);
        let made = answer.deeds.iter().filter(|it| matches!(it, Deed::Make { .. })).count();
        answer.deeds.push(Deed::Make { object: id });
        match to {
            Target::Result => {
                answer.result_made = Some(made);
                return Ok(Some(pointer));
            }
            Target::Pointee(arg) => self.hand_out(state, call, arg as usize, 0, made, pointer),
            Target::Element { arg, index } => {
                self.hand_out(state, call, arg as usize, i64::from(index) * 8, made, pointer);
            }
            Target::Elements(_) | Target::Inside(_) => {
                self.doubt("a resource inside an object of the program is not followed");
            }
        }
        Ok(None)
    }

    fn hand_out(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        arg: usize,
        offset: i64,
        made: usize,
        pointer: Value,
    ) {
        let Some(&address) = call.args.get(arg) else { return };
        if let Ok((object, at)) = self.place(state, address) {
            self.write(state, object, at + offset, 8, pointer);
            last(state).deeds.push(Deed::Store { arg, offset, made });
        }
    }

    pub fn is_site(&self, state: &State) -> bool {
        if self.target.wish == Wish::Any {
            return true;
        }
        let is_it = |frame: &Rc<Frame>| {
            frame.function == self.target.site && self.target.calls.contains(&frame.inst)
        };
        let is_inner = |frame: &Rc<Frame>| {
            let site = (frame.function, frame.inst);
            self.target.made_by.as_ref().is_none_or(|sites| sites.contains(&site))
        };
        state.frames.iter().any(is_it) && state.frames.iter().any(is_inner)
    }

    fn resize(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        (arg, through): (usize, bool),
        to: Target,
        size: &[u32],
        resource: &Resource,
    ) -> Done<Option<Value>> {
        if call.went == Some(false) {
            return Ok(self.nothing(call, to));
        }
        let Some(&given) = call.args.get(arg) else { return Ok(None) };
        let old = if through { self.load(state, given, Scalar::Ptr)? } else { given };
        let old = self.released(state, old)?;
        let sizes = size.iter().filter_map(|&it| call.args.get(it as usize).copied());
        let is_empty = sizes.collect::<Vec<_>>().into_iter().any(|it| self.constant(it) == Some(0));
        if let (Some(old), true) = (old, through) {
            // The new block takes the old one's place: that one goes first.
            self.doubt("memory behind an argument is resized");
            last(state).deeds.push(Deed::Free { arg, through });
            state.object_mut(old).life = Life::Freed;
        }
        let result = match is_empty {
            true => self.nothing(call, to),
            false => self.make(state, call, to, resource, old.filter(|_| !through))?,
        };
        if let (Some(old), false) = (old, through) {
            if !is_empty {
                last(state).deeds.push(Deed::CopyInto { arg });
            }
            last(state).deeds.push(Deed::Free { arg, through });
            state.object_mut(old).life = Life::Freed;
        }
        Ok(result)
    }

    fn free(&mut self, state: &mut State, call: &Call<'_>, arg: usize, what: Freed) -> Done<()> {
        let Some(&given) = call.args.get(arg).filter(|_| what != Freed::Inside) else {
            return Ok(());
        };
        if self.is_number(call, arg) {
            self.close_handle(state, call, arg);
            return Ok(());
        }
        let through = what == Freed::Pointee;
        if what == Freed::ArgumentAndElements {
            self.doubt("what is in a freed block is freed, too");
        }
        let value = if through { self.load(state, given, Scalar::Ptr)? } else { given };
        let object = self.released(state, value);
        last(state).deeds.push(Deed::Free { arg, through });
        if let Some(object) = object? {
            state.object_mut(object).life = Life::Freed;
        }
        Ok(())
    }

    /// The object that a release takes; none for NULL.
    fn released(&mut self, state: &mut State, value: Value) -> Done<Option<u32>> {
        let object = match self.known(state, value) {
            Value::Pointer { object, .. } => object,
            Value::Term(term) if self.space.constant(term).is_some() => return Ok(None),
            Value::Term(term) => match self.is_null(state, term) {
                true => return Ok(None),
                false => self.place(state, value)?.0,
            },
            _ => return Err(Stuck::loud("an unknown pointer is released")),
        };
        let row = state.object(object);
        match (row.kind, row.life) {
            (Kind::Heap | Kind::Outside, Life::Live) => Ok(Some(object)),
            (_, Life::Freed) => {
                state.is_done = row.is_wanted && self.target.wish.is_double_free();
                Err(Stuck::quiet("released twice"))
            }
            _ => Err(Stuck::quiet("what is no heap memory is released")),
        }
    }

    /// Settles whether an open pointer is NULL, by the values at hand.
    fn is_null(&mut self, state: &mut State, term: TermId) -> bool {
        let zero = self.space.offset(0);
        let is_null = self.space.terms.eq(term, zero);
        let holds = self.space.terms.evaluate(is_null, &*state.model) == 1;
        self.doubt("whether a released pointer is NULL was chosen");
        let condition = if holds { is_null } else { self.space.terms.not(is_null) };
        state.assume(condition);
        holds
    }

    fn keep(&mut self, state: &mut State, call: &Call<'_>, arg: usize) {
        if let Some(&Value::Pointer { object, .. }) = call.args.get(arg) {
            state.object_mut(object).is_kept = true;
            last(state).deeds.push(Deed::Keep { arg });
        }
        self.keep_handle(state, call, arg);
    }

    /// The function reads what the argument points to.
    fn look(&mut self, state: &mut State, call: &Call<'_>, arg: usize) -> Done<()> {
        let Some(&Value::Pointer { object, .. }) = call.args.get(arg) else { return Ok(()) };
        let row = state.object(object);
        if row.life != Life::Freed {
            return Ok(());
        }
        state.is_done = row.is_wanted && self.target.wish.is_use();
        last(state).deeds.push(Deed::Touch { arg });
        Err(Stuck::quiet("used after its release"))
    }

    /// The function writes what the argument points to: the bytes are chosen when they are read.
    fn overwrite(&mut self, state: &mut State, call: &Call<'_>, arg: usize) -> Done<()> {
        self.look(state, call, arg)?;
        let Some(&address @ Value::Pointer { .. }) = call.args.get(arg) else { return Ok(()) };
        let (object, at) = self.place(state, address)?;
        let pointee = call.types.get(arg).and_then(|&ty| names::pointee(self.program(), ty));
        let size = pointee.and_then(|ty| names::size(self.program(), ty)).unwrap_or(1);
        let end = if size > 1 { at.saturating_add(size as i64) } else { i64::MAX };
        let event = state.answers.len() as u32;
        let author = Author { event, arg, base: at };
        state.object_mut(object).replace(at, end, Rest::Input(author));
        Ok(())
    }

    fn clear(&mut self, state: &mut State, call: &Call<'_>, arg: usize) -> Done<()> {
        let Some(&address) = call.args.get(arg) else { return Ok(()) };
        let (object, at) = self.place(state, address)?;
        let value = Value::Term(self.space.offset(0));
        self.write(state, object, at, 8, value);
        last(state).deeds.push(Deed::Clear { arg });
        Ok(())
    }

    fn called_back(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        function: usize,
        later: bool,
    ) -> Done<()> {
        if later {
            self.doubt("a function is handed out to be called later");
            (0..call.args.len()).for_each(|arg| self.keep(state, call, arg));
            return Ok(());
        }
        match call.args.get(function) {
            Some(Value::Term(term)) if self.space.constant(*term) == Some(0) => Ok(()),
            _ => Err(Stuck::loud("a function of the program is called back")),
        }
    }
}

/// Tells of what the last answer made last.
fn note_zeroed(state: &mut State, is_zeroed: bool) {
    let deeds = &last(state).deeds;
    let made = deeds.iter().rev().find_map(|deed| match *deed {
        Deed::Make { object } => Some(object),
        _ => None,
    });
    if let Some(object) = made {
        state.object_mut(object).is_zeroed = is_zeroed;
    }
}

fn calls_of(state: &State) -> Vec<(u32, InstId)> {
    state.frames.iter().map(|frame| (frame.function, frame.inst)).collect()
}

pub fn last(state: &mut State) -> &mut Answer {
    Rc::make_mut(state.answers.last_mut().expect("the answer to this call was begun"))
}

/// The arguments of an effect that are no plain numbers.
fn pointers(call: &Call<'_>, args: Args) -> Vec<usize> {
    args.of_call(call.args.len() as u32).map(|arg| arg as usize).collect()
}

fn releases(model: &FunctionModel, number: u32) -> bool {
    model.releases().any(|effect| match effect {
        Effect::Frees { args, .. } => args.contains(number),
        Effect::Reallocates { arg, .. } => *arg == number,
        _ => false,
    })
}

fn makes_memory(model: &FunctionModel) -> bool {
    model.effects.iter().any(|effect| match effect {
        Effect::Allocates { resource, .. } | Effect::Reallocates { resource, .. } => {
            resource.is_memory()
        }
        _ => false,
    })
}

fn can_fail(model: &FunctionModel) -> bool {
    let depends = |when: &When| matches!(when, When::OnSuccess | When::OnFailure);
    model.success.is_some()
        && model.effects.iter().any(|effect| match effect {
            Effect::Allocates { may_fail, when, .. } => *may_fail || depends(when),
            Effect::Reallocates { may_fail, .. } => *may_fail,
            Effect::Frees { when, .. }
            | Effect::Keeps { when, .. }
            | Effect::ReturnsArgument { when, .. } => depends(when),
            _ => false,
        })
}
