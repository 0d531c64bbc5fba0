//! The `-f` flags that do not change what C source means: optimisation, debugging, diagnostics,
//! linking. A name is known if, after an optional `no-`, it starts with one of these stems; only
//! a name that no stem covers is worth a note.

const STEMS: &str = "\
    abi- access- ada- aggressive- align- aligned-new allocation-dce allow- altivec analyzer ansi- \
    apple- application- approx- argument- asan- asm associative-math assume- assumptions \
    async-exceptions asynchronous- auto- autolink automatic basic- binutils- bit-tests blas \
    bounds bracket- branch- btr building- builtin call-saved- call-used- caller callgraph-info \
    canon- canonical- caret cas-path cf-protection cheap check- checking chkp- cilkplus code- \
    color- combine- comment- common compare- compile- complete cond- condition- conserve- const- \
    constant- constexpr- convert coroutines coverage cprop crash- cross- crossjumping cs-profile \
    cse- cx- data- dbg- dce debug dec- declone- deduce defer- delayed- delete- dependence- \
    devirtualize diagnostics- directives-only disable- discard- dollars- dse dump dwarf early- \
    elide- eliminate- embed- emit- emulated- enable- entry- error-limit exceptions excess- \
    exec-charset expensive- experimental- ext- extended- extern- fat- file- finalize finite- fix- \
    fixed- flat_namespace float- fold- force- forward- fp- friend- function- gcov gcse gimple \
    global- gnu- gnu89- gnuc- gpu graphite guess- handle- harden- hardened hidden- hoist- ident \
    if- implement- implicit- indirect- inhibit- init- inline input- instantiate instr- instrument \
    integrated- intentional- invalid- ipa- ira- isolate- ivopts jmc jump- keep- knr- large- lax- \
    ld- libfuzzer license- lifetime-dse limit- line- linker-output live- local- loop- lra- lto \
    macro- make- malloc- math max- mcount mem merge- message- min- minimize- module- modulemap- \
    modules modulo- move- ms- mudflap multi-level nans native- nested- new- next- non-call- \
    nonansi- nothrow- objc- odr- offload omit- openacc openmp- operator- opt- optimi pack- \
    parallel- parse- partial- pascal- pass- patchable path- pcc- pch peel- peephole permissive \
    permitted- pic pie plt plugin pointer- post- pre- predictive prefetch preprocessed pretty- \
    print- printf- proceed- profile pseudo- pta ptrauth random- range- reciprocal record- \
    recovery ree ref- reg- register- regmove relaxed- remat rename- reorder report- require- \
    reroll rerun- reschedule- resolution retain- rewrite- ropi rounding- rtlib rtti rwpi sanitize \
    save- sched search- section-anchors see sel- selective- self-test semantic- separate- shadow- \
    short- show- shrink- signaling- signed- simd single- sized- skip- slp- sort- spell- split- \
    ssa- ssp stack- standalone- stats stdarg- stdlib store- strength-reduce strict- strong- strub \
    struct- symbol- sync- syntax- tabstop tail-call target- template- test- thinlto thread- \
    threadsafe time-report tls- toplevel- tracer track- traditional trampolines trap tree- \
    trivial- type- typed- unconstrained- unique- unit- universal unroll unsafe- unsigned- \
    unswitch unwind use- validate- var- variable- veclib version-loops vect verbose- visibility vpt vtable- \
    vtv- weak web whole- wide- working- wpa wrapv writable- xray zee zero- zvector";

/// `name` is what follows `-f`.
pub(crate) fn is_known(name: &[u8]) -> bool {
    let stem = name.strip_prefix(b"no-").unwrap_or(name);
    STEMS.split_ascii_whitespace().any(|known| stem.starts_with(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_flags_are_known_and_invented_ones_are_not() {
        for name in [
            "no-strict-aliasing",
            "omit-frame-pointer",
            "data-sections",
            "function-sections",
            "visibility=hidden",
            "no-common",
            "lto=auto",
            "wrapv",
            "diagnostics-color=always",
            "file-prefix-map=/a=b",
            "tree-vectorize",
            "no-delete-null-pointer-checks",
            "zero-call-used-regs=used-gpr",
            "trivial-auto-var-init=pattern",
            "macro-prefix-map=a=b",
        ] {
            assert!(is_known(name.as_bytes()), "{name}");
        }
        for name in ["whatever", "no-whatever", "", "no-", "quux=1"] {
            assert!(!is_known(name.as_bytes()), "{name}");
        }
    }
}
