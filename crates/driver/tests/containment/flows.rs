//! Whether memory SSA lets a write reach a read.
//!
//! The way leads up from the activation of the write, whose version must be there when control
//! returns, to the first activation that the read is inside of too; there the version must reach
//! the call that leads to the read, or the read itself; and from there down, what a procedure
//! finds at its entry must reach the next call, and the read in the end.

use caulk_base::FxHashMap;
use caulk_driver::WholeProgram;
use caulk_ir::{Inst, InstId};
use caulk_memory::{Chain, Memory, RegionId, Version, VersionId, View};
use caulk_pointer::ObjId;
use caulk_program::InstanceId;

use super::lives::Writer;
use super::stack::Stack;

/// Bytes of numbers that are written at one location and read at another, by a cast or by an
/// offset that is computed: points-to leaves pointer arithmetic at its base (F10).
pub const APART: &str = "the write and the read have no region in common";

/// A read, and the write that it sees.
pub struct Way {
    pub activation: u32,
    pub inst: InstId,
    pub writer: Writer,
    pub objects: Vec<ObjId>,
    /// The byte, when the read has many.
    pub offset: Option<i64>,
}

/// Where a version comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    Entry,
    Written(InstId),
}

/// Where it must arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Read(InstId),
    Return,
}

type Step = (InstanceId, RegionId, View, Source, Goal);

/// Steps that were looked at.
#[derive(Default)]
pub struct Memo(FxHashMap<Step, bool>);

pub struct Flows<'a, 'm> {
    pub memory: &'a Memory<'a>,
    pub whole: &'a WholeProgram,
    pub stack: &'m Stack,
    pub memo: &'m mut Memo,
}

impl Flows<'_, '_> {
    /// How the write reaches the read, or why it does not.
    pub fn check(&mut self, way: &Way) -> Result<&'static str, String> {
        let reader = self.stack.instance_of(way.activation);
        let reads = self.regions(reader, way.inst, &way.objects, true);
        if reads.is_empty() {
            return match self.is_partly_known(reader, way.inst) {
                true => Ok("reads of a copied parameter or from outside"),
                false => Err("it reads no region of the object".into()),
            };
        }
        let reads = match self.at_offset(way, &reads) {
            Some(reads) => reads,
            None => return Ok("bytes that nothing names"),
        };
        let common: Vec<RegionId> = match way.writer {
            Writer::Store { activation, inst } => {
                let writer = self.stack.instance_of(activation);
                let writes = self.regions(writer, inst, &way.objects, false);
                if writes.is_empty() {
                    return match self.is_partly_known(writer, inst) {
                        true => Ok("writes of a copied parameter or from outside"),
                        false => Err("the write writes no region of the object".into()),
                    };
                }
                reads.iter().copied().filter(|region| writes.contains(region)).collect()
            }
            _ => reads,
        };
        if common.is_empty() {
            return Err(APART.into());
        }
        let mut why = String::new();
        for region in common {
            match self.region(way, region) {
                Ok(how) => return Ok(how),
                Err(text) => why = text,
            }
        }
        Err(why)
    }

    /// Of the regions of a read of many bytes, those that the byte is in; none when no location
    /// is there, as between fields.
    fn at_offset(&self, way: &Way, reads: &[RegionId]) -> Option<Vec<RegionId>> {
        let Some(offset) = way.offset else { return Some(reads.to_vec()) };
        let mut found = Vec::new();
        for &object in &way.objects {
            let places = super::places::folded(self.whole, object, offset);
            found.extend(self.regions_of(object, |here| places.contains(&here)));
        }
        found.retain(|region| reads.contains(region));
        sort(&mut found);
        (!found.is_empty()).then_some(found)
    }

    /// The regions of an object's places at some offsets; a collapsed one has no offsets.
    fn regions_of(&self, object: ObjId, is_there: impl Fn(i64) -> bool) -> Vec<RegionId> {
        let points_to = &self.whole.points_to;
        let collapsed = points_to.objects[object].collapsed;
        let places = points_to.locations.of_object(object).iter();
        let there = places.filter(|&&loc| collapsed || is_there(points_to.locations.offset(loc)));
        there.filter_map(|&loc| self.memory.regions().of_location(loc)).collect()
    }

    /// The regions of the objects that an instruction touches by itself.
    fn regions(
        &self,
        instance: InstanceId,
        inst: InstId,
        objects: &[ObjId],
        reads: bool,
    ) -> Vec<RegionId> {
        let Some(access) = self.memory.access(instance, inst) else { return Vec::new() };
        let footprint = if reads { access.reads } else { access.writes };
        let touched = self.memory.regions().of_footprint(footprint);
        let mut regions: Vec<RegionId> =
            objects.iter().flat_map(|&object| self.regions_of(object, |_| true)).collect();
        regions.retain(|region| touched.binary_search(region).is_ok());
        sort(&mut regions);
        regions
    }

    /// Whether the instruction touches a parameter's own copy, or memory from outside, for which
    /// others stand at run time; library functions reach memory that their model does not tell.
    fn is_partly_known(&self, instance: InstanceId, inst: InstId) -> bool {
        let body = self.memory.body(instance);
        if matches!(body.insts[inst], Inst::Call(_)) {
            return true;
        }
        let Some(access) = self.memory.access(instance, inst) else { return false };
        let points_to = &self.whole.points_to;
        [access.reads, access.writes].iter().any(|&footprint| {
            self.memory.footprints().locations(footprint).iter().any(|&loc| {
                let row = &points_to.objects[points_to.locations.object(loc)];
                row.outside || matches!(row.kind, caulk_pointer::ObjKind::Copy { .. })
            })
        })
    }

    fn region(&mut self, way: &Way, region: RegionId) -> Result<&'static str, String> {
        let (mut at, mut source) = match way.writer {
            Writer::Store { activation, inst } => (Some(activation), Source::Written(inst)),
            _ => (None, Source::Entry),
        };
        while let Some(activation) = at.filter(|&it| !self.stack.is_live(it)) {
            let row = self.stack.row(activation);
            let Some((caller, call)) = row.caller else {
                at = None;
                break;
            };
            self.step(row.instance, region, View::All, source, Goal::Return)?;
            (at, source) = (Some(caller), Source::Written(call));
        }
        self.down(way, region, at, source)
    }

    /// From the read up to the activation that has the version, or to the outermost one.
    fn down(
        &mut self,
        way: &Way,
        region: RegionId,
        shared: Option<u32>,
        source: Source,
    ) -> Result<&'static str, String> {
        let (mut at, mut inst) = (way.activation, way.inst);
        let mut view = self.view(way, region);
        loop {
            let row = self.stack.row(at);
            if Some(at) == shared {
                self.step(row.instance, region, View::All, source, Goal::Read(inst))?;
                self.step(row.instance, region, view, source, Goal::Read(inst))?;
                let is_here = at == way.activation;
                return Ok(if is_here { "within an activation" } else { "from a caller" });
            }
            self.step(row.instance, region, View::All, Source::Entry, Goal::Read(inst))?;
            self.step(row.instance, region, view, Source::Entry, Goal::Read(inst))?;
            view = View::All;
            match row.caller {
                Some((caller, call)) => (at, inst) = (caller, call),
                None => return Ok("from outside the activations"),
            }
        }
    }

    fn view(&self, way: &Way, region: RegionId) -> View {
        let instance = self.stack.instance_of(way.activation);
        match self.memory.body(instance).insts[way.inst] {
            Inst::Load { from, .. } => self.memory.view(instance, from, region),
            _ => View::All,
        }
    }

    fn step(
        &mut self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        source: Source,
        goal: Goal,
    ) -> Result<(), String> {
        let key = (instance, region, view, source, goal);
        let memory = self.memory;
        let holds = *self.memo.0.entry(key).or_insert_with(|| {
            let chain = memory.chain(instance, region, view);
            reaches(&chain, source, goal)
        });
        if holds {
            return Ok(());
        }
        let place = |inst| super::report::place(self.whole, instance, inst);
        let from = match source {
            Source::Entry => "what it finds at its entry".into(),
            Source::Written(inst) => format!("what {} wrote", place(inst)),
        };
        let names = caulk_pointer::Names {
            input: self.whole.pointer_input(),
            points_to: &self.whole.points_to,
        };
        let to = match goal {
            Goal::Read(inst) => place(inst),
            Goal::Return => "a return".into(),
        };
        let function = names.instance(instance);
        Err(format!("in {function}, {from} in region {region} does not reach {to} ({view:?})"))
    }
}

fn sort(regions: &mut Vec<RegionId>) {
    regions.sort_unstable();
    regions.dedup();
}

fn reaches(chain: &Chain, source: Source, goal: Goal) -> bool {
    let wanted = match source {
        Source::Entry => Some(VersionId::ENTRY),
        Source::Written(inst) => chain.written_at(inst),
    };
    let Some(wanted) = wanted else { return false };
    let mut todo: Vec<VersionId> = match goal {
        Goal::Read(inst) => chain.read_at(inst).into_iter().collect(),
        Goal::Return => chain.returns().iter().map(|&(_, version)| version).collect(),
    };
    let mut seen = todo.clone();
    while let Some(version) = todo.pop() {
        if version == wanted {
            return true;
        }
        let before: Vec<VersionId> = match &chain.versions()[version] {
            Version::Entry => Vec::new(),
            Version::Written { previous, .. } => previous.iter().copied().collect(),
            Version::Joined { operands, .. } => operands.iter().map(|&(_, it)| it).collect(),
        };
        for next in before {
            if !seen.contains(&next) {
                seen.push(next);
                todo.push(next);
            }
        }
    }
    false
}
