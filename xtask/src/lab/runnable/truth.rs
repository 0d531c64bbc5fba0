//! What the runs of a program proved, per allocation site, and the file that keeps it.

use super::frames::{Chain, Frame, collapsed, left_out};
pub use crate::lab::findings::Kind;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    Lsan,
    Valgrind,
    Interp,
}

/// One defect in one run, as one tool sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    pub kind: Kind,
    pub chain: Chain,
    /// Calls of a recursive function by itself that the chain leaves out.
    pub through: BTreeSet<Frame>,
    /// Where the last reference died, and the callers; empty if the tool does not know.
    pub lost: Chain,
}

impl Observed {
    /// The stack is that of the allocation, innermost first.
    pub fn new(kind: Kind, stack: &[Frame]) -> Observed {
        let chain = collapsed(stack.iter().cloned());
        Observed { kind, chain, through: left_out(stack), lost: Vec::new() }
    }
}

/// A site with a defect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    pub kind: Kind,
    /// The allocating call and its callers, innermost first.
    pub chain: Chain,
    /// Calls of a recursive function by itself through which it was made, and which the chain leaves out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub through: BTreeSet<Frame>,
    /// Innermost places where the last reference died.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub lost: BTreeSet<Frame>,
    pub tools: BTreeSet<Tool>,
    /// Happens only when some allocation fails: scored apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_on_failure: bool,
}

impl Defect {
    /// How many calls above the allocation a line is.
    pub fn distance(&self, line: u32) -> Option<usize> {
        let at_call = self.chain.iter().position(|frame| frame.line == line);
        at_call.or_else(|| {
            let outer = self.through.iter().find(|frame| frame.line == line)?;
            Some(1 + self.chain.iter().position(|inner| inner.function == outer.function)?)
        })
    }
}

/// All that is known about a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    pub runs: usize,
    pub defects: Vec<Defect>,
    /// Sites without a defect whose memory was still reachable at some exit.
    pub kept: Vec<Chain>,
    /// Sites whose memory was always released.
    pub clean: Vec<Chain>,
    /// Lines that no run executed.
    pub uncovered: Vec<u32>,
    /// Executed lines with a branch that no run took.
    pub untaken: Vec<u32>,
    pub disagreements: Vec<String>,
}

/// By the name of the program.
pub type Truths = BTreeMap<String, Truth>;

/// What was seen in all runs of a program.
#[derive(Debug, Default)]
pub struct Evidence {
    pub runs: usize,
    /// With the tool, and whether an allocation was made to fail.
    pub defects: Vec<(Tool, bool, Observed)>,
    pub sites: BTreeSet<Chain>,
    pub kept: BTreeSet<Chain>,
    /// Tools that could not run, and why.
    pub notes: BTreeSet<String>,
    pub tools: BTreeSet<Tool>,
}

impl Evidence {
    pub fn judge(self) -> Truth {
        let defects = self.united();
        let is_defect = |chain: &&Chain| defects.iter().any(|defect| defect.chain == **chain);
        let kept: Vec<Chain> = self.kept.iter().filter(|c| !is_defect(c)).cloned().collect();
        let is_clean = |chain: &&Chain| !is_defect(chain) && !self.kept.contains(*chain);
        let clean = self.sites.iter().filter(is_clean).cloned().collect();
        let disagreements =
            defects.iter().filter_map(|d| self.dissent(d)).chain(self.notes.clone()).collect();
        Truth { runs: self.runs, defects, kept, clean, disagreements, ..Truth::default() }
    }

    /// The union over tools and runs.
    fn united(&self) -> Vec<Defect> {
        let mut all: BTreeMap<(Chain, Kind), Defect> = BTreeMap::new();
        for (tool, is_injected, observed) in &self.defects {
            let Observed { kind, chain, through, lost } = observed;
            let defect = all.entry((chain.clone(), *kind)).or_insert_with(|| Defect {
                kind: *kind,
                chain: chain.clone(),
                through: BTreeSet::new(),
                lost: BTreeSet::new(),
                tools: BTreeSet::new(),
                only_on_failure: true,
            });
            defect.tools.insert(*tool);
            defect.only_on_failure &= is_injected;
            defect.through.extend(through.iter().cloned());
            defect.lost.extend(lost.first().cloned());
        }
        all.into_values().collect()
    }

    /// Tools that ran and did not see a defect. Only valgrind knows of streams and descriptors,
    /// and it takes no part in the runs with failures.
    fn dissent(&self, defect: &Defect) -> Option<String> {
        if defect.kind == Kind::ResourceLeak || defect.only_on_failure {
            return None;
        }
        let silent: Vec<String> =
            self.tools.difference(&defect.tools).map(|t| format!("{t:?}").to_lowercase()).collect();
        let kind = defect.kind.name();
        let place = defect.chain.first()?;
        (!silent.is_empty())
            .then(|| format!("{kind} of {place}: not told by {}", silent.join(", ")))
    }
}

pub fn read(file: &Path) -> Result<Truths, String> {
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| told(&e))?;
    serde_json::from_str(&text).map_err(|e| told(&e))
}

/// Each site on a line of its own, so that changes can be read.
pub fn text(truths: &Truths) -> Result<String, String> {
    let programs: Result<Vec<String>, String> = truths.iter().map(program_text).collect();
    Ok(format!("{{\n{}\n}}\n", programs?.join(",\n")))
}

fn program_text((name, truth): (&String, &Truth)) -> Result<String, String> {
    let json = |value: &dyn erased::Json| value.json();
    let list = |rows: Vec<Result<String, String>>| -> Result<String, String> {
        let rows: Result<Vec<String>, String> = rows.into_iter().collect();
        let rows: Vec<String> = rows?.into_iter().map(|row| format!("      {row}")).collect();
        Ok(if rows.is_empty() { "[]".into() } else { format!("[\n{}\n    ]", rows.join(",\n")) })
    };
    let fields = [
        ("runs", json(&truth.runs)?),
        ("defects", list(truth.defects.iter().map(|row| json(row)).collect())?),
        ("kept", list(truth.kept.iter().map(|row| json(row)).collect())?),
        ("clean", list(truth.clean.iter().map(|row| json(row)).collect())?),
        ("uncovered", json(&truth.uncovered)?),
        ("untaken", json(&truth.untaken)?),
        ("disagreements", list(truth.disagreements.iter().map(|row| json(row)).collect())?),
    ];
    let fields = fields.map(|(field, value)| format!("    \"{field}\": {value}"));
    Ok(format!("  {}: {{\n{}\n  }}", json(name)?, fields.join(",\n")))
}

mod erased {
    /// Anything that can be written on one line.
    pub trait Json {
        fn json(&self) -> Result<String, String>;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> Result<String, String> {
            serde_json::to_string(self).map_err(|e| e.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(words: &str) -> Chain {
        words.split(' ').map(|word| Frame::try_from(word.to_string()).unwrap()).collect()
    }

    fn evidence() -> Evidence {
        let seen =
            |tool, injected, kind, at: &str| (tool, injected, Observed::new(kind, &chain(at)));
        Evidence {
            runs: 2,
            defects: vec![
                seen(Tool::Lsan, false, Kind::Leak, "make:3 main:9"),
                seen(Tool::Interp, true, Kind::Leak, "make:3 main:9"),
                seen(Tool::Interp, true, Kind::Leak, "make:4 main:9"),
            ],
            sites: ["make:3 main:9", "make:4 main:9", "main:11", "main:12"].map(chain).into(),
            kept: ["main:12", "make:3 main:9"].map(chain).into(),
            tools: [Tool::Lsan, Tool::Interp, Tool::Valgrind].into(),
            notes: BTreeSet::new(),
        }
    }

    #[test]
    fn evidence_is_united_per_site() {
        let truth = evidence().judge();
        assert_eq!(truth.defects.len(), 2);
        assert_eq!(truth.defects[0].tools, [Tool::Lsan, Tool::Interp].into());
        assert!(!truth.defects[0].only_on_failure);
        assert!(truth.defects[1].only_on_failure);
        assert_eq!((truth.kept, truth.clean), (vec![chain("main:12")], vec![chain("main:11")]));
        assert_eq!(truth.disagreements, ["leak of make:3: not told by valgrind"]);
    }

    #[test]
    fn calls_of_a_function_by_itself_are_kept() {
        let mut evidence = Evidence::default();
        for stack in ["walk:13 main:27", "walk:13 walk:20 walk:20 main:27"] {
            let observed = Observed::new(Kind::Leak, &chain(stack));
            evidence.defects.push((Tool::Lsan, false, observed));
        }
        let truth = evidence.judge();
        let [defect] = truth.defects.as_slice() else { panic!("{truth:?}") };
        assert_eq!(defect.chain, chain("walk:13 main:27"));
        assert_eq!(
            [13, 20, 27, 30].map(|line| defect.distance(line)),
            [Some(0), Some(1), Some(1), None]
        );
    }

    #[test]
    fn the_file_round_trips() {
        let truths: Truths = [("list".to_string(), evidence().judge())].into();
        let written = text(&truths).unwrap();
        assert_eq!(serde_json::from_str::<Truths>(&written).unwrap(), truths);
        assert!(written.lines().all(|line| line.len() < 200));
    }
}
