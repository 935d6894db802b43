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
        let (turns_remain, wanted) = match &mut self.request {
            None => search(context, groups, groups.iter().map(|_| None).collect()),
            Some(request) => {
                let Some(arrived) = request.poll()? else { return Ok(false) };
                search(context, groups, request.deal(&arrived, context).map(Some).collect())
            }
        };
        self.is_done = !turns_remain;
        self.request = turns_remain.then(|| Request::submit(evaluator, context, &wanted));
        Ok(true)
    }
}

/// What the searches of a group wait for: positions whose outcome probabilities are needed, and outputs of the trunk whose
/// policy is needed.
type Wanted = (Vec<Position>, Vec<f32>);

/// Gives the answers to the searches of each group, plays the turns that are decided, and lets the searches descend.
/// Returns whether turns remain, and what the searches wait for. One pass over the groups does all of it, because waking
/// the threads for each part would take longer than the parts do.
fn search(context: &Context, groups: &mut [GameGroup], answers: Vec<Option<Answers>>) -> (bool, Vec<Wanted>) {
    let has_policy_head = policy_head(&context.network.plan).is_some();
    let groups = groups.par_iter_mut().with_max_len(1).zip(answers);
    let searched: Vec<(bool, Wanted)> = groups
        .map(|(group, answers)| {
            let turns_remain = answers.is_none_or(|mut answers| group.end_round(context, &mut answers));
            group.begin_round();
            (turns_remain, wanted(group, has_policy_head))
        })
        .collect();
    let turns_remain = searched.iter().any(|(turns_remain, _)| *turns_remain);
    (turns_remain, searched.into_iter().map(|(_, wanted)| wanted).collect())
}

fn wanted(group: &GameGroup, has_policy_head: bool) -> Wanted {
    let (turns, policies) = group.requests();
    let turns = turns.iter().map(|turn| packed(&turn.board, Some(turn.dice)));
    if has_policy_head {
        return (turns.collect(), policies.embeddings.to_vec());
    }
    let plays = policies.plays.iter().filter(|board| Outcomes::exact(board).is_none());
    (turns.chain(plays.map(|board| packed(board, None))).collect(), Vec::new())
}

impl Request {
    /// Submits what the searches of all groups wait for.
    fn submit(evaluator: &Evaluator, context: &Context, wanted: &[Wanted]) -> Self {
        let width = embedding_size(&context.network.plan).max(1);
        let positions: Vec<&[Position]> = wanted.iter().map(|(positions, _)| &positions[..]).collect();
        let embeddings: Vec<&[f32]> = wanted.iter().map(|(_, embeddings)| &embeddings[..]).collect();
        let [outcomes, trunks] = evaluator.submit_values(&positions.concat());
        Self {
            positions: positions.iter().map(|positions| positions.len()).collect(),
            policies: embeddings.iter().map(|embeddings| embeddings.len() / width).collect(),
            outcomes,
            trunks,
            tables: evaluator.submit_policies(&embeddings.concat()),
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

    /// The answers to the request of each group.
    fn deal<'a>(
        &'a self,
        [outcomes, trunks, tables]: &'a [Vec<f32>; 3],
        context: &Context,
    ) -> impl Iterator<Item = Answers<'a>> {
        let width = embedding_size(&context.network.plan);
        let has_policy_head = policy_head(&context.network.plan).is_some();
        let mut rest = Answers { outcomes: outcomes.as_chunks().0, trunks, tables, width, has_policy_head };
        let sizes = self.positions.iter().zip(&self.policies);
        sizes.map(move |(positions, policies)| rest.take(*positions, *policies))
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
