//! What each kind of finding means, in words: the one source of the rules of SARIF, of the page's
//! help and of `docs/kinds`.

mod leaks;
mod releases;

use caulk_finding::Kind;

/// The explanation of a kind, in Markdown without headings.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The weakness in the list of MITRE.
    pub cwe: u32,
    /// What caulk means by it, and when it says so.
    pub meaning: &'static str,
    /// C that has it.
    pub example: &'static str,
    /// Why it matters.
    pub reason: &'static str,
    /// What to do.
    pub fix: &'static str,
    /// The example, put right.
    pub fixed: &'static str,
}

#[must_use]
pub fn explanation(kind: Kind) -> &'static Explanation {
    match kind {
        Kind::NeverFreed => &leaks::NEVER_FREED,
        Kind::SomePath => &leaks::SOME_PATH,
        Kind::Overwritten => &leaks::OVERWRITTEN,
        Kind::LostWithOwner => &leaks::LOST_WITH_OWNER,
        Kind::SecondFailure => &leaks::SECOND_FAILURE,
        Kind::AtExit => &leaks::AT_EXIT,
        Kind::DoubleFree => &releases::DOUBLE_FREE,
        Kind::UseAfterFree => &releases::USE_AFTER_FREE,
        Kind::MismatchedRelease => &releases::MISMATCHED_RELEASE,
        Kind::InvalidRelease => &releases::INVALID_RELEASE,
        Kind::DoubleAcquire => &releases::DOUBLE_ACQUIRE,
    }
}

/// The name of the page of a kind, without folder: `leak-some-path.md`.
#[must_use]
pub fn page_name(kind: Kind) -> String {
    format!("{}.md", kind.id().replace('/', "-"))
}

/// The page of a kind.
#[must_use]
pub fn page(kind: Kind) -> String {
    format!("# {}\n\n{}", kind.id(), help(kind))
}

/// The same without its title, as SARIF wants it.
pub(crate) fn help(kind: Kind) -> String {
    let Explanation { cwe, meaning, example, reason, fix, fixed } = explanation(kind);
    let (title, id) = (sentence(kind.title()), kind.id());
    format!(
        "{title}. {meaning}\n\n\
         ## Example\n\n```c\n{example}```\n\n\
         ## Why it matters\n\n{reason}\n\n\
         ## How to fix it\n\n{fix}\n\n```c\n{fixed}```\n\n\
         ## How to suppress it\n\n\
         Where the finding is wrong or meant, say so on the line of any of its steps, or alone on \
         the line\nbefore, with a reason:\n\n\
         ```c\n/* caulk: allow({id}) the reason, for whoever reads this next */\n```\n\n\
         This is CWE-{cwe} in the list of common weaknesses.\n"
    )
}

/// With a capital letter.
pub(crate) fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_whole() {
        for kind in Kind::ALL {
            let page = page(kind);
            assert!(page.starts_with(&format!("# {}\n\nA", kind.id()).replace("\n\nA", "\n\n")));
            assert!(page.contains(&format!("allow({})", kind.id())));
            assert_eq!(page.matches("```").count(), 6, "{page}");
            for line in page.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", kind.id());
            }
        }
    }

    #[test]
    fn names_are_names_of_files() {
        assert_eq!(page_name(Kind::SomePath), "leak-some-path.md");
        assert_eq!(page_name(Kind::DoubleFree), "double-free.md");
    }
}
