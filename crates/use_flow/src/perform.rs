//! What a case of a callee does, done to the caller's state.

use caulk_guard::bits::TermId;
use caulk_ir::{InstId, Scalar};

use crate::apply::Frame;
use crate::effects::How;
use crate::evaluate::Bound;
use crate::foreign::Numbers;
use crate::nodes::{CaseNodes, Node, NodeId};
use crate::policies::MayFree;
use crate::state::{Certainty, Loss, Refusal, State, Why};
use crate::step::Exec;
use crate::summary::{Case, Expr};

pub struct Plan {
    /// Objects that the callee perhaps released on its way.
    pub sweeps: Vec<TermId>,
    /// None for what a circular list leads back to.
    pub releases: Vec<Option<TermId>>,
    pub keeps: Vec<TermId>,
    pub inferred_keeps: Vec<TermId>,
    pub doubtful_refusals: Vec<TermId>,
    pub keeps_contents: Vec<TermId>,
    pub stores: Vec<(TermId, TermId)>,
    pub copies: Vec<(TermId, TermId, Option<TermId>)>,
    pub fills: Vec<(TermId, TermId, TermId)>,
    pub dirties: Vec<TermId>,
    pub havocs: Vec<TermId>,
    pub result: Option<TermId>,
}

impl Exec<'_> {
    /// All values of a case are those before the call.
    pub fn plan(
        &mut self,
        frame: &Frame,
        (case, nodes): (&Case, &CaseNodes),
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Plan {
        let sweeps = self.swept(frame, (case, nodes), state, bound);
        let releases = each(&nodes.releases, |&it| self.released_by_name(it, frame, state, bound));
        let mut term = |&node: &NodeId| self.evaluate(node, frame, state, bound);
        Plan {
            sweeps,
            releases,
            keeps: each(&nodes.keeps, &mut term),
            inferred_keeps: each(&nodes.inferred_keeps, &mut term),
            doubtful_refusals: each(&nodes.doubtful_refusals, &mut term),
            keeps_contents: each(&nodes.keeps_contents, &mut term),
            stores: each(&nodes.stores, |(to, value)| (term(to), term(value))),
            copies: each(&nodes.copies, |(to, from, bytes)| {
                (term(to), term(from), bytes.as_ref().map(&mut term))
            }),
            fills: each(&nodes.fills, |it| (term(&it.0), term(&it.1), term(&it.2))),
            dirties: each(&nodes.dirties, &mut term),
            havocs: each(&nodes.havocs, &mut term),
            result: nodes.result.as_ref().map(term),
        }
    }

    /// What a callee releases by a name. An object that leads to itself is not what was found in it: the
    /// callee knew a circular list's end where it saw it.
    fn released_by_name(
        &mut self,
        what: NodeId,
        frame: &Frame,
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Option<TermId> {
        let Node::Load { address, width, pointer } = *bound.nodes.get(what) else {
            return Some(self.evaluate(what, frame, state, bound));
        };
        let holder = self.evaluate(address, frame, state, bound);
        let known = bound.known(what);
        let term = known.unwrap_or_else(|| self.evaluate_load(holder, (width, pointer), state));
        let base = |term: TermId| self.space.address(term).map(|place| place.base);
        let leads_back = base(holder).is_some() && base(holder) == base(term);
        (!leads_back).then_some(term)
    }

    /// What the sweeps of a case release. Those along memory of the caller's are its own, too.
    fn swept(
        &mut self,
        frame: &Frame,
        (case, nodes): (&Case, &CaseNodes),
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        for (sweep, &root) in case.sweeps.iter().zip(&nodes.sweeps) {
            let root = self.evaluate(root, frame, state, bound);
            found.extend(state.swept(&self.space, root, &sweep.links, sweep.last));
            if let Some(place) = self.space.address(root)
                && self.space.is_from_caller(place.base)
                && self.space.load_depth(place.base) <= 2
            {
                let (links, last) = (sweep.links.clone(), sweep.last);
                state.note_sweep(crate::state::Sweep { root: place.base, links, last });
            }
        }
        found
    }

    /// Whether it matters on these paths that an allocation failed: since the object was made.
    pub fn notes_failure(&self, state: &State) -> bool {
        state.focus.is_some() || self.focus.is_none()
    }

    pub fn copy_bytes(
        &mut self,
        at: InstId,
        state: &mut State,
        (to, from, bytes): (TermId, TermId, Option<TermId>),
    ) {
        let bytes = bytes.and_then(|bytes| self.space.constant(bytes));
        // `memcpy(&p, where, sizeof p)` moves a pointer, whatever `where` is declared as.
        let is_pointer = bytes == Some(i64::from(self.space.pointer_bits) / 8);
        let members: &[(i64, Scalar)] = if is_pointer { &[(0, Scalar::Ptr)] } else { &[] };
        self.copy(at, state, to, from, bytes, members);
    }

    pub fn perform(
        &mut self,
        frame: &Frame,
        case: &Case,
        plan: Plan,
        expected: bool,
        blind: bool,
        state: &mut State,
    ) {
        let at = frame.at;
        for value in plan.keeps {
            self.keep(at, state, value, false);
        }
        for value in plan.inferred_keeps.into_iter().filter(|_| !expected) {
            self.doubt_reachable(state, value);
            self.keep(at, state, value, true);
        }
        if !expected && plan.doubtful_refusals.iter().any(|&it| self.leads_to(state, it)) {
            state.refused = Some(Refusal { at, why: Why::Untold });
        }
        for value in plan.havocs {
            self.havoc(at, state, value);
        }
        for (to, byte, bytes) in plan.fills {
            self.fill_known(at, state, to, byte, bytes);
        }
        for value in plan.dirties {
            if let Some(place) = self.space.address(value) {
                state.memory.dirty(&mut self.space, place.base);
            }
        }
        for value in plan.keeps_contents {
            if let Some(place) = self.space.address(value) {
                self.keep_contents(at, state, place.base);
                self.note_contents_kept(state, place.base);
            }
        }
        for copy in plan.copies {
            self.copy_bytes(at, state, copy);
        }
        for (number, (release, what)) in case.releases.iter().zip(plan.releases).enumerate() {
            let Some(what) = what else { continue };
            let certainty = if expected { release.when_expected } else { release.certainty };
            let perhaps = certainty == Certainty::Perhaps;
            let left_alone = perhaps && self.context.policies.may_free == MayFree::Keeps;
            if release.inferred && expected || left_alone {
                continue;
            }
            let how = How {
                certainty,
                members: release.members,
                resource: release.resource.clone(),
                numbers: Numbers::one(number),
                depends: !blind || matches!(release.what, Expr::Load { .. }),
            };
            self.release(at, state, what, &how);
        }
        self.sweep(at, state, &plan.sweeps);
        for (store, (to, value)) in case.stores.iter().zip(plan.stores) {
            if let Some(cell) = state.memory.get(&self.space, to).copied().filter(|_| store.may) {
                self.doubt_reachable(state, cell.value);
                self.keep(at, state, cell.value, true);
            }
            self.space.note_left(value, at);
            self.acquire_again(at, state, to, value);
            self.store(at, state, to, value);
        }
        if state.loss.is_some_and(|loss| loss.0 == at)
            && state.focus.is_some_and(|focus| self.is_held_after(state, at, focus))
        {
            // The stores of a call happen at once: it was exchanged, not lost.
            state.loss = None;
        }
        let owed = state.focus.is_some_and(|focus| self.is_owed_by_function(focus));
        if blind && !owed && state.loss == Some((at, Loss::Overwritten)) {
            state.loss = Some((at, Loss::OverwrittenBlindly));
        }
        if case.fails && self.notes_failure(state) && state.failed.is_none() {
            state.failed = Some(at);
        }
        if let Some(result) = self.body.results[at] {
            let scalar = self.body.values[result].scalar;
            let fits = |term: &TermId| self.space.terms.width(*term) == self.space.width(scalar);
            let term = plan.result.filter(fits);
            let term = term.unwrap_or_else(|| self.space.unknown(scalar));
            let term = self.bounded(term, scalar);
            state.values.insert(result, term);
        }
    }
}

/// What is made of each row. Most lists of a case are empty.
#[inline]
fn each<T, U>(rows: &[T], of: impl FnMut(&T) -> U) -> Vec<U> {
    if rows.is_empty() { Vec::new() } else { rows.iter().map(of).collect() }
}
