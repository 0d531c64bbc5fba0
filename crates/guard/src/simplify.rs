//! Conjunction and disjunction, simplified on the fly (F11).
//!
//! The rules, each with its dual:
//!
//! | conjunction | disjunction |
//! |---|---|
//! | f ∧ true = f, f ∧ false = false | f ∨ false = f, f ∨ true = true |
//! | f ∧ f = f, f ∧ ¬f = false | f ∨ f = f, f ∨ ¬f = true |
//! | f ∧ (f ∨ g) = f | f ∨ (f ∧ g) = f |
//! | (f ∨ g) ∧ (f ∨ ¬g) = f | (f ∧ g) ∨ (f ∧ ¬g) = f |
//! | E₁ ∧ E₂ = E₁ ∩ E₂, for edges of one switch | E₁ ∨ E₂ = E₁ ∪ E₂ |
//! | (f ∨ E₁) ∧ (f ∨ E₂) = f ∨ (E₁ ∩ E₂) | (f ∧ E₁) ∨ (f ∧ E₂) = f ∧ (E₁ ∪ E₂) |
//!
//! Only conjunction is implemented: a disjunction is the negation of the conjunction of the
//! negations. The operands of a conjunction are kept so that no rule applies to two of them; a
//! new operand is compared with each, and what two of them become is an operand to be compared
//! again. Each rule removes a literal, so this ends.
//!
//! Deliberately absent: f ∨ (¬f ∧ g) = f ∨ g. The papers do not use it, and the longer form says
//! which path is meant.

use crate::formula::{Form, Formulas, GuardId};

/// What two operands of a conjunction say together.
enum Relation {
    Apart,
    /// The old operand implies the new one.
    OldSuffices,
    NewSuffices,
    Contradiction,
    Becomes(GuardId),
}

impl Formulas {
    pub fn and(&mut self, left: GuardId, right: GuardId) -> GuardId {
        match (left, right) {
            _ if left == right => return left,
            (GuardId::TOO_LARGE, _) | (_, GuardId::TOO_LARGE) => return GuardId::TOO_LARGE,
            (GuardId::TRUE, other) | (other, GuardId::TRUE) => return other,
            (GuardId::FALSE, _) | (_, GuardId::FALSE) => return GuardId::FALSE,
            _ => {}
        }
        let (left, right) =
            if self.order(left, right).is_lt() { (left, right) } else { (right, left) };
        if let Some(&known) = self.conjunctions.get(&(left, right)) {
            return known;
        }
        let result = self.conjoin(vec![right, left]);
        self.conjunctions.insert((left, right), result);
        result
    }

    pub fn or(&mut self, left: GuardId, right: GuardId) -> GuardId {
        let both_fail = self.and(self.not(left), self.not(right));
        self.not(both_fail)
    }

    pub fn and_all(&mut self, guards: impl IntoIterator<Item = GuardId>) -> GuardId {
        let mut guards: Vec<GuardId> = guards.into_iter().collect();
        if guards.contains(&GuardId::TOO_LARGE) {
            return GuardId::TOO_LARGE;
        }
        guards.reverse();
        self.conjoin(guards)
    }

    pub fn or_all(&mut self, guards: impl IntoIterator<Item = GuardId>) -> GuardId {
        let negated: Vec<GuardId> = guards.into_iter().map(|guard| self.not(guard)).collect();
        let all_fail = self.and_all(negated);
        self.not(all_fail)
    }

    /// The conjunction of `pending`, whose last element comes first.
    fn conjoin(&mut self, mut pending: Vec<GuardId>) -> GuardId {
        let mut operands = Vec::with_capacity(pending.len());
        while let Some(guard) = pending.pop() {
            match self.form(guard) {
                Form::True => {}
                Form::False => return GuardId::FALSE,
                Form::TooLarge => return GuardId::TOO_LARGE,
                Form::And(inner) if operands.is_empty() => operands.extend_from_slice(inner),
                Form::And(inner) => pending.extend(inner.iter().rev()),
                _ => {
                    if !self.place(&mut operands, guard, &mut pending) {
                        return GuardId::FALSE;
                    }
                }
            }
        }
        match operands[..] {
            [] => GuardId::TRUE,
            [only] => only,
            _ if self.has_refuted_operand(&operands) => GuardId::FALSE,
            _ => self.conjunction(operands),
        }
    }

    /// Adds an operand; false if that contradicts another.
    fn place(
        &mut self,
        operands: &mut Vec<GuardId>,
        new: GuardId,
        pending: &mut Vec<GuardId>,
    ) -> bool {
        let mut index = 0;
        while let Some(&old) = operands.get(index) {
            match self.relate(old, new) {
                Relation::Apart => index += 1,
                Relation::OldSuffices => return true,
                Relation::NewSuffices => drop(operands.remove(index)),
                Relation::Contradiction => return false,
                Relation::Becomes(both) => {
                    operands.remove(index);
                    pending.push(both);
                    return true;
                }
            }
        }
        operands.push(new);
        true
    }

    fn relate(&mut self, old: GuardId, new: GuardId) -> Relation {
        if old == new {
            return Relation::OldSuffices;
        }
        if old == self.not(new) {
            return Relation::Contradiction;
        }
        if !self.may_overlap(old, new) {
            return Relation::Apart;
        }
        match (self.form(old), self.form(new)) {
            (Form::Or(_), _) | (_, Form::Or(_)) => self.relate_disjuncts(old, new),
            _ => self.meet(old, new).map_or(Relation::Apart, Relation::Becomes),
        }
    }

    /// Both as disjunctions: what they share, and what only one has, decides.
    fn relate_disjuncts(&mut self, old: GuardId, new: GuardId) -> Relation {
        let Some(split) = self.split(old, new) else { return Relation::Apart };
        if self.each_implies_one(&split.old, &split.new) {
            return Relation::OldSuffices;
        }
        if self.each_implies_one(&split.new, &split.old) {
            return Relation::NewSuffices;
        }
        if split.shared.is_empty() {
            return Relation::Apart;
        }
        let Some(rest) = self.meet_rests(&split) else { return Relation::Apart };
        let mut shared = split.shared;
        shared.push(rest);
        Relation::Becomes(self.or_all(shared))
    }

    /// The conjunction of what only one side has, if a rule makes it a literal or false.
    fn meet_rests(&mut self, split: &Split) -> Option<GuardId> {
        match (&split.old[..], &split.new[..]) {
            (&[old], &[new]) if old == self.not(new) => Some(GuardId::FALSE),
            (&[old], &[new]) => self.meet(old, new),
            (&[one], many) | (many, &[one]) if self.disjuncts(&self.not(one)) == many => {
                Some(GuardId::FALSE)
            }
            _ => None,
        }
    }

    /// The conjunction of two sets of edges of one switch.
    fn meet(&mut self, left: GuardId, right: GuardId) -> Option<GuardId> {
        match (self.form(left), self.form(right)) {
            (Form::OneOf(switch, mine), Form::OneOf(other, theirs)) if switch == other => {
                let edges = mine.intersection(theirs);
                Some(self.one_of(switch, edges))
            }
            _ => None,
        }
    }

    fn each_implies_one(&self, these: &[GuardId], those: &[GuardId]) -> bool {
        these.iter().all(|&this| those.iter().any(|&that| self.is_smaller_set(this, that)))
    }

    fn is_smaller_set(&self, left: GuardId, right: GuardId) -> bool {
        match (self.form(left), self.form(right)) {
            (Form::OneOf(switch, mine), Form::OneOf(other, theirs)) => {
                switch == other && mine.is_subset(theirs)
            }
            _ => false,
        }
    }

    /// Whether the other operands refute each disjunct of one: g ∧ h ∧ (¬g ∨ ¬h).
    fn has_refuted_operand(&self, operands: &[GuardId]) -> bool {
        let refuted = |disjunct: &GuardId| operands.contains(&self.not(*disjunct));
        operands.iter().any(|&operand| match self.form(operand) {
            Form::Or(disjuncts) => disjuncts.iter().all(refuted),
            _ => false,
        })
    }

    fn disjuncts<'a>(&'a self, guard: &'a GuardId) -> &'a [GuardId] {
        match self.form(*guard) {
            Form::Or(disjuncts) => disjuncts,
            _ => std::slice::from_ref(guard),
        }
    }

    /// Nothing if no rule can apply: each side has several disjuncts that the other lacks, and
    /// among them one that is no set of edges.
    fn split(&self, old: GuardId, new: GuardId) -> Option<Split> {
        let mut split = Split::default();
        let (mut olds, mut news) = (self.disjuncts(&old), self.disjuncts(&new));
        // Both are sorted by `order`.
        loop {
            match (olds, news) {
                (&[old, ref more_olds @ ..], &[new, ref more_news @ ..]) if old == new => {
                    split.shared.push(old);
                    (olds, news) = (more_olds, more_news);
                }
                (&[old, ref more @ ..], rest)
                    if rest.first().is_none_or(|&new| self.order(old, new).is_lt()) =>
                {
                    split.old.push(old);
                    split.plain_old |= !self.is_set(old);
                    olds = more;
                }
                (_, &[new, ref more @ ..]) => {
                    split.new.push(new);
                    split.plain_new |= !self.is_set(new);
                    news = more;
                }
                _ => return Some(split),
            }
            if split.is_hopeless() {
                return None;
            }
        }
    }

    fn is_set(&self, guard: GuardId) -> bool {
        matches!(self.form(guard), Form::OneOf(..))
    }
}

/// The disjuncts of two operands.
#[derive(Default)]
struct Split {
    shared: Vec<GuardId>,
    /// In the old operand only.
    old: Vec<GuardId>,
    /// In the new operand only.
    new: Vec<GuardId>,
    /// Whether `old` has more than sets of edges.
    plain_old: bool,
    plain_new: bool,
}

impl Split {
    fn is_hopeless(&self) -> bool {
        self.plain_old && self.plain_new && self.old.len() > 1 && self.new.len() > 1
    }
}
