//! Small sorted sets and maps that states share until one of them changes.

use std::sync::Arc;

use caulk_base::Id;

/// A set of ids, cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T> {
    rows: Arc<Vec<T>>,
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self { rows: Arc::new(Vec::new()) }
    }
}

impl<T: Copy + Ord> Set<T> {
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.rows.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn contains(&self, item: T) -> bool {
        self.rows.binary_search(&item).is_ok()
    }

    /// Whether it was not there.
    pub fn insert(&mut self, item: T) -> bool {
        match self.rows.binary_search(&item) {
            Ok(_) => false,
            Err(at) => {
                Arc::make_mut(&mut self.rows).insert(at, item);
                true
            }
        }
    }

    pub fn remove(&mut self, item: T) -> bool {
        match self.rows.binary_search(&item) {
            Ok(at) => {
                Arc::make_mut(&mut self.rows).remove(at);
                true
            }
            Err(_) => false,
        }
    }

    pub fn union(&mut self, other: &Set<T>) {
        if Arc::ptr_eq(&self.rows, &other.rows) || other.is_empty() {
            return;
        }
        if self.is_empty() {
            self.rows = Arc::clone(&other.rows);
            return;
        }
        if other.iter().all(|item| self.contains(item)) {
            return;
        }
        let rows = Arc::make_mut(&mut self.rows);
        rows.extend(other.rows.iter());
        rows.sort_unstable();
        rows.dedup();
    }
}

/// A map by id, cheap to clone.
#[derive(Clone, Debug)]
pub struct Map<K, V> {
    rows: Arc<Vec<(K, V)>>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self { rows: Arc::new(Vec::new()) }
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows) || self.rows == other.rows
    }
}

impl<K: Copy + Ord, V: Clone + PartialEq> Map<K, V> {
    pub fn from_sorted(rows: Vec<(K, V)>) -> Self {
        Self { rows: Arc::new(rows) }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
    }

    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.rows.iter().map(|(key, value)| (*key, value))
    }

    pub fn get(&self, key: K) -> Option<&V> {
        let at = self.rows.binary_search_by_key(&key, |row| row.0).ok()?;
        Some(&self.rows[at].1)
    }

    /// The rows by the numbers of their keys, which are below `len`: for who looks at many of them.
    pub fn index(&self, len: usize) -> Index<'_, K, V>
    where
        K: Id,
    {
        let mut places = vec![u32::MAX; len];
        for (place, row) in (0..).zip(self.rows.iter()) {
            places[row.0.index()] = place;
        }
        Index { rows: &self.rows, places }
    }

    /// What is there already is not copied for it.
    pub fn insert(&mut self, key: K, value: V) {
        let found = self.rows.binary_search_by_key(&key, |row| row.0);
        if found.is_ok_and(|at| self.rows[at].1 == value) {
            return;
        }
        let rows = Arc::make_mut(&mut self.rows);
        match found {
            Ok(at) => rows[at].1 = value,
            Err(at) => rows.insert(at, (key, value)),
        }
    }

    /// The keys of both, each with what `join` makes of the two sides.
    pub fn merged(
        &self,
        other: &Self,
        mut join: impl FnMut(K, Option<&V>, Option<&V>) -> Option<V>,
    ) -> Self {
        let mut rows = Vec::with_capacity(self.rows.len().max(other.rows.len()));
        let (mut left, mut right) = (self.rows.iter().peekable(), other.rows.iter().peekable());
        loop {
            let key = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => return Self { rows: Arc::new(rows) },
            };
            let a = left.next_if(|row| row.0 == key).map(|row| &row.1);
            let b = right.next_if(|row| row.0 == key).map(|row| &row.1);
            rows.extend(join(key, a, b).map(|value| (key, value)));
        }
    }

    pub fn remove(&mut self, key: K) {
        if let Ok(at) = self.rows.binary_search_by_key(&key, |row| row.0) {
            Arc::make_mut(&mut self.rows).remove(at);
        }
    }

    pub fn retain(&mut self, keep: impl Fn(K, &V) -> bool) {
        if self.rows.iter().any(|(key, value)| !keep(*key, value)) {
            Arc::make_mut(&mut self.rows).retain(|(key, value)| keep(*key, value));
        }
    }
}

/// See [`Map::index`].
pub struct Index<'a, K, V> {
    rows: &'a [(K, V)],
    places: Vec<u32>,
}

impl<'a, K: Id, V> Index<'a, K, V> {
    pub fn get(&self, key: K) -> Option<&'a V> {
        let place = self.places[key.index()];
        self.rows.get(place as usize).map(|row| &row.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_stay_sorted_and_share() {
        let mut one = Set::default();
        assert!(one.insert(3) && one.insert(1) && !one.insert(3));
        let two = one.clone();
        one.remove(1);
        assert_eq!(two.iter().collect::<Vec<i32>>(), [1, 3]);
        one.union(&two);
        assert_eq!(one, two);
    }

    #[test]
    fn maps_replace() {
        let mut map = Map::default();
        map.insert(2, 'b');
        map.insert(1, 'a');
        map.insert(2, 'c');
        assert_eq!(map.iter().collect::<Vec<_>>(), [(1, &'a'), (2, &'c')]);
        map.retain(|key, _| key > 1);
        assert_eq!(map.iter().collect::<Vec<_>>(), [(2, &'c')]);
    }
}
