//! Terms that are equal up to a constant: `y = x + 4`.
//!
//! A union-find structure with offsets, kept flat: a few sorted links, each straight to the root of
//! its class, so that a copy is one block of memory.

use caulk_base::FxHashMap;

use super::arithmetic::mask;
use super::{Binary, Term, TermId, Terms};

/// The value `root + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub root: TermId,
    pub offset: u64,
}

impl Place {
    pub fn plus(self, by: u64, width: u8) -> Self {
        Self { offset: self.offset.wrapping_add(by) & mask(width), ..self }
    }

    pub fn minus(self, by: u64, width: u8) -> Self {
        self.plus(by.wrapping_neg(), width)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    term: TermId,
    at: Place,
    width: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Classes {
    /// By term. A root has none.
    links: Vec<Link>,
}

/// What became of the places of one root: the place of the root itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub from: TermId,
    pub to: Place,
    pub width: u8,
}

impl Classes {
    /// The place of a term, of which a constant summand is an offset.
    pub fn find(&self, terms: &Terms, id: TermId) -> Place {
        let (base, offset) = split(terms, id);
        self.base(base).plus(offset, terms.width(id))
    }

    /// The place of a term that is no sum with a constant.
    pub fn base(&self, term: TermId) -> Place {
        match self.links.binary_search_by_key(&term, |link| link.term) {
            Ok(index) => self.links[index].at,
            Err(_) => Place { root: term, offset: 0 },
        }
    }

    /// How many terms are not the root of their class.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// The terms that are not the root of their class, and where they are.
    pub fn members(&self) -> impl Iterator<Item = (TermId, Place)> + '_ {
        self.links.iter().map(|link| (link.term, link.at))
    }

    /// Makes two places of different roots one.
    pub fn unite(&mut self, left: Place, right: Place, width: u8) -> Moved {
        let (keep, lose) = if left.root < right.root { (left, right) } else { (right, left) };
        let to = keep.minus(lose.offset, width);
        for link in self.links.iter_mut().filter(|link| link.at.root == lose.root) {
            link.at = to.plus(link.at.offset, width);
        }
        self.insert(Link { term: lose.root, at: to, width });
        Moved { from: lose.root, to, width }
    }

    /// The equalities that hold here and there.
    pub fn common(&self, other: &Self) -> Self {
        if self.links.is_empty() || other.links.is_empty() {
            return Self::default();
        }
        let mut members: Vec<(TermId, u8)> = Vec::new();
        for link in self.links.iter().chain(&other.links) {
            members.extend([(link.term, link.width), (link.at.root, link.width)]);
        }
        members.sort_unstable();
        members.dedup();
        let mut firsts: FxHashMap<(TermId, TermId, u64), (TermId, u64)> = FxHashMap::default();
        let mut common = Self::default();
        for (term, width) in members {
            let (here, there) = (self.base(term), other.base(term));
            let distance = here.minus(there.offset, width).offset;
            let class = (here.root, there.root, distance);
            let &mut (root, offset) = firsts.entry(class).or_insert((term, here.offset));
            if root != term {
                let at = Place { root, offset: here.minus(offset, width).offset };
                common.links.push(Link { term, at, width });
            }
        }
        common
    }

    /// Drops terms that are not kept, and says where the roots went of which a member is kept.
    pub fn forget(&mut self, keep: &dyn Fn(TermId) -> bool) -> Vec<Moved> {
        let mut moved: Vec<Moved> = Vec::new();
        let links = std::mem::take(&mut self.links);
        for link in links.into_iter().filter(|link| keep(link.term)) {
            if keep(link.at.root) {
                self.links.push(link);
                continue;
            }
            match moved.iter().find(|moved| moved.from == link.at.root) {
                Some(moved) => {
                    let at = moved.to.plus(link.at.offset, link.width);
                    self.links.push(Link { at, ..link });
                }
                None => {
                    let to = Place { root: link.term, offset: 0 };
                    let to = to.minus(link.at.offset, link.width);
                    moved.push(Moved { from: link.at.root, to, width: link.width });
                }
            }
        }
        moved
    }

    fn insert(&mut self, link: Link) {
        if let Err(index) = self.links.binary_search_by_key(&link.term, |link| link.term) {
            self.links.insert(index, link);
        }
    }
}

/// A term as a sum with a constant.
fn split(terms: &Terms, id: TermId) -> (TermId, u64) {
    if let Term::Binary(Binary::Add, front, last) = *terms.get(id)
        && let Some(offset) = terms.as_constant(last)
    {
        return (front, offset);
    }
    (id, 0)
}
