//! Memory at the exits of calls that a run makes, against summaries: what the cells of the caller
//! hold that a summary tells of is among what it says they hold, cells that it does not tell of
//! hold what they held before, and statics that are written are among those that it says.
//!
//! `images` fills a summary in with the memory at the beginning of one call.

mod images;

use std::collections::BTreeSet;

use caulk_base::{FxHashMap, FxHashSet, Id};
use caulk_interp::{Birth, Event, EventKind, Look, Moment, Place, Seen};
use caulk_ir::FunctionId;
use caulk_program::{ModuleId, ProcId, Program, StaticId};
use caulk_summary::{Held, Node, NodeId, Numbers, Summaries, Summary};
use images::{Image, are_apart, images};

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
    /// How many comparisons could have failed.
    pub fn informative(&self) -> usize {
        self.addresses + self.numbers + self.untold + self.statics
    }

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
    births: FxHashMap<u32, (u64, Birth)>,
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
}

/// What the memory was at the beginning of a call that is looked at.
struct Entry {
    images: Vec<Image>,
    /// What the arguments lead to, by one step or two.
    words: Vec<(Place, Seen)>,
    /// The objects that these and the nodes of the summary are in.
    reached: FxHashSet<u32>,
}

/// What came of a comparison.
enum Verdict {
    Anything,
    Inside,
    Outside,
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
            births: FxHashMap::default(),
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
                self.stack.push(Frame { proc, born, written: FxHashSet::default(), entry: None });
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
        let words = reached(arguments, look);
        let ways = summary.nodes.iter().zip(&images);
        let ways = ways.filter(|((_, node), _)| matches!(node, Node::Explore(_)));
        let mut reached: FxHashSet<u32> = ways.filter_map(|(_, image)| image.object()).collect();
        reached.extend(words.iter().map(|row| row.0.object));
        if let Some(frame) = self.stack.last_mut() {
            frame.entry = Some(Entry { images, words, reached });
        }
    }

    fn end(&mut self, look: &Look<'_>) {
        let Some(frame) = self.stack.last_mut() else { return };
        let (Some(proc), Some(entry)) = (frame.proc, frame.entry.take()) else { return };
        let (born, written) = (frame.born, frame.written.clone());
        let summary = &self.summaries[proc];
        let mut wrong = Vec::new();
        for (cell, _) in &summary.cells {
            let Image::At(place) = entry.images[cell.index()] else { continue };
            if self.is_old(place.object, born)
                && let Some(text) = self.compare(summary, &entry, place, born, look)
            {
                wrong.push(format!("{} holds {text}", path(summary, *cell)));
            }
        }
        wrong.extend(self.compare_untold(summary, &entry, born, look));
        wrong.extend(self.compare_statics(summary, &entry, &written));
        let name = &self.program.procs[proc].name;
        self.wrong.extend(wrong.into_iter().map(|text| format!("{name}: {text}")));
    }

    /// It was there before the call, and is not a new one of the same number.
    fn is_old(&self, object: u32, born: u64) -> bool {
        self.births.get(&object).is_some_and(|birth| birth.0 < born)
    }

    /// What a cell holds that the summary does not allow.
    fn compare(
        &mut self,
        summary: &Summary,
        entry: &Entry,
        place: Place,
        born: u64,
        look: &Look<'_>,
    ) -> Option<String> {
        let helds = told(summary, entry, place);
        let word = look.cell(place, 8);
        if let Some(Seen::Address(address)) = word {
            let verdict = self.judge_address(entry, &helds, address, born);
            self.count(&verdict, |counts| &mut counts.addresses);
            let is_outside = matches!(verdict, Verdict::Outside);
            return is_outside.then(|| self.describe(address, born));
        }
        let size = self.sizes.get(&(place.object, place.offset.cast_unsigned())).copied();
        let size = size.and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= 8)?;
        let Some(Seen::Number(bits)) = look.cell(place, size) else { return None };
        let verdict = judge_number(entry, &helds, bits, size);
        self.count(&verdict, |counts| &mut counts.numbers);
        matches!(verdict, Verdict::Outside).then(|| signed(bits, size).to_string())
    }

    fn count(&mut self, verdict: &Verdict, of: fn(&mut Counts) -> &mut usize) {
        match verdict {
            Verdict::Anything => self.counts.anything += 1,
            Verdict::Inside | Verdict::Outside => *of(&mut self.counts) += 1,
        }
    }

    fn judge_address(&self, entry: &Entry, helds: &[&Held], address: Place, born: u64) -> Verdict {
        let nodes = || helds.iter().flat_map(|held| &held.nodes);
        let has = |is: &dyn Fn(&Image) -> bool| nodes().any(|it| is(&entry.images[it.index()]));
        let is_bare = helds.iter().any(|held| held.nodes.is_empty() && held.numbers.is_all());
        if is_bare || has(&|image| matches!(image, Image::Anything)) {
            return Verdict::Anything;
        }
        let is_inside = match self.births.get(&address.object) {
            Some((at, Birth::Heap)) if *at >= born => has(&|it| matches!(it, Image::Fresh)),
            // What dies with the call is nothing that a summary can name.
            Some((at, _)) if *at >= born => return Verdict::Anything,
            _ => has(&|it| match it {
                Image::At(place) => *place == address,
                Image::In(object) => *object == address.object,
                _ => false,
            }),
        };
        if is_inside { Verdict::Inside } else { Verdict::Outside }
    }

    fn describe(&self, address: Place, born: u64) -> String {
        match self.births.get(&address.object) {
            Some(&(at, birth)) if at >= born => format!("a new {} address", kind(birth)),
            Some(&(_, birth)) => format!("an old {} address + {}", kind(birth), address.offset),
            None => "something".to_string(),
        }
    }

    /// Words that changed without the summary telling.
    fn compare_untold(
        &mut self,
        summary: &Summary,
        entry: &Entry,
        born: u64,
        look: &Look<'_>,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        if summary.is_rough {
            return wrong;
        }
        // Who has what escapes may write there.
        let escaped = summary.escapes.iter().map(|node| entry.images[node.index()]);
        let escaped: Vec<Option<u32>> = escaped.map(|image| image.object()).collect();
        for &(place, before) in &entry.words {
            let is_told = summary.cells.iter().any(|row| {
                let reach = place.offset - 7..place.offset + 8;
                match entry.images[row.0.index()] {
                    Image::At(at) => at.object == place.object && reach.contains(&at.offset),
                    Image::In(object) => object == place.object,
                    Image::Anything => true,
                    _ => false,
                }
            });
            let now = look.cell(place, 8).filter(|_| self.is_old(place.object, born));
            let is_told = is_told || escaped.contains(&Some(place.object));
            let Some(now) = now.filter(|_| !is_told) else { continue };
            self.counts.untold += 1;
            if now != before {
                let kind = self.births.get(&place.object).map_or("lost", |row| kind(row.1));
                wrong.push(format!("a {kind} word changes that is not told of"));
            }
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

fn kind(birth: Birth) -> &'static str {
    match birth {
        Birth::Static(_) => "static",
        Birth::Function(_) => "function",
        Birth::Heap | Birth::InsteadOf(_) => "heap",
        Birth::Slot(_) | Birth::Alloca | Birth::Arguments => "stack",
    }
}

fn static_name(program: &Program, id: StaticId) -> String {
    let (module, object) = program.object(id);
    object.name.map_or("a static", |name| program.modules[module].names.text(name)).to_string()
}

/// What the summary says that a cell may hold.
fn told<'s>(summary: &'s Summary, entry: &Entry, place: Place) -> Vec<&'s Held> {
    let is_there = |cell: NodeId| match entry.images[cell.index()] {
        Image::At(at) => at == place,
        Image::In(object) => object == place.object,
        Image::Anything => true,
        _ => false,
    };
    summary.cells.iter().filter(|row| is_there(row.0)).map(|row| &row.1).collect()
}

fn judge_number(entry: &Entry, helds: &[&Held], bits: u64, size: usize) -> Verdict {
    let width = u32::try_from(size * 8).unwrap_or(64);
    let image = |node: &NodeId| entry.images[node.index()];
    let is_free = |held: &&&Held| {
        let is_any = held.numbers.is_all() || held.numbers == Numbers::room(width);
        let is_part = size < 8 && !held.nodes.is_empty();
        is_any || is_part || held.nodes.iter().any(|it| matches!(image(it), Image::Anything))
    };
    if helds.iter().any(|held| is_free(&held)) {
        return Verdict::Anything;
    }
    let number = signed(bits, size);
    // What the caller put there stays, be it no address; but NULL is told.
    let is_theirs =
        |held: &Held| bits != 0 && held.nodes.iter().any(|it| matches!(image(it), Image::Nothing));
    let is_inside = helds.iter().any(|held| {
        let unsigned = i64::try_from(bits).ok();
        held.numbers.contains(number)
            || unsigned.is_some_and(|it| held.numbers.contains(it))
            || is_theirs(held)
    });
    if is_inside { Verdict::Inside } else { Verdict::Outside }
}

fn signed(bits: u64, size: usize) -> i64 {
    let unused = 64 - size * 8;
    (bits << unused).cast_signed() >> unused
}

/// The words that arguments lead to, by one step or two.
fn reached(arguments: &[Seen], look: &Look<'_>) -> Vec<(Place, Seen)> {
    let object = |seen: &Seen| match seen {
        Seen::Address(place) => Some(place.object),
        _ => None,
    };
    let first: BTreeSet<u32> = arguments.iter().filter_map(object).collect();
    let mut words: Vec<(Place, Seen)> = first.iter().flat_map(|&it| contents(it, look)).collect();
    let second: BTreeSet<u32> = words.iter().filter_map(|row| object(&row.1)).collect();
    words.extend(second.difference(&first).flat_map(|&it| contents(it, look)));
    words
}

fn contents(object: u32, look: &Look<'_>) -> Vec<(Place, Seen)> {
    let words = look.size(object).unwrap_or(0) / 8;
    let place = |word: u64| Place { object, offset: word.cast_signed() * 8 };
    let all = (0..words.min(MOST_WORDS)).map(place);
    all.filter_map(|place| Some((place, look.cell(place, 8)?))).collect()
}

/// The access path of a cell.
fn path(summary: &Summary, node: NodeId) -> String {
    match summary.nodes[node] {
        Node::Arg(number) => format!("arg{number}"),
        Node::Fresh(number) => format!("fresh{number}"),
        Node::Global => "global".to_string(),
        Node::Static(id) => format!("static{}", id.index()),
        Node::Field(of, offset) => format!("{}+{offset}", path(summary, of)),
        Node::Element(of) => format!("{}[]", path(summary, of)),
        Node::Contents(of) => format!("{}..", path(summary, of)),
        Node::Explore(of) => format!("*({})", path(summary, of)),
    }
}
