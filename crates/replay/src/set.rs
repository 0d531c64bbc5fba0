//! Which members of records, and which pointers of static storage, the program sets somewhere, to
//! NULL or to something else: that such a pointer is so is what it is there for.

use caulk_base::FxHashSet;
use caulk_interp::Program;
use caulk_ir::{Body, Constant, Inst, ValueId, ValueKind};

use crate::stores::place;
use crate::value::Member;

#[derive(Default)]
pub struct Set {
    members: FxHashSet<Member>,
    /// Those that are set to NULL.
    cleared: FxHashSet<Member>,
    /// Those that are set in a record that only a pointer leads to.
    by_pointer: FxHashSet<Member>,
    /// By the numbers of the program's objects.
    objects: FxHashSet<u32>,
}

impl Set {
    pub fn new(program: &Program) -> Self {
        let mut set = Self::default();
        for function in 0..program.functions.len() as u32 {
            let module = program.functions[function as usize].module;
            if let Some(body) = program.body(function) {
                set.add(program, module, body);
            }
        }
        set
    }

    pub fn has_member(&self, member: &Member) -> bool {
        self.members.contains(member)
    }

    pub fn clears_member(&self, member: &Member) -> bool {
        self.cleared.contains(member)
    }

    pub fn by_pointer(&self, member: &Member) -> bool {
        self.by_pointer.contains(member)
    }

    pub fn has_object(&self, object: u32) -> bool {
        self.objects.contains(&object)
    }

    fn add(&mut self, program: &Program, module: usize, body: &Body) {
        for inst in body.insts.rows() {
            let Inst::Store { to, value, .. } = *inst else { continue };
            let is_null = body.constant(value) == Some(Constant::Int(0));
            match body.values[to].kind {
                ValueKind::Const(Constant::Object(_)) if is_null => {}
                ValueKind::Const(Constant::Object(id)) => {
                    self.objects.insert(program.object_number(module, id));
                }
                _ => {
                    let Some(member) = member(program, module, body, to) else { continue };
                    if place(body, to).is_none() {
                        self.by_pointer.insert(member.clone());
                    }
                    if is_null { &mut self.cleared } else { &mut self.members }.insert(member);
                }
            }
        }
    }
}

/// The member that an address is of.
pub fn member(program: &Program, module: usize, body: &Body, address: ValueId) -> Option<Member> {
    let Inst::Field { field: Some((record, number)), .. } = body.insts[body.definition(address)?]
    else {
        return None;
    };
    let row = &program.modules[module];
    let record = &row.types.records[record];
    let text = |name| row.names.text(name).to_owned();
    let name = record.fields.get(number as usize)?.name.map_or_else(String::new, text);
    Some((record.name.map(text)?, name))
}
