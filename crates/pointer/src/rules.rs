//! From the program to constraints.
//!
//! `body` has the rules for instructions, `binding` those for calls of procedures, `external`
//! those for functions without a body, `memory` those for static initialisers and for memory
//! from outside. What depends on the callees of an indirect call is generated when a solver
//! finds one: see [`Rules::connect`].

mod binding;
mod body;
mod cycles;
mod external;
mod memory;
mod unknown;
mod wild;

use caulk_base::{FxHashSet, Table};
use caulk_ir::CallId;
use caulk_program::{Entries, InstanceId, ProcId};

use crate::constraint::{Constraint, Site, SiteId};
use crate::location::LocId;
use crate::nodes::NodeId;
use crate::object::ObjKind;
use crate::points_to::Target;
use crate::world::World;
use crate::{Input, Options};
use wild::WildCalls;

pub(crate) struct Rules<'a> {
    pub world: World<'a>,
    /// Constraints that no solver has taken yet.
    pub out: Vec<Constraint>,
    pub sites: Table<SiteId, Site>,
    /// What each call may enter, as far as is known.
    pub targets: Vec<((InstanceId, CallId), Target)>,
    pub entries: Entries,
    /// Procedures whose parameters have been given memory from outside.
    entered: FxHashSet<ProcId>,
    escaped: FxHashSet<ProcId>,
    connected: FxHashSet<(SiteId, Target)>,
    wild: Option<WildCalls>,
    wild_sites: FxHashSet<SiteId>,
    wild_procs: FxHashSet<ProcId>,
}

impl<'a> Rules<'a> {
    /// All constraints that the text of the program tells.
    pub(crate) fn new(input: Input<'a>, options: Options) -> Self {
        let mut rules = Self {
            world: World::new(input, options),
            out: Vec::new(),
            sites: Table::new(),
            targets: Vec::new(),
            entries: input.entries.clone(),
            entered: FxHashSet::default(),
            escaped: FxHashSet::default(),
            connected: FxHashSet::default(),
            wild: None,
            wild_sites: FxHashSet::default(),
            wild_procs: FxHashSet::default(),
        };
        rules.outside_rules();
        rules.statics();
        for instance in input.instances.rows.ids() {
            rules.instance(instance);
        }
        let entries: Vec<ProcId> = input.entries.iter().map(|entry| entry.proc).collect();
        entries.into_iter().for_each(|proc| rules.enter(proc));
        rules
    }

    /// The rules of a call at `site` of what lies at `callee`.
    pub(crate) fn connect(&mut self, site: SiteId, callee: LocId) {
        let object = &self.world.objects[self.world.locations.object(callee)];
        let Some(target) = self.target(site, object.kind, object.outside) else { return };
        let is_shared = self.wild_sites.contains(&site) && matches!(target, Target::Instance(_));
        if is_shared || !self.accepts(site, target) {
            return;
        }
        if self.connected.insert((site, target)) {
            let site = self.sites[site].clone();
            self.call(&site, target);
        }
    }

    fn target(&self, site: SiteId, kind: ObjKind, outside: bool) -> Option<Target> {
        let Site { instance, call, callback, .. } = self.sites[site];
        let instances = self.world.input.instances;
        match kind {
            ObjKind::Procedure(proc) if callback.is_some() => {
                Some(Target::Instance(instances.base(proc)))
            }
            ObjKind::Procedure(proc) => {
                Some(Target::Instance(instances.of_call(instance, call, proc)))
            }
            ObjKind::External(external) => Some(Target::External(external)),
            _ => outside.then_some(Target::Unknown),
        }
    }

    /// A call passes at least what the callee takes: anything else is no call of C. More is passed
    /// by callers who do not know whom they call.
    fn accepts(&self, site: SiteId, target: Target) -> bool {
        let Target::Instance(callee) = target else { return true };
        let input = self.world.input;
        let taken = input.instances.body(input.program, callee).params.len();
        self.sites[site].callback.is_some() || taken <= self.sites[site].args.len()
    }

    fn call(&mut self, site: &Site, target: Target) {
        if site.callback.is_none() {
            self.targets.push(((site.instance, site.call), target));
        }
        match target {
            Target::Instance(instance) => self.call_instance(site, instance),
            Target::External(external) => self.call_external(site, external),
            Target::Unknown => self.call_unknown(site),
        }
    }

    fn address(&mut self, to: NodeId, kind: ObjKind) {
        let loc = self.world.address(kind);
        self.out.push(Constraint::Address { to, loc });
    }

    fn copy(&mut self, to: NodeId, from: NodeId) {
        self.out.push(Constraint::Copy { to, from });
    }

    fn load(&mut self, to: NodeId, from: NodeId) {
        self.out.push(Constraint::Load { to, from });
    }

    fn store(&mut self, to: NodeId, from: NodeId) {
        self.out.push(Constraint::Store { to, from });
    }

    /// A node that holds what `from` points to.
    fn loaded(&mut self, from: NodeId) -> NodeId {
        let to = self.world.nodes.fresh();
        self.load(to, from);
        to
    }

    /// A node that points to the object.
    fn pointer_to(&mut self, kind: ObjKind) -> NodeId {
        let to = self.world.nodes.fresh();
        self.address(to, kind);
        to
    }

    fn moved(&mut self, from: NodeId, by: i64) -> NodeId {
        if by == 0 {
            return from;
        }
        let to = self.world.nodes.fresh();
        self.out.push(Constraint::Offset { to, from, by });
        to
    }
}
