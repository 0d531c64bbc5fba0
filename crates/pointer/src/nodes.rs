//! Constraint variables: what has a points-to set.
//!
//! Every value that can hold an address has a node: pointers, integers as wide as one, and the
//! constants that are addresses. So has the result of each instance, and the contents of each
//! location. Values that never point anywhere have none.

use caulk_base::{Table, define_id};
use caulk_ir::{Constant, Scalar, Value, ValueId, ValueKind};
use caulk_program::{InstanceId, Instances, ProcId, Program};

use crate::location::LocId;

define_id!(pub(crate) NodeId, "n", "A variable of the constraint system.");

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// The place of a value's node among the nodes of an instance.
    local: Table<ProcId, Table<ValueId, u32>>,
    /// The result of the instance; its values follow.
    first: Table<InstanceId, NodeId>,
    proc: Table<InstanceId, ProcId>,
    contents: Table<LocId, Option<NodeId>>,
    next: NodeId,
    /// Contents that were made since they were last asked for.
    new_contents: Vec<(LocId, NodeId)>,
}

impl Nodes {
    pub(crate) fn new(program: &Program, instances: &Instances) -> Self {
        let (local, counts) = number_values(program);
        let mut next = NodeId(0);
        let mut first = Table::new();
        let mut procs = Table::new();
        for row in instances.rows.rows() {
            first.push(next);
            procs.push(row.proc);
            next.0 += 1 + counts[row.proc];
        }
        Self { local, first, proc: procs, contents: Table::new(), next, new_contents: Vec::new() }
    }

    pub(crate) fn count(&self) -> usize {
        self.next.0 as usize
    }

    pub(crate) fn fresh(&mut self) -> NodeId {
        let node = self.next;
        self.next.0 += 1;
        node
    }

    pub(crate) fn result(&self, instance: InstanceId) -> NodeId {
        self.first[instance]
    }

    pub(crate) fn value(&self, instance: InstanceId, value: ValueId) -> Option<NodeId> {
        match self.local[self.proc[instance]][value] {
            NONE => None,
            local => Some(NodeId(self.first[instance].0 + 1 + local)),
        }
    }

    pub(crate) fn contents(&mut self, loc: LocId) -> NodeId {
        while self.contents.len() <= loc.0 as usize {
            self.contents.push(None);
        }
        if let Some(known) = self.contents[loc] {
            return known;
        }
        let node = self.fresh();
        self.contents[loc] = Some(node);
        self.new_contents.push((loc, node));
        node
    }

    /// The contents that the rules have named since the last time.
    pub(crate) fn take_new_contents(&mut self) -> Vec<(LocId, NodeId)> {
        std::mem::take(&mut self.new_contents)
    }

    pub(crate) fn each_value(&self) -> impl Iterator<Item = (InstanceId, ValueId)> + '_ {
        self.proc.iter().flat_map(|(instance, &proc)| {
            self.local[proc].ids().map(move |value| (instance, value))
        })
    }

    pub(crate) fn known_contents(&self, loc: LocId) -> Option<NodeId> {
        *self.contents.get(loc)?
    }
}

fn number_values(program: &Program) -> (Table<ProcId, Table<ValueId, u32>>, Table<ProcId, u32>) {
    let mut local = Table::new();
    let mut counts = Table::new();
    for proc in program.procs.ids() {
        let pointer_bits = program.module_of(proc).target.pointer_bytes * 8;
        let mut count = 0;
        let number = |value: &Value| {
            if !holds_address(value, pointer_bits) {
                return NONE;
            }
            count += 1;
            count - 1
        };
        local.push(program.body(proc).values.rows().iter().map(number).collect());
        counts.push(count);
    }
    (local, counts)
}

fn holds_address(value: &Value, pointer_bits: u32) -> bool {
    let wide = value.scalar == Scalar::Ptr || value.scalar.int_bits() == Some(pointer_bits);
    let address = match value.kind {
        ValueKind::Const(constant) => {
            matches!(constant, Constant::Object(_) | Constant::Function(_) | Constant::Slot(_))
        }
        _ => true,
    };
    wide && address
}
