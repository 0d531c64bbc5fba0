//! What a compiler's command line compiles: its sources and its output.

/// Options of gcc and clang whose value is the next argument.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-T",
    "-u",
    "-z",
    "-e",
    "-aux-info",
    "--param",
    "-target",
    "-arch",
    "-wrapper",
    "-B",
    "-A",
];

/// Options with which nothing is compiled.
const NOT_COMPILING: &[&str] =
    &["-E", "-M", "-MM", "-S", "-fsyntax-only", "-###", "--version", "-dumpversion"];

/// A command line that compiles something. Positions refer to the arguments without the compiler.
#[derive(Debug, PartialEq, Eq)]
pub struct Compilation {
    /// The positions of the sources, at least one.
    pub sources: Vec<usize>,
    /// The position of the value of `-o`, if it is an object file (`-c`).
    pub object: Option<usize>,
}

impl Compilation {
    /// What these arguments (without the compiler itself) compile, if anything.
    ///
    /// With `-c` every source counts, assembly included; a command that compiles and links counts
    /// for its C sources only.
    pub fn of(arguments: &[String]) -> Option<Compilation> {
        if arguments.iter().any(|a| NOT_COMPILING.contains(&a.as_str())) {
            return None;
        }
        let only_compiles = arguments.iter().any(|a| a == "-c");
        let sources: Vec<usize> = operands(arguments)
            .filter(|&i| is_c(&arguments[i]) || only_compiles && is_assembly(&arguments[i]))
            .collect();
        if sources.is_empty() {
            return None;
        }
        let object = arguments.iter().position(|a| a == "-o").map(|o| o + 1);
        let object = object.filter(|&o| only_compiles && o < arguments.len());
        Some(Compilation { sources, object })
    }
}

/// The positions of the arguments that are neither options nor values of options.
fn operands(arguments: &[String]) -> impl Iterator<Item = usize> {
    let mut is_value = false;
    arguments.iter().enumerate().filter_map(move |(i, argument)| {
        let skipped = std::mem::take(&mut is_value);
        if !skipped {
            is_value = WITH_VALUE.contains(&argument.as_str());
        }
        (!skipped && !argument.starts_with('-')).then_some(i)
    })
}

/// Whether the name is that of a C source.
pub fn is_c(name: &str) -> bool {
    name.ends_with(".c") || name.ends_with(".i")
}

fn is_assembly(name: &str) -> bool {
    name.ends_with(".s") || name.ends_with(".S") || name.ends_with(".sx")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(line: &str) -> Vec<String> {
        let arguments: Vec<String> = line.split_whitespace().map(String::from).collect();
        let found = Compilation::of(&arguments).map_or(Vec::new(), |c| c.sources);
        found.into_iter().map(|i| arguments[i].clone()).collect()
    }

    #[test]
    fn compilations_are_told_from_other_commands() {
        assert_eq!(sources("-O2 -c a.c -o a.o"), ["a.c"]);
        assert_eq!(sources("-o prog a.c b.c lib.a -lm"), ["a.c", "b.c"]);
        assert_eq!(sources("-c start.S"), ["start.S"]);
        assert!(sources("-o prog start.S a.o").is_empty());
        assert!(sources("-o prog a.o").is_empty());
        assert!(sources("-E a.c").is_empty());
        assert!(sources("-MM a.c").is_empty());
        assert!(sources("-x c -").is_empty());
        assert_eq!(sources("-MD -MF d.c -include cfg.c -c a.c"), ["a.c"]);
    }

    #[test]
    fn the_object_is_known() {
        let arguments = ["-c", "a.c", "-o", "a.o"].map(String::from);
        assert_eq!(Compilation::of(&arguments).unwrap().object, Some(3));
        let arguments = ["a.c", "-o", "a"].map(String::from);
        assert_eq!(Compilation::of(&arguments).unwrap().object, None);
    }
}
