//! The typed tree as text, for developers.

use rucc_sema::Printer;

use crate::typed::Tree;

/// One node per line, indented by depth. With a name, only the definitions of that function.
#[must_use]
pub fn print_tree(tree: &Tree, function: Option<&str>) -> String {
    let mut printer = Printer::new(&tree.tast, &tree.types, &tree.names);
    match function {
        None => printer.unit(),
        Some(name) => {
            let named = tree.definitions().iter().filter(|&&id| tree.decl_name(id) == name);
            named.for_each(|&id| printer.decl(id));
        }
    }
    printer.finish()
}
