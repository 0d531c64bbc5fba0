//! Messages with the number of times each came up, in the order of their first appearance.

use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: Vec<(String, usize)>,
    index: FxHashMap<String, usize>,
}

impl Tally {
    pub fn add(&mut self, text: String) {
        match self.index.get(&text) {
            Some(&at) => self.counts[at].1 += 1,
            None => {
                self.index.insert(text.clone(), self.counts.len());
                self.counts.push((text, 1));
            }
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = (&str, usize)> {
        self.counts.iter().map(|(text, count)| (text.as_str(), *count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_order_of_appearance() {
        let mut tally = Tally::default();
        for text in ["b", "a", "b"] {
            tally.add(text.to_owned());
        }
        assert_eq!(tally.rows().collect::<Vec<_>>(), [("b", 2), ("a", 1)]);
    }
}
