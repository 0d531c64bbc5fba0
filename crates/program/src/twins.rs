//! Units of which a program has one: a compile database often holds several programs or libraries, and
//! two units that define the same functions are then never linked together.
//!
//! Whoever calls several of these functions has all of them from one unit: what one of them makes, the
//! other one's destructor does not know. Linking chooses where folders tell; else a path that enters one of
//! the units does not enter the other (`use_flow`).

use std::cmp::Reverse;
use std::path::Path;

use caulk_base::{FxHashMap, FxHashSet, Table};
use caulk_ir::{FunctionBody, Module};

use crate::program::ModuleId;

/// Two programs may well have a function of one name that has nothing to do with the other's.
const FEWEST_SHARED: u32 = 2;

#[derive(Debug)]
pub struct Twins {
    /// The first is before the second.
    pairs: FxHashSet<(ModuleId, ModuleId)>,
    /// How many units before it are of the same file: with and without `-fPIC`, say.
    copies: Table<ModuleId, usize>,
    sizes: Table<ModuleId, usize>,
}

impl Twins {
    /// From the units that define each name.
    pub fn new<'n>(
        modules: &Table<ModuleId, Module>,
        defining: impl Iterator<Item = (&'n str, Vec<ModuleId>)>,
    ) -> Self {
        let mut shared: FxHashMap<(ModuleId, ModuleId), u32> = FxHashMap::default();
        for (_, units) in defining.filter(|(name, _)| *name != "main") {
            for (at, &first) in units.iter().enumerate() {
                for &second in units[at + 1..].iter().filter(|&&second| second != first) {
                    *shared.entry((first.min(second), first.max(second))).or_default() += 1;
                }
            }
        }
        let is_of_one_file =
            |(first, second): (ModuleId, ModuleId)| modules[first].name == modules[second].name;
        shared.retain(|&pair, &mut count| count >= FEWEST_SHARED || is_of_one_file(pair));
        let pairs = shared.into_keys().collect();
        let sizes = modules.rows().iter().map(size).collect();
        Self { pairs, copies: copies(modules), sizes }
    }

    pub fn are_twins(&self, a: ModuleId, b: ModuleId) -> bool {
        self.pairs.contains(&(a.min(b), a.max(b)))
    }

    /// Those of some units that may go together with a caller's. Of twins in other folders it has the
    /// nearest, and of equal copies one.
    pub fn together(
        &self,
        modules: &Table<ModuleId, Module>,
        caller: ModuleId,
        units: &[ModuleId],
    ) -> Vec<ModuleId> {
        let folders = |unit: ModuleId| shared_folders(&modules[caller].name, &modules[unit].name);
        let mut ranked = units.to_vec();
        ranked.sort_by_key(|&unit| {
            Reverse((folders(unit), self.copies[unit] == self.copies[caller]))
        });
        let mut chosen: Vec<ModuleId> = Vec::new();
        for unit in ranked {
            let is_instead = |&other: &ModuleId| {
                folders(other) > folders(unit) || self.are_equal(modules, other, unit)
            };
            if !chosen.iter().any(|it| self.are_twins(*it, unit) && is_instead(it)) {
                chosen.push(unit);
            }
        }
        chosen
    }

    /// Whether two units are of one file, and nothing in it depends on their flags.
    fn are_equal(&self, modules: &Table<ModuleId, Module>, a: ModuleId, b: ModuleId) -> bool {
        modules[a].name == modules[b].name && self.sizes[a] == self.sizes[b]
    }
}

fn shared_folders(a: &str, b: &str) -> usize {
    let folders = |name| Path::new(name).parent().into_iter().flat_map(Path::components);
    folders(a).zip(folders(b)).take_while(|(a, b)| a == b).count()
}

fn copies(modules: &Table<ModuleId, Module>) -> Table<ModuleId, usize> {
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut copies = Table::new();
    for (_, module) in modules.iter() {
        let count = seen.entry(&module.name).or_default();
        copies.push(*count);
        *count += 1;
    }
    copies
}

fn size(module: &Module) -> usize {
    let insts = module.functions.rows().iter().map(|function| match &function.body {
        FunctionBody::Defined(body) => body.insts.len(),
        _ => 0,
    });
    insts.sum()
}
