//! One search tree in flat arrays (structure of arrays), linked by indices.
//!
//! A *node* is a state at the beginning of a turn. A node visited for the second time gets *edges*, its plays, in a contiguous
//! range. A visited edge has a *block* of children, one for each chance outcome. Value sums are from the point of view of the side
//! to move at the node, and for an edge at the node that it leaves.

use crate::Game;

/// Marks a missing index.
pub(crate) const NONE: u32 = u32::MAX;

/// The state of a node's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Unknown,
    /// A simulation waits for it.
    Requested,
    /// The edges have their priors.
    Known,
}

/// The columns of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<S> {
    pub state: Vec<S>,
    /// Visits, including the evaluation; zero while the node waits for its evaluation.
    pub visits: Vec<u32>,
    /// Simulations in flight through the node.
    pub in_flight: Vec<u32>,
    /// The evaluator's value.
    pub evaluated: Vec<f32>,
    /// The sum of the values of all visits.
    pub sum: Vec<f32>,
    /// The first edge, or [`NONE`].
    pub first: Vec<u32>,
    /// The number of edges.
    pub edges: Vec<u32>,
    pub policy: Vec<Policy>,
    /// The start of the low-discrepancy sequence of chance outcomes.
    pub sequence_start: Vec<f32>,
    /// The evaluator's embeddings. // [nodes, width]
    pub embeddings: Vec<f32>,
}

/// The columns of edges.
#[derive(Clone, Debug)]
pub(crate) struct Edges<P> {
    pub play: Vec<P>,
    pub prior: Vec<f32>,
    pub visits: Vec<u32>,
    pub in_flight: Vec<u32>,
    pub sum: Vec<f32>,
    /// The block of children, or [`NONE`] before the first visit.
    pub block: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Tree<G: Game> {
    pub nodes: Nodes<G::State>,
    pub edges: Edges<G::Play>,
    /// The node after each chance outcome, or [`NONE`]. // [blocks, outcomes]
    pub children: Vec<u32>,
    /// The number of chance outcomes.
    pub outcomes: usize,
    /// Numbers in an embedding.
    width: usize,
}

macro_rules! each_column {
    ($table:expr, $do:ident $args:tt, $($column:ident)*) => { $( $table.$column.$do $args; )* };
}

impl<G: Game> Tree<G> {
    /// An empty tree with capacity for about `nodes` nodes.
    pub fn new(nodes: usize, outcomes: usize, width: usize) -> Self {
        /// Capacity for edges: an average for each node (most nodes have none), and extra for one node with very many.
        const EDGES: usize = 12;
        const EXTRA_EDGES: usize = 512;
        let mut tree = Self {
            nodes: Nodes {
                state: Vec::new(),
                visits: Vec::new(),
                in_flight: Vec::new(),
                evaluated: Vec::new(),
                sum: Vec::new(),
                first: Vec::new(),
                edges: Vec::new(),
                policy: Vec::new(),
                sequence_start: Vec::new(),
                embeddings: Vec::with_capacity(nodes * width),
            },
            edges: Edges {
                play: Vec::new(),
                prior: Vec::new(),
                visits: Vec::new(),
                in_flight: Vec::new(),
                sum: Vec::new(),
                block: Vec::new(),
            },
            children: Vec::with_capacity(nodes * outcomes),
            outcomes,
            width,
        };
        each_column!(tree.nodes, reserve(nodes), state visits in_flight evaluated sum first edges policy sequence_start);
        each_column!(tree.edges, reserve(nodes * EDGES + EXTRA_EDGES), play prior visits in_flight sum block);
        tree
    }

    pub fn clear(&mut self) {
        each_column!(self.nodes, clear(), state visits in_flight evaluated sum first edges policy sequence_start embeddings);
        each_column!(self.edges, clear(), play prior visits in_flight sum block);
        self.children.clear();
    }

    /// Adds a node that waits for its evaluation.
    pub fn add_node(&mut self, state: G::State) -> u32 {
        let node = self.nodes.state.len() as u32;
        let nodes = &mut self.nodes;
        nodes.state.push(state);
        nodes.visits.push(0);
        nodes.in_flight.push(0);
        nodes.evaluated.push(0.0);
        nodes.sum.push(0.0);
        nodes.first.push(NONE);
        nodes.edges.push(0);
        nodes.policy.push(Policy::Unknown);
        nodes.sequence_start.push(0.0);
        nodes.embeddings.resize(nodes.embeddings.len() + self.width, 0.0);
        node
    }

    /// Adds a node's plays as edges, whose priors are not known yet. A single play has prior 1 at once.
    pub fn add_edges(&mut self, node: u32, game: &G, scratch: &mut G::Scratch) {
        let (node, first) = (node as usize, self.edges.play.len());
        let Self { nodes, edges, .. } = self;
        game.plays(&nodes.state[node], scratch, &mut edges.play);
        let end = edges.play.len();
        assert!(end > first, "a state without plays");
        edges.prior.resize(end, 1.0);
        edges.visits.resize(end, 0);
        edges.in_flight.resize(end, 0);
        edges.sum.resize(end, 0.0);
        edges.block.resize(end, NONE);
        nodes.first[node] = first as u32;
        nodes.edges[node] = (end - first) as u32;
        if end - first == 1 {
            nodes.policy[node] = Policy::Known;
        }
    }

    /// Adds a block of missing children to an edge.
    pub fn add_block(&mut self, edge: usize) {
        self.edges.block[edge] = (self.children.len() / self.outcomes) as u32;
        self.children.resize(self.children.len() + self.outcomes, NONE);
    }

    /// The index in `children` of the block of a visited edge.
    pub fn block(&self, edge: usize) -> usize {
        self.edges.block[edge] as usize * self.outcomes
    }

    /// The edges of a node.
    pub fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        let first = if self.nodes.edges[node] == 0 { 0 } else { self.nodes.first[node] as usize };
        first..first + self.nodes.edges[node] as usize
    }

    pub fn embedding(&self, node: u32) -> &[f32] {
        &self.nodes.embeddings[node as usize * self.width..][..self.width]
    }

    /// Stores the evaluation of a new node. Its visit is counted when the simulation backs up.
    pub fn set_evaluation(&mut self, node: u32, value: f32, embedding: &[f32]) {
        self.nodes.evaluated[node as usize] = value;
        self.nodes.embeddings[node as usize * self.width..][..self.width].copy_from_slice(embedding);
    }

    /// The mean value of a visited node.
    pub fn value(&self, node: u32) -> f32 {
        self.nodes.sum[node as usize] / self.nodes.visits[node as usize] as f32
    }

    /// Copies the subtree of `root` into `into`, of which `root` becomes node 0. No simulation may be in flight. The copy is
    /// breadth-first: copying a node appends its children, and `from[i]` is the old index of new node `i`.
    pub fn copy_subtree(&self, root: u32, into: &mut Self, from: &mut Vec<u32>) {
        into.clear();
        from.clear();
        from.push(root);
        into.copy_node(self, root);
        let mut at = 0;
        while at < from.len() {
            let (old, new) = (from[at], at);
            at += 1;
            let range = self.edges_of(old);
            if range.is_empty() {
                continue;
            }
            into.nodes.first[new] = into.edges.play.len() as u32;
            for edge in range {
                let copied = into.copy_edge(self, edge);
                if self.edges.block[edge] == NONE {
                    continue;
                }
                into.add_block(copied);
                let (old_block, new_block) = (self.block(edge), into.block(copied));
                for chance in 0..self.outcomes {
                    let child = self.children[old_block + chance];
                    if child != NONE {
                        into.children[new_block + chance] = from.len() as u32;
                        from.push(child);
                        into.copy_node(self, child);
                    }
                }
            }
        }
    }

    fn copy_node(&mut self, other: &Self, node: u32) {
        let (nodes, i) = (&mut self.nodes, node as usize);
        nodes.state.push(other.nodes.state[i]);
        nodes.visits.push(other.nodes.visits[i]);
        nodes.in_flight.push(0);
        nodes.evaluated.push(other.nodes.evaluated[i]);
        nodes.sum.push(other.nodes.sum[i]);
        nodes.first.push(NONE);
        nodes.edges.push(other.nodes.edges[i]);
        nodes.policy.push(other.nodes.policy[i]);
        nodes.sequence_start.push(other.nodes.sequence_start[i]);
        nodes.embeddings.extend_from_slice(other.embedding(node));
    }

    fn copy_edge(&mut self, other: &Self, edge: usize) -> usize {
        let edges = &mut self.edges;
        edges.play.push(other.edges.play[edge]);
        edges.prior.push(other.edges.prior[edge]);
        edges.visits.push(other.edges.visits[edge]);
        edges.in_flight.push(0);
        edges.sum.push(other.edges.sum[edge]);
        edges.block.push(NONE);
        edges.play.len() - 1
    }
}
