//! Who calls a function. All calls are known of internal functions, and of all functions in a program
//! with `main`, as long as nobody takes their address.

use caulk_interp::Program;
use caulk_ir::{Body, Callee, Constant, Inst, InstId, Linkage, RelocationTarget, ValueKind};

/// A call, and the function that it is in.
pub type Site = (u32, InstId);

/// By the numbers of the program's functions.
pub struct Callers {
    rows: Vec<Row>,
    /// Functions that call pointers.
    by_pointer: Vec<u32>,
}

#[derive(Clone, Default)]
struct Row {
    sites: Vec<Site>,
    /// Somebody else may call it.
    is_open: bool,
    is_taken: bool,
    /// Functions that take its address.
    takers: Vec<u32>,
}

impl Callers {
    pub fn new(program: &Program) -> Self {
        let is_whole = program.functions.iter().any(|row| row.defined && row.name == "main");
        let first = program.functions.iter().map(|row| {
            let function = &program.modules[row.module].functions[row.id];
            let is_own = row.defined && (is_whole || function.linkage == Linkage::Internal);
            Row { is_open: !is_own, ..Row::default() }
        });
        let mut callers = Self { rows: first.collect(), by_pointer: Vec::new() };
        for (number, row) in (0..).zip(&program.functions) {
            if let Some(body) = program.body(number) {
                callers.scan(program, number, row.module, body);
            }
        }
        callers.add_tables(program);
        callers
    }

    /// All calls of a function; none where others may call it.
    pub fn of(&self, function: u32) -> Option<&[Site]> {
        let row = &self.rows[function as usize];
        (!row.is_open && !row.is_taken).then_some(&row.sites)
    }

    /// The calls of a function by its name.
    pub fn by_name(&self, function: u32) -> &[Site] {
        &self.rows[function as usize].sites
    }

    pub fn is_taken(&self, function: u32) -> bool {
        self.rows[function as usize].is_taken
    }

    /// The functions whose calls may come to one of these, with them.
    pub fn above(&self, functions: impl IntoIterator<Item = u32>) -> Vec<bool> {
        self.leading(functions, true)
    }

    /// The same for calls that name the function.
    pub fn above_by_name(&self, functions: impl IntoIterator<Item = u32>) -> Vec<bool> {
        self.leading(functions, false)
    }

    fn leading(&self, functions: impl IntoIterator<Item = u32>, by_pointer: bool) -> Vec<bool> {
        let mut above = vec![false; self.rows.len()];
        let mut open: Vec<u32> = functions.into_iter().collect();
        while let Some(function) = open.pop() {
            if std::mem::replace(&mut above[function as usize], true) {
                continue;
            }
            let row = &self.rows[function as usize];
            open.extend(row.sites.iter().map(|site| site.0));
            if by_pointer && row.is_taken {
                open.extend(row.takers.iter().chain(&self.by_pointer));
            }
        }
        above
    }

    fn scan(&mut self, program: &Program, function: u32, module: usize, body: &Body) {
        for value in body.values.rows() {
            if let ValueKind::Const(Constant::Function(id)) = value.kind {
                let row = &mut self.rows[program.function_number(module, id) as usize];
                row.is_taken = true;
                row.takers.push(function);
            }
        }
        for (inst, row) in body.insts.iter() {
            let Inst::Call(call) = *row else { continue };
            match body.calls[call].callee {
                Callee::Function(id) => {
                    let callee = program.function_number(module, id);
                    let own = program.functions[callee as usize].alias_of.unwrap_or(callee);
                    self.rows[own as usize].sites.push((function, inst));
                }
                Callee::Pointer(_) => self.by_pointer.push(function),
            }
        }
    }

    /// Functions whose address stands in static storage.
    fn add_tables(&mut self, program: &Program) {
        for (number, module) in program.modules.iter().enumerate() {
            let inits = module.objects.rows().iter().filter_map(|row| row.init.as_ref());
            for row in inits.flat_map(|init| &init.relocations) {
                if let RelocationTarget::Function(id) = row.target {
                    self.rows[program.function_number(number, id) as usize].is_taken = true;
                }
            }
        }
    }
}
