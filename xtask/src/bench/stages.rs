//! Reads the table of stages that `caulk check --verbose` writes to standard error.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    pub name: String,
    pub seconds: f64,
}

/// The lines of the form `reading       0.208 s  48.7 %`; a name may have several words.
pub fn parse(text: &str) -> Vec<Stage> {
    let stage = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name @ .., seconds, "s", _, "%"] = words.as_slice() else { return None };
        let name = Some(name.join(" ")).filter(|name| !name.is_empty())?;
        Some(Stage { name, seconds: seconds.parse().ok()? })
    };
    text.lines().filter_map(stage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_of_the_table_are_read() {
        let text = "progress 1 of 2\nreading       0.208 s  48.7 %\nlowering      1.500 s   9.0 %\n\
            direct calls    0.010 s   0.1 %\n2.000 s 3.0 %\n\
            total         0.427 s over all threads, 0.251 s elapsed\n";
        let stage = |name: &str, seconds| Stage { name: name.into(), seconds };
        let stages = [stage("reading", 0.208), stage("lowering", 1.5), stage("direct calls", 0.01)];
        assert_eq!(parse(text), stages);
    }
}
