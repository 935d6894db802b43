//! Half of the self-play games: their searches run on the CPU and wait for the device together.

use learnery_backgammon_play::game::{Backgammon, Turn};
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_gpu::{GpuError, Pending};
use learnery_search::{Evaluator as SearchEvaluator, PolicyRequest};
use learnery_worlds::backgammon::Board;
use rayon::prelude::*;

use super::packed;
use super::resnet::{Evaluator, OUTCOMES, Position};
use crate::alphazero::network::{embedding_size, policy_head, search_value};
use crate::alphazero::policy::{self, TABLE_SIZE};
use crate::alphazero::self_play::{Context, GameGroup};

/// The state of half of the games in a unit.
#[derive(Debug, Default)]
pub struct Half {
    /// Whether all turns of the unit are played.
    is_done: bool,
    /// What the searches wait for; `None` at the beginning of a unit.
    request: Option<Request>,
}

/// A request of all groups of a half, group after group.
#[derive(Debug)]
struct Request {
    /// The number of positions of each group.
    position_counts: Vec<usize>,
    /// The number of states of each group whose policy comes from the policy head.
    policy_counts: Vec<usize>,
    outcomes: Pending,
    embeddings: Pending,
    tables: Pending,
    /// The results that have arrived: outcome probabilities, embeddings, policy tables.
    results: [Option<Vec<f32>>; 3],
}

/// What the searches of a group wait for.
#[derive(Debug)]
struct GroupRequest {
    /// First the positions whose value is needed, then the afterstates of plays whose logit follows from
    /// their value.
    positions: Vec<Position>,
    /// The embeddings (outputs of the trunk) of the states whose policy comes from the policy head.
    /// Shape: `[states, width]`.
    embeddings: Vec<f32>,
}

impl Half {
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    pub fn begin_unit(&mut self) {
        *self = Self::default();
    }

    /// At the beginning of a unit, or once the device has answered: gives the answers to the searches, plays
    /// the turns that are decided, lets the searches descend, and submits the next request. Returns whether
    /// anything was done.
    pub fn advance(
        &mut self,
        evaluator: &Evaluator,
        context: &Context,
        groups: &mut [GameGroup],
    ) -> Result<bool, GpuError> {
        if self.is_done {
            return Ok(false);
        }
        let (turns_remain, requests) = match &mut self.request {
            None => search(context, groups, groups.iter().map(|_| None).collect()),
            Some(request) => {
                let Some(results) = request.poll()? else { return Ok(false) };
                search(context, groups, request.split_by_group(&results, context).map(Some).collect())
            }
        };
        self.is_done = !turns_remain;
        self.request = turns_remain.then(|| Request::submit(evaluator, context, &requests));
        Ok(true)
    }
}

/// The parts of a round of all searches of a group, between which the device answers.
impl GameGroup {
    /// See [`learnery_search::SearchBatch::begin_round`].
    fn begin_round(&mut self) {
        self.batch.begin_round(&Backgammon);
    }

    /// See [`learnery_search::SearchBatch::requests`].
    fn requests(&self) -> (&[Turn], PolicyRequest<'_, Backgammon>) {
        self.batch.requests()
    }

    /// Gives the answers of `evaluator` to the searches, and plays the turns whose searches are complete.
    /// Returns whether turns of this unit remain to be played.
    fn end_round(&mut self, context: &Context, evaluator: &mut impl SearchEvaluator<Backgammon>) -> bool {
        self.batch.end_round(&Backgammon, evaluator);
        self.counts.search += self.batch.take_counts();
        self.play_searched_turns(context)
    }
}

/// Gives the answers to the searches of each group, plays the turns that are decided, and lets the searches
/// descend. Returns whether turns remain, and what the searches of each group wait for. One parallel pass
/// does all of it, because every pass costs waking the threads.
fn search(
    context: &Context,
    groups: &mut [GameGroup],
    answers: Vec<Option<Answers>>,
) -> (bool, Vec<GroupRequest>) {
    let has_policy_head = policy_head(&context.network.plan).is_some();
    let groups = groups.par_iter_mut().with_max_len(1).zip(answers);
    let searched: Vec<(bool, GroupRequest)> = groups
        .map(|(group, answers)| {
            let turns_remain = answers.is_none_or(|mut answers| group.end_round(context, &mut answers));
            group.begin_round();
            (turns_remain, GroupRequest::of(group, has_policy_head))
        })
        .collect();
    let turns_remain = searched.iter().any(|(turns_remain, _)| *turns_remain);
    (turns_remain, searched.into_iter().map(|(_, request)| request).collect())
}

impl GroupRequest {
    fn of(group: &GameGroup, has_policy_head: bool) -> Self {
        let (turns, policies) = group.requests();
        let turns = turns.iter().map(|turn| packed(&turn.board, Some(turn.dice)));
        if has_policy_head {
            return Self { positions: turns.collect(), embeddings: policies.embeddings.to_vec() };
        }
        let plays = policies.plays.iter().filter(|board| Outcomes::exact(board).is_none());
        let positions = turns.chain(plays.map(|board| packed(board, None))).collect();
        Self { positions, embeddings: Vec::new() }
    }
}

impl Request {
    /// Submits what the searches of all groups wait for.
    fn submit(evaluator: &Evaluator, context: &Context, requests: &[GroupRequest]) -> Self {
        let width = embedding_size(&context.network.plan).max(1);
        let positions: Vec<&[Position]> = requests.iter().map(|request| &request.positions[..]).collect();
        let policies: Vec<&[f32]> = requests.iter().map(|request| &request.embeddings[..]).collect();
        let [outcomes, embeddings] = evaluator.submit_values(&positions.concat());
        Self {
            position_counts: positions.iter().map(|positions| positions.len()).collect(),
            policy_counts: policies.iter().map(|embeddings| embeddings.len() / width).collect(),
            outcomes,
            embeddings,
            tables: evaluator.submit_policies(&policies.concat()),
            results: [None, None, None],
        }
    }

    /// The results, once all of them have arrived: outcome probabilities, embeddings, policy tables.
    fn poll(&mut self) -> Result<Option<[Vec<f32>; 3]>, GpuError> {
        let Self { outcomes, embeddings, tables, results, .. } = self;
        for (pending, result) in [outcomes, embeddings, tables].into_iter().zip(&mut *results) {
            if result.is_none() {
                *result = pending.poll()?;
            }
        }
        Ok(results
            .iter()
            .all(Option::is_some)
            .then(|| results.each_mut().map(|result| result.take().unwrap_or_default())))
    }

    /// Splits the results by group.
    fn split_by_group<'a>(
        &'a self,
        [outcomes, embeddings, tables]: &'a [Vec<f32>; 3],
        context: &Context,
    ) -> impl Iterator<Item = Answers<'a>> {
        let width = embedding_size(&context.network.plan);
        let has_policy_head = policy_head(&context.network.plan).is_some();
        let mut rest =
            Answers { outcomes: outcomes.as_chunks().0, embeddings, tables, width, has_policy_head };
        let counts = self.position_counts.iter().zip(&self.policy_counts);
        counts.map(move |(positions, policies)| rest.split_off_group(*positions, *policies))
    }
}

/// Why results cannot be missing: there are as many as were requested.
const COMPLETE: &str = "the device answers everything";

/// The device's answers to the request of a group, as the evaluator of its searches.
struct Answers<'a> {
    outcomes: &'a [[f32; OUTCOMES]],
    /// Shape: `[evaluated positions, width]`; empty without a policy head.
    embeddings: &'a [f32],
    /// Shape: `[states whose policy was requested, TABLE_SIZE]`; empty without a policy head.
    tables: &'a [f32],
    width: usize,
    has_policy_head: bool,
}

impl<'a> Answers<'a> {
    /// Splits off the answers of the next group: to this many positions and policies.
    fn split_off_group(&mut self, positions: usize, policies: usize) -> Self {
        let Self { width, has_policy_head, .. } = *self;
        Self {
            outcomes: self.outcomes.split_off(..positions).expect(COMPLETE),
            embeddings: self.embeddings.split_off(..positions * width).expect(COMPLETE),
            tables: self.tables.split_off(..policies * TABLE_SIZE).expect(COMPLETE),
            width,
            has_policy_head,
        }
    }

    /// The logit of a play from the value of its afterstate.
    fn logit_of_afterstate(&mut self, afterstate: &Board) -> f32 {
        let value = Outcomes::exact(afterstate).unwrap_or_else(|| {
            Outcomes(*self.outcomes.split_off_first().expect(COMPLETE)).clamped_to_possible(afterstate)
        });
        value.policy_logit()
    }
}

impl SearchEvaluator<Backgammon> for Answers<'_> {
    fn embedding_size(&self) -> usize {
        self.width
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], embeddings: &mut [f32]) {
        let outcomes = self.outcomes.split_off(..turns.len()).expect(COMPLETE);
        values.iter_mut().zip(outcomes).for_each(|(value, outcomes)| *value = search_value(outcomes));
        embeddings.copy_from_slice(&self.embeddings[..embeddings.len()]);
    }

    fn logits(&mut self, request: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        if !self.has_policy_head {
            let plays = request.plays.iter().zip(logits);
            return plays.for_each(|(play, logit)| *logit = self.logit_of_afterstate(play));
        }
        let states = request.states.iter().zip(request.ranges).zip(self.tables.chunks_exact(TABLE_SIZE));
        for ((turn, range), table) in states {
            let plays = request.plays[range.clone()].iter().copied();
            policy::logits(table, &turn.board, plays, &mut logits[range.clone()]);
        }
    }
}
