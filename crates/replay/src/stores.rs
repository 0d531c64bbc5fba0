//! Assignments to static storage by its name, and what else may write it.

use caulk_interp::Program;
use caulk_ir::{Body, Constant, Inst, InstId, ObjectId, ValueId, ValueKind};
use caulk_models::FunctionModel;

use crate::callers::Callers;
use crate::written::{Written, leaked};

/// More are as good as any.
const MOST_CONSTANTS: usize = 8;

/// An assignment of a number or a pointer.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    pub function: u32,
    pub inst: InstId,
    at: i64,
    bytes: u32,
    /// None for what is no constant.
    pub value: Option<u64>,
}

/// By the numbers of the program's objects.
pub struct Stores {
    direct: Vec<Vec<Store>>,
    leaked: Vec<Written>,
}

impl Stores {
    pub fn new(program: &Program, models: &[Option<FunctionModel>], callers: &Callers) -> Self {
        let direct = vec![Vec::new(); program.objects.len()];
        let mut stores = Self { direct, leaked: leaked(program, models, callers) };
        for (function, row) in (0..).zip(&program.functions) {
            if let Some(body) = program.body(function).filter(|_| row.alias_of.is_none()) {
                stores.scan(program, function, row.module, body);
            }
        }
        stores
    }

    fn scan(&mut self, program: &Program, function: u32, module: usize, body: &Body) {
        for (inst, row) in body.insts.iter() {
            let (to, bytes, value) = match *row {
                Inst::Store { to, value, .. } => {
                    (to, body.values[value].scalar.bytes(8), body.constant(value))
                }
                Inst::StoreBits { to, bits, .. } => {
                    (to, (u32::from(bits.first) + u32::from(bits.width)).div_ceil(8), None)
                }
                _ => continue,
            };
            let value = match value {
                Some(Constant::Int(number)) => Some(cut(number as u64, bytes)),
                _ => None,
            };
            if let Some((object, at)) = place(body, to) {
                let object = program.object_number(module, object);
                let store = Store { function, inst, at, bytes, value };
                self.direct[object as usize].push(store);
            }
        }
    }

    /// The assignments to some bytes.
    pub fn of(&self, object: u32, at: i64, bytes: u32) -> impl Iterator<Item = &Store> {
        let rows = self.direct[object as usize].iter();
        rows.filter(move |row| row.at < at + i64::from(bytes) && at < row.at + i64::from(row.bytes))
    }

    /// Whether somebody else may write them, through a pointer.
    pub fn is_leaked(&self, object: u32, at: i64, bytes: u32) -> bool {
        self.leaked[object as usize].touches(at, bytes)
    }

    /// Whether somebody has a pointer to these bytes alone.
    pub fn is_handed_out(&self, object: u32, at: i64, bytes: u32) -> bool {
        self.leaked[object as usize].touches_member(at, bytes)
    }

    /// Whether anybody writes them.
    pub fn touch(&self, object: u32, at: i64, bytes: u32) -> bool {
        self.is_leaked(object, at, bytes) || self.of(object, at, bytes).next().is_some()
    }

    /// Whether anybody writes any byte of an object.
    pub fn change(&self, object: u32) -> bool {
        !self.leaked[object as usize].is_never() || !self.direct[object as usize].is_empty()
    }

    /// The values that some bytes may have, where the program only ever sets them to a few constants:
    /// flags, modes, verbosity.
    pub fn constants(
        &self,
        program: &Program,
        object: u32,
        at: i64,
        bytes: u32,
    ) -> Option<Vec<u64>> {
        if self.is_leaked(object, at, bytes) {
            return None;
        }
        let mut values = vec![self.initial(program, object, at, bytes)?];
        for row in self.of(object, at, bytes) {
            let value = row.value.filter(|_| row.at == at && row.bytes == bytes)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        (values.len() <= MOST_CONSTANTS).then_some(values)
    }

    /// The number that some bytes are at first; none for addresses and for what others define.
    pub fn initial(&self, program: &Program, object: u32, at: i64, bytes: u32) -> Option<u64> {
        let row = &program.objects[object as usize];
        let start = usize::try_from(at).ok().filter(|_| row.defined && bytes <= 8)?;
        let Some(init) = &program.modules[row.module].objects[row.id].init else { return Some(0) };
        let range = at as u64..at as u64 + u64::from(bytes);
        if init.relocations.iter().any(|row| range.contains(&row.offset)) {
            return None;
        }
        let byte = |number: usize| init.bytes.get(start + number).copied().unwrap_or(0);
        Some((0..bytes as usize).rev().fold(0, |bits, it| bits << 8 | u64::from(byte(it))))
    }
}

fn cut(number: u64, bytes: u32) -> u64 {
    if bytes >= 8 { number } else { number & ((1 << (8 * bytes)) - 1) }
}

/// The static object that an address is in, and how far from its start.
pub fn place(body: &Body, mut address: ValueId) -> Option<(ObjectId, i64)> {
    let mut at = 0;
    loop {
        if let ValueKind::Const(Constant::Object(id)) = body.values[address].kind {
            return Some((id, at));
        }
        let Inst::Field { base, offset, .. } = body.insts[body.definition(address)?] else {
            return None;
        };
        (address, at) = (base, at + offset);
    }
}
