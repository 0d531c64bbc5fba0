//! Files, types, records, enumerations and signatures.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use super::Printer;
use crate::text;
use crate::types::{EnumType, Field, Record, RecordKind, Scalar, Signature, Type, TypeId};

/// How many pointers and arrays the comment beside a type looks through.
const DESCRIBED_DEPTH: usize = 6;

impl Printer<'_> {
    pub(super) fn files(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, file) in self.module.files.iter() {
            let system = if file.system { " system" } else { "" };
            writeln!(f, "{id} {}{system}", text::quoted(path_bytes(&file.path)))?;
        }
        Ok(())
    }

    pub(super) fn types(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let types = &self.module.types;
        for (id, &ty) in types.types.iter() {
            write!(f, "{id} = ")?;
            self.type_row(f, ty)?;
            writeln!(f, "{}", self.type_comment(id, ty))?;
        }
        for (id, record) in types.records.iter() {
            write!(f, "{id} ")?;
            self.record(f, record)?;
        }
        for (id, row) in types.enums.iter() {
            write!(f, "{id} ")?;
            self.enumeration(f, row)?;
        }
        for (id, signature) in types.signatures.iter() {
            writeln!(f, "{id} {}", signature_text(signature))?;
        }
        Ok(())
    }

    fn type_row(&self, f: &mut Formatter<'_>, ty: Type) -> fmt::Result {
        match ty {
            Type::Void => f.write_str("void"),
            Type::Scalar { scalar, signed } => write!(f, "{}", signed_scalar(scalar, signed)),
            Type::Enum(id) => write!(f, "{id}"),
            Type::Pointer { to, to_const: true } => write!(f, "ptr const {to}"),
            Type::Pointer { to, to_const: false } => write!(f, "ptr {to}"),
            Type::Array { element, len: Some(len) } => write!(f, "array {len} {element}"),
            Type::Array { element, len: None } => write!(f, "array ? {element}"),
            Type::Vector { element, len } => write!(f, "vector {len} {element}"),
            Type::Record(id) => write!(f, "{id}"),
            Type::Function(id) => write!(f, "{id}"),
            Type::Opaque { name, size, align } => {
                write!(f, "opaque {} size {size} align {align}", self.name(name))
            }
        }
    }

    /// ` // struct list *` beside types that are made of ids.
    fn type_comment(&self, id: TypeId, ty: Type) -> impl Display {
        fmt::from_fn(move |f| match ty {
            Type::Void | Type::Scalar { .. } | Type::Function(_) | Type::Opaque { .. } => Ok(()),
            _ => {
                f.write_str(" // ")?;
                self.described(f, id)
            }
        })
    }

    fn described(&self, f: &mut Formatter<'_>, mut id: TypeId) -> fmt::Result {
        let mut suffix = String::new();
        for _ in 0..DESCRIBED_DEPTH {
            match self.module.types.types.get(id) {
                Some(&Type::Pointer { to, .. }) => (id, suffix) = (to, format!(" *{suffix}")),
                Some(&Type::Array { element, len: Some(len) }) => {
                    (id, suffix) = (element, format!(" [{len}]{suffix}"));
                }
                Some(&Type::Array { element, .. }) => {
                    (id, suffix) = (element, format!(" []{suffix}"))
                }
                _ => break,
            }
        }
        self.described_base(f, id)?;
        f.write_str(&suffix)
    }

    fn described_base(&self, f: &mut Formatter<'_>, id: TypeId) -> fmt::Result {
        let types = &self.module.types;
        match types.types.get(id) {
            Some(&Type::Record(id)) => {
                let Some(record) = types.records.get(id) else { return write!(f, "{id}") };
                write!(f, "{} {}", record_word(record.kind), self.maybe_name(record.name))
            }
            Some(&Type::Enum(id)) => {
                let name = types.enums.get(id).and_then(|row| row.name);
                write!(f, "enum {}", self.maybe_name(name))
            }
            Some(&ty) => self.type_row(f, ty),
            None => write!(f, "{id}"),
        }
    }

    fn record(&self, f: &mut Formatter<'_>, record: &Record) -> fmt::Result {
        write!(f, "{} {}", record_word(record.kind), self.maybe_name(record.name))?;
        if !record.complete {
            f.write_str(" incomplete")?;
        }
        writeln!(f, " size {} align {} {{", record.size, record.align)?;
        for field in &record.fields {
            self.field(f, field)?;
        }
        writeln!(f, "}}")
    }

    fn field(&self, f: &mut Formatter<'_>, field: &Field) -> fmt::Result {
        write!(f, "  +{} {}: {}", field.offset, self.maybe_name(field.name), field.ty)?;
        if let Some((first, width)) = field.bits {
            write!(f, " bits {first} width {width}")?;
        }
        writeln!(f)
    }

    fn enumeration(&self, f: &mut Formatter<'_>, row: &EnumType) -> fmt::Result {
        let scalar = signed_scalar(row.scalar, row.signed);
        writeln!(f, "enum {} {scalar} {{", self.maybe_name(row.name))?;
        for enumerator in &row.enumerators {
            writeln!(f, "  {} = {}", self.name(enumerator.name), enumerator.value)?;
        }
        writeln!(f, "}}")
    }
}

pub(super) fn record_word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// `i32.s`, `i32.u`, and `f64`, which needs no sign.
fn signed_scalar(scalar: Scalar, signed: bool) -> impl Display {
    let sign = match (signed, scalar.is_float()) {
        (true, true) => "",
        (true, false) => ".s",
        (false, _) => ".u",
    };
    fmt::from_fn(move |f| write!(f, "{scalar}{sign}"))
}

fn signature_text(signature: &Signature) -> impl Display + '_ {
    fmt::from_fn(move |f| {
        f.write_str("(")?;
        for (index, param) in signature.params.iter().enumerate() {
            write!(f, "{}{param}", if index == 0 { "" } else { ", " })?;
        }
        match (signature.variadic, signature.params.is_empty()) {
            (true, true) => f.write_str("...")?,
            (true, false) => f.write_str(", ...")?,
            (false, _) => {}
        }
        let prototyped = if signature.prototyped { "" } else { " unprototyped" };
        write!(f, ") -> {}{prototyped}", signature.result)
    })
}

#[cfg(unix)]
fn path_bytes(path: &Path) -> &[u8] {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes()
}

#[cfg(not(unix))]
fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
