//! Figure 5 against a search over all walks that use each edge once.

use caulk_flow::{Atoms, Decisions, Guards, Step, Target, ValueGraph, vguards};
use caulk_guard::GuardId;

use crate::random::{
    PROC, Random, each_choice, evaluate, program_of, random_body, random_point, unlimited,
};

struct Slice {
    edges: Vec<Vec<(usize, Step)>>,
}

impl ValueGraph for Slice {
    fn node_count(&self) -> usize {
        self.edges.len()
    }

    fn edges(&self, node: usize) -> Vec<(usize, Step)> {
        self.edges[node].clone()
    }
}

fn random_slice(random: &mut Random, body: &caulk_ir::Body) -> Slice {
    let count = 1 + random.below(6);
    let mut edges = vec![Vec::new(); count];
    for _ in 0..random.below(2 * count + 1) {
        let (from, to) = (random.below(count), random.below(count));
        let step = match random.percent(25) {
            true => Step::Always,
            false => Step::Reach {
                proc: PROC,
                from: random_point(random, body),
                to: Target::Point(random_point(random, body)),
            },
        };
        edges[from].push((to, step));
    }
    Slice { edges }
}

/// vg of Figure 5 under one assignment; `open` tells which edges may be passed.
fn vg(open: &[Vec<(usize, bool)>], n: usize, m: usize, taken: &mut Vec<(usize, usize)>) -> bool {
    if n == m {
        return true;
    }
    for (index, &(next, passes)) in open[n].iter().enumerate() {
        if passes && !taken.contains(&(n, index)) {
            taken.push((n, index));
            let found = vg(open, next, m, taken);
            taken.pop();
            if found {
                return true;
            }
        }
    }
    false
}

#[test]
fn random_slices_as_brute_force() {
    let mut interesting = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let program = program_of(random_body(&mut random));
        let body = program.body(PROC);
        let atoms = Atoms::new(&program);
        let mut guards = Guards::new(&program, &atoms, unlimited());
        let none = Decisions::default();
        let slice = random_slice(&mut random, body);
        let found = vguards(&mut guards, &slice, &[0], &none);
        interesting += found.iter().filter(|&&g| g != GuardId::TRUE && g != GuardId::FALSE).count();
        let conditions: Vec<Vec<(usize, GuardId)>> = slice
            .edges
            .iter()
            .map(|edges| {
                let guard = |step: &Step| match step {
                    Step::Always => GuardId::TRUE,
                    Step::Reach { proc, from, to } => guards.cguard(*proc, *from, to, &none),
                    Step::Through { .. } => unreachable!("random slices have no webs"),
                };
                let mut guard = guard;
                edges.iter().map(|(to, step)| (*to, guard(step))).collect()
            })
            .collect();
        each_choice(&mut random, body, |choices| {
            let value = |guard| evaluate(&guards.formulas, &atoms, guard, choices).unwrap();
            let open: Vec<Vec<(usize, bool)>> = conditions
                .iter()
                .map(|edges| edges.iter().map(|&(to, guard)| (to, value(guard))).collect())
                .collect();
            for (node, &guard) in found.iter().enumerate() {
                assert_eq!(value(guard), vg(&open, 0, node, &mut Vec::new()), "seed {seed}");
            }
        });
    }
    assert!(interesting > 250, "{interesting}");
}
