//! Points-to, case by case: `suites/pointer/*.md` holds prose, a C block, and what points where.
//! Both solvers must give every snapshot.

use caulk_driver::WholeProgram;
use caulk_pointer::{Options, naive, print};
use caulk_testkit::suite::{Case, check};

#[test]
fn every_case_points_as_its_snapshot_says() {
    check("pointer", 20, |case, _| solve(case));
}

fn solve(case: &Case) -> String {
    let whole = WholeProgram::of(case.modules());
    let input = whole.pointer_input();
    let fast = print(input, &whole.points_to, None);
    let slow = print(input, &naive(input, &Options::default()), None);
    assert_eq!(fast, slow, "{}: the solvers differ", case.title);
    fast
}
