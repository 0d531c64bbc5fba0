//! Memory SSA against paths: on random programs, along random paths, what a read sees was never
//! killed on the way.
//!
//! A read of what its own activation wrote must see that write; of what a callee wrote, the call;
//! of anything else, the entry.

mod facts;
mod paths;
mod random_c;

use std::collections::HashSet;

use caulk_driver::WholeProgram;
use caulk_ir::{Inst, InstId};
use caulk_memory::{Chain, Memory, RegionId, Version, VersionId, View};
use paths::{Machine, Read, Writer};

const PROGRAMS: u64 = 150;
const PATHS: u64 = 60;

#[derive(Default)]
struct Count {
    own: usize,
    callees: usize,
    entries: usize,
    newest: usize,
    strong: usize,
}

#[test]
fn no_write_that_is_still_visible_was_killed() {
    let mut count = Count::default();
    for seed in 1..=PROGRAMS {
        let c = random_c::program(seed);
        let whole = facts::of_c(&c);
        let memory = whole.memory();
        for path in 1..=PATHS {
            let mut machine = Machine::new(&whole, seed << 16 | path);
            machine.run(facts::instance(&whole, "main"));
            for read in &machine.reads {
                if let Err(why) = check(&whole, &memory, &machine, read, &mut count) {
                    panic!("program {seed}, path {path}: {why} in\n{c}");
                }
            }
        }
    }
    let Count { own, callees, entries, newest, strong } = count;
    let text = format!("{own} own, {callees} callees, {entries} entry, {newest} newest, {strong}");
    println!("{text}");
    let enough = [own, callees, entries, newest, strong].iter().all(|&it| it > 200);
    assert!(enough, "too little was seen: {text}");
}

/// What the read must be able to see, none for what was there at the entry.
fn expected(machine: &Machine, read: &Read) -> Option<InstId> {
    let Writer { mut activation, mut inst } = read.writer?;
    while activation != read.activation {
        (activation, inst) = machine.activations[activation].called_by?;
    }
    Some(inst)
}

fn check(
    whole: &WholeProgram,
    memory: &Memory,
    machine: &Machine,
    read: &Read,
    count: &mut Count,
) -> Result<(), String> {
    let expected = expected(machine, read);
    match (expected, read.writer) {
        (Some(inst), Some(writer)) if writer == (Writer { activation: read.activation, inst }) => {
            count.own += 1;
        }
        (Some(_), _) => count.callees += 1,
        (None, _) => count.entries += 1,
    }
    let instance = machine.activations[read.activation].instance;
    let body = memory.body(instance);
    let access = memory.access(instance, read.inst).ok_or("a read without an access")?;
    let kind = machine.objects[read.object].kind;
    let object = whole.points_to.object(kind).ok_or("no object")?;
    let has_object = |&&region: &&RegionId| {
        let locations = memory.regions().locations(region).iter();
        locations.into_iter().any(|&it| whole.points_to.locations.object(it) == object)
    };
    for &region in memory.regions().of_footprint(access.reads).iter().filter(has_object) {
        let view = match body.insts[read.inst] {
            Inst::Load { from, .. } => memory.view(instance, from, region),
            _ => View::All,
        };
        let chain = memory.chain(instance, region, view);
        count.newest += usize::from(view != View::All);
        if sees(&chain, read.inst, expected, count) {
            return Ok(());
        }
    }
    let proc = whole.instances.proc(instance);
    let name = &whole.program.procs[proc].name;
    let module = whole.program.procs[proc].module;
    let at = |inst: InstId| whole.program.place(module, body.inst_spans[inst]);
    Err(format!(
        "{name}: {} at {:?} reads {kind:?} and does not see {expected:?} at {:?}",
        read.inst,
        at(read.inst),
        expected.and_then(at)
    ))
}

fn sees(chain: &Chain, inst: InstId, wanted: Option<InstId>, count: &mut Count) -> bool {
    let Some(start) = chain.read_at(inst) else { return false };
    let mut seen: HashSet<VersionId> = HashSet::new();
    let mut work = vec![start];
    while let Some(version) = work.pop() {
        if !seen.insert(version) {
            continue;
        }
        match &chain.versions()[version] {
            Version::Entry if wanted.is_none() => return true,
            Version::Entry => {}
            Version::Written { inst, previous } => {
                count.strong += usize::from(previous.is_none());
                if Some(*inst) == wanted {
                    return true;
                }
                work.extend(previous);
            }
            Version::Joined { operands, .. } => work.extend(operands.iter().map(|&(_, it)| it)),
        }
    }
    false
}
