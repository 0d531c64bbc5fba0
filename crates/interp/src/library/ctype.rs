//! `ctype.h` in the C locale, with glibc's tables.

use super::{Args, LibraryFn};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("isalpha", |_, args| test(args, |byte| byte.is_ascii_alphabetic())),
    ("isdigit", |_, args| test(args, |byte| byte.is_ascii_digit())),
    ("isalnum", |_, args| test(args, |byte| byte.is_ascii_alphanumeric())),
    ("isspace", |_, args| test(args, is_space)),
    ("isblank", |_, args| test(args, |byte| byte == b' ' || byte == b'\t')),
    ("isupper", |_, args| test(args, |byte| byte.is_ascii_uppercase())),
    ("islower", |_, args| test(args, |byte| byte.is_ascii_lowercase())),
    ("ispunct", |_, args| test(args, |byte| byte.is_ascii_punctuation())),
    ("isprint", |_, args| test(args, |byte| byte.is_ascii_graphic() || byte == b' ')),
    ("isgraph", |_, args| test(args, |byte| byte.is_ascii_graphic())),
    ("iscntrl", |_, args| test(args, |byte| byte.is_ascii_control())),
    ("isxdigit", |_, args| test(args, |byte| byte.is_ascii_hexdigit())),
    ("isascii", |_, args| Ok(Value::i32(i32::from((0..128).contains(&args.i32(0)))))),
    ("toascii", |_, args| Ok(Value::i32(args.i32(0) & 0x7f))),
    ("tolower", |_, args| Ok(map(args, |byte| byte.to_ascii_lowercase()))),
    ("toupper", |_, args| Ok(map(args, |byte| byte.to_ascii_uppercase()))),
    ("__ctype_b_loc", class_table),
    ("__ctype_tolower_loc", lower_table),
    ("__ctype_toupper_loc", upper_table),
    ("__ctype_get_mb_cur_max", |_, _| Ok(Value::int(1))),
];

/// Space in the C locale: Rust's test lacks the vertical tab.
pub fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// glibc answers with the class's bit of its table.
fn test(args: &Args, class: fn(u8) -> bool) -> Step<Value> {
    let answer = u8::try_from(args.i32(0)).is_ok_and(class);
    Ok(Value::i32(i32::from(answer)))
}

fn map(args: &Args, change: fn(u8) -> u8) -> Value {
    match u8::try_from(args.i32(0)) {
        Ok(byte) => Value::i32(i32::from(change(byte))),
        Err(_) => args.get(0),
    }
}

/// The bits of glibc's `enum _ISupper …` on a little-endian machine.
fn class_bits(byte: u8) -> u16 {
    let bit = |number: u32, holds: bool| if holds { bit_value(number) } else { 0 };
    bit(0, byte.is_ascii_uppercase())
        | bit(1, byte.is_ascii_lowercase())
        | bit(2, byte.is_ascii_alphabetic())
        | bit(3, byte.is_ascii_digit())
        | bit(4, byte.is_ascii_hexdigit())
        | bit(5, is_space(byte))
        | bit(6, byte.is_ascii_graphic() || byte == b' ')
        | bit(7, byte.is_ascii_graphic())
        | bit(8, byte == b' ' || byte == b'\t')
        | bit(9, byte.is_ascii_control())
        | bit(10, byte.is_ascii_punctuation())
        | bit(11, byte.is_ascii_alphanumeric())
}

fn bit_value(number: u32) -> u16 {
    if number < 8 { 1 << (number + 8) } else { 1 << (number - 8) }
}

/// The address of a pointer to entry 0 of a table for -128..256.
fn table(
    machine: &mut Machine,
    names: [&'static str; 2],
    width: u64,
    entry: impl Fn(i32) -> u32,
) -> Step<Value> {
    let fresh = !machine.library.buffers.contains_key(names[0]);
    let at = machine.static_buffer(names[0], 384 * width);
    let pointer = machine.static_buffer(names[1], 8);
    if fresh {
        for index in -128..256 {
            let place = at.moved((i64::from(index) + 128) * width as i64);
            machine.memory.store_sized(
                place,
                Value::int(u64::from(entry(index))),
                width as usize,
            )?;
        }
        machine.memory.put::<8>(pointer, at.moved(128 * width as i64))?;
    }
    Ok(pointer)
}

fn class_table(machine: &mut Machine, _: &Args) -> Step<Value> {
    table(machine, ["ctype b", "ctype b at"], 2, |index| {
        u8::try_from(index).map_or(0, |byte| u32::from(class_bits(byte)))
    })
}

fn lower_table(machine: &mut Machine, _: &Args) -> Step<Value> {
    table(machine, ["ctype lower", "ctype lower at"], 4, |index| {
        u8::try_from(index).map_or(index as u32, |byte| u32::from(byte.to_ascii_lowercase()))
    })
}

fn upper_table(machine: &mut Machine, _: &Args) -> Step<Value> {
    table(machine, ["ctype upper", "ctype upper at"], 4, |index| {
        u8::try_from(index).map_or(index as u32, |byte| u32::from(byte.to_ascii_uppercase()))
    })
}
