//! Leaks as findings: one for each call of the function that made what is lost.

use caulk_base::FxHashMap;
use caulk_finding::{
    Confidence, Finding, Given, Harm, Incomplete, Kind, Location, Replay, Role, Site as SiteRow,
    Step, Subject, When,
};
use caulk_ir::Inst;
use caulk_program::ProcId;

use crate::condition::{Condition, Relation};
use crate::function::Analysis;
use crate::heap::{Item, Origin};
use crate::leaf::leaves;
use crate::leaks::{Leak, Loss};
use crate::state::{Evaluator, Stop};

/// What is said of one function.
#[derive(Default)]
pub struct Told {
    pub findings: Vec<Finding>,
    pub sites: Vec<SiteRow>,
    pub incomplete: Option<Incomplete>,
    pub decided: bool,
    pub work: u64,
    pub unknown: Vec<String>,
    /// The run was stopped before.
    pub is_missing: bool,
}

impl Evaluator<'_> {
    pub fn tell(&mut self, proc: ProcId, analysis: &Analysis) -> Told {
        let mut told = Told { work: self.space.work, ..Told::default() };
        told.unknown = std::mem::take(&mut self.unknown_calls);
        if let Some(stop) = &analysis.stop {
            told.incomplete = Some(self.incomplete(proc, stop.reason()));
        }
        let inexact = analysis.exits.iter().any(|exit| exit.context.approximate.is_some());
        told.decided = analysis.stop.is_none() && !inexact && !analysis.unclear;
        let mut by_call: FxHashMap<Origin, Vec<&Leak>> = FxHashMap::default();
        for leak in &analysis.leaks {
            if !self.is_callees_own(leak) {
                by_call.entry(self.call_of(self.sites[leak.site].at)).or_default().push(leak);
            }
        }
        let mut rows: Vec<(Origin, Vec<&Leak>)> = by_call.into_iter().collect();
        rows.sort_by_key(|row| row.0);
        for (call, leaks) in &rows {
            told.findings.extend(self.finding(proc, analysis, *call, leaks));
        }
        if self.options.tells_undecided {
            told.findings.extend(self.undecided(proc, analysis, &rows));
        }
        told.sites = self.site_rows(proc, analysis, &rows);
        told
    }

    /// Past the budget nothing is known of what was made: it may leak (Y6).
    fn undecided(
        &self,
        proc: ProcId,
        analysis: &Analysis,
        told: &[(Origin, Vec<&Leak>)],
    ) -> Vec<Finding> {
        let Some(Stop::Budget(why)) = analysis.stop else { return Vec::new() };
        let mut open = self.calls(proc);
        open.retain(|call| told.iter().all(|row| row.0 != *call));
        let finding = |call: Origin| {
            let site = self.sites.rows().iter().find(|info| self.call_of(info.at) == call)?;
            let (resource, made_by) = (site.resource.clone(), self.made_by(call));
            let primary = self.location(call)?;
            let message = format!("{resource} from `{made_by}` may leak");
            let allocation = Step {
                role: Role::Allocation,
                location: primary.clone(),
                message: format!("{resource} from `{made_by}`"),
            };
            Some(Finding {
                kind: Kind::SomePath,
                confidence: Confidence::Low,
                reason: format!("may leak: {why}"),
                harm: self.harm(proc, call),
                resource,
                message,
                primary,
                path: vec![allocation],
                suggestion: None,
                function: self.function_name(proc),
                engine: "symbolic",
                shared_doubt: caulk_finding::Sharing::Nobody,
                fingerprint: String::new(),
                replay: Replay::default(),
            })
        };
        open.into_iter().filter_map(finding).collect()
    }

    fn incomplete(&self, proc: ProcId, why: &str) -> Incomplete {
        let program = self.input.program;
        let (module, function) = (program.module_of(proc), program.function(proc));
        let span = module.spans.get(function.span);
        Incomplete {
            what: Subject::Function {
                name: module.names.text(function.name).to_string(),
                unit: module.name.clone(),
            },
            place: span.and_then(|span| Location::of_span(&span, &module.files)),
            why: format!("not evaluated symbolically: {why}"),
        }
    }

    /// The call in the analysed function through which an instruction was reached.
    fn call_of(&self, at: Origin) -> Origin {
        match self.frames[at.frame as usize].called_at {
            Some(outer) => self.call_of(outer),
            None => at,
        }
    }

    /// What a callee makes and loses is told where the callee is analysed.
    fn is_callees_own(&self, leak: &Leak) -> bool {
        let lost = loss_origin(leak.lost);
        lost.frame != 0 && self.is_within(self.sites[leak.site].at.frame, lost.frame)
    }

    fn is_within(&self, frame: u32, outer: u32) -> bool {
        frame == outer
            || self.frames[frame as usize]
                .called_at
                .is_some_and(|called_at| self.is_within(called_at.frame, outer))
    }

    fn finding(
        &mut self,
        proc: ProcId,
        analysis: &Analysis,
        call: Origin,
        leaks: &[&Leak],
    ) -> Option<Finding> {
        // The most certain way is told first; a failing second allocation is the least likely.
        let rank = |leak: &&&Leak| (leak.approximate.is_some(), self.another_fails(leak));
        let first = *leaks.iter().min_by_key(rank)?;
        let primary = self.location(call)?;
        let kind = self.kind(proc, analysis, call, first);
        let info = self.sites[first.site].clone();
        let mut texts = self.leak_texts(leaks);
        texts.truncate(3);
        let inputs = self.inputs_for(first);
        let (confidence, reason) = confidence(first, kind, inputs.as_deref());
        let made_by = self.made_by(call);
        let message = format!("{} from `{made_by}` {}", info.resource, texts.join("; "));
        let lost_at = self.call_of(loss_origin(first.lost));
        let path = self.path(&primary, &info.resource, &made_by, first, lost_at);
        let when = When { text: texts.join("; "), inputs: given(inputs.unwrap_or_default()) };
        let made_at = if info.at == call { None } else { self.location(info.at) };
        Some(Finding {
            kind,
            confidence,
            reason,
            harm: self.harm(proc, call),
            resource: info.resource,
            message,
            primary,
            path,
            suggestion: None,
            function: self.function_name(proc),
            engine: "symbolic",
            shared_doubt: caulk_finding::Sharing::Nobody,
            fingerprint: String::new(),
            replay: Replay { when: Some(when), made_at, ..Replay::default() },
        })
    }

    fn made_by(&self, call: Origin) -> String {
        let body = self.input.program.body(self.frames[call.frame as usize].proc);
        let inst = crate::region::instruction(body, call);
        inst.and_then(|inst| self.callee_name(call.frame, inst)).unwrap_or_default()
    }

    fn function_name(&self, proc: ProcId) -> String {
        let program = self.input.program;
        program.module_of(proc).function_name(program.procs[proc].function).to_string()
    }

    fn location(&self, at: Origin) -> Option<Location> {
        let module = self.input.program.module_of(self.frames[at.frame as usize].proc);
        Location::of_span(&module.spans.get(self.span(at))?, &module.files)
    }

    /// Whether the way to a leak needs another allocation to fail.
    fn another_fails(&self, leak: &Leak) -> bool {
        leak.context.facts.conditions.iter().any(|&condition| {
            self.space.is_null_test(condition)
                && matches!(self.space.condition(condition), Condition::Is(Relation::Zero, _))
        })
    }

    fn kind(&mut self, proc: ProcId, analysis: &Analysis, call: Origin, leak: &Leak) -> Kind {
        if self.another_fails(leak) {
            return Kind::SecondFailure;
        }
        match leak.lost {
            Loss::Overwritten(_) => Kind::Overwritten,
            Loss::WithOwner(_) => Kind::LostWithOwner,
            Loss::Exit(_) if self.input.program.procs[proc].name == "main" => Kind::AtExit,
            Loss::Exit(_) if self.is_freed_somewhere(analysis, call) => Kind::SomePath,
            Loss::Exit(_) => Kind::NeverFreed,
        }
    }

    fn is_freed_somewhere(&mut self, analysis: &Analysis, call: Origin) -> bool {
        let mut found = false;
        for exit in &analysis.exits {
            let items = self.heaps.items(exit.context.heap);
            for leaf in leaves(&mut self.space, items.iter().map(|item| &**item)) {
                let Item::Free { pointer, .. } = leaf.item else { continue };
                let Some(base) = self.space.base(pointer) else { continue };
                if let crate::space::AtomKind::Cell { site, .. } = *self.space.kind(base) {
                    found |= self.call_of(self.sites[site].at) == call;
                }
            }
        }
        found
    }

    fn harm(&self, proc: ProcId, call: Origin) -> Harm {
        let body = self.input.program.body(proc);
        let facts = &self.facts_of[&proc];
        let in_loop = crate::region::instruction(body, call)
            .is_some_and(|inst| facts.cfg().loops().innermost(facts.block_of(inst)).is_some());
        match (in_loop, self.input.program.procs[proc].name == "main") {
            (true, _) => Harm::PerIteration,
            (false, true) => Harm::PerProcess,
            (false, false) => Harm::PerCall,
        }
    }

    fn path(
        &self,
        primary: &Location,
        resource: &str,
        made_by: &str,
        leak: &Leak,
        lost_at: Origin,
    ) -> Vec<Step> {
        let step = |role, location: &Location, message: String| Step {
            role,
            location: location.clone(),
            message,
        };
        let mut path =
            vec![step(Role::Allocation, primary, format!("{resource} from `{made_by}`"))];
        if let Some(place) = self.location(lost_at) {
            let message = match leak.lost {
                Loss::Exit(_) => "lost: the function returns without it",
                Loss::Overwritten(_) => "lost: its last reference is overwritten",
                Loss::WithOwner(_) => "lost: what holds its last reference is released",
            };
            path.push(step(Role::Loss, &place, message.to_string()));
        }
        path
    }

    /// What became of every call that makes something.
    fn site_rows(
        &self,
        proc: ProcId,
        analysis: &Analysis,
        leaks: &[(Origin, Vec<&Leak>)],
    ) -> Vec<SiteRow> {
        let row = |call: Origin| {
            let class = match (&analysis.stop, leaks.iter().any(|row| row.0 == call)) {
                (Some(_), _) => "given up",
                (None, true) => "reported",
                (None, false) => "safe",
            };
            Some(SiteRow {
                location: self.location(call)?,
                function: self.function_name(proc),
                callee: self.made_by(call),
                class,
                story: Vec::new(),
            })
        };
        self.calls(proc).into_iter().filter_map(row).collect()
    }

    /// The calls of the analysed function that made something, as far as the evaluation came.
    fn calls(&self, proc: ProcId) -> Vec<Origin> {
        let mut calls: Vec<Origin> =
            self.sites.rows().iter().map(|info| self.call_of(info.at)).collect();
        calls.sort_unstable();
        calls.dedup();
        let body = self.input.program.body(proc);
        calls.retain(|&at| {
            crate::region::instruction(body, at)
                .is_some_and(|inst| matches!(body.insts[inst], Inst::Call(_)))
        });
        calls
    }
}

fn loss_origin(loss: Loss) -> Origin {
    match loss {
        Loss::Exit(at) | Loss::Overwritten(at) | Loss::WithOwner(at) => at,
    }
}

fn given(inputs: Vec<(String, i128)>) -> Vec<Given> {
    let one = |(name, value): (String, i128)| Given { name, value: value.to_string() };
    inputs.into_iter().map(one).collect()
}

fn confidence(leak: &Leak, kind: Kind, inputs: Option<&[(String, i128)]>) -> (Confidence, String) {
    match (leak.approximate, kind) {
        (Some(why), _) => (Confidence::Low, format!("may leak: {why}")),
        (None, Kind::SecondFailure) => {
            (Confidence::Medium, String::from("only when another allocation fails"))
        }
        (None, _) if inputs.is_some() => {
            let inputs = inputs.unwrap_or_default();
            let one = |(name, value): &(String, i128)| format!("{name} = {value}");
            let example: Vec<String> = inputs.iter().map(one).collect();
            let example = match example.is_empty() {
                true => String::new(),
                false => format!(", for example {}", example.join(", ")),
            };
            (Confidence::High, format!("the condition was computed exactly{example}"))
        }
        (None, _) => (
            Confidence::Medium,
            String::from("the condition was computed exactly, but no inputs were found for it"),
        ),
    }
}
