use super::super::network::Shape;
use super::*;

fn mind() -> (Brain, Weights) {
    let (brain, layout) = Brain::afterstates(Shape { contact: [8, 4], race: [8, 4] });
    let Brain::Afterstates(network) = &brain else { unreachable!("just made") };
    let mut weights = Weights::new(layout);
    weights.update(|params| network.init(params, Stream::new(1, 0)));
    (brain, weights)
}

#[test]
fn it_plays_game_after_game_against_itself() {
    let (network, weights) = mind();
    let mind = Mind { network: &network, weights: &weights, rounds: 0 };
    let mut show = Show::new(mind, Stream::new(1, 0));
    let mut ended = 0;
    for _ in 0..2000 {
        let before = show.stage();
        show.animate(mind, TEMPO);
        let stage = show.stage();
        let turns = stage.turn as usize;
        assert_eq!((stage.equities.0.len(), stage.costs.0.len()), (turns + 1, turns));
        assert_eq!(stage.record.lines().count(), turns);
        assert!(!stage.awaits && stage.steps.0.is_empty());
        if stage.result != 0 && before.result == 0 {
            assert!((1..=3).contains(&stage.result.abs()), "{}", stage.result);
            assert!((stage.outlook[5] - f32::from(stage.result)).abs() < 1e-5);
            let won = if stage.result > 0 { 0 } else { 1 };
            assert_eq!(stage.score[won] - before.score[won], u32::from(stage.result.unsigned_abs()));
            ended += 1;
        }
    }
    assert!(ended > 5 && show.stage().game > 4, "{ended} {}", show.stage().game);
}

#[test]
fn nothing_moves_by_itself_where_it_is_held() {
    let (network, weights) = mind();
    let mind = Mind { network: &network, weights: &weights, rounds: 0 };
    let mut show = Show::new(mind, Stream::new(1, 0));
    show.apply(mind, BackgammonCommand::Tempo { seconds: 0.0 }).expect("it can be held");
    show.animate(mind, 100.0);
    assert_eq!(show.stage().turn, 0);
    show.apply(mind, BackgammonCommand::Next).expect("a turn by hand");
    assert_eq!(show.stage().turn, 1);
    for seconds in [-1.0, 61.0, f64::NAN] {
        assert!(show.apply(mind, BackgammonCommand::Tempo { seconds }).is_err(), "{seconds}");
    }
}

/// A way through the visitor's turn: the last step at every node, or the first.
fn way(stage: &Stage, last: bool) -> Vec<[u8; 2]> {
    let steps: Vec<&[f32]> = stage.steps.0.chunks_exact(5).collect();
    let (mut node, mut way) = (0.0, Vec::new());
    loop {
        let mut here = steps.iter().filter(|step| step[0] == node);
        let Some(step) = (if last { here.next_back() } else { here.next() }) else { return way };
        way.push([step[1] as u8, step[2] as u8]);
        node = step[4];
    }
}

#[test]
fn a_visitor_plays_is_judged_and_takes_back() {
    let (network, weights) = mind();
    let mind = Mind { network: &network, weights: &weights, rounds: 0 };
    let mut show = Show::new(mind, Stream::new(2, 0));
    let act = |show: &mut Show, command| show.apply(mind, command).map_err(|e| e.to_string());
    let refusal = |result: Result<(), String>, words: &str| {
        assert!(result.as_ref().is_err_and(|e| e.contains(words)), "{result:?}");
    };
    let play = |stage: &Stage, last| BackgammonCommand::Play { turn: stage.turn, steps: way(stage, last) };
    refusal(act(&mut show, BackgammonCommand::Play { turn: 0, steps: Vec::new() }), "not your turn");
    refusal(act(&mut show, BackgammonCommand::Undo), "no turn of yours");
    refusal(act(&mut show, BackgammonCommand::NewGame { players: Players::Expert }), "no trained player");
    act(&mut show, BackgammonCommand::NewGame { players: Players::Learner }).expect("a game can begin");
    let mut played = 0;
    for _ in 0..600 {
        show.animate(mind, TEMPO);
        let before = show.stage();
        if before.result != 0 {
            break;
        }
        if !before.awaits {
            continue;
        }
        refusal(act(&mut show, BackgammonCommand::Next), "your turn");
        let (turn, own) = (before.turn, &before.candidates);
        refusal(act(&mut show, BackgammonCommand::Play { turn: turn + 1, steps: Vec::new() }), "already");
        for steps in [vec![], vec![[3, 30]], vec![[200, 1]], vec![[0, 0]], vec![[25, 1]; 40]] {
            refusal(act(&mut show, BackgammonCommand::Play { turn, steps }), "no play");
        }
        act(&mut show, play(&before, true)).expect("it is legal");
        let judged = show.stage().judged.expect("a judgement");
        assert!(judged.turn == turn && judged.cost >= 0.0 && judged.best == own[0].notation, "{judged:?}");
        assert!((own[0].equity - judged.equity - judged.cost).abs() < 1e-6);
        assert_eq!(judged.rank == 1, judged.cost == 0.0);
        if played < 20 {
            // Taken back, the same throw can be played once more.
            show.animate(mind, TEMPO);
            act(&mut show, BackgammonCommand::Undo).expect("a turn of its own");
            let again = show.stage();
            assert_eq!(
                (&again.board, again.dice, &again.record),
                (&before.board, before.dice, &before.record)
            );
            assert!(again.awaits && again.steps == before.steps && again.score == before.score);
            act(&mut show, play(&again, false)).expect("it is legal");
        }
        played += 1;
    }
    let end = show.stage();
    assert!(played > 8 && end.result != 0, "{played} turns");
    show.animate(mind, 1000.0);
    assert_eq!(show.stage().game, end.game, "a visitor's game stays");
    refusal(act(&mut show, BackgammonCommand::Play { turn: end.turn, steps: Vec::new() }), "not your turn");
}

#[test]
fn a_new_mind_is_seen_at_once() {
    let (network, mut weights) = mind();
    let mut show = Show::new(Mind { network: &network, weights: &weights, rounds: 0 }, Stream::new(3, 0));
    let before = show.stage().outlook;
    let Brain::Afterstates(inner) = &network else { unreachable!("made of afterstates") };
    weights.update(|params| inner.init(params, Stream::new(7, 0)));
    show.animate(Mind { network: &network, weights: &weights, rounds: 1 }, 0.0);
    assert_ne!(show.stage().outlook, before);
}

#[test]
fn a_search_shows_what_it_has_looked_at() {
    let (network, weights) = mind();
    let at = |rounds| Mind { network: &network, weights: &weights, rounds };
    let mut show = Show::new(at(0), Stream::new(3, 0));
    show.apply(at(0), BackgammonCommand::Tempo { seconds: 0.0 }).expect("it can be held");
    assert_eq!(show.stage().simulations, 0, "nothing is searched before time passes");
    let mut seen = 0;
    for _ in 0..40 {
        show.animate(at(0), 0.0);
        let stage = show.stage();
        assert!(stage.simulations >= seen && stage.simulations - seen <= 24, "a little at a time");
        seen = stage.simulations;
        let shares: f32 = stage.candidates.iter().map(|candidate| candidate.visits).sum();
        assert!(seen == 0 || (shares > 0.0 && shares <= 1.0 + 1e-5), "{shares}");
    }
    assert_eq!(seen, 256);
    // When more is learned it is searched anew, and what was found stays until that is done.
    for rounds in 1..20 {
        show.animate(at(rounds), 0.0);
        assert_eq!(show.stage().simulations, 256);
    }
    // Another throw is another search; a throw that leaves nothing to choose is none.
    let mut forced = 0;
    for _ in 0..300 {
        show.apply(at(20), BackgammonCommand::Next).expect("a turn by hand");
        assert_eq!(show.stage().simulations, 0);
        show.animate(at(20), 0.0);
        let stage = show.stage();
        assert_eq!(stage.simulations > 0, stage.plays > 1, "{} plays", stage.plays);
        forced += u32::from(stage.plays == 1);
    }
    assert!(forced > 0);
}
