//! Monte Carlo tree search in many trees at once. In a round every tree descends until it needs the evaluator, which then gets one
//! batch for all trees.
//!
//! With one simulation in flight, each tree equals a sequential search bit for bit, however many trees run beside it; the batch
//! size comes from the number of trees. For a single tree, several simulations in flight fill the batch.
//!
//! Trees, paths and requests reuse their memory from search to search, so a warm batch does not allocate.

use std::ops::Range;

use learnery_kernels::activation::softmax;

use crate::Game;
use crate::cache::{Cache, mix};
use crate::descent::{Context, Draws, Simulation, Stop, Wait, abort, back_up, descend, expand};
use crate::evaluator::{Evaluator, PolicyRequest};
use crate::options::{Noise, Options};
use crate::root::{SequentialHalving, add_dirichlet_noise, improved_policy};
use crate::tree::{NONE, Policy, Tree};

/// Initial capacity for plays, for each state of a policy request.
const PLAYS: usize = 32;

/// Counters of the work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// States whose value the evaluator computed.
    pub values: u64,
    /// States whose policy the evaluator computed.
    pub policies: u64,
    /// States whose value came from the cache.
    pub cache_hits: u64,
    pub simulations: u64,
}

impl std::ops::AddAssign for SearchCounts {
    fn add_assign(&mut self, other: Self) {
        self.values += other.values;
        self.policies += other.policies;
        self.cache_hits += other.cache_hits;
        self.simulations += other.simulations;
    }
}

/// One tree and the state of its search.
struct Search<G: Game> {
    tree: Tree<G>,
    /// Receives the reused subtree; see [`Tree::copy_subtree`].
    spare: Tree<G>,
    from: Vec<u32>,
    /// Up to [`Options::in_flight`] simulations.
    simulations: Vec<Simulation>,
    draws: Draws,
    halving: SequentialHalving,
    started: u32,
    finished: u32,
    busy: bool,
}

/// A batch of tree searches that share an evaluator.
pub struct SearchBatch<G: Game> {
    options: Options,
    /// See [`Context::cumulative`].
    cumulative: Vec<f32>,
    searches: Vec<Search<G>>,
    cache: Cache,
    /// Numbers in an embedding.
    width: usize,
    values: ValueRequests<G>,
    policies: PolicyRequests<G>,
    /// Simulations that wait for values: indices of search and simulation.
    waiting: Vec<(u32, u32)>,
    noise: Vec<f32>,
    scratch: G::Scratch,
    counts: SearchCounts,
}

/// States whose value is needed in this round.
struct ValueRequests<G: Game> {
    /// Search, node and cache key of each.
    origins: Vec<(u32, u32, u64)>,
    states: Vec<G::State>,
    values: Vec<f32>,
    embeddings: Vec<f32>,
}

/// States whose policy is needed in this round. The fields after `origins` become a [`PolicyRequest`].
struct PolicyRequests<G: Game> {
    /// Search and node of each.
    origins: Vec<(u32, u32)>,
    states: Vec<G::State>,
    embeddings: Vec<f32>,
    plays: Vec<G::Play>,
    ranges: Vec<Range<usize>>,
    logits: Vec<f32>,
}

impl<G: Game> SearchBatch<G> {
    /// A batch of `searches` trees. `embedding_size` is that of the evaluator. The cache has 2^`cache` slots, if any.
    pub fn new(
        game: &G,
        searches: usize,
        options: Options,
        embedding_size: usize,
        cache: Option<u32>,
    ) -> Self {
        let mut sum = 0.0;
        let cumulative: Vec<f32> = game
            .chance_probabilities()
            .iter()
            .map(|p| {
                sum += p;
                sum
            })
            .collect();
        let outcomes = cumulative.len();
        let per_simulation = if options.chance == crate::Chance::Exhaustive { outcomes } else { 1 };
        // A reused subtree can be as large as a whole search.
        let nodes = 2 * (options.simulations as usize + 1) * per_simulation;
        let in_flight = options.in_flight.max(1) as usize;
        let search = |_| Search {
            tree: Tree::new(nodes, outcomes, embedding_size),
            spare: Tree::new(nodes, outcomes, embedding_size),
            from: Vec::with_capacity(nodes),
            simulations: vec![Simulation::new(); in_flight],
            draws: Draws::default(),
            halving: SequentialHalving::new(options.simulations),
            started: 0,
            finished: 0,
            busy: false,
        };
        let rows = searches * in_flight;
        Self {
            options,
            cumulative,
            searches: (0..searches).map(search).collect(),
            cache: Cache::new(cache, embedding_size),
            width: embedding_size,
            values: ValueRequests {
                origins: Vec::with_capacity(rows * per_simulation),
                states: Vec::with_capacity(rows * per_simulation),
                values: Vec::with_capacity(rows * per_simulation),
                embeddings: Vec::with_capacity(rows * per_simulation * embedding_size),
            },
            policies: PolicyRequests {
                origins: Vec::with_capacity(rows),
                states: Vec::with_capacity(rows),
                embeddings: Vec::with_capacity(rows * embedding_size),
                plays: Vec::with_capacity(rows * PLAYS),
                ranges: Vec::with_capacity(rows),
                logits: Vec::with_capacity(rows * PLAYS),
            },
            waiting: Vec::with_capacity(rows),
            noise: Vec::new(),
            scratch: G::Scratch::default(),
            counts: SearchCounts::default(),
        }
    }

    /// The number of trees.
    pub fn len(&self) -> usize {
        self.searches.len()
    }

    pub fn is_empty(&self) -> bool {
        self.searches.is_empty()
    }

    /// Changes the options from the next search on.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Clears the cache and all trees. Must be called whenever the evaluator changes.
    pub fn clear(&mut self) {
        self.cache.clear();
        for search in &mut self.searches {
            search.tree.clear();
            search.busy = false;
        }
    }

    /// Returns the counters and resets them.
    pub fn take_counts(&mut self) -> SearchCounts {
        std::mem::take(&mut self.counts)
    }

    /// Begins a search in tree `i`. `index` identifies the search: its random numbers depend on it.
    pub fn begin(&mut self, game: &G, i: usize, state: G::State, index: u64) {
        let search = &mut self.searches[i];
        search.tree.clear();
        search.tree.add_node(state);
        self.start(game, i, index);
    }

    /// Begins a search after play `play` of the root and chance outcome `chance`, reusing the subtree there.
    pub fn begin_after(&mut self, game: &G, i: usize, play: usize, chance: usize, index: u64) {
        let search = &mut self.searches[i];
        let edge = search.tree.edges_of(0).start + play;
        let visited = search.tree.edges.block[edge] != NONE;
        let child = if visited { search.tree.children[search.tree.block(edge) + chance] } else { NONE };
        if child == NONE {
            let state = game.next_state(&search.tree.edges.play[edge], chance);
            return self.begin(game, i, state, index);
        }
        search.tree.copy_subtree(child, &mut search.spare, &mut search.from);
        std::mem::swap(&mut search.tree, &mut search.spare);
        self.start(game, i, index);
    }

    fn start(&mut self, game: &G, i: usize, index: u64) {
        let search = &mut self.searches[i];
        // Chance outcomes use even indices of the stream, noise at the root odd ones.
        search.draws = Draws { index: 2 * index, drawn: 0 };
        (search.started, search.finished) = (0, 0);
        // The previous search may have been abandoned in the middle.
        search.simulations.iter_mut().for_each(Simulation::reset);
        if search.tree.nodes.first[0] == NONE {
            let context = Context { game, options: &self.options, cumulative: &self.cumulative };
            expand(&mut search.tree, 0, &context, &mut search.draws, &mut self.scratch);
        }
        // With a single play there is nothing to search.
        search.busy = search.tree.edges_of(0).len() > 1;
        if search.busy && search.tree.nodes.policy[0] == Policy::Known {
            self.prepare_root(i);
        }
    }

    /// Sets up exploration at a root whose priors are known.
    fn prepare_root(&mut self, i: usize) {
        let search = &mut self.searches[i];
        let index = search.draws.index + 1;
        match self.options.noise {
            Noise::None => {}
            Noise::Dirichlet { .. } => {
                add_dirichlet_noise(&mut search.tree, &self.options, index, &mut self.noise)
            }
            Noise::Gumbel { considered } => {
                search.halving.begin(&search.tree, &self.options, considered, index);
            }
        }
    }

    /// Whether search `i` is unfinished.
    pub fn busy(&self, i: usize) -> bool {
        self.searches[i].busy
    }

    /// Runs one round: all trees descend, then the evaluator gets one batch. Returns whether any search is unfinished.
    pub fn round(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) -> bool {
        for i in 0..self.searches.len() {
            if self.searches[i].busy {
                self.descend_all(game, i);
            }
        }
        self.evaluate_values(evaluator);
        self.evaluate_policies(evaluator);
        let context = Context { game, options: &self.options, cumulative: &self.cumulative };
        for (search, simulation) in self.waiting.drain(..) {
            let search = &mut self.searches[search as usize];
            let simulation = &mut search.simulations[simulation as usize];
            // The evaluation of the root does not count as a simulation.
            let counts = simulation.wait != Wait::Values(0, 1);
            back_up(&mut search.tree, simulation, &context, None);
            search.finished += u32::from(counts);
            self.counts.simulations += u64::from(counts);
        }
        let mut any_busy = false;
        for search in &mut self.searches {
            search.busy = search.busy && search.finished < self.options.simulations;
            any_busy |= search.busy;
        }
        any_busy
    }

    /// Runs rounds until all searches are finished.
    pub fn run(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) {
        while self.round(game, evaluator) {}
    }

    /// Advances the simulations of tree `i` until each waits for the evaluator.
    fn descend_all(&mut self, game: &G, i: usize) {
        let gumbel = matches!(self.options.noise, Noise::Gumbel { .. });
        for f in 0..self.searches[i].simulations.len() {
            loop {
                let search = &mut self.searches[i];
                let simulation = &mut search.simulations[f];
                let root_evaluated = search.tree.nodes.visits[0] > 0;
                let resumes =
                    !simulation.path.is_empty() || (root_evaluated && simulation.wait == Wait::Policy);
                if !resumes {
                    if search.started == self.options.simulations {
                        break;
                    }
                    search.started += u32::from(root_evaluated);
                    simulation.at = 0;
                    if gumbel && search.tree.nodes.policy[0] == Policy::Known {
                        search.halving.set_simulation(&search.tree, search.started - 1);
                    }
                }
                simulation.wait = Wait::Idle;
                let context = Context { game, options: &self.options, cumulative: &self.cumulative };
                let halving = gumbel.then_some(&search.halving);
                match descend(
                    &mut search.tree,
                    simulation,
                    &context,
                    &mut search.draws,
                    &mut self.scratch,
                    halving,
                ) {
                    Stop::NeedsEvaluation => {
                        self.request(game, i, f);
                        break;
                    }
                    Stop::Terminal(value) => {
                        back_up(&mut search.tree, simulation, &context, Some(value));
                        search.finished += 1;
                        self.counts.simulations += 1;
                    }
                    Stop::Collision => {
                        abort(&mut search.tree, simulation);
                        search.started -= u32::from(root_evaluated);
                        // Further simulations would select the same path.
                        return;
                    }
                }
            }
        }
    }

    /// Queues the evaluation that simulation `f` of tree `i` waits for.
    fn request(&mut self, game: &G, i: usize, f: usize) {
        let Search { tree, simulations, .. } = &mut self.searches[i];
        let (search, simulation) = (i as u32, f as u32);
        match simulations[f].wait {
            Wait::Idle => {}
            Wait::Values(first, count) => {
                self.waiting.push((search, simulation));
                for node in first..first + count {
                    let state = tree.nodes.state[node as usize];
                    let key = mix(game.key(&state));
                    if let Some((value, embedding)) = self.cache.get(key) {
                        tree.set_evaluation(node, value, embedding);
                        self.counts.cache_hits += 1;
                    } else {
                        self.values.origins.push((search, node, key));
                        self.values.states.push(state);
                    }
                }
            }
            Wait::Policy => {
                let requests = &mut self.policies;
                let node = simulations[f].at;
                let range = tree.edges_of(node);
                let first = requests.plays.len();
                requests.origins.push((search, node));
                requests.states.push(tree.nodes.state[node as usize]);
                requests.embeddings.extend_from_slice(tree.embedding(node));
                requests.plays.extend_from_slice(&tree.edges.play[range]);
                requests.ranges.push(first..requests.plays.len());
            }
        }
    }

    fn evaluate_values(&mut self, evaluator: &mut impl Evaluator<G>) {
        let ValueRequests { origins, states, values, embeddings } = &mut self.values;
        if states.is_empty() {
            return;
        }
        values.resize(states.len(), 0.0);
        embeddings.resize(states.len() * self.width, 0.0);
        evaluator.values(states, values, embeddings);
        for (k, (search, node, key)) in origins.drain(..).enumerate() {
            let embedding = &embeddings[k * self.width..][..self.width];
            self.searches[search as usize].tree.set_evaluation(node, values[k], embedding);
            self.cache.put(key, values[k], embedding);
        }
        self.counts.values += states.len() as u64;
        states.clear();
    }

    fn evaluate_policies(&mut self, evaluator: &mut impl Evaluator<G>) {
        if self.policies.states.is_empty() {
            return;
        }
        let PolicyRequests { states, embeddings, plays, ranges, logits, .. } = &mut self.policies;
        logits.resize(plays.len(), 0.0);
        evaluator.logits(PolicyRequest { states, embeddings, plays, ranges }, logits);
        self.counts.policies += states.len() as u64;
        for k in 0..self.policies.origins.len() {
            let (search, node) = self.policies.origins[k];
            let logits = &mut self.policies.logits[self.policies.ranges[k].clone()];
            softmax(logits, logits.len());
            let tree = &mut self.searches[search as usize].tree;
            let edges = tree.edges_of(node);
            tree.edges.prior[edges].copy_from_slice(logits);
            tree.nodes.policy[node as usize] = Policy::Known;
            if node == 0 {
                self.prepare_root(search as usize);
            }
        }
        let PolicyRequests { origins, states, embeddings, plays, ranges, .. } = &mut self.policies;
        origins.clear();
        states.clear();
        embeddings.clear();
        plays.clear();
        ranges.clear();
    }

    /// The result of search `i`.
    pub fn root(&self, i: usize) -> Root<'_, G> {
        let gumbel = matches!(self.options.noise, Noise::Gumbel { .. });
        Root { search: &self.searches[i], gumbel }
    }
}

/// The result of a search: the statistics of its root.
pub struct Root<'a, G: Game> {
    search: &'a Search<G>,
    gumbel: bool,
}

impl<'a, G: Game> Root<'a, G> {
    pub fn plays(&self) -> &'a [G::Play] {
        &self.search.tree.edges.play[self.search.tree.edges_of(0)]
    }

    /// The visits of each play.
    pub fn visits(&self) -> &'a [u32] {
        &self.search.tree.edges.visits[self.search.tree.edges_of(0)]
    }

    /// The prior of each play, Dirichlet noise included.
    pub fn priors(&self) -> &'a [f32] {
        &self.search.tree.edges.prior[self.search.tree.edges_of(0)]
    }

    /// The mean value of a play for the side that plays; `None` without visits.
    pub fn value_of(&self, play: usize) -> Option<f32> {
        let edges = &self.search.tree.edges;
        let edge = self.search.tree.edges_of(0).start + play;
        (edges.visits[edge] > 0).then(|| edges.sum[edge] / edges.visits[edge] as f32)
    }

    /// The mean value of the root for the side to move; `None` if there is a single play, hence no search.
    pub fn value(&self) -> Option<f32> {
        let tree = &self.search.tree;
        (tree.nodes.visits[0] > 0).then(|| tree.value(0))
    }

    /// The play to make without sampling: the one that sequential halving selects, or the most visited one; ties are broken by
    /// value.
    pub fn best(&self) -> usize {
        let range = self.search.tree.edges_of(0);
        if self.gumbel && range.len() > 1 {
            return self.search.halving.winner(&self.search.tree) - range.start;
        }
        let rank = |play: usize| (self.visits()[play], self.value_of(play).unwrap_or(f32::NEG_INFINITY));
        (1..range.len()).fold(0, |best, play| {
            let ((visits, value), (most, highest)) = (rank(play), rank(best));
            if visits > most || (visits == most && value > highest) { play } else { best }
        })
    }

    /// The policy of the search: visit fractions, or the improved policy of Gumbel AlphaZero. // out [plays]
    pub fn policy(&self, out: &mut [f32]) {
        let visits = self.visits();
        let sum: u32 = visits.iter().sum();
        if sum == 0 {
            out.copy_from_slice(self.priors());
        } else if self.gumbel {
            improved_policy(&self.search.tree, out);
        } else {
            out.iter_mut().zip(visits).for_each(|(out, n)| *out = *n as f32 / sum as f32);
        }
    }
}
