//! Failure injection: in turn, each allocation of a case fails, natively and interpreted.
//!
//! Both count the calls to malloc, calloc, realloc and strdup that the program's own code makes.
//! First they must agree on how many there are.

use super::build::Built;
use super::run::{Comparison, Runner, both_crashed, difference};
use super::suite::{Case, Program};
use crate::workers;

/// Of a case that allocates more often, the allocations from here on do not fail.
const MOST: u64 = 200;

/// A case with all its failures.
pub struct Injection {
    /// `PROGRAM/CASE`.
    pub key: String,
    /// As counted natively, and interpreted.
    pub allocations: [u64; 2],
    /// One for each allocation, up to a limit; the keys are `PROGRAM/CASE#ALLOCATION`.
    pub comparisons: Vec<Comparison>,
    /// How many of them end at a NULL pointer both ways.
    pub crashes: usize,
}

impl Injection {
    pub fn is_counted_alike(&self) -> bool {
        self.allocations[0] == self.allocations[1]
    }
}

pub fn inject_all(
    program: &Program,
    built: &Built,
    runner: &Runner,
) -> Result<Vec<Injection>, String> {
    let inject = |name: &String| inject(program, program.case(name)?, built, runner);
    program.failing.iter().map(inject).collect()
}

fn inject(
    program: &Program,
    case: &Case,
    built: &Built,
    runner: &Runner,
) -> Result<Injection, String> {
    let key = format!("{}/{}", program.name, case.name);
    let binary = built.failing.as_deref().ok_or(format!("{key}: no failing build"))?;
    let counted = runner.native(binary, case, Some(0))?;
    let native = count(&counted.stderr).ok_or(format!("{key}: no count of allocations"))?;
    let (_, interpreted) = runner.interpreted(built, case, None)?;
    eprintln!("{key}: each of {native} allocations fails …");
    let numbers: Vec<u64> = (1..=native.min(MOST)).collect();
    let compare = |&number: &u64| {
        let native = runner.native(binary, case, Some(number))?;
        let (interpreted, counts) = runner.interpreted(built, case, Some(number))?;
        let difference = difference(&native, &interpreted);
        let key = format!("{key}#{number}");
        let crashed = both_crashed(&native, &interpreted);
        Ok((crashed, Comparison { key, difference, counts, reads_unset: None }))
    };
    let compared: Result<Vec<(bool, Comparison)>, String> =
        workers::map(&numbers, compare)?.into_iter().collect();
    let (crashed, comparisons): (Vec<bool>, Vec<Comparison>) = compared?.into_iter().unzip();
    let crashes = crashed.into_iter().filter(|&crashed| crashed).count();
    let allocations = [native, interpreted.allocations];
    Ok(Injection { key, allocations, comparisons, crashes })
}

/// The number that `failing_malloc.c` writes at exit.
fn count(stderr: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().find_map(|line| line.strip_prefix("allocations: ")?.parse().ok())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_count_is_found() {
        assert_eq!(super::count(b"x\nallocations: 12\n"), Some(12));
        assert_eq!(super::count(b"x\n"), None);
    }
}
