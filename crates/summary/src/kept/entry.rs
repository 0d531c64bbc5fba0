//! What is kept of a look at a procedure: its summary, and what it adds to the verdicts.

use caulk_finding::{Finding, Site};
use caulk_ir::InstId;

use crate::categories::Filled;
use crate::check::Report;
use crate::kept::bytes::{Reader, Writer};
use crate::kept::names::{Names, Stable};

pub struct Entry<'a> {
    /// Of what the report tells; none where it tells no places.
    pub places: Option<Stable>,
    /// In its serialised form.
    pub summary: &'a [u8],
    pub report: Report,
}

pub fn write(places: Option<Stable>, summary: &[u8], report: &Report, names: &Names) -> Vec<u8> {
    let mut to = Writer::default();
    to.option(places.as_ref(), |to, &places| to.stable(places));
    to.block(summary);
    write_report(&mut to, report, names);
    to.0
}

impl<'a> Entry<'a> {
    pub fn read(bytes: &'a [u8], names: &Names) -> Option<Self> {
        let mut from = Reader(bytes);
        let entry = Self {
            places: from.option(Reader::stable)?,
            summary: from.block()?,
            report: read_report(&mut from, names)?,
        };
        from.0.is_empty().then_some(entry)
    }
}

fn write_report(to: &mut Writer, report: &Report, names: &Names) {
    let Report { findings, sites, unknown, gave_up, cut_short, steps, origins, categories } =
        report;
    to.all(unknown, |to, name| to.text(name));
    to.flag(*gave_up);
    to.flag(*cut_short);
    to.length(*steps);
    categories.iter().for_each(|is_filled| to.flag(*is_filled));
    to.all(origins, |to, &(proc, at)| {
        to.stable(names.of_proc(proc));
        to.number(u64::from(at.0));
    });
    // What has no JSON form is read as nothing, and so the entry as none.
    let told = serde_json::to_vec(&(findings, sites)).unwrap_or_default();
    to.block(if findings.is_empty() && sites.is_empty() { NOTHING } else { &told });
}

fn read_report(from: &mut Reader<'_>, names: &Names) -> Option<Report> {
    let unknown = from.all(|from| from.text().map(str::to_string))?;
    let (gave_up, cut_short) = (from.flag()?, from.flag()?);
    let steps = usize::try_from(from.number()?).ok()?;
    let mut categories = Filled::default();
    for is_filled in &mut categories {
        *is_filled = from.flag()?;
    }
    let origins = from.all(|from| Some((names.proc(from.stable()?)?, InstId(from.small()?))))?;
    let (findings, sites) = told(from.block()?)?;
    Some(Report { findings, sites, unknown, gave_up, cut_short, steps, origins, categories })
}

/// What most procedures tell.
const NOTHING: &[u8] = b"-";

fn told(bytes: &[u8]) -> Option<(Vec<Finding>, Vec<Site>)> {
    if bytes == NOTHING { Some(Default::default()) } else { serde_json::from_slice(bytes).ok() }
}
