//! Calls: whom they reach, and their summaries instantiated with the memory at the call (P5).

use caulk_base::FxHashSet;
use caulk_ir::{CallId, Callee, InstId, Scalar, Type, TypeId};
use caulk_program::{Binding, ExternalId, ProcId, StaticId};

use crate::exec::{Event, Exec, Known, Made, Point, Tie};
use crate::fills::Extent;
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::{Background, State};
use crate::summary::{Fresh, Held, Node, NodeId, Status, Summary};
use crate::value::Value;

/// Whom a call may enter.
enum Target {
    Proc(ProcId),
    External(ExternalId),
    Unknown,
}

/// A call in the caller's terms.
pub struct Site {
    pub at: InstId,
    pub call: CallId,
    pub arguments: Vec<Value>,
    pub into: Option<Value>,
    /// The first number for what this callee makes.
    pub index: u16,
}

impl Exec<'_> {
    /// False when no callee comes back.
    pub fn call(&mut self, at: InstId, id: CallId, state: &mut State) -> bool {
        let call = &self.body.calls[id];
        let arguments = call.args.iter().map(|argument| self.value(argument.value)).collect();
        let into = call.result_into.map(|into| self.value(into));
        let mut site = Site { at, call: id, arguments, into, index: 0 };
        self.forget_tie(at);
        let targets = self.targets(id);
        let value = match &targets[..] {
            [only] => self.enter(only, &mut site, state),
            _ => self.enter_some(&targets, &mut site, state),
        };
        let Some(value) = value else { return false };
        let unknown = self.body.results[at].map(|it| self.body.values[it].scalar == Scalar::Ptr);
        if let Some(is_pointer) = unknown {
            let value = value.unwrap_or_else(|| self.outside(is_pointer));
            self.set(at, value);
        }
        true
    }

    /// As `enter`, of several callees.
    fn enter_some(
        &mut self,
        targets: &[Target],
        site: &mut Site,
        state: &mut State,
    ) -> Option<Option<Value>> {
        let before = state.clone();
        let mut ways: Vec<(State, Option<Value>)> = Vec::new();
        for target in targets {
            let mut one = before.clone();
            if let Some(result) = self.enter(target, site, &mut one) {
                ways.push((one, result));
            }
        }
        let mut rest = ways.iter();
        let (first, value) = rest.next()?;
        let (mut all, mut value) = (first.clone(), value.clone());
        for (one, result) in rest {
            self.join(&mut all, one, Point::Inst(site.at));
            match (&mut value, result) {
                (Some(value), Some(result)) => value.join(result),
                (value, _) => *value = None,
            }
        }
        if ways.len() > 1 {
            self.settle(site.at, &before, &ways, &mut all);
        }
        *state = all;
        Some(value)
    }

    /// Of several callees: what one releases is released, as Arg2Free is united over paths, and
    /// what only some make is not followed.
    fn settle(
        &mut self,
        at: InstId,
        before: &State,
        ways: &[(State, Option<Value>)],
        all: &mut State,
    ) {
        if !self.options().some_path_escapes {
            return;
        }
        let is_new = |it: &LocId| self.made_at(*it) == at;
        let makes = |way: &(State, Option<Value>)| way.0.allocated.iter().any(|it| is_new(&it));
        let made: Vec<LocId> = all.allocated.iter().filter(is_new).collect();
        let old: Vec<LocId> = before.allocated.iter().filter(|it| !is_new(it)).collect();
        let is_gone = |it: &LocId| ways.iter().any(|way| !way.0.allocated.contains(*it));
        for object in old.into_iter().filter(is_gone) {
            all.allocated.remove(object);
        }
        if !ways.iter().all(makes) {
            self.give_away(all, &Value::new(Numbers::NONE, made));
        }
    }

    fn forget_tie(&mut self, at: InstId) {
        if let Some(result) = self.body.results[at] {
            self.ties.remove(&result);
        }
    }

    fn targets(&mut self, id: CallId) -> Vec<Target> {
        let functions: Vec<caulk_ir::FunctionId> = match self.body.calls[id].callee {
            Callee::Function(function) => vec![function],
            Callee::Pointer(value) => {
                let value = self.value(value);
                let function = |it: &LocId| match self.locations.get(*it) {
                    Loc::Function(function) => Some(function),
                    _ => None,
                };
                value.addresses().iter().filter_map(function).collect()
            }
        };
        let mut targets = Vec::new();
        for function in functions {
            match self.context.program.binding(self.module_id, function) {
                Binding::Procs(procs) => targets.extend(procs.iter().map(|&it| Target::Proc(it))),
                Binding::External(external) => targets.push(Target::External(*external)),
            }
        }
        if targets.is_empty() {
            let indirect = self.context.indirect;
            let procs = indirect.procs.get(&(self.proc, id)).into_iter().flatten();
            targets.extend(procs.map(|&it| Target::Proc(it)));
            let externals = indirect.externals.get(&(self.proc, id)).into_iter().flatten();
            targets.extend(externals.map(|&it| Target::External(it)));
        }
        if targets.is_empty() {
            targets.push(Target::Unknown);
        }
        targets
    }

    /// The result, or that the call does not come back. A result of which nothing is known is
    /// `Some(None)`.
    fn enter(
        &mut self,
        target: &Target,
        site: &mut Site,
        state: &mut State,
    ) -> Option<Option<Value>> {
        match *target {
            Target::Proc(proc) => match self.context.schedule.get(proc, self.proc) {
                Known::Summary(summary) if summary.coarse => {
                    self.hands_list_on |= !self.is_variadic(proc);
                    Some(self.unknown_call(site, summary.written.as_deref(), state))
                }
                Known::Summary(summary) => self.instantiate(proc, &summary, site, state),
                Known::NotYet => None,
                Known::Later => Some(self.unknown_call(site, None, state)),
            },
            Target::External(id) => self.external(id, site, state),
            Target::Unknown => Some(self.unknown_call(site, Some(&[]), state)),
        }
    }

    /// Nobody knows what it does: it keeps what its arguments lead to, and may write statics, those
    /// that are told or any.
    pub fn unknown_call(
        &mut self,
        site: &Site,
        written: Option<&[StaticId]>,
        state: &mut State,
    ) -> Option<Value> {
        self.is_rough |= !site.arguments.iter().all(|value| value.addresses().is_empty());
        let has_function = self.hands_function(site);
        for (number, value) in site.arguments.iter().enumerate() {
            if has_function || !self.is_plain_constant(site.call, number) {
                self.give_away(state, value);
                self.scramble(state, value);
            }
        }
        if let Some(into) = &site.into {
            self.scramble(state, into);
        }
        self.forget_statics(state, written, true);
        None
    }

    /// Who gets a function beside an object, such as the one that releases it, keeps the object.
    pub fn hands_function(&self, site: &Site) -> bool {
        let types = &self.module.types.types;
        let is_function = |&it: &LocId| matches!(self.locations.get(it), Loc::Function(_));
        let is_pointer_to_one = |ty: TypeId| match types[ty] {
            Type::Pointer { to, .. } => matches!(types[to], Type::Function(_)),
            _ => false,
        };
        let rows = &self.body.calls[site.call].args;
        site.arguments.iter().zip(rows).any(|(value, row)| {
            let is_null = value.addresses().is_empty() && value.numbers == Numbers::ZERO;
            value.addresses().iter().any(is_function) || is_pointer_to_one(row.ty) && !is_null
        })
    }

    fn instantiate(
        &mut self,
        callee: ProcId,
        summary: &Summary,
        site: &mut Site,
        state: &mut State,
    ) -> Option<Option<Value>> {
        if !summary.returns {
            return None;
        }
        self.steps += summary.nodes.len();
        self.is_rough |= summary.is_rough;
        self.hands_list_on |= summary.takes_more && !self.is_variadic(callee);
        self.note_use(callee, site);
        let (images, fresh) = self.images(callee, summary, site, state);
        if self.is_out_of_budget() {
            return None;
        }
        let value_of = |held: &Held| image_of(summary, &images, held);
        let stores: Vec<(Value, Value)> = summary
            .cells
            .iter()
            .map(|(cell, held)| (images[cell.0 as usize].clone(), value_of(held)))
            .filter(|row| !row.1.is_none())
            .collect();
        let result = summary.result.as_ref().map(value_of);
        let mut freed = Vec::new();
        for &(node, certain) in &summary.frees {
            self.free_through(site.at, state, &images[node.0 as usize], certain, &mut freed);
        }
        let given = self.given_away((callee, summary), &images, site);
        self.give_away(state, &given);
        let unnamed = self.unnamed_statics(summary);
        self.forget_statics(state, unnamed.as_deref(), summary.writes_more);
        // What the callee frees is what was there before it made something.
        self.handed_on = handed_on(summary, &images, &self.locations);
        let regions = self.make_all((callee, summary), &images, &fresh, site, state);
        self.handed_on.clear();
        if self.options().null_means_failed {
            self.drop_unplaced(state, &regions, &stores, result.as_ref());
        }
        let filled = self.filled(state, &stores);
        for (to, value) in stores {
            if !to.addresses().is_empty() && !self.is_out_of_budget() {
                self.store(state, &to, &value, Point::Inst(site.at));
            }
        }
        let is_returned = |region: &LocId| {
            result.iter().any(|value| value.addresses().iter().any(|it| it == region))
        };
        self.placed.extend(regions.iter().filter(|region| !is_returned(region)));
        self.note_doubts(summary, &fresh, &filled, result.as_ref());
        self.tie(summary, site, &fresh, result.as_ref());
        Some(result)
    }

    /// All that the callee keeps, or gets without a name. A parameter that is a number is not
    /// followed: an address in it is kept.
    fn given_away(
        &self,
        (callee, summary): (ProcId, &Summary),
        images: &[Value],
        site: &Site,
    ) -> Value {
        let escaping = summary.escapes.iter().map(|node| &images[node.0 as usize]);
        let body = self.context.program.body(callee);
        let is_kept = |number: usize| match body.params.get(number) {
            Some(&parameter) => body.values[parameter].scalar != Scalar::Ptr,
            None => summary.takes_more,
        };
        let arguments = site.arguments.iter().enumerate().filter(|row| is_kept(row.0));
        let all = escaping.chain(arguments.map(|row| row.1));
        Value::new(Numbers::NONE, all.flat_map(Value::addresses).copied())
    }

    /// What goes where NULL was: who has no room yet makes it.
    fn filled(&self, state: &State, stores: &[(Value, Value)]) -> FxHashSet<LocId> {
        let was_null = |&cell: &LocId| match state.memory.get(cell) {
            Some(held) => held.addresses().is_empty() && held.numbers == Numbers::ZERO,
            None => self.background(state, self.locations.object(cell)) == Background::Zero,
        };
        let into_null = stores.iter().filter(|row| row.0.addresses().iter().any(was_null));
        into_null.flat_map(|row| row.1.addresses().iter().copied()).collect()
    }

    /// Which cells may not be there, or not the caller's to release.
    fn note_doubts(
        &mut self,
        summary: &Summary,
        fresh: &[(LocId, u32)],
        filled: &FxHashSet<LocId>,
        result: Option<&Value>,
    ) {
        let is_fresh = |it: &LocId| fresh.iter().any(|row| row.0 == *it);
        let is_one_of_many = |region: LocId| {
            result.is_some_and(|value| {
                value.addresses().contains(&region) && !value.addresses().iter().all(is_fresh)
            })
        };
        for &(region, number) in fresh {
            let row = &summary.fresh[number as usize];
            let is_placed = self.placed.contains(&region);
            let is_needed = summary.result.is_none() && filled.contains(&region);
            if is_placed && row.is_doubtful && !is_needed {
                self.doubtful.insert(region);
            }
            if is_placed && row.status.is_some() {
                self.conditional.insert(region);
            }
            if row.moved_from.is_empty() && is_one_of_many(region) {
                self.shared.insert(region);
            }
        }
    }

    /// What the callee would put where the caller has no memory, as with an out-parameter that is
    /// NULL, is not made.
    fn drop_unplaced(
        &mut self,
        state: &mut State,
        regions: &[LocId],
        stores: &[(Value, Value)],
        result: Option<&Value>,
    ) {
        let mut placed: Vec<LocId> = Vec::new();
        let is_fresh = |it: &LocId| regions.contains(it);
        let mut pending: Vec<&Value> = result.into_iter().collect();
        let is_outside =
            |to: &Value| to.addresses().iter().any(|&it| !is_fresh(&self.locations.object(it)));
        pending.extend(stores.iter().filter(|row| is_outside(&row.0)).map(|row| &row.1));
        while let Some(value) = pending.pop() {
            for object in value.addresses().iter().map(|&it| self.locations.object(it)) {
                if !is_fresh(&object) || placed.contains(&object) {
                    continue;
                }
                placed.push(object);
                let is_inside = |to: &Value| {
                    to.addresses().iter().any(|&it| self.locations.object(it) == object)
                };
                pending.extend(stores.iter().filter(|row| is_inside(&row.0)).map(|row| &row.1));
            }
        }
        for &region in regions.iter().filter(|region| !placed.contains(region)) {
            state.allocated.remove(region);
        }
    }

    fn is_variadic(&self, callee: ProcId) -> bool {
        let program = self.context.program;
        let signature = program.function(callee).signature;
        program.module_of(callee).types.signatures[signature].variadic
    }

    /// What a callee frees on some path only is no double free; what it frees by two paths is.
    fn free_through(
        &mut self,
        at: InstId,
        state: &mut State,
        value: &Value,
        certain: bool,
        freed: &mut Vec<LocId>,
    ) {
        if certain {
            self.free(at, state, value);
            if let [only] = value.addresses()[..]
                && !self.is_summary(state, only)
            {
                let object = self.locations.object(only);
                if freed.contains(&object) {
                    self.events.insert((at, object), Event::FreedAgain { first: at });
                }
                freed.push(object);
            }
            return;
        }
        let always = state.freed_always.clone();
        self.free(at, state, value);
        let ended: Vec<LocId> =
            value.addresses().iter().map(|&it| self.locations.object(it)).collect();
        for object in ended {
            self.events.remove(&(at, object));
        }
        state.freed_always = always;
    }

    fn note_use(&mut self, callee: ProcId, site: &Site) {
        for value in &site.arguments {
            for &address in value.addresses() {
                let object = self.locations.object(address);
                if matches!(self.locations.get(object), Loc::Region { .. }) {
                    self.note_one(object, site.at, callee);
                }
            }
        }
    }

    fn note_one(&mut self, object: LocId, at: InstId, callee: ProcId) {
        let used = self.used.entry(object).or_default();
        if !used.contains(&(at, callee)) {
            used.push((at, callee));
        }
    }

    /// What the result says about each fresh cell. Cells that a cycle of calls makes at one site
    /// are not told apart, and nothing is said of them.
    fn tie(
        &mut self,
        summary: &Summary,
        site: &Site,
        fresh: &[(LocId, u32)],
        value: Option<&Value>,
    ) {
        let (Some(result), Some(value)) = (self.body.results[site.at], value) else { return };
        for &(region, number) in fresh {
            let is_shared = fresh.iter().filter(|row| row.0 == region).count() > 1;
            let status = summary.fresh[number as usize].status;
            if let Some(status) = status.filter(|_| !is_shared) {
                let Status { numbers, is_address } = status;
                let regions = vec![region];
                let tie = Tie { result: value.clone(), regions, numbers, is_address };
                self.ties.entry(result).or_default().push(tie);
            }
        }
    }

    /// Ψ: what each node of the summary is in the memory before the call. Nodes come after those
    /// they are found from. Not all of them are there when the budget ends.
    fn images(
        &mut self,
        callee: ProcId,
        summary: &Summary,
        site: &mut Site,
        state: &mut State,
    ) -> (Vec<Value>, Vec<(LocId, u32)>) {
        let in_cycle = self.context.schedule.are_in_cycle(self.proc, callee);
        let first = site.index;
        let mut images: Vec<Value> = Vec::with_capacity(summary.nodes.len());
        let mut regions = Vec::new();
        for (id, node) in summary.nodes.iter() {
            if self.is_out_of_budget() {
                break;
            }
            let image = match *node {
                Node::Arg(_) => Value::none(),
                Node::Explore(of) => self.explored_image(summary, of, &images, site, state),
                Node::Global => Value::address(self.global),
                Node::Static(id) => Value::address(self.locations.intern(Loc::Static(id))),
                Node::Field(of, offset) => images[of.0 as usize]
                    .map_addresses(Numbers::NONE, |it| self.locations.field(it, offset)),
                Node::Contents(of) => images[of.0 as usize]
                    .map_addresses(Numbers::NONE, |it| self.locations.contents(it)),
                Node::Element(of) => images[of.0 as usize]
                    .map_addresses(Numbers::NONE, |it| self.locations.element(it)),
                Node::Fresh(number) if !self.can_be_made(&summary.fresh[number as usize], site) => {
                    Value::none()
                }
                Node::Fresh(number) => {
                    let own = if in_cycle { first_of_origin(summary, number) } else { number };
                    let own = u16::try_from(own).unwrap_or(u16::MAX);
                    let index = first.saturating_add(own);
                    site.index = site.index.max(index.saturating_add(1));
                    let region = self.locations.intern(Loc::Region { at: site.at, index });
                    regions.push((region, number));
                    Value::address(region)
                }
            };
            self.name_members(summary, id, &image);
            images.push(image);
        }
        (images, regions)
    }

    fn name_members(&mut self, summary: &Summary, node: NodeId, image: &Value) {
        if let Some(name) = &summary.names[node] {
            for &address in image.addresses() {
                self.locations.name_member(address, name);
            }
        }
    }

    fn make_all(
        &mut self,
        (callee, summary): (ProcId, &Summary),
        images: &[Value],
        fresh: &[(LocId, u32)],
        site: &Site,
        state: &mut State,
    ) -> Vec<LocId> {
        let at = site.at;
        let mut regions = Vec::new();
        for &(region, number) in fresh {
            if regions.contains(&region) {
                state.multiple.insert(region);
                continue;
            }
            let Loc::Region { index, .. } = self.locations.get(region) else { continue };
            let fresh = &summary.fresh[number as usize];
            let mut old = Value::none();
            fresh.moved_from.iter().for_each(|node| old.join(&images[node.0 as usize]));
            self.note_needs(region, site, &fresh.needs);
            self.make_fresh(callee, fresh, &old, (at, index), state);
            let whole = Extent::ALL;
            self.copy_known(state, &Value::address(region), &old, whole, Point::Inst(at));
            regions.push(region);
        }
        regions
    }

    fn make_fresh(
        &mut self,
        callee: ProcId,
        fresh: &Fresh,
        old: &Value,
        (at, index): (InstId, u16),
        state: &mut State,
    ) {
        let replaces = old.addresses().iter().map(|&it| self.locations.object(it)).collect();
        let made = Made { replaces, ..fresh.made.clone() };
        let region = self.make(at, index, made, fresh.background, state);
        // A callee that fails may have freed the old block all the same.
        state.replaced.insert(region, Value::none());
        if fresh.multiple {
            state.multiple.insert(region);
        }
        self.note_one(region, at, callee);
    }

    fn explored_image(
        &mut self,
        summary: &Summary,
        of: NodeId,
        images: &[Value],
        site: &Site,
        state: &mut State,
    ) -> Value {
        if let Node::Arg(number) = summary.nodes[of] {
            let value = match number {
                u32::MAX => site.into.clone(),
                number => site.arguments.get(number as usize).cloned(),
            };
            return value.unwrap_or_else(Value::none);
        }
        let from = &images[of.0 as usize];
        if from.addresses().is_empty() {
            return Value::none();
        }
        self.load(state, from, true, Point::Inst(site.at))
    }

    /// A heap cell of a call of an external function.
    pub fn make_external(
        &mut self,
        site: &mut Site,
        made: Made,
        background: Background,
        state: &mut State,
    ) -> LocId {
        let index = site.index;
        site.index = site.index.saturating_add(1);
        let region = self.make(site.at, index, made, background, state);
        self.note_needs(region, site, &[]);
        region
    }
}

/// The objects of the caller that are in its memory or in the result after the call.
fn handed_on(
    summary: &Summary,
    images: &[Value],
    locations: &crate::location::Locations,
) -> FxHashSet<LocId> {
    let held = summary.cells.iter().map(|row| &row.1).chain(&summary.result);
    let nodes = held.flat_map(|held| &held.nodes);
    let old = nodes.filter(|node| !matches!(summary.nodes[**node], Node::Fresh(_)));
    let addresses = old.flat_map(|node| images[node.0 as usize].addresses());
    addresses.map(|&address| locations.object(address)).collect()
}

/// What comes around a cycle of calls is one cell for each place that makes it.
fn first_of_origin(summary: &Summary, number: u32) -> u32 {
    let own = &summary.fresh[number as usize].made.origin;
    let first = summary.fresh.iter().position(|other| other.made.origin == *own);
    first.and_then(|first| u32::try_from(first).ok()).unwrap_or(number)
}

/// A value of the callee in the caller's terms. Where it is what the caller put there, it is NULL
/// only if the caller's is.
fn image_of(summary: &Summary, images: &[Value], held: &Held) -> Value {
    let mut value = Value::of_numbers(held.numbers);
    let mut theirs = Numbers::NONE;
    let mut all_explored = !held.nodes.is_empty();
    for &node in &held.nodes {
        let image = &images[node.0 as usize];
        theirs = theirs.join(&image.numbers);
        all_explored &= matches!(summary.nodes[node], Node::Explore(_));
        value.add_addresses(image);
    }
    if all_explored && held.numbers == Numbers::ZERO {
        value.numbers = theirs;
    } else if all_explored && held.numbers.is_none() {
        value.numbers = theirs.without(0);
    }
    value
}
