use caulk_models::Models;
use caulk_program::{DirectCalls, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_symbolic_heap::state::{Evaluator, Input, Options};
#[test]
fn show() {
    let Ok(file) = std::env::var("SHOW") else { return };
    let text = std::fs::read_to_string(&file).unwrap();
    let module = caulk_testkit::module("case.c", &text);
    let program = link(vec![LinkUnit { module, target: None }]);
    let models = Models::bundled();
    let externals = ExternalModels::new(&program, &models);
    let calls = DirectCalls::new(&program);
    let indirect = indirect_targets(&program);
    let input = Input { program: &program, externals: &externals, calls: &calls, indirect: &indirect };
    let options = Options::default();
    for proc in program.procs.ids() {
        let mut e = Evaluator::new(input, &options);
        let a = e.analyse(proc);
        println!("== {} work {} stop {:?}", program.procs[proc].name, e.space.work, a.stop);
        for x in &a.exits {
            println!("exit -> {:?} approx {:?}", x.value.map(|v| e.text(v)), x.context.approximate);
            for c in &x.context.facts.conditions { println!("   when {}", e.condition_text(*c)); }
            for c in &x.context.facts.in_all_turns { println!("   for all {} < {}: {}", e.space.symbols[c.index].name, e.text(c.count), e.condition_text(c.fact)); }
            println!("   {}", e.heap_text(x.context.heap));
        }
        for l in &a.leaks {
            println!("LEAK {} when {} range {:?} {:?} approx {:?}", e.place_text(e.sites[l.site].at), e.condition_text(l.condition),
              l.range.map(|r| (e.text(r.low), e.text(r.high), e.text(r.count))), l.lost, l.approximate);
        }
    }
}
