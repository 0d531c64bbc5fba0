//! The fast solver: inclusion constraints on few variables, in topological order, by difference.
//!
//! 1. `substitute` makes one variable of those that must be equal, and drops the empty ones.
//! 2. `graph` holds the rest: a variable's set, what is new in it, copy edges, and uses (loads,
//!    stores, offsets, calls), which turn what is new into edges or into other new elements.
//! 3. Sweeps go through the variables in topological order of the copy and offset edges, and hand
//!    on only what is new. When enough edges have come, cycles of copies become one variable and
//!    the order is made anew.
//!
//! The order of everything is that of ids, so a run repeats exactly.

mod components;
mod copies;
mod forest;
mod graph;
mod memory;
mod pending;
mod set;
mod substitute;
mod sweep;
mod wild;

use crate::constraint::Constraint;
use crate::nodes::NodeId;
use crate::points_to::{PointsTo, finish};
use crate::rules::Rules;
use crate::statistics::Statistics;
use crate::wild::Wild;
use crate::{Input, Options};

pub(crate) use forest::Forest;
use graph::Solver;
use substitute::{Substitution, substitute};

/// The fast solver.
#[must_use]
pub fn inclusion(input: Input, options: &Options) -> PointsTo {
    let mut rules = Rules::new(input, *options);
    let mut constraints = std::mem::take(&mut rules.out);
    let count = rules.world.nodes.count();
    let Substitution { mut classes, points, substituted } =
        substitute(count, &constraints, &receives_more(&rules, count));
    let total = constraints.len();
    reduce(&mut constraints, &mut |node| {
        points[node.0 as usize].then(|| NodeId(classes.find(node.0)))
    });
    let mut solver = Solver::new(rules, classes, &points);
    solver.add_all(constraints);
    solver.run();
    let statistics = Statistics { constraints: total, substituted, ..solver.statistics() };
    let (rules, solution) = solver.into_solution();
    finish(rules, &solution, statistics)
}

/// The nodes that callees of indirect calls, unknown code or memory may add to.
fn receives_more(rules: &Rules, count: usize) -> Vec<bool> {
    let mut receives = vec![false; count];
    let mut mark = |node: Option<NodeId>| {
        if let Some(node) = node {
            receives[node.0 as usize] = true;
        }
    };
    let world = &rules.world;
    mark(Some(world.writable));
    let Wild { all, read, written } = world.wild;
    [all, read, written].into_iter().for_each(|node| mark(Some(node)));
    for loc in world.locations.ids() {
        mark(world.nodes.known_contents(loc));
    }
    for site in rules.sites.rows() {
        mark(site.result);
    }
    let input = world.input;
    // Copies too: a call through a pointer may have one of its own.
    let is_taken = |proc| input.calls.is_address_taken(proc);
    for (instance, row) in input.instances.rows.iter().filter(|(_, row)| is_taken(row.proc)) {
        let body = input.program.body(row.proc);
        for &param in body.params.iter().chain(&body.result_into) {
            mark(world.nodes.value(instance, param));
        }
    }
    for constraint in &rules.out {
        if let Constraint::Reach { to, .. } = *constraint {
            mark(Some(to));
        }
    }
    receives
}

/// Writes the constraints over what stands for their nodes; those that do nothing go.
fn reduce(constraints: &mut Vec<Constraint>, class: &mut impl FnMut(NodeId) -> Option<NodeId>) {
    let reduced = |constraint: Constraint| {
        Some(match constraint {
            Constraint::Address { to, loc } => Constraint::Address { to: class(to)?, loc },
            Constraint::Copy { to, from } => {
                let (to, from) = (class(to)?, class(from)?);
                (to != from).then_some(Constraint::Copy { to, from })?
            }
            Constraint::Offset { to, from, by } => {
                Constraint::Offset { to: class(to)?, from: class(from)?, by }
            }
            Constraint::Load { to, from } => {
                Constraint::Load { to: class(to)?, from: class(from)? }
            }
            Constraint::Store { to, from } => {
                Constraint::Store { to: class(to)?, from: class(from)? }
            }
            Constraint::CopyMemory { to, from, size } => {
                Constraint::CopyMemory { to: class(to)?, from: class(from)?, size }
            }
            Constraint::Reach { to, from } => {
                Constraint::Reach { to: class(to)?, from: class(from)? }
            }
            Constraint::Overwrite { through } => Constraint::Overwrite { through: class(through)? },
            Constraint::Indirect { callee, site } => {
                Constraint::Indirect { callee: class(callee)?, site }
            }
            Constraint::Escape { callee } => Constraint::Escape { callee: class(callee)? },
        })
    };
    *constraints = std::mem::take(constraints).into_iter().filter_map(reduced).collect();
    constraints.sort_unstable();
    constraints.dedup();
}
