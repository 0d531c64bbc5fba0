//! Wrappers, case by case: `suites/wrappers/*.md` holds prose, C, and under the fence `wrappers`
//! one line for each function that allocates, reallocates or releases for its callers.
//! `CAULK_BLESS=1` writes them anew.

use std::fmt::Write;

use caulk_models::Models;
use caulk_program::{
    DirectCalls, ExternalModels, LinkUnit, ParamMask, Program, Wrapper, Wrappers, indirect_targets,
    link,
};
use caulk_testkit::suite::{Case, check};

#[test]
fn every_wrapper_does_what_its_snapshot_says() {
    check("wrappers", 9, produce);
}

fn produce(case: &Case, fence: &str) -> String {
    assert_eq!(fence, "wrappers", "{}", case.title);
    let unit = |module| LinkUnit { module, target: None };
    let program = link(case.modules().into_iter().map(unit).collect());
    let calls = DirectCalls::new(&program);
    let externals = ExternalModels::new(&program, &Models::bundled());
    let wrappers = Wrappers::new(&program, &calls, &externals, &indirect_targets(&program));
    show(&program, &wrappers)
}

fn show(program: &Program, wrappers: &Wrappers) -> String {
    let mut text = String::new();
    for (proc, wrapper) in wrappers.iter() {
        let _ = writeln!(text, "{}: {}", program.procs[proc].name, effects(wrapper));
    }
    text
}

fn effects(wrapper: &Wrapper) -> String {
    let mut parts = Vec::new();
    let mut add = |name: &str, is: bool| parts.extend(is.then(|| name.to_string()));
    add("returns fresh", wrapper.returns_fresh);
    add("builds members", wrapper.builds_members);
    let masks = [
        ("stores fresh through", wrapper.stores_fresh),
        ("frees", wrapper.frees),
        ("frees inside", wrapper.frees_inside),
        ("reallocates", wrapper.reallocates),
        ("returns", wrapper.returns_param),
    ];
    let masked = masks.iter().filter(|(_, mask)| *mask != 0);
    parts.extend(masked.map(|(name, mask)| format!("{name} {}", parameters(*mask))));
    if parts.is_empty() { "nothing".to_string() } else { parts.join(", ") }
}

fn parameters(mask: ParamMask) -> String {
    let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
    bits.map(|bit| format!("#{}", bit + 1)).collect::<Vec<_>>().join(" ")
}
