//! Use-flow graphs against their definition: an edge wherever control can go from a vertex to
//! another with none between, found by walking the points of the function one by one. On random
//! programs; what must hold is also checked to be among what may.

mod facts;
mod random_c;

use std::collections::{BTreeMap, BTreeSet};

use caulk_flow::{
    DeathKind, Flow, Format, Holders, Last, Point, Precision, Reachability, Shown, Sources,
    Tracked, UseFlow, UseId, print_holders, print_uses,
};
use caulk_ir::BlockId;
use caulk_pointer::printed;
use caulk_program::InstanceId;
use facts::Facts;
use random_c::RandomC;

#[test]
fn edges_are_those_of_the_definition() {
    let mut edges = 0;
    for_random_programs(120, |flow, tracked, instance| {
        let graph = UseFlow::new(flow, tracked, instance);
        for id in graph.vertices.ids() {
            let sparse: BTreeSet<UseId> = graph.successors(id).iter().copied().collect();
            assert_eq!(sparse, Walk::new(flow, &graph).from(id), "{id} of {:?}", graph.vertices);
            edges += sparse.len();
        }
    });
    assert!(edges > 1000, "only {edges} edges");
}

#[test]
fn what_must_hold_may_hold_and_who_surely_loses_held() {
    let mut checked = 0;
    for_random_programs(120, |flow, tracked, instance| {
        let holders = Holders::new(flow, tracked, instance);
        for block in flow.memory.body(instance).blocks.ids() {
            for point in points(flow, instance, block) {
                let may = holders.may_hold(point);
                assert!(holders.must_hold(point).iter().all(|it| may.contains(it)));
                checked += may.len();
            }
        }
        for death in holders.deaths() {
            let before = holders.may_hold(death.point);
            let is_lost = death.last == Last::Surely && !death.kind.is_transfer();
            let known = before.contains(&death.holder) || death.kind == DeathKind::Dropped;
            assert!(!is_lost || known, "{death:?} is lost, but {before:?} held");
        }
    });
    assert!(checked > 1000, "only {checked} holders");
}

#[test]
fn prints_are_the_same_every_time() {
    let c = RandomC::new(7, true).program();
    let print = || {
        Facts::new(vec![caulk_testkit::module("random.c", &c)]).with(|flow, names| {
            let sources = Sources::new(flow);
            let dot = Shown { function: None, format: Format::Dot };
            let text = Shown::default();
            let holders = printed(|out| print_holders(flow, names, &sources, text, out));
            holders + &printed(|out| print_uses(flow, names, &sources, dot, out))
        })
    };
    assert_eq!(print(), print());
}

fn for_random_programs(count: u64, mut visit: impl FnMut(&Flow, &Tracked, InstanceId)) {
    for seed in 0..count {
        let c = RandomC::new(seed, seed % 3 == 0).program();
        Facts::new(vec![caulk_testkit::module("random.c", &c)]).with(|flow, names| {
            let sources = Sources::new(flow);
            let reachability = Reachability::new(flow, Precision::Full, 20_000);
            let heap = names.points_to.objects.iter().filter(|(_, row)| row.kind.is_heap());
            for (object, _) in heap {
                if let Ok(Some(tracked)) = Tracked::new(&reachability, &sources, object) {
                    for instance in tracked.instances(flow) {
                        visit(flow, &tracked, instance);
                    }
                }
            }
        });
    }
}

/// All points of a block, in order.
fn points(flow: &Flow, instance: InstanceId, block: BlockId) -> Vec<Point> {
    let entry = (block == BlockId::ENTRY).then_some(Point::Entry);
    let insts = flow.memory.body(instance).blocks[block].insts().map(Point::Inst);
    let inside = std::iter::once(Point::Start(block)).chain(insts);
    entry.into_iter().chain(inside).chain([Point::Terminator(block)]).collect()
}

/// The naive construction.
struct Walk<'a, 'm, 'p> {
    flow: &'a Flow<'m, 'p>,
    instance: InstanceId,
    vertices: BTreeMap<Point, UseId>,
}

impl<'a, 'm, 'p> Walk<'a, 'm, 'p> {
    fn new(flow: &'a Flow<'m, 'p>, graph: &UseFlow) -> Self {
        let vertices = graph.vertices.iter().map(|(id, vertex)| (vertex.point, id)).collect();
        Self { flow, instance: graph.instance, vertices }
    }

    fn from(&self, start: UseId) -> BTreeSet<UseId> {
        let point = self.vertices.iter().find(|(_, id)| **id == start).map(|(point, _)| *point);
        let point = point.expect("a vertex has a point");
        let block = match point {
            Point::Entry => BlockId::ENTRY,
            Point::Start(block) | Point::Terminator(block) => block,
            Point::Inst(inst) => self.flow.memory.facts(self.instance).block_of(inst),
        };
        let here = points(self.flow, self.instance, block);
        let at = here.iter().position(|it| *it == point).expect("a point of its block");
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut work = vec![(block, here[at + 1..].to_vec())];
        while let Some((block, rest)) = work.pop() {
            match rest.iter().find_map(|it| self.vertices.get(it)) {
                Some(&next) => {
                    found.insert(next);
                }
                None => {
                    let row = &self.flow.memory.body(self.instance).blocks[block];
                    for to in row.terminator.edges().map(|edge| edge.to) {
                        if seen.insert(to) {
                            work.push((to, points(self.flow, self.instance, to)));
                        }
                    }
                }
            }
        }
        found
    }
}
