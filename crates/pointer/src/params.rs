//! Which object a parameter of an entry brings.
//!
//! A library has many entries, and most of them take the same few structs. With an object for
//! each parameter the sets of what these functions call in common would grow with the library;
//! and an object that `open(s)` puts into `*s` would not be what `close(s)` frees. So, past a
//! number of entries, the first parameter of a type brings the same object in every function, and
//! the second of that type another: within a function they stay apart.

use caulk_base::FxHashMap;
use caulk_ir::{Module, Type, TypeId};
use caulk_program::ProcId;

use crate::Input;
use crate::layout;
use crate::object::ObjKind;

#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    /// For parameters that do not stand for themselves.
    stand_in: FxHashMap<(ProcId, u32), (ProcId, u32)>,
}

/// The type that a parameter points to, over all modules, and which of that type it is.
type Key = (String, usize);

impl Params {
    pub(crate) fn new(input: Input, limit: usize) -> Self {
        let mut params = Self::default();
        if input.entries.iter().count() <= limit {
            return params;
        }
        let mut first: FxHashMap<Key, (ProcId, u32)> = FxHashMap::default();
        for proc in input.program.procs.ids() {
            params.add(input, proc, &mut first);
        }
        params
    }

    fn add(&mut self, input: Input, proc: ProcId, first: &mut FxHashMap<Key, (ProcId, u32)>) {
        let module = input.program.module_of(proc);
        let signature = input.program.function(proc).signature;
        let types = &module.types.signatures[signature].params;
        let texts: Vec<Option<String>> = types.iter().map(|&ty| pointee(module, ty)).collect();
        for (index, text) in texts.iter().enumerate() {
            let Some(text) = text else { continue };
            let nth = texts[..index].iter().filter(|&other| other.as_ref() == Some(text)).count();
            let here = (proc, u32::try_from(index).unwrap_or(u32::MAX));
            let stands = *first.entry((text.clone(), nth)).or_insert(here);
            self.stand_in.insert(here, stands);
        }
    }

    pub(crate) fn object(&self, proc: ProcId, index: u32) -> ObjKind {
        let (proc, index) = self.stand_in.get(&(proc, index)).copied().unwrap_or((proc, index));
        ObjKind::Param { proc, index }
    }
}

fn pointee(module: &Module, ty: TypeId) -> Option<String> {
    layout::pointee(module, ty).map(|to| spelled(module, to))
}

/// Enough of a type's spelling to tell it from others.
fn spelled(module: &Module, ty: TypeId) -> String {
    match module.types.types[ty] {
        Type::Pointer { to, .. } => format!("{}*", spelled(module, to)),
        Type::Array { element, .. } => format!("{}[]", spelled(module, element)),
        Type::Record(id) => {
            let record = &module.types.records[id];
            let name = record.name.map_or("", |name| module.names.text(name));
            format!("record {name} {}", record.size)
        }
        Type::Scalar { scalar, .. } => scalar.to_string(),
        Type::Function(_) => "function".to_string(),
        _ => "void".to_string(),
    }
}
