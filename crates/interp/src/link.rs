//! Modules into one program: names are resolved as a linker does.
//!
//! The first definition of a name wins over later ones, a strong one over a weak one, a
//! definition over a tentative one. That is more lenient than a linker, on purpose: inline
//! functions of headers are defined in every unit.

use caulk_base::{FxHashMap, Name};
use caulk_ir::{
    Attribute, Body, Definition, Function, FunctionBody, FunctionId, Linkage, Module, Object,
    ObjectId, TypeId,
};

use crate::fault::Position;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    Empty,
    /// Only 64-bit little-endian targets run.
    Target(String),
}

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinkError::Empty => f.write_str("there is nothing to run"),
            LinkError::Target(name) => {
                write!(f, "programs for {name} do not run: only 64-bit little-endian ones do")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// A function of the program.
#[derive(Clone, Debug)]
pub struct ProgramFunction {
    /// The linker's name.
    pub name: String,
    pub module: usize,
    pub id: FunctionId,
    pub defined: bool,
    pub weak: bool,
    /// The function that this name is an alias of: both have one address.
    pub alias_of: Option<u32>,
}

impl ProgramFunction {
    fn defined_in(&self, module: usize) -> bool {
        self.defined && self.module == module
    }
}

/// An object of the program.
#[derive(Clone, Debug)]
pub struct ProgramObject {
    pub name: Option<String>,
    pub module: usize,
    pub id: ObjectId,
    pub defined: bool,
    pub weak: bool,
    pub size: u64,
}

pub struct Program {
    pub modules: Vec<Module>,
    pub functions: Vec<ProgramFunction>,
    pub objects: Vec<ProgramObject>,
    function_of: Vec<Vec<u32>>,
    object_of: Vec<Vec<u32>>,
    functions_by_name: FxHashMap<String, u32>,
    /// With their priorities, in order.
    pub constructors: Vec<u32>,
    pub destructors: Vec<u32>,
}

impl Program {
    /// # Errors
    /// Why the modules cannot be linked, for those who want to keep them then.
    pub fn can_link(modules: &[Module]) -> Result<(), LinkError> {
        let Some(first) = modules.first() else { return Err(LinkError::Empty) };
        match first.target.pointer_bytes != 8 || first.target.big_endian {
            true => Err(LinkError::Target(first.target.name.clone())),
            false => Ok(()),
        }
    }

    pub fn link(modules: Vec<Module>) -> Result<Program, LinkError> {
        Self::can_link(&modules)?;
        let mut program = Program {
            modules: Vec::new(),
            functions: Vec::new(),
            objects: Vec::new(),
            function_of: Vec::new(),
            object_of: Vec::new(),
            functions_by_name: FxHashMap::default(),
            constructors: Vec::new(),
            destructors: Vec::new(),
        };
        let mut objects_by_name = FxHashMap::default();
        for (index, module) in modules.iter().enumerate() {
            let functions = program.link_functions(index, module);
            program.function_of.push(functions);
            let objects = program.link_objects(index, module, &mut objects_by_name);
            program.object_of.push(objects);
        }
        program.modules = modules;
        program.resolve_aliases(&objects_by_name);
        program.find_constructors();
        Ok(program)
    }

    fn link_functions(&mut self, index: usize, module: &Module) -> Vec<u32> {
        module
            .functions
            .iter()
            .map(|(id, row)| self.link_function(index, module, id, row))
            .collect()
    }

    fn link_function(
        &mut self,
        index: usize,
        module: &Module,
        id: FunctionId,
        row: &Function,
    ) -> u32 {
        let name = linker_name(module, row.name, &row.attributes).to_string();
        let entry = ProgramFunction {
            name: name.clone(),
            module: index,
            id,
            defined: matches!(row.body, FunctionBody::Defined(_)),
            weak: row.attributes.contains(&Attribute::Weak),
            alias_of: None,
        };
        if row.linkage != Linkage::External {
            self.functions.push(entry);
            return (self.functions.len() - 1) as u32;
        }
        if let Some(&known) = self.functions_by_name.get(&name) {
            let old = &mut self.functions[known as usize];
            if entry.defined && (!old.defined || old.weak && !entry.weak) {
                *old = entry;
                return known;
            }
            if !entry.defined || entry.weak {
                return known;
            }
            // Another program of the same project: its own unit means this one.
            self.functions.push(entry);
            return (self.functions.len() - 1) as u32;
        }
        let number = self.functions.len() as u32;
        self.functions.push(entry);
        self.functions_by_name.insert(name, number);
        number
    }

    fn link_objects(
        &mut self,
        index: usize,
        module: &Module,
        by_name: &mut FxHashMap<String, u32>,
    ) -> Vec<u32> {
        module
            .objects
            .iter()
            .map(|(id, row)| self.link_object(index, module, id, row, by_name))
            .collect()
    }

    fn link_object(
        &mut self,
        index: usize,
        module: &Module,
        id: ObjectId,
        row: &Object,
        by_name: &mut FxHashMap<String, u32>,
    ) -> u32 {
        let name = row.name.map(|name| linker_name(module, name, &row.attributes).to_string());
        let entry = ProgramObject {
            name: name.clone(),
            module: index,
            id,
            defined: row.definition != Definition::Declared,
            weak: row.definition == Definition::Tentative
                || row.attributes.contains(&Attribute::Weak),
            size: row.size,
        };
        let Some(name) = name.filter(|_| row.linkage == Linkage::External) else {
            self.objects.push(entry);
            return (self.objects.len() - 1) as u32;
        };
        if let Some(&known) = by_name.get(&name) {
            let old = &mut self.objects[known as usize];
            let size = old.size.max(entry.size);
            if entry.defined && (!old.defined || old.weak && !entry.weak) {
                *old = entry;
            }
            old.size = size;
            return known;
        }
        let number = self.objects.len() as u32;
        self.objects.push(entry);
        by_name.insert(name, number);
        number
    }

    /// `__attribute__((alias("target")))`: the name stands for another one.
    fn resolve_aliases(&mut self, objects: &FxHashMap<String, u32>) {
        for index in 0..self.modules.len() {
            let rows = self.modules[index].functions.iter();
            let pairs: Vec<(u32, u32)> = rows
                .filter_map(|(id, row)| {
                    let target = alias(&self.modules[index], &row.attributes)?;
                    Some((self.function_number(index, id), self.function_named_in(index, target)?))
                })
                .collect();
            pairs.into_iter().for_each(|(own, target)| self.alias_function(own, target));
            for (id, row) in self.modules[index].objects.iter() {
                if let Some(target) = alias(&self.modules[index], &row.attributes)
                    && let Some(number) = self.object_named_in(index, target, objects)
                {
                    self.object_of[index][id.0 as usize] = number;
                }
            }
        }
    }

    /// Functions that nobody defines stand for those of this module that C knows under another
    /// spelling: `__memcpy_chk` for `memcpy`.
    pub fn stand_in(&mut self, module: usize) {
        for number in 0..self.functions.len() {
            let row = &self.functions[number];
            if row.defined {
                continue;
            }
            let found = crate::library::other_names(&row.name)
                .filter_map(|name| self.function_named(name))
                .find(|&it| self.functions[it as usize].defined_in(module));
            if let Some(target) = found {
                self.alias_function(number as u32, target);
            }
        }
    }

    fn alias_function(&mut self, own: u32, target: u32) {
        let row = self.functions[target as usize].clone();
        let entry = &mut self.functions[own as usize];
        if !entry.defined && own != target {
            (entry.module, entry.id, entry.defined) = (row.module, row.id, row.defined);
            entry.alias_of = Some(target);
        }
    }

    fn object_named_in(
        &self,
        module: usize,
        name: &str,
        objects: &FxHashMap<String, u32>,
    ) -> Option<u32> {
        let (rows, names) = (&self.modules[module].objects, &self.modules[module].names);
        let local =
            rows.iter().find(|(_, row)| row.name.is_some_and(|text| names.text(text) == name));
        local
            .map(|(id, _)| self.object_of[module][id.0 as usize])
            .or_else(|| objects.get(name).copied())
    }

    fn function_named_in(&self, module: usize, name: &str) -> Option<u32> {
        let rows = &self.modules[module].functions;
        let local = rows.iter().find(|(_, row)| self.modules[module].names.text(row.name) == name);
        local.map(|(id, _)| self.function_of[module][id.0 as usize])
    }

    fn find_constructors(&mut self) {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for (number, entry) in self.functions.iter().enumerate().filter(|(_, entry)| entry.defined)
        {
            for attribute in &self.modules[entry.module].functions[entry.id].attributes {
                match *attribute {
                    Attribute::Constructor(priority) => {
                        first.push((priority.unwrap_or(u32::MAX), number as u32))
                    }
                    Attribute::Destructor(priority) => {
                        last.push((priority.unwrap_or(u32::MAX), number as u32))
                    }
                    _ => {}
                }
            }
        }
        first.sort_by_key(|&(priority, _)| priority);
        last.sort_by_key(|&(priority, number)| std::cmp::Reverse((priority, number)));
        self.constructors = first.into_iter().map(|(_, number)| number).collect();
        self.destructors = last.into_iter().map(|(_, number)| number).collect();
    }

    #[must_use]
    pub fn function_number(&self, module: usize, id: FunctionId) -> u32 {
        self.function_of[module][id.0 as usize]
    }

    #[must_use]
    pub fn object_number(&self, module: usize, id: ObjectId) -> u32 {
        self.object_of[module][id.0 as usize]
    }

    /// Functions that nothing defines and the library does not model.
    pub fn unknown_externals(&self) -> impl Iterator<Item = &str> {
        let unknown =
            |row: &&ProgramFunction| !row.defined && crate::library::find(&row.name).is_none();
        self.functions.iter().filter(unknown).map(|row| row.name.as_str())
    }

    /// Whether a function takes and returns nothing but numbers, and does return something.
    #[must_use]
    pub fn is_numeric(&self, function: u32) -> bool {
        let row = &self.functions[function as usize];
        let module = &self.modules[row.module];
        let signature = &module.types.signatures[module.functions[row.id].signature];
        let is_number = |&ty: &TypeId| {
            module.types.scalar(ty).is_some_and(|scalar| scalar.int_bits().is_some())
        };
        is_number(&signature.result) && signature.params.iter().all(is_number)
    }

    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<u32> {
        self.functions_by_name.get(name).copied()
    }

    #[must_use]
    pub fn body(&self, function: u32) -> Option<&Body> {
        let entry = self.functions.get(function as usize)?;
        match &self.modules[entry.module].functions[entry.id].body {
            FunctionBody::Defined(body) => Some(body),
            _ => None,
        }
    }

    #[must_use]
    pub fn module_of(&self, function: u32) -> &Module {
        &self.modules[self.functions[function as usize].module]
    }

    /// The source's name of a function.
    #[must_use]
    pub fn function_name(&self, function: u32) -> &str {
        let entry = &self.functions[function as usize];
        self.modules[entry.module].function_name(entry.id)
    }

    #[must_use]
    pub fn position(&self, function: u32, span: caulk_base::SpanId) -> Position {
        let module = self.module_of(function);
        let name = self.function_name(function).to_string();
        let Some(span) = module.spans.get(span) else {
            return Position { function: name, file: module.name.clone(), line: 0, column: 0 };
        };
        let file = module.files.get(span.start.file);
        let file = file.map_or(String::new(), |file| file.path.display().to_string());
        Position { function: name, file, line: span.start.line, column: span.start.column }
    }
}

fn linker_name<'m>(module: &'m Module, name: Name, attributes: &[Attribute]) -> &'m str {
    let symbol = attributes.iter().find_map(|attribute| match attribute {
        Attribute::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    module.names.text(symbol.unwrap_or(name))
}

fn alias<'m>(module: &'m Module, attributes: &[Attribute]) -> Option<&'m str> {
    attributes.iter().find_map(|attribute| match attribute {
        Attribute::Alias(name) => Some(module.names.text(*name)),
        _ => None,
    })
}
