//! Keys of kept entries: a hash of all that one look at a procedure reads, places excepted. A thing
//! of which only places differ is the same thing; who tells places asks for [`Keys::places`].
//!
//! Ids of a module's tables change with every edit, so objects and functions are hashed by what
//! they stand for, and names by their text (`reading`). Types are the exception: those of the module
//! are hashed as a whole, in their order.

use std::hash::Hash;
use std::sync::OnceLock;

use caulk_base::{Place, SpanId, Table};
use caulk_ir::{InstId, Module, Type, Types};
use caulk_program::{Entries, EntryReason, ExternalId, ModuleId, ProcId};
use rayon::prelude::*;

use crate::exec::{Context, Known};
use crate::kept::names::{Digest, Names, Stable};
use crate::kept::reading::Reading;

pub struct Keys<'a> {
    pub context: Context<'a>,
    entries: &'a Entries,
    pub names: &'a Names,
    /// What is the same for all.
    common: Stable,
    types: Table<ModuleId, Stable>,
    pub models: Table<ExternalId, Stable>,
    procs: Table<ProcId, OnceLock<Fixed>>,
}

/// What a procedure is, whatever is known of its callees.
struct Fixed {
    print: Stable,
    /// Whose summaries it may read.
    callees: Vec<ProcId>,
}

impl<'a> Keys<'a> {
    pub fn new(context: Context<'a>, entries: &'a Entries, names: &'a Names) -> Self {
        let mut inside: Vec<&String> = context.inside.iter().collect();
        inside.sort_unstable();
        let common = Digest::of(&(format!("{:?}", context.options), inside));
        let modules = context.program.modules.rows();
        let types: Vec<Stable> = modules.par_iter().map(types_of).collect();
        let model = |id| {
            let name = &context.program.externals[id].name;
            Digest::of(&(name, format!("{:?}", context.externals.of(id))))
        };
        let models = context.program.externals.ids().map(model).collect();
        let procs = context.program.procs.ids().map(|_| OnceLock::new()).collect();
        let types = types.into_iter().collect();
        Self { context, entries, names, common, types, models, procs }
    }

    /// For the summaries that are known of its callees now.
    pub fn of(&self, proc: ProcId) -> Stable {
        let mut digest = Digest::default();
        let fixed = self.procs[proc].get_or_init(|| self.fixed(proc));
        fixed.print.hash(&mut digest);
        for &callee in &fixed.callees {
            match self.context.schedule.get(callee, proc) {
                Known::Summary(known) => (0_u8, known.print).hash(&mut digest),
                Known::NotYet => 1_u8.hash(&mut digest),
                Known::Later => 2_u8.hash(&mut digest),
            }
        }
        digest.stable()
    }

    fn fixed(&self, proc: ProcId) -> Fixed {
        let mut digest = Digest::default();
        let function = self.context.program.function(proc);
        let module = self.context.program.procs[proc].module;
        (self.common, self.names.of_proc(proc), self.types[module]).hash(&mut digest);
        (function.signature, function.system).hash(&mut digest);
        (self.entries.reason(proc) == Some(EntryReason::Main)).hash(&mut digest);
        let (asked, budget) = (&self.context.schedule.asked, &self.context.options.budget);
        let asks = (asked.is_asked(proc), asked.is_read(proc), asked.steps(proc, budget));
        asks.hash(&mut digest);
        asked.settled_in(proc).hash(&mut digest);
        let mut callees = Reading::of(self, proc, &mut digest);
        // Ids are others in every run.
        callees.sort_unstable_by_key(|&callee| self.names.of_proc(callee));
        callees.dedup();
        Fixed { print: digest.stable(), callees }
    }

    /// Where the instructions of a procedure stand, and some of others.
    pub fn places(&self, proc: ProcId, others: &[(ProcId, InstId)]) -> Stable {
        let mut digest = Digest::default();
        let program = self.context.program;
        let (module, body) = (program.module_of(proc), program.body(proc));
        let ends = body.blocks.rows().iter().map(|block| block.terminator_span);
        let spans = body.inst_spans.rows().iter().copied().chain(ends);
        spans.for_each(|span| hash_span(module, span, &mut digest));
        for &(proc, at) in others {
            let span = program.body(proc).inst_spans.get(at);
            let module = program.module_of(proc);
            hash_span(module, span.copied().unwrap_or(SpanId::NOWHERE), &mut digest);
        }
        digest.stable()
    }
}

fn hash_span(module: &Module, span: SpanId, digest: &mut Digest) {
    let Some(span) = module.spans.get(span) else { return 0_u8.hash(digest) };
    (span.end_line, span.end_column).hash(digest);
    hash_place(module, span.start, digest);
    span.in_macro.is_some().hash(digest);
    span.in_macro.iter().for_each(|&place| hash_place(module, place, digest));
}

fn hash_place(module: &Module, place: Place, digest: &mut Digest) {
    (place.line, place.column).hash(digest);
    module.files.get(place.file).map(|file| file.path.as_os_str()).hash(digest);
}

/// Members have names that findings and summaries tell; enumerators have none.
fn types_of(module: &Module) -> Stable {
    let mut digest = Digest::default();
    let Types { types, records, enums, signatures } = &module.types;
    module.target.pointer_bytes.hash(&mut digest);
    for row in types.rows() {
        match row {
            Type::Opaque { size, align, .. } => (u8::MAX, size, align).hash(&mut digest),
            row => row.hash(&mut digest),
        }
    }
    for record in records.rows() {
        (record.kind, record.complete, record.size, record.fields.len()).hash(&mut digest);
        for field in &record.fields {
            let name = field.name.map(|name| module.names.text(name));
            (name, field.ty, field.offset, field.bits).hash(&mut digest);
        }
    }
    enums.rows().iter().for_each(|row| (row.scalar, row.signed).hash(&mut digest));
    signatures.rows().hash(&mut digest);
    digest.stable()
}
