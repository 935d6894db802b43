//! Gates that look different and are the same for all inputs: suspected where they agree in many random cases, believed
//! where they agree in all combinations of what they read.

use std::collections::{BTreeMap, BTreeSet};

use learnery_kernels::rng::Stream;

use super::graph::{Literal, Node};

/// Words of random cases.
const CASES: usize = 16;
/// The most inputs of which all combinations are tried.
const PROVABLE: usize = 12;

/// A node's values in all random cases.
pub type Values = [u64; CASES];

/// What is known of the nodes of a graph.
pub struct Alike {
    values: Vec<Values>,
    /// The inputs each depends on, where they are few enough for a proof.
    supports: Vec<Option<Vec<u32>>>,
    /// The nodes by their values, inverted where the first of them is one.
    same: BTreeMap<Values, Vec<u32>>,
}

impl Alike {
    /// Of the constant and so many inputs.
    pub fn new(inputs: usize) -> Self {
        let mut alike = Self { values: Vec::new(), supports: Vec::new(), same: BTreeMap::new() };
        alike.push([0; CASES], Some(Vec::new()));
        let noise = Stream::new(0, 0);
        for input in 1..=inputs as u32 {
            let word = |i: usize| {
                let [a, b, c, d] = noise.block(u64::from(input), i as u64).map(u64::from);
                let (one, other) = (a << 32 | b, c << 32 | d);
                // Mostly zeros and mostly ones besides, so that ANDs of many inputs differ from nothing.
                match i % 4 {
                    2 => one & other,
                    3 => one | other,
                    _ => one,
                }
            };
            alike.push(std::array::from_fn(word), Some(vec![input]));
        }
        alike
    }

    fn push(&mut self, values: Values, support: Option<Vec<u32>>) {
        self.same.entry(normal(&values).0).or_default().push(self.values.len() as u32);
        self.values.push(values);
        self.supports.push(support);
    }

    /// What a node comes to in the random cases.
    pub fn values(&self, node: Node) -> Values {
        let of = |literal: Literal, i: usize| invert(self.values[literal.node()][i], literal.inverted());
        std::array::from_fn(|i| match node {
            Node::Given => 0,
            Node::And(a, b) => of(a, i) & of(b, i),
            Node::Xor(a, b) => of(a, i) ^ of(b, i),
        })
    }

    /// Notes a node.
    pub fn add(&mut self, node: Node, values: Values) {
        let support = self.support(node);
        self.push(values, support);
    }

    fn support(&self, node: Node) -> Option<Vec<u32>> {
        match node {
            Node::Given => None,
            Node::And(a, b) | Node::Xor(a, b) => self.together(a.node(), b.node()),
        }
    }

    /// All that two nodes depend on.
    fn together(&self, a: usize, b: usize) -> Option<Vec<u32>> {
        let mut all = [self.supports[a].as_deref()?, self.supports[b].as_deref()?].concat();
        all.sort_unstable();
        all.dedup();
        (all.len() <= PROVABLE).then_some(all)
    }

    /// What is the same as the last of `nodes`, which has these values and is not noted yet.
    pub fn find(&self, nodes: &[Node], values: &Values) -> Option<Literal> {
        let (key, inverted) = normal(values);
        let last = nodes.len() - 1;
        let own = self.support(nodes[last])?;
        for other in self.same.get(&key)?.iter().map(|other| *other as usize) {
            let inverted = inverted ^ normal(&self.values[other]).1;
            let Some(theirs) = self.supports[other].as_deref() else { continue };
            let mut inputs = [&own, theirs].concat();
            inputs.sort_unstable();
            inputs.dedup();
            if inputs.len() <= PROVABLE && proved(nodes, [last, other], inverted, &inputs) {
                return Some(Literal::of(other).not_if(inverted));
            }
        }
        None
    }
}

/// Whether two nodes are the same, or opposite, for all values of `inputs`, which are all they depend on.
fn proved(nodes: &[Node], [one, other]: [usize; 2], inverted: bool, inputs: &[u32]) -> bool {
    let (mut cone, mut open) = (BTreeSet::new(), vec![one, other]);
    while let Some(node) = open.pop() {
        if cone.insert(node)
            && let Node::And(a, b) | Node::Xor(a, b) = nodes[node]
        {
            open.extend([a.node(), b.node()]);
        }
    }
    let cone: Vec<usize> = cone.into_iter().collect();
    let place = |node: usize| cone.binary_search(&node).expect("all that is read is in it");
    let ends = [one, other].map(place);
    let mut values = vec![0u64; cone.len()];
    let each = |literal: Literal, values: &[u64]| invert(values[place(literal.node())], literal.inverted());
    (0..(1usize << inputs.len()).div_ceil(64)).all(|word| {
        for (i, node) in cone.iter().enumerate() {
            values[i] = match nodes[*node] {
                Node::Given => match inputs.binary_search(&(*node as u32)) {
                    Ok(input) => counted(input, word),
                    // The constant.
                    Err(_) => 0,
                },
                Node::And(a, b) => each(a, &values) & each(b, &values),
                Node::Xor(a, b) => each(a, &values) ^ each(b, &values),
            };
        }
        values[ends[0]] == invert(values[ends[1]], inverted)
    })
}

/// Bit `input` of the numbers `64 * word` to `64 * word + 63`.
pub fn counted(input: usize, word: usize) -> u64 {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match LOW.get(input) {
        Some(pattern) => *pattern,
        None => invert(0, word >> (input - LOW.len()) & 1 == 1),
    }
}

fn invert(word: u64, inverted: bool) -> u64 {
    if inverted { !word } else { word }
}

/// Values inverted where the first of them is one, and whether they were.
fn normal(values: &Values) -> (Values, bool) {
    let inverted = values[0] & 1 == 1;
    (values.map(|word| invert(word, inverted)), inverted)
}
