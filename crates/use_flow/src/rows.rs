//! A list that states share until one of them changes it. An empty one takes no memory.

use std::ops::Deref;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Rows<T> {
    rows: Option<Rc<Vec<T>>>,
}

impl<T: Clone> Rows<T> {
    pub const fn new() -> Self {
        Self { rows: None }
    }

    /// The list to change, copied if others have it too.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        let rows = self.rows.get_or_insert_default();
        if Rc::get_mut(rows).is_none() {
            // Most changes add a row.
            let mut copy = Vec::with_capacity(rows.len() + 4);
            copy.extend_from_slice(rows);
            *rows = Rc::new(copy);
        }
        Rc::make_mut(rows)
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let Some(first) = self.iter().position(|row| !keep(row)) else { return };
        match self.rows.as_mut().and_then(Rc::get_mut) {
            Some(rows) => {
                let mut number = 0;
                rows.retain(|row| {
                    number += 1;
                    number <= first || number > first + 1 && keep(row)
                });
            }
            None => {
                let mut rows = Vec::with_capacity(self.len());
                rows.extend_from_slice(&self[..first]);
                rows.extend(self[first + 1..].iter().filter(|row| keep(row)).cloned());
                *self = rows.into();
            }
        }
    }

    /// Whether both are one list in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.rows, &other.rows) {
            (Some(left), Some(right)) => Rc::ptr_eq(left, right),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.rows.as_ref().map_or(&[], |rows| rows.as_slice())
    }
}

impl<T> From<Vec<T>> for Rows<T> {
    fn from(rows: Vec<T>) -> Self {
        Self { rows: (!rows.is_empty()).then(|| Rc::new(rows)) }
    }
}

impl<T: Clone + PartialEq> PartialEq for Rows<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}
