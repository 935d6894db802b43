//! The arguments of the commands that belong to single labs.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use learnery_labs::backgammon::{
    Analyse, ChooseBest, CubeAtScores, CubeDecision, Duel, EvaluatePosition, MeasureRates, PlayMatch, RollOut,
};
use learnery_labs::cube;
use learnery_labs::language::Sample;
use learnery_labs::logic::Export;

use super::Device;
use super::tool_inputs::ToolInputs;
use crate::limits::TypedDuration;

#[derive(Args, Debug)]
pub struct ControlArgs {
    #[command(subcommand)]
    pub command: ControlCommand,
}

#[derive(Debug, Subcommand)]
pub enum ControlCommand {
    /// Take single steps: reads lines {"state": [...], "action": a} and answers each with one line
    ///
    /// An answer contains the next state, observation, reward, terminated and truncated, as in Gymnasium. Add
    /// "steps": n, the number of steps already taken in the episode, on which truncation depends.
    Trace {
        /// cartpole, mountaincar, pendulum, acrobot, or an id of Gymnasium
        world: String,
    },
}

#[derive(Args, Debug)]
pub struct CubeArgs {
    #[command(subcommand)]
    pub command: CubeCommand,
}

#[derive(Debug, Subcommand)]
pub enum CubeCommand {
    /// Follow the greedy policy from each of the 3,674,160 states of the 2x2x2, or search for solutions of
    /// random states (3x3x3; 2x2x2 with --beam)
    Eval(CubeEvalArgs),
    /// Solve a scrambled cube, such as "R U' F2"
    Solve(CubeSolveArgs),
}

/// Seconds for a 3x3x3 without a width.
pub const SOLVE_SECONDS: f64 = 10.0;

/// Reads a whole number from 1 to a limit of the lab's tool, where 0 is for what a command leaves out.
fn up_to(most: u32) -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(most))
}

/// What counts as one turn of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TurnMetric {
    #[value(alias = "qtm")]
    Quarter,
    #[value(alias = "htm")]
    Half,
}

impl TurnMetric {
    /// The type of the cube lab for it.
    pub fn to_lab(self) -> cube::TurnMetric {
        match self {
            Self::Quarter => cube::TurnMetric::Quarter,
            Self::Half => cube::TurnMetric::Half,
        }
    }
}

#[derive(Args, Debug)]
pub struct CubeEvalArgs {
    /// A checkpoint, an exported network, or a run folder
    pub checkpoint: PathBuf,
    #[arg(
        long,
        visible_alias = "width",
        value_name = "W",
        value_parser = up_to(cube::MOST_WIDTH),
        help = format!(
            "The width of the beam search, the states that it keeps at each depth [default: no search of the \
             2x2x2; {} for the 3x3x3]",
            cube::DEFAULT_WIDTH
        )
    )]
    pub beam: Option<u32>,
    #[arg(
        long,
        visible_alias = "states",
        value_name = "N",
        value_parser = up_to(cube::MOST_STATES),
        help = format!(
            "Number of random states to search from; of the 2x2x2 only with --beam [default: {} of the \
             2x2x2; {} of the 3x3x3]",
            cube::DEFAULT_STATES[0],
            cube::DEFAULT_STATES[1]
        )
    )]
    pub sample: Option<u32>,
    /// 3x3x3: go on with other ways to look at a state and wider beams for this time, such as 10s
    #[arg(long = "for", value_name = "TIME")]
    pub time: Option<TypedDuration>,
    /// 3x3x3: write a line of JSON for each state to this file; a file that has some lines is continued
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What counts as one turn [default: as in training]
    #[arg(long, value_enum, value_name = "quarter|half", hide_possible_values = true)]
    pub metric: Option<TurnMetric>,
    /// 3x3x3: the device that scores states; auto is the CPU, because no gain has been measured
    #[arg(long, value_enum, default_value_t, value_name = "auto|cpu|gpu", hide_possible_values = true)]
    pub device: Device,
    /// Seed of the random states
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct CubeSolveArgs {
    /// The turns that scramble the solved cube: U R F D L B, each alone, with ' or 2
    #[arg(required_unless_present = "stickers", allow_hyphen_values = true)]
    pub scramble: Option<String>,
    /// The stickers instead of a scramble: 24 or 54 letters, face by face in the order U R F D L B
    #[arg(long, visible_alias = "facelets", value_name = "TEXT", conflicts_with = "scramble")]
    pub stickers: Option<String>,
    /// The network to solve it with: a checkpoint, an exported network, or a run folder [default: the trained
    /// network of the 3x3x3, or of the 2x2x2 for 24 stickers]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    #[arg(
        long,
        visible_alias = "width",
        value_name = "W",
        value_parser = up_to(cube::MOST_WIDTH),
        help = format!(
            "Use a beam search of this width [default: the greedy policy for the 2x2x2; wider and wider \
             beams for {SOLVE_SECONDS}s for the 3x3x3]"
        )
    )]
    pub beam: Option<u32>,
    /// 3x3x3: search for shorter solutions for this time, such as 10s
    #[arg(long = "for", value_name = "TIME")]
    pub time: Option<TypedDuration>,
    /// What counts as one turn [default: as in training]
    #[arg(long, value_enum, value_name = "quarter|half", hide_possible_values = true)]
    pub metric: Option<TurnMetric>,
    /// 3x3x3: the device that scores states; auto is the CPU, because no gain has been measured
    #[arg(long, value_enum, default_value_t, value_name = "auto|cpu|gpu", hide_possible_values = true)]
    pub device: Device,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BackgammonArgs {
    #[command(subcommand)]
    pub command: BackgammonCommand,
}

#[derive(Debug, Subcommand)]
pub enum BackgammonCommand {
    /// Count plays: reads lines POSITION D1 D2 and answers each with POSITION D1 D2 COUNT
    ///
    /// Plays that lead to the same position count once. If no play is legal, the count is 1 for passing.
    Plays {
        /// Append the positions after each play to the count
        #[arg(long)]
        list: bool,
    },
    /// Evaluate positions: reads lines POSITION and answers each with POSITION and six numbers for the player
    /// on roll
    ///
    /// The numbers are the probabilities to win, to win a gammon or backgammon, to win a backgammon, to lose
    /// a gammon or backgammon, to lose a backgammon, and the cubeless equity in points.
    Eval {
        #[command(flatten)]
        network: CheckpointArgs,
        #[command(flatten)]
        inputs: ToolInputs<EvaluatePosition>,
    },
    /// Choose plays: reads lines POSITION D1 D2 and answers each with the position after the best play
    ///
    /// The position is followed by its equity for the player who moved, in points, by the number of different
    /// plays, and by the play in standard notation, such as 8/5 6/5, or (no play). If the position comes with
    /// a match score (an XGID, or a match ID behind a colon), the play is the best for the match.
    Best {
        #[command(flatten)]
        network: CheckpointArgs,
        #[command(flatten)]
        inputs: ToolInputs<ChooseBest>,
        /// The play is always written; the option is from the time when it was not
        #[arg(long, hide = true)]
        notation: bool,
    },
    /// Decide about the doubling cube: says the equities of no double, double/take and double/pass
    ///
    /// The score, the cube and the Crawford game are read from an XGID, or from a match ID behind the
    /// position and a colon. A position alone means money without the Jacoby rule.
    Cube(BackgammonCubeArgs),
    /// Decide about the doubling cube at every score of a match: writes a table of letters
    Scores {
        /// An XGID or a position ID, before the roll. Its own cube and score do not matter
        position: String,
        #[command(flatten)]
        network: CheckpointArgs,
        #[command(flatten)]
        inputs: ToolInputs<CubeAtScores>,
        /// Write one JSON object instead of a text
        #[arg(long)]
        json: bool,
    },
    /// Roll a position out: play many games from it, or from its best plays for a dice roll
    ///
    /// The luck of every roll is subtracted, the first two rolls are distributed evenly, and plays are
    /// compared with the same dice. Equities are cubeless. The result depends on the seed and not on the
    /// number of threads.
    Rollout(BackgammonRolloutArgs),
    /// Play against GNU Backgammon: serve as its external player
    ///
    /// In gnubg: set player 0 external localhost:PORT. It then asks for plays, doubles and answers to
    /// doubles, for money and in matches. One server may play many games at the same time. Ctrl-C ends it.
    Serve(BackgammonServeArgs),
    /// Analyse matches: judge every play, every cube decision and every roll of .mat or .sgf files
    ///
    /// Writes a table with the errors, the luck and the ratings of both players, counted as GNU Backgammon
    /// counts them, and the worst decisions of each. Ctrl-C ends the analysis; what is judged by then is
    /// written. The result does not depend on the number of threads.
    Analyse(BackgammonAnalyseArgs),
    /// Measure how games of a network end: what the match equity table is computed from
    Rates(BackgammonRatesArgs),
    /// Let two networks play against each other: which one is stronger, by how much, and how sure that is
    ///
    /// Games are played in pairs with the same dice and the sides exchanged. Ctrl-C ends the duel; pairs that
    /// are complete count. The result depends on the seed and not on the number of threads. `learnery eval
    /// --against` has more options.
    Duel(BackgammonDuelArgs),
    /// Let two networks play one match against each other, with the doubling cube, and write it as a .mat file
    ///
    /// One match is mostly luck; to compare strength, use `duel`. The same networks and options with the same
    /// seed always give the same match. Ctrl-C stops it; the turns played so far are written. To see what each
    /// decision cost, use `learnery backgammon analyse`.
    Match(BackgammonMatchArgs),
    /// Write the match equity table: the chance to win a match at every score up to 25 points
    Table {
        /// Write one JSON object to standard output
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub struct BackgammonCubeArgs {
    /// An XGID, or a position ID with or without a match ID [default: one on each line of standard input,
    /// each answered with one line of JSON]
    pub position: Option<String>,
    #[command(flatten)]
    pub network: CheckpointArgs,
    #[command(flatten)]
    pub inputs: ToolInputs<CubeDecision>,
    /// Write one JSON object instead of a text
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BackgammonRolloutArgs {
    /// An XGID, or a position ID with or without a match ID. If it has dice, their plays are compared
    #[arg(required_unless_present = "file", value_name = "POSITION")]
    pub positions: Vec<String>,
    /// Also roll out the positions of this file, one on each line, which may have dice; can be given several
    /// times
    #[arg(long, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    #[command(flatten)]
    pub network: CheckpointArgs,
    /// Compare the best plays of this roll, such as 31
    #[arg(long, value_name = "DICE")]
    pub dice: Option<String>,
    #[command(flatten)]
    pub inputs: ToolInputs<RollOut>,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write one JSON object for each position instead of a text
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BackgammonServeArgs {
    #[command(flatten)]
    pub network: CheckpointArgs,
    /// Plies to look ahead; a ply is one dice roll and the reply to it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub plies: u8,
    /// The TCP port to listen on; 0 takes a free one, and standard output says which
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// The address to listen on; with 0.0.0.0 other machines can connect
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// Play for money without the Jacoby rule, which gnubg does not announce
    #[arg(long)]
    pub no_jacoby: bool,
    /// Play for money without beavers
    #[arg(long)]
    pub no_beavers: bool,
}

#[derive(Args, Debug)]
pub struct BackgammonAnalyseArgs {
    /// The matches: text of Jellyfish, GNU Backgammon or eXtreme Gammon (.mat, .txt), or GNU Backgammon's
    /// .sgf
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub network: CheckpointArgs,
    #[command(flatten)]
    pub inputs: ToolInputs<Analyse>,
    /// Also write the analysis as JSON to this file, which must not exist yet; a line for each match
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also write the match with comments on errors and luck to this .mat file, or several matches into this
    /// folder, which must not exist yet
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

#[derive(Args, Debug)]
pub struct BackgammonRatesArgs {
    #[command(flatten)]
    pub network: CheckpointArgs,
    #[command(flatten)]
    pub inputs: ToolInputs<MeasureRates>,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BackgammonDuelArgs {
    #[command(flatten)]
    pub network: CheckpointArgs,
    /// The other network: a checkpoint, an exported network, or a run folder
    #[arg(long, value_name = "FILE")]
    pub against: PathBuf,
    #[command(flatten)]
    pub inputs: ToolInputs<Duel>,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BackgammonMatchArgs {
    #[command(flatten)]
    pub network: CheckpointArgs,
    /// The other network: a checkpoint, an exported network, or a run folder
    #[arg(long, value_name = "FILE")]
    pub against: PathBuf,
    #[command(flatten)]
    pub inputs: ToolInputs<PlayMatch>,
    /// The .mat file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write one JSON object to standard output
    #[arg(long, conflicts_with = "out")]
    pub json: bool,
}

// The network that answers. clap would show a doc comment here as the help of the command.
#[derive(Args, Debug)]
pub struct CheckpointArgs {
    /// A checkpoint, an exported network, or a run folder
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
}

#[derive(Args, Debug)]
pub struct LogicArgs {
    #[command(subcommand)]
    pub command: LogicCommand,
}

#[derive(Debug, Subcommand)]
pub enum LogicCommand {
    /// Write the learned circuit as Verilog, C, WGSL or JSON
    ///
    /// Verilog contains a module for a cell and one for a grid, C is a program that steps a grid, WGSL is a
    /// compute shader that steps 32 grids at once, and JSON lists the gates.
    Export(LogicExportArgs),
}

#[derive(Args, Debug)]
pub struct LogicExportArgs {
    /// A checkpoint, an exported network, or a run folder
    pub checkpoint: PathBuf,
    #[command(flatten)]
    pub inputs: ToolInputs<Export>,
    /// The file to write; it must not exist yet [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct LanguageArgs {
    #[command(subcommand)]
    pub command: LanguageCommand,
}

#[derive(Debug, Subcommand)]
pub enum LanguageCommand {
    /// Continue a prompt
    Sample(LanguageSampleArgs),
}

#[derive(Args, Debug)]
pub struct LanguageSampleArgs {
    /// A checkpoint, an exported network, or a run folder
    pub checkpoint: PathBuf,
    /// The text to continue
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    pub prompt: String,
    #[command(flatten)]
    pub inputs: ToolInputs<Sample>,
    /// The device to generate on; auto takes a GPU for large networks
    #[arg(long, value_enum, default_value_t, value_name = "auto|cpu|gpu", hide_possible_values = true)]
    pub device: Device,
    /// Write one JSON object per text instead of the text as it is written
    #[arg(long)]
    pub json: bool,
}
