//! What the bundled models say.

use caulk_models::{
    Args, CallbackArgument, Condition, Effect, Freed, FunctionModel, Models, ResultKind, Returns,
    Success, Target, Test, When,
};

fn model<'m>(models: &'m Models, name: &str) -> &'m FunctionModel {
    models.find(name).unwrap_or_else(|| panic!("no model of {name}"))
}

/// The model's effects in one line each, for comparing with a table.
fn told(model: &FunctionModel) -> Vec<String> {
    model.effects.iter().map(tell).collect()
}

fn tell(effect: &Effect) -> String {
    match effect {
        Effect::Allocates { to, resource, may_fail, zeroed, when, .. } => {
            let never = if *may_fail { "" } else { " surely" };
            let zeroed = if *zeroed { " zeroed" } else { "" };
            format!("allocates {resource}{zeroed} to {}{never}{}", target(*to), tell_when(when))
        }
        Effect::Frees { args, what, resource, others, when } => {
            let others: String = others.iter().map(|other| format!(" or {other}")).collect();
            format!(
                "frees {resource}{others} {}{}{}",
                tell_args(*args),
                freed(*what),
                tell_when(when)
            )
        }
        Effect::Reallocates { arg, through, to, resource, .. } => {
            let old = if *through { "*" } else { "" };
            format!("reallocates {resource} {old}{arg} to {}", target(*to))
        }
        Effect::Retains { arg } => format!("retains {arg}"),
        Effect::Fills { arg, byte, bytes } => format!("fills {arg} with {byte:?}, {bytes} bytes"),
        Effect::ReturnsArgument { arg, interior, below, when } => {
            let below = below.map_or(String::new(), |below| format!(" below {below}"));
            let inside = if *interior { "inside " } else { "" };
            format!("returns {inside}{arg}{below}{}", tell_when(when))
        }
        Effect::ReturnsLoaded { arg } => format!("returns *{arg}"),
        Effect::StoresArgument { arg, interior, into, offset } => {
            let inside = if *interior { "inside " } else { "" };
            let place = offset.map_or("?".to_string(), |offset| offset.to_string());
            format!("stores {inside}{arg} into {into}+{place}")
        }
        Effect::Keeps { args, when } => format!("keeps {}{}", tell_args(*args), tell_when(when)),
        Effect::Reads { args } => format!("reads {}", tell_args(*args)),
        Effect::Writes { args } => format!("writes {}", tell_args(*args)),
        Effect::Clears { arg } => format!("clears {arg}"),
        Effect::CopiesMemory { to, from, .. } => format!("copies {from} to {to}"),
        Effect::CallsBack { function, through, arguments, entry, .. } => {
            let place = if *through { "*" } else { "" };
            let later = if *entry { " later" } else { "" };
            let given: Vec<String> = arguments.iter().map(passed).collect();
            format!("calls {place}{function}({}){later}", given.join(" "))
        }
    }
}

fn tell_args(args: Args) -> String {
    format!("{}{}", args.first, if args.and_later { ".." } else { "" })
}

fn target(target: Target) -> String {
    match target {
        Target::Result => "result".to_string(),
        Target::Pointee(arg) => format!("*{arg}"),
        Target::Element { arg, index } => format!("*{arg}[{index}]"),
        Target::Elements(arg) => format!("**{arg}"),
        Target::Inside(arg) => format!("inside {arg}"),
    }
}

fn freed(freed: Freed) -> &'static str {
    match freed {
        Freed::Argument => "",
        Freed::Pointee => " pointee",
        Freed::ArgumentAndElements => " and elements",
        Freed::Inside => " inside",
    }
}

fn tell_when(when: &When) -> String {
    match when {
        When::Always => String::new(),
        When::OnSuccess => " on success".to_string(),
        When::OnFailure => " on failure".to_string(),
        When::Condition(Condition { arg, test: Test::Is(values) }) => {
            format!(" when {arg} is {values:?}")
        }
        When::Condition(Condition { arg, test: Test::IsNot(values) }) => {
            format!(" when {arg} is not {values:?}")
        }
        When::Condition(Condition { arg, test: Test::Lacks(bits) }) => {
            format!(" when {arg} lacks {bits}")
        }
    }
}

fn passed(argument: &CallbackArgument) -> String {
    match argument {
        CallbackArgument::Argument(arg) => arg.to_string(),
        CallbackArgument::PointsInto(arg) => format!("into{arg}"),
        CallbackArgument::LoadedFrom(arg) => format!("from{arg}"),
        CallbackArgument::Unknown => "?".to_string(),
    }
}

#[test]
fn effects_of_well_known_functions() {
    let table: &[(&str, &[&str])] = &[
        ("malloc", &["allocates memory to result on success"]),
        ("calloc", &["allocates memory zeroed to result on success"]),
        ("free", &["frees memory 0"]),
        ("realloc", &["reallocates memory 0 to result"]),
        ("posix_memalign", &["allocates memory to *0 on success"]),
        ("strdup", &["allocates memory to result on success"]),
        ("__strdup", &["allocates memory to result on success"]),
        ("__builtin_strdup", &["allocates memory to result on success"]),
        ("asprintf", &["allocates memory to *0 on success"]),
        ("__asprintf_chk", &["allocates memory to *0 on success"]),
        ("getline", &["reallocates memory *0 to *0", "writes 1"]),
        ("fopen64", &["allocates file to result on success"]),
        ("fclose", &["frees file 0"]),
        ("fdopen", &["allocates file to result on success", "keeps 0 on success"]),
        (
            "open_memstream",
            &[
                "allocates file to result on success",
                "allocates memory to *0 on success",
                "writes 1",
            ],
        ),
        (
            "realpath",
            &[
                "allocates memory to result when 1 is [0]",
                "writes 1",
                "returns 1 when 1 is not [0]",
            ],
        ),
        (
            "pipe",
            &["allocates descriptor to *0 on success", "allocates descriptor to *0[1] on success"],
        ),
        (
            "scandir",
            &[
                "allocates memory to *1 on success",
                "allocates memory to **1 on success",
                "calls 2(?)",
                "calls 3(? ?)",
            ],
        ),
        ("regcomp", &["allocates regex to inside 0 on success"]),
        ("regfree", &["frees regex 0 inside"]),
        ("getaddrinfo", &["allocates addresses to *3 on success"]),
        ("close", &["frees descriptor 0"]),
        ("memcpy", &["copies 1 to 0", "returns 0"]),
        ("mempcpy", &["copies 1 to 0", "returns inside 0"]),
        ("strchr", &["returns inside 0"]),
        ("strtok_r", &["stores inside 0 into 2+0", "writes 0", "returns inside 0", "returns *2"]),
        ("strtol", &["stores inside 0 into 1+0"]),
        ("qsort", &["calls 3(into0 into0)"]),
        ("bsearch", &["calls 4(0 into1)", "returns inside 1"]),
        (
            "pthread_create",
            &[
                "allocates thread to *0 when 1 is [0]",
                "keeps 3 on success",
                "writes 0",
                "calls 2(3) later",
            ],
        ),
        ("sigaction", &["writes 2", "calls *1(? ? ?) later"]),
        ("putenv", &["keeps 0"]),
        ("sscanf", &["writes 2.."]),
        ("__isoc99_sscanf", &["writes 2.."]),
        ("fprintf", &[]),
        ("g_malloc", &["allocates memory to result surely"]),
        ("g_object_ref", &["retains 0", "returns 0"]),
        ("g_strfreev", &["frees memory 0 and elements"]),
        ("g_clear_error", &["frees g-error 0 pointee", "clears 0"]),
        ("sqlite3_open", &["allocates sqlite-database to *1 surely"]),
        ("sqlite3_bind_text", &["keeps 2 when 4 is not [0, -1]", "calls 4(2) later"]),
        ("curl_slist_append", &["reallocates curl-list 0 to result"]),
        ("X509_free", &["frees X509 0"]),
        ("BIO_new", &["allocates BIO to result on success"]),
        ("kmem_cache_free", &["frees kernel-cache-object 1"]),
        ("devm_kzalloc", &[]),
    ];
    let models = Models::bundled();
    for (name, expected) in table {
        assert_eq!(told(model(&models, name)), *expected, "{name}");
    }
}

#[test]
fn results_and_success() {
    use ResultKind::{Argument, Fresh, Library, Loaded, Plain};
    let table = [
        ("malloc", Fresh, Some(Success::NonNull), false),
        ("g_malloc", Fresh, None, true),
        ("mmap", Fresh, Some(Success::NotMinusOne), false),
        ("open", Fresh, Some(Success::NonNegative), false),
        ("posix_memalign", Plain, Some(Success::Zero), false),
        ("strchr", Argument(0), None, false),
        ("strchrnul", Argument(0), None, true),
        ("strsep", Loaded(0), None, false),
        ("strtok", Argument(0), None, false),
        ("getenv", Library, None, false),
        ("strlen", Plain, None, false),
    ];
    let models = Models::bundled();
    for (name, result, success, nonnull) in table {
        let model = model(&models, name);
        assert_eq!(
            (model.result, model.success, model.nonnull),
            (result, success, nonnull),
            "{name}"
        );
    }
}

#[test]
fn ends_and_purity() {
    let models = Models::bundled();
    for name in ["exit", "abort", "longjmp", "errx", "__assert_fail", "panic"] {
        assert_eq!(model(&models, name).returns, Returns::Never, "{name}");
    }
    let failing = Condition { arg: 0, test: Test::IsNot(vec![0]) };
    assert_eq!(model(&models, "error").returns, Returns::NeverWhen(failing));
    assert_eq!(model(&models, "execvp").returns, Returns::OnlyOnFailure);
    assert!(model(&models, "setjmp").returns_twice);
    let purity = |name| (model(&models, name).pure, model(&models, name).reads_memory);
    assert_eq!(purity("sqrt"), (true, false));
    assert_eq!(purity("strlen"), (true, true));
    assert_eq!(purity("rand"), (false, false));
}

#[test]
fn unknown_names_have_no_model() {
    let models = Models::bundled();
    for name in ["", "__builtin_", "my_function", "mallocs", "__builtin___nothing_chk"] {
        assert!(models.find(name).is_none(), "{name}");
    }
}

/// Who is said to release a resource has a model, and that model frees this resource.
#[test]
fn release_functions_release() {
    let models = Models::bundled();
    for (name, model) in models.iter() {
        for effect in model.allocations() {
            let (Effect::Allocates { resource, releases, .. }
            | Effect::Reallocates { resource, releases, .. }) = effect
            else {
                panic!("{name}: {effect:?} allocates nothing")
            };
            assert!(!releases.is_empty(), "{name}: nobody releases {resource}");
            for release in releases {
                let frees = |effect: &Effect| match effect {
                    Effect::Frees { resource: freed, .. } => freed == resource,
                    _ => false,
                };
                let found = models.find(release).is_some_and(|m| m.releases().any(frees));
                assert!(found, "{name}: {release} does not free {resource}");
            }
        }
    }
}

#[test]
fn bundled_models_are_the_same_each_time_and_sorted() {
    let models = Models::bundled();
    assert_eq!(models, Models::bundled());
    assert!(models.iter().map(|(name, _)| name).is_sorted());
    assert_eq!(models.iter().count(), models.len());
    assert!(models.len() > 3000, "only {} functions", models.len());
    assert_eq!(models.releases_of("file"), ["fclose"]);
}
