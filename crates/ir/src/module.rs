//! One translation unit, lowered.

use caulk_base::{Files, Name, Names, SpanId, Spans, Table, define_id};

use crate::attribute::Attribute;
use crate::body::Body;
use crate::types::{SignatureId, TypeId, Types};

define_id!(pub FunctionId, "f", "A function, declared or defined.");
define_id!(pub ObjectId, "o", "An object of static storage: a variable, a string literal.");

#[derive(Clone, Debug)]
pub struct Module {
    /// The source file, as shown to people.
    pub name: String,
    pub target: Target,
    pub names: Names,
    pub files: Files,
    pub spans: Spans,
    pub types: Types,
    pub objects: Table<ObjectId, Object>,
    pub functions: Table<FunctionId, Function>,
}

/// What running the module needs to know of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub name: String,
    pub pointer_bytes: u32,
    pub big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    External,
    Internal,
    /// No name at link time: string literals, compound literals.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// `extern int x;`
    Declared,
    /// `int x;` at file scope.
    Tentative,
    Defined,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub name: Option<Name>,
    pub kind: ObjectKind,
    pub linkage: Linkage,
    pub definition: Definition,
    pub ty: TypeId,
    /// 0 with an incomplete type.
    pub size: u64,
    pub align: u64,
    pub thread_local: bool,
    /// Declared `const`: never written.
    pub constant: bool,
    pub init: Option<Init>,
    pub attributes: Vec<Attribute>,
    pub span: SpanId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    Variable,
    /// A `static` inside this function.
    StaticLocal(FunctionId),
    StringLiteral,
    /// A compound literal of static storage.
    Literal,
}

/// Initial bytes; what follows the last one up to the object's size is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Init {
    pub bytes: Vec<u8>,
    /// Addresses, in increasing order of `offset`; the bytes under them are zero.
    pub relocations: Vec<Relocation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    pub offset: u64,
    /// Bytes that it fills.
    pub size: u8,
    pub target: RelocationTarget,
    pub addend: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelocationTarget {
    Object(ObjectId),
    Function(FunctionId),
    /// `&&label`: an index into the function's `labels`.
    Label {
        function: FunctionId,
        label: u32,
    },
    /// `&&label - &&base`.
    LabelDistance {
        function: FunctionId,
        label: u32,
        base: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: Name,
    pub linkage: Linkage,
    pub signature: SignatureId,
    pub attributes: Vec<Attribute>,
    /// The name in the definition, or in the first declaration.
    pub span: SpanId,
    /// The body is spelled in a system header.
    pub system: bool,
    pub body: FunctionBody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionBody {
    /// Defined elsewhere, or a body that this unit does not need.
    Declared,
    Defined(Box<Body>),
    /// A definition that could not be lowered.
    Refused(Refusal),
}

/// Why a function has no body here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: String,
    pub span: SpanId,
}

impl Module {
    #[must_use]
    pub fn new(name: String, target: Target) -> Self {
        Self {
            name,
            target,
            names: Names::new(),
            files: Files::new(),
            spans: Spans::new(),
            types: Types::default(),
            objects: Table::new(),
            functions: Table::new(),
        }
    }

    /// The functions with a body, in order.
    pub fn bodies(&self) -> impl Iterator<Item = (FunctionId, &Function, &Body)> {
        self.functions.iter().filter_map(|(id, function)| match &function.body {
            FunctionBody::Defined(body) => Some((id, function, &**body)),
            _ => None,
        })
    }

    #[must_use]
    pub fn function_name(&self, id: FunctionId) -> &str {
        self.names.text(self.functions[id].name)
    }
}
