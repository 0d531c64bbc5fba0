//! Initialisers of automatic objects: the object starts as zero where the entries leave gaps,
//! and the entries are applied in order.

use caulk_cfront::tree::{Const, DeclId, ExprKind, InitEntry, InitList, Span, TypeId};
use caulk_ir::{BitRange, Constant, Inst, Scalar, ValueId};

use crate::function::{FunctionLowering, Local};
use crate::place::Place;
use crate::unit::{Lowered, refuse};

/// Every entry becomes instructions, and a range of elements is many entries.
const MOST_ENTRIES: usize = 1 << 18;

impl FunctionLowering<'_, '_> {
    /// The initialiser of a declared variable, if it has one.
    pub fn initialize(&mut self, decl: DeclId) -> Lowered<()> {
        let tast = &self.unit.tree.tast;
        let (ty, span) = (tast[decl].ty, tast.decl_span(decl));
        let Some(init) = tast[decl].init else { return Ok(()) };
        match self.locals.get(&decl).copied() {
            Some(Local::Value(key, var)) => {
                let Some(entry) = tast[init].first() else {
                    let zero = self.zero(ty, span)?;
                    self.write(Place::Variable { key, var }, zero);
                    return Ok(());
                };
                let value = self.value(entry.value)?;
                self.at(span);
                self.write(Place::Variable { key, var }, value);
                Ok(())
            }
            Some(Local::Memory(address)) => self.fill(address, ty, Some(init), span),
            Some(Local::Dynamic(key)) => {
                let to = self.b.read(key);
                let size = self.size_of(ty, span)?;
                let byte = self.b.int(Scalar::I8, 0);
                self.b.effect(Inst::Fill { to, byte, size });
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn zero(&mut self, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let scalar = self.scalar_of(ty, span)?;
        Ok(if scalar.is_float() { self.b.float(scalar, 0) } else { self.b.int(scalar, 0) })
    }

    /// Writes an initialiser into memory.
    pub fn fill(
        &mut self,
        address: ValueId,
        ty: TypeId,
        init: Option<InitList>,
        span: Span,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let entries = init.map_or(&[][..], |init| &tree.tast[init]);
        if entries.len() > MOST_ENTRIES {
            return refuse("an initialiser has too many elements", span);
        }
        let size = self.unit.layout(ty).map_or(0, |layout| layout.size);
        let gaps = self.leaves_gaps(entries, size);
        if gaps {
            self.fill_zero(address, size);
        }
        let mut reached = 0;
        for entry in entries {
            let end = entry.offset + self.written(entry).max(1);
            let fresh = entry.offset >= reached;
            reached = reached.max(end);
            // A zero over the zeroes just written.
            if gaps && fresh && !entry.is_bit_field() && self.is_zero(entry) {
                continue;
            }
            if !fresh && let ExprKind::Str(id) = tree.tast[entry.value].kind {
                let room = self.unit.string_room(ty, entry.offset, id);
                let to = self.offset(address, entry.offset as i64);
                self.fill_zero(to, room);
            }
            self.entry(address, entry, span)?;
        }
        Ok(())
    }

    fn fill_zero(&mut self, to: ValueId, size: u64) {
        let byte = self.b.int(Scalar::I8, 0);
        let size = self.b.int(Scalar::I64, i128::from(size));
        self.b.effect(Inst::Fill { to, byte, size });
    }

    fn is_zero(&self, entry: &InitEntry) -> bool {
        let tast = &self.unit.tree.tast;
        match tast[entry.value].kind {
            ExprKind::Const(id) => match tast[id] {
                Const::Int(value) => value == 0,
                Const::Float(value) => value.to_bits() == 0,
                _ => false,
            },
            _ => false,
        }
    }

    /// How many bytes an entry writes whole; bit-fields and short strings leave bytes to zero.
    fn written(&self, entry: &InitEntry) -> u64 {
        let tree = self.unit.tree;
        if entry.is_bit_field() {
            return 0;
        }
        let size = self.unit.layout(tree.tast[entry.value].ty).map_or(0, |layout| layout.size);
        match tree.tast[entry.value].kind {
            ExprKind::Str(id) => size.min(tree.tast[id].bytes(&tree.target).len() as u64),
            _ => size,
        }
    }

    fn leaves_gaps(&self, entries: &[InitEntry], size: u64) -> bool {
        let mut ranges: Vec<(u64, u64)> = entries
            .iter()
            .map(|entry| (entry.offset, entry.offset + self.written(entry)))
            .collect();
        ranges.sort_unstable();
        let mut end = 0;
        for (start, stop) in ranges {
            if start > end {
                return true;
            }
            end = end.max(stop);
        }
        end < size
    }

    fn entry(&mut self, base: ValueId, entry: &InitEntry, span: Span) -> Lowered<()> {
        let tree = self.unit.tree;
        let ty = tree.tast[entry.value].ty;
        if entry.reverse {
            return refuse("a record is stored in the other byte order", span);
        }
        if let ExprKind::Str(id) = tree.tast[entry.value].kind {
            let object = self.unit.string(id);
            let from = self.b.constant(Scalar::Ptr, Constant::Object(object));
            let to = self.offset(base, entry.offset as i64);
            let size = self.b.int(Scalar::I64, i128::from(self.written(entry)));
            let ty = self.unit.ty(ty);
            self.b.effect(Inst::Copy { to, from, size, ty });
            return Ok(());
        }
        if self.unit.is_aggregate(ty) {
            let from = self.aggregate(entry.value)?;
            self.at(span);
            let to = self.offset(base, entry.offset as i64);
            return self.copy(to, from, ty, span);
        }
        let value = self.value(entry.value)?;
        self.at(tree.tast.expr_span(entry.value));
        let address = self.offset(base, entry.offset as i64);
        let place = if entry.is_bit_field() {
            let signed = self.unit.scalar(ty).is_some_and(|scalar| scalar.signed);
            let bits =
                BitRange { first: entry.bit_offset as u8, width: entry.bit_width as u8, signed };
            Place::Bits { address, bits }
        } else {
            Place::memory(address)
        };
        self.write(place, value);
        Ok(())
    }
}
