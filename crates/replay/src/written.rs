//! Static storage that the program never writes stays as it was initialised.
//!
//! A value is *spoiled* when memory behind it may be written or when it may be kept: it is stored,
//! returned, or handed to somebody who might do so. What it was made of is spoiled with it: the base of
//! an address, the arguments of an edge, the argument of a call whose parameter is spoiled. The passes
//! go on until no parameter becomes spoiled.

use caulk_base::Id;
use caulk_interp::Program;
use caulk_ir::{Body, Callee, Constant, Inst, InstId, Linkage, Terminator, ValueId, ValueKind};
use caulk_models::{Effect, FunctionModel, Unmentioned};

/// By the numbers of the program's objects.
pub fn written(program: &Program, models: &[Option<FunctionModel>]) -> Vec<bool> {
    let mut marker = Marker {
        program,
        models,
        params: program.functions.iter().map(|_| Vec::new()).collect(),
        objects: program.objects.iter().map(|row| !row.defined).collect(),
        is_changed: true,
    };
    marker.mark_addresses();
    marker.mark_shared();
    while std::mem::take(&mut marker.is_changed) {
        (0..program.functions.len() as u32).for_each(|function| marker.function(function));
    }
    marker.objects
}

struct Marker<'p> {
    program: &'p Program,
    models: &'p [Option<FunctionModel>],
    /// The spoiled parameters of each function.
    params: Vec<Vec<u32>>,
    objects: Vec<bool>,
    is_changed: bool,
}

impl Marker<'_> {
    /// Objects whose address is in static storage.
    fn mark_addresses(&mut self) {
        for (number, module) in self.program.modules.iter().enumerate() {
            let inits = module.objects.rows().iter().filter_map(|row| row.init.as_ref());
            for row in inits.flat_map(|init| &init.relocations) {
                if let caulk_ir::RelocationTarget::Object(id) = row.target {
                    self.objects[self.program.object_number(number, id) as usize] = true;
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
            self.objects[number] |= linkage == Linkage::External;
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
        for block in body.blocks.rows() {
            if let Terminator::Return(Some(value)) = block.terminator {
                spoiled[value.index()] = true;
            }
        }
        while spread(body, &mut spoiled) {}
        self.keep(function, row.module, body, &spoiled);
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
            Inst::Call(call) => {
                let row = &body.calls[call];
                let callee = match row.callee {
                    Callee::Function(id) => Some(self.program.function_number(module, id)),
                    Callee::Pointer(_) => None,
                };
                for (number, arg) in (0..).zip(&row.args) {
                    let is_spoiled = callee.is_none_or(|callee| self.is_spoiled(callee, number));
                    spoiled[arg.value.index()] |= is_spoiled;
                }
                row.result_into.into_iter().for_each(|into| spoiled[into.index()] = true);
            }
            _ => body.operands(id, |value| spoiled[value.index()] = true),
        }
    }

    fn is_spoiled(&self, callee: u32, number: u32) -> bool {
        match (self.program.body(callee), &self.models[callee as usize]) {
            (Some(body), _) if (number as usize) < body.params.len() => {
                let row = &self.program.functions[callee as usize];
                let own = row.alias_of.unwrap_or(callee);
                self.params[own as usize].contains(&number)
            }
            (None, Some(model)) => !only_reads(model, number),
            _ => true,
        }
    }

    fn keep(&mut self, function: u32, module: usize, body: &Body, spoiled: &[bool]) {
        for (value, row) in body.values.iter().filter(|(value, _)| spoiled[value.index()]) {
            match row.kind {
                ValueKind::Const(Constant::Object(id)) => {
                    self.objects[self.program.object_number(module, id) as usize] = true;
                }
                ValueKind::Param(number) if body.params.contains(&value) => {
                    let known = &mut self.params[function as usize];
                    if !known.contains(&number) {
                        known.push(number);
                        self.is_changed = true;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Spoils what spoiled values are made of. True if something is new.
fn spread(body: &Body, spoiled: &mut [bool]) -> bool {
    let mut is_new = false;
    let mut spoil = |from: Option<ValueId>, of: ValueId, spoiled: &mut [bool]| {
        if from.is_some_and(|from| spoiled[from.index()]) && !spoiled[of.index()] {
            spoiled[of.index()] = true;
            is_new = true;
        }
    };
    for (id, inst) in body.insts.iter() {
        if let Inst::Field { base, .. } | Inst::Index { base, .. } = *inst {
            spoil(body.results[id], base, spoiled);
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
