//! Texts that the program itself wrote, and what they say of a call that gets one.

use caulk_ir::{Body, Constant, Module, ObjectKind, ValueId};

/// The text of a string literal, up to its first NUL.
#[must_use]
pub fn literal<'m>(module: &'m Module, body: &Body, value: ValueId) -> Option<&'m [u8]> {
    let Some(Constant::Object(object)) = body.constant(value) else { return None };
    let object = &module.objects[object];
    if object.kind != ObjectKind::StringLiteral {
        return None;
    }
    let bytes = object.init.as_ref().map_or(&[][..], |init| &init.bytes);
    bytes.split(|&byte| byte == 0).next()
}

/// The least number of characters that `printf` makes of a format, whatever it is given.
#[must_use]
pub fn least_printed(format: &[u8]) -> u32 {
    let mut rest = Cursor(format);
    let mut least = 0u32;
    while let Some(byte) = rest.next() {
        let printed = match byte {
            b'%' => rest.conversion(),
            _ => Some(1),
        };
        // Nobody knows what an unknown conversion does, nor where it ends.
        let Some(printed) = printed else { break };
        least = least.saturating_add(printed);
    }
    least
}

struct Cursor<'t>(&'t [u8]);

impl Cursor<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// What stands between `%` and the end of the conversion: the least that it prints.
    fn conversion(&mut self) -> Option<u32> {
        let start = self.0;
        // `%2$s` tells which argument, and not how wide.
        if self.number().is_none() || !self.skip(b"$") {
            self.0 = start;
        }
        while self.skip(b"-+ #0'I") {}
        let width = self.size();
        let precision = self.skip(b".").then(|| self.size());
        let is_long = self.0.first() == Some(&b'l');
        while self.skip(b"hlqLjzZt") {}
        let least = match self.next()? {
            b'%' => 1,
            // Zero with a precision of 0 is printed as nothing.
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => precision.unwrap_or(1),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'p' => 1,
            b'c' if !is_long => 1,
            b'c' | b'C' | b's' | b'S' | b'n' | b'm' => 0,
            _ => return None,
        };
        Some(least.max(width))
    }

    /// A width or a precision; 0 where it is missing or an argument.
    fn size(&mut self) -> u32 {
        if self.skip(b"*") { 0 } else { self.number().unwrap_or(0) }
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn skip(&mut self, any_of: &[u8]) -> bool {
        let is_there = self.0.first().is_some_and(|first| any_of.contains(first));
        self.0 = &self.0[usize::from(is_there)..];
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::least_printed;

    #[test]
    fn literal_characters_and_numbers_are_counted() {
        let least = |text: &str| least_printed(text.as_bytes());
        assert_eq!(least(""), 0);
        assert_eq!(least("%s"), 0);
        assert_eq!(least("%s/%s"), 1);
        assert_eq!(least("%lu"), 1);
        assert_eq!(least("%zu%%"), 2);
        assert_eq!(least("%08x-%-5s"), 14);
        assert_eq!(least("%.0d%.*d"), 0);
        assert_eq!(least("%.3d%*s"), 3);
        assert_eq!(least("%2$s%1$d"), 1);
        assert_eq!(least("%c%lc"), 1);
        assert_eq!(least("a%?bcd"), 1);
        assert_eq!(least("a%"), 1);
    }
}
