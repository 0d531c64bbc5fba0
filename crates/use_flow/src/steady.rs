//! Memory that a path needs to change where nobody is known to change it.
//!
//! After a call of which nothing is known, all shared memory may be anything (K8). So it may; but a
//! path on which a flag is tested twice and found different, or is not what the path set it to, with
//! nothing but such a call in between, is more likely two paths than one.

use caulk_guard::bits::{Facts, Term, TermId};

use crate::space::{Epoch, Origin, Space};
use crate::state::State;

/// Whether the conditions contradict each other once unknown functions change nothing.
pub fn needs_unseen_change(space: &mut Space, state: &State) -> bool {
    if !space.has_vague_epochs() {
        return false;
    }
    let mut facts = Facts::new();
    state.facts.conditions().iter().any(|&condition| {
        let condition = steady(space, condition);
        !facts.assume(&mut space.terms, condition)
    })
}

/// The value that a term has if unknown functions change nothing.
fn steady(space: &mut Space, term: TermId) -> TermId {
    match space.terms.get(term).clone() {
        Term::Symbol { width, .. } => steady_symbol(space, term, width),
        Term::Constant { .. } | Term::Select { .. } => term,
        Term::Unary(op, of) => {
            let of = steady(space, of);
            space.terms.unary(op, of)
        }
        Term::Binary(op, left, right) => {
            let (left, right) = (steady(space, left), steady(space, right));
            space.terms.binary(op, left, right)
        }
        Term::Compare(op, left, right) => {
            let (left, right) = (steady(space, left), steady(space, right));
            space.terms.compare(op, left, right)
        }
        Term::ExtendU { of, width } => {
            let of = steady(space, of);
            space.terms.extend_u(of, width)
        }
        Term::ExtendS { of, width } => {
            let of = steady(space, of);
            space.terms.extend_s(of, width)
        }
        Term::Truncate { of, width } => {
            let of = steady(space, of);
            space.terms.truncate(of, width)
        }
        Term::Apply { function, arguments, width } => {
            let arguments: Vec<TermId> = arguments.iter().map(|&it| steady(space, it)).collect();
            space.terms.apply(function, &arguments, width)
        }
    }
}

fn steady_symbol(space: &mut Space, symbol: TermId, width: u8) -> TermId {
    let origin = match space.origin(symbol) {
        Some(Origin::Initial { address, epoch, bits }) => {
            if let Some(value) = written(space, address, epoch, width) {
                return steady(space, value);
            }
            let (address, epoch) = (steady(space, address), earliest(space, epoch));
            Origin::Initial { address, epoch, bits }
        }
        Some(Origin::Version(epoch)) => Origin::Version(earliest(space, epoch)),
        _ => return symbol,
    };
    let is_pointer = space.is_pointer(symbol);
    space.symbol(origin, width, is_pointer)
}

/// What the path wrote to an address before unknown functions were called.
fn written(space: &Space, address: TermId, mut epoch: Epoch, width: u8) -> Option<TermId> {
    while let Some(last) = space.before_vague(epoch) {
        if let Some(value) = space.before(address, epoch) {
            return Some(value).filter(|&it| space.terms.width(it) == width);
        }
        epoch = last;
    }
    None
}

fn earliest(space: &Space, epoch: Epoch) -> Epoch {
    space.before_vague(epoch).map_or(epoch, |_| Epoch::Start)
}
