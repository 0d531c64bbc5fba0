//! Changed lines, as git tells them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use caulk_project::changed_since;

fn git(folder: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words).current_dir(folder);
    assert!(command.output().unwrap().status.success(), "{words:?}");
}

#[test]
fn lines_new_files_and_odd_names() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: there is no git");
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("changes");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("sub")).unwrap();
    let folder = folder.canonicalize().unwrap();
    git(&folder, &["init", "-q"]);
    fs::write(folder.join("a.c"), "1\n2\n3\n4\n5\n").unwrap();
    fs::write(folder.join("sub/sp \"ä.c"), "1\n").unwrap();
    fs::write(folder.join("gone.c"), "1\n").unwrap();
    // Before the first commit everything is new, whether git knows it or not.
    assert_eq!(changed_since(&folder, "HEAD").unwrap().len(), 3);
    git(&folder, &["add", "."]);
    assert_eq!(changed_since(&folder, "HEAD").unwrap().len(), 3);
    git(&folder, &["commit", "-qm", "first"]);
    fs::write(folder.join("a.c"), "1\nnew\nnew\n3\n5\nend\n").unwrap();
    fs::write(folder.join("sub/sp \"ä.c"), "1\n2\n").unwrap();
    fs::remove_file(folder.join("gone.c")).unwrap();
    fs::write(folder.join("sub/untracked.c"), "1\n").unwrap();
    let files = changed_since(&folder.join("sub"), "HEAD").unwrap();
    let rows: Vec<_> = files
        .iter()
        .map(|file| (file.path.strip_prefix(&folder).unwrap().to_str().unwrap(), &file.lines[..]))
        .collect();
    let expected = [
        ("a.c", &[2..=3, 6..=6][..]),
        ("sub/sp \"ä.c", &[2..=2]),
        ("sub/untracked.c", &[1..=u32::MAX]),
    ];
    assert_eq!(rows, expected);
    assert!(changed_since(&folder, "nothing").unwrap_err().starts_with("git: "));
    assert!(changed_since(&folder, "--output=x").is_err());
}
