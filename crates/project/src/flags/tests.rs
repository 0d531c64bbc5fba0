use super::*;
use crate::options::PreInclude;

fn parse_in(directory: &str, args: &[&str]) -> Parsed {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    parse(&FlagTable::new(), &args, Path::new(directory))
}

fn parsed(args: &[&str]) -> Parsed {
    parse_in("/d", args)
}

fn define(name: &str, body: &str) -> MacroFlag {
    MacroFlag::Define { name_and_params: name.into(), body: body.into() }
}

fn includes(args: &[&str]) -> Vec<(IncludeKind, String)> {
    let folders = parsed(args).options.includes;
    folders.into_iter().map(|dir| (dir.kind, dir.path.to_str().unwrap().to_owned())).collect()
}

fn inputs(args: &[&str]) -> Vec<String> {
    let inputs = parsed(args).inputs;
    inputs.into_iter().map(|input| input.name.into_string().unwrap()).collect()
}

#[test]
fn macros_keep_their_order() {
    let parsed = parsed(&["-DA", "-D", "B=2", "-UA", "-U", "C", "--define-macro=D=4"]);
    let undefine = |name: &str| MacroFlag::Undefine(name.into());
    let expected =
        [define("A", "1"), define("B", "2"), undefine("A"), undefine("C"), define("D", "4")];
    assert_eq!(parsed.options.macros, expected);
}

#[test]
fn include_folders_of_all_kinds() {
    let found = includes(&[
        "-I.",
        "-I",
        "../x",
        "-iquote",
        "q",
        "-isystem/s",
        "-idirafter",
        "z",
        "-iprefix",
        "/p/",
        "-iwithprefix",
        "w",
        "-iwithprefixbefore",
        "b",
        "--include-directory=l",
    ]);
    let expected = [
        (IncludeKind::Bracket, "/d"),
        (IncludeKind::Bracket, "/x"),
        (IncludeKind::Quote, "/d/q"),
        (IncludeKind::System, "/s"),
        (IncludeKind::After, "/d/z"),
        (IncludeKind::After, "/p/w"),
        (IncludeKind::Bracket, "/p/b"),
        (IncludeKind::Bracket, "/d/l"),
    ];
    assert_eq!(found, expected.map(|(kind, path)| (kind, path.to_owned())));
}

#[test]
fn the_sysroot_may_come_later() {
    let bracket = |path: &str| vec![(IncludeKind::Bracket, path.to_owned())];
    assert_eq!(includes(&["-I=/usr/x", "--sysroot=root"]), bracket("/d/root/usr/x"));
    assert_eq!(includes(&["-I$SYSROOT/x", "--sysroot", "/r", "-isysroot", "/h"]), bracket("/h/x"));
    assert_eq!(includes(&["-I=/x"]), bracket("/x"));
    let facts = parsed(&["--sysroot", "root", "-isysroot/h"]).fact_flags;
    assert_eq!(facts, ["--sysroot=/d/root", "-isysroot", "/h"]);
}

#[test]
fn the_old_barrier_turns_folders_into_quote_folders() {
    let found = includes(&["-Ia", "-I-", "-Ib"]);
    let kinds: Vec<_> = found.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, [IncludeKind::Quote, IncludeKind::Bracket]);
}

#[test]
fn values_of_flags_are_no_sources() {
    let args = [
        "-o",
        "a.c",
        "-MF",
        "b.c",
        "-MT",
        "c.c",
        "-Xlinker",
        "d.c",
        "--param",
        "e.c",
        "-aux-info",
        "f.c",
        "-T",
        "g.c",
        "-u",
        "h.c",
        "-arch",
        "arm64",
        "-L",
        "i.c",
        "x.c",
        "-wrapper",
        "j.c",
        "-framework",
        "k.c",
        "-z",
        "l.c",
        "-include",
        "m.c",
        "-target",
        "n.c",
        "-MJ",
        "o.c",
    ];
    assert_eq!(inputs(&args), ["x.c"]);
    assert!(parsed(&args).unknown.is_empty());
}

#[test]
fn forwarded_flags_are_seen() {
    let found =
        parsed(&["-Wp,-DA=1,-MD,dep.c", "-Xpreprocessor", "-DB", "-Xclang", "-fblocks", "x.c"]);
    assert_eq!(found.options.macros, [define("A", "1"), define("B", "1")]);
    assert!(found.options.blocks);
    assert_eq!(found.inputs.len(), 1);
    let pch = [
        "-Xclang",
        "-include-pch",
        "-Xclang",
        "x.pch",
        "-Xclang",
        "-include",
        "-Xclang",
        "/no/p.h",
    ];
    let found = parsed(&pch);
    assert_eq!(
        found.options.preincludes,
        [PreInclude { path: "/no/p.h".into(), macros_only: false }]
    );
    assert!(found.inputs.is_empty() && found.unknown.is_empty());
}

#[test]
fn macro_files_come_before_other_preincludes() {
    let found = parsed(&["-include", "no-a.h", "-imacros", "no-b.h", "--include=no-c.h"]);
    let shown: Vec<_> =
        found.options.preincludes.iter().map(|p| p.path.to_str().unwrap()).collect();
    assert_eq!(shown, ["no-b.h", "no-a.h", "no-c.h"]);
}

#[test]
fn language_flags() {
    let standard = |args: &[&str]| parsed(args).options.standard.map(|s| s.to_string());
    assert_eq!(standard(&["-std=gnu99", "-std=c11"]).as_deref(), Some("c11"));
    assert_eq!(standard(&["--std", "c99"]).as_deref(), Some("c99"));
    assert_eq!(standard(&["-ansi"]).as_deref(), Some("c89"));
    assert_eq!(standard(&["-std=c++17"]), None);
    assert_eq!(parsed(&["-std=c++17"]).unknown.len(), 0);
    assert_eq!(parsed(&["-std=c98"]).unknown.len(), 1);
    let found = parsed(&["-x", "c", "a", "-xc++", "b", "-x", "none", "c"]);
    let languages: Vec<_> = found.inputs.iter().map(|input| input.language).collect();
    assert_eq!(languages, [Some(Language::C), Some(Language::Cpp), None]);
}

#[test]
fn the_last_switch_wins() {
    let options = |args: &[&str]| parsed(args).options;
    assert_eq!(options(&["-fsigned-char", "-funsigned-char"]).signed_char, Some(false));
    assert!(!options(&["-fshort-enums", "-fno-short-enums"]).short_enums);
    assert!(options(&["-O0", "-Os"]).optimize);
    assert!(!options(&["-O2", "-O0"]).optimize);
    assert!(options(&["-O"]).optimize);
    let free = options(&["-ffreestanding"]);
    assert!(free.freestanding && free.no_builtin);
    assert!(options(&["-nostdinc"]).no_standard_includes);
    assert_eq!(options(&["-fpack-struct"]).pack_struct, Some(1));
    assert_eq!(options(&["-fpack-struct=4"]).pack_struct, Some(4));
    assert_eq!(options(&["-fno-builtin-malloc"]).no_builtin_names, ["malloc"]);
}

#[test]
fn facts_get_only_what_changes_them() {
    let args = [
        "-Wall",
        "-O2",
        "-m32",
        "-fPIC",
        "-fno-strict-aliasing",
        "-DX",
        "-g3",
        "-std=gnu99",
        "-O1",
        "-fPIC",
        "-MD",
        "-Ix",
        "-pthread",
        "-target",
        "armv7",
        "-Btools",
        "-specs=nano.specs",
        "-mtune=native",
    ];
    let expected = [
        "-m32",
        "-std=gnu99",
        "-O1",
        "-fPIC",
        "-pthread",
        "-target",
        "armv7",
        "-B/d/tools",
        "-specs=nano.specs",
    ];
    assert_eq!(parsed(&args).fact_flags, expected);
}

#[test]
fn unknown_flags_are_named_without_their_value() {
    let found = parsed(&["-fwhatever=3", "--nonsense", "-Wunheard-of", "-qfoo", "a.c"]);
    assert_eq!(found.unknown, ["-fwhatever", "--nonsense", "-qfoo"]);
}

#[test]
fn odd_ends() {
    assert_eq!(parsed(&["-I"]).problems.len(), 1);
    assert_eq!(inputs(&["--", "-x.c"]), ["-x.c"]);
    assert_eq!(inputs(&["-"]), ["-"]);
    assert!(parsed(&["-M", "a.c"]).preprocess_only);
    assert!(!parsed(&["-MD", "a.c"]).preprocess_only);
    assert!(parsed(&["-Xclang"]).inputs.is_empty());
}
