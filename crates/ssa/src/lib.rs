//! Facts about control flow: orders, dominators, post-dominators, frontiers, control dependence,
//! strongly connected components, loops, liveness and the ends of scopes.
//!
//! All but [`function`] and [`scopes`] works on an abstract [`Graph`] and knows nothing of the
//! representation. [`Cfg`] computes each fact of a graph once, on demand; [`FunctionFacts`] does
//! the same for a function of `caulk-ir`. Nothing here recurses, so the depth of a function's
//! control flow cannot exhaust the stack. Knows nothing of memory.

pub mod cfg;
pub mod control;
pub mod dominators;
pub mod forest;
pub mod frontiers;
pub mod function;
pub mod graph;
pub mod irreducible;
pub mod lists;
pub mod liveness;
pub mod loop_order;
pub mod loops;
pub mod order;
pub mod postdominators;
pub mod scc;
pub mod scopes;

pub use cfg::Cfg;
pub use control::ControlDependence;
pub use dominators::Dominators;
pub use forest::Forest;
pub use frontiers::{Frontiers, iterated_dominance_frontier, iterated_postdominance_frontier};
pub use function::FunctionFacts;
pub use graph::{EdgeId, Graph};
pub use irreducible::{Region, irreducible_regions};
pub use lists::Lists;
pub use liveness::{LiveRange, Liveness, UseDef};
pub use loop_order::LoopOrder;
pub use loops::{LoopId, Loops};
pub use order::Order;
pub use postdominators::PostDominators;
pub use scc::{SccId, Sccs};
pub use scopes::Scopes;
