//! Many trees grown together: in a round every tree goes as far as it can, then the evaluator is asked once for all.
//!
//! With one simulation in flight a tree is exactly what it would be alone, however many grow beside it; batches come from
//! the number of trees. Where there is but one tree, several simulations at a time fill them.
//!
//! Trees, paths and questions live in arrays that keep their room from search to search, so that a warm batch allocates
//! nothing.

use std::ops::Range;

use learnery_kernels::activation::softmax;

use crate::Game;
use crate::cache::{Cache, mix};
use crate::descent::{Draws, Flight, Rules, Stop, Wait, expand, fly, land, turn_back};
use crate::evaluator::{Evaluator, PolicyRequest};
use crate::options::{Noise, Options};
use crate::root::{Tournament, disturb, improved_policy};
use crate::tree::{NONE, Policy, Tree};

/// Plays for each state whose policy is asked for, after which the room for them has to grow.
const PLAYS: usize = 32;

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// States that were judged.
    pub values: u64,
    /// States whose policy was worked out.
    pub policies: u64,
    /// States that the cache knew.
    pub cache_hits: u64,
    /// Simulations.
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

/// One tree with all that belongs to its search.
struct Search<G: Game> {
    tree: Tree<G>,
    /// Where the part of the tree goes that is kept for the next search.
    spare: Tree<G>,
    /// Which old node a kept one was.
    from: Vec<u32>,
    flights: Vec<Flight>,
    draws: Draws,
    tournament: Tournament,
    started: u32,
    finished: u32,
    /// Whether there is more to do.
    busy: bool,
}

/// Trees that are searched together.
pub struct SearchBatch<G: Game> {
    options: Options,
    /// See [`Rules::cumulative`].
    cumulative: Vec<f32>,
    searches: Vec<Search<G>>,
    cache: Cache,
    width: usize,
    values: ValueQuestions<G>,
    policies: PolicyQuestions<G>,
    /// Simulations that wait for values.
    waiting: Vec<(u32, u32)>,
    noise: Vec<f32>,
    scratch: G::Scratch,
    counts: SearchCounts,
}

/// States to be judged.
struct ValueQuestions<G: Game> {
    /// Search, node and key of each.
    whose: Vec<(u32, u32, u64)>,
    states: Vec<G::State>,
    values: Vec<f32>,
    kept: Vec<f32>,
}

/// States whose policy is wanted.
struct PolicyQuestions<G: Game> {
    /// Search and node of each.
    whose: Vec<(u32, u32)>,
    states: Vec<G::State>,
    kept: Vec<f32>,
    plays: Vec<G::Play>,
    ranges: Vec<Range<usize>>,
    logits: Vec<f32>,
}

impl<G: Game> SearchBatch<G> {
    /// Room for `searches` trees of a game, whose evaluator keeps `kept` numbers with a state. `cache` is the logarithm
    /// of how many answers are remembered, if any are.
    pub fn new(game: &G, searches: usize, options: Options, kept: usize, cache: Option<u32>) -> Self {
        let mut sum = 0.0;
        let cumulative: Vec<f32> = game
            .chance_probabilities()
            .iter()
            .map(|p| {
                sum += p;
                sum
            })
            .collect();
        let chances = cumulative.len();
        let per_simulation = if options.chance == crate::Chance::Exhaustive { chances } else { 1 };
        // A tree keeps what the last search left below its new root.
        let nodes = 2 * (options.simulations as usize + 1) * per_simulation;
        let flights = options.in_flight.max(1) as usize;
        let search = |_| Search {
            tree: Tree::new(nodes, chances, kept),
            spare: Tree::new(nodes, chances, kept),
            from: Vec::with_capacity(nodes),
            flights: vec![Flight::new(); flights],
            draws: Draws::default(),
            tournament: Tournament::new(options.simulations),
            started: 0,
            finished: 0,
            busy: false,
        };
        let rows = searches * flights;
        Self {
            options,
            cumulative,
            searches: (0..searches).map(search).collect(),
            cache: Cache::new(cache, kept),
            width: kept,
            values: ValueQuestions {
                whose: Vec::with_capacity(rows * per_simulation),
                states: Vec::with_capacity(rows * per_simulation),
                values: Vec::with_capacity(rows * per_simulation),
                kept: Vec::with_capacity(rows * per_simulation * kept),
            },
            policies: PolicyQuestions {
                whose: Vec::with_capacity(rows),
                states: Vec::with_capacity(rows),
                kept: Vec::with_capacity(rows * kept),
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

    /// Trees there is room for.
    pub fn len(&self) -> usize {
        self.searches.len()
    }

    /// Whether there is room for none.
    pub fn is_empty(&self) -> bool {
        self.searches.is_empty()
    }

    /// Other dials, from the next search on.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Forgets all answers and trees, as it must when the evaluator changes.
    pub fn clear(&mut self) {
        self.cache.clear();
        for search in &mut self.searches {
            search.tree.clear();
            search.busy = false;
        }
    }

    /// What was done since the last time this was asked.
    pub fn take_counts(&mut self) -> SearchCounts {
        std::mem::take(&mut self.counts)
    }

    /// Begins a search in tree `i`. `index` says which of all searches it is: the random numbers depend on it.
    pub fn begin(&mut self, game: &G, i: usize, state: G::State, index: u64) {
        let search = &mut self.searches[i];
        search.tree.clear();
        search.tree.add_node(state);
        self.launch(game, i, index);
    }

    /// The same after play `play` of the root and what chance did then. What the last search found below is kept.
    pub fn begin_after(&mut self, game: &G, i: usize, play: usize, chance: usize, index: u64) {
        let search = &mut self.searches[i];
        let edge = search.tree.edges_of(0).start + play;
        let there = search.tree.edges.block[edge] != NONE;
        let child = if there { search.tree.children[search.tree.block(edge) + chance] } else { NONE };
        if child == NONE {
            let state = game.next_state(&search.tree.edges.play[edge], chance);
            return self.begin(game, i, state, index);
        }
        search.tree.copy_below(child, &mut search.spare, &mut search.from);
        std::mem::swap(&mut search.tree, &mut search.spare);
        self.launch(game, i, index);
    }

    fn launch(&mut self, game: &G, i: usize, index: u64) {
        let search = &mut self.searches[i];
        // Chance in the tree and noise at the root draw from blocks of their own.
        search.draws = Draws { index: 2 * index, drawn: 0 };
        (search.started, search.finished) = (0, 0);
        // A search may be given up half way.
        search.flights.iter_mut().for_each(Flight::stop);
        if search.tree.nodes.first[0] == NONE {
            let rules = Rules { game, options: &self.options, cumulative: &self.cumulative };
            expand(&mut search.tree, 0, &rules, &mut search.draws, &mut self.scratch);
        }
        // Where there is nothing to choose there is nothing to search.
        search.busy = search.tree.edges_of(0).len() > 1;
        if search.busy && search.tree.nodes.policy[0] == Policy::Known {
            self.root_is_ready(i);
        }
    }

    /// The plays of a root have their priors.
    fn root_is_ready(&mut self, i: usize) {
        let search = &mut self.searches[i];
        let index = search.draws.index + 1;
        match self.options.noise {
            Noise::None => {}
            Noise::Dirichlet { .. } => disturb(&mut search.tree, &self.options, index, &mut self.noise),
            Noise::Gumbel { considered } => {
                search.tournament.begin(&search.tree, &self.options, considered, index);
            }
        }
    }

    /// Whether search `i` has more to do.
    pub fn busy(&self, i: usize) -> bool {
        self.searches[i].busy
    }

    /// Lets every tree go as far as it can and asks the evaluator for what they want to know. Returns whether there is
    /// more to do.
    pub fn round(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) -> bool {
        for i in 0..self.searches.len() {
            if self.searches[i].busy {
                self.go(game, i);
            }
        }
        self.ask_values(evaluator);
        self.ask_policies(evaluator);
        let rules = Rules { game, options: &self.options, cumulative: &self.cumulative };
        for (search, flight) in self.waiting.drain(..) {
            let search = &mut self.searches[search as usize];
            let flight = &mut search.flights[flight as usize];
            // To judge the root is no simulation.
            let counts = flight.wait != Wait::Values(0, 1);
            land(&mut search.tree, flight, &rules, None);
            search.finished += u32::from(counts);
            self.counts.simulations += u64::from(counts);
        }
        let mut more = false;
        for search in &mut self.searches {
            search.busy = search.busy && search.finished < self.options.simulations;
            more |= search.busy;
        }
        more
    }

    /// Searches until every tree is done.
    pub fn run(&mut self, game: &G, evaluator: &mut impl Evaluator<G>) {
        while self.round(game, evaluator) {}
    }

    /// Lets the simulations of one tree go until each has to wait.
    fn go(&mut self, game: &G, i: usize) {
        let gumbel = matches!(self.options.noise, Noise::Gumbel { .. });
        for f in 0..self.searches[i].flights.len() {
            loop {
                let search = &mut self.searches[i];
                let flight = &mut search.flights[f];
                let judged = search.tree.nodes.visits[0] > 0;
                let under_way = !flight.path.is_empty() || (judged && flight.wait == Wait::Policy);
                if !under_way {
                    if search.started == self.options.simulations {
                        break;
                    }
                    search.started += u32::from(judged);
                    flight.at = 0;
                    if gumbel && search.tree.nodes.policy[0] == Policy::Known {
                        search.tournament.go_on(&search.tree, search.started - 1);
                    }
                }
                flight.wait = Wait::Idle;
                let rules = Rules { game, options: &self.options, cumulative: &self.cumulative };
                let tournament = gumbel.then_some(&search.tournament);
                match fly(&mut search.tree, flight, &rules, &mut search.draws, &mut self.scratch, tournament)
                {
                    Stop::Asks => {
                        self.note(game, i, f);
                        break;
                    }
                    Stop::End(value) => {
                        land(&mut search.tree, flight, &rules, Some(value));
                        search.finished += 1;
                        self.counts.simulations += 1;
                    }
                    Stop::Behind => {
                        turn_back(&mut search.tree, flight);
                        search.started -= u32::from(judged);
                        // The others would follow the same way.
                        return;
                    }
                }
            }
        }
    }

    /// Notes down what a simulation asks.
    fn note(&mut self, game: &G, i: usize, f: usize) {
        let Search { tree, flights, .. } = &mut self.searches[i];
        let (search, flight) = (i as u32, f as u32);
        match flights[f].wait {
            Wait::Idle => {}
            Wait::Values(first, count) => {
                self.waiting.push((search, flight));
                for node in first..first + count {
                    let state = tree.nodes.state[node as usize];
                    let key = mix(game.key(&state));
                    if let Some((value, kept)) = self.cache.get(key) {
                        tree.judge(node, value, kept);
                        self.counts.cache_hits += 1;
                    } else {
                        self.values.whose.push((search, node, key));
                        self.values.states.push(state);
                    }
                }
            }
            Wait::Policy => {
                let questions = &mut self.policies;
                let (node, range) = (flights[f].at, tree.edges_of(flights[f].at));
                let first = questions.plays.len();
                questions.whose.push((search, node));
                questions.states.push(tree.nodes.state[node as usize]);
                questions.kept.extend_from_slice(tree.kept(node));
                questions.plays.extend_from_slice(&tree.edges.play[range]);
                questions.ranges.push(first..questions.plays.len());
            }
        }
    }

    fn ask_values(&mut self, evaluator: &mut impl Evaluator<G>) {
        let ValueQuestions { whose, states, values, kept } = &mut self.values;
        if states.is_empty() {
            return;
        }
        values.resize(states.len(), 0.0);
        kept.resize(states.len() * self.width, 0.0);
        evaluator.values(states, values, kept);
        for (k, (search, node, key)) in whose.drain(..).enumerate() {
            let kept = &kept[k * self.width..][..self.width];
            self.searches[search as usize].tree.judge(node, values[k], kept);
            self.cache.put(key, values[k], kept);
        }
        self.counts.values += states.len() as u64;
        states.clear();
    }

    fn ask_policies(&mut self, evaluator: &mut impl Evaluator<G>) {
        if self.policies.states.is_empty() {
            return;
        }
        let PolicyQuestions { states, kept, plays, ranges, logits, .. } = &mut self.policies;
        logits.resize(plays.len(), 0.0);
        evaluator.logits(PolicyRequest { states, embeddings: kept, plays, ranges }, logits);
        self.counts.policies += states.len() as u64;
        for k in 0..self.policies.whose.len() {
            let (search, node) = self.policies.whose[k];
            let logits = &mut self.policies.logits[self.policies.ranges[k].clone()];
            softmax(logits, logits.len());
            let tree = &mut self.searches[search as usize].tree;
            let edges = tree.edges_of(node);
            tree.edges.prior[edges].copy_from_slice(logits);
            tree.nodes.policy[node as usize] = Policy::Known;
            if node == 0 {
                self.root_is_ready(search as usize);
            }
        }
        let PolicyQuestions { whose, states, kept, plays, ranges, .. } = &mut self.policies;
        whose.clear();
        states.clear();
        kept.clear();
        plays.clear();
        ranges.clear();
    }

    /// What search `i` found.
    pub fn root(&self, i: usize) -> Root<'_, G> {
        let gumbel = matches!(self.options.noise, Noise::Gumbel { .. });
        Root { search: &self.searches[i], gumbel }
    }
}

/// The root of a tree, and what was found there.
pub struct Root<'a, G: Game> {
    search: &'a Search<G>,
    gumbel: bool,
}

impl<'a, G: Game> Root<'a, G> {
    /// Its plays.
    pub fn plays(&self) -> &'a [G::Play] {
        &self.search.tree.edges.play[self.search.tree.edges_of(0)]
    }

    /// How often each was tried.
    pub fn visits(&self) -> &'a [u32] {
        &self.search.tree.edges.visits[self.search.tree.edges_of(0)]
    }

    /// What the policy, with noise if there is any, says of each.
    pub fn priors(&self) -> &'a [f32] {
        &self.search.tree.edges.prior[self.search.tree.edges_of(0)]
    }

    /// The mean of what was found after a play, for the side that plays; none where it was never tried.
    pub fn value_of(&self, play: usize) -> Option<f32> {
        let edges = &self.search.tree.edges;
        let edge = self.search.tree.edges_of(0).start + play;
        (edges.visits[edge] > 0).then(|| edges.sum[edge] / edges.visits[edge] as f32)
    }

    /// The mean of all that was found, for the side to move; none where there was nothing to choose, hence no search.
    pub fn value(&self) -> Option<f32> {
        let tree = &self.search.tree;
        (tree.nodes.visits[0] > 0).then(|| tree.value(0))
    }

    /// The play to make where nothing is left to luck: the most visited, and of those the best; the winner of a
    /// tournament where there was one.
    pub fn best(&self) -> usize {
        let range = self.search.tree.edges_of(0);
        if self.gumbel && range.len() > 1 {
            return self.search.tournament.winner(&self.search.tree) - range.start;
        }
        let rank = |play: usize| (self.visits()[play], self.value_of(play).unwrap_or(f32::NEG_INFINITY));
        (1..range.len()).fold(0, |best, play| {
            let ((visits, value), (most, highest)) = (rank(play), rank(best));
            if visits > most || (visits == most && value > highest) { play } else { best }
        })
    }

    /// The policy that was found: shares of visits, or after a tournament what prior and values say together.
    /// `out` has a place for each play.
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
