//! From a state of the search to a scenario that the interpreter plays, and to words for people.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_finding::Given;
use caulk_guard::bits::{Term, TermId};
use caulk_interp::scenario::{Action, Datum, Outside, Piece, Reply, Scenario};
use caulk_ir::{InstId, Type};

use crate::numbers::Numbers;
use crate::object::Kind;
use crate::questions::symbol;
use crate::search::{Candidate, Seeker};
use crate::setup::{may_be_first, may_lack_hook};
use crate::state::{Answer, Deed, Look, State};
use crate::target::Wish;
use crate::value::{TypeRef, Value};

/// What an object from outside has beyond what was looked at.
const MARGIN: i64 = 64;
/// Inputs that are told.
const MOST_GIVEN: usize = 16;

pub struct Scene<'s, 'a> {
    seeker: &'s mut Seeker<'a>,
    state: &'s State,
    model: &'s Numbers,
    /// The scenario's numbers of objects, and how far their start lies before offset 0.
    numbers: FxHashMap<u32, (usize, i64)>,
    objects: Vec<Outside>,
}

pub fn scenario(seeker: &mut Seeker<'_>, candidate: &Candidate) -> Scenario {
    let Candidate { state, model, .. } = candidate;
    let (numbers, objects) = outside(state);
    let function = seeker.target.start;
    let mut scene = Scene { seeker, state, model, numbers, objects };
    let args = state.args.iter().map(|&value| scene.datum(value)).collect();
    let result_into = state.result_into.and_then(|value| scene.datum(value));
    let mut replies: Vec<Reply> = state.answers.iter().map(|answer| scene.reply(answer)).collect();
    let mut statics: FxHashMap<u32, Vec<Piece>> = FxHashMap::default();
    for look in &state.looks {
        scene.place(look, &mut replies, &mut statics);
    }
    let mut statics: Vec<(u32, Vec<Piece>)> = statics.into_iter().collect();
    statics.sort_by_key(|row| row.0);
    Scenario { function, args, result_into, objects: scene.objects, statics, replies }
}

fn outside(state: &State) -> (FxHashMap<u32, (usize, i64)>, Vec<Outside>) {
    let mut numbers = FxHashMap::default();
    let mut objects = Vec::new();
    for (id, object) in state.objects.iter().enumerate() {
        if object.kind == Kind::Outside {
            let before = -object.extent.0.min(0);
            numbers.insert(id as u32, (objects.len(), before));
            let size = before.saturating_add(object.extent.1).saturating_add(MARGIN);
            objects.push(Outside { size: size as u64, pieces: Vec::new() });
        }
    }
    (numbers, objects)
}

impl Scene<'_, '_> {
    fn number(&self, term: TermId) -> u64 {
        self.seeker.space.terms.evaluate(term, self.model)
    }

    /// None for what the search does not follow.
    fn datum(&mut self, value: Value) -> Option<Datum> {
        match value {
            Value::Term(term) => Some(self.term(term)),
            Value::Pointer { object, offset } => {
                let offset = self.number(offset) as i64;
                self.address(object, offset)
            }
            Value::Function(function) => Some(Datum::Function(function)),
            Value::Opaque => None,
        }
    }

    fn address(&self, object: u32, offset: i64) -> Option<Datum> {
        match self.state.object(object).kind {
            Kind::Outside => {
                let &(object, before) = self.numbers.get(&object)?;
                Some(Datum::Object { object, offset: offset + before })
            }
            Kind::Static(object) => Some(Datum::Static { object, offset }),
            Kind::Slot | Kind::Heap => None,
        }
    }

    fn term(&mut self, term: TermId) -> Datum {
        let bits = self.number(term);
        if self.seeker.space.terms.width(term) != 64 {
            return Datum::Number(bits);
        }
        let base = self.seeker.space.base(term);
        if let Some((symbol, offset)) = base
            && let Some(&object) = self.state.opened.get(&symbol)
        {
            let offset = self.number(offset) as i64;
            return self.address(object, offset).unwrap_or(Datum::Number(bits));
        }
        if let Some(&function) = base.and_then(|it| self.state.chosen.get(&it.0)) {
            return Datum::Function(function);
        }
        let is_pointer = |it: (u32, TermId)| self.seeker.space.symbols[it.0 as usize].is_pointer;
        match base {
            // Somewhere, though nobody looks there.
            Some(it) if bits != 0 && is_pointer(it) => {
                self.objects.push(Outside { size: MARGIN as u64, pieces: Vec::new() });
                Datum::Object { object: self.objects.len() - 1, offset: 0 }
            }
            _ => Datum::Number(bits),
        }
    }

    fn reply(&mut self, answer: &Answer) -> Reply {
        let actions = answer.deeds.iter().map(|deed| self.action(*deed)).collect();
        let result = match (answer.result_made, answer.result) {
            (Some(made), _) => Some(Datum::Made(made)),
            (None, Some(value)) => {
                self.datum(value).or_else(|| self.returned_argument(answer, value))
            }
            (None, None) => None,
        };
        let result = result.unwrap_or(Datum::Number(0));
        Reply { name: answer.name.clone(), actions, result, ends: answer.ends }
    }

    /// Memory of the program has no name here, but it came as an argument.
    fn returned_argument(&self, answer: &Answer, value: Value) -> Option<Datum> {
        let Value::Pointer { object, offset } = value else { return None };
        answer.args.iter().enumerate().find_map(|(arg, &given)| match given {
            Value::Pointer { object: other, offset: from } if other == object => {
                let offset = self.number(offset).wrapping_sub(self.number(from)) as i64;
                Some(Datum::Arg { arg, offset })
            }
            _ => None,
        })
    }

    fn action(&self, deed: Deed) -> Action {
        let null = Datum::Number(0);
        match deed {
            Deed::Make { object } => {
                let size = (self.state.object(object).extent.1 + MARGIN) as u64;
                // What a run of its own accord shows may not hang on bytes that nobody wrote.
                let zeroed =
                    self.seeker.target.wish != Wish::Any || self.state.object(object).is_zeroed;
                Action::Make { size, zeroed }
            }
            Deed::CopyInto { arg } => Action::CopyInto { arg },
            Deed::Free { arg, through } => Action::Free { arg, through },
            Deed::Keep { arg } => Action::Keep { arg },
            Deed::Touch { arg } => Action::Touch { arg },
            Deed::Store { arg, offset, made } => {
                Action::Write { arg, piece: Piece { offset, bytes: 8, value: Datum::Made(made) } }
            }
            Deed::Open { number } => Action::Open { number },
            Deed::Close { arg } => Action::Close { arg },
            Deed::StoreNumber { arg, offset, bytes, number } => {
                let value = Datum::Number(number.into());
                Action::Write { arg, piece: Piece { offset, bytes, value } }
            }
            Deed::Clear { arg } => {
                Action::Write { arg, piece: Piece { offset: 0, bytes: 8, value: null } }
            }
        }
    }

    /// Puts bytes that were looked at where the run will find them.
    fn place(
        &mut self,
        look: &Look,
        replies: &mut [Reply],
        statics: &mut FxHashMap<u32, Vec<Piece>>,
    ) {
        let Some(value) = self.datum(look.value) else { return };
        let mut piece = Piece { offset: look.offset, bytes: look.bytes as u8, value };
        if look.event > 0 {
            let action = Action::Write { arg: look.arg, piece };
            replies[look.event as usize - 1].actions.push(action);
            return;
        }
        match self.state.object(look.object).kind {
            Kind::Static(number) => statics.entry(number).or_default().push(piece),
            _ => {
                if let Some(&(number, before)) = self.numbers.get(&look.object) {
                    piece.offset += before;
                    self.objects[number].pieces.push(piece);
                }
            }
        }
    }
}

/// Pointers in memory from outside whose being NULL, or not, decided a branch: the program may never
/// make such memory. Static storage as it was at first where `main` has set it since. Which of several
/// functions a member of such memory leads to. And numbers from outside on which it hung what an external
/// function did: `fcntl` makes a descriptor for some commands only.
pub fn supposed(seeker: &Seeker<'_>, candidate: &Candidate) -> Vec<String> {
    let Candidate { state, model, .. } = candidate;
    let terms = &seeker.space.terms;
    let decided: FxHashSet<TermId> = terms.below(&state.decided).into_iter().collect();
    let mut supposed: Vec<u32> = Vec::new();
    for look in state.looks.iter().filter(|look| look.event == 0) {
        let Value::Term(term) = look.value else { continue };
        let Term::Symbol { number, .. } = *terms.get(term) else { continue };
        if !decided.contains(&term) {
            continue;
        }
        let is_pointer = seeker.space.symbols[number as usize].is_pointer;
        let is_doubtful = is_pointer && !is_usual(seeker, candidate, look, number);
        if is_doubtful || is_outdated(seeker, candidate, look, number) {
            supposed.push(number);
        }
    }
    supposed.extend(state.demanded.iter().filter_map(|&term| symbol(terms, term)));
    supposed.sort_unstable();
    supposed.dedup();
    let rows = supposed.into_iter().map(|number| told(seeker, model, number));
    rows.map(|row| format!("{} = {}", row.name, row.value)).collect()
}

/// Arguments that decided a branch, where calls in the program tell what the function is given:
/// none of them may pass these together.
pub fn passed(seeker: &Seeker<'_>, candidate: &Candidate) -> Vec<String> {
    let Candidate { state, model, .. } = candidate;
    if !seeker.world.is_called(seeker.target.start) {
        return Vec::new();
    }
    let terms = &seeker.space.terms;
    let decided: FxHashSet<TermId> = terms.below(&state.decided).into_iter().collect();
    let symbol = |value: &Value| match *value {
        Value::Term(term) if decided.contains(&term) => match *terms.get(term) {
            Term::Symbol { number, .. } => Some(number),
            _ => None,
        },
        _ => None,
    };
    let rows = state.args.iter().filter_map(symbol).map(|number| told(seeker, model, number));
    rows.map(|row| format!("{} = {}", row.name, row.value)).collect()
}

/// A pointer that is NULL as it was when the program started, and one that is as the program sets
/// it somewhere, are beyond doubt.
fn is_usual(seeker: &Seeker<'_>, candidate: &Candidate, look: &Look, symbol: u32) -> bool {
    let Candidate { state, model, .. } = candidate;
    let set = &seeker.world.set;
    let member = seeker.space.symbols[symbol as usize].member.as_ref();
    if model.value(symbol) == 0 {
        return is_null_at_first(seeker, state, look) && !is_hook(seeker, state, look, symbol)
            || member.is_some_and(|member| set.clears_member(member));
    }
    match (member, state.object(look.object).kind) {
        (Some(member), _) => set.has_member(member),
        (None, Kind::Static(number)) => set.has_object(number),
        (None, _) => false,
    }
}

/// Static storage that is as it was at first, although `main` has set it by then.
fn is_outdated(seeker: &Seeker<'_>, candidate: &Candidate, look: &Look, symbol: u32) -> bool {
    let Kind::Static(object) = candidate.state.object(look.object).kind else { return false };
    let world = seeker.world;
    let first = world.stores.initial(&world.program, object, look.offset, look.bytes);
    first == Some(candidate.model.value(symbol))
        && !may_be_first(world, seeker.target.start, object, look.offset, look.bytes)
}

/// Whether static storage of the program holds NULL there when it starts.
fn is_null_at_first(seeker: &Seeker<'_>, state: &State, look: &Look) -> bool {
    let Kind::Static(number) = state.object(look.object).kind else { return false };
    let world = seeker.world;
    world.stores.initial(&world.program, number, look.offset, look.bytes) == Some(0)
}

/// Whether static storage there points to a function that every program installs which leads to the one
/// that is run.
fn is_hook(seeker: &Seeker<'_>, state: &State, look: &Look, symbol: u32) -> bool {
    let Kind::Static(number) = state.object(look.object).kind else { return false };
    let world = seeker.world;
    let is_function = |(module, ty): TypeRef| {
        matches!(world.program.modules[module].types.types[ty], Type::Function(_))
    };
    seeker.space.symbols[symbol as usize].pointee.is_some_and(is_function)
        && !may_lack_hook(world, seeker.target.start, number, look.offset, look.bytes)
}

fn told(seeker: &Seeker<'_>, model: &Numbers, number: u32) -> Given {
    let row = &seeker.space.symbols[number as usize];
    let value = match (row.is_pointer, model.value(number)) {
        (true, 0) => "NULL".to_owned(),
        (true, _) => "not NULL".to_owned(),
        (false, bits) => spelled(bits, row.width),
    };
    Given { name: row.name.clone(), value }
}

/// The inputs that decided something, in the order in which the run met them, then the calls that
/// fail.
pub fn given(seeker: &Seeker<'_>, candidate: &Candidate) -> Vec<Given> {
    let Candidate { state, model, .. } = candidate;
    let terms = &seeker.space.terms;
    let mut symbols: Vec<u32> = Vec::new();
    for id in terms.below(&state.conditions) {
        if let Term::Symbol { number, .. } = *terms.get(id) {
            symbols.push(number);
        }
    }
    symbols.sort_unstable();
    let mut seen = FxHashSet::default();
    let mut given: Vec<Given> = symbols
        .into_iter()
        .map(|number| told(seeker, model, number))
        .filter(|row| seen.insert((row.name.clone(), row.value.clone())))
        .take(MOST_GIVEN)
        .collect();
    for answer in state.answers.iter().filter(|answer| answer.fails) {
        let name = format!("{}{}", answer.name, place_of(seeker, answer.function, answer.inst));
        given.push(Given { name, value: "fails".to_owned() });
    }
    given
}

/// The line of a call; inside the library, which has no lines that a reader knows, the function.
fn place_of(seeker: &Seeker<'_>, function: u32, inst: InstId) -> String {
    let program = seeker.program();
    if !seeker.world.is_own(function) {
        return format!(" in {}", program.function_name(function));
    }
    let span = program.body(function).map(|body| body.inst_spans[inst]);
    span.map_or(String::new(), |span| format!(" in line {}", program.position(function, span).line))
}

/// A number as C would write it; a byte that is a character is shown as one, too.
fn spelled(bits: u64, width: u8) -> String {
    let unused = 64 - u32::from(width);
    let number = ((bits << unused) as i64) >> unused;
    match u8::try_from(bits).ok().filter(|byte| width == 8 && byte.is_ascii_graphic()) {
        Some(byte) => format!("'{}'", byte as char),
        None => number.to_string(),
    }
}
