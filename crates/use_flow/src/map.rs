//! A small map kept in order, cheap to clone: states hold a few dozen rows.

use crate::rows::Rows;

#[derive(Clone, Debug)]
pub struct Map<K, V> {
    rows: Rows<(K, V)>,
}

impl<K: Clone + PartialEq, V: Clone + PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

impl<K: Ord + Copy, V: Clone> Map<K, V> {
    pub fn new() -> Self {
        Self { rows: Rows::new() }
    }

    pub fn get(&self, key: K) -> Option<&V> {
        let at = self.rows.binary_search_by(|row| row.0.cmp(&key)).ok()?;
        Some(&self.rows[at].1)
    }

    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    pub fn insert(&mut self, key: K, value: V)
    where
        V: PartialEq,
    {
        match self.rows.binary_search_by(|row| row.0.cmp(&key)) {
            // Whoever shares the rows goes on doing so.
            Ok(at) if self.rows[at].1 == value => {}
            Ok(at) => self.rows.to_mut()[at].1 = value,
            Err(at) => self.rows.to_mut().insert(at, (key, value)),
        }
    }

    /// Puts rows in that are in order, in place of those with their keys.
    pub fn insert_all(&mut self, new: impl ExactSizeIterator<Item = (K, V)>) {
        let mut rows = Vec::with_capacity(self.len() + new.len());
        let mut old = self.rows.iter().peekable();
        for row in new {
            while let Some(before) = old.next_if(|it| it.0 < row.0) {
                rows.push(before.clone());
            }
            old.next_if(|it| it.0 == row.0);
            rows.push(row);
        }
        rows.extend(old.cloned());
        *self = Self::from_sorted(rows);
    }

    pub fn remove(&mut self, key: K) {
        if let Ok(at) = self.rows.binary_search_by(|row| row.0.cmp(&key)) {
            self.rows.to_mut().remove(at);
        }
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.rows.retain(|(key, value)| keep(key, value));
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.rows.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = K> + '_ {
        self.rows.iter().map(|row| row.0)
    }

    /// The rows of both, by what `of` makes of what each has; shared with the one if they are its own.
    pub fn merged(
        &self,
        other: &Self,
        mut of: impl FnMut(K, Option<&V>, Option<&V>) -> Option<V>,
    ) -> Self
    where
        V: PartialEq,
    {
        let mut rows = Vec::with_capacity(self.len().max(other.len()));
        let mut take = |key: K, left: Option<&V>, right: Option<&V>| {
            rows.extend(of(key, left, right).map(|value| (key, value)));
        };
        let mut others = other.rows.iter().peekable();
        for (key, left) in self.rows.iter() {
            while let Some((before, right)) = others.next_if(|row| row.0 < *key) {
                take(*before, None, Some(right));
            }
            let right = others.next_if(|row| row.0 == *key);
            take(*key, Some(left), right.map(|row| &row.1));
        }
        others.for_each(|(key, right)| take(*key, None, Some(right)));
        Self::from_sorted(rows).sharing(self)
    }

    /// Shares the rows of another map that has the same.
    pub fn sharing(self, other: &Self) -> Self
    where
        V: PartialEq,
    {
        if self.rows == other.rows { other.clone() } else { self }
    }

    pub fn is_same(&self, other: &Self) -> bool {
        self.rows.is_same(&other.rows)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn from_sorted(rows: Vec<(K, V)>) -> Self {
        Self { rows: rows.into() }
    }
}
