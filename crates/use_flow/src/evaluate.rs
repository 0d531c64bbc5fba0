//! The expressions of a summary, in the caller's terms.

use caulk_base::FxHashMap;
use caulk_guard::bits::{Binary, Compare, TermId};
use caulk_ir::Scalar;

use crate::apply::Frame;
use crate::nodes::{Node, NodeId, Nodes};
use crate::space::{Origin, Space};
use crate::state::State;
use crate::step::Exec;
use crate::summary::Written;

/// What expressions stand for at a call.
pub struct Bound<'s> {
    pub nodes: &'s Nodes,
    /// The values that are the same in all cases, as far as they were asked for.
    common: Vec<Option<TermId>>,
    /// The statics that the callee writes and the caller knows of, and how many were looked at.
    pub written: Vec<TermId>,
    statics: usize,
    /// Of the case.
    pub fresh: Vec<TermId>,
    unknown: FxHashMap<u32, TermId>,
}

impl<'s> Bound<'s> {
    pub fn new(nodes: &'s Nodes) -> Self {
        let (fresh, unknown) = (Vec::new(), FxHashMap::default());
        let common = vec![None; nodes.len()];
        Self { nodes, common, written: Vec::new(), statics: 0, fresh, unknown }
    }

    /// A value that was asked for before and is the same in all cases.
    pub fn known(&self, id: NodeId) -> Option<TermId> {
        self.common[id.0 as usize]
    }

    /// Notes which of the statics that came up since the last time the callee writes.
    pub fn note_written(&mut self, space: &Space, written: &Written) {
        let more = &space.statics()[self.statics..];
        self.statics += more.len();
        self.written.extend(more.iter().filter(|it| written.contains(it.0)).map(|it| it.1));
    }

    /// Another case begins.
    pub fn start_case(&mut self) {
        self.fresh.clear();
        self.unknown.clear();
    }
}

impl Exec<'_> {
    /// Values of a case are those before the call: memory must be as it was then.
    pub fn evaluate(
        &mut self,
        id: NodeId,
        frame: &Frame,
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> TermId {
        if let Some(known) = bound.known(id) {
            return known;
        }
        let before = self.space.serial();
        let term = self.evaluate_node(id, frame, state, bound);
        // What nothing is known of is something else at each place.
        if bound.nodes.is_common(id) && self.space.serial() == before {
            bound.common[id.0 as usize] = Some(term);
        }
        term
    }

    fn evaluate_node(
        &mut self,
        id: NodeId,
        frame: &Frame,
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> TermId {
        let nodes = bound.nodes;
        match nodes.get(id) {
            Node::Constant { value, width } => self.space.terms.constant(*value, *width),
            Node::Param(u32::MAX) => frame.into.unwrap_or_else(|| self.space.unknown(Scalar::Ptr)),
            Node::Param(number) => match frame.arguments.get(*number as usize) {
                Some(&term) => term,
                None => self.space.unknown(Scalar::Ptr),
            },
            Node::Static(id) => {
                let bits = self.space.pointer_bits;
                self.space.symbol(Origin::Static(*id), bits, true)
            }
            Node::Proc(proc) => {
                self.space.symbol(Origin::Proc(*proc), self.space.pointer_bits, true)
            }
            Node::Load { address, width, pointer } => {
                let address = self.evaluate(*address, frame, state, bound);
                self.evaluate_load(address, (*width, *pointer), state)
            }
            Node::Fresh(number) => match bound.fresh.get(*number as usize) {
                Some(&term) => term,
                None => self.space.unknown(Scalar::Ptr),
            },
            Node::Unknown { number, width, pointer } => {
                if let Some(&term) = bound.unknown.get(number) {
                    return term;
                }
                let term = self.space.unknown_of(*width, *pointer);
                bound.unknown.insert(*number, term);
                term
            }
            Node::OneOf { choices, width } => {
                let terms: Vec<TermId> =
                    choices.iter().map(|&it| self.evaluate(it, frame, state, bound)).collect();
                self.space.one_of(&terms, *width)
            }
            Node::Unary(op, of) => {
                let of = self.evaluate(*of, frame, state, bound);
                if self.space.terms.width(of) == 1 {
                    return self.space.terms.not(of);
                }
                self.space.terms.unary(*op, of)
            }
            Node::Binary(op, left, right) => {
                let left = self.evaluate(*left, frame, state, bound);
                if let (Binary::Add, Node::Constant { value, width }) = (op, nodes.get(*right))
                    && self.space.terms.width(left) == *width
                {
                    return self.space.offset(left, *value as i64);
                }
                let right = self.evaluate(*right, frame, state, bound);
                let right = self.fit(right, self.space.terms.width(left));
                self.space.terms.binary(*op, left, right)
            }
            Node::Compare(op, left, right) => {
                let left = self.evaluate(*left, frame, state, bound);
                let right = self.evaluate(*right, frame, state, bound);
                let right = self.fit(right, self.space.terms.width(left));
                match op {
                    Compare::Eq => self.equal(state, left, right),
                    _ => self.space.terms.compare(*op, left, right),
                }
            }
            Node::ExtendU(of, width) => {
                let of = self.evaluate(*of, frame, state, bound);
                if self.space.terms.width(of) >= *width {
                    self.fit(of, *width)
                } else {
                    self.space.terms.extend_u(of, *width)
                }
            }
            Node::ExtendS(of, width) => {
                let of = self.evaluate(*of, frame, state, bound);
                if self.space.terms.width(of) >= *width {
                    self.fit(of, *width)
                } else {
                    self.space.terms.extend_s(of, *width)
                }
            }
            Node::Truncate(of, width) => {
                let of = self.evaluate(*of, frame, state, bound);
                self.fit(of, *width)
            }
            Node::Select([condition, yes, no]) => {
                let condition = self.evaluate(*condition, frame, state, bound);
                match state.facts.decide(&self.space.terms, condition) {
                    Some(true) => self.evaluate(*yes, frame, state, bound),
                    Some(false) => self.evaluate(*no, frame, state, bound),
                    None => {
                        let yes = self.evaluate(*yes, frame, state, bound);
                        let no = self.evaluate(*no, frame, state, bound);
                        let no = self.fit(no, self.space.terms.width(yes));
                        self.space.choice(condition, [yes, no])
                    }
                }
            }
            Node::Apply { function, arguments, width, reads } => {
                let mut terms: Vec<TermId> =
                    arguments.iter().map(|&it| self.evaluate(it, frame, state, bound)).collect();
                for term in terms.clone().into_iter().filter(|_| *reads) {
                    if let Some(place) = self.space.address(term) {
                        let version = state.memory.version(&self.space, place.base);
                        terms.extend(
                            version.map(|it| self.space.symbol(Origin::Version(it), 64, false)),
                        );
                        // Texts are what is read, mostly.
                        let bytes = state.memory.of(place.base).iter().filter(|it| it.bytes == 1);
                        terms.extend(bytes.flat_map(|it| [it.address, it.value]));
                    }
                }
                self.space.terms.apply(*function, &terms, *width)
            }
        }
    }

    /// What is at an address of the caller's, as the callee reads it: so wide, and perhaps a pointer.
    pub fn evaluate_load(
        &mut self,
        address: TermId,
        (width, pointer): (u8, bool),
        state: &mut State,
    ) -> TermId {
        let term = self.load(state, address, scalar_of(width, pointer));
        self.fit(term, width)
    }

    /// Callers may pass other widths than a callee declares.
    fn fit(&mut self, term: TermId, width: u8) -> TermId {
        match self.space.terms.width(term) {
            own if own < width => self.space.terms.extend_u(term, width),
            own if own > width => self.space.terms.truncate(term, width),
            _ => term,
        }
    }
}

fn scalar_of(width: u8, pointer: bool) -> Scalar {
    if pointer {
        return Scalar::Ptr;
    }
    Scalar::int(u32::from(width)).unwrap_or(Scalar::I64)
}
