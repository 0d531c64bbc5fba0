//! Arguments, targets and conditions: the parts that effects are written with.

use super::document::{Node, Read, Source, choices, one_or_many};
use crate::model::{Args, Condition, Success, Target, Test, When};

/// More than any function takes, so that a slip of the finger is found.
const MOST_ARGUMENTS: i64 = 127;

const ARGUMENT: &str = "the number of an argument, counted from 1";
const ARGUMENTS: &str =
    "the number of an argument, counted from 1, or \"2..\" for the second and all later ones";
const TARGET: &str = "\"result\", \"*1\", \"*1[1]\", \"**1\" or \"inside 1\"";
const WHEN: &str = "\"success\", \"failure\" or a condition like { argument = 1, is = 0 }";

pub fn argument(source: Source<'_>, node: &Node<'_>) -> Read<u32> {
    let number = source.integer(ARGUMENT, node)?;
    index(number).ok_or_else(|| source.expected(ARGUMENT, node))
}

fn index(number: i64) -> Option<u32> {
    (1..=MOST_ARGUMENTS).contains(&number).then(|| u32::try_from(number - 1).ok())?
}

pub fn index_of_text(text: &str) -> Option<u32> {
    index(text.parse().ok()?)
}

pub fn arguments(source: Source<'_>, node: &Node<'_>) -> Read<Args> {
    let Some(text) = node.get_ref().as_str() else {
        return match source.integer(ARGUMENTS, node).map(index) {
            Ok(Some(first)) => Ok(Args::one(first)),
            _ => Err(source.expected(ARGUMENTS, node)),
        };
    };
    let first = text.strip_suffix("..").and_then(index_of_text);
    first.map(Args::from).ok_or_else(|| source.expected(ARGUMENTS, node))
}

pub fn target(source: Source<'_>, node: &Node<'_>) -> Read<Target> {
    let text = source.text(TARGET, node)?;
    parse_target(text).ok_or_else(|| source.expected(TARGET, node))
}

fn parse_target(text: &str) -> Option<Target> {
    if text == "result" {
        return Some(Target::Result);
    }
    if let Some(rest) = text.strip_prefix("inside ") {
        return Some(Target::Inside(index_of_text(rest)?));
    }
    if let Some(rest) = text.strip_prefix("**") {
        return Some(Target::Elements(index_of_text(rest)?));
    }
    let rest = text.strip_prefix('*')?;
    match rest.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        Some((arg, "0")) => Some(Target::Pointee(index_of_text(arg)?)),
        Some((arg, index)) => {
            Some(Target::Element { arg: index_of_text(arg)?, index: index.parse().ok()? })
        }
        None => Some(Target::Pointee(index_of_text(rest)?)),
    }
}

pub fn when(source: Source<'_>, node: &Node<'_>) -> Read<When> {
    match node.get_ref().as_str() {
        Some("success") => Ok(When::OnSuccess),
        Some("failure") => Ok(When::OnFailure),
        Some(_) => Err(source.expected(WHEN, node)),
        None => condition(source, WHEN, node).map(When::Condition),
    }
}

/// `{ argument = 2, is = "null" }`; `what` is said when it is no table.
pub fn condition(source: Source<'_>, what: &str, node: &Node<'_>) -> Read<Condition> {
    let table = source.record(what, node, &["argument", "is", "is-not", "lacks"])?;
    let arg = argument(source, source.required(node, "argument")?)?;
    let test = match (table.get("is"), table.get("is-not"), table.get("lacks")) {
        (Some(values), None, None) => Test::Is(constants(source, values)?),
        (None, Some(values), None) => Test::IsNot(constants(source, values)?),
        (None, None, Some(bits)) => Test::Lacks(source.integer("a number", bits)?),
        _ => {
            let message =
                "expected one of `is`, `is-not` and `lacks` in this condition".to_string();
            return Err(source.error_at(node, message));
        }
    };
    Ok(Condition { arg, test })
}

fn constants(source: Source<'_>, node: &Node<'_>) -> Read<Vec<i64>> {
    let each = |node: &Node<'_>| match node.get_ref().as_str() {
        Some("null") => Ok(0),
        _ => source.integer("a number or \"null\"", node),
    };
    one_or_many(node).into_iter().map(each).collect()
}

const SUCCESSES: &[(&str, Success)] = &[
    ("zero", Success::Zero),
    ("zero-else-minus-one", Success::ZeroElseMinusOne),
    ("non-zero", Success::NonZero),
    ("non-negative", Success::NonNegative),
    ("positive", Success::Positive),
    ("one", Success::One),
    ("non-null", Success::NonNull),
    ("null", Success::Null),
    ("not-minus-one", Success::NotMinusOne),
];

pub fn success(source: Source<'_>, node: &Node<'_>) -> Read<Success> {
    word(source, node, SUCCESSES)
}

/// One of several words.
pub fn word<T: Copy>(source: Source<'_>, node: &Node<'_>, words: &[(&str, T)]) -> Read<T> {
    let told = node.get_ref().as_str();
    let found = words.iter().find(|(word, _)| Some(*word) == told);
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    found.map(|(_, value)| *value).ok_or_else(|| source.expected(&choices(&names), node))
}
