//! An XOR-AND-inverter graph with structural hashing, the form in which circuits are reduced. All sixteen
//! kinds of gates become ANDs and XORs. A reference to a node is a [`Literal`], which may be inverted at no
//! cost (`!a`).
//!
//! Two nodes of the same operation with the same operands are stored once, and local rules simplify a node
//! when it is added (Kuehlmann, Paruthi, Krohm and Ganai, "Robust Boolean reasoning for equivalence checking
//! and functional property verification", 2002, extended by XORs). A node that is proved equivalent to an
//! earlier one is not added either.

use std::collections::BTreeMap;

use super::equivalence::EquivalenceFinder;
use super::gate::GateKind;
use super::node::{Literal, Node, ONE, ZERO};

/// The nodes in topological order: node 0 is the constant, then come the inputs, then the gates.
pub struct AndXorGraph {
    nodes: Vec<Node>,
    /// Structural hashing: the literal that represents each operation on a pair of operands.
    known: BTreeMap<Node, Literal>,
    equivalences: EquivalenceFinder,
}

impl AndXorGraph {
    /// A graph of this many inputs, which are nodes 1 to `inputs`, and no gates.
    pub fn new(inputs: usize) -> Self {
        Self {
            nodes: vec![Node::Leaf; inputs + 1],
            known: BTreeMap::new(),
            equivalences: EquivalenceFinder::new(inputs),
        }
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns a literal for the value of a gate with inputs `a` and `b`. Adds nodes if it has to.
    pub fn gate(&mut self, kind: GateKind, a: Literal, b: Literal) -> Literal {
        match kind {
            GateKind::False => ZERO,
            GateKind::True => ONE,
            GateKind::A => a,
            GateKind::B => b,
            GateKind::NotA => !a,
            GateKind::NotB => !b,
            GateKind::Xor => self.xor(a, b),
            GateKind::Xnor => !self.xor(a, b),
            GateKind::And => self.and(a, b),
            GateKind::AAndNotB => self.and(a, !b),
            GateKind::NotAAndB => self.and(!a, b),
            GateKind::Nor => self.and(!a, !b),
            GateKind::Nand => !self.and(a, b),
            GateKind::NotAOrB => !self.and(a, !b),
            GateKind::AOrNotB => !self.and(!a, b),
            GateKind::Or => !self.and(!a, !b),
        }
    }

    /// Returns a literal for `a & b`. Adds a node if no rule simplifies it.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        // Literals are ordered by node, so a constant operand comes first.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == ZERO || a == !b {
            return ZERO;
        }
        if a == ONE || a == b {
            return b;
        }
        if let Some(known) = self.known.get(&Node::And(a, b)) {
            return *known;
        }
        match self.absorb(a, b).or_else(|| self.absorb(b, a)).or_else(|| self.resolve(a, b)) {
            Some(simpler) => simpler,
            None => self.add(Node::And(a, b)),
        }
    }

    /// Simplifies `a & b` if an operand of `b` is `a` or `!a`, or is implied or contradicted by `a`. Returns
    /// `None` if no rule applies.
    fn absorb(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        match self.nodes[b.node()] {
            Node::Leaf => None,
            Node::And(x, y) => {
                // Literals that are 1 wherever `a` is 1: `a`, and its operands if it is an AND. Repeated to
                // fill the array.
                let implied = match self.nodes[a.node()] {
                    Node::And(p, q) if !a.inverted() => [a, p, q],
                    _ => [a; 3],
                };
                let is_implied = |literal: Literal| implied.contains(&literal);
                let contradicts = is_implied(!x) || is_implied(!y);
                match (b.inverted(), is_implied(x), is_implied(y), contradicts) {
                    // `b` is `x & y`, and `a` implies both.
                    (false, true, true, _) => Some(a),
                    // `b` is `x & y`, and `a` contradicts one of them.
                    (false, _, _, true) => Some(ZERO),
                    // `a & (a & y)` is `b`. If `a` only implies an operand of `b`, nothing is simpler.
                    (false, ..) => (a == x || a == y).then_some(b),
                    // `b` is `!(x & y)`, and `a` contradicts one of them: `a` implies `b`.
                    (true, _, _, true) => Some(a),
                    // `b` is `!(x & y)`, and `a` implies one of them: the other must be false.
                    (true, true, _, _) => Some(self.and(a, !y)),
                    (true, _, true, _) => Some(self.and(a, !x)),
                    (true, ..) => None,
                }
            }
            Node::Xor(x, y) => {
                // If `a` or `!a` is an operand of `b`, that operand's value is known wherever `a & b` can be
                // 1, because `a` is 1 there. So `b` may be replaced by its other operand, inverted if the
                // known value is 1.
                let value_of = |operand: Literal| (operand.node() == a.node()).then_some(!a.inverted());
                let (value, other) = match (value_of(x), value_of(y)) {
                    (Some(value), _) => (value, y),
                    (_, Some(value)) => (value, x),
                    _ => return None,
                };
                Some(self.and(a, other.invert_if(value ^ b.inverted())))
            }
        }
    }

    /// Simplifies `a & b` if both are inverted ANDs of the same or opposite operands. Returns `None` if no
    /// rule applies.
    fn resolve(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        let (Node::And(p, q), Node::And(x, y)) = (self.nodes[a.node()], self.nodes[b.node()]) else {
            return None;
        };
        if !a.inverted() || !b.inverted() {
            return None;
        }
        for (p, q) in [(p, q), (q, p)] {
            for (x, y) in [(x, y), (y, x)] {
                // !(p & q) & !(p & !q) = !p
                if p == x && q == !y {
                    return Some(!p);
                }
                // !(p & q) & !(!p & !q) = p ^ q
                if p == !x && q == !y {
                    return Some(self.xor(p, q));
                }
            }
        }
        None
    }

    /// Returns a literal for `a ^ b`. Adds a node if no rule simplifies it.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        // Inverting an operand inverts the result, so the operands are taken without their inverters.
        let inverted = a.inverted() ^ b.inverted();
        let (a, b) = (a.invert_if(a.inverted()), b.invert_if(b.inverted()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let value = if a == ZERO {
            b
        } else if a == b {
            ZERO
        } else if let Some(known) = self.known.get(&Node::Xor(a, b)) {
            *known
        } else if let Some(simpler) = self.cancel(a, b).or_else(|| self.cancel(b, a)) {
            simpler
        } else {
            self.add(Node::Xor(a, b))
        };
        value.invert_if(inverted)
    }

    /// Simplifies `a ^ b` if `a` is an operand of `b`, or if both share operands. Neither `a` nor `b` may be
    /// inverted. Returns `None` if no rule applies.
    fn cancel(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        match (self.nodes[a.node()], self.nodes[b.node()]) {
            (_, Node::Xor(x, y)) if a == x => Some(y),
            (_, Node::Xor(x, y)) if a == y => Some(x),
            // a ^ (a & y) = a & !y
            (_, Node::And(x, y)) if a == x => Some(self.and(a, !y)),
            (_, Node::And(x, y)) if a == y => Some(self.and(a, !x)),
            // a ^ (!a & y) = a | y
            (_, Node::And(x, y)) if a == !x => Some(!self.and(!a, !y)),
            (_, Node::And(x, y)) if a == !y => Some(!self.and(!a, !x)),
            (Node::Xor(p, q), Node::Xor(x, y)) => {
                // An operand that both share cancels out.
                let with_shared_first =
                    [(p, q), (q, p)].into_iter().find(|(operand, _)| *operand == x || *operand == y);
                with_shared_first.map(|(shared, rest)| self.xor(rest, if shared == x { y } else { x }))
            }
            (Node::And(p, q), Node::And(x, y)) => {
                let pairs = [[p, q, x, y], [p, q, y, x], [q, p, x, y], [q, p, y, x]];
                // (p & q) ^ (p & !q) = p
                let common = pairs.into_iter().find(|[p, q, x, y]| p == x && *q == !*y).map(|[p, ..]| p);
                // (p & q) ^ (!p & !q) = !(p ^ q)
                let is_xnor = pairs.into_iter().any(|[p, q, x, y]| p == !x && q == !y);
                if is_xnor { Some(!self.xor(p, q)) } else { common }
            }
            (Node::And(x, y), Node::Xor(..)) => {
                // x & y and x ^ y are never both true, so their XOR is x | y.
                // An XOR node stores its operands without inverters; `b` is `x ^ y` or its complement.
                let inverted = x.inverted() ^ y.inverted();
                let stored_xor = Node::Xor(x.invert_if(x.inverted()), y.invert_if(y.inverted()));
                (self.nodes[b.node()] == stored_xor).then(|| (!self.and(!x, !y)).invert_if(inverted))
            }
            _ => None,
        }
    }

    /// Adds a node and returns its literal. If an earlier node is proved equivalent (up to inversion),
    /// returns that one and adds nothing.
    fn add(&mut self, node: Node) -> Literal {
        let signature = self.equivalences.signature(node);
        // The equivalence check reads the new node from the list, so it is pushed first and removed if it is
        // not new.
        self.nodes.push(node);
        let equivalent = self.equivalences.find(&self.nodes, &signature);
        match equivalent {
            Some(_) => drop(self.nodes.pop()), // the node pushed above
            None => self.equivalences.add(node, signature),
        }
        let literal = equivalent.unwrap_or(Literal::to_node(self.nodes.len() - 1));
        self.known.insert(node, literal);
        literal
    }
}
