//! `qsort`, `bsearch` and `lfind`: they call back into the program.

use super::{Args, LibraryFn, ZERO};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("qsort", |m, a| sort(m, a, None)),
    ("qsort_r", |m, a| sort(m, a, Some(a.get(4)))),
    ("bsearch", bsearch),
    ("lfind", lfind),
];

/// glibc sorts by merging; with equal elements the order shows.
fn sort(machine: &mut Machine, args: &Args, extra: Option<Value>) -> Step<Value> {
    let (base, count, size) = (args.get(0), args.u64(1), args.u64(2));
    if count < 2 || size == 0 {
        return Ok(ZERO);
    }
    let total = count.saturating_mul(size);
    machine.memory.check(base, total, true)?;
    let id = machine.memory.add_slot(total, 16, crate::memory::ObjectKind::Library);
    let scratch = machine.memory.address(id);
    let mut order: Vec<u64> = (0..count).collect();
    let mut compare = Compare { machine, base, size, function: args.get(3), extra };
    let result = merge_sort(&mut order, &mut compare);
    if result.is_ok() {
        for (place, &index) in order.iter().enumerate() {
            let to = scratch.moved((place as u64 * size) as i64);
            machine.memory.copy(to, base.moved((index * size) as i64), size)?;
        }
        machine.memory.copy(base, scratch, total)?;
    }
    machine.memory.end_slot(id);
    result.map(|()| ZERO)
}

struct Compare<'m, 'p> {
    machine: &'m mut Machine<'p>,
    base: Value,
    size: u64,
    function: Value,
    extra: Option<Value>,
}

impl Compare<'_, '_> {
    fn in_order(&mut self, lhs: u64, rhs: u64) -> Step<bool> {
        let at = |index: u64| self.base.moved((index * self.size) as i64);
        let mut args = vec![at(lhs), at(rhs)];
        args.extend(self.extra);
        Ok(self.machine.call_pointer(self.function, &args)?.as_i32() <= 0)
    }
}

fn merge_sort(order: &mut [u64], compare: &mut Compare) -> Step<()> {
    if order.len() < 2 {
        return Ok(());
    }
    let middle = order.len() / 2;
    merge_sort(&mut order[..middle], compare)?;
    merge_sort(&mut order[middle..], compare)?;
    let (left, right) = (order[..middle].to_vec(), order[middle..].to_vec());
    let (mut a, mut b) = (0, 0);
    for place in order.iter_mut() {
        let from_left = match (left.get(a), right.get(b)) {
            (Some(&x), Some(&y)) => compare.in_order(x, y)?,
            (left, _) => left.is_some(),
        };
        *place = if from_left { left[a] } else { right[b] };
        if from_left { a += 1 } else { b += 1 }
    }
    Ok(())
}

fn bsearch(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (key, base, size) = (args.get(0), args.get(1), args.u64(3));
    let (mut low, mut high) = (0, args.u64(2));
    while low < high {
        let middle = low + (high - low) / 2;
        let at = base.moved(middle.wrapping_mul(size) as i64);
        match machine.call_pointer(args.get(4), &[key, at])?.as_i32() {
            0 => return Ok(at),
            ..0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(ZERO)
}

fn lfind(machine: &mut Machine, args: &Args) -> Step<Value> {
    let count = machine.memory.load::<8>(args.get(2))?.bits;
    for index in 0..count {
        let at = args.get(1).moved(index.wrapping_mul(args.u64(3)) as i64);
        if machine.call_pointer(args.get(4), &[args.get(0), at])?.as_i32() == 0 {
            return Ok(at);
        }
    }
    Ok(ZERO)
}
