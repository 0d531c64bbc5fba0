//! Where a program releases what it owns: calls of `free` and its like, of functions of the same
//! unit that hand a parameter on to one, and of functions that say so by their names (their bodies
//! may be elsewhere, or call through pointers). Found on the ir, so that what macros hide and what
//! only looks like a call is told apart.

use caulk_base::{Id, Span};
use caulk_driver::UnitVisitor;
use caulk_ir::{Body, CallId, Callee, Function, FunctionId, Inst, Module, Type, ValueKind};
use caulk_project::Unit;
use std::collections::BTreeSet;
use std::path::PathBuf;

const RELEASERS: &[&str] = &["free", "fclose", "closedir", "close", "cfree", "pclose"];

/// Parts of the names by which programs call their own releasing functions.
const WORDS: &[&str] = &["free", "delete", "destroy", "dispose", "release", "unref", "dealloc"];

/// A place in a file, both counted from 1, columns in bytes.
pub type LineColumn = (u32, u32);

/// What a function gives back, as far as a `return` has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    Nothing,
    /// A number or a pointer: 0 will do.
    Scalar,
    Aggregate,
}

/// A call that releases something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Absolute; the source of the unit itself.
    pub file: PathBuf,
    pub function: String,
    pub callee: String,
    pub start: LineColumn,
    pub end: LineColumn,
    pub gives: Gives,
    /// Parameters that a condition can test.
    pub numbers: Vec<String>,
}

/// Collects the releases of each unit.
pub struct FindReleases;

impl UnitVisitor for FindReleases {
    type Output = Vec<Release>;

    fn module(&self, unit: &Unit, module: Module) -> Vec<Release> {
        let releasers = releasers(&module);
        let bodies = module.bodies().filter(|(_, function, _)| !function.system);
        let found = bodies
            .flat_map(|(_, function, body)| in_body(&module, unit, function, body, &releasers));
        found.collect()
    }
}

fn releasers(module: &Module) -> BTreeSet<FunctionId> {
    let is_named = |wanted: &dyn Fn(FunctionId, &Function) -> bool| -> BTreeSet<FunctionId> {
        module.functions.iter().filter(|(id, row)| wanted(*id, row)).map(|(id, _)| id).collect()
    };
    let direct = is_named(&|id, _| RELEASERS.contains(&module.function_name(id)));
    let speaking = is_named(&|id, row| says_release(module, id, row));
    let hands_on = |body: &Body| {
        let is_param = |value| matches!(body.values[value].kind, ValueKind::Param(_));
        body.calls.rows().iter().any(|call| {
            matches!(call.callee, Callee::Function(id) if direct.contains(&id))
                && call.args.iter().any(|arg| is_param(arg.value))
        })
    };
    let wrappers = module.bodies().filter(|(_, _, body)| hands_on(body)).map(|(id, ..)| id);
    wrappers.chain(direct.iter().copied()).chain(speaking).collect()
}

fn says_release(module: &Module, id: FunctionId, function: &Function) -> bool {
    let name = module.function_name(id).to_lowercase();
    let signature = &module.types.signatures[function.signature];
    WORDS.iter().any(|word| name.contains(word))
        && module.types.types[signature.result] == Type::Void
        && !signature.params.is_empty()
}

fn in_body(
    module: &Module,
    unit: &Unit,
    function: &Function,
    body: &Body,
    releasers: &BTreeSet<FunctionId>,
) -> Vec<Release> {
    let release = |(inst, callee): (SpanOf, FunctionId)| {
        let span = module.spans.get(inst).filter(|span| span.in_macro.is_none())?;
        let path = &module.files.get(span.start.file)?.path;
        let is_own = unit.directory.join(path) == unit.source || *path == unit.display;
        is_own.then(|| Release {
            file: unit.source.clone(),
            function: module.names.text(function.name).to_string(),
            callee: module.function_name(callee).to_string(),
            start: start(&span),
            end: (span.end_line, span.end_column),
            gives: gives(module, function),
            numbers: numbers(module, body),
        })
    };
    direct_calls(body, releasers).filter_map(release).collect()
}

type SpanOf = caulk_base::SpanId;

fn direct_calls<'a>(
    body: &'a Body,
    releasers: &'a BTreeSet<FunctionId>,
) -> impl Iterator<Item = (SpanOf, FunctionId)> + 'a {
    let callee = |call: CallId| match body.calls[call].callee {
        Callee::Function(id) if releasers.contains(&id) => Some(id),
        _ => None,
    };
    let spans = body.inst_spans.rows();
    body.insts.iter().filter_map(move |(id, inst)| match inst {
        Inst::Call(call) => Some((*spans.get(id.index())?, callee(*call)?)),
        _ => None,
    })
}

fn start(span: &Span) -> LineColumn {
    (span.start.line, span.start.column)
}

fn gives(module: &Module, function: &Function) -> Gives {
    match module.types.types[module.types.signatures[function.signature].result] {
        Type::Void => Gives::Nothing,
        Type::Scalar { .. } | Type::Enum(_) | Type::Pointer { .. } => Gives::Scalar,
        _ => Gives::Aggregate,
    }
}

fn numbers(module: &Module, body: &Body) -> Vec<String> {
    let is_number = |var: &&caulk_ir::Var| {
        let ty = module.types.types[var.ty];
        let is_integer = match ty {
            Type::Scalar { scalar, .. } => scalar.is_int(),
            Type::Enum(_) => true,
            _ => false,
        };
        var.param.is_some() && is_integer
    };
    let params = body.vars.rows().iter().filter(is_number);
    params.map(|var| module.names.text(var.name).to_string()).collect()
}
