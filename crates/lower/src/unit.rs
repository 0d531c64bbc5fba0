//! One translation unit: which functions and objects the module has, and when a body is lowered.
//!
//! Every definition in the unit's own file is lowered. Inline functions of headers are lowered
//! when something refers to them; those whose real definition is elsewhere (`extern inline` of
//! the C library) stay declarations, since what the library does is known by its models.

use std::collections::VecDeque;

use caulk_base::{FileId, FxHashMap, FxHashSet, Name, Place, SpanId};
use caulk_cfront::Tree;
use caulk_cfront::tree::{
    DeclFlags, DeclId, DeclKind, Emission, LabelId, Linkage, Priority, Span, StrId, TypeKind,
};
use caulk_ir::{
    Attribute, Function, FunctionBody, FunctionId, Module, ObjectId, Refusal, Signature, Target,
    Type,
};

use crate::types::TypeMap;
use crate::{Options, attributes, function};

/// A function cannot be lowered; says why and where.
#[derive(Debug)]
pub struct Refuse {
    pub reason: String,
    pub span: Span,
}

pub type Lowered<T> = Result<T, Refuse>;

pub fn refuse<T>(reason: impl Into<String>, span: Span) -> Lowered<T> {
    Err(Refuse { reason: reason.into(), span })
}

pub struct Unit<'t> {
    pub tree: &'t Tree,
    pub module: Module,
    pub types: TypeMap,
    pub objects: FxHashMap<DeclId, ObjectId>,
    /// Objects whose initial contents are too large to be held.
    pub unknown: FxHashSet<ObjectId>,
    pub strings: FxHashMap<StrId, ObjectId>,
    /// Labels whose address is taken, with their function and number there.
    pub labels: FxHashMap<LabelId, (FunctionId, u32)>,
    functions: FxHashMap<DeclId, FunctionId>,
    by_name: FxHashMap<Name, FunctionId>,
    spans: FxHashMap<Span, SpanId>,
    /// The module's ids of the files that its spans name.
    files: FxHashMap<FileId, FileId>,
    /// Definitions that something refers to and that are not lowered yet.
    queue: VecDeque<DeclId>,
    /// Of the unit's definitions, those left out because nothing uses them.
    pub unused: usize,
}

/// Lowers a unit. A function that cannot be lowered is refused alone.
pub fn module(tree: &Tree, name: &str, options: &Options) -> (Module, usize) {
    let target = Target {
        name: tree.target.tuple.to_string(),
        pointer_bytes: tree.target.pointer_width / 8,
        big_endian: !tree.target.little_endian,
    };
    let module = Module::new(name.to_owned(), target);
    let mut unit = Unit {
        tree,
        module,
        types: TypeMap::default(),
        objects: FxHashMap::default(),
        unknown: FxHashSet::default(),
        strings: FxHashMap::default(),
        labels: FxHashMap::default(),
        functions: FxHashMap::default(),
        by_name: FxHashMap::default(),
        spans: FxHashMap::default(),
        files: FxHashMap::default(),
        queue: VecDeque::new(),
        unused: 0,
    };
    unit.name_records_by_typedef();
    unit.lower_all();
    if options.all_types {
        unit.enter_all_types();
    }
    unit.fill_records();
    unit.module.spans.freeze();
    (unit.module, unit.unused)
}

impl Unit<'_> {
    fn lower_all(&mut self) {
        let mut waiting = Vec::new();
        for &decl in self.tree.tast.top_level() {
            let node = &self.tree.tast[decl];
            match node.kind {
                DeclKind::Function if node.body.is_some() => {
                    if self.on_demand(decl) {
                        waiting.push(decl);
                    } else {
                        self.demand(decl);
                    }
                }
                DeclKind::Object if self.is_definition(decl) => {
                    self.object(decl);
                }
                DeclKind::Function if node.alias.is_some() => {
                    self.function(decl);
                }
                _ => {}
            }
            self.drain();
        }
        let missed = |decl: &&DeclId| !self.functions.contains_key(decl);
        self.unused = waiting.iter().filter(missed).count();
    }

    fn demand(&mut self, decl: DeclId) {
        self.function(decl);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(decl) = self.queue.pop_front() {
            self.lower(decl);
        }
    }

    fn is_definition(&self, decl: DeclId) -> bool {
        use caulk_cfront::tree::Definition;
        self.tree.tast[decl].state != Definition::Declared
    }

    /// An inline function of a header waits until something refers to it.
    fn on_demand(&self, decl: DeclId) -> bool {
        let node = &self.tree.tast[decl];
        let inline = node.flags.contains(DeclFlags::DECLARED_INLINE)
            || node.inline == Emission::Inline
            || node.linkage == Linkage::Internal;
        inline && self.in_header(decl)
    }

    fn in_header(&self, decl: DeclId) -> bool {
        let place = self.tree.span(self.tree.tast.definition_span(decl)).start;
        let extension = self.tree.files().get(place.file).and_then(|file| file.path.extension());
        extension.is_some_and(|text| text.as_encoded_bytes().starts_with(b"h"))
    }

    /// Whether the body says what a call does. `extern inline` bodies of system headers do not
    /// count: the function is the library's.
    fn has_own_body(&self, decl: DeclId) -> bool {
        let node = &self.tree.tast[decl];
        let library = node.inline == Emission::Inline
            && self.tree.in_system_header(self.tree.tast.definition_span(decl));
        node.body.is_some() && !library
    }

    pub fn span(&mut self, span: Span) -> SpanId {
        if let Some(&known) = self.spans.get(&span) {
            return known;
        }
        let place = self.tree.span(span);
        let id = match self.place(place.start) {
            Some(start) => {
                let in_macro = place.in_macro.and_then(|place| self.place(place));
                self.module.spans.push(caulk_base::Span { start, in_macro, ..place })
            }
            None => SpanId::NOWHERE,
        };
        self.spans.insert(span, id);
        id
    }

    fn place(&mut self, place: Place) -> Option<Place> {
        let file = self.tree.files().get(place.file).filter(|_| place.line > 0)?;
        let rows = &mut self.module.files;
        let known = self.files.entry(place.file).or_insert_with(|| rows.push(file.clone()));
        Some(Place { file: *known, ..place })
    }

    /// The function that a declaration stands for; a definition is queued to be lowered.
    pub fn function(&mut self, decl: DeclId) -> FunctionId {
        if let Some(&known) = self.functions.get(&decl) {
            return known;
        }
        let node = &self.tree.tast[decl];
        let text = match node.name {
            Some(name) => String::from_utf8_lossy(self.tree.names.resolve_bytes(name)).into_owned(),
            None => "(unnamed)".to_owned(),
        };
        let name = self.module.names.intern(library_name(&text));
        let own_body = self.has_own_body(decl);
        let row = self.new_function(decl, name);
        let known = match self.by_name.get(&name) {
            Some(&known) if !own_body => known,
            Some(&known) if self.module.functions[known].body == FunctionBody::Declared => {
                self.module.functions[known] = row;
                known
            }
            _ => self.module.functions.push(row),
        };
        self.by_name.insert(name, known);
        self.functions.insert(decl, known);
        if own_body {
            self.queue.push_back(decl);
        }
        known
    }

    fn new_function(&mut self, decl: DeclId, name: Name) -> Function {
        let node = &self.tree.tast[decl];
        let (ty, linkage) = (node.ty, node.linkage);
        let system = self.tree.in_system_header(self.tree.tast.definition_span(decl));
        let signature = match self.signature_of(ty) {
            Some((_, signature)) => signature,
            None => self.empty_signature(),
        };
        Function {
            name,
            linkage: link(linkage),
            signature,
            attributes: self.function_attributes(decl),
            span: self.span(self.tree.tast.definition_span(decl)),
            system,
            body: FunctionBody::Declared,
        }
    }

    /// A function that the source does not declare: what a builtin stands for.
    pub fn library_function(&mut self, name: &str, signature: caulk_ir::SignatureId) -> FunctionId {
        let name = self.module.names.intern(name);
        if let Some(&known) = self.by_name.get(&name) {
            return known;
        }
        let row = Function {
            name,
            linkage: caulk_ir::Linkage::External,
            signature,
            attributes: Vec::new(),
            span: SpanId::NOWHERE,
            system: true,
            body: FunctionBody::Declared,
        };
        let id = self.module.functions.push(row);
        self.by_name.insert(name, id);
        id
    }

    fn empty_signature(&mut self) -> caulk_ir::SignatureId {
        let result = self.shaped(Type::Void);
        let row = Signature { result, params: Vec::new(), variadic: false, prototyped: false };
        self.module.types.signatures.push(row)
    }

    fn function_attributes(&mut self, decl: DeclId) -> Vec<Attribute> {
        let tree = self.tree;
        let node = &tree.tast[decl];
        let mut list = attributes::of(self, tree.attributes(decl));
        let mut add = |attribute: Attribute| {
            if !list.contains(&attribute) {
                list.push(attribute);
            }
        };
        if node.flags.contains(DeclFlags::NORETURN) {
            add(Attribute::Noreturn);
        }
        if node.flags.contains(DeclFlags::RETURNS_TWICE) {
            add(Attribute::ReturnsTwice);
        }
        if node.flags.contains(DeclFlags::WEAK) {
            add(Attribute::Weak);
        }
        if let Some(priority) = node.startup.before {
            add(Attribute::Constructor(number(priority)));
        }
        if let Some(priority) = node.startup.after {
            add(Attribute::Destructor(number(priority)));
        }
        if let Some(label) = node.asm_label {
            let text = self.string_text(label);
            list.push(Attribute::Symbol(self.module.names.intern(&text)));
        }
        list
    }

    /// The characters of a string literal, for names and templates.
    pub fn string_text(&self, id: StrId) -> String {
        let elements = self.tree.tast[id].elements.iter();
        elements.map(|&unit| char::from_u32(unit).unwrap_or('\u{fffd}')).collect()
    }

    fn lower(&mut self, decl: DeclId) {
        let id = self.functions[&decl];
        let body = match self.tree.damage(decl) {
            Some(error) => Err(Refuse {
                reason: format!("its source has an error: {}", error.message),
                span: self.tree.tast.definition_span(decl),
            }),
            None => function::lower(self, decl, id),
        };
        self.module.functions[id].body = match body {
            Ok(body) => FunctionBody::Defined(Box::new(body)),
            Err(Refuse { reason, span }) => {
                FunctionBody::Refused(Refusal { reason, span: self.span(span) })
            }
        };
    }

    /// Whether calls of the function come back.
    pub fn is_noreturn(&self, id: FunctionId) -> bool {
        self.module.functions[id].attributes.contains(&Attribute::Noreturn)
    }

    pub fn is_function_type(&self, ty: caulk_cfront::tree::TypeId) -> bool {
        matches!(self.bare(ty), TypeKind::Function(_))
    }
}

/// `__builtin_memcpy` is `memcpy`; builtins without a library function keep their name.
fn library_name(name: &str) -> &str {
    match name.strip_prefix("__builtin_") {
        Some(rest) if !rest.starts_with("ia32_") && !rest.starts_with("cpu_") => rest,
        _ => name,
    }
}

fn number(priority: Priority) -> Option<u32> {
    match priority {
        Priority::Unnumbered => None,
        Priority::Numbered(number) => Some(u32::from(number)),
    }
}

pub fn link(linkage: Linkage) -> caulk_ir::Linkage {
    match linkage {
        Linkage::External => caulk_ir::Linkage::External,
        Linkage::Internal => caulk_ir::Linkage::Internal,
        Linkage::None => caulk_ir::Linkage::None,
    }
}
