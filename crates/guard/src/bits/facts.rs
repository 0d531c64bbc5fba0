//! The contradiction filter for bit-vector conditions (K6, widened from atoms to values).
//!
//! [`Facts`] holds a conjunction of conditions and what follows from them at little cost: which
//! conditions hold, the range of each term, which terms are equal up to a constant, and which are
//! ordered or differ. A disjunction waits until all but one of its parts are refuted. Every
//! conclusion follows from the conditions, so a contradiction is final and a decision is right;
//! what is left open is for the solver. A step looks at each fact once or a few times; relations are
//! looked through for every waiting disjunction and, after an equality, for every relation.
//!
//! After a contradiction everything is decided in some way, and nothing more should be asked.

use super::arithmetic::{mask, signed_range};
use super::classes::{Classes, Moved, Place};
use super::conditions::Conditions;
use super::range::Range;
use super::relation::{Order, Relation};
use super::view::{View, parts};
use super::{Binary, Compare, Parts, Term, TermId, Terms, Unary};

/// How often consequences are sought after one assumption.
const ROUNDS: usize = 3;
/// How many more facts a copy has room for.
const ROOM: usize = 4;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    contradictory: bool,
    pub(super) conditions: Conditions,
    /// Conditions that say nothing of one term or a pair, to be looked at again.
    waiting: Vec<TermId>,
    pub(super) classes: Classes,
    /// By place; all are of terms of more than one bit.
    ranges: Vec<(Place, Range)>,
    pub(super) relations: Vec<Relation>,
    settled: Settled,
}

/// Whether nothing more follows from what is held. It is no fact, and tells no facts apart.
#[derive(Clone, Copy, Debug, Default)]
struct Settled(bool);

impl PartialEq for Settled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Settled {}

/// Facts are copied to add to them: the copy has room for that.
impl Clone for Facts {
    fn clone(&self) -> Self {
        Self {
            contradictory: self.contradictory,
            conditions: Conditions::with_room(&self.conditions, ROOM),
            waiting: self.waiting.clone(),
            classes: self.classes.clone(),
            ranges: with_room(&self.ranges),
            relations: self.relations.clone(),
            settled: self.settled,
        }
    }
}

fn with_room<T: Copy>(rows: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(rows.len() + ROOM);
    copy.extend_from_slice(rows);
    copy
}

impl Facts {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No facts, with room for so many conditions on as many terms.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        let conditions = Conditions::with_room(&[], count);
        Self { conditions, ranges: Vec::with_capacity(count), ..Self::default() }
    }

    /// How many conditions are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// The conditions that were assumed, conjunctions taken apart, in order. A condition that was
    /// found on the way may be among them.
    #[must_use]
    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }

    /// Whether all of these conditions were assumed.
    #[must_use]
    pub fn has_all(&self, conditions: &[TermId]) -> bool {
        conditions.iter().all(|&it| self.conditions.contains(it))
    }

    /// Adds a condition. False if that is a contradiction.
    pub fn assume(&mut self, terms: &mut Terms, condition: TermId) -> bool {
        let mut open = Vec::new();
        let known = self.conditions.len();
        // Where all that follows is known, only what has to do with the condition can follow from it.
        let is_apart = self.settled.0 && self.classes.len() == 0;
        let mut condition = Some(condition);
        let mut touched = if is_apart { Parts::NONE } else { Parts::ALL };
        for _ in 0..ROUNDS {
            let (classes, first) = (self.classes.len(), self.conditions.len());
            if let Some(condition) = condition.take() {
                self.take_first(terms, condition, &mut open);
            }
            self.take_all(terms, &mut open);
            let merged = self.classes.len() > classes;
            let new = self.conditions[first..].iter().map(|&it| terms.parts(it));
            touched = new.fold(if merged { Parts::ALL } else { touched }, Parts::and);
            if self.contradictory || self.settled.0 && self.conditions.len() == known {
                break;
            }
            self.settled.0 = !self.settle(terms, merged, &mut touched, &mut open);
            if self.contradictory || self.settled.0 {
                break;
            }
        }
        self.take_all(terms, &mut open);
        !self.contradictory
    }

    /// Whether to assume a condition would change nothing: it was assumed before, and all that
    /// follows is known.
    #[must_use]
    pub fn is_held(&self, condition: TermId) -> bool {
        self.settled.0 && self.conditions.contains(condition)
    }

    /// Adds a condition on terms that nothing else is known of, so that nothing more follows.
    pub fn note(&mut self, terms: &mut Terms, condition: TermId) {
        self.settled.0 = false;
        let mut open = Vec::new();
        self.take_first(terms, condition, &mut open);
        self.take_all(terms, &mut open);
    }

    /// Whether a condition holds, if the facts tell.
    #[must_use]
    pub fn decide(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        View::new(self, terms).decide(condition)
    }

    /// The value of a term, if it can have but one.
    #[must_use]
    pub fn value(&self, terms: &Terms, id: TermId) -> Option<u64> {
        self.range(terms, id).value()
    }

    /// The values that a term can have.
    #[must_use]
    pub fn range(&self, terms: &Terms, id: TermId) -> Range {
        View::new(self, terms).range(id)
    }

    /// Whether a term that anything is known of is wanted, conditions included.
    #[must_use]
    pub fn any_term(&self, wanted: &impl Fn(TermId) -> bool) -> bool {
        let in_relation = |it: &Relation| wanted(it.left) || wanted(it.right);
        self.conditions.iter().any(|&it| wanted(it))
            || self.waiting.iter().any(|&it| wanted(it))
            || self.relations.iter().any(in_relation)
            || self.ranges.iter().any(|(place, _)| wanted(place.root))
            || self.classes.members().any(|(term, place)| wanted(term) || wanted(place.root))
    }

    /// Drops the facts on terms that are not kept; `keep` is asked of conditions as well as of
    /// what they compare.
    pub fn forget(&mut self, keep: &dyn Fn(TermId) -> bool) {
        self.settled.0 = false;
        self.conditions.retain(keep);
        self.waiting.retain(|&id| keep(id));
        self.relations.retain(|relation| keep(relation.left) && keep(relation.right));
        let moved = self.classes.forget(keep);
        if moved.is_empty() {
            self.ranges.retain(|(place, range)| keep(place.root) && !range.is_full());
            return;
        }
        for (place, range) in std::mem::take(&mut self.ranges) {
            match moved.iter().find(|moved| moved.from == place.root) {
                Some(moved) => self.enter(moved.to.plus(place.offset, moved.width), range),
                None if keep(place.root) => self.enter(place, range),
                None => {}
            }
        }
    }

    /// What both know.
    #[must_use]
    pub fn join(&self, terms: &Terms, other: &Self) -> Self {
        if self.contradictory {
            return other.clone();
        }
        if other.contradictory {
            return self.clone();
        }
        let mut both = Self { classes: self.classes.common(&other.classes), ..Self::default() };
        let shared = both.take_shared(self, other);
        both.take_common(terms, self, other, shared);
        both.take_common(terms, other, self, shared);
        both.take_ranges(self, other);
        both
    }

    /// Takes the conditions that both assumed before they parted, and tells how many they are.
    fn take_shared(&mut self, one: &Self, other: &Self) -> usize {
        let pairs = one.conditions.iter().zip(other.conditions.iter());
        let shared = pairs.take_while(|(left, right)| left == right).count();
        let room = one.conditions.len().min(other.conditions.len()) - shared;
        self.conditions = Conditions::with_room(&one.conditions[..shared], room);
        let waiting = self.conditions.iter().filter(|it| one.waiting.contains(it));
        self.waiting.extend(waiting);
        shared
    }

    /// Takes what is known here and follows there.
    fn take_common(&mut self, terms: &Terms, here: &Self, there: &Self, shared: usize) {
        for &condition in &here.conditions[shared..] {
            if !self.conditions.contains(condition) && there.decide(terms, condition) == Some(true)
            {
                self.conditions.push(condition);
                if here.waiting.contains(&condition) {
                    self.waiting.push(condition);
                }
            }
        }
        for &relation in &here.relations {
            let view = View::new(there, terms);
            if !self.relations.contains(&relation) && view.implies(relation) {
                self.relations.push(relation);
            }
        }
    }

    /// Takes the ranges of terms that both know something of.
    fn take_ranges(&mut self, one: &Self, other: &Self) {
        self.ranges.reserve(one.ranges.len().min(other.ranges.len()));
        if self.classes != one.classes || self.classes != other.classes {
            self.take_common_ranges(&one.ranges, other);
            self.take_common_ranges(&other.ranges, one);
            return;
        }
        // The same terms are one for both: each list has the ranges of a root in the same place.
        let mut rest = other.ranges.as_slice();
        for here in one.ranges.chunk_by(|left, right| left.0.root == right.0.root) {
            let root = here[0].0.root;
            rest = &rest[rest.partition_point(|(place, _)| place.root < root)..];
            let count = rest.iter().take_while(|(place, _)| place.root == root).count();
            match (here, &rest[..count]) {
                (_, []) => {}
                ([left], [right]) if left == right => self.ranges.push(*left),
                (_, there) => {
                    self.take_common_ranges(here, other);
                    self.take_common_ranges(there, one);
                }
            }
        }
    }

    /// Takes what is known here of the range of a term and follows there.
    fn take_common_ranges(&mut self, ranges: &[(Place, Range)], there: &Self) {
        for &(place, range) in ranges {
            let width = range.width();
            let elsewhere = there.classes.base(place.root).plus(place.offset, width);
            if let Some(other) = there.stored(elsewhere, width) {
                let at = self.classes.base(place.root).plus(place.offset, width);
                self.enter(at, range.join(&other));
            }
        }
    }

    /// Takes a condition, of which parts may be left open.
    fn take_first(&mut self, terms: &mut Terms, condition: TermId, open: &mut Vec<TermId>) {
        if !self.take(terms, condition, open) {
            self.contradictory = true;
        }
    }

    fn take_all(&mut self, terms: &mut Terms, open: &mut Vec<TermId>) {
        while let Some(condition) = open.pop() {
            if !self.take(terms, condition, open) {
                self.contradictory = true;
                return;
            }
        }
    }

    /// Records one condition and what it says directly. False if that is a contradiction.
    fn take(&mut self, terms: &mut Terms, condition: TermId, open: &mut Vec<TermId>) -> bool {
        if let Term::Binary(Binary::And, left, right) = *terms.get(condition) {
            open.extend([right, left]);
            return true;
        }
        if self.conditions.contains(condition) {
            return true;
        }
        let decided = self.decide(terms, condition);
        if decided == Some(false) || terms.as_constant(condition).is_some() {
            return decided == Some(true);
        }
        // Made here, it can be found by decisions, which make no terms.
        terms.not(condition);
        self.conditions.push(condition);
        if decided == Some(true) {
            return true;
        }
        match *terms.get(condition) {
            Term::Compare(Compare::Eq, left, right) => self.equate(terms, left, right),
            Term::Compare(operator, left, right) => self.order(terms, operator, left, right),
            Term::Unary(Unary::Not, of) => match *terms.get(of) {
                Term::Compare(Compare::Eq, left, right) => {
                    self.relate(terms, Order::Differ, left, right)
                }
                _ => self.wait(terms, condition, open),
            },
            _ => self.wait(terms, condition, open),
        }
    }

    /// Keeps a condition for later unless it already comes down to another one.
    fn wait(&mut self, terms: &mut Terms, condition: TermId, open: &mut Vec<TermId>) -> bool {
        match self.reduced(terms, condition) {
            Some(TermId::FALSE) => false,
            Some(TermId::TRUE) => true,
            Some(rest) => {
                open.push(rest);
                true
            }
            None => {
                self.waiting.push(condition);
                true
            }
        }
    }

    /// What a waiting condition comes down to, if that is one of its parts or a truth value.
    fn reduced(&self, terms: &mut Terms, condition: TermId) -> Option<TermId> {
        match *terms.get(condition) {
            Term::Binary(Binary::Or, ..) => self.last_part(terms, condition),
            Term::Binary(Binary::Xor, left, right) => self.other_part(terms, left, right, true),
            Term::Unary(Unary::Not, of) => match *terms.get(of) {
                Term::Binary(Binary::Xor, left, right) => {
                    self.other_part(terms, left, right, false)
                }
                _ => None,
            },
            Term::Select { condition, yes, no } => {
                self.decide(terms, condition).map(|truth| if truth { yes } else { no })
            }
            _ => None,
        }
    }

    /// The only part of a disjunction that is not refuted.
    fn last_part(&self, terms: &Terms, disjunction: TermId) -> Option<TermId> {
        let mut last = TermId::FALSE;
        for part in parts(terms, Binary::Or, disjunction) {
            match self.decide(terms, part) {
                Some(true) => return Some(TermId::TRUE),
                Some(false) => {}
                None if last != TermId::FALSE => return None,
                None => last = part,
            }
        }
        Some(last)
    }

    /// What one side of an equality or difference of truth values says of the other.
    fn other_part(
        &self,
        terms: &mut Terms,
        left: TermId,
        right: TermId,
        differ: bool,
    ) -> Option<TermId> {
        let (truth, other) = match (self.decide(terms, left), self.decide(terms, right)) {
            (Some(truth), _) => (truth, right),
            (None, Some(truth)) => (truth, left),
            (None, None) => return None,
        };
        Some(if truth == differ { terms.not(other) } else { other })
    }

    fn equate(&mut self, terms: &Terms, left: TermId, right: TermId) -> bool {
        let Some(both) = self.range(terms, left).meet(&self.range(terms, right)) else {
            return false;
        };
        if terms.as_constant(right).is_none() && !self.unite(terms, left, right) {
            return false;
        }
        self.learn(self.classes.find(terms, left), both)
    }

    /// Makes two terms one. False if they differ.
    fn unite(&mut self, terms: &Terms, left: TermId, right: TermId) -> bool {
        let (left, right) = (self.classes.find(terms, left), self.classes.find(terms, right));
        if left.root == right.root {
            return left.offset == right.offset;
        }
        let moved = self.classes.unite(left, right, terms.width(left.root));
        self.move_ranges(&moved)
    }

    fn move_ranges(&mut self, moved: &Moved) -> bool {
        let at = self.ranges.partition_point(|(place, _)| place.root < moved.from);
        let end = self.ranges.partition_point(|(place, _)| place.root <= moved.from);
        let ranges: Vec<(Place, Range)> = self.ranges.drain(at..end).collect();
        ranges
            .into_iter()
            .all(|(place, range)| self.learn(moved.to.plus(place.offset, moved.width), range))
    }

    fn order(&mut self, terms: &Terms, operator: Compare, left: TermId, right: TermId) -> bool {
        let order = match operator {
            Compare::Eq => return self.equate(terms, left, right),
            Compare::LtU => Order::BelowU,
            Compare::LeU => Order::AtMostU,
            Compare::LtS => Order::BelowS,
            Compare::LeS => Order::AtMostS,
        };
        self.relate(terms, order, left, right)
    }

    /// Records a relation of two terms; one of them may be constant, and then it is a range.
    fn relate(&mut self, terms: &Terms, order: Order, left: TermId, right: TermId) -> bool {
        if let (Order::Differ, Some(value)) = (order, terms.as_constant(right)) {
            return self.exclude(terms, left, value);
        }
        let relation = Relation { order, left, right };
        if terms.as_constant(left).or(terms.as_constant(right)).is_none() {
            self.relations.push(relation);
            let outcomes = View::new(self, terms).outcomes(left, right);
            if outcomes.is_empty() {
                return false;
            }
            if outcomes.are_equal() {
                return self.equate(terms, left, right);
            }
        }
        self.narrow(terms, relation).is_some()
    }

    /// Records that a term does not have a value.
    fn exclude(&mut self, terms: &Terms, id: TermId, value: u64) -> bool {
        if let Term::Symbol { width: 2.., .. } = terms.get(id)
            && let Some(is_possible) =
                self.exclude_alone(self.classes.base(id), terms.width(id), value)
        {
            return is_possible;
        }
        let known = self.range(terms, id);
        match known.without(value) {
            Some(rest) => rest == known || self.learn_of(terms, id, rest),
            None => false,
        }
    }

    /// The same of a place that is the only one of its root of which a range is recorded.
    fn exclude_alone(&mut self, place: Place, width: u8, value: u64) -> Option<bool> {
        let span = self.span(place.root);
        let first = span.start;
        match &mut self.ranges[span] {
            [] => {
                let rest = Range::full(width).without(value)?;
                self.ranges.insert(first, (place, rest));
                Some(true)
            }
            [(at, known)] if at.offset == place.offset => {
                let rest = known.without(value);
                *known = rest.unwrap_or(*known);
                Some(rest.is_some())
            }
            _ => None,
        }
    }

    /// Narrows the ranges on both sides of a relation: whether that changed any, or nothing if it
    /// cannot hold.
    fn narrow(&mut self, terms: &Terms, relation: Relation) -> Option<bool> {
        let Relation { order, left, right } = relation;
        let (low, high) = (self.range(terms, left), self.range(terms, right));
        let (new_low, new_high) = match order {
            Order::Differ => (without(&low, &high)?, without(&high, &low)?),
            Order::BelowU | Order::AtMostU => unsigned_bounds(order, &low, &high)?,
            Order::BelowS | Order::AtMostS => signed_bounds(order, &low, &high)?,
        };
        let changed = (new_low != low, new_high != high);
        let kept = (!changed.0 || self.learn_of(terms, left, new_low))
            && (!changed.1 || self.learn_of(terms, right, new_high));
        kept.then_some(changed.0 || changed.1)
    }

    fn learn_of(&mut self, terms: &Terms, id: TermId, range: Range) -> bool {
        match terms.as_constant(id) {
            Some(value) => range.contains(value),
            None => self.learn(self.classes.find(terms, id), range),
        }
    }

    /// Adds a range to what is known of a place. False if no value is left.
    fn learn(&mut self, place: Place, range: Range) -> bool {
        let span = self.span(place.root);
        let at = span.start;
        match &mut self.ranges[span] {
            [] => {
                let Some(both) = Range::full(range.width()).meet(&range) else { return false };
                if !both.is_full() {
                    self.ranges.insert(at, (place, both));
                }
            }
            [(at, known)] if at.offset == place.offset => {
                let Some(both) = known.meet(&range) else { return false };
                *known = both;
            }
            _ => return self.learn_beside(place, range),
        }
        true
    }

    /// The same where other places of the root have ranges.
    fn learn_beside(&mut self, place: Place, range: Range) -> bool {
        let known = self.stored(place, range.width()).unwrap_or(Range::full(range.width()));
        let Some(both) = known.meet(&range) else {
            return false;
        };
        if both != known {
            self.enter(place, both);
        }
        true
    }

    /// Puts a range in its place, or what it has in common with the one that is there.
    fn enter(&mut self, place: Place, range: Range) {
        match self.ranges.binary_search_by_key(&place, |&(place, _)| place) {
            Ok(index) => {
                let known = &mut self.ranges[index].1;
                *known = known.meet(&range).unwrap_or(range);
            }
            Err(_) if range.is_full() => {}
            Err(index) => self.ranges.insert(index, (place, range)),
        }
    }

    /// What is recorded of a place, by way of any place of the same root.
    pub(super) fn stored(&self, place: Place, width: u8) -> Option<Range> {
        match self.of_root(place.root) {
            [] => None,
            [(at, range)] if at.offset == place.offset => Some(*range),
            ranges => ranges
                .iter()
                .map(|(at, range)| range.shifted(place.minus(at.offset, width).offset))
                .reduce(|one, other| one.meet(&other).unwrap_or(one)),
        }
    }

    /// What is recorded of the places of one root.
    pub(super) fn of_root(&self, root: TermId) -> &[(Place, Range)] {
        &self.ranges[self.span(root)]
    }

    fn span(&self, root: TermId) -> std::ops::Range<usize> {
        let first = self.ranges.partition_point(|(at, _)| at.root < root);
        let count = self.ranges[first..].iter().take_while(|(at, _)| at.root == root).count();
        first..first + count
    }

    /// Looks for consequences of what has changed: true if there may be more. What was touched is
    /// what may have changed, and is added to.
    fn settle(
        &mut self,
        terms: &mut Terms,
        merged: bool,
        touched: &mut Parts,
        open: &mut Vec<TermId>,
    ) -> bool {
        if merged && !self.relations_agree(terms) {
            self.contradictory = true;
            return false;
        }
        let Some(changed) = self.refine(terms, touched) else {
            self.contradictory = true;
            return false;
        };
        let mut index = 0;
        while index < self.waiting.len() {
            let waiting = self.waiting[index];
            if !terms.parts(waiting).meets(*touched) {
                index += 1;
                continue;
            }
            match self.reduced(terms, waiting) {
                Some(rest) => {
                    open.push(rest);
                    self.waiting.swap_remove(index);
                }
                None => index += 1,
            }
        }
        changed || !open.is_empty()
    }

    /// Whether each pair of terms can still compare in some way. Only equalities change that.
    fn relations_agree(&self, terms: &Terms) -> bool {
        let view = View::new(self, terms);
        self.relations
            .iter()
            .all(|relation| !view.outcomes(relation.left, relation.right).is_empty())
    }

    /// Compares what is recorded with what follows from the shapes of terms and from relations:
    /// whether that told more, or nothing if they contradict each other.
    fn refine(&mut self, terms: &Terms, touched: &mut Parts) -> Option<bool> {
        let mut changed = false;
        let mut shapes: Vec<(Place, Range)> = Vec::new();
        let view = View::new(self, terms);
        let has_shape = |term| {
            terms.parts(term).meets(*touched) && !matches!(terms.get(term), Term::Symbol { .. })
        };
        let members = self.classes.members().filter(|&(term, _)| has_shape(term));
        shapes.extend(members.map(|(term, place)| (place, view.shape(term))));
        for &(place, _) in self.ranges.iter().filter(|(place, _)| has_shape(place.root)) {
            shapes.push((place, view.shape(place.root).shifted(place.offset)));
        }
        for (place, shape) in shapes.into_iter().filter(|(_, shape)| !shape.is_full()) {
            let known = self.stored(place, shape.width());
            if !self.learn(place, shape) {
                return None;
            }
            if self.stored(place, shape.width()) != known {
                *touched = touched.and(terms.parts(place.root));
                changed = true;
            }
        }
        for index in 0..self.relations.len() {
            let relation = self.relations[index];
            let parts = terms.parts(relation.left).and(terms.parts(relation.right));
            if parts.meets(*touched) && self.narrow(terms, relation)? {
                *touched = touched.and(parts);
                changed = true;
            }
        }
        Some(changed)
    }
}

/// A range without the only value of another.
fn without(range: &Range, other: &Range) -> Option<Range> {
    other.value().map_or(Some(*range), |value| range.without(value))
}

fn unsigned_bounds(order: Order, low: &Range, high: &Range) -> Option<(Range, Range)> {
    let (gap, width) = (u64::from(order == Order::BelowU), low.width());
    let (most, least) = (high.high().checked_sub(gap)?, low.low().checked_add(gap)?);
    let new_low = match low.high() <= most {
        true => *low,
        false => low.meet(&Range::unsigned(0, most, width)?)?,
    };
    let new_high = match least <= high.low() {
        true => *high,
        false => high.meet(&Range::unsigned(least, mask(width), width)?)?,
    };
    Some((new_low, new_high))
}

fn signed_bounds(order: Order, low: &Range, high: &Range) -> Option<(Range, Range)> {
    let (gap, width) = (i64::from(order == Order::BelowS), low.width());
    let (first, last) = signed_range(width);
    let (most, least) = (high.greatest().checked_sub(gap)?, low.least().checked_add(gap)?);
    let new_low = match low.greatest() <= most {
        true => *low,
        false => low.meet(&Range::signed(first, most, width)?)?,
    };
    let new_high = match least <= high.least() {
        true => *high,
        false => high.meet(&Range::signed(least, last, width)?)?,
    };
    Some((new_low, new_high))
}
