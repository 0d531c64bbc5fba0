//! What the end of one attempt teaches the next.

use caulk_driver::Attempt;
use caulk_project::{Culprits, Ended, Event, Record};

use crate::exit::{Exit, Failure};

/// What to do after an attempt.
#[derive(Debug)]
pub enum Next {
    /// It is done with this exit code, or it crashed and no unit is to blame.
    Over(Result<u8, Failure>),
    Again(Attempt),
}

/// Signals by which people and systems end a program that does nothing wrong: hang-up, interrupt,
/// quit, broken pipe, terminate.
const WISHES: [u8; 5] = [1, 2, 3, 13, 15];

pub fn learn(ended: Ended, record: &Record, attempt: &Attempt) -> Next {
    if let Some(culprits) = record.events.iter().find_map(failed) {
        return Next::Again(attempt.after(culprits));
    }
    let signal = match ended {
        Ended::Exit(code) => return Next::Over(Ok(code)),
        Ended::Signal(signal) if WISHES.contains(&signal) => {
            return Next::Over(Ok(Exit::Signal(signal).code()));
        }
        Ended::Signal(signal) => signal,
    };
    let how = cause(signal, &record.text);
    let units = unfinished(&record.events);
    if units.is_empty() || record.events.contains(&Event::Reporting) {
        let message = format!("caulk crashed ({how}) while it read no unit; please report it");
        return Next::Over(Err(Failure { message, exit: Exit::Signal(signal) }));
    }
    let why = format!("reading this unit crashed caulk ({how}); please report it");
    Next::Again(attempt.after(&Culprits { units, why }))
}

/// Other threads may have written after it.
fn failed(event: &Event) -> Option<&Culprits> {
    match event {
        Event::Failed(culprits) => Some(culprits),
        _ => None,
    }
}

/// In the order in which they were started.
fn unfinished(events: &[Event]) -> Vec<usize> {
    let mut units = Vec::new();
    for event in events {
        match event {
            Event::Started(unit) => units.push(*unit),
            Event::Finished(unit) => units.retain(|other| other != unit),
            _ => {}
        }
    }
    units
}

/// The run-time system says why it aborts; the kernel kills without a word.
fn cause(signal: u8, text: &str) -> String {
    let known =
        [("overflowed its stack", "stack overflow"), ("memory allocation of", "out of memory")];
    let said = known.iter().find(|(words, _)| text.contains(words)).map(|(_, what)| *what);
    match said.or((signal == 9).then_some("killed, perhaps for lack of memory")) {
        Some(what) => format!("signal {signal}: {what}"),
        None => format!("signal {signal}"),
    }
}

/// The lesson as the beginning of a journal.
pub fn write(attempt: &Attempt) -> Vec<Event> {
    let given_up = attempt.given_up.iter().map(|(unit, why)| Event::GivenUp(*unit, why.clone()));
    given_up.chain(attempt.alone.iter().copied().map(Event::Alone)).collect()
}

pub fn read(events: &[Event]) -> Attempt {
    let mut attempt = Attempt::default();
    for event in events {
        match event {
            Event::Alone(unit) => attempt.alone.push(*unit),
            Event::GivenUp(unit, why) => attempt.given_up.push((*unit, why.clone())),
            _ => {}
        }
    }
    attempt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(events: &[Event], ended: Ended) -> Next {
        let text = "thread 'unit-0' has overflowed its stack".to_owned();
        learn(ended, &Record { events: events.to_vec(), text }, &Attempt::default())
    }

    #[track_caller]
    fn again(events: &[Event], ended: Ended) -> Attempt {
        match after(events, ended) {
            Next::Again(attempt) => attempt,
            other => panic!("{other:?}"),
        }
    }

    const STARTED: [Event; 3] = [Event::Started(3), Event::Started(7), Event::Finished(3)];

    #[test]
    fn the_unit_that_was_read_is_given_up() {
        let attempt = again(&STARTED, Ended::Signal(6));
        let why = "reading this unit crashed caulk (signal 6: stack overflow); please report it";
        assert_eq!(attempt.given_up, [(7, why.to_owned())]);
    }

    #[test]
    fn several_units_are_read_alone() {
        let attempt = again(&STARTED[..2], Ended::Signal(6));
        assert_eq!(attempt.alone, [3, 7]);
        let culprits = Culprits { units: vec![7], why: "large".into() };
        let attempt = again(&[Event::Failed(culprits), Event::Finished(3)], Ended::Exit(3));
        assert_eq!(attempt.given_up, [(7, "large".to_owned())]);
    }

    #[test]
    fn what_ends_well_or_by_wish_is_over() {
        assert!(matches!(after(&STARTED, Ended::Exit(1)), Next::Over(Ok(1))));
        assert!(matches!(after(&STARTED, Ended::Signal(15)), Next::Over(Ok(143))));
    }

    #[test]
    fn nothing_is_shown_twice() {
        let shown = [&STARTED[..], &[Event::Reporting]].concat();
        for events in [&shown[..], &[]] {
            assert!(matches!(after(events, Ended::Signal(11)), Next::Over(Err(_))));
        }
    }

    #[test]
    fn causes_are_told_as_far_as_they_are_known() {
        assert_eq!(cause(6, "memory allocation of 8 bytes failed"), "signal 6: out of memory");
        assert_eq!(cause(9, ""), "signal 9: killed, perhaps for lack of memory");
        assert_eq!(cause(11, "?"), "signal 11");
    }

    #[test]
    fn a_lesson_is_read_as_it_was_written() {
        let attempt = Attempt { given_up: vec![(3, "too hard".into())], alone: vec![1, 2] };
        assert_eq!(read(&write(&attempt)), attempt);
    }
}
