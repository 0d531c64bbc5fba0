//! Whether running a mutant shows the defect that was planted: what is lost or freed twice in it
//! and not in the program as it was.

use super::driven::Driven;
use super::mutant::{Allocation, Mutant, Plant};
use super::target::Target;
use crate::lab::findings::Kind;
use crate::lab::runnable::measure::Lab;
use crate::lab::runnable::program::Program;
use crate::lab::runnable::truth::Observed;
use crate::tools::Scratch;
use std::path::{Path, PathBuf};

/// How the mutants of a program are run.
pub enum Confirmer {
    Runnable {
        lab: Lab,
        program: Program,
        before: Vec<Observed>,
        folder: PathBuf,
    },
    Driven(Box<Driven>),
    /// Nothing runs this program.
    None,
}

impl Confirmer {
    pub fn new(checkout: &Path, target: &Target, scratch: &Scratch) -> Result<Confirmer, String> {
        let Some(program) = target.runnable.clone() else {
            let driven = Driven::new(checkout, target, scratch)?;
            return Ok(driven.map_or(Confirmer::None, |driven| Confirmer::Driven(Box::new(driven))));
        };
        let lab = Lab::open(checkout)?;
        let folder = scratch.file(&program.name);
        let before = lab.defects(&program, &folder)?;
        Ok(Confirmer::Runnable { lab, program, before, folder })
    }

    /// Fills in what a run shows.
    pub fn confirm(&self, mutant: &mut Mutant, text: &str) -> Result<(), String> {
        let allocations = match self {
            Confirmer::None => return Ok(()),
            Confirmer::Driven(driven) => driven.new_defects(mutant, text)?,
            Confirmer::Runnable { lab, program, before, folder } => {
                let mutated = in_place_of(program, text, folder)?;
                // A mutant that does something else wrong is no evidence.
                let after = lab.defects(&mutated, folder).unwrap_or_default();
                new_allocations(mutant, before, &after)
            }
        };
        mutant.confirmed = Some(!allocations.is_empty());
        mutant.allocations = allocations;
        Ok(())
    }
}

/// The program with this text, in another folder under the same name.
fn in_place_of(program: &Program, text: &str, folder: &Path) -> Result<Program, String> {
    let source = folder.join(format!("{}.c", program.name));
    std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
    Ok(Program { source, ..program.clone() })
}

/// Whether a defect of this kind is what the plant is to cause.
pub fn is_meant(plant: Plant, kind: Kind) -> bool {
    (plant == Plant::Duplicated) == (kind == Kind::DoubleFree)
}

fn new_allocations(mutant: &Mutant, before: &[Observed], after: &[Observed]) -> Vec<Allocation> {
    let is_old =
        |row: &Observed| before.iter().any(|old| old.kind == row.kind && old.chain == row.chain);
    let fresh = after.iter().filter(|row| is_meant(mutant.plant, row.kind) && !is_old(row));
    let place = |frame: &crate::lab::runnable::frames::Frame| Allocation {
        file: mutant.file.clone(),
        function: frame.function.clone(),
        line: frame.line,
    };
    let mut all: Vec<Allocation> = fresh.flat_map(|row| row.chain.iter().map(place)).collect();
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::mutate::mutant::tests::mutant;
    use crate::lab::runnable::frames::Frame;

    #[test]
    fn only_what_is_new_and_meant_confirms() {
        let seen = |kind, line| Observed::new(kind, &[Frame::new("main", line)]);
        let before = [seen(Kind::Leak, 4)];
        let after = [seen(Kind::Leak, 4), seen(Kind::Leak, 5), seen(Kind::DoubleFree, 6)];
        let mut planted = mutant(Vec::new());
        let lines = |m: &Mutant| -> Vec<u32> {
            new_allocations(m, &before, &after).iter().map(|a| a.line).collect()
        };
        assert_eq!(lines(&planted), [5]);
        planted.plant = Plant::Duplicated;
        assert_eq!(lines(&planted), [6]);
    }
}
