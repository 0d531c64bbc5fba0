//! The linear filter never disagrees with the solver (K6, K7): whatever it refutes on the single
//! paths of the suites, the solver refutes as well.

use caulk_driver::{Knowledge, queries};
use caulk_guard::bits::{Answer, Budget, solve};
use caulk_program::LinkUnit;
use caulk_testkit::suite::cases;

#[test]
fn the_filter_and_the_solver_agree() {
    let knowledge = Knowledge::bundled();
    let (mut refuted, mut undecided, mut solved) = (0, 0, 0);
    for (file, case) in cases("use_flow") {
        let unit = |module| LinkUnit { module, target: None };
        let units = case.modules().into_iter().map(unit).collect();
        for asked in queries(units, &knowledge) {
            for query in &asked.queries {
                let answer = solve(&asked.terms, &query.conditions, &Budget::default());
                match answer {
                    _ if !query.refuted_by_filter => solved += 1,
                    Answer::Unsat(_) => refuted += 1,
                    Answer::Unknown(_) => undecided += 1,
                    Answer::Sat(_) => {
                        let name = |number: u32| format!("s{number}");
                        let text = |&id| asked.terms.text(id, &name);
                        let told: Vec<String> = query.conditions.iter().map(text).collect();
                        panic!("{file}.md, {}, {}: {told:#?}", case.title, asked.function);
                    }
                }
            }
        }
    }
    println!("{refuted} refuted by both, {undecided} undecided; {solved} only asked of the solver");
    assert!(refuted > 100 && solved > 50, "{refuted} {solved}: too little was compared");
    assert!(undecided * 20 < refuted, "{undecided} of {refuted} are not decided");
}
