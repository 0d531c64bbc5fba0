//! Reads what `caulk check --coverage --verbose` writes.

/// What one run tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub units: usize,
    pub defined: usize,
    pub lowered: usize,
    pub refused: usize,
    pub unused: usize,
    pub instructions: usize,
    /// Inputs, units and places that could not be analysed.
    pub errors: Vec<String>,
    /// Refused functions with their reasons.
    pub refusals: Vec<String>,
}

/// The totals and lists; an error if the text has no totals.
pub fn parse(text: &str) -> Result<Coverage, String> {
    let total =
        |name: &str| number_after(text, name).ok_or(format!("no line {name:?} in:\n{text}"));
    let instructions = text.lines().find(|line| line.contains(" instructions in "));
    let mut coverage = Coverage {
        defined: total("defined")?,
        lowered: total("lowered")?,
        refused: total("refused")?,
        unused: total("unused")?,
        instructions: instructions.and_then(first_number).unwrap_or(0),
        ..Coverage::default()
    };
    for (title, rows) in sections(text) {
        match title {
            "Units" => coverage.units = rows.len().saturating_sub(1),
            "inputs" | "units" | "places with errors" => coverage.errors.extend(owned(&rows)),
            "functions" => coverage.refusals.extend(owned(&rows)),
            _ => {}
        }
    }
    Ok(coverage)
}

fn owned(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| row.trim().to_string()).collect()
}

/// Headings begin a line; the rows of their section are indented.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match (line.starts_with(' '), sections.last_mut()) {
            (true, Some((_, rows))) => rows.push(line),
            _ => sections.push((line, Vec::new())),
        }
    }
    sections
}

fn number_after(text: &str, name: &str) -> Option<usize> {
    let mut rest = text.lines().filter_map(|line| line.trim_start().strip_prefix(name));
    rest.find_map(first_number)
}

fn first_number(text: &str) -> Option<usize> {
    text.split_whitespace().next()?.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Functions
  defined       1,298
  unused          205  inline functions of headers that their unit does not use
  lowered       1,091  99.82 %
  refused           2  0.18 %
  41,671 instructions in 8,785 blocks

Units
   defined  lowered  refused   unused
       93       93        0        0  a.c
       79       67        0       12  b.c

Reasons for refusing
         2  complex numbers

Not analysed: 1 unit, 1 place with an error, 2 functions

units
  c.c: cannot be read

places with errors
  a.h:1:1: wrong (2 times)

functions
  a.c:1:2: function `f`: complex numbers
  a.c:3:2: function `g`: complex numbers
";

    #[test]
    fn totals_and_lists_are_read() {
        let coverage = parse(TEXT).unwrap();
        assert_eq!((coverage.units, coverage.defined, coverage.unused), (2, 1298, 205));
        assert_eq!((coverage.lowered, coverage.refused), (1091, 2));
        assert_eq!(coverage.instructions, 41_671);
        assert_eq!(coverage.errors, ["c.c: cannot be read", "a.h:1:1: wrong (2 times)"]);
        assert_eq!(coverage.refusals.len(), 2);
        assert!(parse("nothing").is_err());
    }
}
