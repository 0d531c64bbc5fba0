//! The machines that caulk brings along, by what they say of a few lives.

use caulk_finding::Kind;
use caulk_machines::{BUNDLED_FILES, Event, Fault, Machine, Machines};
use caulk_models::{Models, Resource};

/// What a resource's machine says after these events: a message, `fine` or `owed`.
#[track_caller]
fn check(resource: &str, events: &[Event], expected: &str) {
    let machines = Machines::bundled();
    let resource = Resource::new(resource);
    let machine = machines.for_resource(&resource).expect("a machine");
    let state = events.iter().fold(machine.start(), |state, &event| machine.step(state, event));
    let said = machine.message(state, &resource);
    let otherwise = if machine.is_end(state) { "fine" } else { "owed" };
    assert_eq!(said.as_deref().unwrap_or(otherwise), expected);
}

#[test]
fn lives_of_memory() {
    use Event::{Acquire, Escape, Overwrite, Release, ScopeEnd, StrayRelease, Use, WrongRelease};
    check("memory", &[], "owed");
    check("memory", &[Use], "owed");
    check("memory", &[Use, Release, ScopeEnd], "fine");
    check("memory", &[ScopeEnd], "memory is not freed");
    check("memory", &[Overwrite], "the last pointer to memory is overwritten");
    check("memory", &[Release, Release], "memory is freed twice");
    check("memory", &[Release, Use, Release], "memory is used after it was freed");
    check("memory", &[WrongRelease], "memory is freed by the wrong function");
    check("memory", &[StrayRelease], "memory is freed by an address that nobody allocated");
    check("memory", &[Escape, ScopeEnd], "fine");
    check("memory", &[Release, Acquire, ScopeEnd], "memory is not freed");
}

#[test]
fn lives_of_others() {
    use Event::{Acquire, Release, ScopeEnd, Use};
    check("file", &[ScopeEnd], "a file is not closed");
    check("directory", &[Release, Use], "a directory is used after it was closed");
    check("descriptor", &[Release, Release], "a descriptor is closed twice");
    check("socket", &[ScopeEnd], "a socket is not closed");
    check("mapping", &[ScopeEnd], "a mapping is not unmapped");
    check("mutex", &[ScopeEnd], "a lock is still held");
    check("mutex", &[Acquire], "a lock is taken while it is held");
    check("rwlock", &[Acquire, Release, Release], "fine");
    check("mutex", &[Release, ScopeEnd], "fine");
    check("g-bytes", &[ScopeEnd], "a g-bytes is not released");
}

#[test]
fn each_file_has_the_machine_it_is_named_for() {
    for (file, text) in BUNDLED_FILES {
        let mut machines = Machines::new();
        machines.add(file, text).unwrap_or_else(|problem| panic!("{problem}"));
        let names: Vec<&str> = machines.iter().map(Machine::name).collect();
        assert_eq!(*file, format!("machines/{}.toml", names.join("+")));
    }
}

#[test]
fn every_modelled_resource_has_a_machine() {
    let (machines, models) = (Machines::bundled(), Models::bundled());
    for name in ["memory", "file", "directory", "descriptor", "mapping"] {
        assert!(!models.releases_of(name).is_empty(), "{name} is modelled");
        let machine = machines.for_resource(&Resource::new(name)).expect("a machine");
        assert_eq!(machine.name(), name);
        assert!(!machine.is_for_any());
    }
    assert!(machines.find("resource").is_some_and(Machine::is_for_any));
}

#[test]
fn errors_are_final_and_cover_all_faults() {
    let machines = Machines::bundled();
    for machine in machines.iter() {
        for state in machine.states().filter(|&state| machine.error(state).is_some()) {
            assert!(Event::ALL.iter().all(|&event| machine.step(state, event) == state));
            assert!(!machine.is_end(state));
        }
    }
    let memory = machines.find("memory").expect("memory");
    let mut faults: Vec<Fault> =
        memory.states().filter_map(|state| Some(memory.error(state)?.fault)).collect();
    faults.sort_unstable();
    faults.dedup();
    faults.push(Fault::DoubleAcquire);
    assert_eq!(faults, Fault::ALL);
    assert_eq!(Fault::DoubleFree.kind(), Some(Kind::DoubleFree));
    assert!(Fault::ALL.iter().all(|fault| fault.kind().is_none_or(|kind| !kind.is_leak())));
}

#[test]
fn users_come_first() {
    let mut machines = Machines::bundled();
    let page = include_str!("../../../docs/machines.md");
    let example = page.split("```").nth(1).expect("an example").trim_start_matches("toml\n");
    machines.add("docs/machines.md", example).unwrap_or_else(|problem| panic!("{problem}"));
    let session = Resource::new("session");
    let machine = machines.for_resource(&session).expect("a machine");
    let lost = machine.step(machine.start(), Event::ScopeEnd);
    assert_eq!(machine.message(lost, &session).as_deref(), Some("a session is never logged out"));
    assert_eq!(machine.noun(&session), "a session");

    let quiet = "[machines.quiet]\nnoun = \"a file\"\nresources = \"file\"\nstart = \"open\"\n\
                 ends = \"open\"\nstates = { open = {} }\nerrors = {}\n";
    machines.add("mine.toml", quiet).unwrap_or_else(|problem| panic!("{problem}"));
    let file = machines.for_resource(&Resource::new("file")).expect("a machine");
    assert_eq!(file.name(), "quiet");
    assert!(file.is_end(file.step(file.start(), Event::ScopeEnd)));
    let again = machines.for_resource(&Resource::new("gz-file")).expect("a machine");
    assert_eq!(again.name(), "file");
}

#[test]
fn one_name_is_one_machine() {
    let mut machines = Machines::bundled();
    let count = machines.iter().count();
    let (name, text) = BUNDLED_FILES[1];
    machines.add(name, text).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(machines.iter().count(), count);
}
