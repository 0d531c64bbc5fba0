//! What engines that need no points-to make of each procedure, as text for developers.

use caulk_flow::Format;
use caulk_program::LinkUnit;

use crate::engines::{Knowledge, Searched};
use crate::whole_program::Meter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineStage {
    Summary,
    /// Summaries as an SVG picture, whatever the format.
    SummaryPicture,
    /// Contexts, heaps and leaks of the symbolic engine; only as text.
    Symbolic,
}

/// The stage for all functions, or for those with a name; none if there is none with it.
#[must_use]
pub fn dump_engine(
    units: Vec<LinkUnit>,
    knowledge: &Knowledge,
    stage: EngineStage,
    function: Option<&str>,
    format: Format,
) -> Option<String> {
    let searched = Searched::new(units, knowledge, Meter::NONE);
    let program = &searched.program;
    if !searched.has(function) {
        return None;
    }
    if stage == EngineStage::Symbolic {
        return Some(symbolic(&searched, function));
    }
    let options = caulk_summary::Options::default();
    let summaries = caulk_summary::summarise_all(searched.summary_input(None), &options);
    Some(match (stage, format) {
        (EngineStage::SummaryPicture, _) => caulk_summary::draw_svg(program, &summaries, function),
        (_, Format::Text) => caulk_summary::print(program, &summaries, function),
        (_, Format::Dot) => caulk_summary::draw(program, &summaries, function),
        (_, Format::Json) => caulk_summary::print_json(program, &summaries, function),
    })
}

fn symbolic(searched: &Searched, function: Option<&str>) -> String {
    let input = searched.symbolic_input();
    caulk_symbolic_heap::print(input, &caulk_symbolic_heap::Options::default(), function)
}
