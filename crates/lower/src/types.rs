//! C types into the module's types, with their layouts.
//!
//! Records are entered when first seen and their members filled in from a queue, so that
//! recursion follows type constructors only, never the graph of records.

use caulk_base::{FxHashMap, Name};
use caulk_cfront::tree::{
    self, ArrayLen, EnumId, FloatKind, Format, FunctionId, Qualifiers, RecordId, Symbol, TypeId,
    TypeKind,
};
use caulk_ir as ir;

use crate::unit::Unit;

/// What has been mapped so far.
#[derive(Default)]
pub struct TypeMap {
    types: FxHashMap<TypeId, ir::TypeId>,
    shapes: FxHashMap<ir::Type, ir::TypeId>,
    records: FxHashMap<RecordId, ir::RecordId>,
    enums: FxHashMap<EnumId, ir::EnumId>,
    signatures: FxHashMap<FunctionId, ir::SignatureId>,
    shared_signatures: FxHashMap<ir::Signature, ir::SignatureId>,
    pending: Vec<(RecordId, ir::RecordId)>,
    record_names: FxHashMap<RecordId, Symbol>,
}

/// An SSA scalar with the signedness that C gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    pub scalar: ir::Scalar,
    pub signed: bool,
}

impl Unit<'_> {
    /// The type without typedef names, qualifiers and `_Atomic`.
    pub fn bare(&self, ty: TypeId) -> TypeKind {
        match self.tree.types.kind(self.tree.types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.bare(inner),
            kind => kind,
        }
    }

    /// What a value of the type is in SSA; none for aggregates, `void` and what is not modelled.
    pub fn scalar(&self, ty: TypeId) -> Option<Signed> {
        let plain = |scalar, signed| Some(Signed { scalar, signed });
        match self.bare(ty) {
            TypeKind::Bool => plain(ir::Scalar::I1, false),
            TypeKind::Int(_) => {
                let info = tree::integer_info(&self.tree.types, ty, &self.tree.target)?;
                plain(ir::Scalar::int(info.width)?, info.signed)
            }
            TypeKind::Enum(id) => match self.tree.types.enum_info(id).underlying {
                Some(underlying) => self.scalar(underlying),
                None => plain(ir::Scalar::I32, false),
            },
            // Also what a bit-field wider than `int` has in an expression.
            TypeKind::BitInt { signed, width } => {
                plain(ir::Scalar::int(width.next_power_of_two().max(8))?, signed)
            }
            TypeKind::Float(kind) => plain(self.float(kind)?, true),
            TypeKind::Pointer(_) => plain(ir::Scalar::Ptr, false),
            _ => None,
        }
    }

    /// The width of an integer that does not fill its scalar.
    pub fn odd_width(&self, ty: TypeId) -> Option<u32> {
        match self.bare(ty) {
            TypeKind::BitInt { width, .. } if !width.is_power_of_two() || width < 8 => Some(width),
            _ => None,
        }
    }

    fn float(&self, kind: FloatKind) -> Option<ir::Scalar> {
        match tree::float_format(kind, &self.tree.target) {
            Format::Half => Some(ir::Scalar::F16),
            Format::Single => Some(ir::Scalar::F32),
            Format::Double => Some(ir::Scalar::F64),
            Format::X87Extended => Some(ir::Scalar::F80),
            Format::Quad => Some(ir::Scalar::F128),
            _ => None,
        }
    }

    /// Whether values of the type are memory: records, arrays, vectors, opaque types.
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        match self.bare(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            _ => self.scalar(ty).is_none(),
        }
    }

    fn has_value(&self, ty: TypeId) -> bool {
        self.scalar(ty).is_some() || self.is_aggregate(ty)
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.bare(ty), TypeKind::Void)
    }

    /// Size and alignment; none for incomplete and variably sized types.
    pub fn layout(&self, ty: TypeId) -> Option<tree::Layout> {
        tree::layout(&self.tree.types, ty, &self.tree.target).ok()
    }

    pub fn is_volatile(&self, ty: TypeId) -> bool {
        self.tree.types.quals(self.tree.types.canonical(ty)).has(Qualifiers::VOLATILE)
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.bare(ty) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    pub fn ty(&mut self, ty: TypeId) -> ir::TypeId {
        let canonical = self.tree.types.canonical(ty);
        if let Some(&known) = self.types.types.get(&canonical) {
            return known;
        }
        let shape = self.shape(canonical);
        let id = self.shaped(shape);
        self.types.types.insert(canonical, id);
        id
    }

    pub fn shaped(&mut self, shape: ir::Type) -> ir::TypeId {
        let rows = &mut self.module.types.types;
        *self.types.shapes.entry(shape).or_insert_with(|| rows.push(shape))
    }

    fn shape(&mut self, ty: TypeId) -> ir::Type {
        if let Some(Signed { scalar, signed }) = self.scalar(ty)
            && scalar != ir::Scalar::Ptr
            && !matches!(self.bare(ty), TypeKind::Enum(_))
        {
            return ir::Type::Scalar { scalar, signed };
        }
        match self.bare(ty) {
            TypeKind::Void => ir::Type::Void,
            TypeKind::Enum(id) => self.enumeration(id),
            TypeKind::Pointer(to) => {
                let to_const = self.tree.types.object_quals(to).has(Qualifiers::CONST);
                ir::Type::Pointer { to: self.ty(to), to_const }
            }
            TypeKind::Array { elem, len } => {
                let len = if let ArrayLen::Fixed(len) = len { Some(len) } else { None };
                ir::Type::Array { element: self.ty(elem), len }
            }
            TypeKind::Vector { elem, len } => ir::Type::Vector { element: self.ty(elem), len },
            TypeKind::Record(id) => ir::Type::Record(self.record(id)),
            TypeKind::Function(id) => ir::Type::Function(self.signature(id)),
            _ => self.opaque(ty),
        }
    }

    fn opaque(&mut self, ty: TypeId) -> ir::Type {
        let text = tree::spell(&self.tree.types, &self.tree.names, ty);
        let layout = self.layout(ty);
        ir::Type::Opaque {
            name: self.module.names.intern(&text),
            size: layout.map_or(0, |layout| layout.size),
            align: layout.map_or(1, |layout| layout.align),
        }
    }

    fn enumeration(&mut self, id: EnumId) -> ir::Type {
        if let Some(&known) = self.types.enums.get(&id) {
            return ir::Type::Enum(known);
        }
        let info = self.tree.types.enum_info(id);
        let shape = info.underlying.and_then(|under| self.scalar(under));
        let Signed { scalar, signed } =
            shape.unwrap_or(Signed { scalar: ir::Scalar::I32, signed: false });
        let name = info.tag.map(|tag| self.symbol(tag));
        let rows = self.tree.types.enum_info(id).enumerators.iter();
        let enumerators = rows
            .map(|row| ir::Enumerator { name: self.symbol(row.name), value: row.value })
            .collect();
        let row = ir::EnumType { name, scalar, signed, enumerators };
        let known = self.module.types.enums.push(row);
        self.types.enums.insert(id, known);
        ir::Type::Enum(known)
    }

    pub fn record(&mut self, id: RecordId) -> ir::RecordId {
        if let Some(&known) = self.types.records.get(&id) {
            return known;
        }
        let info = self.tree.types.record_info(id);
        let kind = match info.kind {
            tree::RecordKind::Struct => ir::RecordKind::Struct,
            tree::RecordKind::Union => ir::RecordKind::Union,
        };
        let name = info.tag.or_else(|| self.types.record_names.get(&id).copied());
        // With members of variable size, the layout has only the alignment right.
        let layout = info.layout.filter(|_| info.variable.is_none());
        let row = ir::Record {
            kind,
            name: name.map(|name| self.symbol(name)),
            complete: layout.is_some(),
            size: layout.map_or(0, |layout| layout.size),
            align: layout.map_or(1, |layout| layout.align),
            fields: Vec::new(),
        };
        let known = self.module.types.records.push(row);
        self.types.records.insert(id, known);
        self.types.pending.push((id, known));
        known
    }

    /// Fills in the members of every record met so far.
    pub fn fill_records(&mut self) {
        while let Some((id, known)) = self.types.pending.pop() {
            if !self.module.types.records[known].complete {
                continue;
            }
            let tree = self.tree;
            let rows = &tree.types.record_info(id).fields;
            let fields = rows.iter().map(|row| self.field(row)).collect();
            self.module.types.records[known].fields = fields;
        }
    }

    fn field(&mut self, row: &tree::Field) -> ir::Field {
        ir::Field {
            name: row.name.map(|name| self.symbol(name)),
            ty: self.ty(row.ty),
            offset: row.offset,
            bits: row.bits.map(|width| (row.bit as u8, width as u8)),
        }
    }

    pub fn signature(&mut self, id: FunctionId) -> ir::SignatureId {
        if let Some(&known) = self.types.signatures.get(&id) {
            return known;
        }
        let tree = self.tree;
        let from = tree.types.signature(id);
        // Only broken source has parameters without a value; then nothing is known of them.
        let sound = from.params.iter().all(|&param| self.has_value(param));
        let params = if sound { &from.params[..] } else { &[] };
        let row = ir::Signature {
            result: self.ty(from.ret),
            params: params.iter().map(|&param| self.ty(param)).collect(),
            variadic: from.variadic,
            prototyped: from.prototyped && sound,
        };
        let rows = &mut self.module.types.signatures;
        let entry = self.types.shared_signatures.entry(row);
        let known = *entry.or_insert_with_key(|row| rows.push(row.clone()));
        self.types.signatures.insert(id, known);
        known
    }

    /// The signature of a function type or of a pointer to one.
    pub fn signature_of(&mut self, ty: TypeId) -> Option<(FunctionId, ir::SignatureId)> {
        match self.bare(ty) {
            TypeKind::Function(id) => Some((id, self.signature(id))),
            TypeKind::Pointer(to) => self.signature_of(to),
            _ => None,
        }
    }

    pub fn symbol(&mut self, symbol: Symbol) -> Name {
        let text = String::from_utf8_lossy(self.tree.names.resolve_bytes(symbol));
        self.module.names.intern(&text)
    }

    /// Untagged records are known by their typedef.
    pub fn name_records_by_typedef(&mut self) {
        let tree = self.tree;
        for alias in tree.types.aliases() {
            if let TypeKind::Record(id) = tree.types.kind(tree.types.canonical(alias.of)) {
                self.types.record_names.entry(id).or_insert(alias.name);
            }
        }
    }

    /// Enters every complete record and every enumeration that a typedef, record or object
    /// reaches, whether or not lowered code uses it.
    pub fn enter_all_types(&mut self) {
        let tree = self.tree;
        let ids: Vec<RecordId> = tree.types.records().map(|(id, _)| id).collect();
        ids.into_iter().for_each(|id| {
            self.record(id);
        });
        for alias in tree.types.aliases() {
            self.ty(alias.of);
        }
        for &decl in tree.tast.top_level() {
            self.ty(tree.tast[decl].ty);
        }
        self.fill_records();
    }
}
