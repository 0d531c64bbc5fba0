//! The nodes of a summary in the memory at the beginning of one call.

use caulk_base::{FxHashMap, Id};
use caulk_interp::{Look, Place, Seen};
use caulk_program::StaticId;
use caulk_summary::{Node, NodeId, Summary};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// The cell of a parameter, which no program can name: what it held.
    Parameter(Seen),
    At(Place),
    /// Somewhere in an object.
    In(u32),
    /// What the call makes.
    Fresh,
    /// No address was there.
    Nothing,
    /// All that globals reach, or more than one thing.
    Anything,
}

impl Image {
    pub fn object(&self) -> Option<u32> {
        match self {
            Image::At(place) => Some(place.object),
            Image::In(object) => Some(*object),
            _ => None,
        }
    }
}

pub fn images(
    summary: &Summary,
    arguments: &[Seen],
    into: Option<Seen>,
    statics: &FxHashMap<StaticId, u32>,
    look: &Look<'_>,
) -> Vec<Image> {
    let mut all: Vec<Image> = Vec::with_capacity(summary.nodes.len());
    for (_, node) in summary.nodes.iter() {
        let of = |node: NodeId| all[node.index()];
        let image = match *node {
            Node::Arg(u32::MAX) => into.map_or(Image::Anything, Image::Parameter),
            Node::Arg(number) => {
                arguments.get(number as usize).map_or(Image::Anything, |&it| Image::Parameter(it))
            }
            Node::Fresh(_) => Image::Fresh,
            Node::Global => Image::Anything,
            Node::Static(id) => statics
                .get(&id)
                .map_or(Image::Anything, |&object| Image::At(Place { object, offset: 0 })),
            Node::Field(base, offset) => member(of(base), offset),
            Node::Element(base) | Node::Contents(base) => somewhere(of(base)),
            // Where access paths are bounded, one explore-address stands for what follows, too.
            Node::Explore(cell) => match of(cell) {
                Image::At(_) if summary.is_rough => Image::Anything,
                image => explored(image, look),
            },
        };
        all.push(image);
    }
    all
}

fn member(base: Image, offset: i64) -> Image {
    match base {
        Image::At(place) => Image::At(Place { offset: place.offset.wrapping_add(offset), ..place }),
        Image::Parameter(_) => Image::Anything,
        other => other,
    }
}

fn somewhere(base: Image) -> Image {
    match base {
        Image::At(place) => Image::In(place.object),
        Image::Parameter(_) => Image::Anything,
        other => other,
    }
}

fn explored(cell: Image, look: &Look<'_>) -> Image {
    let seen = match cell {
        Image::Parameter(seen) => Some(seen),
        Image::At(place) => look.cell(place, 8),
        Image::Nothing => None,
        Image::In(_) | Image::Fresh | Image::Anything => return Image::Anything,
    };
    match seen {
        Some(Seen::Address(place)) => Image::At(place),
        _ => Image::Nothing,
    }
}

/// Whether no two ways lead to one object.
pub fn are_apart(summary: &Summary, images: &[Image]) -> bool {
    let rows = summary.nodes.iter().zip(images);
    let is_way = |node: &Node| matches!(node, Node::Explore(_) | Node::Static(_));
    let mut objects: Vec<u32> = rows
        .filter(|((_, node), _)| is_way(node))
        .filter_map(|(_, image)| match image {
            Image::At(place) => Some(place.object),
            _ => None,
        })
        .collect();
    objects.sort_unstable();
    objects.windows(2).all(|pair| pair[0] != pair[1])
}
