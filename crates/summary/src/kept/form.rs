//! The serialised form of a summary. Procedures and static objects are in it by their stable names.

use std::sync::Arc;

use caulk_base::Table;
use caulk_ir::InstId;
use caulk_models::Resource;
use caulk_program::StaticId;

use crate::exec::{Made, Origin};
use crate::kept::bytes::{Reader, Writer};
use crate::kept::names::Names;
use crate::numbers::Numbers;
use crate::state::Background;
use crate::summary::{ExitEffects, Fresh, Held, Node, NodeId, Status, Summary};

pub fn write(summary: &Summary, names: &Names) -> Vec<u8> {
    let mut to = Writer::default();
    let Summary {
        nodes,
        names: members,
        fresh,
        cells,
        frees,
        escapes,
        result,
        exits,
        written,
        writes_more,
        returns,
        coarse,
        takes_more,
        is_rough,
    } = summary;
    to.all(nodes.rows(), |to, node| write_node(to, node, names));
    to.all(members.rows(), |to, name| to.option(name.as_ref(), |to, name| to.text(name)));
    to.all(fresh, |to, fresh| write_fresh(to, fresh, names));
    to.all(cells, |to, (node, held)| {
        write_id(to, *node);
        write_held(to, held);
    });
    to.all(frees, |to, (node, always)| {
        write_id(to, *node);
        to.flag(*always);
    });
    write_ids(&mut to, escapes);
    to.option(result.as_ref(), write_held);
    to.all(exits, write_exit);
    to.option(written.as_ref(), |to, ids| {
        to.all(ids, |to, &id| to.stable(names.of_static(id)));
    });
    [writes_more, returns, coarse, takes_more, is_rough]
        .into_iter()
        .for_each(|flag| to.flag(*flag));
    to.0
}

/// None if it names what the program does not have.
pub fn read(bytes: &[u8], names: &Names) -> Option<Summary> {
    let mut from = Reader(bytes);
    let summary = Summary {
        nodes: table(from.all(|from| read_node(from, names))?),
        names: table(from.all(|from| from.option(|from| from.text().map(Arc::from)))?),
        fresh: from.all(|from| read_fresh(from, names))?,
        cells: from.all(|from| Some((read_id(from)?, read_held(from)?)))?,
        frees: from.all(|from| Some((read_id(from)?, from.flag()?)))?,
        escapes: from.all(read_id)?,
        result: from.option(read_held)?,
        exits: from.all(read_exit)?,
        written: from.option(|from| read_written(from, names))?,
        writes_more: from.flag()?,
        returns: from.flag()?,
        coarse: from.flag()?,
        takes_more: from.flag()?,
        is_rough: from.flag()?,
    };
    from.0.is_empty().then_some(summary)
}

fn table<T>(rows: Vec<T>) -> Table<NodeId, T> {
    rows.into_iter().collect()
}

/// In the order of this run's ids.
fn read_written(from: &mut Reader<'_>, names: &Names) -> Option<Vec<StaticId>> {
    let mut ids = from.all(|from| names.object(from.stable()?))?;
    ids.sort_unstable();
    Some(ids)
}

fn write_id(to: &mut Writer, id: NodeId) {
    to.number(u64::from(id.0));
}

fn read_id(from: &mut Reader<'_>) -> Option<NodeId> {
    from.small().map(NodeId)
}

fn write_ids(to: &mut Writer, ids: &[NodeId]) {
    to.all(ids, |to, &id| write_id(to, id));
}

fn write_node(to: &mut Writer, node: &Node, names: &Names) {
    let (tag, number) = match *node {
        Node::Arg(number) => (0, number),
        Node::Fresh(number) => (1, number),
        Node::Global => (2, 0),
        Node::Static(_) => (3, 0),
        Node::Field(of, _) => (4, of.0),
        Node::Element(of) => (5, of.0),
        Node::Contents(of) => (7, of.0),
        Node::Explore(of) => (6, of.0),
    };
    to.number(tag);
    to.number(u64::from(number));
    match *node {
        Node::Static(id) => to.stable(names.of_static(id)),
        Node::Field(_, offset) => to.signed(offset),
        _ => {}
    }
}

fn read_node(from: &mut Reader<'_>, names: &Names) -> Option<Node> {
    let (tag, number) = (from.number()?, from.small()?);
    Some(match tag {
        0 => Node::Arg(number),
        1 => Node::Fresh(number),
        2 => Node::Global,
        3 => Node::Static(names.object(from.stable()?)?),
        4 => Node::Field(NodeId(number), from.signed()?),
        5 => Node::Element(NodeId(number)),
        7 => Node::Contents(NodeId(number)),
        6 => Node::Explore(NodeId(number)),
        _ => return None,
    })
}

fn write_fresh(to: &mut Writer, fresh: &Fresh, names: &Names) {
    write_made(to, &fresh.made, names);
    to.number(fresh.background as u64);
    write_ids(to, &fresh.moved_from);
    to.flag(fresh.multiple);
    to.option(fresh.status.as_ref(), write_status);
    to.flag(fresh.is_doubtful);
    to.all(&fresh.needs, |to, (number, status)| {
        to.number(u64::from(*number));
        write_status(to, status);
    });
}

fn write_status(to: &mut Writer, status: &Status) {
    write_numbers(to, &status.numbers);
    to.flag(status.is_address);
}

fn read_status(from: &mut Reader<'_>) -> Option<Status> {
    Some(Status { numbers: read_numbers(from)?, is_address: from.flag()? })
}

fn read_fresh(from: &mut Reader<'_>, names: &Names) -> Option<Fresh> {
    Some(Fresh {
        made: read_made(from, names)?,
        background: read_background(from)?,
        moved_from: from.all(read_id)?,
        multiple: from.flag()?,
        status: from.option(read_status)?,
        is_doubtful: from.flag()?,
        needs: from.all(|from| Some((from.small()?, read_status(from)?)))?,
    })
}

/// Summaries tell of what a cell replaces by nodes (`moved_from`), not by locations.
fn write_made(to: &mut Writer, made: &Made, names: &Names) {
    to.text(made.resource.name());
    to.all(&made.releases, |to, name| to.text(name));
    to.stable(names.of_proc(made.origin.proc));
    to.number(u64::from(made.origin.at.0));
    to.text(&made.origin.by);
}

fn read_made(from: &mut Reader<'_>, names: &Names) -> Option<Made> {
    Some(Made {
        resource: Resource::new(from.text()?),
        releases: from.all(|from| from.text().map(str::to_string))?,
        origin: Origin {
            proc: names.proc(from.stable()?)?,
            at: InstId(from.small()?),
            by: from.text()?.to_string(),
        },
        replaces: Vec::new(),
    })
}

fn read_background(from: &mut Reader<'_>) -> Option<Background> {
    use Background::{Initial, Uninitialised, Unknown, Zero};
    let number = from.number()?;
    [Uninitialised, Zero, Initial, Unknown].into_iter().find(|it| *it as u64 == number)
}

fn write_held(to: &mut Writer, held: &Held) {
    write_numbers(to, &held.numbers);
    write_ids(to, &held.nodes);
}

fn read_held(from: &mut Reader<'_>) -> Option<Held> {
    Some(Held { numbers: read_numbers(from)?, nodes: from.all(read_id)? })
}

fn write_exit(to: &mut Writer, exit: &ExitEffects) {
    to.option(exit.result.as_ref(), write_held);
    write_ids(to, &exit.frees);
    write_ids(to, &exit.escapes);
    to.flag(exit.allocates);
}

fn read_exit(from: &mut Reader<'_>) -> Option<ExitEffects> {
    Some(ExitEffects {
        result: from.option(read_held)?,
        frees: from.all(read_id)?,
        escapes: from.all(read_id)?,
        allocates: from.flag()?,
    })
}

fn write_numbers(to: &mut Writer, numbers: &Numbers) {
    numbers.bounds().into_iter().for_each(|bound| to.signed(bound));
}

fn read_numbers(from: &mut Reader<'_>) -> Option<Numbers> {
    let bounds = [from.signed()?, from.signed()?, from.signed()?, from.signed()?];
    Some(Numbers::of_bounds(bounds))
}
