//! What code outside can get at: the records and stack objects whose address was handed out.

use caulk_base::FxHashSet;

use crate::heap::{Chain, Item, Reached};
use crate::leaf::leaves;
use crate::space::{AtomKind, Expr, Place, Space};
use crate::state::Evaluator;

impl Evaluator<'_> {
    /// Everything reachable from these values, from what was handed out before, and from memory
    /// that the function did not make.
    pub fn reachable_by_others(&mut self, chain: Chain, values: &[Expr]) -> Vec<Reached> {
        let items = self.heaps.items(chain);
        let all = leaves(&mut self.space, items.iter().map(|item| &**item));
        let mut reached: FxHashSet<Reached> = FxHashSet::default();
        values.iter().for_each(|&value| add(&self.space, value, &mut reached));
        loop {
            let before = reached.len();
            for leaf in &all {
                match &leaf.item {
                    Item::Put { address, value, .. }
                        if is_seen(&self.space, *address, &reached) =>
                    {
                        add(&self.space, *value, &mut reached);
                    }
                    Item::Copy { to, from, .. } if is_seen(&self.space, *to, &reached) => {
                        // What the source holds can be reached through the copy.
                        add(&self.space, *from, &mut reached);
                    }
                    Item::Keep { pointer, .. } => add(&self.space, *pointer, &mut reached),
                    Item::Havoc { reached: earlier, .. } => reached.extend(earlier.iter().copied()),
                    _ => {}
                }
            }
            if reached.len() == before {
                break;
            }
        }
        let mut sorted: Vec<Reached> = reached.into_iter().collect();
        sorted.sort_unstable();
        sorted
    }
}

/// Whether code outside can read what is at an address.
fn is_seen(space: &Space, address: Expr, reached: &FxHashSet<Reached>) -> bool {
    let Some(base) = space.base(address) else { return true };
    match *space.kind(base) {
        AtomKind::Cell { site, .. } => reached.contains(&Reached::Site(site)),
        AtomKind::Place(Place::Variable { .. }) => false,
        AtomKind::Place(place @ (Place::Slot { .. } | Place::Stack { .. })) => {
            reached.contains(&Reached::Place(place))
        }
        AtomKind::Select { yes, no, .. } => {
            is_seen(space, yes, reached) || is_seen(space, no, reached)
        }
        _ => true,
    }
}

fn add(space: &Space, value: Expr, reached: &mut FxHashSet<Reached>) {
    let Some(base) = space.base(value) else { return };
    match *space.kind(base) {
        AtomKind::Cell { site, .. } => {
            reached.insert(Reached::Site(site));
        }
        AtomKind::Place(place @ (Place::Slot { .. } | Place::Stack { .. })) => {
            reached.insert(Reached::Place(place));
        }
        AtomKind::Select { yes, no, .. } => {
            add(space, yes, reached);
            add(space, no, reached);
        }
        _ => {}
    }
}
