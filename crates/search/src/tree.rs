//! One search tree in flat arrays: states, their plays, and for each play that was tried, what followed each thing that
//! chance did.
//!
//! Everything is an index. Nodes are states; a node that was come back to has *edges*, its plays; an edge that was tried
//! has a *block* of as many children as chance has outcomes. Sums of values are always seen from the side to move at the
//! node (for an edge: at the node that it leaves), at the begin of a turn.

use crate::Game;

/// No such index.
pub(crate) const NONE: u32 = u32::MAX;

/// How far a node's policy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Nobody has wanted it.
    Unknown,
    /// A simulation waits for it.
    PolicyRequest,
    /// The edges have their priors.
    Known,
}

/// The states that were come to.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<S> {
    pub state: Vec<S>,
    /// Times it was come to, the first time included, when it was judged. Zero while it waits for that.
    pub visits: Vec<u32>,
    /// Simulations under way through it.
    pub flying: Vec<u32>,
    /// What the evaluator said of it.
    pub judged: Vec<f32>,
    /// Sum of the values found.
    pub sum: Vec<f32>,
    /// Its first edge, or none while it has no edges.
    pub first: Vec<u32>,
    /// How many edges it has.
    pub edges: Vec<u32>,
    /// How far its policy is.
    pub policy: Vec<Policy>,
    /// Where the even sequence of chance starts.
    pub start: Vec<f32>,
    /// What the evaluator keeps. // [nodes, width]
    pub kept: Vec<f32>,
}

/// The plays.
#[derive(Clone, Debug)]
pub(crate) struct Edges<P> {
    pub play: Vec<P>,
    pub prior: Vec<f32>,
    pub visits: Vec<u32>,
    pub flying: Vec<u32>,
    pub sum: Vec<f32>,
    /// Where its children are, in units of as many as chance has outcomes; none while it was never tried.
    pub block: Vec<u32>,
}

/// A tree.
#[derive(Clone, Debug)]
pub(crate) struct Tree<G: Game> {
    pub nodes: Nodes<G::State>,
    pub edges: Edges<G::Play>,
    /// A node for each thing that chance may do, or none. // [blocks, chances]
    pub children: Vec<u32>,
    pub chances: usize,
    /// Numbers kept with a node.
    width: usize,
}

macro_rules! each_column {
    ($table:expr, $do:ident $args:tt, $($column:ident)*) => { $( $table.$column.$do $args; )* };
}

impl<G: Game> Tree<G> {
    /// Empty, with room for about `nodes` nodes.
    pub fn new(nodes: usize, chances: usize, width: usize) -> Self {
        /// Edges for each node, on average, and for one that has very many. Nodes that are never come back to have none.
        const EDGES: usize = 12;
        const MANY: usize = 512;
        let mut tree = Self {
            nodes: Nodes {
                state: Vec::new(),
                visits: Vec::new(),
                flying: Vec::new(),
                judged: Vec::new(),
                sum: Vec::new(),
                first: Vec::new(),
                edges: Vec::new(),
                policy: Vec::new(),
                start: Vec::new(),
                kept: Vec::with_capacity(nodes * width),
            },
            edges: Edges {
                play: Vec::new(),
                prior: Vec::new(),
                visits: Vec::new(),
                flying: Vec::new(),
                sum: Vec::new(),
                block: Vec::new(),
            },
            children: Vec::with_capacity(nodes * chances),
            chances,
            width,
        };
        each_column!(tree.nodes, reserve(nodes), state visits flying judged sum first edges policy start);
        each_column!(tree.edges, reserve(nodes * EDGES + MANY), play prior visits flying sum block);
        tree
    }

    /// Empty again.
    pub fn clear(&mut self) {
        each_column!(self.nodes, clear(), state visits flying judged sum first edges policy start kept);
        each_column!(self.edges, clear(), play prior visits flying sum block);
        self.children.clear();
    }

    /// A new node, which waits to be judged.
    pub fn add_node(&mut self, state: G::State) -> u32 {
        let node = self.nodes.state.len() as u32;
        let nodes = &mut self.nodes;
        nodes.state.push(state);
        nodes.visits.push(0);
        nodes.flying.push(0);
        nodes.judged.push(0.0);
        nodes.sum.push(0.0);
        nodes.first.push(NONE);
        nodes.edges.push(0);
        nodes.policy.push(Policy::Unknown);
        nodes.start.push(0.0);
        nodes.kept.resize(nodes.kept.len() + self.width, 0.0);
        node
    }

    /// Gives a node its plays, without priors as yet. An only play has all of it at once.
    pub fn add_edges(&mut self, node: u32, game: &G, scratch: &mut G::Scratch) {
        let (node, first) = (node as usize, self.edges.play.len());
        let Self { nodes, edges, .. } = self;
        game.plays(&nodes.state[node], scratch, &mut edges.play);
        let end = edges.play.len();
        assert!(end > first, "a state without any play");
        edges.prior.resize(end, 1.0);
        edges.visits.resize(end, 0);
        edges.flying.resize(end, 0);
        edges.sum.resize(end, 0.0);
        edges.block.resize(end, NONE);
        nodes.first[node] = first as u32;
        nodes.edges[node] = (end - first) as u32;
        if end - first == 1 {
            nodes.policy[node] = Policy::Known;
        }
    }

    /// A block of children, none of them there.
    pub fn add_block(&mut self, edge: usize) {
        self.edges.block[edge] = (self.children.len() / self.chances) as u32;
        self.children.resize(self.children.len() + self.chances, NONE);
    }

    /// Where the children of an edge are that was tried.
    pub fn block(&self, edge: usize) -> usize {
        self.edges.block[edge] as usize * self.chances
    }

    /// The edges of a node.
    pub fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        // No edges: an empty range, wherever it may be.
        let first = if self.nodes.edges[node] == 0 { 0 } else { self.nodes.first[node] as usize };
        first..first + self.nodes.edges[node] as usize
    }

    /// What is kept with a node.
    pub fn kept(&self, node: u32) -> &[f32] {
        &self.nodes.kept[node as usize * self.width..][..self.width]
    }

    /// Notes what was said of a new node, which still waits.
    pub fn judge(&mut self, node: u32, value: f32, kept: &[f32]) {
        self.nodes.judged[node as usize] = value;
        self.nodes.kept[node as usize * self.width..][..self.width].copy_from_slice(kept);
    }

    /// The mean of what was found at a node that was judged.
    pub fn value(&self, node: u32) -> f32 {
        self.nodes.sum[node as usize] / self.nodes.visits[node as usize] as f32
    }

    /// Copies what is below `root` into `into`, which is emptied before; `root` becomes its first node. Nothing may be
    /// under way. The order is that of the new tree, level by level, so there is nothing to recurse into: while a node is
    /// copied its children are put at the end, and `from` says which old node each new one was.
    pub fn copy_below(&self, root: u32, into: &mut Self, from: &mut Vec<u32>) {
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
                for chance in 0..self.chances {
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
        nodes.flying.push(0);
        nodes.judged.push(other.nodes.judged[i]);
        nodes.sum.push(other.nodes.sum[i]);
        nodes.first.push(NONE);
        nodes.edges.push(other.nodes.edges[i]);
        nodes.policy.push(other.nodes.policy[i]);
        nodes.start.push(other.nodes.start[i]);
        nodes.kept.extend_from_slice(other.kept(node));
    }

    fn copy_edge(&mut self, other: &Self, edge: usize) -> usize {
        let edges = &mut self.edges;
        edges.play.push(other.edges.play[edge]);
        edges.prior.push(other.edges.prior[edge]);
        edges.visits.push(other.edges.visits[edge]);
        edges.flying.push(0);
        edges.sum.push(other.edges.sum[edge]);
        edges.block.push(NONE);
        edges.play.len() - 1
    }
}
