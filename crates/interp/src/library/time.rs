//! Time stands still, except that each look at the processor's clock moves it a little.

use super::{Args, LibraryFn, ZERO, succeed};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("time", time),
    ("clock", clock),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("clock_getres", clock_getres),
    ("timespec_get", timespec_get),
    ("gmtime", gmtime),
    ("localtime", gmtime),
    ("gmtime_r", gmtime_r),
    ("localtime_r", gmtime_r),
    ("mktime", mktime),
    ("timegm", mktime),
    ("difftime", |_, a| Ok(Value::f64(a.i64(0) as f64 - a.i64(1) as f64))),
    ("strftime", strftime),
    ("asctime", asctime),
    ("ctime", ctime),
    ("tzset", succeed),
    ("nanosleep", succeed),
    ("usleep", succeed),
    ("sleep", succeed),
    ("times", succeed),
];

/// 2024-01-01 00:00:00 UTC.
pub const NOW: i64 = 1_704_067_200;

fn time(machine: &mut Machine, args: &Args) -> Step<Value> {
    let now = Value::int(machine.library.now() as u64);
    if args.u64(0) != 0 {
        machine.memory.put::<8>(args.get(0), now)?;
    }
    Ok(now)
}

fn clock(machine: &mut Machine, _: &Args) -> Step<Value> {
    machine.library.clock += 1;
    Ok(Value::int(machine.library.clock))
}

fn put_pair(machine: &mut Machine, at: Value, seconds: i64, rest: i64) -> Step<Value> {
    if at.bits != 0 {
        machine.memory.put::<8>(at, Value::int(seconds as u64))?;
        machine.memory.put::<8>(at.moved(8), Value::int(rest as u64))?;
    }
    Ok(ZERO)
}

fn gettimeofday(machine: &mut Machine, args: &Args) -> Step<Value> {
    put_pair(machine, args.get(0), machine.library.now(), 0)
}

fn clock_gettime(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.clock += 1;
    let rest = machine.library.clock as i64 * 1000 % 1_000_000_000;
    put_pair(machine, args.get(1), machine.library.now(), if args.i32(0) == 0 { 0 } else { rest })
}

fn clock_getres(machine: &mut Machine, args: &Args) -> Step<Value> {
    put_pair(machine, args.get(1), 0, 1)
}

fn timespec_get(machine: &mut Machine, args: &Args) -> Step<Value> {
    put_pair(machine, args.get(0), machine.library.now(), 0)?;
    Ok(args.get(1))
}

/// A moment as a calendar shows it.
#[derive(Clone, Copy)]
struct Calendar {
    /// Seconds, minutes, hours, day of the month, month from 0, years since 1900, day of the
    /// week, day of the year, daylight saving.
    fields: [i64; 9],
}

/// Days since 1970 of a day of the proleptic Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year + month.div_euclid(12);
    let month = month.rem_euclid(12);
    // Years counted from March, so that leap days come last.
    let (shifted, from_march) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year of a day since 1970: a guess by the mean length of a year, put right.
fn year_of(day: i64) -> i64 {
    let guess = 1970 + (i128::from(day) * 400).div_euclid(146_097) as i64;
    (guess - 1..=guess + 1).rev().find(|&year| days(year, 0, 1) <= day).unwrap_or(guess)
}

fn calendar(seconds: i64) -> Calendar {
    let (day, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let year = year_of(day);
    let of_year = day - days(year, 0, 1);
    let month = (0..12).rev().find(|&month| days(year, month, 1) <= day).unwrap_or(0);
    let of_month = day - days(year, month, 1) + 1;
    let week = (day + 4).rem_euclid(7);
    let fields =
        [rest % 60, rest / 60 % 60, rest / 3600, of_month, month, year - 1900, week, of_year, 0];
    Calendar { fields }
}

/// `struct tm`: nine ints, then the offset from UTC and the zone's name.
fn put_calendar(machine: &mut Machine, at: Value, calendar: Calendar) -> Step<Value> {
    for (index, field) in calendar.fields.into_iter().enumerate() {
        machine.memory.put::<4>(at.moved(index as i64 * 4), Value::i32(field as i32))?;
    }
    machine.memory.put::<8>(at.moved(40), ZERO)?;
    let zone = machine.static_text(b"GMT")?;
    machine.memory.put::<8>(at.moved(48), zone)?;
    Ok(at)
}

fn read_calendar(machine: &mut Machine, at: Value) -> Step<Calendar> {
    let mut fields = [0; 9];
    for (index, field) in fields.iter_mut().enumerate() {
        *field = i64::from(machine.memory.load::<4>(at.moved(index as i64 * 4))?.as_i32());
    }
    Ok(Calendar { fields })
}

fn gmtime(machine: &mut Machine, args: &Args) -> Step<Value> {
    let seconds = machine.memory.load::<8>(args.get(0))?.as_i64();
    let at = machine.static_buffer("tm", 56);
    put_calendar(machine, at, calendar(seconds))
}

fn gmtime_r(machine: &mut Machine, args: &Args) -> Step<Value> {
    let seconds = machine.memory.load::<8>(args.get(0))?.as_i64();
    put_calendar(machine, args.get(1), calendar(seconds))
}

fn mktime(machine: &mut Machine, args: &Args) -> Step<Value> {
    let [second, minute, hour, day, month, year, ..] = read_calendar(machine, args.get(0))?.fields;
    let seconds = days(year + 1900, month, 1) * 86_400
        + (day - 1) * 86_400
        + hour * 3600
        + minute * 60
        + second;
    put_calendar(machine, args.get(0), calendar(seconds))?;
    Ok(Value::int(seconds as u64))
}

const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn name(names: &[&'static str], index: i64) -> &'static str {
    usize::try_from(index).ok().and_then(|index| names.get(index)).copied().unwrap_or("?")
}

fn conversion(letter: u8, calendar: Calendar) -> String {
    let [second, minute, hour, day, month, year, week, of_year, _] = calendar.fields;
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    match letter {
        b'Y' => (year + 1900).to_string(),
        b'C' => format!("{:02}", (year + 1900) / 100),
        b'y' => format!("{:02}", year.rem_euclid(100)),
        b'm' => format!("{:02}", month + 1),
        b'd' => format!("{day:02}"),
        b'e' => format!("{day:2}"),
        b'H' => format!("{hour:02}"),
        b'I' => format!("{twelve:02}"),
        b'M' => format!("{minute:02}"),
        b'S' => format!("{second:02}"),
        b'j' => format!("{:03}", of_year + 1),
        b'a' => name(&DAYS, week)[..3.min(name(&DAYS, week).len())].to_string(),
        b'A' => name(&DAYS, week).to_string(),
        b'b' | b'h' => name(&MONTHS, month)[..3.min(name(&MONTHS, month).len())].to_string(),
        b'B' => name(&MONTHS, month).to_string(),
        b'p' => if hour < 12 { "AM" } else { "PM" }.to_string(),
        b'w' => week.to_string(),
        b'u' => (if week == 0 { 7 } else { week }).to_string(),
        b'Z' => "GMT".to_string(),
        b'z' => "+0000".to_string(),
        b'n' => "\n".to_string(),
        b't' => "\t".to_string(),
        b'%' => "%".to_string(),
        b's' => (days(year + 1900, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
            .to_string(),
        b'U' => format!("{:02}", (of_year + 7 - week) / 7),
        b'W' => format!("{:02}", (of_year + 7 - (week + 6) % 7) / 7),
        b'D' | b'x' => expand(b"%m/%d/%y", calendar),
        b'F' => expand(b"%Y-%m-%d", calendar),
        b'T' | b'X' => expand(b"%H:%M:%S", calendar),
        b'R' => expand(b"%H:%M", calendar),
        b'r' => expand(b"%I:%M:%S %p", calendar),
        b'c' => expand(b"%a %b %e %H:%M:%S %Y", calendar),
        other => format!("%{}", char::from(other)),
    }
}

fn expand(format: &[u8], calendar: Calendar) -> String {
    let (mut out, mut bytes) = (Vec::new(), format.iter());
    while let Some(&byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut letter = bytes.next().copied().unwrap_or(b'%');
        if matches!(letter, b'E' | b'O') {
            letter = bytes.next().copied().unwrap_or(b'%');
        }
        out.extend_from_slice(conversion(letter, calendar).as_bytes());
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn strftime(machine: &mut Machine, args: &Args) -> Step<Value> {
    let format = machine.memory.string_vec(args.get(2))?;
    let calendar = read_calendar(machine, args.get(3))?;
    let text = expand(&format, calendar);
    if text.len() as u64 >= args.u64(1) {
        return Ok(ZERO);
    }
    machine.memory.write_string(args.get(0), text.as_bytes())?;
    Ok(Value::int(text.len() as u64))
}

fn show(machine: &mut Machine, calendar: Calendar) -> Step<Value> {
    let text = expand(b"%a %b %e %H:%M:%S %Y\n", calendar);
    let at = machine.static_buffer("asctime", 64);
    machine.memory.write_string(at, text.as_bytes())?;
    Ok(at)
}

fn asctime(machine: &mut Machine, args: &Args) -> Step<Value> {
    let calendar = read_calendar(machine, args.get(0))?;
    show(machine, calendar)
}

fn ctime(machine: &mut Machine, args: &Args) -> Step<Value> {
    let seconds = machine.memory.load::<8>(args.get(0))?.as_i64();
    show(machine, calendar(seconds))
}

#[cfg(test)]
mod tests {
    use super::{calendar, days};

    #[test]
    fn calendars_far_from_now_are_quick_and_right() {
        for seconds in [0, -1, -30_000_000_000, -62_135_683_200, 253_402_300_799, i64::MAX / 2] {
            let [second, minute, hour, day, month, year, ..] = calendar(seconds).fields;
            let back = days(year + 1900, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
            assert_eq!(back, seconds);
        }
        assert_eq!(calendar(-30_000_000_000).fields[3..6], [4, 4, 1019 - 1900]);
    }
}
