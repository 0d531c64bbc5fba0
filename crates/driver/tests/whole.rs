//! The ten whole cases, followed through every dump.

use caulk_driver::{DumpFormat, ProgramStage, Shown, WholeProgram, dump_program, printed};
use caulk_testkit::suite::{Case, check};

fn facts(case: &Case) -> WholeProgram {
    WholeProgram::of(case.modules())
}

fn stage(fence: &str) -> ProgramStage {
    match fence {
        "callgraph" => ProgramStage::CallGraph,
        "points-to" => ProgramStage::PointsTo,
        "memory" => ProgramStage::Memory,
        "flow" => ProgramStage::Flow,
        "uses" => ProgramStage::Uses,
        "slice" => ProgramStage::Slice,
        "holders" => ProgramStage::Holders,
        other => panic!("no stage is called {other}"),
    }
}

fn dump(whole: &WholeProgram, fence: &str, shown: Shown) -> String {
    printed(|out| dump_program(whole, stage(fence), shown, out))
}

#[test]
fn every_stage_says_what_the_snapshots_say() {
    check("whole", 10, |case, fence| dump(&facts(case), fence, Shown::default()));
}

#[test]
fn every_stage_has_dot_and_json() {
    let text = "void *malloc(unsigned long); void free(void *);\n\
        int main(void) { char *p = malloc(1); free(p); return 0; }\n";
    let files = vec![("a.c".to_string(), text.to_string())];
    let case = Case { title: "formats".into(), files, snapshots: Vec::new() };
    let whole = facts(&case);
    for fence in ["callgraph", "points-to", "memory", "flow", "uses", "slice", "holders"] {
        let json = dump(&whole, fence, Shown { function: None, format: DumpFormat::Json });
        let value: serde_json::Value =
            serde_json::from_str(&json).unwrap_or_else(|error| panic!("{fence}: {error}\n{json}"));
        assert!(value.is_object() || value.is_array());
        let of_main = Shown { function: Some("main"), format: DumpFormat::Dot };
        let dot = dump(&whole, fence, of_main);
        assert!(dot.contains("digraph"), "{fence}: {dot}");
    }
}
