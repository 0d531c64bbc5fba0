//! Who holds a cell in a run is among those who may hold it by the facts.
//!
//! At sampled points the interpreter tells every word and every variable that holds a cell. The
//! point is the start of a block in the innermost activation. A cell has several names when
//! allocators call allocators: each speaks of a part of the program, so a holder must be known to
//! one of them. Nothing is claimed of what goes to too many places to be followed.

use std::rc::Rc;

use caulk_base::{FxHashMap, Id};
use caulk_flow::{Flow, Holder, Holders, Point, Reachability, Sources, Tracked};
use caulk_interp::Keeper;
use caulk_ir::{BlockId, InstId, VarId};
use caulk_memory::RegionId;
use caulk_pointer::ObjId;
use caulk_program::InstanceId;

use super::{Checker, places};

/// What the facts say, as far as it was asked.
pub struct Claims<'f, 'a> {
    reachability: &'f Reachability<'f, 'a, 'a>,
    flow: &'f Flow<'a, 'a>,
    sources: Sources,
    tracked: FxHashMap<ObjId, Claim<Followed>>,
    holders: FxHashMap<(ObjId, InstanceId), Claim<Vec<Vec<Holder>>>>,
    block: BlockId,
}

/// Where the address of an object goes, and to which instances.
struct Followed {
    tracked: Tracked,
    instances: Vec<InstanceId>,
}

/// None where nothing is claimed.
type Claim<T> = Option<Rc<T>>;

impl<'f, 'a> Claims<'f, 'a> {
    pub fn new(flow: &'f Flow<'a, 'a>, reachability: &'f Reachability<'f, 'a, 'a>) -> Self {
        Self {
            reachability,
            flow,
            sources: Sources::new(flow),
            tracked: FxHashMap::default(),
            holders: FxHashMap::default(),
            block: BlockId::ENTRY,
        }
    }

    pub fn enter_block(&mut self, block: BlockId) {
        self.block = block;
    }

    /// Who may hold a cell of these names at the start of the block, if all of them are claimed.
    fn may_hold(&mut self, names: &[ObjId], instance: InstanceId) -> Option<Vec<Holder>> {
        let mut may = Vec::new();
        for &name in names {
            may.extend(self.ask(name, instance)?);
        }
        (!names.is_empty()).then_some(may)
    }

    /// Who may hold the object at the start of the block.
    fn ask(&mut self, object: ObjId, instance: InstanceId) -> Option<Vec<Holder>> {
        let key = (object, instance);
        let known = match self.holders.get(&key) {
            Some(known) => known.clone(),
            None => {
                let answer = self.tracked(object).map(|it| Rc::new(self.solve(&it, instance)));
                self.holders.insert(key, answer.clone());
                answer
            }
        };
        known.map(|blocks| blocks[self.block.index()].clone())
    }

    fn tracked(&mut self, object: ObjId) -> Claim<Followed> {
        let (reachability, sources, flow) = (self.reachability, &self.sources, self.flow);
        let follow = || {
            let tracked = Tracked::new(reachability, sources, object).ok().flatten()?;
            let instances = tracked.instances(flow);
            Some(Rc::new(Followed { tracked, instances }))
        };
        self.tracked.entry(object).or_insert_with(follow).clone()
    }

    /// By block. An activation that the address does not come to leaves it where it was.
    fn solve(&self, followed: &Followed, instance: InstanceId) -> Vec<Vec<Holder>> {
        let blocks = self.flow.memory.body(instance).blocks.ids();
        if followed.instances.binary_search(&instance).is_err() {
            return blocks.map(|_| vec![Holder::Callers]).collect();
        }
        let holders = Holders::new(self.flow, &followed.tracked, instance);
        blocks.map(|block| holders.may_hold(Point::Start(block))).collect()
    }
}

impl Checker<'_, '_> {
    pub(super) fn held(&mut self, depth: usize, cell: u32, by: Keeper) {
        let (Some(instance), Some(life)) = (self.stack.instance(), self.lives.get(cell)) else {
            return;
        };
        let Some(claims) = &mut self.claims else { return };
        let Some(may) = claims.may_hold(&life.objects, instance) else {
            *self.report.count("holders of which nothing is claimed") += 1;
            return;
        };
        match self.is_among(instance, depth, by, &may) {
            Ok(how) => *self.report.count(how) += 1,
            Err(holder) => self.not_among(instance, cell, &holder, &may),
        }
    }

    /// How the facts know the holder, or what it is.
    fn is_among(
        &self,
        instance: InstanceId,
        depth: usize,
        by: Keeper,
        may: &[Holder],
    ) -> Result<&'static str, String> {
        let by_callers = may.contains(&Holder::Callers);
        match by {
            Keeper::Variable { depth: of, var } if of == depth => {
                let is_known = may.contains(&Holder::Variable(VarId(var)));
                is_known.then_some("holders: variables").ok_or_else(|| format!("variable {var}"))
            }
            Keeper::Variable { .. } if by_callers => Ok("holders: variables of callers"),
            Keeper::Variable { .. } => Err("a variable of a caller".into()),
            Keeper::Word { object, offset } => {
                let Some(life) = self.lives.get(object).filter(|life| !life.objects.is_empty())
                else {
                    return Ok("holders: memory of the library");
                };
                let regions = self.regions_at(life, offset as i64);
                if regions.is_empty() {
                    return Ok("holders: places that nothing reads");
                }
                let is_known = |holder: &Holder| self.is_in(*holder, &regions);
                if may.iter().any(is_known) {
                    return Ok("holders: memory");
                }
                if by_callers && !self.is_touched(instance, &regions) {
                    return Ok("holders: memory that the activation does not touch");
                }
                Err(format!("offset {offset} of {}", places::describe(self.whole, life)))
            }
        }
    }

    /// The regions that a byte of a run-time object may be in.
    fn regions_at(&self, life: &super::lives::Life, offset: i64) -> Vec<RegionId> {
        let points_to = &self.whole.points_to;
        let mut regions = Vec::new();
        for &object in &life.objects {
            let offsets = life.offsets(object, offset).into_iter();
            let folded: Vec<i64> =
                offsets.flat_map(|it| places::folded(self.whole, object, it)).collect();
            let is_collapsed = points_to.objects[object].collapsed;
            for &loc in points_to.locations.of_object(object) {
                if is_collapsed || folded.contains(&points_to.locations.offset(loc)) {
                    regions.extend(self.memory.regions().of_location(loc));
                }
            }
        }
        regions
    }

    /// A holder in memory is named by one of the locations of its region.
    fn is_in(&self, holder: Holder, regions: &[RegionId]) -> bool {
        match holder {
            Holder::Local(loc) | Holder::Global(loc) | Holder::Outer(loc) | Holder::Field(loc) => {
                self.memory.regions().of_location(loc).is_some_and(|it| regions.contains(&it))
            }
            _ => false,
        }
    }

    fn is_touched(&self, instance: InstanceId, regions: &[RegionId]) -> bool {
        let effects = self.memory.effects(instance);
        regions.iter().any(|&it| effects.reads.contains(it) || effects.writes.contains(it))
    }

    fn not_among(&mut self, instance: InstanceId, cell: u32, holder: &str, may: &[Holder]) {
        let block = self.claims.as_ref().map_or(BlockId::ENTRY, |claims| claims.block);
        let body = self.whole.instances.body(&self.whole.program, instance);
        let inst = body.blocks[block].insts().next().unwrap_or(InstId(0));
        let Some(life) = self.lives.get(cell) else { return };
        let (what, key) = (places::describe(self.whole, life), life.key());
        let text = format!("{holder} holds {what} at {block}, and is not among {may:?}");
        self.violation("holder", instance, inst, key, &text);
    }
}
