//! A dump of a whole program follows each allocation for so many steps, and tells which go
//! further; asked for one function, it follows what that function allocates.

use std::fmt::Write;

use caulk_driver::{DumpFormat, ProgramStage, Shown, WholeProgram, dump_program, printed};
use caulk_testkit::module;

const STAGES: [ProgramStage; 4] =
    [ProgramStage::Flow, ProgramStage::Slice, ProgramStage::Uses, ProgramStage::Holders];

/// `far` hands its block down a long chain of functions, `near` frees its own.
fn program(length: usize) -> WholeProgram {
    let mut text = String::from(
        "void *malloc(unsigned long); void free(void *);\n\
         void f0(char *p) { free(p); }\n",
    );
    for at in 1..=length {
        let _ = writeln!(text, "void f{at}(char *p) {{ f{}(p); }}", at - 1);
    }
    let _ = writeln!(text, "void near(void) {{ char *p = malloc(1); free(p); }}");
    let _ = writeln!(text, "void far(void) {{ char *p = malloc(2); f{length}(p); }}");
    WholeProgram::of(vec![module("chain.c", &text)])
}

fn dump(whole: &WholeProgram, stage: ProgramStage, function: Option<&str>) -> String {
    let shown = Shown { function, format: DumpFormat::Text };
    printed(|out| dump_program(whole, stage, shown, out))
}

#[test]
fn what_goes_far_is_told_and_not_followed() {
    let whole = program(1_100);
    for stage in STAGES {
        let text = dump(&whole, stage, None);
        assert!(text.lines().count() < 100, "{stage:?}: {} lines", text.lines().count());
        assert!(text.contains("further than") || text.contains("too many places"), "{text}");
        assert!(text.contains("near"), "{stage:?}: {text}");
    }
}

#[test]
fn a_function_that_is_asked_for_is_followed() {
    let whole = program(1_100);
    for stage in [ProgramStage::Flow, ProgramStage::Slice] {
        let text = dump(&whole, stage, Some("far"));
        assert!(!text.contains("further than"), "{stage:?}: {text}");
    }
    let slice = dump(&whole, ProgramStage::Slice, Some("far"));
    assert!(slice.contains("released") && slice.contains("f1100"), "{slice}");
}

#[test]
fn what_is_near_is_followed_everywhere() {
    let whole = program(10);
    for stage in STAGES {
        let text = dump(&whole, stage, None);
        assert!(!text.contains("further than") && !text.contains("too many"), "{text}");
        assert!(text.contains("f10"), "{stage:?}: {text}");
    }
}
