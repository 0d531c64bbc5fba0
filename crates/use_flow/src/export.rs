//! From the states at a function's returns to its summary.

use caulk_base::FxHashMap;
use caulk_guard::bits::{Binary, Compare, Term, TermId, Unary};
use caulk_ir::{BlockId, InstId};

use crate::explore::{Explored, RETURNED};
use crate::join::join;
use crate::space::{Epoch, Home, Origin, Space};
use crate::state::{Certainty, Mark, Phase, State};
use crate::step::Exec;
use crate::summary::{Case, Expr, Fresh, Release, Store, Summary, Sweep};

/// More kinds of exits than these are told apart by their result alone.
const MOST_CASES: usize = 8;
const MOST_STORES: usize = 12;
/// What static storage holds is told to the callers of so many functions: each of them follows it.
const FARTHEST: u8 = 1;
/// Further ones, to static storage.
const MOST_STATIC_STORES: usize = 6;
const MOST_MARKS: usize = 16;
const MOST_DIRTIES: usize = 4;
const MOST_CONDITIONS: usize = 10;
const DEEPEST: u32 = 7;

pub fn export(exec: &mut Exec<'_>, explored: Explored) -> Summary {
    let mut returns = explored.returns;
    returns.iter_mut().for_each(|state| keep_what_was_found(exec, state));
    let mut groups = Vec::new();
    for detail in [Detail::Conditions, Detail::Effects, Detail::Result] {
        groups = grouped(exec, &returns, detail);
        if groups.len() <= MOST_CASES {
            break;
        }
    }
    let kept: Vec<MadeAt> = groups.iter().filter_map(|state| kept_result(exec, state)).collect();
    let mut cases: Vec<Case> = groups.iter().map(|state| case(exec, state, &kept)).collect();
    let classes: Vec<Class> = groups.iter().map(|state| class(exec, state)).collect();
    add_may_releases(&mut cases, &classes);
    add_may_sweeps(&mut cases, &classes);
    add_may_keeps(exec, &mut cases, &classes);
    tell_statuses_apart(&mut cases);
    tell_counts_apart(exec, &groups, &mut cases, &classes);
    Summary {
        cases,
        written: std::mem::take(&mut exec.written),
        unknown_effects: exec.unknown_effects,
        rough: explored.gave_up || explored.coarse,
        suspects: std::mem::take(&mut exec.suspects).into_iter().collect(),
    }
}

/// An exit that says no because an argument equals a pointer that was found in memory: whoever has
/// that has the argument, and had it before.
fn keep_what_was_found(exec: &mut Exec<'_>, state: &mut State) {
    let says_no = matches!(class(exec, state), Class::Negative | Class::Constant(1..));
    let conditions = state.facts.conditions().iter().filter(|_| says_no);
    let found: Vec<TermId> = conditions.filter_map(|&it| found_argument(&exec.space, it)).collect();
    for argument in found {
        exec.keep(InstId(u32::MAX), state, argument, true);
    }
}

/// The argument that a condition says to be a pointer from memory.
fn found_argument(space: &Space, condition: TermId) -> Option<TermId> {
    let Term::Compare(Compare::Eq, left, right) = *space.terms.get(condition) else { return None };
    let is_argument = |term| matches!(space.origin(term), Some(Origin::Param(_)));
    let is_found = |term| {
        let origin = space.origin(term);
        space.is_pointer_wide(term)
            && matches!(origin, Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Initial { .. }))
    };
    [(left, right), (right, left)]
        .into_iter()
        .find_map(|(own, other)| (is_argument(own) && is_found(other)).then_some(own))
}

/// May-free counts as a free: where callers cannot tell an exit that releases a parameter from one
/// that does not (a reference count, a flag inside the object), both do, and neither surely.
fn add_may_releases(cases: &mut [Case], classes: &[Class]) {
    let mut released: Vec<(usize, Release)> = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let sure = case.releases.iter().filter(|it| !it.inferred);
        released.extend(sure.map(|it| (at, it.clone())));
    }
    for (from, release) in released {
        let Some(number) = release.what.root_param() else { continue };
        for at in 0..cases.len() {
            let case = &cases[at];
            let has = case.releases.iter().any(|it| it.what == release.what);
            let kept = case.keeps.contains(&release.what);
            let other = classes[at] != classes[from]
                || case.is_told_apart(&cases[from], number)
                || is_null(case, &release.what);
            if !has && !kept && !other {
                let inferred =
                    Release { certainty: Certainty::Perhaps, inferred: true, ..release.clone() };
                cases[at].releases.push(inferred);
                let same = cases[from].releases.iter_mut().filter(|it| it.what == release.what);
                same.for_each(|it| it.certainty = Certainty::Perhaps);
            }
        }
    }
}

/// So with what an exit keeps: a table that copies its values or not, as its type says; a value that
/// is put into a new one, or dropped, as its tag says.
fn add_may_keeps(exec: &Exec<'_>, cases: &mut [Case], classes: &[Class]) {
    for number in 0..u32::try_from(exec.body.params.len()).unwrap_or(0) {
        let mut what = kept_members(cases, number);
        if !exec.is_passed_by_copy(number as usize) {
            what.push(Expr::Param(number));
        }
        what.iter().for_each(|what| add_may_keep(cases, classes, number, what));
    }
}

/// What any exit keeps of the contents of an aggregate that is passed, or pointed to.
fn kept_members(cases: &[Case], number: u32) -> Vec<Expr> {
    let mut members: Vec<Expr> = Vec::new();
    for case in cases {
        let stored = case.stores.iter().map(|store| &store.value);
        for value in case.keeps.iter().chain(stored) {
            let pointer = matches!(value, Expr::Load { pointer: true, .. });
            if pointer && value.is_member_of(number) && !members.contains(value) {
                members.push(value.clone());
            }
        }
    }
    members
}

fn add_may_keep(cases: &mut [Case], classes: &[Class], number: u32, what: &Expr) {
    let takes: Vec<bool> = cases.iter().map(|case| case.keeps(what)).collect();
    let refuses = |at: usize, case: &Case| !takes[at] && !case.fails && !is_null(case, what);
    let without_failure = cases.iter().enumerate().any(|(at, case)| refuses(at, case));
    for at in 0..cases.len() {
        // A failure that the result does not tell of was dealt with; and where others do not
        // take it either, the failure is not why.
        let by_failure = cases[at].fails && classes[at] == Class::Nothing && !without_failure;
        if takes[at] || by_failure || is_null(&cases[at], what) {
            continue;
        }
        let alike = |from: usize| takes[from] && classes[at] == classes[from];
        let any = |told: &dyn Fn(usize) -> bool| (0..takes.len()).any(|it| alike(it) && !told(it));
        if any(&|from| cases[at].is_told_apart(&cases[from], number)) {
            cases[at].inferred_keeps.push(what.clone());
        } else if any(&|from| cases[at].is_excluded_by(&cases[from], number)) {
            cases[at].doubtful_refusals.push(what.clone());
        }
    }
}

/// A structure that has nothing to release is no exception either.
fn add_may_sweeps(cases: &mut [Case], classes: &[Class]) {
    for from in 0..cases.len() {
        for sweep in cases[from].sweeps.clone() {
            let Some(number) = sweep.root.root_param() else { continue };
            for at in 0..cases.len() {
                let other =
                    classes[at] != classes[from] || cases[at].is_told_apart(&cases[from], number);
                if !other && !cases[at].sweeps.contains(&sweep) {
                    cases[at].sweeps.push(sweep.clone());
                }
            }
        }
    }
}

/// Whether a pointer is NULL in a case.
fn is_null(case: &Case, pointer: &Expr) -> bool {
    case.conditions.iter().any(|it| it.equal_to_zero() == Some(pointer))
}

/// A number that an exit computes is none of the negative constants by which other exits tell that
/// they failed.
fn tell_statuses_apart(cases: &mut [Case]) {
    let mut statuses: Vec<(u64, u8)> = Vec::new();
    for case in cases.iter() {
        if let Some(Expr::Constant { value, width }) = case.result
            && width >= 32
            && value >> (width - 1) & 1 == 1
            && !statuses.contains(&(value, width))
        {
            statuses.push((value, width));
        }
    }
    for case in cases.iter_mut() {
        let Some(result) = case.result.clone() else { continue };
        let computed = match result {
            Expr::Constant { .. } | Expr::Fresh(_) | Expr::OneOf { .. } => false,
            Expr::Unknown { pointer, .. } => !pointer || statuses.iter().all(|it| it.1 == 64),
            _ => true,
        };
        for &(value, width) in statuses.iter().filter(|_| computed) {
            let status = Box::new(Expr::Constant { value, width });
            let least = Expr::Compare(Compare::LeS, status.clone(), Box::new(result.clone()));
            if case.conditions.contains(&least) {
                // It is computed by a choice of constants, and this is one of them.
                continue;
            }
            let equal = Expr::Compare(Compare::Eq, Box::new(result.clone()), status);
            case.conditions.push(Expr::Unary(Unary::Not, Box::new(equal)));
        }
    }
}

/// An exit that hands something out and computes a number is one that went well: where others tell
/// by negative numbers that they did not, that one is not negative.
fn tell_counts_apart(exec: &mut Exec<'_>, groups: &[State], cases: &mut [Case], classes: &[Class]) {
    let Some(width @ 32..) = number_width(exec) else { return };
    if !groups.iter().any(|state| is_negative(exec, state)) {
        return;
    }
    for ((case, class), state) in cases.iter_mut().zip(classes).zip(groups) {
        let computed = *class == Class::Any && !is_status(exec, state);
        if let Some(result) = case.result.clone().filter(|_| computed && case.hands_out()) {
            let zero = Box::new(Expr::Constant { value: 0, width });
            case.conditions.push(Expr::Compare(Compare::LeS, zero, Box::new(result)));
        }
    }
}

/// Whether the result is one of a few numbers, negative ones among them.
fn is_status(exec: &mut Exec<'_>, state: &State) -> bool {
    const LEAST: i64 = -4096;
    let Some(&result) = state.values.get(RETURNED) else { return false };
    let least = exec.space.terms.constant(LEAST as u64, exec.space.terms.width(result));
    let above = exec.space.terms.compare(Compare::LeS, least, result);
    state.facts.decide(&exec.space.terms, above) == Some(true)
}

/// The width of the number that the function returns; none if it returns something else.
fn number_width(exec: &Exec<'_>) -> Option<u8> {
    let function = exec.context.program.function(exec.proc);
    let signature = &exec.module.types.signatures[function.signature];
    let scalar = crate::external::result_scalar(exec.module, signature)?;
    scalar.is_int().then(|| exec.space.width(scalar))
}

fn is_negative(exec: &mut Exec<'_>, state: &State) -> bool {
    let Some(&result) = state.values.get(RETURNED) else { return false };
    let zero = exec.space.terms.constant(0, exec.space.terms.width(result));
    let negative = exec.space.terms.compare(Compare::LtS, result, zero);
    negative == TermId::TRUE || state.facts.decide(&exec.space.terms, negative) == Some(true)
}

/// The result as far as callers test it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Class {
    Nothing,
    Constant(u64),
    Zero,
    Negative,
    NotZero,
    Any,
}

fn class(exec: &mut Exec<'_>, state: &State) -> Class {
    let Some(&result) = state.values.get(RETURNED) else { return Class::Nothing };
    if let Some(value) = exec.space.terms.as_constant(result) {
        return Class::Constant(value);
    }
    let zero = exec.space.terms.constant(0, exec.space.terms.width(result));
    let is_zero = exec.space.terms.compare(Compare::Eq, result, zero);
    let negative = exec.space.terms.compare(Compare::LtS, result, zero);
    let known = |condition| state.facts.decide(&exec.space.terms, condition);
    match (known(is_zero), known(negative)) {
        (Some(true), _) => Class::Zero,
        (_, Some(true)) => Class::Negative,
        (Some(false), _) => Class::NotZero,
        _ => Class::Any,
    }
}

/// What exits must agree on to become one.
#[derive(PartialEq)]
struct Key {
    class: Class,
    marks: Vec<(TermId, Phase)>,
    /// What was released twice.
    again: Vec<TermId>,
    /// Which parameters are known to be NULL, or not.
    nulls: Vec<Option<bool>>,
    /// Which functions parameters were called as.
    callees: Vec<Option<bool>>,
    given: Vec<Given>,
}

/// What tells exits apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Also, for exits that say no, why: callers may know that it is not so.
    Conditions,
    /// What became of objects.
    Effects,
    Result,
}

/// Exits that did the same and return the same kind of result become one.
fn grouped(exec: &mut Exec<'_>, returns: &[State], detail: Detail) -> Vec<State> {
    let mut order: Vec<(Key, Option<Vec<TermId>>)> = Vec::new();
    let mut groups: Vec<State> = Vec::new();
    for state in returns {
        let key = key(exec, state, detail != Detail::Result);
        let is_status = matches!(key.class, Class::Constant(_) | Class::Negative);
        let reasons = (is_status && detail == Detail::Conditions).then(|| reasons(exec, state));
        let fits = |(other, known): &(Key, Option<Vec<TermId>>)| {
            *other == key && known.as_ref().zip(reasons.as_ref()).is_none_or(|(a, b)| is_one(a, b))
        };
        match order.iter().position(fits) {
            Some(at) => {
                groups[at] = join(&mut exec.space, BlockId(u32::MAX), &groups[at], state);
                if let (Some(known), Some(reasons)) = (&mut order[at].1, reasons) {
                    known.retain(|it| reasons.contains(it));
                }
            }
            None => {
                order.push((key, reasons));
                groups.push(state.clone());
            }
        }
    }
    groups
}

/// Whether one of two exits is a special case of the other.
fn is_one(left: &[TermId], right: &[TermId]) -> bool {
    left.iter().all(|it| right.contains(it)) || right.iter().all(|it| left.contains(it))
}

/// What an exit needs of the arguments, and of memory before the call.
fn reasons(exec: &Exec<'_>, state: &State) -> Vec<TermId> {
    let space = &exec.space;
    let is_told = |condition: TermId| {
        let unknown = |symbol| !space.is_from_start(symbol);
        !space.any_symbol(condition, &mut { unknown })
    };
    let conditions = state.facts.conditions().iter().copied();
    conditions.filter(|&condition| is_told(condition)).collect()
}

fn key(exec: &mut Exec<'_>, state: &State, fine: bool) -> Key {
    let told = |symbol: TermId, phase: Phase| {
        phase == Phase::Released || exec.space.load_depth(symbol) == 0
    };
    let marks: Vec<(TermId, Phase)> = state
        .marks
        .iter()
        .map(|(&symbol, mark)| (symbol, mark.phase))
        .filter(|&(symbol, phase)| fine && told(symbol, phase))
        .collect();
    let null = |&null: &TermId| state.facts.decide(&exec.space.terms, null);
    let nulls = exec.nulls.iter().filter(|_| fine).map(null).collect();
    let callees = exec.callees.iter().map(null).collect();
    let given = if fine { given(exec, state) } else { Vec::new() };
    let again = if fine { state.again.clone() } else { Vec::new() };
    Key { class: class(exec, state), marks, again, nulls, callees, given }
}

/// What tells the exits of a function apart: the result, what became of objects, what is given.
/// An object, and the address in the caller's memory at which it is given, with the tag of the
/// structure there; none for the result.
type Given = (TermId, Option<TermId>, Option<u64>);

/// What a return gives to the caller: new objects in its hands or memory, and which of its own
/// arguments comes back.
fn given(exec: &Exec<'_>, state: &State) -> Vec<Given> {
    let space = &exec.space;
    let values = state.values.iter().map(|(_, &value)| (value, None));
    let cells = state.memory.iter().map(|cell| (cell.value, Some(cell.address)));
    let mut given: Vec<Given> = Vec::new();
    for (value, address) in values.chain(cells) {
        let Some(base) = space.address(value).map(|place| place.base) else { continue };
        match space.origin(base) {
            Some(Origin::Made { .. }) if state.phase(base) == Phase::Live => {
                let holder = address.and_then(|it| space.address(it)).map(|it| it.base);
                let tag = holder.and_then(|it| state.tag(space, it));
                given.push((base, address, tag));
            }
            Some(Origin::Param(_)) if address.is_none() && space.is_pointer(base) => {
                given.push((base, None, None));
            }
            _ => {}
        }
    }
    given.sort_unstable();
    given.dedup();
    given
}

/// The call that made an object, and which of what it makes it is.
type MadeAt = (InstId, u16);

/// The origin of a returned object that somebody has whom callers cannot name.
fn kept_result(exec: &Exec<'_>, state: &State) -> Option<MadeAt> {
    let space = &exec.space;
    let object = space.address(*state.values.get(RETURNED)?)?.base;
    let Some(Origin::Made { call, index, .. }) = space.origin(object) else { return None };
    let is_far = |base| !space.is_from_caller(base) || space.load_depth(base) > 2;
    let holds = |cell: &crate::memory::Cell| {
        space.home(cell.base) == Home::Caller
            && is_far(cell.base)
            && space.carries(cell.value, object)
    };
    let kept = state.phase(object) == Phase::Kept || state.memory.iter().any(holds);
    kept.then_some((call, index))
}

/// The one case of a function that only computes a number; none where that is a choice of numbers, of
/// which callers know more if they are told case by case.
pub fn closed_case(exec: &mut Exec<'_>, result: TermId) -> Option<Case> {
    let state = State::new();
    let mut export = Export::new(exec, &state, &[]);
    let result = export.expr(result, 2 * DEEPEST).filter(|_| export.unknown.is_empty())?;
    Some(Case { result: Some(result), ..Case::default() })
}

fn case(exec: &mut Exec<'_>, state: &State, kept: &[MadeAt]) -> Case {
    let mut export = Export::new(exec, state, kept);
    let result = state.values.get(RETURNED).copied();
    let mut case = Case::default();
    export.stores_without_name(&mut case);
    export.far_statics(&mut case);
    if let Some(result) = result {
        case.result = Some(export.value(result));
    }
    export.given_away();
    export.stores(&mut case);
    export.zeros(&mut case);
    export.known_numbers(&mut case);
    export.marks(&mut case);
    export.sweeps(&mut case);
    export.moves(&mut case);
    export.conditions(&mut case);
    export.ranges(&mut case);
    export.dangling(&mut case);
    case.makes = export.fresh.iter().filter_map(|it| export.made(*it)).collect();
    case.keep_unheld();
    let hands_out = case.hands_out();
    for made in &mut case.makes {
        made.hops = if hands_out { 0 } else { made.hops + 1 };
    }
    case.fails = state.failed.is_some();
    case.uses = state.uses;
    case
}

struct Export<'e, 'a> {
    exec: &'e mut Exec<'a>,
    state: &'e State,
    /// What other exits return and keep.
    kept: &'e [MadeAt],
    fresh: Vec<TermId>,
    /// Made objects that somebody has whom callers cannot name.
    taken: Vec<TermId>,
    /// Memory that may have changed since the call began is named as if it had not.
    loose: bool,
    /// Numbers of symbols that mean nothing to callers.
    unknown: FxHashMap<TermId, u32>,
    /// Symbols that stand for one of the caller's pointers.
    chosen: Vec<TermId>,
}

impl<'e, 'a> Export<'e, 'a> {
    fn new(exec: &'e mut Exec<'a>, state: &'e State, kept: &'e [MadeAt]) -> Self {
        Self {
            exec,
            state,
            kept,
            fresh: Vec::new(),
            taken: Vec::new(),
            loose: false,
            unknown: FxHashMap::default(),
            chosen: Vec::new(),
        }
    }
}

impl Export<'_, '_> {
    fn space(&self) -> &Space {
        &self.exec.space
    }

    fn made(&self, object: TermId) -> Option<Fresh> {
        let zeroed = self.state.memory.zeroed.contains(object);
        let kept = match self.space().origin(object) {
            Some(Origin::Made { call, index, .. }) => self.kept.contains(&(call, index)),
            _ => false,
        };
        let made = self.exec.made.get(&object)?;
        Some(Fresh { zeroed, shared: made.shared || kept, ..made.clone() })
    }

    fn value(&mut self, term: TermId) -> Expr {
        let known = self.expr(term, DEEPEST);
        known.or_else(|| self.interior(term)).unwrap_or_else(|| self.unknown(term))
    }

    /// A pointer somewhere into an object, where the way to it is too long to tell.
    fn interior(&mut self, term: TermId) -> Option<Expr> {
        let base = self.space().address(term)?.base;
        if !matches!(self.space().home(base), Home::Made | Home::Caller) || base == term {
            return None;
        }
        let base = self.expr(base, DEEPEST)?;
        let Expr::Unknown { number, width, .. } = self.unknown(term) else { return None };
        let distance = Expr::Unknown { number, width, pointer: false };
        Some(Expr::Binary(Binary::Add, Box::new(base), Box::new(distance)))
    }

    fn unknown(&mut self, term: TermId) -> Expr {
        let next = 100 + u32::try_from(self.unknown.len()).unwrap_or(0);
        let number = *self.unknown.entry(term).or_insert(next);
        let width = self.space().terms.width(term);
        Expr::Unknown { number, width, pointer: width == self.space().pointer_bits }
    }

    /// None for what callers have no name for, or what is too large for one.
    fn expr(&mut self, term: TermId, depth: u32) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        Some(match self.space().terms.get(term).clone() {
            Term::Constant { value, width } => Expr::Constant { value, width },
            Term::Symbol { .. } => return self.symbol(term, depth),
            Term::Unary(op, of) => Expr::Unary(op, Box::new(self.expr(of, depth)?)),
            Term::Binary(op, left, right) => Expr::Binary(
                op,
                Box::new(self.expr(left, depth)?),
                Box::new(self.expr(right, depth)?),
            ),
            Term::Compare(op, left, right) => Expr::Compare(
                op,
                Box::new(self.expr(left, depth)?),
                Box::new(self.expr(right, depth)?),
            ),
            Term::ExtendU { of, width } => Expr::ExtendU(Box::new(self.expr(of, depth)?), width),
            Term::ExtendS { of, width } => Expr::ExtendS(Box::new(self.expr(of, depth)?), width),
            Term::Truncate { of, width } => Expr::Truncate(Box::new(self.expr(of, depth)?), width),
            Term::Select { .. } => return None,
            Term::Apply { .. } => return None,
        })
    }

    fn symbol(&mut self, term: TermId, depth: u32) -> Option<Expr> {
        let width = self.space().terms.width(term);
        Some(match self.space().origin(term)? {
            Origin::Param(number) => Expr::Param(number),
            Origin::Static(id) => Expr::Static(id),
            Origin::Proc(proc) => Expr::Proc(proc),
            Origin::Initial { address, epoch, .. }
                if (self.loose || epoch == Epoch::Start) && self.was_there(address) =>
            {
                let address = Box::new(self.expr(address, depth)?);
                Expr::Load { address, width, pointer: width == self.space().pointer_bits }
            }
            Origin::Made { .. } if self.is_told(term) => {
                let at = self.fresh.iter().position(|&it| it == term).unwrap_or_else(|| {
                    self.fresh.push(term);
                    self.fresh.len() - 1
                });
                Expr::Fresh(u32::try_from(at).ok()?)
            }
            Origin::Join(..) | Origin::OneOf(_) => self.choice(term, depth),
            _ => self.unknown(term),
        })
    }

    /// Whether an address leads into memory that the caller had before the call.
    fn was_there(&self, address: TermId) -> bool {
        let space = self.space();
        space
            .address(address)
            .is_some_and(|it| !matches!(space.home(it.base), Home::Made | Home::Local))
    }

    /// Whether callers hear of a made object: one that is theirs to release, or that was released
    /// for sure while they still get a pointer to it.
    fn is_told(&self, object: TermId) -> bool {
        let gone = |mark: &Mark| {
            mark.phase == Phase::Released
                && mark.certainty == Certainty::Sure
                && !self.exec.is_owed_by_function(object)
        };
        let mark = self.state.marks.get(object);
        !self.taken.contains(&object) && mark.is_none_or(|it| it.phase == Phase::Live || gone(it))
    }

    /// Pointers to what was released are handed out with its release.
    fn dangling(&mut self, case: &mut Case) {
        for (number, object) in (0..).zip(&self.fresh) {
            if self.state.phase(*object) == Phase::Released {
                case.releases.push(Release {
                    what: Expr::Fresh(number),
                    certainty: Certainty::Sure,
                    resource: None,
                    members: false,
                    inferred: false,
                });
            }
        }
    }

    /// The object that stands for all that one call made in the turns of a loop.
    fn made_in_a_loop(&self, term: TermId) -> Option<TermId> {
        let space = self.space();
        let site = |it: TermId| match space.origin(it) {
            Some(Origin::Made { call, index, .. }) => Some((call, index)),
            _ => None,
        };
        let candidates = space.candidates(term);
        let first = candidates.iter().copied().find(|&it| {
            site(it).is_some() && self.state.phase(it) == Phase::Live && !self.taken.contains(&it)
        })?;
        let same = candidates.iter().all(|&it| site(it) == site(first));
        same.then_some(first)
    }

    /// What different paths had, as far as it is the caller's, or is given to it for sure elsewhere:
    /// the last cell of a list, which is perhaps the first, too.
    fn choice(&mut self, term: TermId, depth: u32) -> Expr {
        let space = self.space();
        let width = space.terms.width(term);
        let other_made = |symbol| space.home(symbol) == Home::Made && !self.fresh.contains(&symbol);
        let is_named = |base| space.home(base) == Home::Caller || self.fresh.contains(&base);
        let callers: Vec<TermId> = space
            .candidates(term)
            .iter()
            .copied()
            .filter(|&it| space.address(it).is_some_and(|it| is_named(it.base)))
            .filter(|&it| !space.any_symbol(it, &mut { other_made }))
            .collect();
        let choices: Vec<Expr> =
            callers.iter().filter_map(|&it| self.expr(it, depth)).filter(Expr::has_base).collect();
        if choices.is_empty() {
            if width < self.space().pointer_bits {
                return self.unknown(term);
            }
            let made = self.made_in_a_loop(term).and_then(|it| self.expr(it, depth));
            return made.unwrap_or_else(|| self.unknown(term));
        }
        self.chosen.push(term);
        Expr::OneOf { choices, width }
    }

    /// What is written to memory that the caller can see and cannot name is kept by that memory.
    fn stores_without_name(&mut self, case: &mut Case) {
        let cells: Vec<(TermId, TermId)> =
            self.state.memory.iter().map(|cell| (cell.address, cell.value)).collect();
        for (address, value) in cells {
            let Some(place) = self.space().address(address) else { continue };
            if self.space().home(place.base) != Home::Caller || self.is_unchanged(address, value) {
                continue;
            }
            if self.is_nameable(address, place.base) {
                continue;
            }
            self.take(value, case);
        }
    }

    /// Somebody has the value whom callers cannot name.
    fn take(&mut self, value: TermId, case: &mut Case) {
        for base in self.state.reachable(self.space(), value) {
            match self.space().home(base) {
                Home::Made => self.taken.push(base),
                Home::Caller if self.space().is_nameable(base) => {
                    let kept = self.expr(base, DEEPEST);
                    kept.into_iter().for_each(|it| case.keep(it));
                }
                _ => {}
            }
        }
    }

    fn is_nameable(&mut self, address: TermId, base: TermId) -> bool {
        self.space().is_from_caller(base)
            && self.space().load_depth(base) <= 2
            && self.expr(address, DEEPEST).is_some_and(|to| to.has_base())
    }

    /// Objects that are surely in the caller's memory are made, also where another cell only may have
    /// them.
    fn given_away(&mut self) {
        for cell in self.state.memory.iter() {
            let (space, value) = (self.space(), cell.value);
            let Some(base) = space.address(value).map(|it| it.base) else { continue };
            let made = space.home(base) == Home::Made && self.state.phase(base) == Phase::Live;
            if made
                && space.is_from_caller(cell.base)
                && space.load_depth(cell.base) <= 2
                && !self.taken.contains(&base)
                && !self.fresh.contains(&base)
            {
                self.fresh.push(base);
            }
        }
    }

    /// Writes that the caller can see: into its memory, into what was made for it.
    fn stores(&mut self, case: &mut Case) {
        let cells: Vec<(TermId, TermId)> =
            self.state.memory.iter().map(|cell| (cell.address, cell.value)).collect();
        for &(address, value) in &cells {
            let Some(place) = self.space().address(address) else { continue };
            let seen = match self.space().home(place.base) {
                Home::Caller => {
                    self.space().is_from_caller(place.base)
                        && self.space().load_depth(place.base) <= 2
                }
                _ => false,
            };
            if seen && !self.is_unchanged(address, value) {
                self.store(address, value, case);
            }
        }
        for &(address, value) in &cells {
            self.static_store(address, value, case);
        }
        let mut next = 0;
        while let Some(&object) = self.fresh.get(next) {
            next += 1;
            for &(address, value) in &cells {
                if self.space().address(address).is_some_and(|place| place.base == object) {
                    self.store(address, value, case);
                }
            }
        }
    }

    /// The members of an aggregate result that nothing but zero was written to.
    fn zeros(&mut self, case: &mut Case) {
        let into = Expr::Param(u32::MAX);
        let bits = self.space().pointer_bits;
        let base = self.exec.space.symbol(Origin::Param(u32::MAX), bits, true);
        if !self.state.memory.zeroed.contains(base) {
            return;
        }
        for (offset, scalar) in self.exec.result_members() {
            let address = self.exec.space.offset(base, offset);
            let zero = self.state.memory.load(&mut self.exec.space, address, scalar);
            let written = self.state.memory.get(&self.exec.space, address).is_some();
            if self.exec.space.is_zero(zero) && !written && case.stores.len() < MOST_STORES {
                let to = into.clone().add(offset, self.space().pointer_bits);
                let width = self.space().width(scalar);
                let value = Expr::Constant { value: 0, width };
                case.stores.push(Store { to, value, may: false });
            }
        }
    }

    /// Numbers in the caller's memory that callees may have changed, and that were looked at since: a
    /// status that is not set goes with what is returned.
    fn known_numbers(&mut self, case: &mut Case) {
        let conditions: Vec<TermId> = self.state.facts.conditions().to_vec();
        let mut looked_at: Vec<TermId> = Vec::new();
        for condition in conditions {
            let symbols = self.space().symbols_of(condition);
            looked_at.extend(symbols.into_iter().filter(|&it| self.is_later_number(it)));
        }
        looked_at.sort_unstable();
        looked_at.dedup();
        for number in looked_at {
            let Some(Origin::Initial { address, .. }) = self.space().origin(number) else {
                continue;
            };
            if case.stores.len() < MOST_STORES {
                let value = self.settled(number);
                self.push_store(address, value, case);
            }
        }
    }

    /// Whether a symbol is what a place in the caller's memory has at the end, and perhaps had not at
    /// the start.
    fn is_later_number(&mut self, symbol: TermId) -> bool {
        let space = &self.exec.space;
        let Some(Origin::Initial { address, epoch, bits }) = space.origin(symbol) else {
            return false;
        };
        let Some(place) = space.address(address) else { return false };
        let told = place.offset.is_some()
            && space.is_from_caller(place.base)
            && space.load_depth(place.base) <= 1
            && !space.is_pointer(symbol)
            && epoch != Epoch::Start;
        let Some(scalar) = caulk_ir::Scalar::int(u32::from(bits)).filter(|_| told) else {
            return false;
        };
        self.state.memory.load(&mut self.exec.space, address, scalar) == symbol
    }

    fn is_unchanged(&self, address: TermId, value: TermId) -> bool {
        matches!(self.space().origin(value), Some(Origin::Initial { address: from, .. }) if from == address)
    }

    /// What the path decided is a constant: `owned = p != NULL`.
    fn settled(&mut self, value: TermId) -> TermId {
        match self.state.facts.value(&self.exec.space.terms, value) {
            Some(number) => {
                let width = self.exec.space.terms.width(value);
                self.exec.space.terms.constant(number, width)
            }
            None => value,
        }
    }

    fn store(&mut self, address: TermId, value: TermId, case: &mut Case) {
        let value = self.settled(value);
        let room = case.stores.len() < MOST_STORES || self.is_released_at(address);
        if !room || !self.is_telling(value) {
            self.dirty(address, case);
            self.take(value, case);
            return;
        }
        self.push_store(address, value, case);
    }

    fn push_store(&mut self, address: TermId, value: TermId, case: &mut Case) {
        let unchanged = |&it: &TermId| self.is_unchanged(address, it);
        let may = self.space().candidates(value).iter().any(unchanged);
        let to =
            self.expr(address, DEEPEST).filter(Expr::has_base).or_else(|| self.somewhere(address));
        let value = self.value(value);
        match to {
            Some(to) => case.stores.push(Store { to, value, may }),
            None => case.keep(value),
        }
    }

    /// Static storage that is not told to callers any more has what it leads to, whoever gets a
    /// pointer to that besides: an allocator that puts all it makes into a list.
    fn far_statics(&mut self, case: &mut Case) {
        let cells: Vec<(TermId, TermId)> =
            self.state.memory.iter().map(|cell| (cell.address, cell.value)).collect();
        for (address, value) in cells {
            let place = self.space().address(address);
            let is_static = place.is_some_and(|it| self.space().home(it.base) == Home::Static);
            if is_static && !self.is_unchanged(address, value) && self.is_far(value) {
                self.take(value, case);
            }
        }
    }

    /// Whether a pointer leads to what another function left in static storage.
    fn is_far(&self, value: TermId) -> bool {
        let space = self.space();
        let values = space.candidates(value).iter().chain([&value]);
        let bases = values.filter_map(|&it| space.address(it));
        let mut made = bases.filter_map(|it| self.exec.made.get(&it.base));
        made.any(|it| it.hops >= FARTHEST)
    }

    /// What static storage has, as far as callers can use it. They know from `Summary::written` that the
    /// rest changed.
    fn static_store(&mut self, address: TermId, value: TermId, case: &mut Case) {
        let Some(place) = self.space().address(address) else { return };
        if self.space().home(place.base) != Home::Static
            || !self.exec.is_followed(place)
            || self.is_unchanged(address, value)
        {
            return;
        }
        let value = self.settled(value);
        let telling = self.is_telling(value);
        let room = !self.is_far(value) && case.stores.len() < MOST_STORES + MOST_STATIC_STORES;
        // A recursion counts on after the last round in which it was summarised.
        let counts = !self.space().is_pointer_wide(value)
            && self.exec.context.summaries.is_recursive(self.exec.proc);
        if telling && room && !counts {
            self.push_store(address, value, case);
        } else {
            self.take(value, case);
        }
    }

    /// Whether the memory held something that was released: callers must know what is there now.
    fn is_released_at(&self, address: TermId) -> bool {
        self.state.marks.iter().any(|(&symbol, mark)| {
            let origin = self.space().origin(symbol);
            let from_here =
                matches!(origin, Some(Origin::Initial { address: at, .. }) if at == address);
            mark.phase == Phase::Released && from_here
        })
    }

    /// An address of which only the object can be told: the index is too large an expression.
    fn somewhere(&mut self, address: TermId) -> Option<Expr> {
        let base = self.space().address(address)?.base;
        let to = self.expr(base, DEEPEST).filter(Expr::has_base)?;
        let width = self.space().pointer_bits;
        let number = 100 + u32::try_from(self.unknown.len()).unwrap_or(0);
        self.unknown.insert(address, number);
        let offset = Expr::Unknown { number, width, pointer: false };
        Some(Expr::Binary(Binary::Add, Box::new(to), Box::new(offset)))
    }

    /// Whether callers can use a value: a constant, a pointer, a new descriptor, or a number that
    /// is computed from what they had before.
    fn is_telling(&self, value: TermId) -> bool {
        let space = self.space();
        let base = space.address(value).map(|it| it.base);
        let made = base.is_some_and(|it| space.home(it) == Home::Made);
        let pointer = base.is_some_and(|it| space.is_pointer(it));
        space.terms.as_constant(value).is_some()
            || made
            || pointer && space.is_pointer_wide(value)
            || self.is_simple(value)
    }

    /// A number that callers can compute: a counter that went up.
    fn is_simple(&self, value: TermId) -> bool {
        let space = self.space();
        let known = |symbol: TermId| {
            matches!(
                space.origin(symbol),
                Some(Origin::Param(_) | Origin::Initial { epoch: Epoch::Start, .. })
            )
        };
        space.terms.height(value) <= 2 && !space.any_symbol(value, &mut |symbol| !known(symbol))
    }

    fn dirty(&mut self, address: TermId, case: &mut Case) {
        let Some(place) = self.space().address(address) else { return };
        if self.space().home(place.base) != Home::Caller
            || self.space().load_depth(place.base) > 1
            || case.dirties.len() >= MOST_DIRTIES
        {
            return;
        }
        if let Some(base) = self.expr(place.base, DEEPEST)
            && !case.dirties.contains(&base)
        {
            case.dirties.push(base);
        }
    }

    /// The caller's name of what memory held when the call began, or perhaps held then.
    fn named(&mut self, symbol: TermId) -> Option<(Expr, Certainty)> {
        self.loose = true;
        let what = self.expr(symbol, DEEPEST);
        self.loose = false;
        let certainty = if self.is_sure(symbol) {
            Certainty::Sure
        } else if self.space().is_of_the_start(symbol) {
            Certainty::Found
        } else {
            Certainty::Perhaps
        };
        Some((what?, certainty))
    }

    /// Those of parameters come first: callers are bound to know them.
    fn marks(&mut self, case: &mut Case) {
        let marks = self.state.marks.iter().map(|(&symbol, &mark)| (symbol, mark));
        let mut marks: Vec<_> =
            marks.filter(|(symbol, _)| self.space().is_nameable(*symbol)).collect();
        // What is near matters most where not all can be told.
        marks.sort_by_key(|(symbol, _)| {
            (!self.space().is_from_caller(*symbol), self.space().load_depth(*symbol))
        });
        let mut kept = 0;
        for (symbol, mark) in marks {
            if self.space().load_depth(symbol) > 2 {
                continue;
            }
            let Some((what, named)) = self.named(symbol) else { continue };
            match mark.phase {
                Phase::Released if case.releases.len() < MOST_MARKS => {
                    let times = 1 + usize::from(self.state.again.contains(&symbol));
                    let release = Release {
                        what,
                        certainty: mark.certainty.max(named),
                        resource: None,
                        members: false,
                        inferred: false,
                    };
                    case.releases.extend(std::iter::repeat_n(release, times));
                }
                Phase::Kept if kept < MOST_MARKS => {
                    kept += 1;
                    case.keep(what);
                }
                _ => {}
            }
        }
    }

    fn sweeps(&mut self, case: &mut Case) {
        self.loose = true;
        for sweep in &self.state.sweeps {
            if let Some(root) = self.expr(sweep.root, DEEPEST).filter(Expr::has_base) {
                let (links, last) = (sweep.links.clone(), sweep.last);
                case.sweeps.push(Sweep { root, links, last });
            }
        }
        self.loose = false;
    }

    /// Whether a second release would be one too many. What a callee found in memory may have been
    /// replaced there since the call began, and a number in the object that was looked at may
    /// count its references.
    fn is_sure(&self, symbol: TermId) -> bool {
        let space = self.space();
        let counts = |it: TermId| match space.origin(it) {
            Some(Origin::Initial { address, bits, .. }) => {
                bits < space.pointer_bits
                    && space.address(address).is_some_and(|place| place.base == symbol)
            }
            _ => false,
        };
        let conditions = self.state.facts.conditions();
        space.is_from_start(symbol)
            && !conditions.iter().any(|&it| space.any_symbol(it, &mut |symbol| counts(symbol)))
    }

    /// Contents that went into what was made, or that somebody else has now.
    fn moves(&mut self, case: &mut Case) {
        for &(to, from) in &self.state.moves {
            let Some(from) = self.expr(from, DEEPEST) else { continue };
            match to {
                Some(to) if self.fresh.contains(&to) => {
                    let to = self.value(to);
                    case.copies.push((to, from, None));
                }
                _ => case.keeps_contents.push(from),
            }
        }
    }

    /// Ranges of the arguments that no single condition tells: `n == 0` on one path and `n == 1` on
    /// another.
    fn ranges(&mut self, case: &mut Case) {
        for (number, param) in (0..).zip(self.exec.body.params.clone()) {
            let scalar = self.exec.body.values[param].scalar;
            let width = self.space().width(scalar);
            if scalar.int_bits().is_none() || case.conditions.len() >= MOST_CONDITIONS {
                continue;
            }
            let term = self.exec.space.symbol(Origin::Param(number), width, false);
            let range = self.state.facts.range(&self.exec.space.terms, term);
            if range.is_full() || range.value().is_some() || range.high() >> (width - 1) & 1 == 1 {
                continue;
            }
            let most = Box::new(Expr::Constant { value: range.high(), width });
            let condition = Expr::Compare(Compare::LeU, Box::new(Expr::Param(number)), most);
            if !case.conditions.contains(&condition) {
                case.conditions.push(condition);
            }
        }
    }

    /// What is known of the arguments, of memory before the call, and of the result.
    fn conditions(&mut self, case: &mut Case) {
        let known: Vec<TermId> = self.state.facts.conditions().to_vec();
        for condition in known {
            if case.conditions.len() >= MOST_CONDITIONS {
                break;
            }
            let told = |symbol: &TermId| match self.space().origin(*symbol) {
                Some(
                    Origin::Param(_)
                    | Origin::Static(_)
                    | Origin::Proc(_)
                    | Origin::Initial { epoch: Epoch::Start, .. },
                ) => true,
                _ => self.unknown.contains_key(symbol) || self.chosen.contains(symbol),
            };
            let symbols = self.space().symbols_of(condition);
            if !symbols.is_empty()
                && symbols.iter().all(told)
                && let Some(condition) = self.expr(condition, DEEPEST + 2)
            {
                case.conditions.push(condition);
            }
        }
    }
}
