//! A program of `suites/lab` and the runs that its header asks for.
//!
//! Each `// run:` line is one run: words, `"…"` around those with spaces or escapes, and after a
//! `<` the text of standard input. A program without such a line runs once, without arguments.

use std::path::{Path, PathBuf};

/// What a program is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    pub args: Vec<String>,
    pub stdin: String,
}

/// A source and its runs.
#[derive(Debug, Clone)]
pub struct Program {
    /// The file without its ending.
    pub name: String,
    pub source: PathBuf,
    pub text: String,
    pub inputs: Vec<Input>,
}

impl Program {
    pub fn read(source: &Path) -> Result<Program, String> {
        let told = |e: &dyn std::fmt::Display| format!("{}: {e}", source.display());
        let source_path = source.canonicalize().map_err(|e| told(&e))?;
        let text = std::fs::read_to_string(&source_path).map_err(|e| told(&e))?;
        let name = source_path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inputs = inputs(&text).map_err(|e| told(&e))?;
        Ok(Program { name, source: source_path, text, inputs })
    }
}

/// The programs of a folder, by name; all of them if none are named.
pub fn read_all(folder: &Path, names: &[String]) -> Result<Vec<Program>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|end| end == "c"));
    sources.sort();
    let is_named = |path: &PathBuf| {
        names.is_empty() || names.iter().any(|name| path.file_stem().is_some_and(|s| s == &**name))
    };
    sources.retain(is_named);
    if sources.len() < names.len() {
        return Err(format!("not all of {} are in {}", names.join(", "), folder.display()));
    }
    sources.iter().map(|source| Program::read(source)).collect()
}

fn inputs(text: &str) -> Result<Vec<Input>, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// run:"));
    let inputs: Vec<Input> = lines.map(input).collect::<Result<_, String>>()?;
    Ok(if inputs.is_empty() { vec![Input::default()] } else { inputs })
}

fn input(line: &str) -> Result<Input, String> {
    let words = words(line)?;
    let split = words.iter().position(|word| *word == Word::Less);
    let (args, rest) = words.split_at(split.unwrap_or(words.len()));
    let plain = |word: &Word| match word {
        Word::Text(text) => Ok(text.clone()),
        Word::Less => Err(format!("a second < in `{line}`")),
    };
    let args = args.iter().map(plain).collect::<Result<_, _>>()?;
    match rest {
        [] => Ok(Input { args, stdin: String::new() }),
        [_, text] => Ok(Input { args, stdin: plain(text)? }),
        _ => Err(format!("one text must follow the < in `{line}`")),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Word {
    Text(String),
    Less,
}

fn words(line: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (text, after) = unquoted(quoted).ok_or(format!("no closing \" in `{line}`"))?;
                (Word::Text(text), after)
            }
            None => {
                let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
                (if word == "<" { Word::Less } else { Word::Text(word.to_string()) }, after)
            }
        };
        words.push(word);
        rest = after.trim_start();
    }
    Ok(words)
}

/// What stands before the closing quote, and what after it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((word, &text[at + 1..])),
            '\\' => word.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                other => other,
            }),
            _ => word.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_from_the_header() {
        let text = "// what it does\n// run: 3 \"a b\" x\n// run: -v < \"l1\\nl2\\n\"\nint main;\n";
        let all = inputs(text).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].args, ["3", "a b", "x"]);
        assert_eq!((all[1].args.join(","), all[1].stdin.as_str()), ("-v".into(), "l1\nl2\n"));
        assert_eq!(inputs("int main;").unwrap(), [Input::default()]);
    }

    #[test]
    fn nonsense_is_an_error() {
        assert!(input("\"open").is_err());
        assert!(input("a < b c").is_err());
        assert!(input("a < b < c").is_err());
        assert_eq!(input("").unwrap(), Input::default());
    }
}
