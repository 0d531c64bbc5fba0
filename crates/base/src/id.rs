//! Typed indices. Each prints its room: `v12` is a value, `b3` a block, `f5` a function.

/// A four-byte index into one kind of table.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + std::fmt::Display {
    /// The letters an id of this kind is printed with.
    const ROOM: &'static str;

    fn from_index(index: usize) -> Self;

    fn index(self) -> usize;
}

/// Defines an id type: `define_id!(pub ValueId, "v", "An SSA value.");`
#[macro_export]
macro_rules! define_id {
    ($vis:vis $name:ident, $room:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(pub u32);

        impl $crate::Id for $name {
            const ROOM: &'static str = $room;

            #[inline]
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("a table holds fewer than 2^32 rows"))
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($room, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
