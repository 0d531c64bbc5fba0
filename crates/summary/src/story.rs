//! Leaks as people read them: the allocation, the decisions after it, the exit, and the summaries
//! that were used.

use caulk_base::SpanId;
use caulk_finding::{Confidence, Finding, Harm, Kind, Location, Replay, Role, Site, Step};
use caulk_ir::{
    BlockId, Callee, CompareOp, Constant, Inst, InstId, Module, Scalar, Terminator, ValueId, VarId,
};
use caulk_program::{Binding, Entries, EntryReason, ProcId};

use crate::exec::Exec;
use crate::leaks::{Fault, Leak};
use crate::location::{Loc, LocId};
use crate::summary::Summary;

/// What held a heap cell last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Var(VarId),
    Cell(LocId),
}

/// Decisions that a story tells; the last ones matter.
const MOST_DECISIONS: usize = 6;
const MOST_SUMMARIES: usize = 4;

impl Exec<'_> {
    pub fn tell(&self, entries: &Entries, leaks: &[Leak]) -> Vec<Finding> {
        leaks.iter().filter_map(|leak| Story { exec: self, leak }.finding(entries)).collect()
    }

    /// Instructions of callees that the stories lead to.
    pub fn origins(&self, leaks: &[Leak]) -> Vec<(ProcId, InstId)> {
        let origins = leaks.iter().filter_map(|leak| Some(&self.made.get(&leak.object)?.origin));
        let others = origins.filter(|origin| origin.proc != self.proc);
        others.map(|origin| (origin.proc, origin.at)).collect()
    }

    /// What became of every heap cell made here that is asked about, for people who ask why.
    pub fn sites(&self, leaks: &[Leak]) -> Vec<Site> {
        let mut regions: Vec<LocId> = self.made.keys().copied().collect();
        let asked = &self.context.schedule.asked;
        regions.retain(|&region| !asked.is_settled(self.proc, self.made_at(region)));
        regions.sort_unstable();
        let one = |region: LocId| {
            let at = self.made_at(region);
            let reported = leaks.iter().any(|leak| leak.object == region);
            Some(Site {
                location: self.location(self.body.inst_spans[at])?,
                function: self.function_name().to_string(),
                callee: self.callee(at),
                class: if reported { "reported" } else { "released or kept" },
                story: self.summaries_used(region),
            })
        };
        regions.into_iter().filter_map(one).collect()
    }

    fn location(&self, span: SpanId) -> Option<Location> {
        location_in(self.module, span)
    }

    fn function_name(&self) -> &str {
        self.module.function_name(self.context.program.procs[self.proc].function)
    }

    fn callee(&self, at: InstId) -> String {
        let Inst::Call(id) = self.body.insts[at] else { return String::new() };
        match self.body.calls[id].callee {
            Callee::Function(function) => self.module.function_name(function).to_string(),
            Callee::Pointer(_) => "a function pointer".to_string(),
        }
    }

    /// What the procedures that had to do with the cell do, each once.
    fn summaries_used(&self, object: LocId) -> Vec<String> {
        let used = self.used.get(&object).map_or(&[][..], Vec::as_slice);
        let mut texts: Vec<String> =
            used.iter().filter_map(|&(_, proc)| self.summary_text(proc)).collect();
        texts.dedup();
        texts.truncate(MOST_SUMMARIES);
        texts
    }

    fn summary_text(&self, proc: ProcId) -> Option<String> {
        let tell = |summary: &Summary| summary.categories().in_words().join("; ");
        let does = self.context.schedule.text(proc, tell);
        let name = &self.context.program.procs[proc].name;
        (!does.is_empty()).then(|| format!("`{name}` {does}"))
    }

    /// A location as C spells it.
    pub fn path_text(&self, id: LocId) -> String {
        match self.locations.get(id) {
            Loc::Arg(number) => self.parameter_name(number),
            Loc::Slot(slot) => self.variable(self.body.slots[slot].var),
            Loc::Static(id) => {
                let (module, object) = self.context.program.object(id);
                let names = &self.context.program.modules[module].names;
                object.name.map_or("a literal", |name| names.text(name)).to_string()
            }
            Loc::Explore(cell) => format!("*{}", self.cell_text(cell)),
            Loc::Field(of, offset) => match self.member_name(id) {
                Some(name) => self.member_text(of, &name),
                None => self.member_text(of, &format!("{offset:+}")),
            },
            Loc::Element(of) => format!("{}[]", self.cell_text(of)),
            Loc::Contents(of) => self.path_text(of),
            Loc::Region { .. } => self.holder_text(id).unwrap_or_else(|| "memory".to_string()),
            Loc::Alloca(_) | Loc::Global | Loc::Function(_) => "memory".to_string(),
        }
    }

    fn cell_text(&self, cell: LocId) -> String {
        match (self.locations.get(cell), self.member_name(cell)) {
            (Loc::Explore(_) | Loc::Region { .. } | Loc::Slot(_), Some(name)) => {
                self.member_text(cell, &name)
            }
            _ => self.path_text(cell),
        }
    }

    fn member_text(&self, of: LocId, name: &str) -> String {
        match self.locations.get(of) {
            Loc::Explore(cell) => format!("{}->{name}", self.cell_text(cell)),
            Loc::Region { .. } => format!("{}->{name}", self.path_text(of)),
            _ => format!("{}.{name}", self.path_text(of)),
        }
    }

    fn parameter_name(&self, number: u32) -> String {
        let var = self.body.vars.rows().iter().find(|var| var.param == Some(number));
        var.map_or("the result", |var| self.module.names.text(var.name)).to_string()
    }

    fn variable(&self, var: Option<VarId>) -> String {
        var.map_or("a temporary", |var| self.module.names.text(self.body.vars[var].name))
            .to_string()
    }

    fn holder_text(&self, object: LocId) -> Option<String> {
        match *self.holders.get(&object)? {
            Holder::Var(var) => Some(self.variable(Some(var))),
            Holder::Cell(cell) if self.locations.object(cell) == object => None,
            Holder::Cell(cell) => {
                // A cell of another heap cell, whose own holder may be this one.
                let owner = self.locations.object(cell);
                match (self.locations.get(owner), self.holders.get(&owner)) {
                    (Loc::Region { .. }, Some(Holder::Cell(_))) => None,
                    _ => Some(self.cell_text(cell)),
                }
            }
        }
    }
}

fn location_in(module: &Module, span: SpanId) -> Option<Location> {
    Location::of_span(&module.spans.get(span)?, &module.files)
}

struct Story<'s, 'a> {
    exec: &'s Exec<'a>,
    leak: &'s Leak,
}

impl Story<'_, '_> {
    fn finding(&self, entries: &Entries) -> Option<Finding> {
        let exec = self.exec;
        let kind = self.kind(entries);
        let path = self.path(kind)?;
        let primary = path.first()?.location.clone();
        let made = exec.made.get(&self.leak.object);
        let (confidence, reason) = self.confidence(kind);
        Some(Finding {
            kind,
            confidence,
            reason,
            harm: self.harm(entries),
            resource: made.map_or("memory", |made| made.resource.name()).to_string(),
            message: self.message(kind),
            primary,
            path,
            suggestion: None,
            function: exec.function_name().to_string(),
            engine: "sparrow",
            shared_doubt: caulk_finding::Sharing::Nobody,
            fingerprint: String::new(),
            replay: Replay::default(),
        })
    }

    fn is_main(&self, entries: &Entries) -> bool {
        entries.reason(self.exec.proc) == Some(EntryReason::Main)
    }

    fn kind(&self, entries: &Entries) -> Kind {
        match self.leak.fault {
            Fault::FreedAgain { .. } => Kind::DoubleFree,
            Fault::Overwritten => Kind::Overwritten,
            Fault::AtExit(_) if self.leak.freed_owner.is_some() => Kind::LostWithOwner,
            Fault::AtExit(_) if self.is_main(entries) => Kind::AtExit,
            Fault::AtExit(_) if self.leak.other_failure.is_some() => Kind::SecondFailure,
            Fault::AtExit(_) if self.leak.freed_somewhere || self.leak.kept_somewhere => {
                Kind::SomePath
            }
            Fault::AtExit(_) => Kind::NeverFreed,
        }
    }

    fn harm(&self, entries: &Entries) -> Harm {
        let exec = self.exec;
        let at = match self.leak.fault {
            Fault::FreedAgain { again, .. } => again,
            _ => exec.made_at(self.leak.object),
        };
        let block = exec.facts.block_of(at);
        if exec.facts.cfg().loops().depth(block) > 0 {
            Harm::PerIteration
        } else if self.is_main(entries) {
            Harm::PerProcess
        } else {
            Harm::PerCall
        }
    }

    fn confidence(&self, kind: Kind) -> (Confidence, String) {
        let (confidence, reason) = match kind {
            _ if self.leak.is_open => (Confidence::Low, "too large to look at it again"),
            _ if self.leak.multiple => (Confidence::Low, "one name stands for several objects"),
            _ if self.leak.is_in_array => {
                (Confidence::Low, "one element of the array stands for all that are not the first")
            }
            _ if self.is_often_kept() => {
                (Confidence::Low, "programs often keep such a thing until they end")
            }
            _ if self.exec.doubtful.contains(&self.leak.object) => {
                (Confidence::Low, "a callee makes it on some paths, and its result does not tell")
            }
            _ if self.exec.shared.contains(&self.leak.object) => {
                (Confidence::Low, "the callee returns memory of others on some paths")
            }
            Kind::Overwritten if self.is_part_of_another() => {
                (Confidence::Low, "a callee puts it into a structure")
            }
            Kind::LostWithOwner if self.is_placed_by_callee() => {
                (Confidence::Low, "a callee puts it into a structure")
            }
            Kind::SecondFailure if self.is_moved_at_once() => {
                (Confidence::Low, "it would be reallocated in the call that makes it")
            }
            Kind::LostWithOwner if self.is_owner_freed_roughly() => {
                (Confidence::Low, "a callee releases its holder, perhaps with more than is known")
            }
            _ if self.is_in_memory_of_caller() => {
                (Confidence::Low, "a callee put it into memory of the caller")
            }
            Kind::NeverFreed if self.is_perhaps_elsewhere() => {
                (Confidence::Low, "what held it may be in memory that summaries lost sight of")
            }
            Kind::NeverFreed if !self.is_held_by_variable() => {
                (Confidence::Medium, "it is in memory that summaries may have lost sight of")
            }
            Kind::NeverFreed if self.is_made_in_a_loop() => {
                (Confidence::Medium, "the turns of a loop are judged together")
            }
            Kind::NeverFreed => (Confidence::High, "no path releases it or hands it on"),
            Kind::DoubleFree if !self.is_made_here() => {
                (Confidence::Low, "two access paths of the caller are taken to be different")
            }
            Kind::SecondFailure => (Confidence::Medium, "only when another allocation fails"),
            _ => (Confidence::Medium, "paths that meet are judged together"),
        };
        (confidence, reason.to_string())
    }

    /// A library that stays loaded and a timer that stays set are seldom an oversight.
    fn is_often_kept(&self) -> bool {
        let made = self.exec.made.get(&self.leak.object);
        made.is_some_and(|made| matches!(made.resource.name(), "dynamic-library" | "timer"))
    }

    /// The holder went with a call whose summary does not tell all.
    fn is_owner_freed_roughly(&self) -> bool {
        let exec = self.exec;
        let at = self.leak.freed_owner.and_then(|owner| exec.freed_at.get(&owner));
        let Some(Inst::Call(id)) = at.map(|&at| exec.body.insts[at]) else { return false };
        match exec.body.calls[id].callee {
            Callee::Function(function) => {
                let binding = exec.context.program.binding(exec.module_id, function);
                let Binding::Procs(procs) = binding else { return false };
                let is_rough = |&proc: &ProcId| {
                    exec.context.schedule.of(proc).is_none_or(|summary| summary.is_rough)
                };
                procs.iter().any(is_rough)
            }
            Callee::Pointer(_) => true,
        }
    }

    /// A callee put it where a parameter leads, and it went from there.
    fn is_in_memory_of_caller(&self) -> bool {
        let exec = self.exec;
        let holder = exec.holders.get(&self.leak.object);
        let is_theirs =
            matches!(holder, Some(&Holder::Cell(cell)) if exec.locations.is_from_caller(cell));
        is_theirs && exec.placed.contains(&self.leak.object)
    }

    /// A callee put it into what holds it, on some paths.
    fn is_placed_by_callee(&self) -> bool {
        self.exec.conditional.contains(&self.leak.object) && !self.is_held_by_variable()
    }

    /// It came from a callee, and not as its result.
    fn is_part_of_another(&self) -> bool {
        let exec = self.exec;
        let made = exec.made.get(&self.leak.object);
        let is_from_callee = made.is_some_and(|made| made.origin.proc != exec.proc);
        let holder = exec.holders.get(&self.leak.object);
        is_from_callee && !matches!(holder, Some(Holder::Var(_)))
    }

    fn is_made_in_a_loop(&self) -> bool {
        let block = self.exec.facts.block_of(self.exec.made_at(self.leak.object));
        self.exec.facts.cfg().loops().depth(block) > 0
    }

    fn is_held_by_variable(&self) -> bool {
        matches!(self.exec.holders.get(&self.leak.object), Some(Holder::Var(_)))
    }

    /// A part of another object holds it, which others may lead to.
    fn is_perhaps_elsewhere(&self) -> bool {
        let exec = self.exec;
        let Some(&Holder::Cell(cell)) = exec.holders.get(&self.leak.object) else { return false };
        !matches!(exec.locations.get(exec.locations.object(cell)), Loc::Slot(_) | Loc::Alloca(_))
    }

    /// Memory of the caller holds it, and the failure is that of its own reallocation: it would
    /// have to be too small as soon as it is made.
    fn is_moved_at_once(&self) -> bool {
        let exec = self.exec;
        let holder = exec.holders.get(&self.leak.object);
        let is_theirs =
            matches!(holder, Some(&Holder::Cell(cell)) if exec.locations.is_from_caller(cell));
        let replaces = |at: InstId| {
            let mut rows = exec.made.iter();
            rows.any(|row| exec.made_at(*row.0) == at && row.1.replaces.contains(&self.leak.object))
        };
        is_theirs && self.leak.other_failure.is_some_and(replaces)
    }

    fn is_made_here(&self) -> bool {
        matches!(self.exec.locations.get(self.leak.object), Loc::Region { .. })
    }

    fn message(&self, kind: Kind) -> String {
        let exec = self.exec;
        let object = self.leak.object;
        let made = exec.made.get(&object);
        let what = match made {
            Some(made) => {
                format!("{} from `{}`", made.resource.name(), exec.callee(exec.made_at(object)))
            }
            None => format!("`{}`", exec.path_text(object)),
        };
        let held = exec.holder_text(object).map(|it| format!(", held by `{it}`,"));
        let held = held.unwrap_or_default();
        match kind {
            Kind::DoubleFree => format!("{what}{held} is released twice"),
            Kind::Overwritten => format!("{what}{held} is lost when the next one is made"),
            Kind::LostWithOwner => format!("{what}{held} is lost when its holder is released"),
            Kind::SecondFailure => format!("{what}{held} is lost when another allocation fails"),
            Kind::AtExit => format!("{what}{held} is still there when the process ends"),
            _ => format!("{what}{held} is lost"),
        }
    }

    fn path(&self, kind: Kind) -> Option<Vec<Step>> {
        let exec = self.exec;
        let mut path = Vec::new();
        if let Some(made) = exec.made.get(&self.leak.object) {
            let at = exec.made_at(self.leak.object);
            let message = format!("{} from `{}`", made.resource.name(), exec.callee(at));
            path.push(self.step(Role::Allocation, exec.body.inst_spans[at], message)?);
            path.extend(self.origin(&made.origin));
        }
        match self.leak.fault {
            Fault::AtExit(block) => {
                path.extend(self.decisions(block));
                let span = exec.body.blocks[block].terminator_span;
                let message = match kind {
                    Kind::LostWithOwner => "its holder was released, and nothing else leads to it",
                    _ => "lost: the function returns without it",
                };
                path.push(self.step(Role::Loss, span, message.to_string())?);
            }
            Fault::Overwritten => {
                let span = exec.body.inst_spans[exec.made_at(self.leak.object)];
                path.push(self.step(Role::Loss, span, "lost: made again".to_string())?);
            }
            Fault::FreedAgain { first, again } => {
                let (first, again) = (exec.body.inst_spans[first], exec.body.inst_spans[again]);
                path.push(self.step(Role::Release, first, "released here".to_string())?);
                path.push(self.step(Role::Loss, again, "released again".to_string())?);
            }
        }
        Some(path)
    }

    fn step(&self, role: Role, span: SpanId, message: String) -> Option<Step> {
        Some(Step { role, location: self.exec.location(span)?, message })
    }

    /// Where a callee made it.
    fn origin(&self, origin: &crate::exec::Origin) -> Option<Step> {
        let program = self.exec.context.program;
        if origin.proc == self.exec.proc {
            return None;
        }
        let module = program.module_of(origin.proc);
        let span = program.body(origin.proc).inst_spans[origin.at];
        let name = &program.procs[origin.proc].name;
        let message = format!("made by `{}` in `{name}`", origin.by);
        Some(Step { role: Role::Flow, location: location_in(module, span)?, message })
    }

    /// The branches that every way from the allocation to the exit takes, and the calls on it that
    /// had to do with the cell.
    fn decisions(&self, exit: BlockId) -> Vec<Step> {
        let exec = self.exec;
        let dominators = exec.facts.cfg().dominators();
        let start = exec.facts.block_of(exec.made_at(self.leak.object));
        let mut steps = Vec::new();
        let mut at = exit;
        while at != start
            && let Some(above) = dominators.immediate(at)
        {
            steps.extend(self.calls_in(at));
            steps.extend(self.decision(above, at));
            at = above;
        }
        steps.extend(self.calls_in(start));
        steps.truncate(MOST_DECISIONS);
        steps.reverse();
        steps
    }

    /// Calls in a block that do something with the cell or release its holder, the last first; not
    /// the one that made it.
    fn calls_in(&self, block: BlockId) -> Vec<Step> {
        let exec = self.exec;
        let made = exec.made_at(self.leak.object);
        let start = exec.facts.block_of(made);
        let is_later = |at: InstId| block != start || at > made;
        let is_here = |at: InstId| exec.facts.block_of(at) == block && is_later(at);
        let mut here: Vec<(InstId, Step)> =
            self.uses().into_iter().filter(|it| is_here(it.0)).collect();
        here.sort_by_key(|it| std::cmp::Reverse(it.0));
        here.into_iter().map(|it| it.1).collect()
    }

    fn uses(&self) -> Vec<(InstId, Step)> {
        let exec = self.exec;
        let used = exec.used.get(&self.leak.object).map_or(&[][..], Vec::as_slice);
        let told = |&(at, proc): &(InstId, ProcId)| {
            Some((at, self.step(Role::Flow, exec.body.inst_spans[at], exec.summary_text(proc)?)?))
        };
        let owner = self.leak.freed_owner.and_then(|owner| exec.freed_at.get(&owner));
        let released = owner.and_then(|&at| {
            let message = String::from("its holder is released");
            Some((at, self.step(Role::Release, exec.body.inst_spans[at], message)?))
        });
        used.iter().filter_map(told).chain(released).collect()
    }

    fn decision(&self, from: BlockId, to: BlockId) -> Option<Step> {
        let body = self.exec.body;
        let Terminator::Branch { cond, then, otherwise } = &body.blocks[from].terminator else {
            return None;
        };
        let graph = self.exec.facts.cfg().graph();
        if graph.in_edges(to).len() != 1 {
            return None;
        }
        let truth = match to {
            _ if then.to == to => true,
            _ if otherwise.to == to => false,
            _ => return None,
        };
        let message = match self.comparison(*cond, truth) {
            Some(text) => format!("taken: `{text}`"),
            None => format!("taken: the condition is {truth}"),
        };
        self.step(Role::Decision, body.blocks[from].terminator_span, message)
    }

    /// A comparison that holds where the condition is `truth`.
    fn comparison(&self, condition: ValueId, truth: bool) -> Option<String> {
        let body = self.exec.body;
        let name = |value: ValueId| {
            let var = body.values[value].var?;
            Some(self.exec.module.names.text(body.vars[var].name).to_string())
        };
        let Inst::Compare { op, lhs, rhs } = body.insts[body.definition(condition)?] else {
            return None;
        };
        let right = match body.constant(rhs) {
            Some(Constant::Int(0)) if body.values[lhs].scalar == Scalar::Ptr => "NULL".to_string(),
            Some(Constant::Int(number)) => number.to_string(),
            _ => name(rhs)?,
        };
        let (sign, opposite) = signs(op)?;
        Some(format!("{} {} {right}", name(lhs)?, if truth { sign } else { opposite }))
    }
}

/// How C spells a comparison of integers, and its opposite.
fn signs(op: CompareOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        CompareOp::Eq => ("==", "!="),
        CompareOp::Ne => ("!=", "=="),
        CompareOp::LtS | CompareOp::LtU => ("<", ">="),
        CompareOp::LeS | CompareOp::LeU => ("<=", ">"),
        CompareOp::GtS | CompareOp::GtU => (">", "<="),
        CompareOp::GeS | CompareOp::GeU => (">=", "<"),
        _ => return None,
    })
}
