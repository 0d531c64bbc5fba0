//! What a summary allows, in the memory at the beginning of one call.

use caulk_base::{FxHashMap, Id};
use caulk_interp::{Birth, Place};
use caulk_summary::{Held, Node, NodeId, Numbers, Summary};

use crate::exits::images::Image;

/// When each object was born, and as what.
pub type Births = FxHashMap<u32, (u64, Birth)>;

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Anything,
    Inside,
    Outside,
}

impl Verdict {
    fn of(is_inside: bool) -> Self {
        if is_inside { Verdict::Inside } else { Verdict::Outside }
    }
}

pub struct Judge<'e> {
    pub images: &'e [Image],
    pub births: &'e Births,
    /// How many objects had been born before the call.
    pub born: u64,
}

impl Judge<'_> {
    /// It was there before the call, and is not a new one of the same number.
    pub fn is_old(&self, object: u32) -> bool {
        self.births.get(&object).is_some_and(|birth| birth.0 < self.born)
    }

    pub fn is_made(&self, object: u32) -> bool {
        matches!(self.births.get(&object), Some((at, Birth::Heap)) if *at >= self.born)
    }

    pub fn address(&self, helds: &[&Held], address: Place) -> Verdict {
        let nodes = || helds.iter().flat_map(|held| &held.nodes);
        let has = |is: &dyn Fn(&Image) -> bool| nodes().any(|it| is(&self.images[it.index()]));
        let is_bare = helds.iter().any(|held| held.nodes.is_empty() && held.numbers.is_all());
        if is_bare || has(&|image| matches!(image, Image::Anything)) {
            return Verdict::Anything;
        }
        if self.is_made(address.object) {
            return Verdict::of(has(&|it| matches!(it, Image::Fresh)));
        }
        if !self.is_old(address.object) {
            // What dies with the call is nothing that a summary can name.
            return Verdict::Anything;
        }
        Verdict::of(has(&|it| match it {
            Image::At(place) => *place == address,
            Image::In(object) => *object == address.object,
            _ => false,
        }))
    }

    pub fn number(&self, helds: &[&Held], bits: u64, size: usize) -> Verdict {
        let width = u32::try_from(size * 8).unwrap_or(64);
        let image = |node: &NodeId| self.images[node.index()];
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
        let is_theirs = |held: &Held| {
            bits != 0 && held.nodes.iter().any(|it| matches!(image(it), Image::Nothing))
        };
        Verdict::of(helds.iter().any(|held| {
            let unsigned = i64::try_from(bits).ok();
            held.numbers.contains(number)
                || unsigned.is_some_and(|it| held.numbers.contains(it))
                || is_theirs(held)
        }))
    }

    /// What the summary says that a cell of the caller may hold.
    pub fn told<'s>(&self, summary: &'s Summary, place: Place) -> Vec<&'s Held> {
        let is_there = |cell: NodeId| match self.images[cell.index()] {
            Image::At(at) => at == place,
            Image::In(object) => object == place.object,
            Image::Anything => true,
            _ => false,
        };
        summary.cells.iter().filter(|row| is_there(row.0)).map(|row| &row.1).collect()
    }

    pub fn describe(&self, address: Place) -> String {
        match self.births.get(&address.object) {
            Some(&(at, birth)) if at >= self.born => format!("a new {} address", kind(birth)),
            Some(&(_, birth)) => format!("an old {} address + {}", kind(birth), address.offset),
            None => "something".to_string(),
        }
    }
}

pub fn kind(birth: Birth) -> &'static str {
    match birth {
        Birth::Static(_) => "static",
        Birth::Function(_) => "function",
        Birth::Heap | Birth::InsteadOf(_) => "heap",
        Birth::Slot(_) | Birth::Alloca | Birth::Arguments => "stack",
    }
}

pub fn signed(bits: u64, size: usize) -> i64 {
    let unused = 64 - size * 8;
    (bits << unused).cast_signed() >> unused
}

/// The access path of a cell.
pub fn path(summary: &Summary, node: NodeId) -> String {
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
