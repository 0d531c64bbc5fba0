//! The folder in which programs run: a copy of the suite, and two generated files.

use crate::tools::Scratch;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Bytes of each generated file: some blocks of bzip2 -1, more than zlib's window.
const LENGTH: usize = 150_000;

const WORDS: &[&str] = &[
    "leak", "heap", "the", "of", "pointer", "frees", "and", "owner", "a", "memory", "is", "lost",
    "when", "it", "returns", "early", "caller", "holds", "nothing", "else", "but", "block",
];

/// Makes the folder.
pub fn prepare(suite: &Path, scratch: &Scratch) -> Result<PathBuf, String> {
    let folder = scratch.file("inputs");
    let made = copy(suite, &folder)
        .and_then(|()| fs::write(folder.join("text.in"), text(LENGTH)))
        .and_then(|()| fs::write(folder.join("binary.in"), binary(LENGTH)));
    made.map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        match path.is_dir() {
            true => copy(&path, &to.join(name))?,
            false => drop(fs::copy(&path, to.join(name))?),
        }
    }
    Ok(())
}

/// A linear congruential sequence: the same bytes on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// Words in lines.
fn text(length: usize) -> Vec<u8> {
    let mut numbers = Numbers(1);
    let mut text = Vec::new();
    while text.len() < length {
        text.extend(WORDS[numbers.below(WORDS.len() as u64) as usize].bytes());
        text.push(if numbers.below(9) == 0 { b'\n' } else { b' ' });
    }
    text.truncate(length);
    text
}

/// Runs, noise, and repetitions of what came before, in turns.
fn binary(length: usize) -> Vec<u8> {
    let mut numbers = Numbers(2);
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let count = 1 + numbers.below(600) as usize;
        match numbers.below(3) {
            0 => bytes.extend(std::iter::repeat_n(numbers.below(256) as u8, count)),
            1 => bytes.extend((0..count).map(|_| numbers.below(256) as u8)),
            _ => {
                let from = numbers.below(bytes.len() as u64 + 1) as usize;
                let to = bytes.len().min(from + count);
                bytes.extend_from_within(from..to);
            }
        }
    }
    bytes.truncate(length);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_reproducible_and_varied() {
        assert_eq!(text(1000), text(1000));
        assert_eq!(text(1000).len(), 1000);
        let (bytes, mut seen) = (binary(20_000), [false; 256]);
        bytes.iter().for_each(|&byte| seen[usize::from(byte)] = true);
        assert_eq!(bytes.len(), 20_000);
        assert!(seen.iter().all(|&byte| byte));
    }
}
