//! A summary as people read it: what a procedure does with its arguments, without access paths.

use std::collections::BTreeSet;

use crate::categories::{Anchor, Categories, Root, Step};

impl Categories {
    /// Clauses that go on from the procedure's name, in the order of Table 3.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        let mut clauses = Vec::new();
        let mut tell = |before: &str, arguments: &BTreeSet<u32>, after: &str| {
            if !arguments.is_empty() {
                clauses.push(format!("{before}{}{after}", numbered(arguments)));
            }
        };
        let (freed, freed_behind): (Vec<&Anchor>, Vec<&Anchor>) =
            self.arg2free.iter().partition(|anchor| is_itself(anchor));
        tell("leaves new memory in what ", &arguments(&self.alloc2arg), " leads to");
        tell("leaves static memory in what ", &arguments(&self.glob2arg), " leads to");
        tell("releases ", &arguments(freed), "");
        tell("releases memory that ", &arguments(freed_behind), " leads to");
        tell("keeps ", &arguments(&self.arg2glob), ", or memory behind it, in places of its own");
        let moved = self.arg2arg.iter().map(|(before, _)| before);
        tell("stores ", &arguments(moved), ", or memory behind it, in another argument's memory");
        let returned = self.arg2ret.iter().map(|(before, _)| before);
        tell("returns ", &arguments(returned), ", or memory behind it");
        if !self.alloc2ret.is_empty() {
            clauses.insert(0, String::from("returns new memory"));
        }
        if !self.glob2ret.is_empty() {
            clauses.push(String::from("returns static memory"));
        }
        clauses
    }
}

/// What the argument points to, and nothing behind that.
fn is_itself(anchor: &Anchor) -> bool {
    anchor.steps == [Step::Deref]
}

fn arguments<'a>(anchors: impl IntoIterator<Item = &'a Anchor>) -> BTreeSet<u32> {
    let number = |anchor: &Anchor| match anchor.root {
        Root::Arg(number) if number > 0 => Some(number),
        Root::Arg(_) | Root::Ret => None,
    };
    anchors.into_iter().filter_map(number).collect()
}

/// `argument 1`, `argument 1 or 3`.
fn numbered(arguments: &BTreeSet<u32>) -> String {
    let numbers: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    format!("argument {}", numbers.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(root: Root, steps: &[Step]) -> Anchor {
        Anchor { root, steps: steps.to_vec() }
    }

    #[test]
    fn access_paths_become_arguments() {
        let member = [Step::Deref, Step::Member("next".into()), Step::Deref];
        let own = anchor(Root::Arg(1), &[Step::Deref]);
        let categories = Categories {
            alloc2ret: BTreeSet::from([anchor(Root::Ret, &[Step::Deref])]),
            arg2free: BTreeSet::from([own.clone(), anchor(Root::Arg(1), &member)]),
            arg2ret: BTreeSet::from([(own, anchor(Root::Ret, &member))]),
            alloc2arg: BTreeSet::from([2, 3].map(|it| anchor(Root::Arg(it), &member))),
            ..Categories::default()
        };
        let told = [
            "returns new memory",
            "leaves new memory in what argument 2 or 3 leads to",
            "releases argument 1",
            "releases memory that argument 1 leads to",
            "returns argument 1, or memory behind it",
        ];
        assert_eq!(categories.in_words(), told);
        assert!(Categories::default().in_words().is_empty());
    }
}
