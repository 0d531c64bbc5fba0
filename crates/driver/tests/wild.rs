//! Pointers to too much, through memory and flow: with a limit of two objects.

use caulk_driver::{FactOptions, Meter, ProgramStage, Shown, WholeProgram, dump_program, printed};
use caulk_flow::{Flow, Precision, Reachability, Sources};
use caulk_models::Models;
use caulk_program::LinkUnit;

const PROGRAM: &str = "void *malloc(unsigned long); void free(void *);\n\
    static int *a, *b, *c, *other; static int n;\n\
    static void set(int **p, int *value) { *p = value; }\n\
    static void one(void) { n = 1; } static void two(void) { n = 2; }\n\
    int main(int argc, char **argv) {\n\
      set(&a, 0); set(&b, 0); set(&c, malloc(4));\n\
      other = malloc(4); free(other);\n\
      void (*run)(void) = argc > 1 ? one : two; run();\n\
      return *a; }\n";

fn whole(limit: usize) -> WholeProgram {
    let mut options = FactOptions::default();
    options.points_to.wild = limit;
    let module = caulk_testkit::module("case.c", PROGRAM);
    let units = vec![LinkUnit { module, target: None }];
    WholeProgram::new(units, &Models::bundled(), &options, Meter::NONE)
}

#[test]
fn what_wild_pointers_point_to_is_one_region() {
    let precise = whole(200);
    assert!(precise.memory().regions().wild().is_none());
    let whole = whole(2);
    let memory = whole.memory();
    let wild = memory.regions().wild().expect("set's parameter is wild");
    let points_to = &whole.points_to;
    let objects: Vec<_> = memory.regions().locations(wild).iter().collect();
    assert_eq!(objects.len(), 3, "a, b and c, and not other");
    assert!(
        objects
            .iter()
            .all(|&&at| points_to.wild_objects().contains(points_to.locations.object(at)))
    );
}

#[test]
fn flow_ends_in_wild_memory_and_goes_on_elsewhere() {
    let whole = whole(2);
    let memory = whole.memory();
    let flow = Flow::new(&memory);
    let reachability = Reachability::new(&flow, Precision::Full, 10_000);
    let released: Vec<bool> = Sources::new(&flow)
        .allocations
        .rows()
        .iter()
        .map(|source| reachability.forward(&source.nodes).expect("small"))
        .map(|reach| {
            assert!(reach.escapes.global);
            reach.sinks().next().is_some()
        })
        .collect();
    assert_eq!(released, [false, true]);
}

#[test]
fn dumps_tell_wild_sets_once() {
    let text =
        printed(|out| dump_program(&whole(2), ProgramStage::PointsTo, Shown::default(), out));
    assert!(text.contains("{wild}"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("wild -> ")).count(), 1, "{text}");
}
