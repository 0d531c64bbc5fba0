//! With summaries of earlier runs, whatever was edited since, the engine says what it says without.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_summary::{Input, Options, Store, check, print, summarise_all};
use caulk_testkit::suite::cases;

/// Keeps bytes in memory, and remembers for which units it was asked to.
#[derive(Default)]
struct Kept {
    bytes: Mutex<BTreeMap<String, Vec<u8>>>,
    renewed: Mutex<BTreeSet<String>>,
}

fn locked<T>(it: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for Kept {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        locked(&self.bytes).get(name).cloned()
    }

    fn store(&self, name: &str, bytes: &[u8]) {
        locked(&self.bytes).insert(name.to_string(), bytes.to_vec());
        locked(&self.renewed).extend(name.split(' ').next().map(str::to_string));
    }
}

impl Kept {
    /// The units of which something was new since the last question.
    fn renewed(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.renewed)).into_iter().collect()
    }
}

type Files = Vec<(String, String)>;

/// All that the engine says.
fn said(files: &Files, models: &Models, store: Option<&dyn Store>) -> String {
    let module = |(name, text): &(String, String)| caulk_testkit::module(name, text);
    let unit = |file| LinkUnit { module: module(file), target: None };
    let program = link(files.iter().map(unit).collect());
    let externals = ExternalModels::new(&program, models);
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
        store,
    };
    let verdicts = check(input, &Options::default());
    // From a full store now.
    let summaries = summarise_all(input, &Options::default());
    format!("{verdicts:#?}\n{}", print(&program, &summaries, None))
}

const HEAD: &str = "void *malloc(unsigned long); void free(void *); int printf(const char *, ...);\n\
    struct box { char *text; int n; };\n";

/// A wrapper, a constructor over it, and users in units of their own.
fn program() -> Files {
    let texts = [
        (
            "alloc.c",
            "void *get(unsigned long n) { return malloc(n); }\nvoid put(void *p) { free(p); }\n",
        ),
        (
            "box.c",
            "void *get(unsigned long); void put(void *); static int made;\n\
             struct box *box_new(void) { struct box *b = get(16); if (b) { b->text = get(8); made++; } \
             return b; }\n\
             void box_end(struct box *b) { if (b) put(b->text); put(b); }\n",
        ),
        (
            "use.c",
            "struct box *box_new(void); void box_end(struct box *);\n\
             int odd(int); int even(int n) { return n ? odd(n - 1) : 1; } \
             int odd(int n) { return n ? even(n - 1) : 0; }\n\
             int f(int n) { struct box *b = box_new(); if (n) return 1; box_end(b); return 0; }\n\
             int g(int (*then)(int)) { return then(2) + even(4); }\n",
        ),
        (
            "other.c",
            "void *get(unsigned long);\nint f(int); int g(int (*)(int));\n\
             int main(void) { char *p = get(4); printf(\"one\"); return f(1) + g(f); }\n",
        ),
    ];
    texts.iter().map(|(name, text)| (name.to_string(), format!("{HEAD}{text}"))).collect()
}

/// The program with a text in a file put in place of another.
fn edited(files: &Files, file: &str, from: &str, to: &str) -> Files {
    let hit = RefCell::new(false);
    let one = |(name, text): &(String, String)| {
        let is_it = name == file && text.contains(from);
        hit.replace_with(|hit| *hit || is_it);
        (name.clone(), if name == file { text.replacen(from, to, 1) } else { text.clone() })
    };
    let files = files.iter().map(one).collect();
    assert!(hit.into_inner(), "{file} has no {from}");
    files
}

/// Which file, what is replaced by what, and the units of which something is looked at again.
const EDITS: &[(&str, &str, &str, &[&str])] = &[
    ("other.c", "get(4)", "get(4 + 0 * sizeof(int))", &["other.c"]),
    ("other.c", "int main", "int later; int main", &["other.c"]),
    ("other.c", "\"one\"", "\"two\"", &["other.c"]),
    // A line more: places of that unit alone.
    ("use.c", "int f", "\nint f", &["use.c"]),
    // The findings of others lead to the wrapper.
    ("alloc.c", "void *get", "\nvoid *get", &["alloc.c", "other.c", "use.c"]),
    ("alloc.c", "void put", "\nvoid put", &[]),
    // The same effects by other code.
    ("alloc.c", "free(p);", "int n = 3; (void)n; free(p);", &["alloc.c"]),
    ("box.c", "made++", "made += 2", &["box.c"]),
    // Other effects.
    ("box.c", "if (b) put(b->text);", "", &["box.c", "use.c"]),
    ("alloc.c", "return malloc(n);", "return 0;", &["alloc.c", "box.c", "other.c", "use.c"]),
    ("use.c", "box_end(b); return 0", "return 0", &["use.c"]),
    ("use.c", "int odd(int n)", "int more; int odd(int n)", &[]),
    ("use.c", "n ? even(n - 1) : 0", "n ? even(n - 1) : 5", &["other.c", "use.c"]),
];

#[test]
fn an_edit_costs_what_it_changes() {
    let models = Models::bundled();
    for &(file, from, to, renewed) in EDITS {
        let store = Kept::default();
        let before = program();
        assert_eq!(said(&before, &models, Some(&store)), said(&before, &models, None));
        assert_eq!(store.renewed().len(), 4);
        let after = edited(&before, file, from, to);
        assert_eq!(
            said(&after, &models, Some(&store)),
            said(&after, &models, None),
            "{file}: {to}"
        );
        assert_eq!(store.renewed(), renewed, "{file}: {to}");
        // And back, with a store that is of the edited program.
        assert_eq!(said(&before, &models, Some(&store)), said(&before, &models, None), "{to}");
    }
}

#[test]
fn all_edits_one_after_the_other() {
    let models = Models::bundled();
    let store = Kept::default();
    let mut files = program();
    for &(file, from, to, _) in EDITS.iter().filter(|edit| edit.0 != "alloc.c") {
        files = edited(&files, file, from, to);
        assert_eq!(said(&files, &models, Some(&store)), said(&files, &models, None), "{to}");
    }
}

#[test]
fn models_and_units_are_part_of_the_key() {
    let (bundled, store, files) = (Models::bundled(), Kept::default(), program());
    let first = said(&files, &bundled, Some(&store));
    store.renewed();
    let mut other = Models::bundled();
    other.add("own.toml", "[functions]\nprintf = { frees = 1 }\n").unwrap();
    assert_eq!(said(&files, &other, Some(&store)), said(&files, &other, None));
    assert_eq!(store.renewed(), ["other.c"]);
    assert_eq!(said(&files, &bundled, Some(&store)), first);
    // Units in another order, one of them gone, one twice.
    let (mut reversed, mut doubled) = (files.clone(), files.clone());
    reversed.reverse();
    doubled.push(files[1].clone());
    let shorter = [&files[..1], &files[2..]].concat();
    for changed in [reversed, doubled, shorter] {
        assert_eq!(said(&changed, &bundled, Some(&store)), said(&changed, &bundled, None));
    }
}

#[test]
fn bytes_that_are_no_entries_are_none() {
    struct Odd(Vec<u8>);
    impl Store for Odd {
        fn load(&self, _: &str) -> Option<Vec<u8>> {
            Some(self.0.clone())
        }
        fn store(&self, _: &str, _: &[u8]) {}
    }
    let (models, files) = (Models::bundled(), program());
    let plain = said(&files, &models, None);
    for bytes in [vec![], vec![0; 100], vec![0xff; 100], b"garbage".to_vec()] {
        assert_eq!(said(&files, &models, Some(&Odd(bytes))), plain);
    }
}

#[test]
fn suites_are_the_same_from_a_store() {
    let models = Models::bundled();
    let mut count = 0;
    for folder in ["summary", "use_flow"] {
        for (file, case) in cases(folder) {
            let store = Kept::default();
            let plain = said(&case.files, &models, None);
            assert_eq!(said(&case.files, &models, Some(&store)), plain, "{file}: {}", case.title);
            store.renewed();
            assert_eq!(said(&case.files, &models, Some(&store)), plain, "{file}: {}", case.title);
            assert!(store.renewed().is_empty(), "{file}: {}", case.title);
            // Everything moves down a line, then the first unit only.
            let lower = |(name, text): &(String, String)| (name.clone(), format!("\n{text}"));
            let mut moved: Files = case.files.iter().map(lower).collect();
            let models = &models;
            assert_eq!(said(&moved, models, Some(&store)), said(&moved, models, None));
            moved[0].1.insert(0, '\n');
            assert_eq!(said(&moved, models, Some(&store)), said(&moved, models, None));
            count += 1;
        }
    }
    assert!(count > 150, "{count} cases");
}
