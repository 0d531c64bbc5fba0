//! Z3 and the bit-blaster decide every path condition of the suites, and agree (K7).

use caulk_driver::{Knowledge, queries};
use caulk_guard::bits::{Answer, Budget, solve};
use caulk_oracle::Z3;
use caulk_program::LinkUnit;
use caulk_testkit::suite::cases;

#[derive(Default)]
struct Tally {
    satisfiable: usize,
    unsatisfiable: usize,
    /// By the bit-blaster's budget, and by Z3's.
    ours: usize,
    theirs: usize,
}

#[test]
fn both_solvers_agree_on_the_suites() {
    let knowledge = Knowledge::bundled();
    let mut tally = Tally::default();
    for (file, case) in cases("use_flow") {
        let unit = |module| LinkUnit { module, target: None };
        let units = case.modules().into_iter().map(unit).collect();
        for asked in queries(units, &knowledge) {
            let mut z3 = Z3::new(&asked.terms);
            for query in &asked.queries {
                let ours = solve(&asked.terms, &query.conditions, &Budget::default());
                match (ours, z3.is_satisfiable(&query.conditions)) {
                    (Answer::Sat(_), Some(true)) => tally.satisfiable += 1,
                    (Answer::Unsat(_), Some(false)) => tally.unsatisfiable += 1,
                    (Answer::Unknown(_), _) => tally.ours += 1,
                    (_, None) => tally.theirs += 1,
                    (ours, theirs) => {
                        let name = |number: u32| format!("s{number}");
                        let text = |&id| asked.terms.text(id, &name);
                        let told: Vec<String> = query.conditions.iter().map(text).collect();
                        let place = format!("{file}.md, {}, {}", case.title, asked.function);
                        panic!("{place}: {ours:?}, but Z3 says {theirs:?} of {told:#?}");
                    }
                }
            }
        }
    }
    let Tally { satisfiable, unsatisfiable, ours, theirs } = tally;
    println!(
        "both: {satisfiable} satisfiable, {unsatisfiable} not; undecided: {ours} by the \
         bit-blaster, {theirs} by Z3"
    );
    assert!(satisfiable > 50 && unsatisfiable > 100, "too little was compared");
    assert!((ours + theirs) * 20 < satisfiable + unsatisfiable, "too much is undecided");
}
