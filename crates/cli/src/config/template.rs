//! What `caulk init` writes.

/// All settings, commented out by `#: `.
pub const TEMPLATE: &str = r##"# Configuration of caulk, found from this folder and all below it.
# Lines that begin with `#: ` show a setting: take away the `#: ` to use it.
# Paths are relative to this file. docs/configuration.md explains each setting.

# Files that say what external functions do, over the models that caulk brings along.
#: models = ["caulk/models.toml"]

# Files that say what may be done with a resource, over the machines that caulk brings along.
#: machines = ["caulk/machines.toml"]

# Findings in these files are not shown. The files are still analysed, since others call them.
# `*` is any part of a name, `**` any number of folders.
#: exclude = ["third_party/**", "**/*.gen.c"]

# The engine that judges: "staged", "smoke", "sparrow", "saber", "fastcheck" or "symbolic".
#: engine = "staged"

# The least confidence of a finding that makes the exit code 1: "high", "medium", "low", "never".
#: fail-on = "medium"

# What is shown beside findings of high and medium confidence: "low", a kind that is off
# ("leak/at-exit"), or "all".
#: show = ["low", "leak/at-exit"]

# Switches of the engines "fastcheck" and "saber": "improved" turns on all that take wrong reports away.
#: switches = ["improved"]

# How "staged" and "smoke" decide where C leaves a choice.
#: [policies]
# An object that a function gets of which nothing is known: it escapes ("escape"), the search ends
# ("stop"), or the function only looks at it ("ignore").
#: unknown-call = "escape"
# An object in a static variable: nobody asks for its release any more ("safe"), or it is lost when
# the variable is overwritten ("track").
#: global = "track"
# A callee that releases an object on some of its paths: "frees" or "keeps" it.
#: may-free = "frees"
"##;
