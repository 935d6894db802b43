//! `learnery backgammon`: prints what the backgammon lab's tools answer (a tool is what a lab can do beside
//! learning, `lab::Tool`). `plays`, `eval` and `best`, and `cube` without a position, answer each line of
//! standard input with a line of standard output. `scores` and `table` are short enough to stand here too;
//! the others have files of their own, `backgammon_*.rs`.

use anyhow::Result;
use learnery_lab::{AskAgain, Job};
use learnery_labs::backgammon::{
    BestInput, BestOutput, ChooseBest, CubeAtScores, CubeDecision, CubeInput, EvaluateInput, EvaluateOutput,
    EvaluatePosition, LegalPlaysInput, LegalPlaysOutput, ListLegalPlays, MatchTable, ScoresInput, TableInput,
};

use super::ask::{self, Source, refused, sentence};
use crate::args::{BackgammonArgs, BackgammonCommand, BackgammonCubeArgs};
use crate::commands::backgammon_analyse::analyse;
use crate::commands::backgammon_duel::duel;
use crate::commands::backgammon_match::play_match;
use crate::commands::backgammon_rates::{match_table_text, rates};
use crate::commands::backgammon_rollout::rollout;
use crate::commands::backgammon_serve::serve;
use crate::run::stop::StopSignal;
use crate::terminal::{lines, stdout, table};

/// The position ID of the start position. A tool's job begins with a position, so that its other inputs are
/// checked before the first line is read; each line then replaces the position.
const START: &str = "4HPwATDgc/ABMA";

pub fn backgammon(args: &BackgammonArgs) -> Result<()> {
    match &args.command {
        BackgammonCommand::Plays { list } => plays(*list),
        BackgammonCommand::Eval { network, inputs } => {
            let input = EvaluateInput { position: START.into(), ..inputs.input()? };
            let mut job = Source::read(&network.checkpoint)?.begin::<EvaluatePosition>(input.clone())?;
            lines::answer_text(|line| {
                answer(&mut job, EvaluateInput { position: line.into(), ..input })
                    .map(|value| value_line(&value))
            })
        }
        // `--notation` was an option while the play was not always written; it is still accepted.
        BackgammonCommand::Best { network, inputs, notation: _ } => {
            let input = BestInput { position: START.into(), ..inputs.input()? };
            let mut job = Source::read(&network.checkpoint)?.begin::<ChooseBest>(input.clone())?;
            lines::answer_text(|line| {
                let best = answer(&mut job, BestInput { position: line.into(), ..input })?;
                let BestOutput { position, equity, plays, play } = best;
                Ok(format!("{position} {equity:+.5} {plays} {play}"))
            })
        }
        BackgammonCommand::Cube(args) => cube(args),
        BackgammonCommand::Scores { position, network, inputs, json } => {
            let input = ScoresInput { position: position.clone(), ..inputs.input()? };
            scores(&Source::read(&network.checkpoint)?, input, *json)
        }
        BackgammonCommand::Rollout(args) => rollout(args),
        BackgammonCommand::Serve(args) => serve(args),
        BackgammonCommand::Analyse(args) => analyse(args),
        BackgammonCommand::Rates(args) => rates(args),
        BackgammonCommand::Duel(args) => duel(args),
        BackgammonCommand::Match(args) => play_match(args),
        BackgammonCommand::Table { json } => {
            let answered = Job::<MatchTable>::without_network(TableInput {}, None)?.answer()?;
            if *json {
                return stdout::write_json(&answered);
            }
            stdout::write(&match_table_text(&answered, table::terminal_width(&std::io::stdout())))
        }
    }
}

/// Decides about the cube at every score. Ctrl-C ends it with the scores that are done.
fn scores(source: &Source, input: ScoresInput, json: bool) -> Result<()> {
    let mut job = source.begin::<CubeAtScores>(input)?;
    let stop = StopSignal::listen()?;
    let outcome = ask::finish(&mut job, &stop, None, &mut |_, _| None);
    // From here on a first Ctrl-C does not end the process, so that the result is written whole.
    stop.begin_saving();
    let outcome = outcome.map_err(|error| refused(error, Some(&source.path)))?;
    let Some(scores) = outcome.output() else {
        return Err(stop.interrupted("it was interrupted before the first decision").into());
    };
    if json { stdout::write_json(scores) } else { stdout::write(&scores.text) }
}

/// Answers one line. A refusal is a sentence, which is printed in the place of the answer; the next lines are
/// answered.
fn answer<T: AskAgain>(job: &mut Job<T>, input: T::Input) -> Result<T::Output, String> {
    job.ask_again(input, None).and_then(|()| job.answer()).map_err(sentence)
}

fn plays(list: bool) -> Result<()> {
    let mut job = Job::<ListLegalPlays>::without_network(LegalPlaysInput { position: START.into() }, None)?;
    lines::answer_text(|line| {
        let LegalPlaysOutput { position, dice: [first, second], plays } =
            answer(&mut job, LegalPlaysInput { position: line.into() })?;
        let count = format!("{position} {first} {second} {}", plays.len());
        Ok(if list { format!("{count} {}", plays.join(" ")) } else { count })
    })
}

/// The position, five probabilities and the equity.
fn value_line(value: &EvaluateOutput) -> String {
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = value.outcomes;
    format!(
        "{} {win:.5} {gammon:.5} {backgammon:.5} {lost_gammon:.5} {lost_backgammon:.5} {:+.5}",
        value.position, value.equity
    )
}

fn cube(args: &BackgammonCubeArgs) -> Result<()> {
    let source = Source::read(&args.network.checkpoint)?;
    let position = args.position.clone().unwrap_or_else(|| START.into());
    let input = CubeInput { position, ..args.inputs.input()? };
    let mut job = source.begin::<CubeDecision>(input.clone())?;
    if args.position.is_none() {
        return lines::answer_json(|line| {
            let decision = answer(&mut job, CubeInput { position: line.into(), ..input })?;
            Ok(decision.analysis)
        });
    }
    let decision = job.answer().map_err(|error| refused(error, Some(&source.path)))?;
    if args.json { stdout::write_json(&decision.analysis) } else { stdout::write(&decision.text) }
}
