//! The switches of a configuration by the names that users write: `improved`, `loops=2`,
//! `owners=off`.

use caulk_flow::Precision;

use crate::configuration::{Configuration, Solving};

/// Every switch, and what it is set to by its bare name or by what stands after `=`.
pub const SWITCHES: [&str; 21] = [
    "improved",
    "loops",
    "slice",
    "search",
    "height",
    "solver",
    "double-frees",
    "double-frees-in-loops",
    "loaded-tests",
    "joined-tests",
    "holders",
    "owners",
    "correlated",
    "statuses",
    "endless",
    "may-free",
    "walks",
    "turns",
    "paths",
    "second-look",
    "resources",
];

impl Configuration {
    /// Sets what a text of a user asks for; else what was expected.
    ///
    /// # Errors
    ///
    /// If there is no such switch, or the value is none of its values.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').unwrap_or((text, "on"));
        match name {
            "loops" => self.loops = number(name, value, 1, 8)?,
            "slice" => self.slice_limit = bound(name, value)?,
            "search" => self.search_limit = number(name, value, 1, 10_000_000)?,
            "height" => self.height = number(name, value, 1, 1000)?,
            "solver" => self.solving = solving(value)?,
            "improved" => self.improve(truth(name, value)?),
            _ => {
                let switch = self.truth_of(name)?;
                *switch = truth(name, value)?;
            }
        }
        Ok(())
    }

    /// All switches that take wrong reports away.
    pub(crate) fn improve(&mut self, on: bool) {
        self.holders = on;
        self.correlated = on;
        self.statuses = on;
        self.endless = on;
        self.may_free = on;
        self.turns = on;
        self.paths = on;
        // Objects that hold others are seen only where memory is followed.
        self.owners = on && self.precision == Precision::Full;
        self.walks = self.owners;
        // It would be the first once more.
        self.second_look = !on;
    }

    fn truth_of(&mut self, name: &str) -> Result<&mut bool, String> {
        Ok(match name {
            "double-frees" => &mut self.double_frees,
            "double-frees-in-loops" => &mut self.double_frees_in_loops,
            "loaded-tests" => &mut self.loaded_tests,
            "joined-tests" => &mut self.joined_tests,
            "holders" => &mut self.holders,
            "owners" => &mut self.owners,
            "correlated" => &mut self.correlated,
            "statuses" => &mut self.statuses,
            "endless" => &mut self.endless,
            "may-free" => &mut self.may_free,
            "turns" => &mut self.turns,
            "paths" => &mut self.paths,
            "walks" => &mut self.walks,
            "second-look" => &mut self.second_look,
            "resources" => &mut self.resources,
            _ => return Err(format!("expected one of {}", SWITCHES.join(", "))),
        })
    }
}

fn truth(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("expected {name}=on or {name}=off")),
    }
}

fn number<T: TryFrom<u32>>(name: &str, value: &str, least: u32, most: u32) -> Result<T, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    let fits = number.and_then(|number| T::try_from(number).ok());
    fits.ok_or_else(|| format!("expected {name}= and a number from {least} to {most}"))
}

fn solving(value: &str) -> Result<Solving, String> {
    match value {
        "sat" => Ok(Solving::Sat),
        "bdd" => Ok(Solving::Bdd),
        _ => Err("expected solver=sat or solver=bdd".to_owned()),
    }
}

/// A number of nodes, or `off`.
fn bound(name: &str, value: &str) -> Result<Option<usize>, String> {
    if value == "off" {
        return Ok(None);
    }
    let number = value.parse().ok().filter(|number| *number > 0).map(Some);
    number.ok_or_else(|| format!("expected {name}= and a number of nodes, or {name}=off"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(configuration: &Configuration, text: &str) -> Result<Configuration, String> {
        let mut changed = configuration.clone();
        changed.set(text).map(|()| changed)
    }

    #[test]
    fn every_switch_changes_something() {
        for engine in [Configuration::fastcheck(), Configuration::saber()] {
            for name in SWITCHES {
                let texts = ["on", "off", "7", "sat", "bdd"].map(|value| format!("{name}={value}"));
                let changes = |text: &String| set(&engine, text).is_ok_and(|it| it != engine);
                assert!(texts.iter().any(changes), "{name}");
            }
        }
    }

    #[test]
    fn improved_is_all_that_improves() {
        let saber = set(&Configuration::saber(), "improved").unwrap();
        assert_eq!(saber, Configuration::saber_improved());
        let fastcheck = set(&Configuration::fastcheck(), "improved").unwrap();
        assert_eq!(fastcheck, Configuration::fastcheck_improved());
        assert_eq!(set(&saber, "improved=off").unwrap(), Configuration::saber());
    }

    #[test]
    fn mistakes_are_told() {
        let told = |text| set(&Configuration::saber(), text).unwrap_err();
        assert_eq!(told("loops=0"), "expected loops= and a number from 1 to 8");
        assert_eq!(told("slice=x"), "expected slice= and a number of nodes, or slice=off");
        assert_eq!(told("owners=1"), "expected owners=on or owners=off");
        assert!(told("loop=2").starts_with("expected one of improved, loops"));
        assert!(told("owner").starts_with("expected one of improved, loops"));
    }
}
