//! What a reader decides on a finding. The words are explained in `docs/lab.md`.

/// A reader's word; a finding is marked where it is true, but not worth much to most people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    True(Option<Mark>),
    False,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Lost only if a second allocation fails.
    SecondFailure,
    /// Lost just before the program exits.
    AtExit,
    /// The source says that it is meant to be so.
    Intentional,
}

impl Verdict {
    /// `None` for an empty cell.
    pub fn parse(word: &str) -> Result<Option<Verdict>, String> {
        Ok(Some(match word {
            "" => return Ok(None),
            "true" => Verdict::True(None),
            "true: second failure" => Verdict::True(Some(Mark::SecondFailure)),
            "true: at exit" => Verdict::True(Some(Mark::AtExit)),
            "true: intentional" => Verdict::True(Some(Mark::Intentional)),
            "false" => Verdict::False,
            _ => return Err(format!("no verdict {word:?}, see docs/lab.md")),
        }))
    }
}

/// What two readers make of a finding together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    True,
    /// True, and marked by at least one of them.
    Marked,
    False,
    /// One says true and one says false, which counts as false.
    Disputed,
    /// Somebody has not decided yet.
    Open,
}

pub fn judge(first: Option<Verdict>, second: Option<Verdict>) -> Judgement {
    use Verdict::{False, True};
    match (first, second) {
        (None, _) | (_, None) => Judgement::Open,
        (Some(True(None)), Some(True(None))) => Judgement::True,
        (Some(True(_)), Some(True(_))) => Judgement::Marked,
        (Some(False), Some(False)) => Judgement::False,
        (Some(_), Some(_)) => Judgement::Disputed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disagreement_is_no_truth() {
        let judge = |first, second| {
            let [first, second] = [first, second].map(|word| Verdict::parse(word).unwrap());
            super::judge(first, second)
        };
        assert_eq!(judge("true", "true"), Judgement::True);
        assert_eq!(judge("true", "true: at exit"), Judgement::Marked);
        assert_eq!(judge("true", "false"), Judgement::Disputed);
        assert_eq!(judge("false", "true: intentional"), Judgement::Disputed);
        assert_eq!(judge("false", "false"), Judgement::False);
        assert_eq!(judge("true", ""), Judgement::Open);
        assert!(Verdict::parse("perhaps").is_err());
    }
}
