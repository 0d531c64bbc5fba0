//! Who runs during a call: the procedures it enters, and those that a library function calls
//! back before it returns.

use caulk_base::Table;
use caulk_ir::{Call, CallId, InstId};
use caulk_models::{Effect, Unmentioned};
use caulk_pointer::{LocId, ObjKind, Target};
use caulk_program::InstanceId;
use caulk_ssa::Lists;

use crate::accesses::Accesses;
use crate::memory::Input;

/// A call instruction of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSite {
    pub caller: InstanceId,
    pub inst: InstId,
    pub call: CallId,
}

#[derive(Debug)]
pub struct Calls {
    /// Per caller, sorted by call.
    entered: Lists<InstanceId, (CallId, InstanceId)>,
    callers: Lists<InstanceId, CallSite>,
}

impl Calls {
    #[must_use]
    pub fn new(input: Input<'_>, accesses: &Table<InstanceId, Accesses>) -> Self {
        let mut entered = Vec::new();
        let mut callers = Vec::new();
        for (caller, row) in accesses.iter() {
            for &(inst, call) in &row.calls {
                let mut callees = callees(input, caller, call);
                callees.sort_unstable();
                callees.dedup();
                for callee in callees {
                    entered.push((caller, (call, callee)));
                    callers.push((callee, CallSite { caller, inst, call }));
                }
            }
        }
        let count = accesses.len();
        entered.sort_unstable();
        let entered = Lists::from_pairs(count, &entered);
        Self { entered, callers: Lists::from_pairs(count, &callers) }
    }

    /// Each call of the instance with each instance that may run during it.
    #[must_use]
    pub fn from(&self, caller: InstanceId) -> &[(CallId, InstanceId)] {
        &self.entered[caller]
    }

    pub fn at(&self, caller: InstanceId, call: CallId) -> impl Iterator<Item = InstanceId> + '_ {
        let all = &self.entered[caller];
        let start = all.partition_point(|&(other, _)| other < call);
        let here = all[start..].iter().take_while(move |&&(other, _)| other == call);
        here.map(|&(_, callee)| callee)
    }

    #[must_use]
    pub fn to(&self, callee: InstanceId) -> &[CallSite] {
        &self.callers[callee]
    }
}

fn callees(input: Input<'_>, caller: InstanceId, call: CallId) -> Vec<InstanceId> {
    let row = &input.instances.body(input.program, caller).calls[call];
    let mut found = Vec::new();
    for target in input.points_to.callees(caller, call) {
        match *target {
            Target::Instance(callee) => found.push(callee),
            Target::External(external) => {
                let model = input.externals.of(external);
                if model.is_none_or(|model| model.unmentioned == Unmentioned::Unknown) {
                    found.extend(passed(input, caller, row));
                }
                let effects = model.map_or(&[][..], |model| &model.effects);
                let back =
                    effects.iter().flat_map(|effect| called_back(input, caller, row, effect));
                found.extend(back);
            }
            Target::Unknown => found.extend(passed(input, caller, row)),
        }
    }
    found
}

/// Unknown code may call whatever is passed to it.
fn passed(input: Input<'_>, caller: InstanceId, call: &Call) -> Vec<InstanceId> {
    let points_to = input.points_to;
    let sets = call.args.iter().map(|arg| points_to.set(points_to.value(caller, arg.value)));
    sets.flatten().filter_map(|&location| procedure(input, location)).collect()
}

/// The procedures that a library function calls before it returns.
fn called_back(
    input: Input<'_>,
    caller: InstanceId,
    call: &Call,
    effect: &Effect,
) -> Vec<InstanceId> {
    let &Effect::CallsBack { function, through, entry: false, .. } = effect else {
        return Vec::new();
    };
    let Some(arg) = call.args.get(function as usize) else { return Vec::new() };
    let points_to = input.points_to;
    let set = points_to.set(points_to.value(caller, arg.value));
    let functions: Vec<_> = if through {
        set.iter().flat_map(|&at| points_to.set(points_to.contents(at))).copied().collect()
    } else {
        set.to_vec()
    };
    functions.iter().filter_map(|&location| procedure(input, location)).collect()
}

fn procedure(input: Input<'_>, location: LocId) -> Option<InstanceId> {
    let points_to = input.points_to;
    match points_to.objects[points_to.locations.object(location)].kind {
        ObjKind::Procedure(proc) => Some(input.instances.base(proc)),
        _ => None,
    }
}
