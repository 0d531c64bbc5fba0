//! A vector indexed by one kind of id.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::Id;

#[derive(Clone, PartialEq, Eq)]
pub struct Table<I, T> {
    rows: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> Table<I, T> {
    #[must_use]
    pub fn with_capacity(rows: usize) -> Self {
        Self { rows: Vec::with_capacity(rows), ids: PhantomData }
    }

    #[must_use]
    pub fn new() -> Self {
        Self { rows: Vec::new(), ids: PhantomData }
    }

    /// A table of `len` rows, each a clone of `row`.
    #[must_use]
    pub fn filled(row: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self { rows: vec![row; len], ids: PhantomData }
    }

    pub fn push(&mut self, row: T) -> I {
        let id = I::from_index(self.rows.len());
        self.rows.push(row);
        id
    }

    /// The id that the next `push` returns.
    #[must_use]
    pub fn next_id(&self) -> I {
        I::from_index(self.rows.len())
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.index())
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.rows.len()).map(I::from_index)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.rows.iter().enumerate().map(|(index, row)| (I::from_index(index), row))
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> {
        self.rows.iter_mut().enumerate().map(|(index, row)| (I::from_index(index), row))
    }

    #[must_use]
    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    #[must_use]
    pub fn into_rows(self) -> Vec<T> {
        self.rows
    }

    pub fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
    }

    pub fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T: std::fmt::Debug> std::fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<R: IntoIterator<Item = T>>(rows: R) -> Self {
        Self { rows: rows.into_iter().collect(), ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.rows[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.index()]
    }
}
