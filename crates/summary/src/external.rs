//! Calls of functions without a body: what their models say, applied to the state.
//!
//! As everywhere in this engine, outcomes are joined: an effect that happens on success happens,
//! and a result that is NULL takes the allocation back (`prune`).

use caulk_base::FxHashSet;
use caulk_ir::{CallId, Module, Scalar, Type, TypeId};
use caulk_models::{
    Args, CallbackArgument, Condition, Effect, Freed, FunctionModel, Resource, ResultKind, Returns,
    Success, Target, Test, Unmentioned, When,
};
use caulk_program::{ExternalId, ExternalModels, Program};

use crate::calls::Site;
use crate::exec::{Exec, Made, Origin, Point, Tie};
use crate::fills::Extent;
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::{Background, State};
use crate::value::Value;

impl Exec<'_> {
    pub fn external(
        &mut self,
        id: ExternalId,
        site: &mut Site,
        state: &mut State,
    ) -> Option<Option<Value>> {
        let name = &self.context.program.externals[id].name;
        let Some(model) = self.context.externals.of(id) else {
            self.unknown.push(name.clone());
            return Some(self.unknown_call(site, Some(&[]), state));
        };
        if self.never_returns(model, site) {
            return None;
        }
        let mut result = self.plain_result(model, site, state);
        let first = site.index;
        for effect in &model.effects {
            self.apply(effect, model, name, site, state, &mut result);
        }
        self.tie_success(model, site, first, result.as_ref());
        if model.unmentioned == Unmentioned::Unknown {
            self.unmentioned(site, state);
        }
        if model.nonnull
            && let Some(value) = &mut result
        {
            value.numbers = value.numbers.without(0);
        }
        Some(result)
    }

    /// A call that fails, by its result, makes nothing.
    fn tie_success(
        &mut self,
        model: &FunctionModel,
        site: &Site,
        first: u16,
        value: Option<&Value>,
    ) {
        let results = self.body.results[site.at].zip(value);
        let (Some(success), Some((id, value))) = (model.success, results) else { return };
        // A failed reallocation leaves the old block, perhaps in the same place.
        let reallocates = |effect: &Effect| matches!(effect, Effect::Reallocates { .. });
        if site.index == first || model.effects.iter().any(reallocates) {
            return;
        }
        let in_result =
            |effect: &Effect| matches!(effect, Effect::Allocates { to: Target::Result, .. });
        let is_address = model.effects.iter().any(in_result);
        let numbers = if is_address { Numbers::NONE } else { numbers_of(success) };
        let regions = (first..site.index)
            .map(|index| self.locations.intern(Loc::Region { at: site.at, index }))
            .collect();
        let tie = Tie { result: value.clone(), regions, numbers, is_address };
        self.ties.entry(id).or_default().push(tie);
    }

    fn never_returns(&self, model: &FunctionModel, site: &Site) -> bool {
        match &model.returns {
            Returns::Always | Returns::OnlyOnFailure => false,
            Returns::Never => true,
            Returns::NeverWhen(condition) => self.holds(condition, site) == Some(true),
        }
    }

    /// Whether a condition on an argument is known to hold, or known not to.
    fn holds(&self, condition: &Condition, site: &Site) -> Option<bool> {
        let value = site.arguments.get(condition.arg as usize)?;
        let (values, inside) = match &condition.test {
            Test::Is(values) => (values, true),
            Test::IsNot(values) => (values, false),
            Test::Lacks(_) => {
                let number = value.numbers.as_constant();
                return number.map(|number| condition.test.holds(number));
            }
        };
        let is_plain = value.addresses().is_empty();
        if let Some(number) = value.numbers.as_constant().filter(|_| is_plain) {
            return Some(values.contains(&number) == inside);
        }
        let apart = values.iter().all(|&it| !value.numbers.contains(it));
        apart.then_some(!inside)
    }

    fn unmentioned(&mut self, site: &Site, state: &mut State) {
        let has_function = self.hands_function(site);
        for (number, value) in site.arguments.iter().enumerate() {
            if has_function || !self.is_plain_constant(site.call, number) {
                self.give_away(state, value);
                self.scramble(state, value);
            }
            self.run_known(value, state);
        }
    }

    fn plain_result(
        &mut self,
        model: &FunctionModel,
        site: &Site,
        state: &mut State,
    ) -> Option<Value> {
        let result = self.body.results[site.at]?;
        let is_pointer = self.body.values[result].scalar == Scalar::Ptr;
        let argument = |arg: u32| site.arguments.get(arg as usize).cloned();
        match model.result {
            ResultKind::Argument(arg) => argument(arg),
            ResultKind::Loaded(arg) => {
                let from = argument(arg)?;
                Some(self.load(state, &from, is_pointer, Point::Inst(site.at)))
            }
            ResultKind::Fresh => Some(Value::of_numbers(failure(model.success))),
            ResultKind::Library | ResultKind::Unknown => Some(self.outside(is_pointer)),
            ResultKind::Plain => Some(Value::any_number()),
        }
    }

    fn apply(
        &mut self,
        effect: &Effect,
        model: &FunctionModel,
        name: &str,
        site: &mut Site,
        state: &mut State,
        result: &mut Option<Value>,
    ) {
        if self.cannot_happen(effect, site) || has_no_place(effect, site) {
            return;
        }
        let point = Point::Inst(site.at);
        match effect {
            Effect::Allocates { to, resource, releases, zeroed, may_fail, .. } => {
                let background = if *zeroed { Background::Zero } else { Background::Uninitialised };
                let made = self.made_by(name, site, resource, releases, Vec::new());
                self.hand_out(*to, made, background, *may_fail, site, state, result);
            }
            Effect::Reallocates { arg, through, to, resource, releases, .. } => {
                let made = self.made_by(name, site, resource, releases, Vec::new());
                if self.is_wanted(&made, *to, site) {
                    self.reallocate((*arg, *through), *to, made, site, state, result);
                }
            }
            // A lock that is given back leaves the memory it lies in.
            Effect::Frees { resource, .. } if self.context.inside.contains(resource.name()) => {}
            Effect::Frees { args, what, .. } => self.release(*args, *what, site, state),
            Effect::ReturnsArgument { arg, interior, .. } => {
                let value = argument(site, *arg);
                let value = match interior {
                    true => value.map_addresses(Numbers::NONE, |it| self.locations.element(it)),
                    false => value,
                };
                if let Some(result) = result {
                    let may_fail = model.success == Some(Success::NonNull);
                    if model.result != ResultKind::Argument(*arg) || *interior || may_fail {
                        result.numbers = result.numbers.join(&Numbers::ZERO);
                    }
                    result.join(&value);
                }
            }
            Effect::ReturnsLoaded { .. } | Effect::Reads { .. } => {}
            Effect::StoresArgument { arg, interior, into, offset } => {
                let (mut value, into) = (argument(site, *arg), argument(site, *into));
                if *interior {
                    let inside =
                        value.map_addresses(Numbers::NONE, |it| self.locations.element(it));
                    value.join(&inside);
                }
                let to = into.map_addresses(Numbers::NONE, |it| match offset {
                    Some(offset) => {
                        let offset = i64::try_from(*offset).unwrap_or(0);
                        self.locations.field(it, offset)
                    }
                    None => self.locations.element(it),
                });
                self.store(state, &to, &value, point);
            }
            Effect::Keeps { args, .. } => self.each(*args, site, state, Self::give_away),
            Effect::Retains { arg } => self.each(Args::one(*arg), site, state, Self::give_away),
            // What is filled is told by that.
            Effect::Writes { args } if fills(model, *args) => {}
            Effect::Writes { args } => self.each(*args, site, state, Self::write_plain),
            Effect::Fills { arg, byte, bytes } => {
                let zero = Value::of_numbers(Numbers::ZERO);
                let byte = byte.map_or(zero, |byte| argument(site, byte));
                let extent = Extent::of(&argument(site, *bytes));
                // Zero beside a pointer would be the pointer or NULL where ways meet that put it into
                // different members: releasing both would look like releasing it twice.
                self.fill(state, &argument(site, *arg), &byte, extent, Background::Unknown);
            }
            Effect::Clears { arg } => {
                let to = argument(site, *arg);
                self.store(state, &to, &Value::of_numbers(Numbers::ZERO), point);
            }
            Effect::CopiesMemory { to, from, bytes } => {
                let (to, from) = (argument(site, *to), argument(site, *from));
                let size = bytes.map_or_else(Value::any_number, |bytes| argument(site, bytes));
                let extent = Extent::of(&size);
                self.overwrite(state, &to, extent);
                self.copy_known(state, &to, &from, extent, point);
                if self.may_hold_pointers(site, effect) {
                    self.copy_contents(state, &to, &from, point);
                }
            }
            Effect::CallsBack { arguments, function, through, entry, .. } => {
                // Who runs later or beside the call does so in a program of its own.
                if !entry {
                    let function = argument(site, *function);
                    let one = if *through { Value::any_number() } else { function };
                    self.run_handed(&one, state);
                }
                arguments.iter().for_each(|&it| self.hand_back(it, site, state));
            }
        }
    }

    /// Who is called back keeps what it gets, and may write there.
    fn hand_back(&mut self, argument: CallbackArgument, site: &Site, state: &mut State) {
        match argument {
            CallbackArgument::Argument(arg) => {
                self.each(Args::one(arg), site, state, Self::give_away);
                self.each(Args::one(arg), site, state, Self::scramble);
            }
            // `qsort` itself writes there, too.
            CallbackArgument::PointsInto(arg) => {
                self.each(Args::one(arg), site, state, Self::scramble);
            }
            CallbackArgument::LoadedFrom(_) | CallbackArgument::Unknown => {}
        }
    }

    /// Whether pointers may be among the bytes that are copied: by their number, and by what the
    /// variables are that hold the addresses.
    fn may_hold_pointers(&self, site: &Site, effect: &Effect) -> bool {
        let Effect::CopiesMemory { to, from, bytes } = effect else { return false };
        let room = bytes.and_then(|arg| site.arguments.get(arg as usize)?.numbers.high());
        let is_small = room.is_some_and(|most| most < i64::from(self.module.target.pointer_bytes));
        !is_small && ![*to, *from].iter().any(|&arg| self.is_plain_variable(site.call, arg))
    }

    /// A variable of the source that leads to characters or numbers.
    fn is_plain_variable(&self, call: CallId, number: u32) -> bool {
        let argument = self.body.calls[call].args.get(number as usize);
        let var = argument.and_then(|argument| self.body.values[argument.value].var);
        var.is_some_and(|var| match self.module.types.types[self.body.vars[var].ty] {
            Type::Pointer { to, .. } => is_plain(self.module, to),
            _ => false,
        })
    }

    /// Plain data is written from there on.
    fn write_plain(&mut self, state: &mut State, to: &Value) {
        self.overwrite(state, to, Extent::UNKNOWN);
    }

    fn cannot_happen(&self, effect: &Effect, site: &Site) -> bool {
        match effect {
            Effect::Allocates { when, .. }
            | Effect::Frees { when, .. }
            | Effect::Keeps { when, .. }
            | Effect::ReturnsArgument { when, .. } => match when {
                When::Condition(condition) => self.holds(condition, site) == Some(false),
                When::Always | When::OnSuccess | When::OnFailure => false,
            },
            _ => false,
        }
    }

    fn each(
        &mut self,
        args: Args,
        site: &Site,
        state: &mut State,
        act: fn(&mut Self, &mut State, &Value),
    ) {
        let count = u32::try_from(site.arguments.len()).unwrap_or(u32::MAX);
        for arg in args.of_call(count) {
            act(self, state, &argument(site, arg));
        }
    }

    fn made_by(
        &self,
        name: &str,
        site: &Site,
        resource: &Resource,
        releases: &[String],
        replaces: Vec<LocId>,
    ) -> Made {
        let origin = Origin { proc: self.proc, at: site.at, by: name.to_string() };
        Made { resource: resource.clone(), releases: releases.to_vec(), origin, replaces }
    }

    /// Descriptors and other numbers have no address: this engine follows pointers.
    fn is_wanted(&self, made: &Made, to: Target, site: &Site) -> bool {
        let result = self.body.results[site.at].map(|it| self.body.values[it].scalar);
        let is_number = matches!(to, Target::Result) && result.is_some_and(|it| it != Scalar::Ptr);
        let is_plain = is_number || made.resource.name() == "descriptor";
        !is_plain && (self.options().resources || made.resource.is_memory())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    fn hand_out(
        &mut self,
        to: Target,
        made: Made,
        background: Background,
        may_fail: bool,
        site: &mut Site,
        state: &mut State,
        result: &mut Option<Value>,
    ) {
        // What is owned by its holder's address has no pointer to follow.
        if matches!(to, Target::Inside(_)) || !self.is_wanted(&made, to, site) {
            return self.hand_out_unknown(to, site, state, result);
        }
        let region = self.make_external(site, made, background, state);
        let value = Value::address(region);
        self.place(to, &value, site, state, result);
        if let (Target::Result, Some(result), false) = (to, result, may_fail) {
            result.numbers = Numbers::NONE;
        }
    }

    /// What is not followed may be any number there.
    fn hand_out_unknown(
        &mut self,
        to: Target,
        site: &Site,
        state: &mut State,
        result: &mut Option<Value>,
    ) {
        match to {
            Target::Result => *result = result.as_ref().map(|_| self.outside(true)),
            Target::Pointee(arg) | Target::Element { arg, .. } | Target::Elements(arg) => {
                self.scramble(state, &argument(site, arg));
            }
            Target::Inside(_) => {}
        }
    }

    fn place(
        &mut self,
        to: Target,
        value: &Value,
        site: &Site,
        state: &mut State,
        result: &mut Option<Value>,
    ) {
        let point = Point::Inst(site.at);
        match to {
            Target::Result => {
                if let Some(result) = result {
                    result.join(value);
                }
            }
            Target::Pointee(arg) => self.store(state, &argument(site, arg), value, point),
            Target::Element { arg, .. } => {
                let to = argument(site, arg);
                let to = to.map_addresses(Numbers::NONE, |it| self.locations.element(it));
                self.store(state, &to, value, point);
            }
            Target::Elements(arg) => {
                let spine = self.load(state, &argument(site, arg), true, point);
                let to = spine.map_addresses(Numbers::NONE, |it| self.locations.element(it));
                self.store(state, &to, value, point);
            }
            Target::Inside(_) => {}
        }
    }

    fn release(&mut self, args: Args, what: Freed, site: &Site, state: &mut State) {
        let count = u32::try_from(site.arguments.len()).unwrap_or(u32::MAX);
        let point = Point::Inst(site.at);
        for arg in args.of_call(count) {
            let value = argument(site, arg);
            match what {
                Freed::Argument => self.free(site.at, state, &value),
                Freed::Inside => {}
                Freed::Pointee => {
                    let held = self.load(state, &value, true, point);
                    self.free(site.at, state, &held);
                }
                Freed::ArgumentAndElements => {
                    let elements =
                        value.map_addresses(Numbers::NONE, |it| self.locations.element(it));
                    let held = self.load(state, &elements, true, point);
                    self.free(site.at, state, &held);
                    self.free(site.at, state, &value);
                }
            }
        }
    }

    /// The old block is given up for the fresh one, and back where the fresh one is NULL.
    fn reallocate(
        &mut self,
        (arg, through): (u32, bool),
        to: Target,
        mut made: Made,
        site: &mut Site,
        state: &mut State,
        result: &mut Option<Value>,
    ) {
        let point = Point::Inst(site.at);
        let mut old = argument(site, arg);
        if through {
            old = self.load(state, &old, true, point);
        }
        let before = state.allocated.clone();
        let was_freed = state.freed.clone();
        self.free(site.at, state, &old);
        let objects = old.addresses().iter().map(|&it| self.locations.object(it));
        // A cell of this procedure that was given up before is not given up again.
        let is_there = |it: &LocId| match self.locations.get(*it) {
            Loc::Region { .. } => before.contains(*it),
            _ => !was_freed.contains(*it),
        };
        made.replaces = objects.filter(is_there).collect();
        for &moved in &made.replaces {
            // Its contents live on elsewhere: to the caller that is no release.
            if matches!(self.locations.get(moved), Loc::Region { .. }) {
                state.freed.remove(moved);
            }
        }
        let replaced = Value::new(Numbers::NONE, made.replaces.iter().copied());
        let region = self.make_external(site, made, Background::Uninitialised, state);
        state.replaced.insert(region, replaced);
        let value = Value::address(region);
        self.copy_known(state, &value, &old, Extent::ALL, point);
        let is_result = matches!(to, Target::Result);
        self.place(to, &value, site, state, result);
        if let (true, Some(result)) = (is_result, result) {
            result.numbers = result.numbers.join(&Numbers::ZERO);
        }
    }

    /// `const char *` and the like: nothing is kept or written through it.
    pub fn is_plain_constant(&self, call: CallId, number: usize) -> bool {
        let Some(argument) = self.body.calls[call].args.get(number) else { return false };
        match self.module.types.types[argument.ty] {
            Type::Pointer { to, to_const: true } => !holds_pointers(self.module, to, 4),
            _ => false,
        }
    }
}

/// The resources that are owned by the address of their holder.
pub fn resources_inside(program: &Program, externals: &ExternalModels) -> FxHashSet<String> {
    let models = program.externals.ids().filter_map(|id| externals.of(id));
    let effects = models.flat_map(|model| &model.effects);
    let inside = effects.filter_map(|effect| match effect {
        Effect::Allocates { to: Target::Inside(_), resource, .. } if !resource.is_memory() => {
            Some(resource.name())
        }
        _ => None,
    });
    inside.map(str::to_string).collect()
}

fn fills(model: &FunctionModel, args: Args) -> bool {
    let is_same =
        |effect: &Effect| matches!(*effect, Effect::Fills { arg, .. } if args == Args::one(arg));
    model.effects.iter().any(is_same)
}

fn argument(site: &Site, arg: u32) -> Value {
    site.arguments.get(arg as usize).cloned().unwrap_or_else(Value::any_number)
}

/// What goes where an argument leads to is not made if that is NULL.
fn has_no_place(effect: &Effect, site: &Site) -> bool {
    let through = match *effect {
        Effect::Allocates { to: Target::Pointee(arg) | Target::Elements(arg), .. }
        | Effect::Reallocates { arg, through: true, .. } => arg,
        _ => return false,
    };
    let value = argument(site, through);
    value.addresses().is_empty() && value.numbers == Numbers::ZERO
}

/// The results of a call that failed.
fn failure(success: Option<Success>) -> Numbers {
    match success {
        Some(Success::NotMinusOne | Success::NonNegative | Success::ZeroElseMinusOne) => {
            Numbers::constant(-1)
        }
        Some(Success::Zero | Success::Null) => Numbers::ALL.without(0),
        _ => Numbers::ZERO,
    }
}

/// The results of a call that succeeded.
fn numbers_of(success: Success) -> Numbers {
    match success {
        Success::Zero | Success::ZeroElseMinusOne | Success::Null => Numbers::ZERO,
        Success::NonZero | Success::NonNull => Numbers::ALL.without(0),
        Success::Positive => Numbers::range(1, i64::MAX),
        Success::One => Numbers::constant(1),
        Success::NonNegative | Success::NotMinusOne => Numbers::range(0, i64::MAX),
    }
}

/// A number or a character; what has no type may be anything.
fn is_plain(module: &Module, ty: TypeId) -> bool {
    matches!(module.types.types[ty], Type::Scalar { .. } | Type::Enum(_))
}

fn holds_pointers(module: &Module, ty: TypeId, depth: u32) -> bool {
    match module.types.types[ty] {
        Type::Scalar { .. } | Type::Enum(_) => false,
        Type::Array { element, .. } if depth > 0 => holds_pointers(module, element, depth - 1),
        Type::Record(id) if depth > 0 => {
            let record = &module.types.records[id];
            let inner = |field: &caulk_ir::Field| holds_pointers(module, field.ty, depth - 1);
            !record.complete || record.fields.iter().any(inner)
        }
        _ => true,
    }
}
