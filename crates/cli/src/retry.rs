//! Starting again without a unit that ate up the memory.
//!
//! A thread cannot be stopped from outside, but a process can be replaced. What was learnt so far
//! travels to the next attempt as the hidden option `--retry=3,7/1`: units given up, and units to
//! be read alone. Nothing has been written by then, so nobody sees the difference.

use std::env;
use std::ffi::OsString;
use std::str::FromStr;

use caulk_driver::Attempt;
use caulk_project::restart;

use crate::terminal::complain;

const OPTION: &str = "--retry=";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson(pub Attempt);

/// Runs the same command again. Comes back only if that cannot be done; then the report tells
/// what was not reached.
pub fn start_again(next: &Attempt) {
    let error = restart(&arguments(env::args_os().skip(1).collect(), next));
    complain(&format!("caulk: memory is used up, and starting again failed: {error}"));
}

/// The option stands right behind the command, so that it cannot end up among compiler flags.
fn arguments(mut words: Vec<OsString>, next: &Attempt) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word.to_string_lossy().starts_with(OPTION)) {
        words.remove(1);
    }
    let place = 1.min(words.len());
    words.insert(place, format!("{OPTION}{}", spell(next)).into());
    words
}

fn spell(attempt: &Attempt) -> String {
    let list = |units: &[usize]| units.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    format!("{}/{}", list(&attempt.given_up), list(&attempt.alone))
}

impl FromStr for Lesson {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (given_up, alone) = text.split_once('/').ok_or("expected `/`")?;
        Ok(Lesson(Attempt { given_up: list(given_up)?, alone: list(alone)? }))
    }
}

fn list(text: &str) -> Result<Vec<usize>, String> {
    let numbers = text.split(',').filter(|word| !word.is_empty()).map(str::parse);
    numbers.collect::<Result<_, _>>().map_err(|error| format!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_travel_as_an_option() {
        let attempt = Attempt { given_up: vec![3, 7], alone: vec![1] };
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let first = arguments(words("check a.c -- -DX"), &attempt);
        assert_eq!(first, words("check --retry=3,7/1 a.c -- -DX"));
        let next = Attempt { given_up: vec![3, 7, 1], alone: vec![] };
        assert_eq!(arguments(first, &next), words("check --retry=3,7,1/ a.c -- -DX"));
        assert_eq!("3,7/1".parse(), Ok(Lesson(attempt)));
        assert!("x".parse::<Lesson>().is_err() && "1/x".parse::<Lesson>().is_err());
    }
}
