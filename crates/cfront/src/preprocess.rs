//! The first stage: from files to one stream of tokens.
//!
//! The macros are those of the real compiler. The dependency's own set is defined first, because
//! that is also how it learns the facts about the target; then every macro that stands for text
//! is removed again, and the compiler's list, the command line's and the pre-included files are
//! read in its place.

use std::path::Path;

use caulk_project::describe;
use rucc_base::{Interner, Symbol};
use rucc_diag::{Diagnostic, SourceMap};
use rucc_lex::{Keywords, PpToken};
use rucc_pp::{Context, LineDirective, Preprocessor, Tok};
use rucc_session::FileSystem;
use rucc_tuple::Arch;

use crate::disk::Disk;
use crate::error::FrontError;
use crate::limits::Limits;
use crate::null_distance;
use crate::origin::{Origin, index_tokens};
use crate::setup::Setup;

pub(crate) struct Preprocessed {
    pub(crate) names: Interner,
    pub(crate) sources: SourceMap,
    pub(crate) keywords: Keywords,
    /// Each with its own index as span.
    pub(crate) tokens: Vec<PpToken>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) lines: Vec<LineDirective>,
}

/// Expansions that the compiler does not list among its macros.
const KEPT: [&str; 2] = ["__DATE__", "__TIME__"];

pub(crate) fn preprocess(
    setup: &Setup,
    disk: &Disk<'_>,
    limits: &Limits,
) -> Result<Preprocessed, FrontError> {
    let bytes =
        disk.read(&setup.source).map_err(|error| unreadable(&setup.source, disk, &error))?;
    let mut names = Interner::with_capacity(1024);
    // Before anything else is interned: keywords must be one unbroken run of symbols.
    let keywords = keywords(setup, &mut names);
    let mut sources = SourceMap::new();
    let name = setup.source.to_string_lossy().into_owned();
    let file = sources.add_shared(name, bytes, None).map_err(|full| whole(&full))?;
    let mut preprocessor = Preprocessor::new();
    let mut context = Context::new(&mut names, &mut sources, disk, &setup.search);
    context.lex = rucc_lex::Options::for_dialect(setup.std, setup.gnu, setup.trigraphs);
    context.max_include_depth = limits.max_include_depth;
    let mut tokens = define_macros(setup, &mut preprocessor, &mut context)?;
    append(&mut tokens, preprocessor.run(file, &mut context));
    let (mut indexed, origins) = index_tokens(&tokens, &sources);
    null_distance::rewrite(&mut indexed, &names);
    let mut diagnostics = preprocessor.take_diagnostics();
    diagnostics.retain(|it| !is_remark(it, &sources));
    let lines = preprocessor.line_directives().to_vec();
    Ok(Preprocessed { names, sources, keywords, tokens: indexed, origins, diagnostics, lines })
}

/// Whether a directive that the dependency does not know is one that compilers pass over: `#ident` and
/// `#sccs` leave a text in the object file.
fn is_remark(diagnostic: &Diagnostic, sources: &SourceMap) -> bool {
    const UNKNOWN_DIRECTIVE: &str = "E0332";
    let text = || {
        let at = diagnostic.span.lo;
        let line = sources.lookup(at)?.line;
        let file = sources.file(sources.lookup_file(at)?);
        let text = file.line_bytes(line)?.trim_ascii_start().strip_prefix(b"#")?;
        Some(text.trim_ascii_start())
    };
    let is_named = |text: &[u8]| {
        let end = text.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(text.len());
        matches!(&text[..end], b"ident" | b"sccs")
    };
    diagnostic.code == Some(UNKNOWN_DIRECTIVE) && text().is_some_and(is_named)
}

/// Everything that comes before the source's first line.
fn define_macros(
    setup: &Setup,
    preprocessor: &mut Preprocessor,
    context: &mut Context<'_>,
) -> Result<Vec<Tok>, FrontError> {
    let mut tokens = Vec::new();
    preprocessor.predefine(&setup.target, &setup.predef, context).map_err(|full| whole(&full))?;
    if setup.preprocessed {
        undefine(preprocessor, context.interner, &[]);
        return Ok(tokens);
    }
    if !setup.compiler_macros.is_empty() {
        undefine(preprocessor, context.interner, &KEPT);
    }
    let files = &setup.preincludes;
    preprocessor.preinclude(files, &mut tokens, context).map_err(|full| whole(&full))?;
    Ok(tokens)
}

/// Removes the macros that stand for fixed text; those that depend on the place of use stay.
fn undefine(preprocessor: &mut Preprocessor, names: &Interner, kept: &[&str]) {
    let all = preprocessor.macros().sorted();
    let fixed = all.iter().filter(|each| each.builtin.is_none()).map(|each| each.name);
    let fixed: Vec<Symbol> = fixed.filter(|&name| !kept.contains(&names.resolve(name))).collect();
    for name in fixed {
        preprocessor.macros_mut().undef(name);
    }
}

fn keywords(setup: &Setup, names: &mut Interner) -> Keywords {
    let keywords = Keywords::new(names, setup.std, setup.gnu);
    match setup.target.tuple.arch() {
        Arch::X86_64 | Arch::X86 => keywords.x86(setup.gnu),
        _ => keywords,
    }
}

fn append(tokens: &mut Vec<Tok>, more: Vec<Tok>) {
    if tokens.is_empty() {
        *tokens = more;
    } else {
        tokens.extend(more);
    }
}

fn unreadable(path: &Path, disk: &Disk<'_>, error: &std::io::Error) -> FrontError {
    disk.refusal().err().unwrap_or_else(|| FrontError::error(describe(path, error), None))
}

fn whole(full: &rucc_diag::SourceMapFull) -> FrontError {
    FrontError::error(full.to_string(), None)
}
