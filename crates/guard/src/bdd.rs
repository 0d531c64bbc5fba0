//! Reduced ordered binary decision diagrams (Bryant, "Graph-based algorithms for Boolean function
//! manipulation", 1986).
//!
//! A node tests a variable and leads to `low` if it is false, to `high` if it is true; variables
//! increase along every way, equal nodes are one node, and no node has equal branches. So a
//! function has one diagram, and is unsatisfiable only if that is the leaf `FALSE`.
//!
//! Of a choice between m classes the first m − 1 variables are tested: class i is taken when
//! variable i is the first that holds, and the last class when none does. Every valuation is then
//! consistent, and no consistency formula is needed. See [`Bdd::any_of`].
//!
//! Diagrams can be exponential in their variables, so their nodes are counted.

use caulk_base::FxHashMap;

use crate::circuit::{Circuit, Gate};

/// A node of one [`Bdd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ref(u32);

impl Ref {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);

    fn leaf(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) variable: usize,
    pub(crate) low: Ref,
    pub(crate) high: Ref,
}

/// The diagrams have more nodes than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
}

/// More variables than this would make recursion deep.
const MOST_VARIABLES: usize = 2000;

#[derive(Clone, Debug)]
pub(crate) struct Bdd {
    cap: usize,
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Ref>,
    cache: FxHashMap<(Operation, Ref, Ref), Ref>,
}

impl Bdd {
    pub(crate) fn new(cap: usize) -> Self {
        let leaf = Node { variable: usize::MAX, low: Ref::FALSE, high: Ref::FALSE };
        let nodes = vec![leaf; 2];
        Self { cap, nodes, unique: FxHashMap::default(), cache: FxHashMap::default() }
    }

    /// Forgets all nodes but the leaves.
    pub(crate) fn clear(&mut self) {
        self.nodes.truncate(2);
        self.unique.clear();
        self.cache.clear();
    }

    /// How many nodes there are, leaves and nodes no longer in use included.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, at: Ref) -> Node {
        self.nodes[at.0 as usize]
    }

    /// The diagram of a circuit.
    pub(crate) fn build(&mut self, circuit: &Circuit) -> Result<Ref, Full> {
        if circuit.variables.len() > MOST_VARIABLES {
            return Err(Full);
        }
        let mut outputs = Vec::with_capacity(circuit.gates.len());
        for gate in &circuit.gates {
            let output = match gate {
                Gate::Literal(variable, taken) => {
                    self.make(*variable, Ref::leaf(!taken), Ref::leaf(*taken))?
                }
                Gate::AnyOf(choice, marks) => self.any_of(&circuit.members[*choice], marks)?,
                Gate::And(operands) => self.fold(Operation::And, operands, &outputs)?,
                Gate::Or(operands) => self.fold(Operation::Or, operands, &outputs)?,
            };
            outputs.push(output);
        }
        Ok(outputs.last().copied().unwrap_or(Ref::TRUE))
    }

    fn make(&mut self, variable: usize, low: Ref, high: Ref) -> Result<Ref, Full> {
        if low == high {
            return Ok(low);
        }
        let node = Node { variable, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= self.cap {
            return Err(Full);
        }
        let made = Ref(u32::try_from(self.nodes.len()).map_err(|_| Full)?);
        self.nodes.push(node);
        self.unique.insert(node, made);
        Ok(made)
    }

    /// A marked class is taken: the last class is the leaf at which no variable held.
    fn any_of(&mut self, members: &[usize], marks: &[bool]) -> Result<Ref, Full> {
        let mut classes = members.iter().zip(marks).rev();
        let mut built = classes.next().map_or(Ref::FALSE, |(_, &mark)| Ref::leaf(mark));
        for (&variable, &mark) in classes {
            built = self.make(variable, built, Ref::leaf(mark))?;
        }
        Ok(built)
    }

    /// Operands are sorted by their first variables; beginning at the end keeps what is joined
    /// below what comes.
    fn fold(
        &mut self,
        operation: Operation,
        operands: &[usize],
        outputs: &[Ref],
    ) -> Result<Ref, Full> {
        let mut built = Ref::leaf(operation == Operation::And);
        for &operand in operands.iter().rev() {
            built = self.apply(operation, outputs[operand], built)?;
        }
        Ok(built)
    }

    fn apply(&mut self, operation: Operation, left: Ref, right: Ref) -> Result<Ref, Full> {
        let neutral = Ref::leaf(operation == Operation::And);
        let absorbing = Ref::leaf(operation == Operation::Or);
        match (left, right) {
            _ if left == right => return Ok(left),
            _ if left == absorbing || right == absorbing => return Ok(absorbing),
            _ if left == neutral => return Ok(right),
            _ if right == neutral => return Ok(left),
            _ => {}
        }
        let key =
            if left.0 < right.0 { (operation, left, right) } else { (operation, right, left) };
        if let Some(&known) = self.cache.get(&key) {
            return Ok(known);
        }
        let variable = self.node(left).variable.min(self.node(right).variable);
        let low = self.apply(operation, self.low(left, variable), self.low(right, variable))?;
        let high = self.apply(operation, self.high(left, variable), self.high(right, variable))?;
        let result = self.make(variable, low, high)?;
        self.cache.insert(key, result);
        Ok(result)
    }

    fn low(&self, at: Ref, variable: usize) -> Ref {
        let node = self.node(at);
        if node.variable == variable { node.low } else { at }
    }

    fn high(&self, at: Ref, variable: usize) -> Ref {
        let node = self.node(at);
        if node.variable == variable { node.high } else { at }
    }
}
