//! The board apart from training: the learner against itself or against a visitor, with what it thinks of every play.
//! None of this is saved and none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_nn::Weights;
use learnery_search::Turn;
use learnery_worlds::backgammon::{BAR, Board, Dice, Plays, moves, notation, playable_moves, turn_graph};

use super::brain::Brain;
use super::expert;
use super::outcomes::Outcomes;
use super::ponder::Ponder;
use super::trained::Trained;
use super::view::{BackgammonCommand, Candidate, Judged, Played, Players, Stage};

/// Seconds a turn is left to be seen, unless a visitor wishes it otherwise; the longest such wish.
const TEMPO: f64 = 1.6;
const SLOWEST: f64 = 60.0;
/// A game that is over stays for so many turns' time.
const AFTER_END: f64 = 2.5;
/// Plays that are told of.
const TOLD: usize = 8;
const SOUTH: u8 = 0;

/// The game that is shown.
pub struct Show {
    dice: Stream,
    players: Players,
    expert: Option<Trained>,
    game: u32,
    first: u8,
    /// Where the present turn began, seen from the side whose turn it is.
    board: Board,
    side: u8,
    /// The throw to be played; none once the game is over.
    thrown: Option<Dice>,
    /// Every play of it and what it is worth to whoever makes it, best first.
    plays: Vec<(Board, Outcomes)>,
    candidates: Vec<Candidate>,
    steps: Floats,
    /// What the throw is worth to south, played best; or what the game came to.
    outlook: Outcomes,
    past: Vec<Past>,
    record: String,
    last: Option<Played>,
    judged: Option<Judged>,
    score: [u32; 2],
    tempo: f64,
    /// Seconds since something happened.
    waited: f64,
    /// The network that all this is from.
    seen: u64,
    /// What a search makes of the throw; none before time passes for the first time.
    ponder: Option<Ponder>,
    list: Plays,
    values: Vec<Outcomes>,
}

/// A turn, what it cost, and how to take it back.
struct Past {
    board: Board,
    side: u8,
    /// Where its line begins in the record.
    line: usize,
    equity: f32,
    cost: f32,
}

/// Who looks at the board, and how often it has changed its mind.
#[derive(Clone, Copy)]
pub struct Mind<'a> {
    /// The plan of its network.
    pub network: &'a Brain,
    /// What it knows.
    pub weights: &'a Weights,
    /// Rounds of learning behind it.
    pub rounds: u64,
}

impl<'a> Mind<'a> {
    /// Somebody who has learned so much.
    pub fn of(trained: &'a Trained, rounds: u64) -> Self {
        let (network, weights) = trained.parts();
        Self { network, weights, rounds }
    }
}

impl Show {
    /// A first game against itself.
    pub fn new(learner: Mind, dice: Stream) -> Self {
        let mut show = Self {
            dice,
            players: Players::Watch,
            expert: None,
            game: 0,
            first: SOUTH,
            board: Board::START,
            side: SOUTH,
            thrown: None,
            plays: Vec::new(),
            candidates: Vec::new(),
            steps: Floats::default(),
            outlook: Outcomes::default(),
            past: Vec::new(),
            record: String::new(),
            last: None,
            judged: None,
            score: [0; 2],
            tempo: TEMPO,
            waited: 0.0,
            seen: 0,
            ponder: None,
            list: Plays::new(),
            values: Vec::new(),
        };
        show.begin(learner);
        show
    }

    /// Carries out a visitor's command.
    pub fn apply(&mut self, learner: Mind, command: BackgammonCommand) -> Result<(), LabError> {
        let refused = |why: &str| Err(LabError::Command(why.into()));
        match command {
            BackgammonCommand::NewGame { players: Players::Expert } if self.expert.is_none() => {
                return refused("no trained player has been brought to the board");
            }
            BackgammonCommand::NewGame { players } => {
                if players != self.players {
                    self.score = [0; 2];
                }
                self.players = players;
                self.game += 1;
                // Who searches may have a network of another kind now.
                self.ponder = None;
                self.begin(learner);
            }
            BackgammonCommand::Play { .. } if !self.awaits() => return refused("it is not your turn"),
            BackgammonCommand::Play { turn, .. } if turn as usize != self.past.len() => {
                return refused("that turn has been played already");
            }
            BackgammonCommand::Play { steps, .. } => {
                let play =
                    self.reached(&steps).and_then(|after| self.plays.iter().position(|p| p.0 == after));
                let Some(play) = play else { return refused("these moves are no play of this throw") };
                self.play(learner, play);
            }
            BackgammonCommand::Undo => {
                let own = |past: &Past| past.side == SOUTH && self.players != Players::Watch;
                let Some(last) = self.past.iter().rposition(own) else {
                    return refused("there is no turn of yours to take back");
                };
                self.take_back(learner, last);
            }
            BackgammonCommand::Tempo { seconds } if (0.0..=SLOWEST).contains(&seconds) => {
                self.tempo = seconds;
            }
            BackgammonCommand::Tempo { seconds } => {
                let words = format!("a turn of {seconds} seconds; expected 0 to {SLOWEST}");
                return Err(LabError::Command(words));
            }
            BackgammonCommand::Next if self.awaits() => return refused("it is your turn"),
            BackgammonCommand::Next => self.go_on(learner),
            BackgammonCommand::Invite { checkpoint } => {
                self.expert = Some(expert::read(&checkpoint)?);
                self.ponder = None;
            }
        }
        Ok(())
    }

    /// Lets `seconds` pass.
    pub fn animate(&mut self, learner: Mind, seconds: f64) {
        if self.players != Players::Expert && learner.rounds != self.seen {
            self.think(learner);
        }
        if self.tempo > 0.0 {
            self.waited += seconds;
            let over = self.thrown.is_none();
            let long = if over { AFTER_END * self.tempo } else { self.tempo };
            if self.waited >= long && !self.awaits() && (!over || self.players == Players::Watch) {
                self.go_on(learner);
            }
        }
        self.search(learner);
    }

    /// Looks a little further ahead.
    fn search(&mut self, learner: Mind) {
        let Some(dice) = self.thrown else { return };
        let mind = judge(self.players, &self.expert, learner);
        let ponder = self.ponder.get_or_insert_with(|| Ponder::new(mind.network));
        ponder.go_on(mind, Turn { board: self.board, dice });
    }

    /// Whether it waits for the visitor.
    fn awaits(&self) -> bool {
        let own = self.players != Players::Watch && self.side == SOUTH;
        own && self.thrown.is_some_and(|dice| playable_moves(&self.board, dice) > 0)
    }

    /// Plays the best play, or begins the next game.
    fn go_on(&mut self, learner: Mind) {
        if self.thrown.is_some() {
            self.play(learner, 0);
        } else {
            self.game += 1;
            self.begin(learner);
        }
    }

    fn begin(&mut self, learner: Mind) {
        self.board = Board::START;
        // Whoever threw the higher die begins, with both.
        self.side = (self.dice.block(u64::from(self.game), u64::MAX)[0] & 1) as u8;
        self.first = self.side;
        self.past.clear();
        self.record.clear();
        self.last = None;
        self.judged = None;
        self.throw(learner);
    }

    /// Begins a turn, or finds the game over.
    fn throw(&mut self, learner: Mind) {
        let dice = Dice::for_turn(self.dice, u64::from(self.game), self.past.len() as u64);
        self.thrown = (self.board.other_won().is_none()).then_some(dice);
        self.waited = 0.0;
        let ways = if self.awaits() { turn_graph(&self.board, dice) } else { Vec::new() };
        let told = ways.iter().flat_map(|step| {
            [step.node, u16::from(step.from), u16::from(step.to), u16::from(step.hit), step.next]
                .map(f32::from)
        });
        self.steps = Floats(told.collect());
        self.think(learner);
    }

    /// Where moves on the visitor's places lead, whether they are allowed or not.
    fn reached(&self, steps: &[[u8; 2]]) -> Option<Board> {
        let (mut own, mut other) = (self.board.own_places(), self.board.other_places());
        for [from, to] in steps.iter().map(|step| step.map(usize::from)) {
            let leaves = own.get(from).is_some_and(|n| *n > 0) && to < from;
            if !leaves {
                return None;
            }
            own[from] -= 1;
            own[to] += 1;
            let met = if to == 0 { 0 } else { std::mem::take(&mut other[BAR - to]) };
            other[BAR] += met;
        }
        Board::new(&other, &own).ok()
    }

    /// Makes play `i` of the list.
    fn play(&mut self, learner: Mind, i: usize) {
        let (Some(dice), Some((after, value))) = (self.thrown, self.plays.get(i).copied()) else { return };
        let best = self.plays[0].1.equity();
        let ways = moves(&self.board, dice, &after).unwrap_or_default();
        let words = notation(&ways);
        let flat: Vec<u8> = ways.iter().flat_map(|m| [m.from, m.to, u8::from(m.hit)]).collect();
        let cost = best - value.equity();
        if self.awaits() {
            let Candidate { notation, moves, .. } = self.candidates[0].clone();
            self.judged = Some(Judged {
                turn: self.past.len() as u32,
                played: words.clone(),
                equity: value.equity(),
                best: notation,
                best_equity: best,
                best_moves: moves,
                cost,
                rank: i as u32 + 1,
                of: self.plays.len() as u32,
            });
        }
        let line = self.record.len();
        let equity = self.outlook.equity();
        self.past.push(Past { board: self.board, side: self.side, line, equity, cost });
        if line > 0 {
            self.record.push('\n');
        }
        self.record.extend([dice.high(), dice.low()].map(|number| char::from(b'0' + number)));
        self.record.push(' ');
        self.record.push_str(&words);
        self.last = Some(Played { side: self.side, dice: [dice.high(), dice.low()], moves: flat });
        self.board = after;
        self.side = 1 - self.side;
        self.throw(learner);
        let result = self.result();
        if result != 0 {
            self.score[usize::from(result < 0)] += u32::from(result.unsigned_abs());
        }
    }

    /// Goes back to where turn `i` was to be played, with its throw.
    fn take_back(&mut self, learner: Mind, i: usize) {
        let result = self.result();
        if result != 0 {
            self.score[usize::from(result < 0)] -= u32::from(result.unsigned_abs());
        }
        let past = self.past.swap_remove(i);
        self.past.truncate(i);
        self.record.truncate(past.line);
        (self.board, self.side) = (past.board, past.side);
        self.last = None;
        self.judged = None;
        self.throw(learner);
    }

    /// Points for south of a game that is over.
    fn result(&self) -> i8 {
        // Who is on roll has lost.
        let sign = if self.side == SOUTH { -1 } else { 1 };
        self.board.other_won().map_or(0, |win| sign * win.points() as i8)
    }

    /// What is thought of the throw and of every play; where the game is over, what it came to.
    fn think(&mut self, learner: Mind) {
        let Mind { network, weights, rounds } = judge(self.players, &self.expert, learner);
        self.seen = rounds;
        let own = self.side == SOUTH;
        let south = |value: Outcomes| if own { value } else { value.flipped() };
        self.plays.clear();
        self.candidates.clear();
        let Some(dice) = self.thrown else {
            self.outlook = self.board.other_won().map_or(self.outlook, |win| south(Outcomes::lost(win)));
            return;
        };
        self.list.find(&self.board, dice);
        network.plays(weights, &self.board, &self.list, &mut network.work(), &mut self.values);
        self.plays.extend(self.list.iter().zip(self.values.iter().map(Outcomes::flipped)));
        // Equal ones in the order in which they are found.
        self.plays.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
        self.outlook = south(self.plays[0].1);
        if playable_moves(&self.board, dice) > 0 {
            let told =
                self.plays.iter().take(TOLD).map(|(after, value)| candidate(&self.board, dice, after, value));
            self.candidates.extend(told);
        }
    }

    /// The game as it stands.
    pub fn stage(&self) -> Stage {
        let (own, other) = (self.board.own_places(), self.board.other_places());
        let (south, north) = if self.side == SOUTH { (own, other) } else { (other, own) };
        let count = |place: usize| match place {
            0 => -(north[BAR] as i8),
            BAR => south[BAR] as i8,
            point => south[point] as i8 - north[BAR - point] as i8,
        };
        let equities = self.past.iter().map(|past| past.equity).chain([self.outlook.equity()]);
        let [a, b, c, d, e] = self.outlook.0;
        let searched = self.ponder.as_ref().zip(self.thrown);
        let searched =
            searched.filter(|(ponder, dice)| ponder.is_about(Turn { board: self.board, dice: *dice }));
        let mut candidates = self.candidates.clone();
        for (candidate, (after, _)) in candidates.iter_mut().zip(&self.plays) {
            candidate.visits = searched.map_or(0.0, |(ponder, _)| ponder.share(after));
        }
        Stage {
            players: self.players,
            game: self.game,
            turn: self.past.len() as u32,
            board: (0..=BAR).map(count).collect(),
            side: self.side,
            dice: self.thrown.map_or([0; 2], |dice| [dice.high(), dice.low()]),
            awaits: self.awaits(),
            steps: self.steps.clone(),
            candidates,
            plays: self.plays.len() as u32,
            simulations: searched.map_or(0, |(ponder, _)| ponder.simulations()),
            outlook: [a, b, c, d, e, self.outlook.equity()],
            record: self.record.clone(),
            first: self.first,
            equities: Floats(equities.collect()),
            costs: Floats(self.past.iter().map(|past| past.cost).collect()),
            last: self.last.clone(),
            judged: self.judged.clone(),
            result: self.result(),
            score: self.score,
        }
    }
}

/// Who judges what is on the board.
fn judge<'a>(players: Players, expert: &'a Option<Trained>, learner: Mind<'a>) -> Mind<'a> {
    match (expert, players) {
        (Some(expert), Players::Expert) => Mind::of(expert, u64::MAX),
        _ => learner,
    }
}

fn candidate(board: &Board, dice: Dice, after: &Board, value: &Outcomes) -> Candidate {
    let moves = moves(board, dice, after).unwrap_or_default();
    Candidate {
        notation: notation(&moves),
        moves: moves.iter().flat_map(|m| [m.from, m.to, u8::from(m.hit)]).collect(),
        equity: value.equity(),
        outcomes: value.0,
        visits: 0.0,
    }
}

#[cfg(test)]
mod tests;
