//! A number of static storage that the program only ever sets to constants is one of them, or what
//! it was at first: flags, modes, verbosity.

use caulk_interp::Program;
use caulk_ir::{Body, Constant, Inst, Linkage, Object, Terminator, ValueId, ValueKind};

/// More are as good as any.
const MOST: usize = 8;

/// By the numbers of the program's objects: the values that each may have, where they are few.
pub struct Constants(Vec<Option<Vec<u64>>>);

impl Constants {
    pub fn new(program: &Program) -> Self {
        let is_whole = program.functions.iter().any(|row| row.defined && row.name == "main");
        let first = program.objects.iter().map(|row| {
            let object = &program.modules[row.module].objects[row.id];
            let is_own = row.defined && (is_whole || object.linkage == Linkage::Internal);
            let bytes = size(program, row.module, object).filter(|_| is_own)?;
            initial(object, bytes).map(|value| vec![value])
        });
        let mut constants = Self(first.collect());
        constants.forget_addressed(program);
        for function in 0..program.functions.len() as u32 {
            let module = program.functions[function as usize].module;
            if let Some(body) = program.body(function) {
                constants.scan(program, module, body);
            }
        }
        constants
    }

    /// The values that the whole of an object may have.
    pub fn of(&self, object: u32) -> Option<&[u64]> {
        self.0[object as usize].as_deref().filter(|values| values.len() <= MOST)
    }

    /// Objects whose address stands in static storage.
    fn forget_addressed(&mut self, program: &Program) {
        for (number, module) in program.modules.iter().enumerate() {
            let inits = module.objects.rows().iter().filter_map(|row| row.init.as_ref());
            for row in inits.flat_map(|init| &init.relocations) {
                if let caulk_ir::RelocationTarget::Object(id) = row.target {
                    self.0[program.object_number(number, id) as usize] = None;
                }
            }
        }
    }

    fn scan(&mut self, program: &Program, module: usize, body: &Body) {
        let object = |value: ValueId| match body.values[value].kind {
            ValueKind::Const(Constant::Object(id)) => Some(program.object_number(module, id)),
            _ => None,
        };
        for (id, inst) in body.insts.iter() {
            match *inst {
                Inst::Load { .. } | Inst::Compare { .. } => {}
                Inst::Store { to, value, .. } => {
                    let stored = body.constant(value);
                    object(to).into_iter().for_each(|to| self.store(to, stored));
                    object(value).into_iter().for_each(|kept| self.0[kept as usize] = None);
                }
                _ => body.operands(id, |value| {
                    object(value).into_iter().for_each(|used| self.0[used as usize] = None);
                }),
            }
        }
        for block in body.blocks.rows() {
            let returned = match block.terminator {
                Terminator::Return(value) => value,
                _ => None,
            };
            let handed = block.terminator.edges().flat_map(|edge| edge.args.clone());
            for used in handed.chain(returned).filter_map(object) {
                self.0[used as usize] = None;
            }
        }
    }

    fn store(&mut self, object: u32, stored: Option<Constant>) {
        let row = &mut self.0[object as usize];
        match (row.as_mut(), stored) {
            (Some(values), Some(Constant::Int(value))) => {
                let value = value as u64;
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            _ => *row = None,
        }
    }
}

/// The bytes of an object that is one number.
fn size(program: &Program, module: usize, object: &Object) -> Option<u64> {
    let types = &program.modules[module].types;
    let scalar = types.scalar(object.ty)?;
    scalar.int_bits().filter(|&bits| bits <= 64).map(|bits| u64::from(bits).div_ceil(8))
}

fn initial(object: &Object, bytes: u64) -> Option<u64> {
    let Some(init) = &object.init else { return Some(0) };
    let byte = |number: u64| init.bytes.get(number as usize).copied().unwrap_or(0);
    let bits = (0..bytes).rev().fold(0, |bits, number| bits << 8 | u64::from(byte(number)));
    init.relocations.is_empty().then_some(bits)
}
