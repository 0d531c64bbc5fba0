//! Which mutants of a program are made: the same ones for the same seed, evenly over the plants.

use super::mutant::{Mutant, Plant};
use super::releases::Release;
use super::target::Target;
use super::{plant, source};
use crate::tools::Scratch;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A mutant with the text that it makes.
pub struct Made {
    pub mutant: Mutant,
    pub text: String,
}

/// At most `count` mutants that compile.
pub fn sample(
    target: &Target,
    scratch: &Scratch,
    count: usize,
    seed: u64,
) -> Result<Vec<Made>, String> {
    let releases = target.releases(scratch)?;
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for release in &releases {
        if !texts.contains_key(&release.file) {
            let bytes = std::fs::read(&release.file).unwrap_or_default();
            texts.insert(release.file.clone(), String::from_utf8(bytes).unwrap_or_default());
        }
    }
    let mut queues: Vec<Vec<Made>> =
        Plant::ALL.iter().map(|&plant| candidates(target, &releases, &texts, plant)).collect();
    let mut numbers = Numbers(seed);
    queues.iter_mut().for_each(|queue| numbers.shuffle(queue));
    let mut made: Vec<Made> = Vec::new();
    while made.len() < count && queues.iter().any(|queue| !queue.is_empty()) {
        for queue in &mut queues {
            if made.len() < count {
                made.extend(next_compiling(target, scratch, queue)?);
            }
        }
    }
    for (number, row) in (1..).zip(&mut made) {
        row.mutant.id = format!("{}#{number}", target.name);
    }
    Ok(made)
}

fn candidates(
    target: &Target,
    releases: &[Release],
    texts: &BTreeMap<PathBuf, String>,
    plant: Plant,
) -> Vec<Made> {
    let make = |release: &Release| {
        let text = texts.get(&release.file)?;
        let at = source::statement(text, &release.callee, release.start, release.end)?;
        let mutant = Mutant {
            id: target.name.clone(),
            program: target.name.clone(),
            file: target.relative(&release.file),
            function: release.function.clone(),
            line: release.start.0,
            plant,
            edits: plant::edits(plant, text, &at, release)?,
            confirmed: None,
            allocations: Vec::new(),
        };
        let text = mutant.apply(text).ok()?;
        Some(Made { mutant, text })
    };
    releases.iter().filter_map(make).collect()
}

fn next_compiling(
    target: &Target,
    scratch: &Scratch,
    queue: &mut Vec<Made>,
) -> Result<Option<Made>, String> {
    while let Some(made) = queue.pop() {
        let file = target.root.join(&made.mutant.file);
        if target.compiles(&file, &made.text, scratch)? {
            return Ok(Some(made));
        }
    }
    Ok(None)
}

/// A linear congruential sequence: the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let order = |seed| {
            let mut items: Vec<u32> = (0..20).collect();
            Numbers(seed).shuffle(&mut items);
            items
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<u32>>());
    }
}
