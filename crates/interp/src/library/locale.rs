//! Locales: there is only "C".

use super::{Args, LibraryFn, ZERO, succeed};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("setlocale", setlocale),
    ("localeconv", localeconv),
    ("nl_langinfo", |m, _| m.static_text(b"ANSI_X3.4-1968")),
    ("newlocale", |m, _| Ok(m.static_buffer("locale", 8))),
    ("uselocale", |m, _| Ok(m.static_buffer("locale", 8))),
    ("duplocale", |m, _| Ok(m.static_buffer("locale", 8))),
    ("freelocale", succeed),
    ("gettext", |_, a| Ok(a.get(0))),
    ("dgettext", |_, a| Ok(a.get(1))),
    ("dcgettext", |_, a| Ok(a.get(1))),
    ("ngettext", |_, a| Ok(if a.u64(2) == 1 { a.get(0) } else { a.get(1) })),
    ("textdomain", |_, a| Ok(a.get(0))),
    ("bindtextdomain", |_, a| Ok(a.get(1))),
    ("bind_textdomain_codeset", |_, a| Ok(a.get(1))),
];

fn setlocale(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(1) != 0 {
        let wanted = machine.memory.string_vec(args.get(1))?;
        if !matches!(&wanted[..], b"" | b"C" | b"POSIX") {
            return Ok(ZERO);
        }
    }
    machine.static_text(b"C")
}

/// `struct lconv`: ten strings, then fourteen small numbers that are all unknown.
fn localeconv(machine: &mut Machine, _: &Args) -> Step<Value> {
    let at = machine.static_buffer("lconv", 96);
    let point = machine.static_text(b".")?;
    let empty = machine.static_text(b"")?;
    for index in 0..10 {
        let text = if index == 0 { point } else { empty };
        machine.memory.put::<8>(at.moved(index * 8), text)?;
    }
    machine.memory.fill(at.moved(80), Value::int(127), 14)?;
    Ok(at)
}
