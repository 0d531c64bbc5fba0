//! What a program understands: the short texts, characters and numbers that it compares with, and
//! where its input comes from. Inputs made of these come further than any others.

use std::collections::BTreeSet;

use caulk_interp::Program;
use caulk_ir::{Body, Constant, Inst, Module, ObjectKind, Terminator, ValueId, ValueKind};

use crate::world::World;

/// Longer texts are messages.
const LONGEST_TEXT: usize = 12;
/// Larger numbers are sizes and masks.
const LARGEST_NUMBER: i64 = 5_000;
/// Of each sort, so that large programs cost no more.
const MOST_WORDS: usize = 400;

/// Library functions that read standard input, ask for the time, and open files.
const READERS: [&str; 12] = [
    "getchar",
    "getchar_unlocked",
    "getc",
    "fgetc",
    "gets",
    "fgets",
    "scanf",
    "fscanf",
    "getline",
    "getdelim",
    "read",
    "fread",
];
const CLOCKS: [&str; 3] = ["time", "gettimeofday", "clock_gettime"];
const OPENERS: [&str; 3] = ["fopen", "open", "freopen"];

pub struct Vocabulary {
    pub texts: Vec<Vec<u8>>,
    pub characters: Vec<u8>,
    pub numbers: Vec<i64>,
    /// `main` with arguments; other functions are given numbers.
    pub takes_arguments: bool,
    pub takes_numbers: bool,
    pub reads: bool,
    /// It asks for the time.
    pub has_clock: bool,
    /// It calls functions that nobody knows.
    pub asks: bool,
    pub opens: bool,
}

impl Vocabulary {
    pub fn new(world: &World, start: u32) -> Self {
        let program = &world.program;
        let mut found = Found::default();
        for module in world.own_modules() {
            found.texts_of(module);
        }
        for function in world.own_functions().take(MOST_WORDS) {
            program.body(function).into_iter().for_each(|body| found.constants_of(body));
        }
        let calls = |names: &[&str]| names.iter().any(|name| is_called(program, name));
        let opens = calls(&OPENERS);
        let has_params = program.body(start).is_some_and(|body| !body.params.is_empty());
        let is_main = program.function_name(start) == "main";
        Self {
            texts: found.texts.into_iter().take(MOST_WORDS).collect(),
            characters: found.characters.into_iter().collect(),
            numbers: found.numbers.into_iter().take(MOST_WORDS).collect(),
            takes_arguments: has_params && is_main,
            takes_numbers: has_params && !is_main,
            reads: opens || calls(&READERS),
            has_clock: calls(&CLOCKS),
            asks: program.unknown_externals().next().is_some(),
            opens,
        }
    }
}

/// Whether the program knows a library function by this name, or one of its other spellings.
fn is_called(program: &Program, name: &str) -> bool {
    let is_it = |known: &str| caulk_interp::library::other_names(known).any(|it| it == name);
    program.functions.iter().any(|row| !row.defined && is_it(&row.name))
}

#[derive(Default)]
struct Found {
    texts: BTreeSet<Vec<u8>>,
    characters: BTreeSet<u8>,
    numbers: BTreeSet<i64>,
}

impl Found {
    fn texts_of(&mut self, module: &Module) {
        let literals = module.objects.rows().iter();
        for object in literals.filter(|it| it.kind == ObjectKind::StringLiteral) {
            let bytes = object.init.as_ref().map_or(&[][..], |init| &init.bytes);
            let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
            let is_word = |&byte: &u8| byte.is_ascii_graphic() && byte != b'%';
            if (1..=LONGEST_TEXT).contains(&text.len()) && text.iter().all(is_word) {
                self.texts.insert(text.to_vec());
            }
        }
    }

    /// Numbers that something is compared with or that are handed on, as characters to look for.
    fn constants_of(&mut self, body: &Body) {
        for inst in body.insts.rows() {
            match *inst {
                Inst::Compare { lhs, rhs, .. } => {
                    self.constant(body, lhs);
                    self.constant(body, rhs);
                }
                Inst::Call(call) => {
                    body.calls[call].args.iter().for_each(|arg| self.constant(body, arg.value));
                }
                _ => {}
            }
        }
        for block in body.blocks.rows() {
            if let Terminator::Switch { cases, .. } = &block.terminator {
                cases.iter().for_each(|case| self.number(case.low as i64));
            }
        }
    }

    fn constant(&mut self, body: &Body, value: ValueId) {
        if let ValueKind::Const(Constant::Int(number)) = body.values[value].kind {
            self.number(number);
        }
    }

    fn number(&mut self, number: i64) {
        if let Some(byte) = u8::try_from(number).ok().filter(u8::is_ascii_graphic) {
            self.characters.insert(byte);
        }
        if number.abs() <= LARGEST_NUMBER {
            self.numbers.extend([number - 1, number, number + 1]);
        }
    }
}
