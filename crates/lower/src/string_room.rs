//! The array that a string in an initialiser fills.
//!
//! The tree gives such a string its own length. The array may be longer, and then the rest of it
//! is zero, whatever an earlier entry wrote there.

use caulk_cfront::tree::{Field, StrId, TypeId, TypeKind};

use crate::unit::Unit;

impl Unit<'_> {
    /// The size of the array for `string` at `offset` within an object of type `ty`; 0 if there
    /// is none. Of several in a union it is the shortest with room for the string: what lies
    /// behind it may belong to the same member.
    pub fn string_room(&self, ty: TypeId, offset: u64, string: StrId) -> u64 {
        let literal = &self.tree.tast[string];
        let width = u64::from(literal.encoding.element_width(&self.tree.target) / 8);
        let least = literal.elements.len() as u64 * width;
        self.array_at(ty, offset, width, least).unwrap_or(0)
    }

    fn array_at(&self, ty: TypeId, offset: u64, width: u64, least: u64) -> Option<u64> {
        let size_of = |ty| self.layout(ty).map_or(0, |layout| layout.size);
        let size = size_of(ty);
        if offset >= size {
            return None;
        }
        match self.bare(ty) {
            TypeKind::Array { elem, .. } if self.scalar(elem).is_some() => {
                (offset == 0 && size_of(elem) == width && size >= least).then_some(size)
            }
            TypeKind::Array { elem, .. } => {
                self.array_at(elem, offset % size_of(elem).max(1), width, least)
            }
            TypeKind::Record(id) => {
                let fields = self.tree.types.record_info(id).fields.iter();
                let before = fields.filter(|field| field.offset <= offset);
                let inside =
                    |field: &Field| self.array_at(field.ty, offset - field.offset, width, least);
                before.filter_map(inside).min()
            }
            _ => None,
        }
    }
}
