//! The nodes of an XOR-AND-inverter graph ([`super::and_xor_graph`]) and the references to them.

/// A reference to a node, possibly inverted: twice the node's number, plus one if inverted. Node 0 is the
/// constant zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal(u32);

pub const ZERO: Literal = Literal(0);
pub const ONE: Literal = Literal(1);

impl Literal {
    /// A reference to a node, not inverted.
    pub fn to_node(node: usize) -> Self {
        Self((node as u32) << 1)
    }

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn invert_if(self, condition: bool) -> Self {
        Self(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.invert_if(true)
    }
}

/// A node of the graph. Its two operands are in ascending order, so that equal nodes compare equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// The constant, or an input.
    Leaf,
    And(Literal, Literal),
    /// The operands are never inverted: an inverted operand inverts the result instead.
    Xor(Literal, Literal),
}
