//! Gates as ANDs and XORs whose inputs may be inverted, which costs nothing; of two with the same inputs there is only
//! one, and what its inputs make simpler is simplified when it is made (Kuehlmann, Paruthi, Krohm and Ganai, "Robust
//! Boolean reasoning for equivalence checking and functional property verification", 2002; with XORs besides).

use std::collections::BTreeMap;

use super::alike::Alike;

/// A node, inverted where the lowest bit is set. Node 0 is the constant zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal(u32);

/// The constants.
pub const ZERO: Literal = Literal(0);
/// Its opposite.
pub const ONE: Literal = Literal(1);

impl Literal {
    /// A node as it is.
    pub fn of(node: usize) -> Self {
        Self((node as u32) << 1)
    }

    /// Its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the opposite of its node.
    pub fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its opposite, if that is wanted.
    pub fn not_if(self, inverted: bool) -> Self {
        Self(self.0 ^ u32::from(inverted))
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.not_if(true)
    }
}

/// What stands in a place of the graph. Sides are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// The constant, or a wire that goes in.
    Given,
    /// Both.
    And(Literal, Literal),
    /// Either, and not both, of literals that are not inverted.
    Xor(Literal, Literal),
}

/// Nodes, each behind those it reads.
pub struct Graph {
    nodes: Vec<Node>,
    known: BTreeMap<Node, Literal>,
    alike: Alike,
}

impl Graph {
    /// Nothing but so many inputs, which are the nodes from 1 on.
    pub fn new(inputs: usize) -> Self {
        Self { nodes: vec![Node::Given; inputs + 1], known: BTreeMap::new(), alike: Alike::new(inputs) }
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A gate of any kind.
    pub fn gate(&mut self, kind: u8, a: Literal, b: Literal) -> Literal {
        match kind {
            0 => ZERO,
            3 => a,
            5 => b,
            6 => self.xor(a, b),
            9 => !self.xor(a, b),
            10 => !b,
            12 => !a,
            15 => ONE,
            // One of the four answers is unlike the others, which makes it an AND of inputs inverted or not.
            _ => {
                let rare = kind.count_ones() == 1;
                let place = if rare { kind } else { !kind & 15 }.trailing_zeros();
                let and = self.and(a.not_if(place >> 1 & 1 == 1), b.not_if(place & 1 == 1));
                and.not_if(!rare)
            }
        }
    }

    /// Both.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
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

    /// `a & b` where `b` is a gate that reads what `a` is or implies.
    fn absorb(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        match self.nodes[b.node()] {
            Node::Given => None,
            Node::And(x, y) => {
                let implied = match self.nodes[a.node()] {
                    Node::And(p, q) if !a.inverted() => [a, p, q],
                    _ => [a; 3],
                };
                let is = |literal: Literal| implied.contains(&literal);
                match (b.inverted(), is(x), is(y), is(!x) || is(!y)) {
                    (false, true, true, _) => Some(a),
                    (false, _, _, true) => Some(ZERO),
                    // a implies one side of it: only a itself makes the result simpler.
                    (false, ..) => (a == x || a == y).then_some(b),
                    (true, _, _, true) => Some(a),
                    (true, true, _, _) => Some(self.and(a, !y)),
                    (true, _, true, _) => Some(self.and(a, !x)),
                    (true, ..) => None,
                }
            }
            Node::Xor(x, y) => {
                // Where a settles one side, what is left is the other.
                let settled = |side: Literal| (side.node() == a.node()).then_some(!a.inverted());
                let (value, other) = match (settled(x), settled(y)) {
                    (Some(value), _) => (value, y),
                    (_, Some(value)) => (value, x),
                    _ => return None,
                };
                Some(self.and(a, other.not_if(value ^ b.inverted())))
            }
        }
    }

    /// Two inverted ANDs of the same or of opposite inputs.
    fn resolve(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        let (Node::And(p, q), Node::And(x, y)) = (self.nodes[a.node()], self.nodes[b.node()]) else {
            return None;
        };
        if !a.inverted() || !b.inverted() {
            return None;
        }
        for (p, q) in [(p, q), (q, p)] {
            for (x, y) in [(x, y), (y, x)] {
                if p == x && q == !y {
                    return Some(!p);
                }
                if p == !x && q == !y {
                    return Some(self.xor(p, q));
                }
            }
        }
        None
    }

    /// Either, and not both.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let inverted = a.inverted() ^ b.inverted();
        let (a, b) = (a.not_if(a.inverted()), b.not_if(b.inverted()));
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
        value.not_if(inverted)
    }

    /// `a ^ b` where `b` reads `a`, or both read the same. Neither is inverted.
    fn cancel(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        match (self.nodes[a.node()], self.nodes[b.node()]) {
            (_, Node::Xor(x, y)) if a == x => Some(y),
            (_, Node::Xor(x, y)) if a == y => Some(x),
            (_, Node::And(x, y)) if a == x => Some(self.and(a, !y)),
            (_, Node::And(x, y)) if a == y => Some(self.and(a, !x)),
            (_, Node::And(x, y)) if a == !x => Some(!self.and(!a, !y)),
            (_, Node::And(x, y)) if a == !y => Some(!self.and(!a, !x)),
            (Node::Xor(p, q), Node::Xor(x, y)) => {
                let shared = [(p, q), (q, p)].into_iter().find(|(p, _)| *p == x || *p == y);
                shared.map(|(shared, own)| self.xor(own, if shared == x { y } else { x }))
            }
            (Node::And(p, q), Node::And(x, y)) => {
                let pairs = [[p, q, x, y], [p, q, y, x], [q, p, x, y], [q, p, y, x]];
                let split = pairs.into_iter().find(|[p, q, x, y]| p == x && *q == !*y).map(|[p, ..]| p);
                let both = pairs.into_iter().any(|[p, q, x, y]| p == !x && q == !y);
                if both { Some(!self.xor(p, q)) } else { split }
            }
            (Node::And(x, y), Node::Xor(..)) => {
                // x & y and x ^ y never both: their sum is x | y.
                let inverted = x.inverted() ^ y.inverted();
                let sides = Node::Xor(x.not_if(x.inverted()), y.not_if(y.inverted()));
                (self.nodes[b.node()] == sides).then(|| (!self.and(!x, !y)).not_if(inverted))
            }
            _ => None,
        }
    }

    /// The node, or one before it that is the same for all inputs.
    fn add(&mut self, node: Node) -> Literal {
        let values = self.alike.values(node);
        self.nodes.push(node);
        let literal = self.alike.find(&self.nodes, &values);
        match literal {
            Some(_) => drop(self.nodes.pop()),
            None => self.alike.add(node, values),
        }
        let literal = literal.unwrap_or(Literal::of(self.nodes.len() - 1));
        self.known.insert(node, literal);
        literal
    }
}
