//! Draws findings by lot: the same ones for the same seed, in whatever order they were recorded.

use super::sheet::Row;
use crate::lab::findings::Findings;

/// How many to draw.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub count: usize,
    /// Of these, at least so many of high confidence, as far as there are.
    pub high: usize,
    /// Of one program at most so many.
    pub most: usize,
}

/// Rows by lot, fewer than wanted if there are no more, in the order of programs and places.
pub fn draw(records: &[Findings], seed: u64, wanted: Wanted) -> Vec<Row> {
    let of_record = |record: &Findings| {
        let rows = record.findings.iter().map(|finding| Row::new(&record.program, finding));
        rows.collect::<Vec<_>>()
    };
    let mut rows: Vec<Row> = records.iter().flat_map(of_record).collect();
    rows.sort();
    rows.dedup();
    let mut lot = Lot { state: seed };
    for chosen in 0..rows.len() {
        let other = chosen + lot.below(rows.len() - chosen);
        rows.swap(chosen, other);
    }
    let mut drawn = chosen(rows, wanted);
    drawn.sort();
    drawn
}

/// The first rows that are wanted: those of high confidence, then any.
fn chosen(mut rows: Vec<Row>, wanted: Wanted) -> Vec<Row> {
    let mut drawn: Vec<Row> = Vec::new();
    let of_high = |row: &Row| row.confidence == "high";
    take(&mut rows, &mut drawn, wanted.high.min(wanted.count), wanted.most, of_high);
    take(&mut rows, &mut drawn, wanted.count, wanted.most, |_| true);
    drawn
}

/// Moves rows that fit until `count` are drawn.
fn take(
    rows: &mut Vec<Row>,
    drawn: &mut Vec<Row>,
    count: usize,
    most: usize,
    fits: impl Fn(&Row) -> bool,
) {
    rows.retain(|row| {
        let of_program = drawn.iter().filter(|other| other.program == row.program).count();
        let taken = drawn.len() < count && of_program < most && fits(row);
        if taken {
            drawn.push(row.clone());
        }
        !taken
    });
}

pub fn total(records: &[Findings]) -> usize {
    records.iter().map(|record| record.findings.len()).sum()
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere.
struct Lot {
    state: u64,
}

impl Lot {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; that small ones are likelier by 2⁻⁶⁴ · `limit` does no harm.
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::findings::Kind;
    use crate::lab::findings::tests::{finding, findings};

    fn records() -> Vec<Findings> {
        let many = |count| (1..=count).map(|line| finding("a.c", line, Kind::Leak)).collect();
        vec![findings("caulk-e", "tar", many(30)), findings("caulk-e", "git", many(20))]
    }

    fn any(count: usize) -> Wanted {
        Wanted { count, high: 0, most: usize::MAX }
    }

    fn places(rows: &[Row]) -> Vec<(String, u32)> {
        rows.iter().map(|row| (row.program.clone(), row.line)).collect()
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let one = draw(&records(), 7, any(10));
        let mut turned = records();
        turned.reverse();
        assert_eq!(places(&one), places(&draw(&turned, 7, any(10))));
        assert_ne!(places(&one), places(&draw(&records(), 8, any(10))));
        assert_eq!(one.len(), 10);
        assert!(one.iter().any(|row| row.program == "tar"));
    }

    #[test]
    fn all_are_drawn_if_there_are_few() {
        assert_eq!(draw(&records(), 1, any(99)).len(), 50);
        assert_eq!(total(&records()), 50);
    }

    #[test]
    fn high_ones_come_first_and_no_program_outweighs_the_others() {
        let mut records = records();
        for finding in &mut records[1].findings[..6] {
            finding.confidence = Some("high".into());
        }
        let rows = draw(&records, 5, Wanted { count: 12, high: 4, most: 7 });
        let count = |of: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| of(row)).count();
        assert_eq!(rows.len(), 12);
        assert!(count(&|row| row.confidence == "high") >= 4);
        assert!(["git", "tar"].iter().all(|name| count(&|row| row.program == *name) <= 7));
        assert_eq!(draw(&records, 5, Wanted { count: 99, high: 99, most: 7 }).len(), 14);
    }

    #[test]
    fn numbers_are_those_of_the_paper() {
        let mut lot = Lot { state: 1_234_567 };
        assert_eq!(lot.next(), 6_457_827_717_110_365_317);
    }

    #[test]
    fn each_place_is_as_likely() {
        let mut hits = [0; 4];
        let mut lot = Lot { state: 3 };
        (0..4000).for_each(|_| hits[lot.below(4)] += 1);
        assert!(hits.iter().all(|hits| (850..1150).contains(hits)), "{hits:?}");
    }
}
