//! The compiler shim, before a made-up compiler that prints its arguments.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with `shims/gcc` (the shim) and `bin/gcc` (the compiler), removed at the end.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Scene {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        for part in ["shims", "bin"] {
            std::fs::create_dir_all(folder.join(part)).unwrap();
        }
        // Written by other processes: a program that this one has open for writing, if only in a
        // child of another test, cannot be run.
        let program = Path::new(env!("CARGO_BIN_EXE_xtask"));
        shell("cp \"$0\" \"$1\"", &[program, &folder.join("shims/shim")]);
        symlink("shim", folder.join("shims/gcc")).unwrap();
        let script = r#"printf '#!/bin/sh\necho "$@"\n' > "$0" && chmod 755 "$0""#;
        shell(script, &[&folder.join("bin/gcc")]);
        Scene(folder)
    }

    fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// Calls `gcc` as a build would; returns what the compiler was given.
    fn call(&self, arguments: &[&str], recording: bool) -> String {
        let path = format!("{0}/shims:{0}/bin:/usr/bin:/bin", self.0.display());
        let mut command = Command::new(self.0.join("shims/gcc"));
        command.args(arguments).env("PATH", path).env_remove("CAULK_SHIM_LOG");
        if recording {
            command.env("CAULK_SHIM_LOG", self.log());
        }
        String::from_utf8(command.current_dir(&self.0).output().unwrap().stdout).unwrap()
    }
}

fn shell(script: &str, arguments: &[&Path]) {
    let status = Command::new("sh").arg("-c").arg(script).args(arguments).status().unwrap();
    assert!(status.success());
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_compilation_is_recorded_as_it_was_written() {
    let scene = Scene::new("shim-records");
    let given = scene.call(&["-O2", "-DX=\"a b\"", "-c", "a.c"], true);
    assert_eq!(given, "-O2 -DX=\"a b\" -c a.c -O0 -w\n");
    let line: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(scene.log()).unwrap()).unwrap();
    let compiler = scene.0.join("bin/gcc").display().to_string();
    assert_eq!(line["arguments"], serde_json::json!([compiler, "-O2", "-DX=\"a b\"", "-c", "a.c"]));
    assert_eq!(line["directory"], scene.0.display().to_string());
}

#[test]
fn links_and_probes_pass_unseen() {
    let scene = Scene::new("shim-passes");
    assert_eq!(scene.call(&["a.o", "-o", "a"], true), "a.o -o a\n");
    assert_eq!(scene.call(&["-c", "conftest.c"], false), "-c conftest.c\n");
    assert!(!scene.log().exists());
}
