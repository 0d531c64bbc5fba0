//! What builds the project in a folder, and how that leads to a compile database.

use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildSystem {
    Cmake,
    Meson,
    Ninja,
    Make,
    /// A script that has yet to write the Makefile.
    Configure,
    /// The source of such a script.
    Autoconf,
}

/// The first that is there counts: whoever has CMake's file and a Makefile wants the former, and a
/// configured project has its Makefile.
const MARKS: [(&str, BuildSystem); 10] = [
    ("CMakeLists.txt", BuildSystem::Cmake),
    ("meson.build", BuildSystem::Meson),
    ("build.ninja", BuildSystem::Ninja),
    ("GNUmakefile", BuildSystem::Make),
    ("Makefile", BuildSystem::Make),
    ("makefile", BuildSystem::Make),
    ("configure", BuildSystem::Configure),
    ("configure.ac", BuildSystem::Autoconf),
    ("configure.in", BuildSystem::Autoconf),
    ("autogen.sh", BuildSystem::Autoconf),
];

impl BuildSystem {
    #[must_use]
    pub fn of(folder: &Path) -> Option<Self> {
        MARKS.into_iter().find(|(name, _)| folder.join(name).is_file()).map(|(_, system)| system)
    }

    /// What it is called in a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BuildSystem::Cmake => "CMake",
            BuildSystem::Meson => "Meson",
            BuildSystem::Ninja => "Ninja",
            BuildSystem::Make => "make",
            BuildSystem::Configure | BuildSystem::Autoconf => "a configure script",
        }
    }

    /// The one command that leads on, on a machine with so many processors.
    #[must_use]
    pub fn command(self, jobs: usize) -> String {
        let check = format!("caulk check --build 'make -j{jobs}'");
        match self {
            BuildSystem::Cmake => {
                "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && caulk check".to_owned()
            }
            BuildSystem::Meson => "meson setup build && caulk check".to_owned(),
            BuildSystem::Ninja => {
                "ninja -t compdb > compile_commands.json && caulk check".to_owned()
            }
            BuildSystem::Make => check,
            BuildSystem::Configure => format!("./configure && {check}"),
            BuildSystem::Autoconf => format!("autoreconf -i && ./configure && {check}"),
        }
    }
}
