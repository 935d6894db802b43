//! Half of the self-play games: their searches run on the CPU and wait for the device together.

use learnery_gpu::GpuError;
use learnery_gpu::resnet::{Evaluator, OUTCOMES, Pending, Position};
use learnery_search::{Backgammon, Evaluator as SearchEvaluator, PolicyRequest, Turn};
use learnery_worlds::backgammon::Board;
use rayon::prelude::*;

use super::packed;
use crate::alphazero::network::{embedding_size, policy_head, search_value};
use crate::alphazero::policy::{self, TABLE};
use crate::alphazero::self_play::{Context, GameGroup};
use crate::outcomes::Outcomes;

/// The state of half of the games in a unit.
#[derive(Debug, Default)]
pub struct Half {
    /// Whether all turns of the unit are played.
    is_done: bool,
    /// What the searches wait for; `None` at the beginning of a unit.
    request: Option<Request>,
}

/// A request of all groups of a half: positions, group after group.
#[derive(Debug)]
struct Request {
    /// The positions of each group: first those whose value is needed, then the afterstates of plays whose logit follows
    /// from their value.
    positions: Vec<usize>,
    /// The states of each group whose policy comes from the policy head.
    policies: Vec<usize>,
    outcomes: Pending,
    trunks: Pending,
    tables: Pending,
    /// What has arrived.
    answers: [Option<Vec<f32>>; 3],
}

impl Half {
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    pub fn begin_unit(&mut self) {
        *self = Self::default();
    }

    /// If the device has answered the last request: gives the answers to the searches, lets them descend, and submits the
    /// next request. Returns whether anything was done.
    pub fn advance(
        &mut self,
        evaluator: &Evaluator,
        context: &Context,
        groups: &mut [GameGroup],
    ) -> Result<bool, GpuError> {
        if self.is_done {
            return Ok(false);
        }
        if let Some(request) = &mut self.request {
            let Some(answers) = request.poll()? else { return Ok(false) };
            let turns_remain = request.answer(&answers, context, groups);
            self.request = None;
            if !turns_remain {
                self.is_done = true;
                return Ok(true);
            }
        }
        self.request = Some(Request::submit(evaluator, context, groups));
        Ok(true)
    }
}

impl Request {
    /// Lets the searches of all groups descend, and submits what they wait for.
    fn submit(evaluator: &Evaluator, context: &Context, groups: &mut [GameGroup]) -> Self {
        let has_policy_head = policy_head(&context.network.plan).is_some();
        let requests: Vec<(Vec<Position>, Vec<f32>)> = groups
            .par_iter_mut()
            .with_max_len(1)
            .map(|group| {
                group.begin_round();
                let (turns, policies) = group.requests();
                let turns = turns.iter().map(|turn| packed(&turn.board, Some(turn.dice)));
                if has_policy_head {
                    return (turns.collect(), policies.embeddings.to_vec());
                }
                let plays = policies.plays.iter().filter(|board| Outcomes::exact(board).is_none());
                (turns.chain(plays.map(|board| packed(board, None))).collect(), Vec::new())
            })
            .collect();
        let width = embedding_size(&context.network.plan).max(1);
        let positions: Vec<Position> =
            requests.iter().flat_map(|(positions, _)| positions).copied().collect();
        let embeddings: Vec<f32> = requests.iter().flat_map(|(_, embeddings)| embeddings).copied().collect();
        let [outcomes, trunks] = evaluator.submit_values(&positions);
        Self {
            positions: requests.iter().map(|(positions, _)| positions.len()).collect(),
            policies: requests.iter().map(|(_, embeddings)| embeddings.len() / width).collect(),
            outcomes,
            trunks,
            tables: evaluator.submit_policies(&embeddings),
            answers: [None, None, None],
        }
    }

    /// The answers, once all of them have arrived: outcome probabilities, outputs of the trunk, policy tables.
    fn poll(&mut self) -> Result<Option<[Vec<f32>; 3]>, GpuError> {
        let Self { outcomes, trunks, tables, answers, .. } = self;
        for (pending, answer) in [outcomes, trunks, tables].into_iter().zip(&mut *answers) {
            if answer.is_none() {
                *answer = pending.poll()?;
            }
        }
        Ok(answers
            .iter()
            .all(Option::is_some)
            .then(|| answers.each_mut().map(|answer| answer.take().unwrap_or_default())))
    }

    /// Gives the answers to the searches, which play the turns that are decided. Returns whether turns remain.
    fn answer(
        &self,
        [outcomes, trunks, tables]: &[Vec<f32>; 3],
        context: &Context,
        groups: &mut [GameGroup],
    ) -> bool {
        let width = embedding_size(&context.network.plan);
        let has_policy_head = policy_head(&context.network.plan).is_some();
        let mut rest = Answers { outcomes: outcomes.as_chunks().0, trunks, tables, width, has_policy_head };
        let answers: Vec<Answers> = self
            .positions
            .iter()
            .zip(&self.policies)
            .map(|(positions, policies)| rest.take(*positions, *policies))
            .collect();
        let groups = groups.par_iter_mut().with_max_len(1).zip(answers);
        groups
            .map(|(group, mut answers)| group.end_round(context, &mut answers))
            .reduce(|| false, |a, b| a | b)
    }
}

/// The device's answers to the request of a group, as the evaluator of its searches.
struct Answers<'a> {
    outcomes: &'a [[f32; OUTCOMES]],
    /// Shape: `[states, width]`; empty without a policy head.
    trunks: &'a [f32],
    /// Shape: `[states, TABLE]`; empty without a policy head.
    tables: &'a [f32],
    width: usize,
    has_policy_head: bool,
}

impl<'a> Answers<'a> {
    /// Takes the first answers.
    fn take(&mut self, positions: usize, policies: usize) -> Self {
        let Self { width, has_policy_head, .. } = *self;
        Self {
            outcomes: self.take_outcomes(positions),
            trunks: self.trunks.split_off(..positions * width).unwrap_or_default(),
            tables: self.tables.split_off(..policies * TABLE).unwrap_or_default(),
            width,
            has_policy_head,
        }
    }

    fn take_outcomes(&mut self, positions: usize) -> &'a [[f32; OUTCOMES]] {
        self.outcomes.split_off(..positions).unwrap_or_default()
    }

    /// The logit of a play from the value of its afterstate.
    fn logit_of_afterstate(&mut self, afterstate: &Board) -> f32 {
        let value = Outcomes::exact(afterstate).unwrap_or_else(|| {
            let outcomes = self.outcomes.split_off_first().copied().unwrap_or_default();
            Outcomes(outcomes).clamped_to_possible(afterstate)
        });
        value.policy_logit()
    }
}

impl SearchEvaluator<Backgammon> for Answers<'_> {
    fn embedding_size(&self) -> usize {
        self.width
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], embeddings: &mut [f32]) {
        let outcomes = self.take_outcomes(turns.len());
        values.iter_mut().zip(outcomes).for_each(|(value, outcomes)| *value = search_value(outcomes));
        embeddings.copy_from_slice(&self.trunks[..embeddings.len()]);
    }

    fn logits(&mut self, request: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        if !self.has_policy_head {
            let plays = request.plays.iter().zip(logits);
            return plays.for_each(|(play, logit)| *logit = self.logit_of_afterstate(play));
        }
        let states = request.states.iter().zip(request.ranges).zip(self.tables.chunks_exact(TABLE));
        for ((turn, range), table) in states {
            let plays = request.plays[range.clone()].iter().copied();
            policy::logits(table, &turn.board, plays, &mut logits[range.clone()]);
        }
    }
}
