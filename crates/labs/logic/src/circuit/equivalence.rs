//! Functional equivalence of gates: candidates agree in random simulation, and are merged only after an exhaustive check
//! of all combinations of the inputs they depend on ("SAT sweeping", with exhaustive simulation in place of a SAT solver).

use std::collections::{BTreeMap, BTreeSet};

use learnery_kernels::rng::Stream;

use super::and_xor_graph::{Literal, Node};

/// 64-bit words of random cases.
const SIGNATURE_WORDS: usize = 16;
/// The most inputs whose combinations are all tried: 2^12 cases.
const MAX_PROOF_INPUTS: usize = 12;

/// A node's values in all random cases.
pub type Signature = [u64; SIGNATURE_WORDS];

/// Finds the node of a graph that a new one is equivalent to.
pub struct EquivalenceFinder {
    /// Of every node.
    signatures: Vec<Signature>,
    /// The inputs that each node depends on, in ascending order; `None` if there are too many for an exhaustive check.
    supports: Vec<Option<Vec<u32>>>,
    /// The nodes by their canonical signatures.
    candidates: BTreeMap<Signature, Vec<u32>>,
}

impl EquivalenceFinder {
    /// For a graph of the constant and this many inputs.
    pub fn new(inputs: usize) -> Self {
        let mut finder = Self { signatures: Vec::new(), supports: Vec::new(), candidates: BTreeMap::new() };
        finder.push([0; SIGNATURE_WORDS], Some(Vec::new()));
        let noise = Stream::new(0, 0);
        for input in 1..=inputs as u32 {
            let word = |i: usize| {
                let [a, b, c, d] = noise.block(u64::from(input), i as u64).map(u64::from);
                let (one, other) = (a << 32 | b, c << 32 | d);
                // Some words are mostly zeros or mostly ones, so that ANDs of many inputs are not zero in every case.
                match i % 4 {
                    2 => one & other,
                    3 => one | other,
                    _ => one,
                }
            };
            finder.push(std::array::from_fn(word), Some(vec![input]));
        }
        finder
    }

    fn push(&mut self, signature: Signature, support: Option<Vec<u32>>) {
        self.candidates.entry(canonical(&signature).0).or_default().push(self.signatures.len() as u32);
        self.signatures.push(signature);
        self.supports.push(support);
    }

    pub fn signature(&self, node: Node) -> Signature {
        let of =
            |literal: Literal, i: usize| invert_if(self.signatures[literal.node()][i], literal.inverted());
        std::array::from_fn(|i| match node {
            Node::Leaf => 0,
            Node::And(a, b) => of(a, i) & of(b, i),
            Node::Xor(a, b) => of(a, i) ^ of(b, i),
        })
    }

    /// Adds a node that is equivalent to none before it.
    pub fn add(&mut self, node: Node, signature: Signature) {
        let support = self.support(node);
        self.push(signature, support);
    }

    fn support(&self, node: Node) -> Option<Vec<u32>> {
        match node {
            Node::Leaf => None,
            Node::And(a, b) | Node::Xor(a, b) => {
                let operands = [self.supports[a.node()].as_deref()?, self.supports[b.node()].as_deref()?];
                let union = union(operands);
                (union.len() <= MAX_PROOF_INPUTS).then_some(union)
            }
        }
    }

    /// The node that the last of `nodes`, which has this signature and is not added yet, is proved equivalent to.
    pub fn find(&self, nodes: &[Node], signature: &Signature) -> Option<Literal> {
        let (key, inverted) = canonical(signature);
        let last = nodes.len() - 1;
        let own = self.support(nodes[last])?;
        for other in self.candidates.get(&key)?.iter().map(|other| *other as usize) {
            let inverted = inverted ^ canonical(&self.signatures[other]).1;
            let Some(theirs) = self.supports[other].as_deref() else { continue };
            let inputs = union([&own, theirs]);
            if inputs.len() <= MAX_PROOF_INPUTS && is_equivalent(nodes, [last, other], inverted, &inputs) {
                return Some(Literal::of(other).invert_if(inverted));
            }
        }
        None
    }
}

/// The union of two sets of inputs, in ascending order.
fn union(sets: [&[u32]; 2]) -> Vec<u32> {
    let mut all = sets.concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether two nodes are equal, or opposite if `inverted`, for all combinations of `inputs`, the union of their supports.
fn is_equivalent(nodes: &[Node], [one, other]: [usize; 2], inverted: bool, inputs: &[u32]) -> bool {
    let (mut cone, mut open) = (BTreeSet::new(), vec![one, other]);
    while let Some(node) = open.pop() {
        if cone.insert(node)
            && let Node::And(a, b) | Node::Xor(a, b) = nodes[node]
        {
            open.extend([a.node(), b.node()]);
        }
    }
    let cone: Vec<usize> = cone.into_iter().collect();
    let place = |node: usize| cone.binary_search(&node).expect("the cone contains all operands");
    let roots = [one, other].map(place);
    let mut values = vec![0u64; cone.len()];
    let value =
        |literal: Literal, values: &[u64]| invert_if(values[place(literal.node())], literal.inverted());
    (0..(1usize << inputs.len()).div_ceil(64)).all(|word| {
        for (i, node) in cone.iter().enumerate() {
            values[i] = match nodes[*node] {
                Node::Leaf => match inputs.binary_search(&(*node as u32)) {
                    Ok(input) => counting_pattern(input, word),
                    // A leaf that is no input is the constant.
                    Err(_) => 0,
                },
                Node::And(a, b) => value(a, &values) & value(b, &values),
                Node::Xor(a, b) => value(a, &values) ^ value(b, &values),
            };
        }
        values[roots[0]] == invert_if(values[roots[1]], inverted)
    })
}

/// Bit `input` of each of the numbers `64 * word` to `64 * word + 63`: enumerates all combinations of inputs.
pub fn counting_pattern(input: usize, word: usize) -> u64 {
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
        None => invert_if(0, word >> (input - LOW.len()) & 1 == 1),
    }
}

fn invert_if(word: u64, condition: bool) -> u64 {
    if condition { !word } else { word }
}

/// The signature, inverted if its first bit is one, so that a node and its opposite have the same; and whether it was.
fn canonical(signature: &Signature) -> (Signature, bool) {
    let inverted = signature[0] & 1 == 1;
    (signature.map(|word| invert_if(word, inverted)), inverted)
}
