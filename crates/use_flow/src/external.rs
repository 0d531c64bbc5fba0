//! Models of external functions as summaries of a call.

use std::hash::Hasher;

use caulk_base::FxHasher;
use caulk_guard::bits::{Binary, Compare};
use caulk_ir::{Module, Scalar, Signature, Type, TypeId};
use caulk_machines::Machines;
use caulk_models::{
    Args, CallbackArgument, Condition, Effect, Freed, FunctionModel, ResultKind, Returns, Success,
    Target, Test, Texts, Unmentioned, When,
};

use crate::policies::UnknownCall;
use crate::space::GHOST;
use crate::state::Certainty;
use crate::summary::{Case, Expr, Fresh, Release, Store, Summary};

/// A call of an external function, as far as its model needs to know it.
pub struct Site<'a> {
    pub module: &'a Module,
    pub machines: &'a Machines,
    pub unknown_call: UnknownCall,
    /// One per argument.
    pub arguments: Vec<Argument<'a>>,
    /// None without a result.
    pub result: Option<Scalar>,
    pub pointer_bits: u8,
    /// Numbers pure functions.
    pub function: u32,
    /// How many parameters are declared.
    pub named: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Argument<'a> {
    pub scalar: Scalar,
    pub ty: TypeId,
    /// What is written there, where it is a string literal.
    pub text: Option<&'a [u8]>,
}

impl Site<'_> {
    fn width(&self, scalar: Scalar) -> u8 {
        match scalar {
            Scalar::Ptr => self.pointer_bits,
            _ => scalar.int_bits().map_or(64, |bits| bits.min(64) as u8),
        }
    }

    fn result_width(&self) -> u8 {
        self.result.map_or(self.pointer_bits, |scalar| self.width(scalar))
    }

    fn unknown_result(&self) -> Option<Expr> {
        let scalar = self.result?;
        Some(Expr::Unknown { number: 0, width: self.width(scalar), pointer: scalar == Scalar::Ptr })
    }

    fn count(&self) -> u32 {
        u32::try_from(self.arguments.len()).unwrap_or(u32::MAX)
    }

    fn argument_width(&self, arg: u32) -> u8 {
        self.arguments.get(arg as usize).map_or(self.pointer_bits, |it| self.width(it.scalar))
    }
}

/// What nobody knows keeps what its pointers lead to, unless they lead to constant plain data.
pub fn unknown(site: &Site<'_>) -> Summary {
    let mut case = Case { result: site.unknown_result(), ..Case::default() };
    if site.unknown_call == UnknownCall::Ignore {
        return Summary { cases: vec![case], ..Summary::default() };
    }
    for arg in 0..site.count() {
        take(site, arg, &mut case);
    }
    case.uses = typed_pointers(site);
    Summary { cases: vec![case], unknown_effects: true, ..Summary::default() }
}

/// Who is given a pointer to something looks at that; `void *` may be a mere key.
fn typed_pointers(site: &Site<'_>) -> u32 {
    let types = &site.module.types;
    let is_typed = |arg: &u32| match site.arguments.get(*arg as usize).map(|it| types.types[it.ty])
    {
        Some(Type::Pointer { to, .. }) => !matches!(types.types[to], Type::Void),
        _ => false,
    };
    (0..site.count().min(site.named).min(32)).filter(is_typed).fold(0, |bits, arg| bits | 1 << arg)
}

fn take(site: &Site<'_>, arg: u32, case: &mut Case) {
    let Some(argument) = site.arguments.get(arg as usize) else { return };
    if hands_function(site) || !is_plain_constant(site.module, argument.ty) {
        case.keeps.push(Expr::Param(arg));
        case.havocs.push(Expr::Param(arg));
    }
}

/// Who gets a function beside an object, such as the one that releases it, keeps the object.
fn hands_function(site: &Site<'_>) -> bool {
    let types = &site.module.types.types;
    let is_function = |ty: TypeId| match types[ty] {
        Type::Pointer { to, .. } => matches!(types[to], Type::Function(_)),
        _ => false,
    };
    site.arguments.iter().any(|argument| is_function(argument.ty))
}

/// `const char *` and the like: nothing is kept or written through it.
fn is_plain_constant(module: &Module, ty: TypeId) -> bool {
    match module.types.types[ty] {
        Type::Pointer { to, to_const: true } => !holds_pointers(module, to, 4),
        _ => false,
    }
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

pub fn modelled(model: &FunctionModel, site: &Site<'_>) -> Summary {
    if model.returns == Returns::Never {
        return Summary::default();
    }
    let by_outcome = |effect| depends_on_success(effect) || is_returned_on_success(effect, model);
    let splits = model.effects.iter().any(by_outcome) && model.success.is_some();
    let outcomes: &[Option<bool>] = match model.returns {
        Returns::OnlyOnFailure => &[Some(false)],
        _ if parses_literal(model, site) => &[Some(true)],
        _ if splits => &[Some(true), Some(false)],
        _ => &[None],
    };
    let mut cases = Vec::new();
    for &outcome in outcomes {
        let start = Case { result: result(model, site, outcome), ..Case::default() };
        let mut built = vec![start];
        for effect in &model.effects {
            built = built
                .into_iter()
                .flat_map(|case| apply(model, effect, outcome, site, case))
                .collect();
        }
        for case in &mut built {
            finish(model, site, outcome, case);
        }
        cases.append(&mut built);
    }
    for effect in &model.effects {
        match effect {
            Effect::Reallocates { arg, through, size, resource, .. } if !size.is_empty() => {
                of_size_zero(site, *arg, *through, size, resource, &mut cases);
            }
            Effect::Reallocates { arg, through: true, may_fail: false, .. } => {
                cases =
                    cases.into_iter().flat_map(|case| reading(model, site, *arg, case)).collect();
            }
            _ => {}
        }
    }
    if let Returns::NeverWhen(condition) = &model.returns {
        for case in &mut cases {
            case.conditions.push(test(site, condition, false));
        }
    }
    Summary { cases, ..Summary::default() }
}

/// Whoever wrote a text into the program saw to it that it can be read.
fn parses_literal(model: &FunctionModel, site: &Site<'_>) -> bool {
    let text = model.parses.and_then(|arg| site.arguments.get(arg as usize)?.text);
    text.is_some() && model.success.is_some()
}

/// A request for no bytes frees the block and yields NULL; all else is about some bytes.
fn of_size_zero(
    site: &Site<'_>,
    arg: u32,
    through: bool,
    size: &[u32],
    resource: &caulk_models::Resource,
    cases: &mut Vec<Case>,
) {
    let is_zero = |arg: &u32| {
        let zero = Expr::Constant { value: 0, width: site.argument_width(*arg) };
        Expr::Compare(Compare::Eq, Box::new(Expr::Param(*arg)), Box::new(zero))
    };
    let either = |left, right| Expr::Binary(Binary::Or, Box::new(left), Box::new(right));
    let Some(nothing) = size.iter().map(is_zero).reduce(either) else { return };
    for case in cases.iter_mut() {
        case.conditions.push(signed(nothing.clone(), false));
    }
    let what = if through { load(site, Expr::Param(arg)) } else { Expr::Param(arg) };
    let release = Release {
        what,
        certainty: Certainty::Perhaps,
        when_expected: Certainty::Perhaps,
        resource: Some(resource.clone()),
        members: false,
        inferred: false,
    };
    let null = Expr::Constant { value: 0, width: site.result_width() };
    cases.push(Case {
        conditions: vec![nothing],
        result: site.result.map(|_| null),
        releases: vec![release],
        ..Case::default()
    });
}

/// Like `getline`: the block is replaced where something was read, and made even where nothing was; one
/// that is there stays where it is at the end of a file.
fn reading(model: &FunctionModel, site: &Site<'_>, arg: u32, read: Case) -> Vec<Case> {
    let (Some(Success::NonNegative), Some(result)) = (model.success, read.result.clone()) else {
        return vec![read];
    };
    let nothing = outcome_is(site, Success::NonNegative, false, result.clone());
    let zero = Expr::Constant { value: 0, width: site.result_width() };
    let some = Expr::Compare(Compare::LtS, Box::new(zero), Box::new(result.clone()));
    let there = |is_there: bool| {
        let old = Box::new(load(site, Expr::Param(arg)));
        let null = Box::new(Expr::Constant { value: 0, width: site.pointer_bits });
        signed(Expr::Compare(Compare::Eq, old, null), !is_there)
    };
    let mut made = read.clone();
    made.conditions.extend([nothing.clone(), there(false)]);
    let mut kept = Case { result: Some(result), uses: read.uses, ..Case::default() };
    kept.havocs.clone_from(&read.havocs);
    kept.conditions.extend([nothing, there(true)]);
    let mut read = read;
    read.conditions.push(some);
    // The end of the file comes first: it takes no turn of a loop.
    vec![made, read, kept]
}

fn depends_on_success(effect: &Effect) -> bool {
    match effect {
        Effect::Allocates { may_fail, when, .. } => *may_fail || by_outcome(when),
        Effect::Reallocates { may_fail, .. } => *may_fail,
        Effect::Frees { when, .. }
        | Effect::Keeps { when, .. }
        | Effect::ReturnsArgument { when, .. } => by_outcome(when),
        _ => false,
    }
}

/// Like `fgets`: an argument, or NULL.
fn is_returned_on_success(effect: &Effect, model: &FunctionModel) -> bool {
    let may_be_null = model.success == Some(Success::NonNull);
    may_be_null && matches!(effect, Effect::ReturnsArgument { .. })
}

fn by_outcome(when: &When) -> bool {
    matches!(when, When::OnSuccess | When::OnFailure)
}

fn result(model: &FunctionModel, site: &Site<'_>, outcome: Option<bool>) -> Option<Expr> {
    site.result?;
    if model.returns_twice {
        // The second return comes with the state of a later call, which is not followed.
        return Some(Expr::Constant { value: 0, width: site.result_width() });
    }
    if model.pure && model.result == ResultKind::Plain {
        let arguments = (0..site.count()).map(Expr::Param).collect();
        let (function, width, reads) = (site.function, site.result_width(), model.reads_memory);
        if reads && width == site.pointer_bits {
            // A length of something in memory, which is far from taking all of it: `strlen(s) + 1`
            // is not zero.
            let short = width - width / 4;
            let length = Expr::Apply { function, arguments, width: short, reads };
            return Some(Expr::ExtendU(Box::new(length), width));
        }
        let result = Expr::Apply { function, arguments, width, reads };
        return Some(match same_text(model, site) {
            Some(same) => zero_if(same, result, width),
            None => result,
        });
    }
    match model.result {
        ResultKind::Argument(arg) if outcome != Some(false) => Some(Expr::Param(arg)),
        _ => site.unknown_result(),
    }
}

/// What texts are, as functions of the memory that they are in; those that have a model come after these.
const TEXT: u32 = 998;
const TEXT_WITHOUT_CASE: u32 = 999;

/// That a text is the literal that it is compared with: it is a number that texts have, each its own.
fn same_text(model: &FunctionModel, site: &Site<'_>) -> Option<Expr> {
    const WIDTH: u8 = 64;
    let how = model.compares?;
    let text = |arg: usize| site.arguments.get(arg)?.text;
    let (other, literal) = match (text(0), text(1)) {
        (None, Some(literal)) => (0, literal),
        (Some(literal), None) => (1, literal),
        _ => return None,
    };
    let (function, value) = match how {
        Texts::Equal => (TEXT, number_of(literal.iter().copied())),
        Texts::WithoutCase => {
            (TEXT_WITHOUT_CASE, number_of(literal.iter().map(u8::to_ascii_lowercase)))
        }
    };
    let arguments = vec![Expr::Param(other)];
    let number = Expr::Apply { function, arguments, width: WIDTH, reads: true };
    let constant = Expr::Constant { value, width: WIDTH };
    Some(Expr::Compare(Compare::Eq, Box::new(number), Box::new(constant)))
}

fn number_of(text: impl Iterator<Item = u8>) -> u64 {
    let mut hasher = FxHasher::default();
    text.for_each(|byte| hasher.write_u8(byte));
    hasher.finish()
}

/// Zero if a condition holds, else 1 with the sign of a number.
fn zero_if(condition: Expr, number: Expr, width: u8) -> Expr {
    let constant = |value: u64| Expr::Constant { value: value & (u64::MAX >> (64 - width)), width };
    let is_less = Expr::Compare(Compare::LtS, Box::new(number), Box::new(constant(0)));
    let sign = Expr::Select(Box::new([is_less, constant(u64::MAX), constant(1)]));
    Expr::Select(Box::new([condition, constant(0), sign]))
}

/// The conditions on the result that the outcome implies, and the arguments nobody described.
fn finish(model: &FunctionModel, site: &Site<'_>, outcome: Option<bool>, case: &mut Case) {
    if let (Some(success), Some(outcome), Some(result)) = (model.success, outcome, &case.result)
        && (!matches!(result, Expr::Fresh(_)) || success == Success::NotMinusOne)
    {
        let condition = match least_printed(model, site).filter(|_| outcome) {
            Some(least) => is_at_least(site, least, result.clone()),
            None if !outcome && fails_with_zero(model) => {
                outcome_is(site, Success::Zero, true, result.clone())
            }
            None => outcome_is(site, success, outcome, result.clone()),
        };
        case.conditions.push(condition);
    }
    let certain = |effect: &Effect| matches!(effect, Effect::Allocates { may_fail: false, .. });
    if let (Some(success), None, Some(result)) = (model.success, outcome, &case.result)
        && model.effects.iter().any(certain)
        && !matches!(result, Expr::Fresh(_))
    {
        case.conditions.push(outcome_is(site, success, true, result.clone()));
    }
    if model.nonnull
        && let Some(result) = case.result.clone()
    {
        case.conditions.push(outcome_is(site, Success::NonNull, true, result));
    }
    if model.nonnegative
        && let Some(result) = case.result.clone()
    {
        let least = least_printed(model, site).unwrap_or(0);
        case.conditions.push(is_at_least(site, least, result));
    }
    if let (Some(limits), Some(result)) = (model.between, case.result.clone()) {
        case.conditions.extend(is_between(site, limits, result));
    }
    if model.unmentioned == Unmentioned::Unknown {
        for arg in 0..site.count() {
            take(site, arg, case);
        }
    }
    if let (Some(arg), Some(Expr::Fresh(number))) = (model.text_of, &case.result) {
        let first = Expr::Load { address: Box::new(Expr::Param(arg)), width: 8, pointer: false };
        case.stores.push(store(Expr::Fresh(*number), first));
    }
    case.uses = uses(model, site);
    if outcome == Some(false) && model.allocations().next().is_some() {
        case.fails = true;
    }
}

/// Programs test the result of who takes something for zero, where it is positive on success: who
/// returns less says that the call went wrong before it took anything, and is rare.
fn fails_with_zero(model: &FunctionModel) -> bool {
    let takes = |effect: &Effect| match effect {
        Effect::Frees { when, .. } | Effect::Keeps { when, .. } => by_outcome(when),
        _ => false,
    };
    matches!(model.success, Some(Success::Positive | Success::One))
        && model.effects.iter().any(takes)
}

/// How many characters a call that prints by a constant format returns at least.
fn least_printed(model: &FunctionModel, site: &Site<'_>) -> Option<u32> {
    let format = site.arguments.get(model.format? as usize)?;
    format.text.map(caulk_models::least_printed)
}

fn is_at_least(site: &Site<'_>, least: u32, result: Expr) -> Expr {
    let least = Expr::Constant { value: u64::from(least), width: site.result_width() };
    signed(Expr::Compare(Compare::LtS, Box::new(result), Box::new(least)), false)
}

fn is_between(site: &Site<'_>, (least, greatest): (i64, i64), result: Expr) -> [Expr; 2] {
    let limit = |value: i64| Expr::Constant { value: value as u64, width: site.result_width() };
    let below = |left, right| Expr::Compare(Compare::LtS, Box::new(left), Box::new(right));
    let too_small = below(result.clone(), limit(least));
    let too_great = below(limit(greatest), result);
    [too_small, too_great].map(|it| signed(it, false))
}

/// Who takes a pointer or a descriptor looks at what it leads to, unless it only takes it back, keeps
/// it or hands its number out anew.
fn uses(model: &FunctionModel, site: &Site<'_>) -> u32 {
    let mut bits = 0;
    let may_refer = |arg: &u32| is_pointer(site, *arg) || site.argument_width(*arg) == 32;
    for arg in (0..site.count().min(site.named).min(32)).filter(may_refer) {
        bits |= 1 << arg;
    }
    for effect in &model.effects {
        let taken = match effect {
            Effect::ReturnsArgument { arg, .. } if !is_pointer(site, *arg) => Args::one(*arg),
            Effect::Frees { args, .. } | Effect::Keeps { args, .. } => *args,
            Effect::Reallocates { arg, .. }
            | Effect::Retains { arg }
            | Effect::Clears { arg }
            | Effect::StoresArgument { arg, .. } => Args::one(*arg),
            _ => continue,
        };
        taken.of_call(site.count().min(32)).for_each(|arg| bits &= !(1 << arg));
    }
    bits
}

fn outcome_is(site: &Site<'_>, success: Success, outcome: bool, result: Expr) -> Expr {
    let width = site.result_width();
    let constant = |value: i64| Box::new(Expr::Constant { value: value as u64, width });
    let result = Box::new(result);
    let (zero, below) = (constant(0), |left, right| Expr::Compare(Compare::LtS, left, right));
    let (condition, wanted) = match success {
        Success::ZeroElseMinusOne if !outcome => {
            (Expr::Compare(Compare::Eq, result, constant(-1)), false)
        }
        Success::Zero | Success::ZeroElseMinusOne | Success::Null => {
            (Expr::Compare(Compare::Eq, result, zero), true)
        }
        Success::NonZero | Success::NonNull => (Expr::Compare(Compare::Eq, result, zero), false),
        Success::One if outcome => (Expr::Compare(Compare::Eq, result, constant(1)), true),
        Success::Positive | Success::One => (below(zero, result), true),
        // Who returns another negative number is tested by its sign.
        Success::NonNegative if !outcome => {
            (Expr::Compare(Compare::Eq, result, constant(-1)), false)
        }
        Success::NonNegative => (below(result, zero), false),
        Success::NotMinusOne => (Expr::Compare(Compare::Eq, result, constant(-1)), false),
    };
    signed(condition, wanted == outcome)
}

fn signed(condition: Expr, holds: bool) -> Expr {
    if holds { condition } else { Expr::Unary(caulk_guard::bits::Unary::Not, Box::new(condition)) }
}

fn test(site: &Site<'_>, condition: &Condition, holds: bool) -> Expr {
    let (values, inside) = match &condition.test {
        Test::Is(values) => (values, true),
        Test::IsNot(values) => (values, false),
        Test::Lacks(bits) => return signed(lacks(site, condition.arg, *bits), holds),
    };
    let width = site.argument_width(condition.arg);
    let equal = |&value: &i64| {
        let constant = Expr::Constant { value: value as u64, width };
        Expr::Compare(Compare::Eq, Box::new(Expr::Param(condition.arg)), Box::new(constant))
    };
    let either = |left, right| Expr::Binary(Binary::Or, Box::new(left), Box::new(right));
    let falsehood = Expr::Constant { value: 0, width: 1 };
    signed(values.iter().map(equal).reduce(either).unwrap_or(falsehood), inside == holds)
}

/// None of the bits is set in an argument.
fn lacks(site: &Site<'_>, arg: u32, bits: i64) -> Expr {
    let width = site.argument_width(arg);
    let constant = |value: i64| Box::new(Expr::Constant { value: value as u64, width });
    let set = Expr::Binary(Binary::And, Box::new(Expr::Param(arg)), constant(bits));
    Expr::Compare(Compare::Eq, Box::new(set), constant(0))
}

/// The case split by a `when`: where the effect happens, and where it does not.
fn split(
    when: &When,
    outcome: Option<bool>,
    site: &Site<'_>,
    case: Case,
) -> (Option<Case>, Option<Case>) {
    match when {
        When::Always => (Some(case), None),
        When::OnSuccess if outcome == Some(false) => (None, Some(case)),
        When::OnFailure if outcome != Some(false) => (None, Some(case)),
        When::OnSuccess | When::OnFailure => (Some(case), None),
        When::Condition(condition) => {
            let (mut yes, mut no) = (case.clone(), case);
            yes.conditions.push(test(site, condition, true));
            no.conditions.push(test(site, condition, false));
            (Some(yes), Some(no))
        }
    }
}

/// Where the result says that there are elements, and where that there are none, and NULL instead of
/// an array of them.
fn split_by_number(site: &Site<'_>, array: u32, case: Case) -> (Option<Case>, Option<Case>) {
    let Some(result) = case.result.clone() else { return (None, Some(case)) };
    let (mut yes, mut no) = (case.clone(), case);
    yes.conditions.push(outcome_is(site, Success::Zero, false, result.clone()));
    no.conditions.push(outcome_is(site, Success::Zero, true, result));
    let null = Expr::Constant { value: 0, width: site.pointer_bits };
    no.stores.push(store(Expr::Param(array), null));
    (Some(yes), Some(no))
}

fn apply(
    model: &FunctionModel,
    effect: &Effect,
    outcome: Option<bool>,
    site: &Site<'_>,
    case: Case,
) -> Vec<Case> {
    let always = When::Always;
    let when = match effect {
        Effect::Allocates { may_fail: true, .. } | Effect::ReturnsArgument { .. }
            if outcome == Some(false) =>
        {
            return vec![case];
        }
        Effect::Allocates { when, .. }
        | Effect::Frees { when, .. }
        | Effect::Keeps { when, .. }
        | Effect::ReturnsArgument { when, .. } => when,
        _ => &always,
    };
    let (yes, no) = match effect {
        Effect::Allocates { to: Target::Pointee(arg), .. } if model.counts_elements(*arg) => {
            split_by_number(site, *arg, case)
        }
        // They are where there is an array.
        Effect::Allocates { to: Target::Elements(_), .. } if case.makes.is_empty() => {
            (None, Some(case))
        }
        _ => split(when, outcome, site, case),
    };
    let yes = yes.map(|mut case| {
        perform(effect, outcome, site, &mut case);
        case
    });
    yes.into_iter().chain(no).collect()
}

/// What is returned is so far into an argument's object as another argument allows, or NULL.
fn within(site: &Site<'_>, arg: u32, distance: &Expr, most: u32) -> Option<Expr> {
    let width = site.pointer_bits;
    if site.argument_width(most) != width {
        return None;
    }
    let [address, distance] = [Expr::Param(arg), distance.clone()].map(Box::new);
    let result = Expr::Binary(Binary::Add, address, distance.clone());
    let zero = Expr::Constant { value: 0, width };
    let is_null = Expr::Compare(Compare::Eq, Box::new(result), Box::new(zero));
    let is_near = Expr::Compare(Compare::LtU, distance, Box::new(Expr::Param(most)));
    Some(Expr::Binary(Binary::Or, Box::new(is_null), Box::new(is_near)))
}

fn perform(effect: &Effect, outcome: Option<bool>, site: &Site<'_>, case: &mut Case) {
    match effect {
        Effect::Allocates { to, resource, releases, zeroed, may_fail, .. } => {
            let Some(machine) = site.machines.id_of(resource) else { return };
            let made = Fresh {
                resource: resource.clone(),
                machine,
                certain: !may_fail,
                releases: releases.clone(),
                zeroed: *zeroed,
                shared: false,
                width: site.pointer_bits,
                hops: 0,
                unsure: false,
            };
            make(site, *to, made, case);
        }
        Effect::Frees { args, what, resource, others, .. } => {
            let resource = others.is_empty().then(|| resource.clone());
            for arg in args.of_call(site.count()) {
                let (what, members) = match what {
                    Freed::Argument => (Expr::Param(arg), false),
                    Freed::ArgumentAndElements => (Expr::Param(arg), true),
                    Freed::Pointee => (load(site, Expr::Param(arg)), false),
                    Freed::Inside => (load(site, ghost(site, arg)), false),
                };
                case.releases.push(Release {
                    what,
                    certainty: Certainty::Sure,
                    when_expected: Certainty::Sure,
                    resource: resource.clone(),
                    members,
                    inferred: false,
                });
            }
        }
        Effect::Reallocates { arg, through, to, resource, releases, .. }
            if outcome != Some(false) =>
        {
            let old = if *through { load(site, Expr::Param(*arg)) } else { Expr::Param(*arg) };
            case.releases.push(Release {
                what: old,
                certainty: Certainty::Sure,
                when_expected: Certainty::Sure,
                resource: Some(resource.clone()),
                members: false,
                inferred: false,
            });
            let Some(machine) = site.machines.id_of(resource) else { return };
            let made = Fresh {
                resource: resource.clone(),
                machine,
                certain: false,
                releases: releases.clone(),
                zeroed: false,
                shared: false,
                width: site.pointer_bits,
                hops: 0,
                unsure: false,
            };
            let number = u32::try_from(case.makes.len()).unwrap_or(u32::MAX);
            let old = if *through { load(site, Expr::Param(*arg)) } else { Expr::Param(*arg) };
            case.copies.push((Expr::Fresh(number), old, None));
            make(site, *to, made, case);
        }
        Effect::ReturnsArgument { arg, interior, below, .. } => {
            let unknown = Expr::Unknown { number: 9, width: site.pointer_bits, pointer: false };
            let within = below.map(|most| within(site, *arg, &unknown, most));
            case.conditions.extend(within.flatten());
            case.result = site.result.map(|_| match interior {
                false => Expr::Param(*arg),
                true => Expr::Binary(Binary::Add, Box::new(Expr::Param(*arg)), Box::new(unknown)),
            });
        }
        Effect::StoresArgument { arg, interior, into, offset } => {
            let at = match offset {
                Some(offset) => Expr::Param(*into).add(*offset as i64, site.pointer_bits),
                None => {
                    let unknown =
                        Expr::Unknown { number: 8, width: site.pointer_bits, pointer: false };
                    Expr::Binary(Binary::Add, Box::new(Expr::Param(*into)), Box::new(unknown))
                }
            };
            let unknown = Expr::Unknown { number: 7, width: site.pointer_bits, pointer: false };
            case.stores.push(store(
                at,
                match interior {
                    false => Expr::Param(*arg),
                    true => {
                        Expr::Binary(Binary::Add, Box::new(Expr::Param(*arg)), Box::new(unknown))
                    }
                },
            ));
        }
        Effect::Keeps { args, .. } => case.keeps.extend(all(site, *args)),
        Effect::Retains { arg } => case.keeps.push(Expr::Param(*arg)),
        Effect::Writes { args } => case.havocs.extend(all(site, *args)),
        Effect::Fills { arg, byte, bytes } => {
            // It is known what is written.
            case.havocs.retain(|it| *it != Expr::Param(*arg));
            let zero = Expr::Constant { value: 0, width: 32 };
            let byte = byte.map_or(zero, Expr::Param);
            case.fills.push((Expr::Param(*arg), byte, Expr::Param(*bytes)));
        }
        Effect::Clears { arg } => {
            let null = Expr::Constant { value: 0, width: site.pointer_bits };
            case.stores.push(store(Expr::Param(*arg), null));
        }
        Effect::CopiesMemory { to, from, bytes } => {
            case.copies.push((Expr::Param(*to), Expr::Param(*from), bytes.map(Expr::Param)));
        }
        Effect::CallsBack { arguments, entry, .. } if outcome != Some(false) => {
            for argument in arguments {
                if let CallbackArgument::Argument(arg) = argument
                    && (*entry || is_pointer(site, *arg))
                {
                    case.keeps.push(Expr::Param(*arg));
                    case.havocs.push(Expr::Param(*arg));
                }
            }
        }
        Effect::Reallocates { .. }
        | Effect::CallsBack { .. }
        | Effect::ReturnsLoaded { .. }
        | Effect::Reads { .. } => {}
    }
}

fn is_pointer(site: &Site<'_>, arg: u32) -> bool {
    site.arguments.get(arg as usize).is_some_and(|it| it.scalar == Scalar::Ptr)
}

fn all(site: &Site<'_>, args: Args) -> impl Iterator<Item = Expr> {
    args.of_call(site.count()).map(Expr::Param)
}

fn store(to: Expr, value: Expr) -> Store {
    Store { to, value, may: false }
}

fn load(site: &Site<'_>, address: Expr) -> Expr {
    Expr::Load { address: Box::new(address), width: site.pointer_bits, pointer: true }
}

/// Where what is made inside the memory at an argument is kept.
fn ghost(site: &Site<'_>, arg: u32) -> Expr {
    Expr::Param(arg).add(GHOST, site.pointer_bits)
}

fn make(site: &Site<'_>, to: Target, mut made: Fresh, case: &mut Case) {
    let number = u32::try_from(case.makes.len()).unwrap_or(u32::MAX);
    let fresh = Expr::Fresh(number);
    let is_number = made.resource.name() == "descriptor" || made.resource.name() == "socket";
    if is_number {
        made.width = 32;
    }
    match to {
        Target::Result => {
            made.width = site.result_width();
            case.result = site.result.map(|_| fresh);
            if site.result.is_none() {
                return;
            }
        }
        Target::Pointee(arg) => case.stores.push(store(Expr::Param(arg), fresh)),
        Target::Element { arg, index } => {
            let offset = i64::from(index) * i64::from(made.width / 8);
            case.stores.push(store(Expr::Param(arg).add(offset, site.pointer_bits), fresh));
        }
        Target::Inside(arg) => case.stores.push(store(ghost(site, arg), fresh)),
        Target::Elements(arg) => {
            let array = case.stores.iter().find(|it| it.to == Expr::Param(arg));
            let Some(array) = array.map(|it| Box::new(it.value.clone())) else { return };
            let somewhere = Expr::Unknown { number: 6, width: site.pointer_bits, pointer: false };
            let element = Expr::Binary(Binary::Add, array, Box::new(somewhere));
            case.stores.push(store(element, fresh));
        }
    }
    case.makes.push(made);
}

/// The scalar that a signature returns.
pub fn result_scalar(module: &Module, signature: &Signature) -> Option<Scalar> {
    if module.types.is_aggregate(signature.result) {
        return None;
    }
    module.types.passed_as(signature.result)
}
