//! Looking for one byte in much text, eight at a time. Every header of every unit goes through
//! here, so it shows.

const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// How often `byte` occurs.
pub(crate) fn count(bytes: &[u8], byte: u8) -> usize {
    // Small sums keep the loop in vectors of bytes.
    let chunks = bytes.chunks(255);
    chunks
        .map(|part| usize::from(part.iter().map(|&each| u8::from(each == byte)).sum::<u8>()))
        .sum()
}

/// Calls `found` with each index of `byte`.
pub(crate) fn each(bytes: &[u8], byte: u8, mut found: impl FnMut(usize)) {
    let pattern = u64::from_le_bytes([byte; 8]);
    let mut words = bytes.chunks_exact(8);
    let mut at = 0;
    for word in &mut words {
        let mut rest = zero_bytes(le_word(word) ^ pattern);
        while rest != 0 {
            found(at + rest.trailing_zeros() as usize / 8);
            rest &= rest - 1;
        }
        at += 8;
    }
    for (index, &last) in words.remainder().iter().enumerate() {
        if last == byte {
            found(at + index);
        }
    }
}

fn le_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The high bit of each byte that is zero.
fn zero_bytes(word: u64) -> u64 {
    !(((word & LOW) + LOW) | word | LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_simple_search() {
        let text: Vec<u8> = (0..3000_u32).map(|n| (n * n % 251 % 7 * 43) as u8).collect();
        for byte in [0, 43, 129, 255] {
            let simple: Vec<usize> = (0..text.len()).filter(|&i| text[i] == byte).collect();
            let mut fast = Vec::new();
            each(&text, byte, |index| fast.push(index));
            assert_eq!(fast, simple);
            assert_eq!(count(&text, byte), simple.len());
        }
    }
}
