//! Inputs of a whole program, made up and changed by chance: the same chance on every machine.

use crate::vocabulary::Vocabulary;

/// Arguments, and lines of input.
const MOST_WORDS: u64 = 5;
const MOST_LINES: u64 = 8;
const MOST_ANSWERS: u64 = 10;
/// Pieces of one word.
const MOST_PIECES: u64 = 4;

/// The name of the file that programs may open; its contents are the lines of standard input.
pub const FILE: &[u8] = b"a";

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Input {
    pub args: Vec<Vec<u8>>,
    /// What a function other than `main` is given.
    pub numbers: Vec<i64>,
    pub lines: Vec<Vec<u8>>,
    /// What functions that nobody knows return, in the order of their calls.
    pub answers: Vec<i64>,
    /// When the run begins, in seconds: programs take it for their luck.
    pub time: u64,
}

impl Input {
    pub fn text(&self) -> Vec<u8> {
        self.lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect()
    }
}

/// A generator of numbers that need not be good, only the same every time (xorshift).
pub struct Chance(u64);

impl Chance {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below the bound; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound.max(1)
    }

    pub fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn pick<'t, T>(&mut self, rows: &'t [T]) -> Option<&'t T> {
        rows.get(self.below(rows.len() as u64) as usize)
    }
}

/// Makes inputs from a program's own words.
pub struct Maker<'v> {
    pub vocabulary: &'v Vocabulary,
    pub chance: Chance,
}

impl Maker<'_> {
    pub fn fresh(&mut self) -> Input {
        let mut input = Input::default();
        if self.vocabulary.takes_arguments {
            for _ in 0..self.chance.below(MOST_WORDS + 1) {
                let word = self.word_beside(&input.args);
                input.args.push(word);
            }
        }
        if self.vocabulary.takes_numbers {
            input.numbers = (0..MOST_WORDS).map(|_| self.number()).collect();
        }
        if self.vocabulary.reads {
            for _ in 0..self.chance.below(MOST_LINES + 1) {
                let line = self.line_beside(&input.lines);
                input.lines.push(line);
            }
        }
        if self.vocabulary.asks {
            for _ in 0..self.chance.below(MOST_ANSWERS + 1) {
                input.answers.push(self.number());
            }
        }
        input.time = self.chance.below(1_000);
        input
    }

    /// One or a few changes of an input that came far.
    pub fn changed(&mut self, input: &Input) -> Input {
        let mut input = input.clone();
        for _ in 0..=self.chance.below(3) {
            self.change(&mut input);
        }
        input
    }

    fn change(&mut self, input: &mut Input) {
        let Vocabulary { takes_arguments, takes_numbers, reads, asks, .. } = *self.vocabulary;
        let open = [takes_arguments, reads, asks, takes_numbers];
        let open: Vec<usize> = (0..open.len()).filter(|&at| open[at]).collect();
        match self.chance.pick(&open) {
            Some(0) => self.change_words(&mut input.args, Self::word_beside),
            Some(1) => self.change_words(&mut input.lines, Self::line_beside),
            Some(2) => self.change_answers(&mut input.answers),
            Some(_) => self.change_answers(&mut input.numbers),
            None => input.time = self.chance.below(1_000),
        }
    }

    fn change_words(
        &mut self,
        words: &mut Vec<Vec<u8>>,
        beside: fn(&mut Self, &[Vec<u8>]) -> Vec<u8>,
    ) {
        let at = self.chance.below(words.len() as u64) as usize;
        let place = self.chance.below(words.len() as u64 + 1) as usize;
        match self.chance.below(5) {
            0 if !words.is_empty() => drop(words.remove(at)),
            1 if !words.is_empty() => words.insert(place, words[at].clone()),
            2 if !words.is_empty() => self.change_word(&mut words[at]),
            3 if !words.is_empty() => words[at] = beside(self, words),
            _ => words.insert(place, beside(self, words)),
        }
    }

    /// A piece more, or a byte less.
    fn change_word(&mut self, word: &mut Vec<u8>) {
        let at = self.chance.below(word.len() as u64 + 1) as usize;
        if self.chance.one_in(2) && at < word.len() {
            word.remove(at);
        } else {
            let piece = self.piece();
            word.splice(at..at, piece);
        }
    }

    fn change_answers(&mut self, answers: &mut Vec<i64>) {
        let at = self.chance.below(answers.len() as u64) as usize;
        let number = self.number();
        match answers.get_mut(at) {
            Some(answer) if !self.chance.one_in(3) => *answer = number,
            _ => answers.push(number),
        }
    }

    /// Words come again: what is there already is where programs go wrong.
    fn word_beside(&mut self, others: &[Vec<u8>]) -> Vec<u8> {
        match self.chance.pick(others) {
            Some(other) if self.chance.one_in(4) => other.clone(),
            _ => self.word(),
        }
    }

    fn line_beside(&mut self, others: &[Vec<u8>]) -> Vec<u8> {
        match self.chance.pick(others) {
            Some(other) if self.chance.one_in(4) => other.clone(),
            _ => {
                let words = 1 + self.chance.below(6) / 2;
                (0..words).map(|_| self.word()).collect::<Vec<_>>().join(&b' ')
            }
        }
    }

    fn word(&mut self) -> Vec<u8> {
        let pieces = match self.chance.one_in(2) {
            true => 1,
            false => 1 + self.chance.below(MOST_PIECES),
        };
        (0..pieces).flat_map(|_| self.piece()).collect()
    }

    fn piece(&mut self) -> Vec<u8> {
        match self.chance.below(8) {
            0..=2 if !self.vocabulary.texts.is_empty() => {
                self.chance.pick(&self.vocabulary.texts).cloned().unwrap_or_default()
            }
            3..=4 if !self.vocabulary.characters.is_empty() => {
                self.chance.pick(&self.vocabulary.characters).copied().into_iter().collect()
            }
            5..=6 => self.number().to_string().into_bytes(),
            _ => vec![b'a' + self.chance.below(3) as u8],
        }
    }

    fn number(&mut self) -> i64 {
        match self.chance.pick(&self.vocabulary.numbers) {
            Some(&number) if !self.chance.one_in(3) => number,
            _ => self.chance.below(25) as i64 - 1,
        }
    }
}
