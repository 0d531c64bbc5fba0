//! What `caulk init` writes.

/// All settings, commented out by `#: `.
pub const TEMPLATE: &str = r##"# Configuration of caulk, found from this folder and all below it.
# Lines that begin with `#: ` show a setting: take away the `#: ` to use it.
# Paths are relative to this file. docs/configuration.md explains each setting.

# Files that say what external functions do, over the models that caulk brings along.
#: models = ["caulk/models.toml"]

# Files that describe resources with states, such as locks and transactions.
#: machines = ["caulk/machines.toml"]

# Findings in these files are not shown. The files are still analysed, since others call them.
# `*` is any part of a name, `**` any number of folders.
#: exclude = ["third_party/**", "**/*.gen.c"]

# The engine that judges: "smoke", "saber" or "fastcheck".
#: engine = "smoke"

# The least confidence of a finding that makes the exit code 1: "high", "medium", "low", "never".
#: fail-on = "medium"

# What is shown beside findings of high and medium confidence: "low", a kind that is off
# ("leak/at-exit"), or "all".
#: show = ["low", "leak/at-exit"]

# How engines decide where C leaves them a choice.
#: [policies]
# Memory that some path may have freed: "frees" counts it as freed, "keeps" does not.
#: may-free = "frees"
# What an unknown external function does with a pointer: "keeps" it, or only "reads" it.
#: unknown-external = "keeps"
"##;
