//! Machines and policies of users, from the command line and from `caulk.toml`, to the findings.

mod common;

use common::{Folder, Ran};

const CLIENT: &str = "\
struct session;
struct session *session_open(const char *);
void session_close(struct session *);
int session_send(struct session *, const char *);
int client(const char *host, int dry)
{
    struct session *s = session_open(host);
    if (!s)
        return -1;
    if (dry)
        return 0;
    session_close(s);
    session_close(s);
    return 0;
}
";

/// The two files that the page about machines shows.
fn documented(test: &str) -> Folder {
    let page = include_str!("../../../docs/machines.md");
    let block = |number: usize| {
        let block = page.split("```").nth(number).expect("a block");
        block.strip_prefix("toml\n").expect("a file").to_owned()
    };
    let folder = Folder::new(test).file("client.c", CLIENT);
    folder.file("session.toml", block(1)).file("library.toml", block(3))
}

fn says_both(ran: Ran) {
    let lost =
        "a session from `session_open`, held by `s`, is never logged out on a path of `client`";
    ran.exits(1).says(lost).says("a session from `session_open`, held by `s`, is closed twice");
}

#[test]
fn the_documented_machine_is_obeyed() {
    let folder = documented("machine_documented");
    folder.run(&["check", "client.c"]).exits(0);
    let files = ["--machines", "session.toml", "--models", "library.toml"];
    says_both(folder.run(&[&["check", "client.c"], &files[..]].concat()));
    let config = "machines = [\"session.toml\"]\nmodels = [\"library.toml\"]\n";
    let folder = folder.file("caulk.toml", config);
    says_both(folder.run(&["check", "client.c"]));
    let ran = folder.run(&["check", "client.c", "--engine", "saber", "--verbose"]);
    ran.says("the engine saber does not use machines");
}

#[test]
fn a_machine_without_errors_is_silent() {
    let quiet = "[machines.session]\nnoun = \"a session\"\nresources = \"session\"\n\
                 start = \"open\"\nends = \"open\"\nstates = { open = {} }\nerrors = {}\n";
    let folder = documented("machine_silent").file("quiet.toml", quiet);
    let args = ["check", "client.c", "--models", "library.toml", "--machines", "quiet.toml"];
    folder.run(&args).exits(0);
    folder
        .run(&args[..4])
        .exits(1)
        .says("a session from `session_open`, held by `s`, is not released");
}

#[test]
fn mistakes_end_the_run() {
    let folder = documented("machine_mistakes").file("bad.toml", "[machines.m]\n");
    let wrong = |words: &[&str], message: &str| {
        let ran = folder.run(&[&["check", "client.c"], words].concat());
        ran.exits(2).complains(message);
    };
    wrong(&["--machines", "bad.toml"], "--machines: bad.toml:1:1: expected a key `states`");
    wrong(&["--machines", "gone.toml"], "--machines: gone.toml: no such file");
    wrong(&["--policy", "global"], "expected NAME=VALUE");
    wrong(&["--policy", "world=safe"], "expected one of unknown-call, global, may-free");
    wrong(&["--policy", "global=unsafe"], "expected one of track, safe");
}

/// What `caulk check` says of a file with each value of a policy.
#[track_caller]
fn check_policy(test: &str, text: &str, name: &str, findings: &[(&str, usize)]) {
    let folder = Folder::new(test).file("a.c", text);
    let count = |ran: Ran| ran.out.lines().filter(|line| line.contains("[leak/")).count();
    for &(value, expected) in findings {
        let policy = format!("{name}={value}");
        let found = count(folder.run(&["check", "--quiet", "a.c", "--policy", &policy]));
        assert_eq!(found, expected, "{policy}");
        let config = format!("[policies]\n{name} = \"{value}\"\n");
        std::fs::write(folder.0.join("caulk.toml"), config).unwrap();
        assert_eq!(count(folder.run(&["check", "--quiet", "a.c"])), expected, "{policy}");
    }
}

#[test]
fn unknown_calls() {
    let text = "\
void *malloc(unsigned long);
void register_name(char *);
int f(void)
{
    char *name = malloc(8);
    if (!name)
        return -1;
    register_name(name);
    return 0;
}
";
    check_policy(
        "policy_unknown",
        text,
        "unknown-call",
        &[("escape", 0), ("stop", 0), ("ignore", 1)],
    );
}

/// A path through an unknown call is not looked at any further, others are (K8).
#[test]
fn unknown_calls_end_the_search() {
    let text = "\
void *malloc(unsigned long);
void free(void *);
int look(const char **);
int f(int n)
{
    const char *name = malloc(8);
    if (!name)
        return -1;
    if (n)
        look(&name);
    free((void *)name);
    free((void *)name);
    return 0;
}
";
    let folder = Folder::new("policy_stop").file("a.c", text);
    let ran = folder.run(&["check", "a.c", "--policy", "unknown-call=stop"]).exits(1);
    ran.says("[double-free]").says("taken: `n == 0`");
}

#[test]
fn globals() {
    let text = "\
void *malloc(unsigned long);
static char *kept;
char *get(void) { return kept; }
int f(int n)
{
    kept = malloc(8);
    if (!kept)
        return -1;
    if (n)
        kept = 0;
    return 0;
}
";
    check_policy("policy_global", text, "global", &[("safe", 0), ("track", 1)]);
}

/// K9: stored globally on one path, an object still leaks on another, whatever the policy.
#[test]
fn kept_on_one_path_and_lost_on_another() {
    let text = "\
void *malloc(unsigned long);
static char *kept;
char *get(void) { return kept; }
int f(int n)
{
    char *name = malloc(8);
    if (!name)
        return -1;
    if (n)
        return 0;
    kept = name;
    return 1;
}
";
    check_policy("policy_k9", text, "global", &[("safe", 1), ("track", 1)]);
}

#[test]
fn may_free() {
    let text = "\
void *malloc(unsigned long);
void free(void *);
struct flagged { int owned; };
static void drop(struct flagged *it)
{
    if (it->owned)
        free(it);
}
void f(void)
{
    struct flagged *it = malloc(sizeof *it);
    if (it)
        drop(it);
}
";
    check_policy("policy_may_free", text, "may-free", &[("frees", 0), ("keeps", 1)]);
}
