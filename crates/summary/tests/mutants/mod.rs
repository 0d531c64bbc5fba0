//! Summaries that say less than they should: a word that is written and not told of, an address or
//! a number that is not among what is held, an exit that is left out, a static that is written. A
//! comparison with runs that cannot tell them from the right ones shows nothing.

use std::sync::Arc;

use caulk_program::{ProcId, StaticId};
use caulk_summary::{Held, Node, NodeId, Summaries, Summary};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Less {
    /// A cell is not told of.
    Word,
    /// The last address that a cell, or the result, may hold.
    Address,
    /// The largest number that a cell, or the result, may hold.
    Number,
    /// The last exit.
    Exit,
    /// The last static that is written.
    Static,
}

/// All summaries of a program, of which one says less.
pub fn mutants(summaries: &Summaries) -> Vec<(Less, Summaries)> {
    let mut all = Vec::new();
    for (proc, summary) in summaries.iter().filter(|row| !row.1.coarse && row.1.returns) {
        let rows = of_one(summary).into_iter();
        all.extend(rows.map(|(less, mutant)| (less, with(summaries, proc, mutant))));
    }
    all
}

fn with(summaries: &Summaries, proc: ProcId, mutant: Summary) -> Summaries {
    let mut all = summaries.clone();
    all[proc] = Arc::new(mutant);
    all
}

fn of_one(summary: &Summary) -> Vec<(Less, Summary)> {
    let mut all = Vec::new();
    for at in 0..summary.cells.len() {
        let held = summary.cells[at].1.clone();
        let mutant = without_word(summary, at);
        all.push((Less::Word, mutant));
        for (less, held) in of_held(&held) {
            let mut mutant = summary.clone();
            mutant.cells[at].1 = held;
            all.push((less, mutant));
        }
    }
    for (less, held) in summary.result.iter().flat_map(of_held) {
        let result = Some(held);
        all.push((less, Summary { result, ..summary.clone() }));
    }
    let mut fewer = summary.clone();
    if fewer.exits.pop().is_some() && !fewer.exits.is_empty() {
        all.push((Less::Exit, fewer));
    }
    let mut fewer = summary.clone();
    if fewer.written.as_mut().and_then(Vec::pop).is_some() && !fewer.writes_more {
        all.push((Less::Static, fewer));
    }
    all
}

/// Not told of; elements and contents of one object are one word, and a static of which nothing is
/// told is not written.
fn without_word(summary: &Summary, at: usize) -> Summary {
    let mut mutant = summary.clone();
    let cell = mutant.cells.remove(at).0;
    if let Some(object) = array(summary, cell) {
        mutant.cells.retain(|row| array(summary, row.0) != Some(object));
    }
    if let (Some(id), Some(written)) = (static_of(summary, cell), &mut mutant.written) {
        let is_told = mutant.cells.iter().any(|row| static_of(summary, row.0) == Some(id));
        written.retain(|&it| is_told || it != id);
    }
    mutant
}

/// The object of which a node is somewhere.
fn array(summary: &Summary, node: NodeId) -> Option<NodeId> {
    match summary.nodes[node] {
        Node::Element(of) | Node::Contents(of) => array(summary, of).or(Some(object(summary, of))),
        Node::Field(of, _) => array(summary, of),
        _ => None,
    }
}

fn object(summary: &Summary, node: NodeId) -> NodeId {
    match summary.nodes[node] {
        Node::Element(of) | Node::Contents(of) | Node::Field(of, _) => object(summary, of),
        _ => node,
    }
}

fn static_of(summary: &Summary, node: NodeId) -> Option<StaticId> {
    match summary.nodes[object(summary, node)] {
        Node::Static(id) => Some(id),
        Node::Explore(of) => static_of(summary, of),
        _ => None,
    }
}

/// Without its last address, and without its largest number.
fn of_held(held: &Held) -> Vec<(Less, Held)> {
    let mut all = Vec::new();
    let mut fewer = held.clone();
    if fewer.nodes.pop().is_some() {
        all.push((Less::Address, fewer));
    }
    if let Some(most) = held.numbers.high().filter(|&most| most != i64::MAX) {
        let numbers = held.numbers.without(most);
        all.push((Less::Number, Held { numbers, ..held.clone() }));
    }
    all
}
