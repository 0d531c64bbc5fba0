//! One unit through all stages: preprocess, measure, convert, parse, check, join.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rucc_ast::Ast;
use rucc_base::{Interner, Symbol};
use rucc_diag::{Diagnostic, Span};
use rucc_lex::{PpToken, Tokens, convert};
use rucc_parse::Parsed;
use rucc_sema::{Checked, Checker, DeclId, Tast};
use rucc_session::FileSystem;

use crate::attributes::{all_decls, join};
use crate::damage::{Damage, assess, extents};
use crate::depth::deep_token;
use crate::disk::Disk;
use crate::error::{Errors, FrontError};
use crate::limits::{Limits, MAX_RANGE_ELEMENTS};
use crate::places::Places;
use crate::preprocess::{Preprocessed, preprocess};
use crate::ranges::endless_range;
use crate::setup::Setup;
use crate::typed::Tree;
use crate::unmentioned;

/// The preprocessor gave up on a macro; what it left is millions of tokens of no use.
const EXPANSION_TOO_LARGE: &str = "E0310";

/// What the stages cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Preprocessing.
    pub reading: Duration,
    pub parsing: Duration,
    /// Checking types, and joining what the checker drops.
    pub checking: Duration,
    /// Bytes of source and headers, each as often as it was asked for.
    pub bytes: usize,
    /// Tokens after macro expansion.
    pub tokens: usize,
}

/// What one attempt made of the unit.
#[derive(Default)]
pub(crate) struct Attempt {
    pub(crate) tree: Option<Tree>,
    pub(crate) errors: Errors,
    pub(crate) costs: Costs,
    /// Files with bytes that were refused because they are no UTF-8.
    pub(crate) not_utf8: Vec<PathBuf>,
}

pub(crate) fn attempt(setup: &Setup, disk: &Disk<'_>, limits: &Limits) -> Attempt {
    let mut out = Attempt::default();
    if let Err(error) = run_stages(setup, disk, limits, &mut out) {
        out.errors.push(error);
    }
    out
}

fn run_stages(
    setup: &Setup,
    disk: &Disk<'_>,
    limits: &Limits,
    out: &mut Attempt,
) -> Result<(), FrontError> {
    let mut clock = Instant::now();
    let read = preprocess(setup, disk, limits)?;
    out.costs.reading = lap(&mut clock);
    let Preprocessed { names, sources, keywords, mut tokens, origins, diagnostics, lines } = read;
    out.costs.tokens = tokens.len();
    let identity = |path: &Path| disk.identity(path);
    let places = Places::new(sources, origins, &lines, &names, &setup.root, &identity);
    let mut reports = Reports { places: &places, out, tokens: Vec::new() };
    let runaway = diagnostics.iter().any(|each| each.code == Some(EXPANSION_TOO_LARGE));
    reports.about_bytes(diagnostics);
    disk.refusal()?;
    if runaway {
        return Ok(());
    }
    refuse_bulk(limits, &places)?;
    unmentioned::leave_out(&mut tokens, &names, &keywords, &places);
    refuse_depth(limits, &tokens, &names, &places)?;

    let (converted, diagnostics) = convert(&tokens, &setup.convert(&keywords, &names));
    drop(tokens);
    reports.about_tokens(diagnostics);
    let parsed = parse(&converted, setup, &names);
    drop(converted);
    let Parsed { ast, diagnostics, weak_pragmas, extname_pragmas, .. } = parsed;
    reports.about_tokens(diagnostics);
    reports.out.costs.parsing = lap(&mut clock);
    refuse_ranges(&ast, &places)?;

    let mut checker = Checker::new(&ast, setup.check(&names));
    checker.check_unit();
    for pragma in &weak_pragmas {
        checker.pragma_weak(pragma.name, pragma.target, pragma.span);
    }
    for pragma in &extname_pragmas {
        checker.pragma_extname(pragma.old, pragma.new, pragma.span);
    }
    let Checked { tast, types, diagnostics } = checker.finish();
    reports.about_tokens(diagnostics);
    let errors = reports.tokens;

    let attributes = join(&ast, &tast, &names);
    let definitions = definitions(&tast);
    let damage = damage(&ast, &tast, &definitions, &errors, &places);
    let target = setup.target.clone();
    out.tree = Some(Tree { tast, types, names, target, places, attributes, damage, definitions });
    out.costs.checking = lap(&mut clock);
    Ok(())
}

fn lap(clock: &mut Instant) -> Duration {
    let now = Instant::now();
    now.duration_since(std::mem::replace(clock, now))
}

fn refuse_bulk(limits: &Limits, places: &Places) -> Result<(), FrontError> {
    if places.token_count() <= limits.max_tokens {
        return Ok(());
    }
    let message = format!("more than {} tokens after macro expansion", limits.max_tokens);
    Err(FrontError::error(message, places.token_position(Span { lo: 0, hi: 1 })))
}

fn refuse_depth(
    limits: &Limits,
    tokens: &[PpToken],
    names: &Interner,
    places: &Places,
) -> Result<(), FrontError> {
    let limit = limits.max_levels();
    let Some(index) = deep_token(tokens, names, limit) else { return Ok(()) };
    let message = format!("an expression or statement is nested over {limit} levels deep");
    Err(FrontError::error(message, places.token_position(tokens[index].span)))
}

fn refuse_ranges(ast: &Ast, places: &Places) -> Result<(), FrontError> {
    let Some(span) = endless_range(ast, MAX_RANGE_ELEMENTS) else { return Ok(()) };
    let message = format!("ranges in initialisers have over {MAX_RANGE_ELEMENTS} elements");
    Err(FrontError::error(message, places.token_position(span)))
}

fn parse(tokens: &Tokens, setup: &Setup, names: &Interner) -> Parsed {
    let known = setup.target.type_names().iter();
    let type_names: Vec<Symbol> = known.filter_map(|&(name, _)| names.find(name)).collect();
    let context = rucc_parse::Context {
        interner: names,
        std: setup.std,
        gnu: setup.gnu,
        pedantic: false,
        error_limit: 0,
        type_names: &type_names,
    };
    rucc_parse::parse(tokens, context)
}

fn definitions(tast: &Tast) -> Vec<DeclId> {
    let mut found: Vec<DeclId> = all_decls(tast).filter(|&id| tast[id].body.is_some()).collect();
    found.sort_by_key(|&id| tast.definition_span(id).lo);
    found
}

fn damage(
    ast: &Ast,
    tast: &Tast,
    definitions: &[DeclId],
    errors: &[(Span, FrontError)],
    places: &Places,
) -> Damage {
    if errors.is_empty() {
        return Damage::default();
    }
    let end = u32::try_from(places.token_count()).unwrap_or(u32::MAX);
    assess(&extents(ast), errors, definitions, tast, end)
}

/// Turns the dependency's diagnostics into errors; its warnings are dropped.
struct Reports<'a> {
    places: &'a Places,
    out: &'a mut Attempt,
    /// The errors with the tokens they are about, for telling which functions they spoil.
    tokens: Vec<(Span, FrontError)>,
}

impl Reports<'_> {
    /// Diagnostics of the preprocessor, whose spans are bytes.
    fn about_bytes(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics.into_iter().filter(|each| each.severity.is_fatal()) {
            let at = diagnostic.span.lo;
            if is_about_encoding(&diagnostic) {
                self.out.not_utf8.extend(self.places.file_of_byte(at));
            }
            let span = self.places.token_at_byte(at);
            self.add(span, FrontError::error(diagnostic.message, self.places.byte_position(at)));
        }
    }

    /// Diagnostics of the later stages, whose spans are tokens.
    fn about_tokens(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics.into_iter().filter(|each| each.severity.is_fatal()) {
            if is_about_encoding(&diagnostic) {
                self.out.not_utf8.extend(self.places.file_of_token(diagnostic.span));
            }
            let position = self.places.token_position(diagnostic.span);
            self.add(diagnostic.span, FrontError::error(diagnostic.message, position));
        }
    }

    fn add(&mut self, span: Span, error: FrontError) {
        self.tokens.push((span, error.clone()));
        self.out.errors.push(error);
    }
}

fn is_about_encoding(diagnostic: &Diagnostic) -> bool {
    let message = &diagnostic.message;
    message.contains("not valid UTF-8") || message.contains("to the execution charset")
}
