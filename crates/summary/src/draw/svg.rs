//! Drawings as one SVG picture: procedures one below the other, in each the shapes in columns by
//! their distance from the cells that nothing points to.

use std::cmp::Ordering;
use std::fmt::Write;

use caulk_program::Program;

use super::{Drawing, Edge, Shape, drawings};
use crate::check::Summaries;

const COLUMN: usize = 150;
const ROW: usize = 64;
/// From a shape's middle to its border, and of the picture's border.
const RADIUS: usize = 20;
const MARGIN: usize = 50;
const TITLE: usize = 30;

#[must_use]
pub fn draw_svg(program: &Program, summaries: &Summaries, function: Option<&str>) -> String {
    let (mut body, mut width, mut height) = (String::new(), 0, 0);
    for drawing in drawings(program, summaries, function) {
        let layout = Layout::new(&drawing);
        let _ = writeln!(body, "<g transform=\"translate(0 {height})\">");
        layout.write(&mut body);
        body.push_str("</g>\n");
        width = width.max(layout.width());
        height += layout.height();
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"13\">\n{DEFINITIONS}{body}</svg>\n"
    )
}

const DEFINITIONS: &str = "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
    markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n";

struct Layout<'d> {
    drawing: &'d Drawing,
    /// Column and row of each shape.
    places: Vec<(usize, usize)>,
}

impl<'d> Layout<'d> {
    fn new(drawing: &'d Drawing) -> Self {
        let columns = columns(drawing);
        let mut taken = vec![0; columns.iter().max().map_or(0, |last| last + 1)];
        let place = |&column: &usize| {
            taken[column] += 1;
            (column, taken[column] - 1)
        };
        Layout { drawing, places: columns.iter().map(place).collect() }
    }

    fn width(&self) -> usize {
        let last = self.places.iter().map(|place| place.0).max().unwrap_or(0);
        2 * MARGIN + last * COLUMN
    }

    fn height(&self) -> usize {
        let last = self.places.iter().map(|place| place.1 + 1).max().unwrap_or(0);
        TITLE + last * ROW + RADIUS
    }

    fn centre(&self, shape: usize) -> (usize, usize) {
        let (column, row) = self.places[shape];
        (MARGIN + column * COLUMN, TITLE + row * ROW + ROW / 2)
    }

    fn write(&self, text: &mut String) {
        let name = escaped(&self.drawing.procedure);
        let _ = writeln!(text, "<text x=\"8\" y=\"18\" font-weight=\"bold\">{name}</text>");
        self.drawing.edges.iter().for_each(|edge| self.edge(text, edge));
        for (number, shape) in self.drawing.shapes.iter().enumerate() {
            self.shape(text, self.centre(number), shape);
        }
    }

    fn shape(&self, text: &mut String, (x, y): (usize, usize), shape: &Shape) {
        let label = escaped(&shape.label);
        let look = "fill=\"white\" stroke=\"black\"";
        let _ = if shape.is_heap {
            writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" {look}/>")
        } else {
            let (left, top, side) = (x - 2 * RADIUS, y - RADIUS, 2 * RADIUS);
            let width = 4 * RADIUS;
            writeln!(
                text,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{side}\" {look}/>"
            )
        };
        let y = y + 4;
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>");
    }

    /// A bow between two borders; an edge to its own shape goes round above it.
    fn edge(&self, text: &mut String, edge: &Edge) {
        let dots = if edge.is_input { " stroke-dasharray=\"2 4\"" } else { "" };
        let (from, to) = (self.centre(edge.from), self.centre(edge.to));
        let (path, label) = if edge.from == edge.to { ring(from) } else { self.bow(edge) };
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"black\" marker-end=\"url(#tip)\"{dots}/>"
        );
        let (x, y) = (label.0, if to.1 < from.1 { label.1 + 14 } else { label.1 });
        let name = escaped(&edge.label);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>");
    }

    /// The path and the middle of its label.
    fn bow(&self, edge: &Edge) -> (String, (usize, usize)) {
        let ((x1, y1), (x2, y2)) = (self.centre(edge.from), self.centre(edge.to));
        let reach = |shape: usize| {
            if self.drawing.shapes[shape].is_heap { RADIUS } else { 2 * RADIUS }
        };
        let (out, inwards) = (reach(edge.from), reach(edge.to));
        let straight = (y1 + y2) / 2;
        let (start, end, bend) = match x1.cmp(&x2) {
            Ordering::Less => (x1 + out, x2 - inwards, ((x1 + x2) / 2, straight)),
            Ordering::Equal => (x1 + out, x2 + inwards, (x1 + COLUMN / 2, straight)),
            Ordering::Greater => {
                (x1 - out, x2 + inwards, ((x1 + x2) / 2, straight.saturating_sub(ROW / 2)))
            }
        };
        let (x, y) = bend;
        (format!("M{start} {y1}Q{x} {y} {end} {y2}"), (x, y.saturating_sub(6)))
    }
}

fn ring((x, y): (usize, usize)) -> (String, (usize, usize)) {
    let (left, right, top) = (x - RADIUS, x + RADIUS, y.saturating_sub(2 * RADIUS));
    (format!("M{left} {y}C{left} {top} {right} {top} {right} {y}"), (x, top + 6))
}

/// The distance of each shape from the roots, which are those that no other points to, and of what
/// only cycles reach, the first.
fn columns(drawing: &Drawing) -> Vec<usize> {
    let count = drawing.shapes.len();
    let mut columns: Vec<Option<usize>> = vec![None; count];
    let is_root = |shape: usize| !drawing.edges.iter().any(|e| e.to == shape && e.from != shape);
    let (roots, others): (Vec<usize>, Vec<usize>) = (0..count).partition(|&shape| is_root(shape));
    spread(drawing, &roots, &mut columns);
    for shape in others {
        if columns[shape].is_none() {
            spread(drawing, &[shape], &mut columns);
        }
    }
    columns.into_iter().map(Option::unwrap_or_default).collect()
}

fn spread(drawing: &Drawing, roots: &[usize], columns: &mut [Option<usize>]) {
    roots.iter().for_each(|&root| columns[root] = Some(0));
    let mut waiting: std::collections::VecDeque<usize> = roots.iter().copied().collect();
    while let Some(shape) = waiting.pop_front() {
        let next = columns[shape].map(|column| column + 1);
        for edge in drawing.edges.iter().filter(|edge| edge.from == shape) {
            if columns[edge.to].is_none() {
                columns[edge.to] = next;
                waiting.push_back(edge.to);
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(shapes: &[(bool, &str)], edges: &[(usize, usize)]) -> Drawing {
        let shape = |&(is_heap, label): &(bool, &str)| Shape { is_heap, label: label.into() };
        let edge = |&(from, to): &(usize, usize)| Edge {
            from,
            to,
            label: "next".into(),
            is_input: from == 0,
        };
        Drawing {
            procedure: "f".into(),
            shapes: shapes.iter().map(shape).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }

    #[test]
    fn columns_are_distances_and_cycles_have_one() {
        let list = drawing(
            &[(false, "arg1"), (true, ""), (true, "!"), (true, "")],
            &[(0, 1), (1, 2), (2, 1), (3, 3)],
        );
        assert_eq!(columns(&list), [0, 1, 2, 0]);
    }

    #[test]
    fn a_picture_has_every_shape_and_escapes_names() {
        let list = drawing(&[(false, "ret&"), (true, "!✕")], &[(0, 1), (1, 1)]);
        let mut text = String::new();
        Layout::new(&list).write(&mut text);
        assert_eq!((text.matches("<rect").count(), text.matches("<circle").count()), (1, 1));
        assert!(text.contains("ret&amp;") && text.contains("!✕"));
        assert_eq!(text.matches("stroke-dasharray").count(), 1);
    }
}
