//! One search tree in flat arrays (structure of arrays), linked by indices.
//!
//! A *node* is a decision node: a state at the beginning of a turn, after the dice roll. When it is visited
//! for the second time it gets *edges*, one for each play, in a contiguous range. The first visit of an edge
//! adds the *chance node* after the play, which is stored as a contiguous range of child slots, one for each
//! chance outcome. Node 0 is the root.
//!
//! The values of a node, and of the edges that leave it, are for the side to move at the node.

use crate::Game;

/// Marks an index that does not exist (yet).
pub(crate) const NONE: u32 = u32::MAX;

/// The state of a node's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Unknown,
    /// A simulation waits for the policy.
    Requested,
    /// The edges have their priors.
    Known,
}

/// One column for each attribute of a node.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<S> {
    pub state: Vec<S>,
    /// Visits, including the evaluation; zero while the node waits for its evaluation.
    pub visits: Vec<u32>,
    /// Simulations that passed through the node and are not backed up yet.
    pub in_flight: Vec<u32>,
    /// The evaluator's value of the state; 0 until it is evaluated.
    pub evaluator_value: Vec<f32>,
    /// The sum of the values of all visits, so that `value_sum / visits` is the mean.
    pub value_sum: Vec<f32>,
    /// The first edge, or [`NONE`] before the second visit.
    pub first_edge: Vec<u32>,
    pub edge_count: Vec<u32>,
    pub policy: Vec<Policy>,
    /// The random start of the low-discrepancy sequence that selects chance outcomes; see `descent`.
    pub sequence_start: Vec<f32>,
    /// The evaluator's embeddings of the states: the input of the policy head, kept until the policy is
    /// needed.
    // [nodes, embedding_size]
    pub embeddings: Vec<f32>,
}

/// One column for each attribute of an edge. An edge is a play.
#[derive(Clone, Debug)]
pub(crate) struct Edges<P> {
    pub play: Vec<P>,
    pub prior: Vec<f32>,
    /// Simulations that passed through the edge and are backed up.
    pub visits: Vec<u32>,
    /// Simulations that passed through the edge and are not backed up yet.
    pub in_flight: Vec<u32>,
    /// The sum of the values of all visits.
    pub value_sum: Vec<f32>,
    /// The index of the chance node after the play, or [`NONE`] before the first visit.
    pub chance_node: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Tree<G: Game> {
    pub nodes: Nodes<G::State>,
    pub edges: Edges<G::Play>,
    /// The child slots of all chance nodes: the node after each outcome, or [`NONE`].
    // [chance nodes, outcomes]
    pub children: Vec<u32>,
    /// The number of chance outcomes after a play.
    pub outcomes: usize,
    embedding_size: usize,
}

/// Calls a method on each of the listed columns of a table: `each_column!(table, clear(), a b)` is
/// `table.a.clear(); table.b.clear();`.
macro_rules! each_column {
    ($table:expr, $do:ident $args:tt, $($column:ident)*) => { $( $table.$column.$do $args; )* };
}

impl<G: Game> Tree<G> {
    /// An empty tree with capacity for about `nodes` nodes.
    pub fn new(nodes: usize, outcomes: usize, embedding_size: usize) -> Self {
        /// Capacity for edges for each node. Most nodes have no edges, a few have dozens.
        const EDGES_PER_NODE: usize = 12;
        /// Extra capacity for one node with very many edges.
        const EXTRA_EDGES: usize = 512;
        let mut tree = Self {
            nodes: Nodes {
                state: Vec::new(),
                visits: Vec::new(),
                in_flight: Vec::new(),
                evaluator_value: Vec::new(),
                value_sum: Vec::new(),
                first_edge: Vec::new(),
                edge_count: Vec::new(),
                policy: Vec::new(),
                sequence_start: Vec::new(),
                embeddings: Vec::with_capacity(nodes * embedding_size),
            },
            edges: Edges {
                play: Vec::new(),
                prior: Vec::new(),
                visits: Vec::new(),
                in_flight: Vec::new(),
                value_sum: Vec::new(),
                chance_node: Vec::new(),
            },
            children: Vec::with_capacity(nodes * outcomes),
            outcomes,
            embedding_size,
        };
        each_column!(
            tree.nodes,
            reserve(nodes),
            state visits in_flight evaluator_value value_sum first_edge edge_count policy sequence_start
        );
        each_column!(tree.edges, reserve(nodes * EDGES_PER_NODE + EXTRA_EDGES), play prior visits in_flight value_sum chance_node);
        tree
    }

    pub fn clear(&mut self) {
        each_column!(
            self.nodes,
            clear(),
            state visits in_flight evaluator_value value_sum first_edge edge_count policy sequence_start embeddings
        );
        each_column!(self.edges, clear(), play prior visits in_flight value_sum chance_node);
        self.children.clear();
    }

    /// Adds a node without an evaluation and returns its index.
    pub fn add_node(&mut self, state: G::State) -> u32 {
        let node = self.nodes.state.len() as u32;
        let nodes = &mut self.nodes;
        nodes.state.push(state);
        nodes.visits.push(0);
        nodes.in_flight.push(0);
        nodes.evaluator_value.push(0.0);
        nodes.value_sum.push(0.0);
        nodes.first_edge.push(NONE);
        nodes.edge_count.push(0);
        nodes.policy.push(Policy::Unknown);
        nodes.sequence_start.push(0.0);
        nodes.embeddings.resize(nodes.embeddings.len() + self.embedding_size, 0.0);
        node
    }

    /// Adds the plays of a node as edges. Their priors are set when the policy is known; a single play has
    /// prior 1 and needs no policy.
    pub fn add_edges(&mut self, node: u32, game: &G, scratch: &mut G::Scratch) {
        let (node, first) = (node as usize, self.edges.play.len());
        let Self { nodes, edges, .. } = self;
        game.plays(&nodes.state[node], scratch, &mut edges.play);
        let end = edges.play.len();
        assert!(end > first, "a state without plays");
        edges.prior.resize(end, 1.0);
        edges.visits.resize(end, 0);
        edges.in_flight.resize(end, 0);
        edges.value_sum.resize(end, 0.0);
        edges.chance_node.resize(end, NONE);
        nodes.first_edge[node] = first as u32;
        nodes.edge_count[node] = (end - first) as u32;
        if end - first == 1 {
            nodes.policy[node] = Policy::Known;
        }
    }

    /// Adds the chance node after an edge, without children.
    pub fn add_chance_node(&mut self, edge: usize) {
        self.edges.chance_node[edge] = (self.children.len() / self.outcomes) as u32;
        self.children.resize(self.children.len() + self.outcomes, NONE);
    }

    /// The index in `children` of the first child slot of a visited edge.
    pub fn first_slot(&self, edge: usize) -> usize {
        self.edges.chance_node[edge] as usize * self.outcomes
    }

    /// The edges of a node; empty before the second visit.
    pub fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        let first = if self.nodes.edge_count[node] == 0 { 0 } else { self.nodes.first_edge[node] as usize };
        first..first + self.nodes.edge_count[node] as usize
    }

    pub fn embedding(&self, node: u32) -> &[f32] {
        &self.nodes.embeddings[node as usize * self.embedding_size..][..self.embedding_size]
    }

    /// Stores the evaluation of a new node. The visit is counted later, by the backup of the simulation.
    pub fn set_evaluation(&mut self, node: u32, value: f32, embedding: &[f32]) {
        self.nodes.evaluator_value[node as usize] = value;
        self.nodes.embeddings[node as usize * self.embedding_size..][..self.embedding_size]
            .copy_from_slice(embedding);
    }

    /// The mean value of a visited node for the side to move.
    pub fn mean_value(&self, node: u32) -> f32 {
        self.nodes.value_sum[node as usize] / self.nodes.visits[node as usize] as f32
    }

    /// Copies the subtree below `root` into `into`, where `root` becomes node 0. No simulation may be in
    /// flight.
    ///
    /// The copy is breadth-first: copying a node appends its children. `old_indices` is scratch memory, the
    /// queue of the breadth-first search; entry `i` is the index in `self` of node `i` of `into`.
    pub fn copy_subtree(&self, root: u32, into: &mut Self, old_indices: &mut Vec<u32>) {
        into.clear();
        old_indices.clear();
        old_indices.push(root);
        into.copy_node(self, root);
        let mut next = 0;
        while next < old_indices.len() {
            let (old, new) = (old_indices[next], next);
            next += 1;
            let range = self.edges_of(old);
            if range.is_empty() {
                continue;
            }
            into.nodes.first_edge[new] = into.edges.play.len() as u32;
            for edge in range {
                let copied = into.copy_edge(self, edge);
                if self.edges.chance_node[edge] == NONE {
                    continue;
                }
                into.add_chance_node(copied);
                let (old_slots, new_slots) = (self.first_slot(edge), into.first_slot(copied));
                for chance in 0..self.outcomes {
                    let child = self.children[old_slots + chance];
                    if child != NONE {
                        into.children[new_slots + chance] = old_indices.len() as u32;
                        old_indices.push(child);
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
        nodes.evaluator_value.push(other.nodes.evaluator_value[i]);
        nodes.value_sum.push(other.nodes.value_sum[i]);
        nodes.first_edge.push(NONE);
        nodes.edge_count.push(other.nodes.edge_count[i]);
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
        edges.value_sum.push(other.edges.value_sum[edge]);
        edges.chance_node.push(NONE);
        edges.play.len() - 1
    }
}
