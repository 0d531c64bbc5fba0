//! What `main` has set before a function runs.
//!
//! Static storage holds at first what its initialiser says, and programs that read options or a
//! configuration set it before they do anything else. A function that runs alone may be given the first
//! value all the same. Here the assignments in `main` are followed along its blocks: where every way to
//! a call that leads to the function passes one that sets the bytes to something else, and nothing behind
//! it may set them back, the first value is gone.

use caulk_base::Id;
use caulk_ir::{BlockId, Body, Callee, Inst, InstId};

use crate::names;
use crate::stores::Store;
use crate::world::World;

/// Whether bytes of static storage may be as they were at first when a function runs.
pub fn may_be_first(world: &World, function: u32, object: u32, at: i64, bytes: u32) -> bool {
    let Some(first) = world.stores.initial(&world.program, object, at, bytes) else { return true };
    if may_be_set_by_pointer(world, object, at, bytes) {
        return true;
    }
    let rows: Vec<&Store> = world.stores.of(object, at, bytes).collect();
    let goals = world.callers.above([function]);
    let mut mains = world.named("main").iter().filter(|&&main| goals[main as usize]).peekable();
    mains.peek().is_none() || mains.any(|&main| is_first_in(world, main, first, &rows, &goals))
}

/// Whether a program that leads to a function leaves a pointer to a function alone which others install
/// one in. Programs install such hooks before they do anything else, and have them by then; what only
/// pointers lead to is left out on both sides.
pub fn may_lack_hook(world: &World, function: u32, object: u32, at: i64, bytes: u32) -> bool {
    let goals = world.callers.above_by_name([function]);
    let installs = world.stores.of(object, at, bytes).filter(|row| row.value != Some(0));
    let installers = world.callers.above_by_name(installs.map(|row| row.function));
    let mut mains = world.named("main").iter().filter(|&&main| goals[main as usize]).peekable();
    mains.peek().is_none() || mains.any(|&main| !installers[main as usize])
}

/// [`may_be_first`] for one `main` of the program, and calls that lead to the function.
fn is_first_in(world: &World, main: u32, first: u64, rows: &[&Store], goals: &[bool]) -> bool {
    let Some(body) = world.program.body(main) else { return true };
    let (own, others): (Vec<&Store>, Vec<&Store>) =
        rows.iter().partition(|row| row.function == main);
    let (reset, set): (Vec<&Store>, Vec<&Store>) =
        own.into_iter().partition(|row| row.value == Some(first));
    if set.is_empty() {
        return true;
    }
    let insts = |rows: Vec<&Store>| rows.into_iter().map(|row| row.inst).collect();
    let way = Way {
        world,
        body,
        module: world.program.functions[main as usize].module,
        set: insts(set),
        reset: insts(reset),
        others: world.callers.above(others.into_iter().map(|row| row.function)),
        goals,
    };
    way.is_alive_at_goal()
}

/// Of a record that others have a pointer to, only members count that are set by pointers somewhere.
fn may_be_set_by_pointer(world: &World, object: u32, at: i64, bytes: u32) -> bool {
    if !world.stores.is_leaked(object, at, bytes) {
        return false;
    }
    let row = &world.program.objects[object as usize];
    let ty = world.program.modules[row.module].objects[row.id].ty;
    let member = names::member_at(&world.program, (row.module, ty), at);
    world.stores.is_handed_out(object, at, bytes)
        || member.is_none_or(|member| world.set.by_pointer(&member))
}

struct Way<'w> {
    world: &'w World,
    body: &'w Body,
    module: usize,
    /// The assignments of other values, and of the first one.
    set: Vec<InstId>,
    reset: Vec<InstId>,
    /// The functions that may set it, too, and those that lead to the one in question.
    others: Vec<bool>,
    goals: &'w [bool],
}

impl Way<'_> {
    /// Whether the first value may be there at a call that leads to the function.
    fn is_alive_at_goal(&self) -> bool {
        let mut is_alive = vec![false; self.body.blocks.len()];
        let mut is_seen = is_alive.clone();
        is_alive[BlockId::ENTRY.index()] = true;
        let mut open = vec![BlockId::ENTRY];
        while let Some(block) = open.pop() {
            is_seen[block.index()] = true;
            let Ok(alive) = self.behind(block, is_alive[block.index()]) else { return true };
            for edge in self.body.blocks[block].terminator.edges() {
                let to = edge.to.index();
                if !is_seen[to] || alive && !is_alive[to] {
                    is_alive[to] |= alive;
                    open.push(edge.to);
                }
            }
        }
        false
    }

    /// Whether the first value may be there behind a block; an error where a goal meets it.
    fn behind(&self, block: BlockId, mut alive: bool) -> Result<bool, ()> {
        let row = &self.body.blocks[block];
        for number in row.first.0..row.end.0 {
            let inst = InstId(number);
            if self.set.contains(&inst) {
                alive = false;
            }
            alive |= self.reset.contains(&inst);
            let Inst::Call(call) = self.body.insts[inst] else { continue };
            let leads = |to: &[bool]| match self.body.calls[call].callee {
                Callee::Function(id) => {
                    to[self.world.program.function_number(self.module, id) as usize]
                }
                Callee::Pointer(_) => {
                    (0..).zip(to).any(|(it, &is_in)| is_in && self.world.callers.is_taken(it))
                }
            };
            let is_renewed = leads(&self.others);
            if leads(self.goals) && (alive || is_renewed) {
                return Err(());
            }
            alive |= is_renewed;
        }
        Ok(alive)
    }
}
