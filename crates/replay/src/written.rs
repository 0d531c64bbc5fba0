//! Static storage that the program may write through pointers. What it neither writes so nor by its name
//! ([`stores`]) stays as it was initialised.
//!
//! A value is *spoiled* when memory behind it may be written or when it may be kept: it is stored,
//! returned, or handed to somebody who might do so. What it was made of is spoiled with it: the base of
//! an address, the arguments of an edge, the argument of a call whose parameter is spoiled. Callers
//! of a function are looked at again when one of its parameters becomes spoiled. The address of a member that is a number or a pointer
//! spoils that member alone: who has it comes to nothing else of the record. A pointer to what is
//! `const` spoils nothing.
//!
//! [`stores`]: crate::stores

use caulk_base::{FxHashMap, Id};
use caulk_interp::Program;
use caulk_ir::{
    Body, Callee, Constant, FunctionId, Inst, InstId, Linkage, Terminator, Type, TypeId, ValueId,
    ValueKind,
};
use caulk_models::{Effect, FunctionModel, Unmentioned};

use crate::callers::Callers;
use crate::names;
use crate::stores::place;

/// What of an object may be written through pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Whoever has a pointer to it may write any of it.
    pub anywhere: bool,
    /// Ranges of bytes that somebody has a pointer to.
    members: Vec<(i64, i64)>,
}

impl Written {
    pub fn is_never(&self) -> bool {
        *self == Self::default()
    }

    /// Whether somebody has a pointer to one of these bytes alone.
    pub fn touches_member(&self, at: i64, bytes: u32) -> bool {
        self.members.iter().any(|row| row.0 < at + i64::from(bytes) && at < row.1)
    }

    pub fn touches(&self, at: i64, bytes: u32) -> bool {
        self.anywhere || self.touches_member(at, bytes)
    }

    fn add(&mut self, range: (i64, i64)) {
        if !self.members.contains(&range) {
            self.members.push(range);
        }
    }
}

/// By the numbers of the program's objects.
pub fn leaked(
    program: &Program,
    models: &[Option<FunctionModel>],
    callers: &Callers,
) -> Vec<Written> {
    let first = |defined: bool| Written { anywhere: !defined, members: Vec::new() };
    let mut marker = Marker {
        program,
        models,
        params: program.functions.iter().map(|_| Vec::new()).collect(),
        objects: program.objects.iter().map(|row| first(row.defined)).collect(),
        changed: Vec::new(),
    };
    marker.mark_addresses();
    marker.mark_shared();
    let mut open: Vec<u32> = (0..program.functions.len() as u32).collect();
    while !open.is_empty() {
        open.into_iter().for_each(|function| marker.function(function));
        let changed = std::mem::take(&mut marker.changed);
        open = changed.iter().flat_map(|&it| callers.by_name(it)).map(|site| site.0).collect();
        open.sort_unstable();
        open.dedup();
    }
    marker.objects
}

struct Marker<'p> {
    program: &'p Program,
    models: &'p [Option<FunctionModel>],
    /// The spoiled parameters of each function.
    params: Vec<Vec<u32>>,
    objects: Vec<Written>,
    /// Functions with a parameter that is newly spoiled.
    changed: Vec<u32>,
}

impl Marker<'_> {
    /// Objects whose address is in static storage.
    fn mark_addresses(&mut self) {
        for (number, module) in self.program.modules.iter().enumerate() {
            let inits = module.objects.rows().iter().filter_map(|row| row.init.as_ref());
            for row in inits.flat_map(|init| &init.relocations) {
                if let caulk_ir::RelocationTarget::Object(id) = row.target {
                    let object = self.program.object_number(number, id);
                    self.objects[object as usize].anywhere = true;
                }
            }
        }
    }

    /// A library's objects that others see may be written by them.
    fn mark_shared(&mut self) {
        if self.program.functions.iter().any(|row| row.defined && row.name == "main") {
            return;
        }
        for (number, row) in self.program.objects.iter().enumerate() {
            let linkage = self.program.modules[row.module].objects[row.id].linkage;
            if linkage == Linkage::External {
                self.objects[number].anywhere = true;
            }
        }
    }

    fn function(&mut self, function: u32) {
        let row = &self.program.functions[function as usize];
        let Some(body) = self.program.body(function).filter(|_| row.alias_of.is_none()) else {
            return;
        };
        let mut spoiled = vec![false; body.values.len()];
        for id in body.insts.ids() {
            self.spoil_operands(row.module, body, id, &mut spoiled);
        }
        let returns_const = self.returns_const(row.module, row.id);
        for block in body.blocks.rows().iter().filter(|_| !returns_const) {
            if let Terminator::Return(Some(value)) = block.terminator {
                spoiled[value.index()] = true;
            }
        }
        let members = self.members(row.module, body);
        while spread(body, &members, &mut spoiled) {}
        for (object, range) in members.iter().filter(|row| spoiled[row.0.index()]).map(|row| *row.1)
        {
            self.objects[object as usize].add(range);
        }
        self.keep(function, row.module, body, &spoiled);
    }

    /// Addresses of single numbers and pointers in records of static storage, with the object and
    /// the bytes there.
    fn members(&self, module: usize, body: &Body) -> FxHashMap<ValueId, (u32, (i64, i64))> {
        let mut members = FxHashMap::default();
        for (id, inst) in body.insts.iter() {
            let Inst::Field { field: Some((record, number)), .. } = *inst else { continue };
            let Some(result) = body.results[id] else { continue };
            let types = &self.program.modules[module].types;
            let Some(field) = types.records[record].fields.get(number as usize) else { continue };
            let size = types.scalar(field.ty).and(names::size(self.program, (module, field.ty)));
            if let (Some(size), Some((object, at))) = (size, place(body, result)) {
                let object = self.program.object_number(module, object);
                members.insert(result, (object, (at, at + size as i64)));
            }
        }
        members
    }

    fn spoil_operands(&self, module: usize, body: &Body, id: InstId, spoiled: &mut [bool]) {
        match body.insts[id] {
            Inst::Load { .. }
            | Inst::LoadBits { .. }
            | Inst::Compare { .. }
            | Inst::Field { .. }
            | Inst::Index { .. }
            | Inst::Set { .. } => {}
            Inst::Copy { to, .. } => spoiled[to.index()] = true,
            // By its name: that is no pointer.
            Inst::Store { to, value, .. } | Inst::StoreBits { to, value, .. }
                if place(body, to).is_some() =>
            {
                spoiled[value.index()] |= !self.holds_const(module, body, to);
            }
            Inst::Store { to, .. } if self.holds_const(module, body, to) => {
                spoiled[to.index()] = true;
            }
            Inst::Call(call) => {
                let row = &body.calls[call];
                let callee = match row.callee {
                    Callee::Function(id) => Some(self.program.function_number(module, id)),
                    Callee::Pointer(_) => None,
                };
                let params = &self.program.modules[module].types.signatures[row.signature].params;
                for (number, arg) in (0..).zip(&row.args) {
                    let ty = params.get(number as usize);
                    let is_const = ty.is_some_and(|&ty| self.is_to_const(module, ty));
                    let is_spoiled = callee
                        .map_or(!is_const, |callee| self.is_spoiled(callee, number, is_const));
                    spoiled[arg.value.index()] |= is_spoiled;
                }
                row.result_into.into_iter().for_each(|into| spoiled[into.index()] = true);
            }
            _ => body.operands(id, |value| spoiled[value.index()] = true),
        }
    }

    /// Pointers to what is `const` are believed.
    fn is_to_const(&self, module: usize, ty: TypeId) -> bool {
        let types = &self.program.modules[module].types;
        matches!(types.types[ty], Type::Pointer { to_const: true, .. })
    }

    fn returns_const(&self, module: usize, function: FunctionId) -> bool {
        let row = &self.program.modules[module];
        let signature = row.functions[function].signature;
        self.is_to_const(module, row.types.signatures[signature].result)
    }

    /// Whether a place is for a pointer to what is `const`.
    fn holds_const(&self, module: usize, body: &Body, address: ValueId) -> bool {
        let row = &self.program.modules[module];
        let ty = match body.values[address].kind {
            ValueKind::Const(Constant::Object(id)) => Some(row.objects[id].ty),
            ValueKind::Const(Constant::Slot(id)) => Some(body.slots[id].ty),
            ValueKind::Inst(inst) => match body.insts[inst] {
                Inst::Field { field: Some((record, number)), .. } => {
                    row.types.records[record].fields.get(number as usize).map(|field| field.ty)
                }
                _ => None,
            },
            _ => None,
        };
        let of_var = || {
            let var = &body.vars[body.values[address].var?];
            match row.types.types[var.ty] {
                Type::Pointer { to, .. } => Some(to),
                _ => None,
            }
        };
        ty.or_else(of_var).is_some_and(|ty| self.is_to_const(module, ty))
    }

    fn is_spoiled(&self, callee: u32, number: u32, is_const: bool) -> bool {
        match (self.program.body(callee), &self.models[callee as usize]) {
            (Some(body), _) if (number as usize) < body.params.len() => {
                let row = &self.program.functions[callee as usize];
                let own = row.alias_of.unwrap_or(callee);
                self.params[own as usize].contains(&number)
            }
            (None, Some(model)) => !only_reads(model, number),
            _ => !is_const,
        }
    }

    fn keep(&mut self, function: u32, module: usize, body: &Body, spoiled: &[bool]) {
        for (value, row) in body.values.iter().filter(|(value, _)| spoiled[value.index()]) {
            match row.kind {
                ValueKind::Const(Constant::Object(id)) => {
                    let object = self.program.object_number(module, id);
                    self.objects[object as usize].anywhere = true;
                }
                ValueKind::Param(number) if body.params.contains(&value) => {
                    let known = &mut self.params[function as usize];
                    if !known.contains(&number) {
                        known.push(number);
                        self.changed.push(function);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Spoils what spoiled values are made of. True if something is new.
fn spread<T>(body: &Body, members: &FxHashMap<ValueId, T>, spoiled: &mut [bool]) -> bool {
    let mut is_new = false;
    let mut spoil = |from: Option<ValueId>, of: ValueId, spoiled: &mut [bool]| {
        if from.is_some_and(|from| spoiled[from.index()]) && !spoiled[of.index()] {
            spoiled[of.index()] = true;
            is_new = true;
        }
    };
    for (id, inst) in body.insts.iter() {
        if let Inst::Field { base, .. } | Inst::Index { base, .. } = *inst {
            let result = body.results[id].filter(|it| !members.contains_key(it));
            spoil(result, base, spoiled);
        }
    }
    for edge in body.blocks.rows().iter().flat_map(|block| block.terminator.edges()) {
        for (&param, &arg) in body.blocks[edge.to].params.iter().zip(&edge.args) {
            spoil(Some(param), arg, spoiled);
        }
    }
    is_new
}

fn only_reads(model: &FunctionModel, number: u32) -> bool {
    model.unmentioned != Unmentioned::Unknown
        && model.effects.iter().all(|effect| match effect {
            Effect::Reads { .. } => true,
            Effect::Writes { args } | Effect::Frees { args, .. } | Effect::Keeps { args, .. } => {
                !args.contains(number)
            }
            Effect::CopiesMemory { to, .. } => *to != number,
            Effect::Allocates { to: caulk_models::Target::Result, .. } => true,
            _ => false,
        })
}
