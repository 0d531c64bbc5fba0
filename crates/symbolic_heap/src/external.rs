//! External functions, as their models describe them.

use caulk_ir::{CallArg, CallId, InstId, Scalar};
use caulk_models::{
    Condition as ModelCondition, Effect, Freed, FunctionModel, ResultKind, Returns, Success,
    Target, Test, Unmentioned, When,
};

use crate::get::Access;
use crate::heap::{Item, Origin};
use crate::space::{AtomKind, Cond, Expr};
use crate::state::{Activation, Context, Evaluator, SiteInfo, Stop, origin};

/// Numbers of unknown functions from here on stand for pure external functions.
const PURE: u32 = 1 << 30;

/// One call of a modelled function.
struct Site<'c> {
    at: Origin,
    arguments: &'c [Expr],
    result: Option<Expr>,
    takes_addresses: bool,
}

/// A way that the call may go.
struct Way {
    context: Context,
    result: Option<Expr>,
    /// None where success cannot be told.
    succeeds: Option<bool>,
}

impl<'a> Evaluator<'a> {
    pub fn modelled(
        &mut self,
        run: &Activation<'a>,
        context: Context,
        inst: InstId,
        id: CallId,
        model: &FunctionModel,
        arguments: &[Expr],
    ) -> Result<Vec<Context>, Stop> {
        if model.returns_twice {
            return Err(Stop::Unsupported("a function that returns twice"));
        }
        let call = &run.body.calls[id];
        let contexts = match &model.returns {
            Returns::Never => return Ok(Vec::new()),
            _ if call.noreturn => return Ok(Vec::new()),
            Returns::NeverWhen(condition) => {
                let ends = self.test(condition, arguments);
                self.split(context, ends).1
            }
            Returns::Always | Returns::OnlyOnFailure => Some(context),
        };
        let Some(context) = contexts else { return Ok(Vec::new()) };
        if model.unmentioned == Unmentioned::Unknown && model.effects.is_empty() {
            return self.not_followed(run, context, inst, id, arguments, None);
        }
        let result = run.body.results[inst];
        let pointer = self.is_pointer(run, result);
        let is_address = |arg: &CallArg| run.body.values[arg.value].scalar == Scalar::Ptr;
        let site = Site {
            at: origin(run.frame, inst),
            arguments,
            takes_addresses: call.args.iter().any(is_address),
            result: result.map(|_| self.result(model, id, arguments, pointer)),
        };
        let mut ways = self.ways(&site, model, context);
        for effect in &model.effects {
            let mut after = Vec::new();
            for way in ways {
                after.extend(self.perform(run, &site, effect, way, inst)?);
            }
            ways = after;
        }
        let mut after = Vec::new();
        for mut way in ways {
            if let (Some(id), Some(value)) = (result, way.result) {
                way.context.set(id, value);
                if model.nonnull {
                    let null = self.space.is_zero(value);
                    let there = self.space.not(null);
                    way.context.facts.assume(&self.space, there);
                }
            }
            after.push(way.context);
        }
        Ok(after)
    }

    /// What the call returns, before its effects say more.
    fn result(
        &mut self,
        model: &FunctionModel,
        id: CallId,
        arguments: &[Expr],
        pointer: bool,
    ) -> Expr {
        match model.result {
            ResultKind::Argument(arg) if model.success.is_none() => {
                arguments.get(arg as usize).copied().unwrap_or_else(|| self.unknown(pointer))
            }
            ResultKind::Plain if model.pure && !model.reads_memory => {
                // Calls of one place get equal numbers; equal calls at two places are not seen.
                let kind =
                    AtomKind::Unknown { number: PURE + id.0, arguments: arguments.into(), pointer };
                self.space.atom(kind)
            }
            _ => self.unknown(pointer),
        }
    }

    /// Success and failure, where an effect other than a plain allocation depends on it.
    fn ways(&mut self, site: &Site<'_>, model: &FunctionModel, context: Context) -> Vec<Way> {
        let depends = model.effects.iter().any(|effect| match effect {
            Effect::Allocates { to, may_fail, when, .. } => {
                *to != Target::Result && (*may_fail || by_outcome(when))
            }
            Effect::Frees { when, .. } | Effect::Keeps { when, .. } => by_outcome(when),
            _ => false,
        });
        let (Some(success), Some(result)) = (model.success.filter(|_| depends), site.result) else {
            return vec![Way { context, result: site.result, succeeds: None }];
        };
        let condition = self.succeeded(success, result);
        let (holds, fails) = self.split(context, condition);
        let way = |succeeds| move |context| Way { context, result: site.result, succeeds };
        holds.map(way(Some(true))).into_iter().chain(fails.map(way(Some(false)))).collect()
    }

    fn succeeded(&mut self, success: Success, result: Expr) -> Cond {
        let zero = self.space.constant(0);
        match success {
            Success::Zero | Success::ZeroElseMinusOne | Success::Null => self.space.is_zero(result),
            Success::NonZero | Success::NonNull => {
                let null = self.space.is_zero(result);
                self.space.not(null)
            }
            Success::NonNegative => self.space.at_least(result, zero),
            Success::Positive => self.space.less(zero, result),
            Success::One => {
                let one = self.space.constant(1);
                self.space.equal(result, one)
            }
            Success::NotMinusOne => {
                let next = self.space.offset(result, 1);
                let failed = self.space.is_zero(next);
                self.space.not(failed)
            }
        }
    }

    fn test(&mut self, condition: &ModelCondition, arguments: &[Expr]) -> Cond {
        let Some(&argument) = arguments.get(condition.arg as usize) else { return Cond::FALSE };
        let (values, inside) = match &condition.test {
            Test::Is(values) => (values, true),
            Test::IsNot(values) => (values, false),
            Test::Lacks(_) => return self.lacks(condition, argument),
        };
        let mut any = Cond::FALSE;
        for &value in values {
            let value = self.space.constant(i128::from(value));
            let equal = self.space.equal(argument, value);
            any = self.space.or(any, equal);
        }
        if inside { any } else { self.space.not(any) }
    }

    /// Bits are known of constants alone.
    fn lacks(&mut self, condition: &ModelCondition, argument: Expr) -> Cond {
        let number = self.space.as_constant(argument).and_then(|it| i64::try_from(it).ok());
        match number {
            Some(number) => self.space.truth(condition.test.holds(number)),
            None => {
                let unknown = self.space.unknown(&[argument], false);
                let zero = self.space.constant(0);
                self.space.equal(unknown, zero)
            }
        }
    }

    /// The contexts in which an effect happens, and those in which it does not.
    fn happens_when(
        &mut self,
        when: &When,
        way: Way,
        arguments: &[Expr],
    ) -> (Option<Way>, Option<Way>) {
        match when {
            When::Always => (Some(way), None),
            When::OnSuccess if way.succeeds == Some(false) => (None, Some(way)),
            When::OnFailure if way.succeeds != Some(false) => (None, Some(way)),
            When::OnSuccess | When::OnFailure => (Some(way), None),
            When::Condition(condition) => {
                let condition = self.test(condition, arguments);
                let (holds, fails) = self.split(way.context, condition);
                let again = |context| Way { context, result: way.result, succeeds: way.succeeds };
                (holds.map(again), fails.map(again))
            }
        }
    }

    fn perform(
        &mut self,
        run: &Activation<'a>,
        site: &Site<'_>,
        effect: &Effect,
        way: Way,
        inst: InstId,
    ) -> Result<Vec<Way>, Stop> {
        let always = When::Always;
        let when = match effect {
            Effect::Allocates { may_fail: true, .. } if way.succeeds == Some(false) => {
                return Ok(vec![way]);
            }
            Effect::Allocates { when, .. }
            | Effect::Frees { when, .. }
            | Effect::Keeps { when, .. }
            | Effect::ReturnsArgument { when, .. } => when,
            _ => &always,
        };
        let (yes, no) = self.happens_when(when, way, site.arguments);
        let mut after: Vec<Way> = no.into_iter().collect();
        if let Some(way) = yes {
            after.extend(self.happen(run, site, effect, way, inst)?);
        }
        Ok(after)
    }

    fn happen(
        &mut self,
        run: &Activation<'a>,
        site: &Site<'_>,
        effect: &Effect,
        mut way: Way,
        inst: InstId,
    ) -> Result<Vec<Way>, Stop> {
        let argument = |arg: u32| site.arguments.get(arg as usize).copied();
        let at = site.at;
        match effect {
            Effect::Allocates { to, resource, releases, zeroed, may_fail, .. } => {
                let made = (resource.name(), releases.first().map_or("", String::as_str));
                return Ok(self.allocate(site, *to, made, *zeroed, *may_fail, way));
            }
            Effect::Frees { args, what, .. } => {
                let count = site.arguments.len() as u32;
                let mut ways = vec![way];
                for arg in args.of_call(count) {
                    let Some(pointer) = argument(arg) else { continue };
                    ways = ways
                        .into_iter()
                        .flat_map(|way| self.free(site, *what, pointer, way))
                        .collect();
                }
                return Ok(ways);
            }
            Effect::Reallocates {
                arg,
                through: false,
                to: Target::Result,
                resource,
                releases,
                ..
            } => {
                let Some(old) = argument(*arg) else { return Ok(vec![way]) };
                let made = (resource.name(), releases.first().map_or("", String::as_str));
                return Ok(self.reallocate(site, old, made, way));
            }
            Effect::Reallocates { arg, .. } => {
                // The block behind `*arg` is the library's business from now on.
                let Some(into) = argument(*arg) else { return Ok(vec![way]) };
                self.havoc(&mut way.context, &[into], inst, run.frame);
            }
            Effect::ReturnsArgument { arg, interior, .. } => {
                if let Some(value) = argument(*arg) {
                    way.result = way.result.map(|_| match interior {
                        false => value,
                        true => {
                            let distance = self.unknown(false);
                            self.space.add(value, distance)
                        }
                    });
                }
            }
            Effect::StoresArgument { arg, into, offset, .. } => {
                let (Some(value), Some(into)) = (argument(*arg), argument(*into)) else {
                    return Ok(vec![way]);
                };
                match offset {
                    Some(offset) => {
                        let address = self.space.offset(into, i128::from(*offset));
                        let item = Item::Put { address, value, bytes: 8, at };
                        self.append(&mut way.context, item);
                    }
                    None => self.append(&mut way.context, Item::Keep { pointer: value, at }),
                }
            }
            Effect::Keeps { args, .. } => {
                for pointer in args.of_call(site.arguments.len() as u32).filter_map(argument) {
                    self.append(&mut way.context, Item::Keep { pointer, at });
                }
            }
            Effect::Retains { arg } => {
                if let Some(pointer) = argument(*arg) {
                    self.append(&mut way.context, Item::Keep { pointer, at });
                }
            }
            Effect::Writes { args } => {
                for to in args.of_call(site.arguments.len() as u32).filter_map(argument) {
                    let number = self.number();
                    let item = Item::Fill { to, bytes: None, byte: None, number, at };
                    self.append(&mut way.context, item);
                }
            }
            Effect::Clears { arg } => {
                if let Some(address) = argument(*arg) {
                    let value = self.space.constant(0);
                    let item = Item::Put { address, value, bytes: 8, at };
                    self.append(&mut way.context, item);
                }
            }
            Effect::CopiesMemory { to, from, bytes } => {
                if let (Some(to), Some(from)) = (argument(*to), argument(*from)) {
                    let bytes = bytes.and_then(argument).unwrap_or_else(|| self.unknown(false));
                    self.append(&mut way.context, Item::Copy { to, from, bytes, at });
                }
            }
            Effect::CallsBack { .. } => {
                for &pointer in site.arguments {
                    if self.holds_cell(pointer) {
                        self.append(&mut way.context, Item::Keep { pointer, at });
                    }
                }
                self.havoc(&mut way.context, site.arguments, inst, run.frame);
            }
            Effect::ReturnsLoaded { .. } | Effect::Reads { .. } | Effect::Fills { .. } => {}
        }
        Ok(vec![way])
    }

    /// D5 without the assignment: `new(r, t)`.
    fn allocate(
        &mut self,
        site: &Site<'_>,
        to: Target,
        (resource, release): (&str, &str),
        zeroed: bool,
        may_fail: bool,
        mut way: Way,
    ) -> Vec<Way> {
        let number = match to {
            Target::Result => 0,
            Target::Pointee(arg) => 1 + arg,
            _ => return vec![way],
        };
        if resource == "descriptor"
            || resource == "socket"
            || to == Target::Result && site.result.is_none()
        {
            return vec![way];
        }
        let cell = self.new_cell(site.at, number, resource, release);
        self.append(&mut way.context, Item::New { cell, bytes: None, zeroed, at: site.at });
        if !zeroed && site.takes_addresses {
            // Made from something else, as by `strdup`: there are contents, which nobody knows.
            let (number, at) = (self.number(), site.at);
            let item = Item::Fill { to: cell, bytes: None, byte: None, number, at };
            self.append(&mut way.context, item);
        }
        if to != Target::Result || !may_fail {
            let null = self.space.is_zero(cell);
            let there = self.space.not(null);
            way.context.facts.assume(&self.space, there);
        }
        match (to, to_argument(to).and_then(|arg| site.arguments.get(arg as usize))) {
            (Target::Result, _) => way.result = Some(cell),
            (_, Some(&address)) => {
                let (result, succeeds) = (way.result, way.succeeds);
                let after = self.store(way.context, address, cell, 8, site.at);
                return after
                    .into_iter()
                    .map(|context| Way { context, result, succeeds })
                    .collect();
            }
            _ => {}
        }
        vec![way]
    }

    fn new_cell(&mut self, at: Origin, number: u32, resource: &str, release: &str) -> Expr {
        let site = self.site(at, number, || SiteInfo {
            at,
            resource: resource.to_string(),
            release: release.to_string(),
        });
        self.cell(site)
    }

    /// D6, once for each record that the pointer may lead to.
    fn free(&mut self, site: &Site<'_>, what: Freed, pointer: Expr, way: Way) -> Vec<Way> {
        let pointer = match what {
            Freed::Argument | Freed::ArgumentAndElements => pointer,
            Freed::Inside => return vec![way],
            Freed::Pointee => {
                self.get(&way.context, Access { address: pointer, bytes: 8, pointer: true })
            }
        };
        let (result, succeeds) = (way.result, way.succeeds);
        let back = |context| Way { context, result, succeeds };
        self.free_record(way.context, pointer, site.at).into_iter().map(back).collect()
    }

    fn free_record(&mut self, mut context: Context, pointer: Expr, at: Origin) -> Vec<Context> {
        let Some(base) = self.space.base(pointer) else { return vec![context] };
        if let AtomKind::Select { condition, yes, no } = *self.space.kind(base) {
            let (holds, fails) = self.split(context, condition);
            let mut after = Vec::new();
            for (context, chosen) in [(holds, yes), (fails, no)] {
                if let Some(context) = context {
                    let pointer = self.space.replace(pointer, base, chosen);
                    after.extend(self.free_record(context, pointer, at));
                }
            }
            return after;
        }
        self.append(&mut context, Item::Free { pointer, at });
        vec![context]
    }

    /// Success frees the old record and makes one with its contents; failure leaves it alone.
    fn reallocate(
        &mut self,
        site: &Site<'_>,
        old: Expr,
        (resource, release): (&str, &str),
        way: Way,
    ) -> Vec<Way> {
        let cell = self.new_cell(site.at, 0, resource, release);
        let null = self.space.is_zero(cell);
        let (fails, holds) = self.split(way.context, null);
        let mut after = Vec::new();
        if let Some(mut context) = holds {
            self.append(&mut context, Item::New { cell, bytes: None, zeroed: false, at: site.at });
            if self.space.as_constant(old) != Some(0) {
                let bytes = self.space.constant(1 << 40);
                let (to, from, at) = (cell, old, site.at);
                self.append(&mut context, Item::Copy { to, from, bytes, at });
            }
            for context in self.free_record(context, old, site.at) {
                after.push(Way { context, result: Some(cell), succeeds: Some(true) });
            }
        }
        if let Some(context) = fails {
            let result = Some(self.space.constant(0));
            after.push(Way { context, result, succeeds: Some(false) });
        }
        after
    }
}

fn to_argument(to: Target) -> Option<u32> {
    match to {
        Target::Pointee(arg) => Some(arg),
        _ => None,
    }
}

fn by_outcome(when: &When) -> bool {
    matches!(when, When::OnSuccess | When::OnFailure)
}
