//! One site: search, split, guards, questions.
//!
//! | step | FastCheck | SABER | here |
//! |---|---|---|---|
//! | forward search | 5.3 (1) | 4.4 F_src | [`Site::reach`] |
//! | three-way split | 5.3 (3) | 4.4 some path | [`Judge::split`] |
//! | backward slice | 5.3 R | 4.4 B_src | [`relevant`] |
//! | guards | Figures 4 and 5 | (2)–(5) | [`freed()`] |
//! | leak query | F_L | ¬FREED | [`Judge::precise`] |
//! | double-free query | F_DF | – | [`crate::double_free`] |

use caulk_flow::{
    Decisions, Guards, Node, Precision, Reach, Roots, Slice, condition, slice_decisions,
};
use caulk_guard::{Answer, Assignment, BddSolver, GuardId, SatSolver, Solver, Statistics, Text};
use caulk_ir::CallId;
use caulk_program::InstanceId;

use crate::class::Class;
use crate::configuration::Solving;
use crate::double_free::{Double, double_frees};
use crate::freed::{Ends, Freed, freed, relevant};
use crate::own_state::own_state_decisions;
use crate::sites::{Scope, Site};
use crate::statuses::status_decisions;
use crate::walks::walk_decisions;
use crate::world::World;

/// Tests of one condition that are told.
const LITERALS: usize = 12;

/// Each thread has one: formulas are its own.
pub(crate) struct Judge<'w, 'f, 'm, 'p> {
    pub world: &'w World<'f, 'm, 'p>,
    pub guards: Guards<'f>,
    pub solver: Box<dyn Solver>,
    pub pairs: u64,
    /// Leaks whose paths were not all followed to their end.
    pub undecided: u64,
}

/// What is known of a site.
pub(crate) struct Judgement {
    pub site: Site,
    /// Where a programmer would look.
    pub owner: (InstanceId, CallId),
    pub class: Class,
    pub ends: Ends,
    pub reach: Option<Reach>,
    pub leak: Option<Leak>,
    pub doubles: Vec<Double>,
    /// When each release is reached, in the words of the source; empty where that is not known.
    pub conditions: Vec<(Node, String)>,
}

/// What it takes to lose the object.
pub(crate) struct Leak {
    pub forward: Slice,
    pub decisions: Decisions,
    /// ¬FREED.
    pub guard: GuardId,
    pub assignment: Assignment,
}

impl<'w, 'f, 'm, 'p> Judge<'w, 'f, 'm, 'p> {
    pub fn new(world: &'w World<'f, 'm, 'p>) -> Self
    where
        'm: 'f,
        'p: 'f,
    {
        let options = world.configuration.guard_options();
        let program = world.memory().input().program;
        let solver: Box<dyn Solver> = match world.configuration.solving {
            Solving::Sat => Box::new(SatSolver::new()),
            Solving::Bdd => Box::new(BddSolver::new()),
        };
        Self {
            world,
            guards: Guards::new(program, world.atoms, options),
            solver,
            pairs: 0,
            undecided: 0,
        }
    }

    pub fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }

    /// None for a site that another one stands for.
    pub fn judge(&mut self, site: &Site) -> Option<Judgement> {
        let Ok(reach) = site.reach(self.world) else { return self.too_large(site) };
        let owner = site.owner(self.world, &reach)?;
        let ends = Ends::of(self.world, site, &reach);
        let class = self.split(site, &reach, ends);
        let blank = Judgement {
            site: site.clone(),
            owner,
            class: class.unwrap_or(Class::UnknownFormula),
            ends,
            reach: None,
            leak: None,
            doubles: Vec::new(),
            conditions: Vec::new(),
        };
        let mut judgement = match class {
            Some(Class::NeverFreedLocal | Class::NeverFreedMain) => self.never(blank, &reach),
            Some(_) => blank,
            None => self.precise(blank, &reach),
        };
        judgement.reach = Some(reach);
        Some(judgement)
    }

    fn too_large(&self, site: &Site) -> Option<Judgement> {
        let instances = self.world.memory().input().instances;
        let is_base = instances.rows[site.instance].made_for.is_none();
        is_base.then(|| Judgement {
            site: site.clone(),
            owner: (site.instance, site.call),
            class: Class::UnknownSlice,
            ends: Ends::default(),
            reach: None,
            leak: None,
            doubles: Vec::new(),
            conditions: Vec::new(),
        })
    }

    /// The classes that need no guards; nothing for "identify a relevant slice".
    fn split(&self, site: &Site, reach: &Reach, ends: Ends) -> Option<Class> {
        if self.escapes(reach, ends) {
            return Some(match ends.released {
                true => Class::UnknownNotLocal,
                false => Class::NeverFreedNotLocal,
            });
        }
        if ends.is_none() {
            return Some(match self.world.places().is_main(site.instance) {
                true => Class::NeverFreedMain,
                false => Class::NeverFreedLocal,
            });
        }
        None
    }

    /// Whether the value gets where this precision does not follow it: any region (F5), GLOBAL (S7).
    fn escapes(&self, reach: &Reach, ends: Ends) -> bool {
        let escapes = reach.escapes;
        match self.world.configuration.precision {
            Precision::Locals => {
                escapes.memory || (ends.kept || ends.unknown) && !ends.released && !ends.to_caller
            }
            // What is in a caller's memory at a return is the caller's, path by path.
            Precision::Full => escapes.global || escapes.outside && !ends.to_caller,
        }
    }

    /// Never released, unless the process ends first on every path.
    fn never(&mut self, judgement: Judgement, reach: &Reach) -> Judgement {
        let forward = Slice::forward(self.world.reachability().graph(), reach);
        let decisions = self.decisions(&judgement.site, &forward);
        let slice = forward.restricted(&relevant(self.world, &forward));
        let ended = freed(self.world, &mut self.guards, slice, &decisions).freed;
        let guard = match self.guards.formulas.not(ended) {
            GuardId::TOO_LARGE => GuardId::TRUE,
            guard => guard,
        };
        match self.solver.satisfiable(&self.guards.formulas, guard) {
            Answer::Unsat => Judgement { class: Class::FreedAlways, ..judgement },
            Answer::Sat(assignment) => {
                let leak = Leak { forward, decisions, guard, assignment };
                Judgement { leak: Some(leak), ..judgement }
            }
            Answer::GaveUp(_) => Judgement { class: Class::UnknownFormula, ..judgement },
        }
    }

    /// F_src; inside an allocator its return is a sink (F8).
    fn forward(&self, site: &Site, reach: &Reach) -> Slice {
        let forward = Slice::forward(self.world.reachability().graph(), reach);
        match site.scope {
            Scope::Whole => forward,
            Scope::Inside => forward.with_returns(self.world.flow, site.instance),
        }
    }

    fn decisions(&self, site: &Site, forward: &Slice) -> Decisions {
        let World { flow, atoms, configuration, .. } = self.world;
        let roots = Roots { loads: configuration.loaded_tests, joins: configuration.joined_tests };
        let cell = slice_decisions(flow, atoms, forward, roots);
        let status = status_decisions(self.world, site, forward, &cell);
        let own = match configuration.may_free {
            true => own_state_decisions(self.world, forward),
            false => Vec::new(),
        };
        let walks = match configuration.walks {
            true => walk_decisions(self.world, site, forward),
            false => Vec::new(),
        };
        Decisions::new(cell.iter().chain(status).chain(own).chain(walks))
    }

    fn precise(&mut self, judgement: Judgement, reach: &Reach) -> Judgement {
        let site = &judgement.site;
        let forward = self.forward(site, reach);
        let slice = forward.restricted(&relevant(self.world, &forward));
        let limit = self.world.configuration.slice_limit;
        if limit.is_some_and(|limit| slice.nodes().len() > limit) {
            return Judgement { class: Class::UnknownSlice, ..judgement };
        }
        let decisions = self.decisions(site, &forward);
        let freed = freed(self.world, &mut self.guards, slice, &decisions);
        let doubles = double_frees(self, site, &freed);
        let conditions = self.conditions(&freed);
        let class_and_leak = self.leak(forward, decisions, &freed);
        let (class, leak) = class_and_leak;
        Judgement { class, leak, doubles, conditions, ..judgement }
    }

    fn conditions(&self, freed: &Freed) -> Vec<(Node, String)> {
        let World { atoms, .. } = self.world;
        let program = self.world.memory().input().program;
        let name = |atom| format!("`{}`", condition(program, atoms, atom, true).text);
        let said =
            |guard| Text::new(&self.guards.formulas, guard, &name).limit(LITERALS).to_string();
        let conditional = freed.sinks.iter().filter(|sink| sink.1 != GuardId::TRUE);
        conditional.map(|&(node, guard)| (node, said(guard))).collect()
    }

    fn leak(
        &mut self,
        forward: Slice,
        decisions: Decisions,
        freed: &Freed,
    ) -> (Class, Option<Leak>) {
        let guard = self.guards.formulas.not(freed.freed);
        match self.solver.satisfiable(&self.guards.formulas, guard) {
            Answer::Unsat => (Class::FreedAlways, None),
            Answer::GaveUp(_) => (Class::UnknownFormula, None),
            Answer::Sat(assignment) => {
                let leak = Leak { forward, decisions, guard, assignment };
                (Class::FreedConditional, Some(leak))
            }
        }
    }

    /// Whether the object of the site is handed on at the allocator's return.
    pub fn is_inside(site: &Site) -> bool {
        site.scope == Scope::Inside
    }
}
