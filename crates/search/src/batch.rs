//! Monte Carlo tree search in many trees at once, so that the evaluator gets large batches.
//!
//! A *simulation* descends from the root of a tree to a new node and adds the value of that node to its whole
//! path. It is *in flight* from its start until then; meanwhile it waits for the evaluator. A *round* has two
//! parts: the simulations of every tree descend until each needs the evaluator, then the evaluator gets one
//! batch for all trees. With one simulation in flight per tree, each search is bit-identical to a sequential
//! search, however many trees run beside it. A single tree can fill a batch by several simulations in flight.
//!
//! [`SearchBatch`] runs the searches, and [`Root`] is the result of one search. Node 0 of a tree is its root.
//! Trees, paths and requests reuse their memory from search to search, so a batch allocates only at first.

use learnery_kernels::activation::softmax;

use crate::Game;
use crate::cache::{Cache, mix};
use crate::descent::{Context, RandomPosition, Simulation, Stop, Wait, abort, back_up, descend, expand};
use crate::evaluator::{Evaluator, PolicyRequest};
use crate::options::{Noise, Options};
use crate::requests::{PolicyRequests, ValueOrigin, ValueRequests};
use crate::result::Root;
use crate::root::{SequentialHalving, add_dirichlet_noise};
use crate::tree::{NONE, Policy, Tree};

/// Counts of simulations and evaluations since the last [`SearchBatch::take_counts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// States whose value the evaluator computed.
    pub values: u64,
    /// States whose policy the evaluator computed.
    pub policies: u64,
    /// States whose value came from the cache.
    pub cache_hits: u64,
    /// Finished simulations.
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
    /// Scratch memory of [`Tree::copy_subtree`].
    old_indices: Vec<u32>,
    /// [`Options::in_flight`] simulations, or one if that is 0. Each starts again when it is finished.
    simulations: Vec<Simulation>,
    random: RandomPosition,
    /// The effort of the next search.
    next_effort: Effort,
    /// The effort of this search.
    effort: Effort,
    /// Used by Gumbel search only.
    halving: SequentialHalving,
    /// How many simulations this search has started. The evaluation of a new root does not count.
    started: u32,
    /// How many of them are finished.
    finished: u32,
    /// Whether the search is unfinished.
    is_busy: bool,
}

/// How much a search does.
#[derive(Clone, Copy)]
struct Effort {
    /// How many simulations the search runs.
    simulations: u32,
    /// Exploration at the root.
    noise: Noise,
}

/// A batch of tree searches that share an evaluator.
pub struct SearchBatch<G: Game> {
    options: Options,
    /// See [`Context::cumulative`].
    cumulative: Vec<f32>,
    searches: Vec<Search<G>>,
    cache: Cache,
    embedding_size: usize,
    values: ValueRequests<G>,
    policies: PolicyRequests<G>,
    /// Simulations that wait for values, whose backup ends the round: (index of the search, index of its
    /// simulation). Those that wait for a policy are not here, because they resume in the next round.
    waiting: Vec<(u32, u32)>,
    /// Scratch memory of [`add_dirichlet_noise`].
    noise: Vec<f32>,
    scratch: G::Scratch,
    counts: SearchCounts,
}

impl<G: Game> SearchBatch<G> {
    /// Creates a batch of `searches` trees. `embedding_size` must be the evaluator's. The cache of
    /// evaluations has 2^`cache_bits` slots; `None` disables it.
    pub fn new(
        game: &G,
        searches: usize,
        options: Options,
        embedding_size: usize,
        cache_bits: Option<u32>,
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
        let nodes_per_simulation = if options.chance == crate::Chance::Exhaustive { outcomes } else { 1 };
        // Twice, because a reused subtree can be as large as a whole search; and one more for the root.
        let nodes = 2 * (options.simulations as usize + 1) * nodes_per_simulation;
        let in_flight = options.in_flight.max(1) as usize;
        let search = |_| Search {
            tree: Tree::new(nodes, outcomes, embedding_size),
            spare: Tree::new(nodes, outcomes, embedding_size),
            old_indices: Vec::with_capacity(nodes),
            simulations: vec![Simulation::new(); in_flight],
            random: RandomPosition::default(),
            next_effort: Effort { simulations: options.simulations, noise: options.noise },
            effort: Effort { simulations: options.simulations, noise: options.noise },
            halving: SequentialHalving::new(options.simulations),
            started: 0,
            finished: 0,
            is_busy: false,
        };
        // The most simulations that can wait for the evaluator in one round.
        let rows = searches * in_flight;
        Self {
            options,
            cumulative,
            searches: (0..searches).map(search).collect(),
            cache: Cache::new(cache_bits, embedding_size),
            embedding_size,
            values: ValueRequests::new(rows * nodes_per_simulation, embedding_size),
            policies: PolicyRequests::new(rows, embedding_size),
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

    /// Changes the options from the next search on. The number of simulations in flight per tree stays as it
    /// is.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        for search in &mut self.searches {
            search.next_effort = Effort { simulations: options.simulations, noise: options.noise };
        }
    }

    /// Sets simulations and noise of tree `i` from its next search on, in place of those of the options.
    pub fn set_effort(&mut self, i: usize, simulations: u32, noise: Noise) {
        self.searches[i].next_effort = Effort { simulations, noise };
    }

    /// Clears the cache and all trees. Must be called whenever the evaluator changes.
    pub fn clear(&mut self) {
        self.cache.clear();
        for search in &mut self.searches {
            search.tree.clear();
            search.is_busy = false;
        }
    }

    /// Returns the counters and resets them.
    pub fn take_counts(&mut self) -> SearchCounts {
        std::mem::take(&mut self.counts)
    }

    /// Begins a search in tree `i`. `index` identifies the search and selects its random numbers.
    pub fn begin(&mut self, game: &G, i: usize, state: G::State, index: u64) {
        let search = &mut self.searches[i];
        search.tree.clear();
        search.tree.add_node(state);
        self.start(game, i, index);
    }

    /// Begins a search of the state after the root's play with index `play` and the chance outcome `chance`.
    /// Reuses the subtree below that state, if it was visited.
    pub fn begin_after(&mut self, game: &G, i: usize, play: usize, chance: usize, index: u64) {
        let search = &mut self.searches[i];
        let edge = search.tree.edges_of(0).start + play;
        let visited = search.tree.edges.chance_node[edge] != NONE;
        let child = if visited { search.tree.children[search.tree.first_slot(edge) + chance] } else { NONE };
        if child == NONE {
            let state = game.next_state(&search.tree.edges.play[edge], chance);
            return self.begin(game, i, state, index);
        }
        search.tree.copy_subtree(child, &mut search.spare, &mut search.old_indices);
        std::mem::swap(&mut search.tree, &mut search.spare);
        self.start(game, i, index);
    }

    /// Starts the search of tree `i`, whose root is in place.
    fn start(&mut self, game: &G, i: usize, index: u64) {
        let search = &mut self.searches[i];
        // Chance outcomes use the even indices of the stream, exploration noise at the root the odd ones.
        search.random = RandomPosition { index: 2 * index, drawn: 0 };
        (search.started, search.finished) = (0, 0);
        search.effort = search.next_effort;
        // The previous search may have been abandoned with simulations in flight.
        search.simulations.iter_mut().for_each(Simulation::reset);
        if search.tree.nodes.first_edge[0] == NONE {
            let context = Context { game, options: &self.options, cumulative: &self.cumulative };
            expand(&mut search.tree, 0, &context, &mut search.random, &mut self.scratch);
        }
        // With a single play there is nothing to search.
        search.is_busy = search.tree.edges_of(0).len() > 1;
        if search.is_busy && search.tree.nodes.policy[0] == Policy::Known {
            self.prepare_root(i);
        }
    }

    /// Starts the exploration noise at a root whose priors are known.
    fn prepare_root(&mut self, i: usize) {
        let search = &mut self.searches[i];
        let Effort { simulations, noise } = search.effort;
        // The odd index behind that of the chance outcomes.
        let index = search.random.index + 1;
        match noise {
            Noise::None => {}
            Noise::Dirichlet { alpha, fraction } => {
                let mixture = (alpha, fraction);
                add_dirichlet_noise(&mut search.tree, mixture, self.options.stream, index, &mut self.noise);
            }
            Noise::Gumbel { considered } => {
                search.halving.begin(&search.tree, &self.options, simulations, considered, index);
            }
        }
    }

    /// Whether search `i` is unfinished. A search with a single play is finished as soon as it begins.
    pub fn busy(&self, i: usize) -> bool {
        self.searches[i].is_busy
    }

    /// Runs one round: all trees descend, then the evaluator gets one batch. Returns whether any search is
    /// unfinished.
    pub fn round(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) -> bool {
        self.begin_round(game);
        self.end_round(game, evaluator)
    }

    /// The first part of a round: all trees descend. Then [`SearchBatch::requests`] are what the evaluator
    /// has to answer in [`SearchBatch::end_round`], for callers that evaluate elsewhere meanwhile, such as on
    /// a GPU.
    pub fn begin_round(&mut self, game: &G) {
        for i in 0..self.searches.len() {
            if self.searches[i].is_busy {
                self.descend_all(game, i);
            }
        }
    }

    /// The states whose value is needed, and those whose policy is needed, between the two parts of a round.
    pub fn requests(&self) -> (&[G::State], PolicyRequest<'_, G>) {
        let PolicyRequests { states, embeddings, plays, ranges, .. } = &self.policies;
        (&self.values.states, PolicyRequest { states, embeddings, plays, ranges })
    }

    /// The second part of a round: the evaluator answers the requests, each kind with one call unless there
    /// are none. Returns whether any search is unfinished.
    pub fn end_round(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) -> bool {
        self.evaluate_values(evaluator);
        self.evaluate_policies(evaluator);
        let context = Context { game, options: &self.options, cumulative: &self.cumulative };
        for (search, simulation) in self.waiting.drain(..) {
            let search = &mut self.searches[search as usize];
            let simulation = &mut search.simulations[simulation as usize];
            // The evaluation of the root (node 0) does not count as a simulation.
            let is_root_evaluation = simulation.wait == Wait::Values { first: 0, count: 1 };
            // Simulations that reach the end of a game never wait, so there is no terminal value here.
            back_up(&mut search.tree, simulation, &context, None);
            search.finished += u32::from(!is_root_evaluation);
            self.counts.simulations += u64::from(!is_root_evaluation);
        }
        let mut any_busy = false;
        for search in &mut self.searches {
            search.is_busy = search.is_busy && search.finished < search.effort.simulations;
            any_busy |= search.is_busy;
        }
        any_busy
    }

    /// Runs rounds until all searches are finished.
    pub fn run(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) {
        while self.round(game, evaluator) {}
    }

    /// Advances the simulations of tree `i` until each waits for the evaluator.
    fn descend_all(&mut self, game: &G, i: usize) {
        let is_gumbel = matches!(self.searches[i].effort.noise, Noise::Gumbel { .. });
        for simulation_index in 0..self.searches[i].simulations.len() {
            // A descent that ends the game needs no evaluation, so the simulation starts again.
            loop {
                let search = &mut self.searches[i];
                let simulation = &mut search.simulations[simulation_index];
                let root_is_evaluated = search.tree.nodes.visits[0] > 0;
                // A simulation that waited for a policy resumes where it stopped. All others start at the
                // root.
                let resumes = simulation.wait == Wait::Policy;
                if !resumes {
                    if search.started == search.effort.simulations {
                        break;
                    }
                    // The evaluation of a new root is no simulation.
                    search.started += u32::from(root_is_evaluated);
                    simulation.current_node = 0;
                    if is_gumbel && search.tree.nodes.policy[0] == Policy::Known {
                        search.halving.prepare_simulation(&search.tree, search.started - 1);
                    }
                }
                simulation.wait = Wait::Idle;
                let context = Context { game, options: &self.options, cumulative: &self.cumulative };
                let halving = is_gumbel.then_some(&search.halving);
                match descend(
                    &mut search.tree,
                    simulation,
                    &context,
                    &mut search.random,
                    &mut self.scratch,
                    halving,
                ) {
                    Stop::NeedsEvaluation => {
                        self.request(game, i, simulation_index);
                        break;
                    }
                    Stop::Terminal(value) => {
                        back_up(&mut search.tree, simulation, &context, Some(value));
                        search.finished += 1;
                        self.counts.simulations += 1;
                    }
                    Stop::Collision => {
                        abort(&mut search.tree, simulation);
                        search.started -= u32::from(root_is_evaluated);
                        // Simulations that start after this one would select the same path. Those that resume
                        // can do so in the next round.
                        return;
                    }
                }
            }
        }
    }

    /// Queues the evaluation that a simulation of tree `i` waits for.
    fn request(&mut self, game: &G, i: usize, simulation_index: usize) {
        let Search { tree, simulations, .. } = &mut self.searches[i];
        let (search, simulation) = (i as u32, simulation_index as u32);
        match simulations[simulation_index].wait {
            Wait::Idle => {}
            Wait::Values { first, count } => {
                self.waiting.push((search, simulation));
                for node in first..first + count {
                    let state = tree.nodes.state[node as usize];
                    let key = mix(game.key(&state));
                    if let Some((value, embedding)) = self.cache.get(key) {
                        tree.set_evaluation(node, value, embedding);
                        self.counts.cache_hits += 1;
                    } else {
                        self.values.origins.push(ValueOrigin { search, node, cache_key: key });
                        self.values.states.push(state);
                    }
                }
            }
            Wait::Policy => {
                let requests = &mut self.policies;
                let node = simulations[simulation_index].current_node;
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

    /// Evaluates the queued states and stores the results in their nodes and in the cache.
    fn evaluate_values(&mut self, evaluator: &mut impl Evaluator<G>) {
        let ValueRequests { origins, states, values, embeddings } = &mut self.values;
        if states.is_empty() {
            return;
        }
        values.resize(states.len(), 0.0);
        embeddings.resize(states.len() * self.embedding_size, 0.0);
        evaluator.values(states, values, embeddings);
        for (k, ValueOrigin { search, node, cache_key }) in origins.drain(..).enumerate() {
            let embedding = &embeddings[k * self.embedding_size..][..self.embedding_size];
            self.searches[search as usize].tree.set_evaluation(node, values[k], embedding);
            self.cache.put(cache_key, values[k], embedding);
        }
        self.counts.values += states.len() as u64;
        states.clear();
    }

    /// Evaluates the queued policies and stores them as the priors of the edges.
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
            let row = &mut self.policies.logits[self.policies.ranges[k].clone()];
            // In place: the logits of the state become its priors.
            softmax(row, row.len());
            let tree = &mut self.searches[search as usize].tree;
            let edges = tree.edges_of(node);
            tree.edges.prior[edges].copy_from_slice(row);
            tree.nodes.policy[node as usize] = Policy::Known;
            if node == 0 {
                self.prepare_root(search as usize);
            }
        }
        self.policies.clear();
    }

    /// The result of search `i`.
    pub fn root(&self, i: usize) -> Root<'_, G> {
        let Search { tree, halving, effort, .. } = &self.searches[i];
        let is_gumbel = matches!(effort.noise, Noise::Gumbel { .. });
        Root { tree, halving: is_gumbel.then_some(halving) }
    }
}
