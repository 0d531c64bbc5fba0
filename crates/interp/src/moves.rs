//! Parallel moves in sequence: an edge gives all block parameters their values at once.

use crate::op::Reg;

/// Appends moves `(to, from)` that, done one after another, do `pairs` at once. `scratch` breaks
/// cycles.
pub fn sequence(mut pairs: Vec<(Reg, Reg)>, scratch: Reg, out: &mut Vec<(Reg, Reg)>) {
    pairs.retain(|(to, from)| to != from);
    while !pairs.is_empty() {
        let free = pairs.iter().position(|&(to, _)| pairs.iter().all(|&(_, from)| from != to));
        match free {
            Some(index) => out.push(pairs.swap_remove(index)),
            None => {
                // Every target is still to be read: save one and read the copy instead.
                let saved = pairs[0].0;
                out.push((scratch, saved));
                pairs.iter_mut().filter(|pair| pair.1 == saved).for_each(|pair| pair.1 = scratch);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(Reg, Reg)]) {
        let mut regs: Vec<u32> = (0..10).collect();
        let mut out = Vec::new();
        sequence(pairs.to_vec(), 9, &mut out);
        out.iter().for_each(|&(to, from)| regs[to as usize] = regs[from as usize]);
        for &(to, from) in pairs {
            assert_eq!(regs[to as usize], from, "{pairs:?} became {out:?}");
        }
    }

    #[test]
    fn chains_swaps_and_fans_keep_their_values() {
        check(&[(0, 1), (1, 2), (2, 3)]);
        check(&[(0, 1), (1, 0)]);
        check(&[(0, 1), (1, 2), (2, 0), (3, 0)]);
        check(&[(0, 1), (1, 0), (2, 3), (3, 2)]);
        check(&[(4, 4), (5, 4)]);
    }
}
