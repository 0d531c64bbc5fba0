//! One procedure under analysis: what its parts share.

use std::collections::BTreeMap;
use std::sync::Arc;

use caulk_base::{FxHashMap, FxHashSet, Table};
use caulk_ir::{
    BlockId, Body, Constant, InstId, Module, Scalar, ScopeId, SlotId, ValueId, ValueKind,
};
use caulk_models::Resource;
use caulk_program::{ExternalModels, IndirectTargets, ModuleId, ProcId, Program};
use caulk_ssa::FunctionFacts;

use crate::facts::{Fact, FactId};
use crate::location::{Loc, LocId, Locations};
use crate::numbers::Numbers;
use crate::options::Options;
use crate::schedule::Schedule;
use crate::state::{Background, State};
use crate::value::Value;

/// What all procedures share.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub indirect: &'a IndirectTargets,
    pub schedule: &'a Schedule,
    pub options: &'a Options,
    /// What is owned by the address of its holder, such as locks.
    pub inside: &'a FxHashSet<String>,
}

/// Where an allocation is written, and through which calls it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub proc: ProcId,
    pub at: InstId,
    /// The function that makes it: `malloc`.
    pub by: String,
}

/// What is known of a heap cell besides its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub resource: Resource,
    pub releases: Vec<String>,
    pub origin: Origin,
    /// Cells that a reallocation gave up for it.
    pub replaces: Vec<LocId>,
}

/// What is wrong at an instruction, besides leaks at exits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    FreedAgain {
        first: InstId,
    },
    /// Its site makes another one, and nothing leads to it any more.
    Lost,
}

/// What the result of a call says about some of its allocations: where they are made it is one of
/// these numbers, or an address.
#[derive(Clone, Debug)]
pub struct Tie {
    /// The whole result: what equals it, read back from memory, says the same.
    pub result: Value,
    pub regions: Vec<LocId>,
    pub numbers: Numbers,
    pub is_address: bool,
}

impl Tie {
    /// What is left of a result where the allocations happened.
    pub fn part(&self, value: &Value) -> Value {
        let mut part = value.with_numbers(value.numbers.meet(&self.numbers));
        part.retain_addresses(|_| self.is_address);
        part
    }

    /// What is left where they did not.
    pub fn rest(&self, value: &Value) -> Value {
        let mut rest = value.with_numbers(value.numbers.meet(&self.numbers.outside()));
        rest.retain_addresses(|_| !self.is_address);
        rest
    }

    /// Whether the allocations can have happened.
    pub fn allows(&self, value: &Value) -> bool {
        !self.part(value).is_none()
    }
}

/// Where explore-addresses are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    Inst(InstId),
    Join(BlockId),
}

pub struct Exec<'a> {
    pub context: Context<'a>,
    pub proc: ProcId,
    pub module_id: ModuleId,
    pub module: &'a Module,
    pub body: &'a Body,
    pub facts: &'a FunctionFacts<'a>,
    pub locations: Locations,
    pub global: LocId,
    /// The values of the block that is being executed.
    pub values: FxHashMap<ValueId, Value>,
    pub made: FxHashMap<LocId, Made>,
    pub events: BTreeMap<(InstId, LocId), Event>,
    pub ties: FxHashMap<ValueId, Vec<Tie>>,
    /// States that differ in what became of it are not joined.
    pub focus: Option<LocId>,
    pub told: Table<FactId, Fact>,
    pub told_ids: FxHashMap<Fact, FactId>,
    pub told_of: FxHashMap<ValueId, FactId>,
    /// Calls of procedures whose summaries say something about a heap cell.
    pub used: FxHashMap<LocId, Vec<(InstId, ProcId)>>,
    /// Heap cells that callees put into memory, and did not return.
    pub placed: FxHashSet<LocId>,
    /// What parameters must be where a heap cell is made.
    pub needs: FxHashMap<LocId, Vec<crate::needs::Need>>,
    /// Heap cells that callees make on some paths only, and their results do not tell.
    pub doubtful: FxHashSet<LocId>,
    /// Heap cells that callees put into memory on some paths only.
    pub conditional: FxHashSet<LocId>,
    /// Heap cells in the place of which their calls return memory of others on some paths.
    pub shared: FxHashSet<LocId>,
    /// Where objects were freed last.
    pub freed_at: FxHashMap<LocId, InstId>,
    /// What held a heap cell last.
    pub holders: FxHashMap<LocId, crate::story::Holder>,
    /// External functions that nothing is known of.
    pub unknown: Vec<String>,
    /// Statics written here and below; none once they are too many.
    pub written_statics: Option<FxHashSet<caulk_program::StaticId>>,
    /// Somebody was called who may write any static.
    pub writes_more: bool,
    /// Objects that the call being instantiated leaves in memory.
    pub handed_on: FxHashSet<LocId>,
    /// A list of unnamed arguments is handed to who takes them one by one.
    pub hands_list_on: bool,
    /// Something was done that a summary does not tell in full.
    pub is_rough: bool,
    pub steps: usize,
    /// What one look may take.
    pub most_steps: usize,
    /// What the first look took.
    pub first_steps: usize,
    pub slots_of: FxHashMap<ScopeId, Vec<SlotId>>,
    /// Where each explore-address was made.
    explored: FxHashMap<LocId, Point>,
    /// How many each point made, and the last of them.
    explored_at: FxHashMap<Point, (usize, LocId)>,
    /// Explore-addresses past the bound, by the location they were found at.
    reused: FxHashMap<LocId, LocId>,
    /// Those that stand for more than one.
    pub bounded: FxHashSet<LocId>,
}

impl<'a> Exec<'a> {
    pub fn new(context: Context<'a>, proc: ProcId, facts: &'a FunctionFacts<'a>) -> Self {
        let mut locations = Locations::default();
        let global = locations.intern(Loc::Global);
        let body = facts.body();
        let mut slots_of: FxHashMap<ScopeId, Vec<SlotId>> = FxHashMap::default();
        for (id, slot) in body.slots.iter() {
            if let Some(scope) = slot.scope {
                slots_of.entry(scope).or_default().push(id);
            }
        }
        Self {
            context,
            proc,
            module_id: context.program.procs[proc].module,
            module: context.program.module_of(proc),
            body,
            facts,
            locations,
            global,
            values: FxHashMap::default(),
            made: FxHashMap::default(),
            events: BTreeMap::new(),
            ties: FxHashMap::default(),
            focus: None,
            told: Table::default(),
            told_ids: FxHashMap::default(),
            told_of: FxHashMap::default(),
            used: FxHashMap::default(),
            placed: FxHashSet::default(),
            needs: FxHashMap::default(),
            doubtful: FxHashSet::default(),
            conditional: FxHashSet::default(),
            shared: FxHashSet::default(),
            freed_at: FxHashMap::default(),
            holders: FxHashMap::default(),
            unknown: Vec::new(),
            written_statics: Some(FxHashSet::default()),
            writes_more: false,
            handed_on: FxHashSet::default(),
            hands_list_on: false,
            is_rough: false,
            steps: 0,
            most_steps: context.schedule.asked.steps(proc, &context.options.budget),
            first_steps: 0,
            slots_of,
            explored: FxHashMap::default(),
            explored_at: FxHashMap::default(),
            reused: FxHashMap::default(),
            bounded: FxHashSet::default(),
        }
    }

    pub fn options(&self) -> &'a Options {
        self.context.options
    }

    pub fn is_out_of_budget(&self) -> bool {
        self.steps > self.most_steps || self.locations.len() > self.options().budget.locations
    }

    /// What a parameter points to when the procedure starts.
    pub fn parameter(&mut self, value: ValueId, number: u32) -> Value {
        if self.body.values[value].scalar != Scalar::Ptr {
            return Value::any_number();
        }
        let cell = self.locations.intern(Loc::Arg(number));
        Value::address_or_null(self.locations.intern(Loc::Explore(cell)))
    }

    pub fn value(&mut self, id: ValueId) -> Value {
        if let Some(known) = self.values.get(&id) {
            return known.clone();
        }
        match self.body.values[id].kind {
            ValueKind::Const(constant) => self.constant(constant),
            ValueKind::Param(number) => self.parameter(id, number),
            // Only dead code reads what was not computed.
            _ => Value::any_number(),
        }
    }

    fn constant(&mut self, constant: Constant) -> Value {
        match constant {
            Constant::Int(value) => Value::of_numbers(Numbers::constant(value)),
            Constant::Object(object) => {
                let id = self.context.program.static_of(self.module_id, object);
                Value::address(self.locations.intern(Loc::Static(id)))
            }
            Constant::Function(function) => {
                Value::address(self.locations.intern(Loc::Function(function)))
            }
            Constant::Slot(slot) => Value::address(self.locations.intern(Loc::Slot(slot))),
            Constant::Float(_) | Constant::Wide(_) | Constant::Label(_) | Constant::Undef => {
                Value::any_number()
            }
        }
    }

    /// What nobody wrote to in an object.
    pub fn background(&self, state: &State, object: LocId) -> Background {
        if let Some(&known) = state.background.get(object) {
            return known;
        }
        match self.locations.root(object) {
            Loc::Slot(_) | Loc::Alloca(_) | Loc::Region { .. } => Background::Uninitialised,
            Loc::Global | Loc::Function(_) => Background::Unknown,
            _ => Background::Initial,
        }
    }

    /// What a location holds that nobody wrote to; None for what no defined program reads.
    pub fn unwritten(&mut self, state: &State, cell: LocId, point: Point) -> Option<Value> {
        let is_pointer = self.locations.is_pointer(cell);
        match self.background(state, self.locations.object(cell)) {
            Background::Uninitialised => None,
            Background::Zero => Some(Value::of_numbers(Numbers::ZERO)),
            Background::Initial if is_pointer => {
                Some(Value::address_or_null(self.explore(cell, point)))
            }
            Background::Unknown if is_pointer => Some(Value::new(Numbers::ALL, [self.global])),
            Background::Initial | Background::Unknown => Some(Value::any_number()),
        }
    }

    /// ⟨cell⟩: k-bounded at each program point (P3). The bound counts along an access path: what one
    /// call of a procedure with many members looks at is not a loop.
    fn explore(&mut self, cell: LocId, point: Point) -> LocId {
        if let Some(&known) = self.reused.get(&cell) {
            return known;
        }
        let before = self.locations.len();
        let found = self.locations.intern(Loc::Explore(cell));
        if self.locations.len() == before {
            return found;
        }
        if let Some(last) = self.explored_enough(cell, point) {
            self.reused.insert(cell, last);
            self.bounded.insert(last);
            self.is_rough = true;
            return last;
        }
        self.explored.insert(found, point);
        let row = self.explored_at.entry(point).or_insert((0, found));
        *row = (row.0 + 1, found);
        found
    }

    /// What is used again when a point has made enough of them.
    fn explored_enough(&self, cell: LocId, point: Point) -> Option<LocId> {
        let above = self.explored_above(cell, point);
        if above.len() >= self.options().explore {
            return above.first().copied();
        }
        let &(count, last) = self.explored_at.get(&point)?;
        (count >= self.options().budget.explored).then_some(last)
    }

    /// The explore-addresses of the point on the way to a location, the nearest first.
    fn explored_above(&self, cell: LocId, point: Point) -> Vec<LocId> {
        let mut above = Vec::new();
        let mut object = self.locations.object(cell);
        while let Loc::Explore(of) = self.locations.get(object) {
            if self.explored.get(&object) == Some(&point) {
                above.push(object);
            }
            object = self.locations.object(of);
        }
        above
    }

    /// Whether it stands for several locations at run time.
    pub fn is_summary(&self, state: &State, location: LocId) -> bool {
        let object = self.locations.object(location);
        object == self.global
            || self.locations.is_element(location)
            || self.bounded.contains(&object)
            || state.multiple.contains(object)
    }

    pub fn set(&mut self, at: InstId, value: Value) {
        if let Some(result) = self.body.results[at] {
            let value = self.limited(result, value);
            self.values.insert(result, value);
        }
    }

    /// As much of a value as its type has room for.
    pub fn limited(&self, result: ValueId, mut value: Value) -> Value {
        if let Some(bits) = self.body.values[result].scalar.int_bits() {
            value.numbers = value.numbers.fit(bits);
        }
        value
    }
}

/// A shared summary of a callee, by what is known of it.
pub enum Known {
    Summary(Arc<crate::schedule::Printed>),
    /// Part of the cycle that is being looked at, and not known to return yet.
    NotYet,
    /// Comes later in the order: only a pointer leads to it.
    Later,
}
