//! Objects of static storage, and their initial bytes.

use std::collections::BTreeMap;

use caulk_base::SpanId;
use caulk_cfront::tree::{
    Address, Base, Const, Conversion, DeclFlags, DeclId, DeclKind, Definition, Eval, ExprId,
    ExprKind, InitEntry, InitList, Qualifiers, StorageDuration, StrId, TypeId,
};
use caulk_ir::{
    FunctionId, Init, Linkage, Object, ObjectId, ObjectKind, Relocation, RelocationTarget,
};

use crate::attributes;
use crate::unit::{Lowered, Unit, link, refuse};

impl Unit<'_> {
    /// The object that a declaration of static storage stands for.
    pub fn object(&mut self, decl: DeclId) -> ObjectId {
        self.object_in(decl, None)
    }

    /// The same for a declaration inside a function.
    pub fn object_in(&mut self, decl: DeclId, function: Option<FunctionId>) -> ObjectId {
        if let Some(&known) = self.objects.get(&decl) {
            return known;
        }
        let row = self.object_row(decl, function);
        let id = self.module.objects.push(row);
        self.objects.insert(decl, id);
        // After the object is known, because its bytes may hold its own address.
        if let Some(init) = self.tree.tast[decl].init {
            match self.image(init, decl, function) {
                Some(image) => self.module.objects[id].init = Some(image),
                None => self.leave_unknown(id),
            }
        }
        id
    }

    /// The contents are too much to be held. What is only declared has unknown contents, whereas
    /// a definition without bytes would be zero; functions that name the object are refused.
    fn leave_unknown(&mut self, id: ObjectId) {
        self.module.objects[id].definition = caulk_ir::Definition::Declared;
        self.unknown.insert(id);
    }

    /// The same as `object_in`, for code, which needs to know what the object holds.
    pub fn known_object(
        &mut self,
        decl: DeclId,
        function: FunctionId,
        span: caulk_cfront::tree::Span,
    ) -> Lowered<ObjectId> {
        let id = self.object_in(decl, Some(function));
        self.require_known(id, span)?;
        Ok(id)
    }

    fn require_known(&self, id: ObjectId, span: caulk_cfront::tree::Span) -> Lowered<()> {
        if self.unknown.contains(&id) {
            return refuse("an object's initial contents are too large", span);
        }
        Ok(())
    }

    fn object_row(&mut self, decl: DeclId, function: Option<FunctionId>) -> Object {
        let tree = self.tree;
        let node = &tree.tast[decl];
        let layout = self.layout(node.ty);
        let size = layout.map_or(0, |layout| layout.size).max(tree.tast.extent(decl));
        let align = layout.map_or(1, |layout| layout.align);
        Object {
            name: node.name.map(|name| self.symbol(name)),
            kind: match (node.name, function, node.linkage) {
                (None, ..) => ObjectKind::Literal,
                (_, Some(function), caulk_cfront::tree::Linkage::None) => {
                    ObjectKind::StaticLocal(function)
                }
                _ => ObjectKind::Variable,
            },
            linkage: link(node.linkage),
            definition: match node.state {
                _ if node.init.is_some() => caulk_ir::Definition::Defined,
                Definition::Declared => caulk_ir::Definition::Declared,
                Definition::Tentative => caulk_ir::Definition::Tentative,
                Definition::Defined => caulk_ir::Definition::Defined,
            },
            ty: self.ty(node.ty),
            size,
            align: node.alignment.map_or(align, |asked| u64::from(asked).max(align)),
            thread_local: node.duration == StorageDuration::Thread,
            constant: tree.types.object_quals(node.ty).has(Qualifiers::CONST),
            init: None,
            attributes: self.object_attributes(decl),
            span: self.span(tree.tast.decl_span(decl)),
        }
    }

    fn object_attributes(&mut self, decl: DeclId) -> Vec<caulk_ir::Attribute> {
        let tree = self.tree;
        let node = &tree.tast[decl];
        let mut list = attributes::of(self, tree.attributes(decl));
        if node.flags.contains(DeclFlags::WEAK) && !list.contains(&caulk_ir::Attribute::Weak) {
            list.push(caulk_ir::Attribute::Weak);
        }
        if let Some(label) = node.asm_label {
            let text = self.string_text(label);
            list.push(caulk_ir::Attribute::Symbol(self.module.names.intern(&text)));
        }
        list
    }

    /// A string literal; equal nodes share one object.
    pub fn string(&mut self, id: StrId) -> ObjectId {
        if let Some(&known) = self.strings.get(&id) {
            return known;
        }
        let literal = &self.tree.tast[id];
        let bytes = literal.bytes(&self.tree.target);
        let width = literal.encoding.element_width(&self.tree.target) / 8;
        let scalar = caulk_ir::Scalar::int(width * 8).unwrap_or(caulk_ir::Scalar::I8);
        let element = self.shaped(caulk_ir::Type::Scalar { scalar, signed: true });
        let len = Some(bytes.len() as u64 / u64::from(width.max(1)));
        let row = Object {
            name: None,
            kind: ObjectKind::StringLiteral,
            linkage: Linkage::None,
            definition: caulk_ir::Definition::Defined,
            ty: self.shaped(caulk_ir::Type::Array { element, len }),
            size: bytes.len() as u64,
            align: u64::from(width.max(1)),
            thread_local: false,
            constant: true,
            init: Some(Init { bytes: trimmed(bytes), relocations: Vec::new() }),
            attributes: Vec::new(),
            span: SpanId::NOWHERE,
        };
        let known = self.module.objects.push(row);
        self.strings.insert(id, known);
        known
    }

    /// The initial contents; none if they are too large.
    fn image(
        &mut self,
        init: InitList,
        decl: DeclId,
        function: Option<FunctionId>,
    ) -> Option<Init> {
        let size = self.layout(self.tree.tast[decl].ty).map_or(0, |layout| layout.size);
        let size = size.max(self.tree.tast.extent(decl));
        let mut image = Image::new(size, function);
        image.entries(self, init, self.tree.tast[decl].ty, 0);
        image.finish()
    }

    /// The constant that a static initialiser's expression is.
    fn fold(&self, expr: ExprId) -> Option<Const> {
        let tree = self.tree;
        if let ExprKind::Const(id) = tree.tast[expr].kind {
            return Some(tree.tast[id]);
        }
        Eval::new(&tree.tast, &tree.types, &tree.target, &tree.names).initializer(expr).ok()
    }

    /// The label's number in the function that is being lowered.
    pub fn label(
        &mut self,
        label: caulk_cfront::tree::LabelId,
        function: FunctionId,
    ) -> (FunctionId, u32) {
        let next = self.labels.values().filter(|(owner, _)| *owner == function).count() as u32;
        *self.labels.entry(label).or_insert((function, next))
    }

    /// What an address constant is relative to; none for a plain number.
    fn base(&mut self, base: Base, function: Option<FunctionId>) -> Option<RelocationTarget> {
        match base {
            Base::Decl(decl) if self.tree.tast[decl].kind == DeclKind::Function => {
                Some(RelocationTarget::Function(self.function(decl)))
            }
            Base::Decl(decl) => Some(RelocationTarget::Object(self.object_in(decl, function))),
            Base::Str(id) => Some(RelocationTarget::Object(self.string(id))),
            Base::Label(label) => {
                let (function, label) = self.label(label, function?);
                Some(RelocationTarget::Label { function, label })
            }
            Base::Absolute => None,
        }
    }

    /// The same for code, where a constant address has to be a value.
    pub fn address_target(
        &mut self,
        address: Address,
        function: FunctionId,
        span: caulk_cfront::tree::Span,
    ) -> Lowered<(Option<RelocationTarget>, i64)> {
        let Ok(offset) = i64::try_from(address.offset) else {
            return refuse("a constant address is out of range", span);
        };
        let base = self.base(address.base, Some(function));
        if let Some(RelocationTarget::Object(id)) = base {
            self.require_known(id, span)?;
        }
        Ok((base, offset))
    }
}

fn trimmed(mut bytes: Vec<u8>) -> Vec<u8> {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.truncate(used);
    bytes
}

/// Where the last byte of an image that is not zero may be.
const LARGEST_IMAGE: u64 = 64 << 20;

/// What filling one image may cost, in bytes written. Far above its size, since a later entry may
/// replace an earlier one; a literal that a range repeats is written anew for each element.
const MOST_WORK: u64 = 256 << 20;

/// What an entry costs besides its bytes.
const ENTRY_WORK: u64 = 16;

/// The bytes of one object while its initialiser is walked.
struct Image {
    bytes: Vec<u8>,
    /// By their offsets; no two overlap.
    relocations: BTreeMap<u64, Relocation>,
    size: u64,
    function: Option<FunctionId>,
    /// Of `MOST_WORK`.
    work: u64,
    too_large: bool,
}

impl Image {
    fn new(size: u64, function: Option<FunctionId>) -> Image {
        let (bytes, relocations) = (Vec::new(), BTreeMap::new());
        Image { bytes, relocations, size, function, work: 0, too_large: false }
    }

    /// The entries of an object of type `ty` that begins at `at`.
    fn entries(&mut self, unit: &mut Unit<'_>, init: InitList, ty: TypeId, at: u64) {
        let tree = unit.tree;
        for entry in &tree.tast[init] {
            self.spend(ENTRY_WORK);
            if self.too_large {
                return;
            }
            // Only broken source writes outside of the object.
            if let Some(at) = at.checked_add(entry.offset).filter(|&at| at < self.size) {
                self.entry(unit, entry, ty, at);
            }
        }
    }

    fn spend(&mut self, work: u64) {
        self.work = self.work.saturating_add(work);
        self.too_large |= self.work > MOST_WORK;
    }

    fn entry(&mut self, unit: &mut Unit<'_>, entry: &InitEntry, ty: TypeId, at: u64) {
        if let Some(literal) = literal_read(unit, entry.value) {
            let node = &unit.tree.tast[literal];
            self.clear(at, unit.layout(node.ty).map_or(0, |layout| layout.size));
            if let Some(init) = node.init {
                self.entries(unit, init, node.ty, at);
            }
            return;
        }
        if let ExprKind::Str(id) = unit.tree.tast[entry.value].kind {
            let end = at.saturating_add(unit.tree.tast[id].elements.len() as u64);
            if self.is_written_after(end) {
                self.clear(at, unit.string_room(ty, entry.offset, id));
            }
            return self.string(unit, id, entry.value, at);
        }
        match unit.fold(entry.value) {
            Some(Const::Int(value)) if entry.is_bit_field() => {
                self.bits(unit, entry, at, value as u128);
            }
            Some(value) => self.constant(unit, value, entry, at),
            None => {}
        }
    }

    fn string(&mut self, unit: &mut Unit<'_>, id: StrId, expr: ExprId, at: u64) {
        let mut bytes = unit.tree.tast[id].bytes(&unit.tree.target);
        let room = self.size.saturating_sub(at);
        let declared = unit.layout(unit.tree.tast[expr].ty).map_or(room, |layout| layout.size);
        bytes.truncate(usize::try_from(room.min(declared.max(1))).unwrap_or(usize::MAX));
        self.put(at, &bytes);
    }

    fn constant(&mut self, unit: &mut Unit<'_>, value: Const, entry: &InitEntry, at: u64) {
        let ty = unit.tree.tast[entry.value].ty;
        let size = unit.layout(ty).map_or(0, |layout| layout.size) as usize;
        match value {
            Const::Int(value) => self.number(unit, value as u128, size, entry.reverse, at),
            Const::Float(value) => self.number(unit, value.to_bits(), size, entry.reverse, at),
            Const::Complex { real, imag } => {
                self.number(unit, real.to_bits(), size / 2, entry.reverse, at);
                self.number(unit, imag.to_bits(), size / 2, entry.reverse, at + size as u64 / 2);
            }
            Const::ComplexInt { real, imag } => {
                self.number(unit, real as u128, size / 2, entry.reverse, at);
                self.number(unit, imag as u128, size / 2, entry.reverse, at + size as u64 / 2);
            }
            Const::Address(address) => self.address(unit, address, size, at),
            Const::Apart { to, from } => {
                let Some(function) = self.function else { return };
                let (_, label) = unit.label(to, function);
                let (_, base) = unit.label(from, function);
                let target = RelocationTarget::LabelDistance { function, label, base };
                self.relocate(at, size, target, 0);
            }
        }
    }

    fn address(&mut self, unit: &mut Unit<'_>, address: Address, size: usize, at: u64) {
        let addend = i64::try_from(address.offset).unwrap_or(0);
        match unit.base(address.base, self.function) {
            // Nothing would keep code from what it reaches through the pointer.
            Some(RelocationTarget::Object(id)) if unit.unknown.contains(&id) => {
                self.too_large = true;
            }
            Some(target) => self.relocate(at, size, target, addend),
            None => self.number(unit, address.offset as u128, size, false, at),
        }
    }

    fn relocate(&mut self, offset: u64, size: usize, target: RelocationTarget, addend: i64) {
        if size == 0 || offset + size as u64 > self.size {
            return;
        }
        self.clear(offset, size as u64);
        self.relocations.insert(offset, Relocation { offset, size: size as u8, target, addend });
    }

    fn number(&mut self, unit: &Unit<'_>, value: u128, size: usize, reverse: bool, at: u64) {
        let little = unit.tree.target.little_endian != reverse;
        let mut bytes = vec![0; size];
        for (index, byte) in value.to_le_bytes().into_iter().enumerate().take(size) {
            bytes[if little { index } else { size - 1 - index }] = byte;
        }
        self.put(at, &bytes);
    }

    /// Bits of a bit-field, leaving the other bits of their bytes as they are.
    fn bits(&mut self, unit: &Unit<'_>, entry: &InitEntry, at: u64, value: u128) {
        let little = unit.tree.target.little_endian != entry.reverse;
        let end = at + u64::from(entry.bit_offset + entry.bit_width).div_ceil(8);
        self.forget_addresses(at, end);
        let nothing = value == 0 && at > self.bytes.len() as u64;
        if end > self.size || nothing || !self.has_room(end) {
            return;
        }
        for bit in 0..entry.bit_width {
            let place = u64::from(entry.bit_offset + bit);
            let on = if little { value >> bit } else { value >> (entry.bit_width - 1 - bit) } & 1;
            let mask = if little { 1 << (place % 8) } else { 0x80 >> (place % 8) };
            let byte = self.byte(at + place / 8);
            *byte = if on == 1 { *byte | mask } else { *byte & !mask };
        }
    }

    /// Whether bytes up to here can be held: an array with an initialised element far out is not
    /// written out up to there.
    fn has_room(&mut self, end: u64) -> bool {
        let fits = end <= LARGEST_IMAGE;
        self.too_large |= !fits;
        fits
    }

    fn byte(&mut self, at: u64) -> &mut u8 {
        let at = at as usize;
        if at >= self.bytes.len() {
            self.bytes.resize(at + 1, 0);
        }
        &mut self.bytes[at]
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        self.spend(bytes.len() as u64);
        self.clear(at, bytes.len() as u64);
        let end = at.saturating_add(bytes.len() as u64);
        let nothing = bytes.iter().all(|&byte| byte == 0);
        if end > self.size || nothing || !self.has_room(end) {
            return;
        }
        let (start, end) = (at as usize, end as usize);
        if end > self.bytes.len() {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(bytes);
    }

    /// A later entry replaces what an earlier one wrote at the same place.
    fn clear(&mut self, at: u64, size: u64) {
        let end = at.saturating_add(size);
        self.forget_addresses(at, end);
        let used = self.bytes.len();
        let clamp = |offset: u64| usize::try_from(offset).unwrap_or(used).min(used);
        let (start, end) = (clamp(at), clamp(end));
        self.spend((end - start) as u64);
        self.bytes[start..end].fill(0);
    }

    fn is_written_after(&self, end: u64) -> bool {
        let last = self.relocations.last_key_value();
        self.bytes.len() as u64 > end || last.is_some_and(|(&offset, _)| offset >= end)
    }

    fn forget_addresses(&mut self, at: u64, end: u64) {
        while let Some((&offset, row)) = self.relocations.range(..end).next_back()
            && offset + u64::from(row.size) > at
        {
            self.relocations.remove(&offset);
        }
    }

    fn finish(self) -> Option<Init> {
        let relocations = self.relocations.into_values().collect();
        (!self.too_large).then(|| Init { bytes: trimmed(self.bytes), relocations })
    }
}

/// The compound literal whose value an entry is.
fn literal_read(unit: &Unit<'_>, value: ExprId) -> Option<DeclId> {
    let tast = &unit.tree.tast;
    let inner = match tast[value].kind {
        ExprKind::Convert { kind: Conversion::Lvalue, operand } => operand,
        _ => value,
    };
    match tast[inner].kind {
        ExprKind::CompoundLiteral(decl) => Some(decl),
        _ => None,
    }
}
