//! Objects that a call made and left to its caller, against what its summary says they hold.

use std::collections::BTreeSet;

use caulk_summary::{Background, Held, Node, NodeId, Numbers, Summary};

/// An object, and the nodes of the summary that it may be.
pub struct Left {
    pub object: u32,
    nodes: BTreeSet<NodeId>,
}

impl Left {
    /// By what is held where the object was found.
    pub fn new(object: u32, summary: &Summary, helds: &[&Held]) -> Self {
        let nodes = helds.iter().flat_map(|held| &held.nodes);
        let nodes = nodes.filter_map(|&node| Some(part(summary, node)?.0)).collect();
        Self { object, nodes }
    }

    /// What the word there holds; none if that may be anything.
    pub fn word(&self, summary: &Summary, offset: i64) -> Option<Word> {
        let mut all = Word::default();
        for &node in &self.nodes {
            let word = word_of(summary, node, offset)?;
            all.helds.extend(word.helds);
            all.is_any_number |= word.is_any_number;
        }
        Some(all)
    }
}

#[derive(Default)]
pub struct Word {
    pub helds: Vec<Held>,
    /// Nobody is seen to write to it: what is read there is no address.
    pub is_any_number: bool,
}

fn word_of(summary: &Summary, node: NodeId, offset: i64) -> Option<Word> {
    let Node::Fresh(number) = summary.nodes[node] else { return None };
    let fresh = &summary.fresh[number as usize];
    let (mut helds, mut is_told, mut is_any_number) = (Vec::new(), false, false);
    for (cell, held) in &summary.cells {
        match part(summary, *cell).filter(|part| part.0 == node) {
            Some((_, Some(at))) if at == offset => {
                helds.push(held.clone());
                is_told = true;
            }
            // A smaller one in the same word.
            Some((_, Some(at))) if (offset - 7..offset + 8).contains(&at) => return None,
            Some((_, None)) => helds.push(held.clone()),
            _ => {}
        }
    }
    match fresh.background {
        _ if !fresh.moved_from.is_empty() => return None,
        Background::Unknown | Background::Initial if !is_told => return None,
        Background::Zero if !is_told => {
            helds.push(Held { numbers: Numbers::ZERO, nodes: Vec::new() });
        }
        Background::Uninitialised => is_any_number = !is_told,
        _ => {}
    }
    Some(Word { helds, is_any_number })
}

/// The fresh object that a node is in, and where; nowhere in particular for elements.
fn part(summary: &Summary, node: NodeId) -> Option<(NodeId, Option<i64>)> {
    match summary.nodes[node] {
        Node::Fresh(_) => Some((node, Some(0))),
        Node::Field(of, offset) => {
            let (object, at) = part(summary, of)?;
            Some((object, at.map(|at| at + offset)))
        }
        Node::Element(of) | Node::Contents(of) => Some((part(summary, of)?.0, None)),
        Node::Arg(_) | Node::Global | Node::Static(_) | Node::Explore(_) => None,
    }
}
