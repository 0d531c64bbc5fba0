//! Memory at the exits of calls that a run makes, against summaries: what the cells of the caller
//! hold that a summary tells of is among what it says they hold, and so is what is returned, and what
//! new objects hold that these lead to; cells that it does not tell of hold what they held before,
//! and statics that are written are among those that it says.
//!
//! `images` fills a summary in with the memory at the beginning of one call, `judge` compares, and
//! `left` tells of new objects.

mod images;
mod judge;
mod left;

use std::collections::BTreeSet;

use caulk_base::{FxHashMap, FxHashSet, Id};
use caulk_interp::{Birth, Event, EventKind, Look, Moment, Place, Seen};
use caulk_ir::FunctionId;
use caulk_program::{ModuleId, ProcId, Program, StaticId};
use caulk_summary::{Held, Node, Summaries, Summary};
use images::{Image, are_apart, images};
use judge::{Births, Judge, Verdict, kind, path, signed};
use left::Left;

/// Calls of one function that are all looked at, and of how many later ones one is.
const FIRST_CALLS: u64 = 200;
const ONE_OF: u64 = 50;
/// Words that are looked at in one object.
const MOST_WORDS: u64 = 32;

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub calls: usize,
    /// Two ways lead to one object: explore-addresses are taken to be distinct (P3).
    pub aliased: usize,
    /// Cells that a summary tells of, and does not allow everything.
    pub addresses: usize,
    pub numbers: usize,
    /// Cells of which the summary allows everything.
    pub anything: usize,
    /// Words that no summary tells of.
    pub untold: usize,
    /// Statics that a call wrote.
    pub statics: usize,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.calls += other.calls;
        self.aliased += other.aliased;
        self.addresses += other.addresses;
        self.numbers += other.numbers;
        self.anything += other.anything;
        self.untold += other.untold;
        self.statics += other.statics;
    }
}

pub struct Exits<'a> {
    program: &'a Program,
    summaries: &'a Summaries,
    procs: Vec<Option<ProcId>>,
    statics: Vec<StaticId>,
    objects: FxHashMap<StaticId, u32>,
    births: Births,
    born: u64,
    /// The size of what was stored last at a place.
    sizes: FxHashMap<(u32, u64), u64>,
    stack: Vec<Frame>,
    calls: FxHashMap<ProcId, u64>,
    pub counts: Counts,
    pub wrong: BTreeSet<String>,
}

struct Frame {
    proc: Option<ProcId>,
    /// How many objects had been born before.
    born: u64,
    written: FxHashSet<StaticId>,
    entry: Option<Entry>,
    /// What it returns.
    result: Option<Seen>,
}

/// What the memory was at the beginning of a call that is looked at.
struct Entry {
    images: Vec<Image>,
    /// What the arguments lead to, by one step or two, and statics that the summary names.
    words: Vec<Word>,
    /// The objects that the caller's memory leads to: arguments, and nodes of the summary.
    reached: BTreeSet<u32>,
}

/// Eight bytes, or the four that are left at the end of an object.
#[derive(Clone, Copy)]
struct Word {
    place: Place,
    size: usize,
    held: Seen,
}

impl<'a> Exits<'a> {
    pub fn new(
        run: &caulk_interp::Program,
        program: &'a Program,
        summaries: &'a Summaries,
    ) -> Self {
        let rows = program.procs.iter();
        let procs: FxHashMap<(ModuleId, FunctionId), ProcId> =
            rows.map(|(id, row)| ((row.module, row.function), id)).collect();
        let proc = |module, id| procs.get(&(ModuleId::from_index(module), id)).copied();
        let static_of = |module, id| program.static_of(ModuleId::from_index(module), id);
        Self {
            program,
            summaries,
            procs: run.functions.iter().map(|row| proc(row.module, row.id)).collect(),
            statics: run.objects.iter().map(|row| static_of(row.module, row.id)).collect(),
            objects: FxHashMap::default(),
            births: Births::default(),
            born: 0,
            sizes: FxHashMap::default(),
            stack: Vec::new(),
            calls: FxHashMap::default(),
            counts: Counts::default(),
            wrong: BTreeSet::new(),
        }
    }

    pub fn note(&mut self, event: &Event) {
        match event.kind {
            EventKind::Enter { function } => {
                self.leave_to(event.depth.saturating_sub(1));
                let (proc, born) = (self.procs[function as usize], self.born);
                let written = FxHashSet::default();
                self.stack.push(Frame { proc, born, written, entry: None, result: None });
            }
            EventKind::Born { object, birth, .. } => {
                if let Birth::Static(number) = birth {
                    self.objects.insert(self.statics[number as usize], object);
                }
                self.births.insert(object, (self.born, birth));
                self.born += 1;
            }
            EventKind::Write { at } => {
                self.sizes.insert((at.object, at.offset), at.size);
                self.leave_to(event.depth);
                if let (Some((_, Birth::Static(number))), Some(frame)) =
                    (self.births.get(&at.object), self.stack.last_mut())
                {
                    frame.written.insert(self.statics[*number as usize]);
                }
            }
            EventKind::Return { value, bits } => {
                self.leave_to(event.depth);
                if let Some(frame) = self.stack.last_mut() {
                    frame.result = value.map(Seen::Address).or(bits.map(Seen::Number));
                }
            }
            _ => {}
        }
    }

    /// Who ended wrote what their callers are seen to have written.
    fn leave_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            let Some(ended) = self.stack.pop() else { return };
            if let Some(caller) = self.stack.last_mut() {
                caller.written.extend(ended.written);
            }
        }
    }

    pub fn look(&mut self, look: &Look<'_>) {
        self.leave_to(look.depth);
        match &look.moment {
            Moment::Begins { arguments, into, .. } => self.begin(look, arguments, *into),
            Moment::Returns => self.end(look),
        }
    }

    fn begin(&mut self, look: &Look<'_>, arguments: &[Seen], into: Option<Seen>) {
        let Some(proc) = self.stack.last().and_then(|frame| frame.proc) else { return };
        let summary = &self.summaries[proc];
        let calls = self.calls.entry(proc).or_default();
        *calls += 1;
        if summary.coarse
            || !summary.returns
            || *calls > FIRST_CALLS && !calls.is_multiple_of(ONE_OF)
        {
            return;
        }
        self.counts.calls += 1;
        let images = images(summary, arguments, into, &self.objects, look);
        if !are_apart(summary, &images) {
            self.counts.aliased += 1;
            return;
        }
        let mut words = reached(arguments, look);
        let mut reached = objects(summary, &images, |node| matches!(node, Node::Explore(_)));
        reached.extend(words.iter().map(|row| row.place.object));
        let statics = objects(summary, &images, |node| matches!(node, Node::Static(_)));
        words.extend(statics.difference(&reached).flat_map(|&it| contents(it, look)));
        if let Some(frame) = self.stack.last_mut() {
            frame.entry = Some(Entry { images, words, reached });
        }
    }

    fn end(&mut self, look: &Look<'_>) {
        let Some(frame) = self.stack.last_mut() else { return };
        let (Some(proc), Some(entry)) = (frame.proc, frame.entry.take()) else { return };
        let (born, written, result) = (frame.born, frame.written.clone(), frame.result);
        let summary = &self.summaries[proc];
        let births = std::mem::take(&mut self.births);
        let judge = Judge { images: &entry.images, births: &births, born };
        let mut wrong = self.compare_cells(summary, &judge, look);
        wrong.extend(self.compare_result(proc, summary, &judge, result, look));
        wrong.extend(self.compare_words(summary, &entry, &judge, look));
        self.births = births;
        wrong.extend(self.compare_statics(summary, &entry, &written));
        let name = &self.program.procs[proc].name;
        self.wrong.extend(wrong.into_iter().map(|text| format!("{name}: {text}")));
    }

    /// What cells of the caller hold that the summary does not allow.
    fn compare_cells(
        &mut self,
        summary: &Summary,
        judge: &Judge<'_>,
        look: &Look<'_>,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        for (cell, _) in &summary.cells {
            let Image::At(place) = judge.images[cell.index()] else { continue };
            if !judge.is_old(place.object) {
                continue;
            }
            let helds = judge.told(summary, place);
            let seen = self.seen(place, look);
            let texts = self.compare(summary, judge, &helds, seen, look);
            let path = path(summary, *cell);
            wrong.extend(texts.into_iter().map(|text| format!("{path} {text}")));
        }
        wrong
    }

    fn compare_result(
        &mut self,
        proc: ProcId,
        summary: &Summary,
        judge: &Judge<'_>,
        result: Option<Seen>,
        look: &Look<'_>,
    ) -> Vec<String> {
        let types = &self.program.module_of(proc).types;
        let scalar = types.scalar(types.signatures[self.program.function(proc).signature].result);
        let size = scalar.and_then(|scalar| usize::try_from(scalar.bytes(8)).ok()).unwrap_or(0);
        let (Some(held), Some(seen), 1..=8) = (&summary.result, result, size) else {
            return Vec::new();
        };
        let mut wrong = self.compare(summary, judge, &[held], Some((seen, size)), look);
        let rows: Vec<&Held> =
            summary.exits.iter().filter_map(|exit| exit.result.as_ref()).collect();
        if !rows.is_empty() {
            let of_exits = self.compare(summary, judge, &rows, Some((seen, size)), look);
            wrong.extend(of_exits.into_iter().map(|text| format!("at all exits: {text}")));
        }
        wrong.into_iter().map(|text| format!("the result {text}")).collect()
    }

    /// A whole word that holds an address, or as much as was stored there last.
    fn seen(&self, place: Place, look: &Look<'_>) -> Option<(Seen, usize)> {
        let word = look.cell(place, 8);
        if let Some(Seen::Address(_)) = word {
            return Some((word?, 8));
        }
        let size = self.sizes.get(&(place.object, place.offset.cast_unsigned())).copied();
        let size = size.and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= 8)?;
        Some((look.cell(place, size)?, size))
    }

    /// What is seen, and what new objects hold that it leads to, as far as it is outside.
    fn compare(
        &mut self,
        summary: &Summary,
        judge: &Judge<'_>,
        helds: &[&Held],
        seen: Option<(Seen, usize)>,
        look: &Look<'_>,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut pending: Vec<Left> = Vec::new();
        wrong.extend(self.compare_one(summary, judge, helds, seen, &mut pending));
        let mut known: BTreeSet<u32> = BTreeSet::new();
        while let Some(left) = pending.pop() {
            if !known.insert(left.object) {
                continue;
            }
            let words = look.size(left.object).unwrap_or(0) / 8;
            for word in 0..words.min(MOST_WORDS) {
                let place = Place { object: left.object, offset: word.cast_signed() * 8 };
                let Some(word) = left.word(summary, place.offset) else { continue };
                let helds: Vec<&Held> = word.helds.iter().collect();
                let seen = self.seen(place, look);
                if word.is_any_number && matches!(seen, Some((Seen::Number(_), _))) {
                    continue;
                }
                let text = self.compare_one(summary, judge, &helds, seen, &mut pending);
                wrong.extend(text.map(|text| format!("is new, where +{} {text}", place.offset)));
            }
        }
        wrong
    }

    fn compare_one(
        &mut self,
        summary: &Summary,
        judge: &Judge<'_>,
        helds: &[&Held],
        seen: Option<(Seen, usize)>,
        left: &mut Vec<Left>,
    ) -> Option<String> {
        match seen? {
            (Seen::Address(address), _) => {
                let verdict = judge.address(helds, address);
                self.count(verdict, |counts| &mut counts.addresses);
                if verdict == Verdict::Inside && judge.is_made(address.object) {
                    left.push(Left::new(address.object, summary, helds));
                }
                let is_outside = verdict == Verdict::Outside;
                is_outside.then(|| format!("holds {}", judge.describe(address)))
            }
            (Seen::Number(bits), size) => {
                let verdict = judge.number(helds, bits, size);
                self.count(verdict, |counts| &mut counts.numbers);
                (verdict == Verdict::Outside).then(|| format!("holds {}", signed(bits, size)))
            }
            (Seen::Undefined, _) => None,
        }
    }

    fn count(&mut self, verdict: Verdict, of: fn(&mut Counts) -> &mut usize) {
        match verdict {
            Verdict::Anything => self.counts.anything += 1,
            Verdict::Inside | Verdict::Outside => *of(&mut self.counts) += 1,
        }
    }

    /// Words that changed, and are not among the cells that the summary names: without its telling,
    /// or to what it does not allow in any place of their objects.
    fn compare_words(
        &mut self,
        summary: &Summary,
        entry: &Entry,
        judge: &Judge<'_>,
        look: &Look<'_>,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        // Who has what escapes may write there.
        let escaped = summary.escapes.iter().map(|node| entry.images[node.index()]);
        let escaped: Vec<Option<u32>> = escaped.map(|image| image.object()).collect();
        for &Word { place, size, held: before } in &entry.words {
            let is_named = summary.cells.iter().any(|row| match entry.images[row.0.index()] {
                Image::At(at) => at.object == place.object && (at.offset - place.offset).abs() < 8,
                _ => false,
            });
            let is_open = is_named || escaped.contains(&Some(place.object));
            let now = look.cell(place, size).filter(|_| !is_open && judge.is_old(place.object));
            let Some(now) = now else { continue };
            let helds = judge.told(summary, place);
            self.counts.untold += usize::from(helds.is_empty() && !summary.is_rough);
            if now == before {
                continue;
            }
            let kind = judge.births.get(&place.object).map_or("lost", |row| kind(row.1));
            if helds.is_empty() && summary.is_rough {
                continue;
            }
            if helds.is_empty() {
                wrong.push(format!("a {kind} word changes that is not told of"));
                continue;
            }
            let seen = self.seen(place, look);
            let texts = self.compare(summary, judge, &helds, seen, look);
            wrong.extend(texts.into_iter().map(|text| format!("a {kind} word {text}")));
        }
        wrong
    }

    /// Statics that are written without the summary telling. What the caller's memory led to is
    /// told by the way there.
    fn compare_statics(
        &mut self,
        summary: &Summary,
        entry: &Entry,
        written: &FxHashSet<StaticId>,
    ) -> Vec<String> {
        let Some(told) = summary.written.as_ref().filter(|_| !summary.writes_more) else {
            return Vec::new();
        };
        let is_reached = |id: &&StaticId| {
            self.objects.get(*id).is_some_and(|object| entry.reached.contains(object))
        };
        let own: Vec<&StaticId> = written.iter().filter(|id| !is_reached(id)).collect();
        self.counts.statics += own.len();
        let untold = own.into_iter().filter(|it| !told.contains(it));
        untold.map(|it| format!("{} is written", static_name(self.program, *it))).collect()
    }
}

fn static_name(program: &Program, id: StaticId) -> String {
    let (module, object) = program.object(id);
    object.name.map_or("a static", |name| program.modules[module].names.text(name)).to_string()
}

/// The objects that nodes of one kind are.
fn objects(summary: &Summary, images: &[Image], is_wanted: fn(&Node) -> bool) -> BTreeSet<u32> {
    let rows = summary.nodes.iter().zip(images);
    rows.filter(|((_, node), _)| is_wanted(node)).filter_map(|(_, image)| image.object()).collect()
}

/// The words that arguments lead to, by one step or two.
fn reached(arguments: &[Seen], look: &Look<'_>) -> Vec<Word> {
    let object = |seen: &Seen| match seen {
        Seen::Address(place) => Some(place.object),
        _ => None,
    };
    let first: BTreeSet<u32> = arguments.iter().filter_map(object).collect();
    let mut words: Vec<Word> = first.iter().flat_map(|&it| contents(it, look)).collect();
    let second: BTreeSet<u32> = words.iter().filter_map(|row| object(&row.held)).collect();
    words.extend(second.difference(&first).flat_map(|&it| contents(it, look)));
    words
}

fn contents(object: u32, look: &Look<'_>) -> Vec<Word> {
    let size = look.size(object).unwrap_or(0);
    let place = |at: u64| Place { object, offset: at.cast_signed() };
    let whole = (0..(size / 8).min(MOST_WORDS)).map(|word| (place(word * 8), 8));
    let rest = (size % 8 >= 4 && size / 8 < MOST_WORDS).then_some((place(size / 8 * 8), 4));
    let all = whole.chain(rest);
    all.filter_map(|(place, size)| Some(Word { place, size, held: look.cell(place, size)? }))
        .collect()
}
