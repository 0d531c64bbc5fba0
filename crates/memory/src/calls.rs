//! Who runs during a call: the procedures it enters, and those that a library function calls
//! back before it returns.

use caulk_base::{FxHashSet, Table};
use caulk_ir::{Call, CallId, Callee, InstId};
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
    /// The calls that may enter any function that wild pointers point to.
    wild: FxHashSet<(InstanceId, CallId)>,
    callers: Lists<InstanceId, CallSite>,
}

impl Calls {
    #[must_use]
    pub fn new(input: Input<'_>, accesses: &Table<InstanceId, Accesses>) -> Self {
        let mut entered = Vec::new();
        let mut callers = Vec::new();
        let mut wild = FxHashSet::default();
        for (caller, row) in accesses.iter() {
            for &(inst, call) in &row.calls {
                if is_wild(input, caller, call) {
                    wild.insert((caller, call));
                }
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
        Self { entered, wild, callers: Lists::from_pairs(count, &callers) }
    }

    /// Each call of the instance with each instance that may run during it.
    #[must_use]
    pub fn from(&self, caller: InstanceId) -> &[(CallId, InstanceId)] {
        &self.entered[caller]
    }

    /// Whether the call may enter any function that wild pointers point to.
    #[must_use]
    pub fn is_wild(&self, caller: InstanceId, call: CallId) -> bool {
        self.wild.contains(&(caller, call))
    }

    /// Who makes such calls.
    pub fn wild_callers(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.wild.iter().map(|&(caller, _)| caller)
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
    let mut is_given_to_unknown = false;
    for target in input.points_to.callees(caller, call) {
        match *target {
            Target::Instance(callee) => found.push(callee),
            Target::External(external) => {
                let model = input.externals.of(external);
                is_given_to_unknown |=
                    model.is_none_or(|model| model.unmentioned == Unmentioned::Unknown);
                let effects = model.map_or(&[][..], |model| &model.effects);
                let back =
                    effects.iter().flat_map(|effect| called_back(input, caller, row, effect));
                found.extend(back);
            }
            Target::Unknown => is_given_to_unknown = true,
        }
    }
    if is_given_to_unknown {
        found.extend(passed(input, caller, row));
    }
    found
}

/// Through a wild pointer, or by unknown code that gets one.
fn is_wild(input: Input<'_>, caller: InstanceId, call: CallId) -> bool {
    let points_to = input.points_to;
    let row = &input.instances.body(input.program, caller).calls[call];
    let is_wild = |value| points_to.is_wild(points_to.value(caller, value));
    let unknown = || {
        points_to.callees(caller, call).iter().any(|target| match *target {
            Target::Instance(_) => false,
            Target::External(external) => {
                let model = input.externals.of(external);
                model.is_none_or(|model| {
                    let calls = |it: &Effect| matches!(it, Effect::CallsBack { .. });
                    model.unmentioned == Unmentioned::Unknown || model.effects.iter().any(calls)
                })
            }
            Target::Unknown => true,
        })
    };
    match row.callee {
        Callee::Pointer(callee) if is_wild(callee) => true,
        _ => row.args.iter().any(|arg| is_wild(arg.value)) && unknown(),
    }
}

/// Unknown code may call whatever is passed to it.
fn passed(input: Input<'_>, caller: InstanceId, call: &Call) -> Vec<InstanceId> {
    let points_to = input.points_to;
    let sets = call.args.iter().map(|arg| points_to.value(caller, arg.value));
    let sets = sets.filter(|&set| !points_to.is_wild(set)).map(|set| points_to.set(set));
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
    let set = points_to.value(caller, arg.value);
    if points_to.is_wild(set) {
        return Vec::new();
    }
    let set = points_to.set(set);
    let functions: Vec<_> = if through {
        let contents = set.iter().map(|&at| points_to.contents(at));
        let contents = contents.filter(|&set| !points_to.is_wild(set));
        contents.flat_map(|set| points_to.set(set)).copied().collect()
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
