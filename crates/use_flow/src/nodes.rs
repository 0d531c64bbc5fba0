//! The expressions of a summary, each different one once: a call evaluates it once, whatever the number
//! of places and cases that it stands in.

use std::sync::OnceLock;

use caulk_base::{FxHashMap, Table, define_id};
use caulk_guard::bits::{Binary, Compare, Unary};
use caulk_models::Resource;
use caulk_program::{ProcId, StaticId};

use crate::summary::{Case, Expr, Summary};

define_id!(pub NodeId, "e", "An expression of one summary.");

/// An [`Expr`] whose parts are named by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Constant { value: u64, width: u8 },
    Param(u32),
    Static(StaticId),
    Proc(ProcId),
    Load { address: NodeId, width: u8, pointer: bool },
    Fresh(u32),
    Unknown { number: u32, width: u8, pointer: bool },
    OneOf { choices: Box<[NodeId]>, width: u8 },
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    Compare(Compare, NodeId, NodeId),
    ExtendU(NodeId, u8),
    ExtendS(NodeId, u8),
    Truncate(NodeId, u8),
    Select([NodeId; 3]),
    Apply { function: u32, arguments: Box<[NodeId]>, width: u8, reads: bool },
}

#[derive(Debug, Default)]
pub struct Nodes {
    rows: Table<NodeId, Row>,
    ids: FxHashMap<Node, NodeId>,
}

#[derive(Debug)]
struct Row {
    node: Node,
    /// Arguments and memory before the call alone decide its value: it is the same in all cases.
    common: bool,
}

impl Nodes {
    pub fn get(&self, id: NodeId) -> &Node {
        &self.rows[id].node
    }

    /// Whether the value is the same in all cases of a call.
    pub fn is_common(&self, id: NodeId) -> bool {
        self.rows[id].common
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    fn add(&mut self, expr: &Expr) -> NodeId {
        let node = match expr {
            &Expr::Constant { value, width } => Node::Constant { value, width },
            &Expr::Param(number) => Node::Param(number),
            &Expr::Static(id) => Node::Static(id),
            &Expr::Proc(id) => Node::Proc(id),
            Expr::Load { address, width, pointer } => {
                Node::Load { address: self.add(address), width: *width, pointer: *pointer }
            }
            &Expr::Fresh(number) => Node::Fresh(number),
            &Expr::Unknown { number, width, pointer } => Node::Unknown { number, width, pointer },
            Expr::OneOf { choices, width } => {
                Node::OneOf { choices: self.add_all(choices).into(), width: *width }
            }
            Expr::Unary(op, of) => Node::Unary(*op, self.add(of)),
            Expr::Binary(op, left, right) => Node::Binary(*op, self.add(left), self.add(right)),
            Expr::Compare(op, left, right) => Node::Compare(*op, self.add(left), self.add(right)),
            Expr::ExtendU(of, width) => Node::ExtendU(self.add(of), *width),
            Expr::ExtendS(of, width) => Node::ExtendS(self.add(of), *width),
            Expr::Truncate(of, width) => Node::Truncate(self.add(of), *width),
            Expr::Select(of) => Node::Select(of.each_ref().map(|it| self.add(it))),
            Expr::Apply { function, arguments, width, reads } => Node::Apply {
                function: *function,
                arguments: self.add_all(arguments).into(),
                width: *width,
                reads: *reads,
            },
        };
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let common = self.is_made_of_common(&node);
        let id = self.rows.push(Row { node: node.clone(), common });
        self.ids.insert(node, id);
        id
    }

    fn add_all(&mut self, exprs: &[Expr]) -> Vec<NodeId> {
        exprs.iter().map(|expr| self.add(expr)).collect()
    }

    fn is_made_of_common(&self, node: &Node) -> bool {
        let all = |ids: &[NodeId]| ids.iter().all(|&id| self.rows[id].common);
        match node {
            Node::Constant { .. } | Node::Param(_) | Node::Static(_) | Node::Proc(_) => true,
            // Equality depends on what became of objects, too, and that on the case.
            Node::Fresh(_) | Node::Unknown { .. } | Node::Compare(Compare::Eq, ..) => false,
            Node::Load { address: of, .. }
            | Node::Unary(_, of)
            | Node::ExtendU(of, _)
            | Node::ExtendS(of, _)
            | Node::Truncate(of, _) => all(&[*of]),
            Node::Binary(_, left, right) | Node::Compare(_, left, right) => all(&[*left, *right]),
            Node::Select(of) => all(of),
            Node::OneOf { choices: of, .. } | Node::Apply { arguments: of, .. } => all(of),
        }
    }
}

/// A condition of a case.
#[derive(Debug)]
pub struct Condition {
    pub node: NodeId,
    /// It speaks of nothing but arguments and memory before the call.
    pub of_before: bool,
    /// What it says to be zero.
    pub nothing: Option<NodeId>,
}

/// The values of a case, by number, in the order of its lists.
#[derive(Debug)]
pub struct CaseNodes {
    pub conditions: Vec<Condition>,
    /// A condition looks at memory.
    pub reads_memory: bool,
    /// The places of what is made in the list of the summary.
    pub places: Vec<u16>,
    pub sweeps: Vec<NodeId>,
    pub releases: Vec<NodeId>,
    pub keeps: Vec<NodeId>,
    pub inferred_keeps: Vec<NodeId>,
    pub doubtful_refusals: Vec<NodeId>,
    pub keeps_contents: Vec<NodeId>,
    pub stores: Vec<(NodeId, NodeId)>,
    pub copies: Vec<(NodeId, NodeId, Option<NodeId>)>,
    pub fills: Vec<(NodeId, NodeId, NodeId)>,
    pub dirties: Vec<NodeId>,
    pub havocs: Vec<NodeId>,
    pub uses_found: Vec<NodeId>,
    pub result: Option<NodeId>,
}

impl CaseNodes {
    fn new(nodes: &mut Nodes, case: &Case, makes: &[(Resource, u16)]) -> Self {
        let conditions = case.conditions.iter().map(|it| Condition {
            node: nodes.add(it),
            of_before: it.is_of_before(),
            nothing: it.equal_to_zero().map(|of| nodes.add(of)),
        });
        let conditions = conditions.collect();
        let mut one = |expr: &Expr| nodes.add(expr);
        Self {
            conditions,
            reads_memory: case.conditions.iter().any(Expr::reads_memory),
            places: case.places(makes),
            sweeps: case.sweeps.iter().map(|it| one(&it.root)).collect(),
            releases: case.releases.iter().map(|it| one(&it.what)).collect(),
            keeps: case.keeps.iter().map(&mut one).collect(),
            inferred_keeps: case.inferred_keeps.iter().map(&mut one).collect(),
            doubtful_refusals: case.doubtful_refusals.iter().map(&mut one).collect(),
            keeps_contents: case.keeps_contents.iter().map(&mut one).collect(),
            stores: case.stores.iter().map(|it| (one(&it.to), one(&it.value))).collect(),
            copies: case
                .copies
                .iter()
                .map(|(to, from, bytes)| (one(to), one(from), bytes.as_ref().map(&mut one)))
                .collect(),
            fills: case.fills.iter().map(|it| (one(&it.0), one(&it.1), one(&it.2))).collect(),
            dirties: case.dirties.iter().map(&mut one).collect(),
            havocs: case.havocs.iter().map(&mut one).collect(),
            uses_found: case.uses_found.iter().map(&mut one).collect(),
            result: case.result.as_ref().map(one),
        }
    }
}

/// A summary as calls use it.
#[derive(Debug)]
pub struct Numbered {
    pub nodes: Nodes,
    pub cases: Vec<CaseNodes>,
    /// No case makes, takes or hands on an object.
    pub plain: bool,
}

impl Numbered {
    fn new(cases: &[Case], makes: &[(Resource, u16)]) -> Self {
        let mut nodes = Nodes::default();
        let plain = cases.iter().all(Case::is_plain);
        let cases = cases.iter().map(|case| CaseNodes::new(&mut nodes, case, makes)).collect();
        Self { nodes, cases, plain }
    }
}

/// Made from a summary when the first call uses it. It says nothing of its own, and so tells no
/// summaries apart; who copies a summary may want to change it.
#[derive(Debug, Default)]
pub struct Lazily(OnceLock<Box<Numbered>>);

impl Clone for Lazily {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Lazily {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lazily {}

impl Summary {
    pub fn numbered(&self) -> &Numbered {
        self.numbers.0.get_or_init(|| Box::new(Numbered::new(&self.cases, &self.makes())))
    }
}
