//! The words after a command: names, and options with a value.

use std::str::FromStr;

/// `--name value` pairs and all other words, each in order.
pub struct Options {
    pub names: Vec<String>,
    values: Vec<(String, String)>,
}

impl Options {
    /// Only the options in `known` are taken, each with a value.
    pub fn parse(arguments: &[String], known: &[&str]) -> Result<Options, String> {
        let mut options = Options { names: Vec::new(), values: Vec::new() };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("--") {
                None => options.names.push(word.clone()),
                Some(name) if known.contains(&name) => {
                    let value = words.next().ok_or(format!("{word} needs a value"))?;
                    options.values.push((name.to_string(), value.clone()));
                }
                Some(_) => return Err(format!("no option {word}\n{}", super::usage())),
            }
        }
        Ok(options)
    }

    pub fn all(&self, name: &str) -> Vec<&str> {
        let given = self.values.iter().filter(|(option, _)| option == name);
        given.map(|(_, value)| value.as_str()).collect()
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.all(name).last().copied()
    }

    pub fn number<N: FromStr>(&self, name: &str) -> Result<Option<N>, String> {
        let parse = |value: &str| {
            value.parse().map_err(|_| format!("--{name} needs a number, and {value} is none"))
        };
        self.text(name).map(parse).transpose()
    }
}

/// The value of an option that must be there.
pub fn required<T>(name: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("--{name} is missing\n{}", super::usage()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        Options::parse(&words, &["peer", "jobs"])
    }

    #[test]
    fn names_and_values_are_told_apart() {
        let options = parse("zlib --peer gcc --jobs 2 bzip2 --peer svf").unwrap();
        assert_eq!(options.names, ["zlib", "bzip2"]);
        assert_eq!(options.all("peer"), ["gcc", "svf"]);
        assert_eq!(options.number::<usize>("jobs"), Ok(Some(2)));
        assert_eq!(options.number::<usize>("seconds"), Ok(None));
    }

    #[test]
    fn wrong_options_are_refused() {
        assert!(parse("--colour red").is_err());
        assert!(parse("--jobs").is_err());
        assert!(parse("--jobs many").unwrap().number::<usize>("jobs").is_err());
        assert!(required::<u8>("seed", None).is_err());
    }
}
