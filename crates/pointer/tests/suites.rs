//! Points-to, case by case: `suites/pointer/*.md` holds prose, a C block, and what points where.
//! Both solvers must give every snapshot.

use caulk_driver::WholeProgram;
use caulk_pointer::{Names, Options, PointsTo, naive, print, printed};
use caulk_testkit::suite::{Case, check};

#[test]
fn every_case_points_as_its_snapshot_says() {
    check("pointer", 20, |case, _| solve(case));
}

fn solve(case: &Case) -> String {
    let whole = WholeProgram::of(case.modules());
    let input = whole.pointer_input();
    let text = |points_to: &PointsTo| printed(|out| print(Names { input, points_to }, None, out));
    let fast = text(&whole.points_to);
    let slow = text(&naive(input, &Options::default()));
    assert_eq!(fast, slow, "{}: the solvers differ", case.title);
    fast
}
