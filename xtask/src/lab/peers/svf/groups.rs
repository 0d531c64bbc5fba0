//! Which units can be linked together: a corpus program often builds several executables.

use super::NM;
use crate::corpus::run::captured;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Groups of positions. Each file goes to the first group that defines none of its symbols.
pub fn linkable(files: &[&Path]) -> Result<Vec<Vec<usize>>, String> {
    let symbols = files.iter().map(|file| strong_symbols(file)).collect::<Result<Vec<_>, _>>()?;
    Ok(grouped(&symbols))
}

fn grouped(symbols: &[BTreeSet<String>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(BTreeSet<&String>, Vec<usize>)> = Vec::new();
    for (position, defined) in symbols.iter().enumerate() {
        let fits = |taken: &BTreeSet<&String>| !defined.iter().any(|symbol| taken.contains(symbol));
        match groups.iter_mut().find(|(taken, _)| fits(taken)) {
            Some((taken, members)) => {
                taken.extend(defined);
                members.push(position);
            }
            None => groups.push((defined.iter().collect(), vec![position])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

fn strong_symbols(file: &Path) -> Result<BTreeSet<String>, String> {
    let mut nm = Command::new(NM);
    nm.args(["--defined-only", "--extern-only", "--format=posix"]).arg(file);
    Ok(strong(&captured(&mut nm)?))
}

/// Names with a type that may be defined once only.
fn strong(listing: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, class) = (words.next()?, words.next()?);
        ["T", "D", "B", "R", "S"].contains(&class).then(|| name.to_string())
    };
    listing.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_defined_once_in_a_group() {
        let set = |words: &[&str]| words.iter().map(|w| w.to_string()).collect::<BTreeSet<_>>();
        let units: [&[&str]; 6] = [&["main", "a"], &["b"], &["main"], &["a"], &[], &["b"]];
        let symbols = units.map(set);
        assert_eq!(grouped(&symbols), [vec![0, 1, 4], vec![2, 3, 5]]);
    }

    #[test]
    fn weak_and_common_symbols_may_repeat() {
        let listing = "main T 0 0\nweak W 0 0\ncommon C 0 4\ndata D 0 0\n\n";
        assert_eq!(strong(listing).into_iter().collect::<Vec<_>>(), ["data", "main"]);
    }
}
