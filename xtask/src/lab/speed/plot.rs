//! Growth of the time with the number of units, as an SVG picture.
//!
//! Both axes are logarithmic, so that growth by a power is a straight line, and a slope of one is
//! linear.

use super::Speed;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;
/// To the right of the lines, for their names.
const NAMES: f64 = 110.0;
const TOP: f64 = 30.0;
const COLOURS: [&str; 6] = ["#1b6ca8", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#34495e"];

/// A logarithmic axis, from powers of ten that enclose all values, onto pixels.
struct Axis {
    from: i32,
    to: i32,
    first: f64,
    last: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>, first: f64, last: f64) -> Axis {
        let (mut least, mut most) = (f64::MAX, f64::MIN);
        for value in values {
            (least, most) = (least.min(value), most.max(value));
        }
        let from = least.log10().floor() as i32;
        Axis { from, to: (most.log10().ceil() as i32).max(from + 1), first, last }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.from)) / f64::from(self.to - self.from);
        self.first + share * (self.last - self.first)
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        (self.from..=self.to).map(|power| 10_f64.powi(power))
    }
}

/// `None` if there is nothing to draw.
pub fn growth(title: &str, speeds: &[&Speed]) -> Option<String> {
    let drawn: Vec<&&Speed> = speeds.iter().filter(|speed| speed.growth.len() > 1).collect();
    if drawn.is_empty() {
        return None;
    }
    let parts = || drawn.iter().flat_map(|speed| &speed.growth);
    let x = Axis::around(parts().map(|part| part.units as f64), LEFT, WIDTH - NAMES);
    let y = Axis::around(parts().map(|part| seconds(part.figures.user)), HEIGHT - BOTTOM, TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    text(&mut svg, LEFT, 18.0, title);
    text(&mut svg, WIDTH - NAMES - 30.0, HEIGHT - 8.0, "units");
    text(&mut svg, 4.0, TOP - 10.0, "CPU, s");
    grid(&mut svg, &x, &y);
    for (speed, colour) in drawn.iter().zip(COLOURS.iter().cycle()) {
        line(&mut svg, speed, colour, &x, &y);
    }
    Some(svg + "</svg>\n")
}

/// A logarithm needs more than nothing.
fn seconds(user: f64) -> f64 {
    user.max(0.001)
}

fn grid(svg: &mut String, x: &Axis, y: &Axis) {
    for mark in x.marks() {
        let at = x.at(mark);
        stroke(svg, [at, y.first, at, y.last]);
        text(svg, at - 8.0, HEIGHT - BOTTOM + 16.0, &format!("{mark}"));
    }
    for mark in y.marks() {
        let at = y.at(mark);
        stroke(svg, [x.first, at, x.last, at]);
        text(svg, 8.0, at + 4.0, &format!("{mark}"));
    }
}

fn stroke(svg: &mut String, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>"
    );
}

fn text(svg: &mut String, x: f64, y: f64, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
}

fn line(svg: &mut String, speed: &Speed, colour: &str, x: &Axis, y: &Axis) {
    let place = |part: &super::Growth| (x.at(part.units as f64), y.at(seconds(part.figures.user)));
    let places: Vec<(f64, f64)> = speed.growth.iter().map(place).collect();
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>",
        points.join(" ")
    );
    if let Some((x, y)) = places.last() {
        text(svg, x + 4.0, y + 4.0, &speed.program);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::speed;
    use super::*;

    #[test]
    fn an_axis_goes_from_power_to_power() {
        let axis = Axis::around([3.0, 40.0].into_iter(), 50.0, 250.0);
        assert_eq!((axis.from, axis.to), (0, 2));
        assert_eq!((axis.at(1.0), axis.at(10.0), axis.at(100.0)), (50.0, 150.0, 250.0));
        assert_eq!(axis.marks().count(), 3);
    }

    #[test]
    fn every_program_is_a_line_with_its_name() {
        let (one, mut other) = (speed("a<b", 1.0), speed("zlib", 2.0));
        let svg = growth("Growth", &[&one, &other]).unwrap();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains(">a&lt;b</text>") && svg.contains(">zlib</text>"));
        other.growth.truncate(1);
        assert_eq!(growth("Growth", &[&other]), None);
    }
}
