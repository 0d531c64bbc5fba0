//! Joins the attributes of the untyped tree to the declarations of the typed one.
//!
//! The checker drops most attributes. The parser keeps them all, on the specifiers, on the
//! pointers of a declarator, and after it. A typed declaration carries the span of the name that
//! introduced it, which is the key to the declarator; a redeclaration has no typed declaration of
//! its own and is joined by name to the one with linkage.

use caulk_base::FxHashMap;
use rucc_ast::{
    Ast, AttrList, Decl, DeclSpecsId, DeclaratorId, Derived, FuncSpecs, Param, ParamList,
};
use rucc_base::{Idx, IdxRange, Interner, Symbol};
use rucc_sema::{DeclId, Linkage, Tast};

use crate::attribute::Attribute;
use crate::attribute_text::read_attribute;

pub(crate) type Attributes = FxHashMap<DeclId, Vec<Attribute>>;

/// A declarator with attributes, not yet joined.
struct Declared {
    name: Option<Symbol>,
    attributes: Vec<Attribute>,
}

pub(crate) fn join(ast: &Ast, tast: &Tast, names: &Interner) -> Attributes {
    let mut collector = Collector { ast, names, found: FxHashMap::default() };
    collector.decls();
    collector.params();
    let mut found = collector.found;
    let mut attributes = Attributes::default();
    for id in all_decls(tast) {
        if let Some(declared) = found.remove(&tast.decl_span(id).lo) {
            attributes.insert(id, declared.attributes);
        }
    }
    join_by_name(found, tast, &mut attributes);
    attributes
}

pub(crate) fn all_decls(tast: &Tast) -> impl Iterator<Item = DeclId> + use<> {
    (0..tast.counts().decls).map(DeclId::from_usize)
}

/// What is left are redeclarations: they speak about the declaration with linkage of that name.
fn join_by_name(rest: FxHashMap<u32, Declared>, tast: &Tast, attributes: &mut Attributes) {
    let mut rest: Vec<(u32, Declared)> = rest.into_iter().collect();
    rest.sort_by_key(|(at, _)| *at);
    let mut by_name: FxHashMap<Symbol, Vec<Attribute>> = FxHashMap::default();
    for (_, declared) in rest {
        let Some(name) = declared.name else { continue };
        by_name.entry(name).or_default().extend(declared.attributes);
    }
    if by_name.is_empty() {
        return;
    }
    for id in all_decls(tast).filter(|&id| tast[id].linkage != Linkage::None) {
        let Some(more) = tast[id].name.and_then(|name| by_name.remove(&name)) else { continue };
        let known = attributes.entry(id).or_default();
        for attribute in more {
            if !known.contains(&attribute) {
                known.push(attribute);
            }
        }
    }
}

struct Collector<'a> {
    ast: &'a Ast,
    names: &'a Interner,
    /// By the token of the declarator's name.
    found: FxHashMap<u32, Declared>,
}

impl Collector<'_> {
    fn decls(&mut self) {
        let ast = self.ast;
        for id in (0..ast.counts().decls).map(rucc_ast::DeclId::from_usize) {
            match ast[id] {
                Decl::Var { specs, declarators } if !ast[specs].is_typedef() => {
                    for each in &ast[declarators] {
                        self.declarator(Some(specs), each.declarator, each.attrs);
                    }
                }
                Decl::Function { specs, declarator, .. } => {
                    self.declarator(Some(specs), declarator, AttrList::EMPTY);
                }
                _ => {}
            }
        }
    }

    fn params(&mut self) {
        let count = self.ast.counts().params;
        let all: ParamList = IdxRange::new(Idx::from_usize(0), Idx::from_usize(count));
        for &Param { specs, declarator, attrs, .. } in &self.ast[all] {
            self.declarator(specs, declarator, attrs);
        }
    }

    fn declarator(&mut self, specs: Option<DeclSpecsId>, id: DeclaratorId, after: AttrList) {
        let (ast, declarator) = (self.ast, self.ast[id]);
        let mut attributes = Vec::new();
        if let Some(specs) = specs {
            if ast[specs].func.has(FuncSpecs::NORETURN) {
                attributes.push(Attribute::Noreturn);
            }
            self.read(ast[specs].attrs, &mut attributes);
        }
        for step in &ast[declarator.derived] {
            if let Derived::Pointer { attrs, .. } = *step {
                self.read(attrs, &mut attributes);
            }
        }
        self.read(after, &mut attributes);
        if !attributes.is_empty() && !declarator.name_span.is_dummy() {
            let declared = Declared { name: declarator.name, attributes };
            self.found.insert(declarator.name_span.lo, declared);
        }
    }

    fn read(&self, list: AttrList, into: &mut Vec<Attribute>) {
        for attribute in &self.ast[list] {
            into.extend(read_attribute(self.ast, self.names, attribute));
        }
    }
}
