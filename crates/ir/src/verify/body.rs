//! A body's tables: definitions, constants, variables, scopes, slots, and who uses a call.

use caulk_base::{Id, Table};

use super::BodyCheck;
use crate::body::{BlockId, Constant, ScopeId, Value, ValueId, ValueKind, Var, VarHome, VarId};
use crate::inst::{Inst, InstId};
use crate::types::Scalar;

/// The index of the hidden result pointer in [`ValueKind::Param`].
const RESULT_PARAM: u32 = u32::MAX;

impl BodyCheck<'_> {
    pub(super) fn tables(&mut self) {
        self.definitions();
        let body = self.body;
        body.values.iter().for_each(|(id, value)| self.value_row(id, value));
        body.vars.iter().for_each(|(id, var)| self.var_row(id, var));
        for (id, slot) in body.slots.iter() {
            let fine = slot.align.is_power_of_two();
            let align = slot.align;
            self.require(fine, format_args!("{id} has alignment {align}, not a power of two"));
        }
        self.scopes();
        self.owners();
        self.params();
    }

    /// Every place of definition names a value whose kind names that place. As a value has one
    /// kind, it is then defined at most once; `value_row` checks that it is at all.
    fn definitions(&mut self) {
        let body = self.body;
        for (index, &param) in body.params.iter().enumerate() {
            self.defines(param, ValueKind::Param(index as u32));
        }
        if let Some(value) = body.result_into {
            self.defines(value, ValueKind::Param(RESULT_PARAM));
        }
        for (id, block) in body.blocks.iter() {
            for (index, &param) in block.params.iter().enumerate() {
                self.defines(param, ValueKind::BlockParam(id, index as u32));
            }
        }
        for (id, result) in body.results.iter() {
            if let &Some(value) = result {
                self.inst = Some(id);
                self.defines(value, ValueKind::Inst(id));
                self.inst = None;
            }
        }
    }

    fn defines(&mut self, value: ValueId, kind: ValueKind) {
        let says = self.body.values[value].kind;
        let message = format_args!("{value} is defined as {kind:?} but says that it is {says:?}");
        self.require(says == kind, message);
    }

    fn value_row(&mut self, id: ValueId, value: &Value) {
        let defined = match value.kind {
            ValueKind::Param(RESULT_PARAM) => self.body.result_into == Some(id),
            ValueKind::Param(index) => self.body.params.get(index as usize) == Some(&id),
            ValueKind::BlockParam(block, index) => self.is_block_param(id, block, index),
            ValueKind::Inst(inst) => self.body.results.get(inst) == Some(&Some(id)),
            ValueKind::Const(constant) => {
                self.constant(id, value.scalar, constant);
                true
            }
        };
        self.require(defined, format_args!("{id} is not defined where it says: {:?}", value.kind));
        self.version(id, value);
    }

    fn is_block_param(&self, id: ValueId, block: BlockId, index: u32) -> bool {
        let params = self.body.blocks.get(block).map(|block| &block.params);
        params.is_some_and(|params| params.get(index as usize) == Some(&id))
    }

    /// A version of a variable that lives in values has the variable's scalar.
    fn version(&mut self, id: ValueId, value: &Value) {
        let Some(var) = value.var.map(|var| &self.body.vars[var]) else { return };
        if var.home == VarHome::Values {
            let fits = self.module.types.scalar(var.ty) == Some(value.scalar);
            let scalar = value.scalar;
            self.require(fits, format_args!("{id} is {scalar}, unlike its variable"));
        }
    }

    fn constant(&mut self, id: ValueId, scalar: Scalar, constant: Constant) {
        let fits = match constant {
            Constant::Int(value) => int_fits(scalar, value),
            Constant::Float(bits) => match scalar {
                Scalar::F16 => bits <= u16::MAX.into(),
                Scalar::F32 => bits <= u32::MAX.into(),
                _ => scalar == Scalar::F64,
            },
            Constant::Wide(index) => wide_fits(scalar, self.body.wide[index as usize]),
            Constant::Object(_)
            | Constant::Function(_)
            | Constant::Slot(_)
            | Constant::Label(_) => scalar == Scalar::Ptr,
            Constant::Undef => true,
        };
        self.require(fits, format_args!("the constant {id} cannot be {scalar}: {constant:?}"));
    }

    fn var_row(&mut self, id: VarId, var: &Var) {
        let body = self.body;
        let fits = match var.home {
            VarHome::Values => self.module.types.scalar(var.ty).is_some(),
            VarHome::Slot(slot) => body.slots[slot].var == Some(id),
            VarHome::Param => var.param.is_some(),
            VarHome::Alloca | VarHome::Object(_) => true,
        };
        self.require(fits, format_args!("{id} cannot live in {:?}", var.home));
    }

    fn scopes(&mut self) {
        for (id, scope) in self.body.scopes.iter() {
            let fits = match scope.parent {
                None => id == ScopeId(0),
                Some(parent) => parent < id,
            };
            self.require(fits, format_args!("{id} does not lie in an earlier scope"));
        }
    }

    /// Each call and assembly row belongs to one instruction.
    fn owners(&mut self) {
        let body = self.body;
        let mut calls = Table::filled(0u32, body.calls.len());
        let mut asms = Table::filled(0u32, body.asms.len());
        for inst in body.insts.rows() {
            match *inst {
                Inst::Call(id) => calls[id] += 1,
                Inst::Asm(id) => asms[id] += 1,
                _ => {}
            }
        }
        self.owned_once(&calls);
        self.owned_once(&asms);
    }

    fn owned_once<I: Id>(&mut self, owners: &Table<I, u32>) {
        for (id, &count) in owners.iter() {
            let message = format_args!("{id} belongs to {count} instructions, not to one");
            self.require(count == 1, message);
        }
    }

    fn params(&mut self) {
        let (types, body) = (&self.module.types, self.body);
        let signature = &types.signatures[self.module.functions[self.function].signature];
        let aggregate = types.is_aggregate(signature.result);
        let message = format_args!("a hidden result pointer goes with an aggregate result");
        self.require(body.result_into.is_some() == aggregate, message);
        if let Some(value) = body.result_into {
            self.has_scalar("the hidden result pointer", value, Scalar::Ptr);
        }
        if !signature.prototyped {
            return;
        }
        let (has, wants) = (body.params.len(), signature.params.len());
        self.require(has == wants, format_args!("the body has {has} parameters, not {wants}"));
        for (&param, &ty) in body.params.iter().zip(&signature.params) {
            if let Some(scalar) = types.passed_as(ty) {
                self.has_scalar("the parameter", param, scalar);
            }
        }
    }

    pub(super) fn scalar(&self, value: ValueId) -> Scalar {
        self.body.values[value].scalar
    }

    pub(super) fn has_scalar(&mut self, what: &str, value: ValueId, wanted: Scalar) {
        let scalar = self.scalar(value);
        if scalar != wanted {
            self.report(format_args!("{what} {value} is {scalar}, not {wanted}"));
        }
    }

    /// Where each instruction lies.
    pub(super) fn blocks_of_insts(&self) -> Table<InstId, BlockId> {
        let blocks = self.body.blocks.iter();
        blocks.flat_map(|(id, block)| block.insts().map(move |_| id)).collect()
    }
}

/// Whether an integer is sign-extended from the scalar's width; truth values are 0 and 1.
fn int_fits(scalar: Scalar, value: i64) -> bool {
    match scalar.int_bits() {
        Some(1) => value == 0 || value == 1,
        Some(bits) if bits < 64 => value >> (bits - 1) == 0 || value >> (bits - 1) == -1,
        Some(_) => true,
        None => scalar == Scalar::Ptr,
    }
}

fn wide_fits(scalar: Scalar, bits: u128) -> bool {
    match scalar {
        Scalar::I128 => i64::try_from(bits as i128).is_err(),
        Scalar::F80 => bits >> 80 == 0,
        _ => scalar == Scalar::F128,
    }
}
