//! Finds nodes of a circuit that compute the same function, or exactly the inverse ("SAT sweeping", with
//! exhaustive simulation in place of a SAT solver). Nodes whose values agree in random simulation are
//! candidates. They are equivalent if they agree for all combinations of the inputs they depend on, which is
//! checked exhaustively.

use std::collections::{BTreeMap, BTreeSet};

use learnery_kernels::rng::Stream;

use super::node::{Literal, Node};

/// Number of 64-bit words in a signature: 1,024 random cases.
const SIGNATURE_WORDS: usize = 16;
/// Upper bound of the inputs of an exhaustive check: it has at most 2^12 cases, 64 words for each node of the
/// cone. Each further input would double the time.
const MAX_PROOF_INPUTS: usize = 12;

/// A node's values in all random cases.
pub type Signature = [u64; SIGNATURE_WORDS];

/// Finds the node of a graph that a new one is equivalent to.
pub struct EquivalenceFinder {
    /// The signature of each node.
    /// Shape: `[nodes]`.
    signatures: Vec<Signature>,
    /// The inputs that each node depends on (its support), in ascending order; `None` if there are too many
    /// for an exhaustive check.
    /// Shape: `[nodes]`.
    supports: Vec<Option<Vec<u32>>>,
    /// The nodes that have each signature, up to inversion of all its bits (see [`canonical`]).
    candidates: BTreeMap<Signature, Vec<u32>>,
}

impl EquivalenceFinder {
    /// A finder for a graph that contains only the constant and this many inputs.
    pub fn new(inputs: usize) -> Self {
        let mut finder = Self { signatures: Vec::new(), supports: Vec::new(), candidates: BTreeMap::new() };
        // Node 0, the constant zero, depends on no input.
        finder.push([0; SIGNATURE_WORDS], Some(Vec::new()));
        // Any fixed seed and stream will do: values that happen to agree only cause a
        // check that fails.
        let random = Stream::new(0, 0);
        for input in 1..=inputs as u32 {
            let word = |i: usize| {
                let [a, b, c, d] = random.block(u64::from(input), i as u64).map(u64::from);
                let (first, second) = (a << 32 | b, c << 32 | d);
                // Some words are mostly zeros or mostly ones, so that ANDs and ORs of many inputs are not
                // constant.
                match i % 4 {
                    2 => first & second,
                    3 => first | second,
                    _ => first,
                }
            };
            finder.push(std::array::from_fn(word), Some(vec![input]));
        }
        finder
    }

    /// Appends the entries of the next node.
    fn push(&mut self, signature: Signature, support: Option<Vec<u32>>) {
        self.candidates
            .entry(canonical(&signature).signature)
            .or_default()
            .push(self.signatures.len() as u32);
        self.signatures.push(signature);
        self.supports.push(support);
    }

    /// Computes a node's signature from those of its operands.
    pub fn signature(&self, node: Node) -> Signature {
        let word =
            |literal: Literal, i: usize| invert_if(self.signatures[literal.node()][i], literal.inverted());
        std::array::from_fn(|i| match node {
            Node::Leaf => 0,
            Node::And(a, b) => word(a, i) & word(b, i),
            Node::Xor(a, b) => word(a, i) ^ word(b, i),
        })
    }

    /// Adds a gate for which [`Self::find`] has proved no equivalent.
    pub fn add(&mut self, node: Node, signature: Signature) {
        let support = self.support(node);
        self.push(signature, support);
    }

    /// The inputs that a gate depends on; `None` if there are too many for an exhaustive check.
    fn support(&self, node: Node) -> Option<Vec<u32>> {
        match node {
            Node::Leaf => unreachable!("`new` enters all leaves"),
            Node::And(a, b) | Node::Xor(a, b) => {
                let operands = [self.supports[a.node()].as_deref()?, self.supports[b.node()].as_deref()?];
                let inputs = union(operands);
                (inputs.len() <= MAX_PROOF_INPUTS).then_some(inputs)
            }
        }
    }

    /// Returns an earlier node, possibly inverted, that is proved equivalent to the last of `nodes`. `None`
    /// if there is none, or if a proof would take more than `MAX_PROOF_INPUTS` inputs. `signature` is that of
    /// the last node, for which [`Self::add`] was not called yet.
    pub fn find(&self, nodes: &[Node], signature: &Signature) -> Option<Literal> {
        let Canonical { signature: key, is_inverted } = canonical(signature);
        let last = nodes.len() - 1;
        let last_support = self.support(nodes[last])?;
        for other in self.candidates.get(&key)?.iter().map(|other| *other as usize) {
            let inverted = is_inverted ^ canonical(&self.signatures[other]).is_inverted;
            let Some(other_support) = self.supports[other].as_deref() else { continue };
            let inputs = union([&last_support, other_support]);
            if inputs.len() <= MAX_PROOF_INPUTS && is_equivalent(nodes, [last, other], inverted, &inputs) {
                return Some(Literal::to_node(other).invert_if(inverted));
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

/// Whether two nodes are equal, or opposite if `inverted`, for all combinations of `inputs`. These are all
/// inputs that either node depends on.
fn is_equivalent(nodes: &[Node], roots: [usize; 2], inverted: bool, inputs: &[u32]) -> bool {
    // The nodes that the roots depend on, themselves included.
    let (mut cone, mut pending) = (BTreeSet::new(), roots.to_vec());
    while let Some(node) = pending.pop() {
        if cone.insert(node)
            && let Node::And(a, b) | Node::Xor(a, b) = nodes[node]
        {
            pending.extend([a.node(), b.node()]);
        }
    }
    let cone: Vec<usize> = cone.into_iter().collect();
    // A node's index in the cone, which is sorted.
    let index = |node: usize| cone.binary_search(&node).expect("the cone contains all operands");
    let roots = roots.map(index);
    let mut values = vec![0u64; cone.len()];
    let value =
        |literal: Literal, values: &[u64]| invert_if(values[index(literal.node())], literal.inverted());
    (0..(1usize << inputs.len()).div_ceil(64)).all(|word| {
        for (i, node) in cone.iter().enumerate() {
            values[i] = match nodes[*node] {
                Node::Leaf => match inputs.binary_search(&(*node as u32)) {
                    Ok(input) => counting_pattern(input, word),
                    // The only other leaf is the constant zero.
                    Err(_) => 0,
                },
                Node::And(a, b) => value(a, &values) & value(b, &values),
                Node::Xor(a, b) => value(a, &values) ^ value(b, &values),
            };
        }
        values[roots[0]] == invert_if(values[roots[1]], inverted)
    })
}

/// Returns the values of an input in cases `64 * word` to `64 * word + 63`. The value in case n is bit
/// `input` of n, so the cases enumerate all combinations of inputs.
pub fn counting_pattern(input: usize, word: usize) -> u64 {
    // Bits 0 to 5 of the numbers 0 to 63. Higher bits are constant within a word.
    const LOW_BITS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match LOW_BITS.get(input) {
        Some(pattern) => *pattern,
        None => invert_if(0, word >> (input - LOW_BITS.len()) & 1 == 1),
    }
}

fn invert_if(word: u64, condition: bool) -> u64 {
    if condition { !word } else { word }
}

/// A canonical signature, see [`canonical`].
struct Canonical {
    signature: Signature,
    /// Whether the node's own signature is the inverse.
    is_inverted: bool,
}

/// Inverts the signature if its first bit is one, so that a node and its inverse have the same canonical
/// signature.
fn canonical(signature: &Signature) -> Canonical {
    let is_inverted = signature[0] & 1 == 1;
    Canonical { signature: signature.map(|word| invert_if(word, is_inverted)), is_inverted }
}
