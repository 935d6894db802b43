// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

/** A lab's texts, presets and metrics: everything that the page or the terminal shows of it before it runs. */
export type About = {
  /** Id in commands, links and files, such as `control`. */
  id: string,
  /** Name for people. */
  title: string,
  /** One line on what is learned here. */
  tagline: string,
  /** What the agent is, in one or two sentences. */
  agent: string,
  /** What the agent has to achieve. */
  goal: string,
  /** What the picture on the page shows. */
  picture: string,
  /** The plural noun for what `Lab::work` counts, such as "world steps". */
  work: string,
  /** The singular noun for one unit, such as "iteration". */
  unit: string,
  /** Named settings; the first is the default. */
  presets: Array<Preset>,
  /** Every metric the lab may report. */
  metrics: Array<MetricSpec>,
  /** The metrics to chart, most important first. */
  charts: Array<string>, };

/** How many actors do what. */
export type ActorStates = {
  /** They ask for a job. */
  asking: number,
  /** They fetch weights. */
  fetching: number, working: number,
  /** They deliver a result. */
  delivering: number,
  /** The run is complete. */
  complete: number, };

/** What the actors of a fleet in this tab are doing and have done. */
export type ActorsProgress = {
  /** Whether the fleet computes a sweep: many whole runs. */
  sweep: boolean,
  /** The run that the fleet computes, or one run of the sweep under way here; null until something has
 * come. */
  run: FleetRun | null,
  /** The version of the weights: the first twelve hexadecimal digits of its hash. */
  version: string | null,
  /** The unit of the jobs under way; null if there are none. */
  unit: number | null, actors: ActorStates,
  /** Results that the host has received. */
  accepted: number,
  /** Results that came too late: another machine was faster. */
  late: number,
  /** What the jobs that were computed here amount to, such as turns. */
  work: Array<WorkCount>, paused: boolean,
  /** Why the fleet does not want this tab any more. */
  ended: string | null,
  /** Why the host refused what it was sent last. */
  refusal: string | null, };

/** What an answer says. `Output` and `Refused` come last. */
export type AnswerPart = { "kind": "begun",
  /** The units after which the network was copied. */
  units: number, } | { "kind": "event", event: unknown, } | { "kind": "progress", progress: ToolProgress, } | { "kind": "output",
  /** Null if the question was cancelled before anything was known. */
  output: unknown,
  /** Whether the question was cancelled, so that the answer may be incomplete. */
  partial: boolean, } | { "kind": "refused",
  /** The field of the input that is wrong; null if it is none. */
  field: string | null,
  /** The reason, in one sentence. */
  message: string, };

/** A decision is judged. */
export type BackgammonAnalyseEvent = {
  /** The number of the game, and of the decision's entry in it, from 0. */
  game: number, entry: number,
  /** The player who decided: 0 or 1. */
  player: number,
  /** Equity lost beside the best decision. */
  error: number, };

/** Which match, and how deep. */
export type BackgammonAnalyseInput = {
  /** The file of a match: `.mat` or `.sgf`. */
  file: string,
  /** Plies of lookahead, as GNU Backgammon counts them. */
  plies: number, };

/** What is judged so far. */
export type BackgammonAnalyseOutput = {
  /** Decisions that are judged, of all. */
  judged: number, decisions: number,
  /** Every decision and the statistics of both players. */
  analysis: JsonValue,
  /** The statistics as a table. */
  text: string,
  /** The match as a `.mat` file with comments. */
  mat: string,
  /** The match with its decisions, to be drawn. */
  shown: BackgammonAnalysedMatch, };

/** A decision of a match from a file, compared with the best one. */
export type BackgammonAnalysedDecision = {
  /** The side that decided. */
  player: number,
  /** The number of the game, and of the turn in it, from 0. */
  game: number, turn: number,
  /** The score when the game began. */
  score: [number, number],
  /** The position, as in `BackgammonStage.board`, and the cube with its owner. */
  board: Array<number>, cube: number, owner: number | null,
  /** The error: equity lost beside the best decision. */
  cost: number,
  /** The roll that was played; zeros for a cube decision. */
  dice: [number, number],
  /** Of a play: in standard notation, what was played and what is best. */
  notations: [string, string],
  /** Their moves, as those of a candidate. */
  moves: [Array<number>, Array<number>],
  /** Of a cube decision: what was chosen and what is best. */
  cubeReview: BackgammonCubeReview | null,
  /** The probabilities of the side that decided after the play and after the best one, as in the outlook;
 * for a cube decision both are those before it. */
  outcomes: [[number, number, number, number, number], [number, number, number, number, number]],
  /** Whether the file has the roll but no play of it, because its player resigned or the record ends. */
  unplayed: boolean,
  /** The equity of the play and of the best one; zeros unless the decision is a play. */
  equities: [number, number],
  /** Number of legal plays; 0 for a cube decision. */
  plays: number,
  /** The luck of the roll: its value minus the mean of all possible rolls; none for a cube decision. */
  luck: number | null,
  /** The equities of a cube decision. */
  cubeEquities: BackgammonCubeEquities | null, };

/** A game of a match. */
export type BackgammonAnalysedGame = {
  /** The score when the game began. */
  score: [number, number],
  /** Whether this is the Crawford game, in which nobody may double. */
  crawford: boolean,
  /** The side that won; none if the record stops before the end of the game. */
  winner: number | null,
  /** Points that it won. */
  points: number, };

/** A match and what every decision in it cost. */
export type BackgammonAnalysedMatch = {
  /** The names of both players. */
  players: [string, string],
  /** Points that win the match; 0 for a money session. */
  length: number, games: Array<BackgammonAnalysedGame>,
  /** All plays, and the cube decisions that were actual, close or wrong, in the order of the match. */
  decisions: Array<BackgammonAnalysedDecision>, reports: [BackgammonPlayerReport, BackgammonPlayerReport],
  /** The rules of a money session; none in a match. */
  moneyRules?: BackgammonMoneyRules, };

/** A legal play. */
export type BackgammonCandidate = {
  /** Standard notation. */
  notation: string,
  /** Its moves in a legal order, three numbers each: from, to, whether it hits. */
  moves: Array<number>,
  /** Its equity. */
  equity: number,
  /** Its outcome probabilities, as in the outlook. */
  outcomes: [number, number, number, number, number],
  /** Its fraction of the search's visits. */
  visits: number, };

/** What a user may do. */
export type BackgammonCommand = { "type": "newGame",
  /** Who plays it. */
  players: BackgammonPlayers, } | { "type": "play",
  /** Number of the turn in the game. */
  turn: number,
  /** The moves of the turn, one for each die that is played: from and to, as places of south. */
  steps: Array<[number, number]>, } | { "type": "undo" } | { "type": "tempo",
  /** Seconds, at most 60; 0 holds the game. */
  seconds: number, } | { "type": "next" } | { "type": "newMatch",
  /** Who plays it. */
  players: BackgammonPlayers,
  /** Points that win the match, at most 25; 0 for a money session. */
  length: number,
  /** For money, where the Jacoby rule is in use: who is doubled may turn the cube once more at once and
 * keep it. */
  beavers: boolean, } | { "type": "roll" } | { "type": "double" } | { "type": "take" } | { "type": "pass" } | { "type": "beaver" } | { "type": "resign",
  /** What is lost: 1 for a single game, 2 for a gammon, 3 for a backgammon. */
  loss: number, } | { "type": "save" } | { "type": "setUp",
  /** Who plays it. */
  players: BackgammonPlayers,
  /** An XGID, whose lower player is south. Its dice are the first roll, if it has any. */
  position: string, } | { "type": "invite", };

/** What a side can do with the cube. */
export type BackgammonCubeChoice = "roll" | "double" | "take" | "pass" | "beaver";

/** The equities of the actions of a cube decision for the side on roll, where 1 is a single game at the cube
 * before it. */
export type BackgammonCubeEquities = { noDouble: number, doubleTake: number, doublePass: number, };

/** Which decision. */
export type BackgammonCubeInput = {
  /** A position before the roll with its stakes: an XGID, or a position ID and a match ID behind a colon. A
 * position ID alone is for money, with the cube in the middle. */
  position: string,
  /** Plies of lookahead. */
  plies: number, };

/** A decision. */
export type BackgammonCubeOutput = {
  /** In the words of players, such as "Double, take". */
  verdict: string,
  /** The equities of all actions, and what explains them. */
  analysis: JsonValue,
  /** The same as several lines of text. */
  text: string, };

/** A cube decision of the user, compared with the best one. */
export type BackgammonCubeReview = {
  /** What the user did. */
  chosen: BackgammonCubeChoice,
  /** What is best. */
  best: BackgammonCubeChoice,
  /** The error of the decision: equity given away, where 1 is a single game at the value of the cube before
 * it. */
  cost: number, };

/** Against whom, and how many games. */
export type BackgammonDuelInput = {
  /** The file of the other network: a checkpoint or an exported network. */
  against: string,
  /** Number of games. They are played in pairs with the same dice and the sides exchanged, so an odd number
 * is rounded up. */
  games: number,
  /** Plies (dice rolls) of lookahead before each play, for both. */
  plies: number,
  /** Selects the dice. */
  seed: number, };

/** The score. Points are those of the first network minus those of the other one. */
export type BackgammonDuelOutput = {
  /** Mean points per game over the pairs of games that have ended. */
  points: number,
  /** Half the width of its 95 % confidence interval, from the variance over pairs. */
  margin: number,
  /** Pairs of which both games have ended. */
  pairs: number,
  /** Pairs that were asked for: more in a partial answer. */
  asked: number,
  /** Games that have ended. */
  games: number,
  /** Games that the first network won, and those with a gammon or a backgammon. */
  wins: number, gammonsWon: number,
  /** Games that the first network lost with a gammon or a backgammon. */
  gammonsLost: number, plies: number, seed: number, };

/** What to value. */
export type BackgammonEvalInput = {
  /** A position ID of GNU Backgammon, optionally with a match ID behind a colon, or an XGID. */
  position: string,
  /** Plies of lookahead. */
  plies: number, };

/** A value. */
export type BackgammonEvalOutput = {
  /** The position ID. */
  position: string,
  /** Probabilities of the side on roll: to win, to win at least a gammon, to win a backgammon, to lose at least
 * a gammon, to lose a backgammon. */
  outcomes: [number, number, number, number, number],
  /** Expected points without the cube, from -3 to 3. */
  equity: number, };

/** A play with its value for the side that makes it. */
export type BackgammonListedPlay = {
  /** In standard notation, such as `8/5 6/5`; `(no play)` if no checker can move. */
  play: string,
  /** The position ID after the play, from the side of the opponent, who is on roll next. */
  position: string,
  /** Cubeless equity for money; in a match, or if the input has `cube`, cubeful equity, normalised so that a
 * single game at the present cube is 1. */
  equity: number,
  /** Cubeless probabilities to win, to win a gammon, to win a backgammon, to lose a gammon, to lose a backgammon.
 * A backgammon counts as a gammon too, and a gammon as a win. */
  outcomes: [number, number, number, number, number],
  /** The plies of lookahead in its equity. */
  plies: number, };

/** A match or a money session. */
export type BackgammonMatch = {
  /** Points that win the match; 0 for a money session. */
  length: number,
  /** Whether beavers are allowed. (Money sessions are always played with the Jacoby rule: gammons count
 * only once the cube is turned.) */
  beavers: boolean,
  /** Whether this is the Crawford game, in which nobody may double. */
  crawford: boolean,
  /** The value of the cube; in a finished game, its last one. */
  cube: number,
  /** The side that owns the cube; none while it is in the middle. */
  owner: number | null,
  /** What happens next. */
  step: BackgammonMatchStep,
  /** The side that acts next. */
  actor: number,
  /** Points that a finished game gave its winner, with the cube and gammons; 0 while it goes on. */
  points: number,
  /** Whether the game ended with a pass. */
  passed: boolean,
  /** Whether the game ended with a resignation of the user. */
  resigned: boolean,
  /** The side that has won the match. */
  winner: number | null,
  /** The user's last cube decision in this game. It appears as soon as it is judged. */
  cubeReview: BackgammonCubeReview | null, };

/** Against whom, and how long. */
export type BackgammonMatchInput = {
  /** The file of the other network: a checkpoint or an exported network. */
  against: string,
  /** Points that win the match. It is played with the doubling cube and the Crawford rule. */
  length: number,
  /** Plies (dice rolls) of lookahead before each play and each decision about the cube, for both. */
  plies: number,
  /** Selects the dice. */
  seed: number, };

/** The match. In a partial answer it is not over. */
export type BackgammonMatchOutput = {
  /** Points of the first network and of the other one. */
  score: [number, number],
  /** Points that win the match. */
  length: number,
  /** Games that have ended. */
  games: number, plies: number, seed: number,
  /** The match as a `.mat` file, which backgammon programs read. */
  file: string, };

/** What happens next in a match. */
export type BackgammonMatchStep = "play" | "doubleOrRoll" | "answer" | "nextGame" | "over";

/** The rules of a money session. */
export type BackgammonMoneyRules = {
  /** The Jacoby rule: gammons and backgammons count as single games until the cube is turned. */
  jacoby: boolean,
  /** Whether beavers are allowed. */
  beavers: boolean, };

/** The phase of a unit. */
export type BackgammonPhase = "selfPlay" | "learning" | "evaluating";

/** A turn that was played. */
export type BackgammonPlayed = {
  /** The side that played it. */
  side: number,
  /** The dice roll. */
  dice: [number, number],
  /** Its moves, as those of a candidate. */
  moves: Array<number>, };

/** The decisions and the luck of a side. Equities are those of a single game at the cube of the moment. */
export type BackgammonPlayerReport = {
  /** Plays with a choice, and cube decisions that were close or actual doubles and answers. */
  decisions: number,
  /** Equity given away in all of them. */
  cost: number,
  /** The sum of the luck of all rolls: what each was worth more than the mean of all possible ones. */
  luck: number,
  /** Equity given away per decision in thousandths, rounded to a tenth; none without a decision. */
  errorRate: number | null,
  /** GNU Backgammon's name for the equity given away per decision; none without a decision. */
  rating: string | null, };

/** Who plays on the stage. */
export type BackgammonPlayers = "watch" | "learner" | "expert";

/** Which roll, and how to value its plays. */
export type BackgammonPlaysInput = {
  /** An XGID with dice, or `POSITION_ID[:MATCH_ID] D1 D2`, as `4HPwATDgc/ABMA 3 1`. */
  position: string,
  /** Plies of lookahead, counted as by GNU Backgammon: 0 is the network's value alone. Only the candidates, the
 * best plays at 0 plies, get it; the others are listed after them at 0 plies. */
  plies: number,
  /** Cubeful equities for money play too, as in the analysis of a match; in a match they always are. A position
 * ID alone then means money play with a centred cube and without the Jacoby rule. */
  cube: boolean,
  /** A play that is a candidate in any case, in standard notation; empty for none. */
  also: string, };

/** The plays of a roll. */
export type BackgammonPlaysOutput = {
  /** Those with lookahead first, each group from the best to the worst. */
  plays: Array<BackgammonListedPlay>, };

/** A turn of the user, compared with the best play. */
export type BackgammonReview = {
  /** Number of the turn in the game. */
  turn: number,
  /** The play that was made. */
  played: string,
  /** Its equity. */
  equity: number,
  /** The best play. */
  best: string,
  /** The best play's equity. */
  bestEquity: number,
  /** The best play's moves, as those of a candidate. */
  bestMoves: Array<number>,
  /** How much worse the play was than the best, in equity. */
  cost: number,
  /** Rank of the play among all legal plays; 1 is the best. */
  rank: number,
  /** Number of legal plays. */
  of: number, };

/** The estimate so far, after some more games. */
export type BackgammonRolloutEvent = {
  /** Games from each position. */
  games: number,
  /** The equity of the best play, or of the position, and its standard error. */
  equity: number, error: number, };

/** What to roll out, and how. */
export type BackgammonRolloutInput = {
  /** A position ID or an XGID. With two dice, the plays that are best without lookahead are compared. */
  position: string,
  /** Games from each position, unless the rollout ends earlier. */
  games: number,
  /** Rolls after which the network values the position; 0 plays every game to its end. */
  truncate: number,
  /** Plies of lookahead of both sides. */
  plies: number,
  /** Selects the dice. */
  seed: number,
  /** Leaves the luck of the rolls in the results. */
  keep_luck: boolean,
  /** Ends once the standard error of every equity is below this limit; 0 for no limit. */
  until_error: number,
  /** With dice: ends once the best play is ahead of every other one by this many standard errors; 0 for no
 * limit. */
  until_difference: number, };

/** The estimates. */
export type BackgammonRolloutOutput = {
  /** The estimates of all plays, the best first, or of the position. */
  rollout: JsonValue,
  /** The same as several lines of text. */
  text: string, };

/** The decision at a score, with the cube in the middle. Where a side needs one point, the Crawford game, in
 * which nobody may double, is over. */
export type BackgammonScoreDecision = {
  /** Points that the side on roll needs, and the other one. */
  away: [number, number],
  /** In the words of players, such as "Double, take". */
  verdict: string,
  /** "double", "no double" or "too good", and "take" or "pass"; none where the rules allow no double or it
 * could win nothing. */
  action: string | null, response: string | null,
  /** Equities where 1 is a single game. */
  no_double: number, double_take: number | null, };

/** Which position, and how far the scores go. */
export type BackgammonScoresInput = {
  /** A position before the roll: an XGID or a position ID. Its own cube and score do not matter. */
  position: string,
  /** Plies of lookahead. */
  plies: number,
  /** The most points that a side needs to win the match. */
  away: number, };

/** All decisions. */
export type BackgammonScoresOutput = {
  /** Row by row: the side on roll needs one point in the first row, the other one in the first column. */
  decisions: Array<BackgammonScoreDecision>,
  /** A table of letters, as several lines of text. */
  text: string, };

/** A game apart from training, in real time, to be watched or played. */
export type BackgammonStage = {
  /** Who plays. */
  players: BackgammonPlayers,
  /** Number of the game. */
  game: number,
  /** Turns played in it. */
  turn: number,
  /** Checkers before the roll is played, south's positive and north's negative, by south's places: 1 to 24
 * are points, 25 is south's bar, 0 is north's. */
  board: Array<number>,
  /** The side whose turn it is. */
  side: number,
  /** The dice roll, the larger number first; zeros before the roll and once the game is over. */
  dice: [number, number],
  /** Whether the user has a roll to play. A roll without a legal move is passed automatically; whether a
 * decision about the cube is due stands in `match_play`. */
  awaits: boolean,
  /** The user's legal moves as a graph, five numbers an edge: node, from, to, whether it hits, next node.
 * Node 0 is the board; a node without an edge is a complete turn. */
  steps: Floats,
  /** The best plays, some of all that are legal, the best first. */
  candidates: Array<BackgammonCandidate>,
  /** Number of legal plays. */
  plays: number,
  /** Simulations of the search so far; 0 if there is none. */
  simulations: number,
  /** South's probabilities if this roll is played best: to win, to win a gammon, a backgammon, to lose a
 * gammon, a backgammon; and the equity in points. */
  outlook: [number, number, number, number, number, number],
  /** A line for each turn: the two dice, a space, the play in standard notation. */
  record: string,
  /** The side that began. */
  first: number,
  /** The position at the start of the game, as in `board`. */
  start: Array<number>,
  /** South's equity before every turn, and now. */
  equities: Floats,
  /** For every turn, how much worse the play was than the best play, in equity. */
  costs: Floats,
  /** The last turn, to be animated; none at the start of a game and after an undo. */
  last: BackgammonPlayed | null,
  /** The review of the user's last turn in this game, by the network as it was at that turn. */
  review: BackgammonReview | null,
  /** Points of the game for south once it is over, without the cube, else 0. */
  result: number,
  /** Points that south (first) and north have won since these players began. */
  score: [number, number],
  /** The match or the money session; none in single games without the cube. */
  matchPlay: BackgammonMatch | null, };

/** Everything the page draws. */
export type BackgammonView = { phase: BackgammonPhase,
  /** How much of the phase is done, 0 to 1. */
  phaseFraction: number,
  /** Self-play games that have ended since the run began, or since its last warm restart. */
  games: number, stage: BackgammonStage, };

/** The direction in which a metric improves. */
export type Better = "higher" | "lower" | "neither";

/** A description of the bundle's build, which the page requests before any run. */
export type Build = {
  /** The version of the crates. */
  version: string,
  /** The vector instructions: "simd128 + relaxed", "simd128", or "native" in native tests. */
  simd: string,
  /** Threads in the pool. */
  threads: number, };

/** An array of bytes, serialised as a whole. Each lab says what its bytes mean: bits, small counts, or
 * fractions where 255 stands for 1. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A change during a run: of live settings, of the seed, or of the user's own data. */
export type Change = {
  /** The number of completed units when it took effect, which is always between two units. */
  unit: number,
  /** The changed settings with the values that they had before. */
  before: { [key in string]: JsonValue },
  /** The same settings with their new values. */
  after: { [key in string]: JsonValue },
  /** The change of the seed; `None` if it stayed. */
  seed?: SeedChange,
  /** The user's own data from here on; `None` if they stayed. */
  data?: DataChange, };

/** A text of the editor for worlds, checked. */
export type CheckedWorld = {
  /** Errors and warnings, in the order of the text. */
  problems: Array<Problem>,
  /** Null if the text is no world. */
  world: WorldSummary | null, };

/** Metrics by column: `values[i][j]` is metric `i` at unit `units[j]`, or NaN if it was not measured then. */
export type Columns = {
  /** Ascending. */
  units: Array<number>,
  /** One column per metric, in the order of the lab's list. */
  values: Array<Array<number>>, };

/** A setting has an effect only while another setting, which is a choice, has one of these values. */
export type Condition = {
  /** Name of the other setting. */
  setting: string,
  /** Its values. */
  values: Array<string>, };

/** What a user can do on the stage. */
export type ControlCommand = { "type": "push",
  /** In units of the agent's own force or torque, from -3 to 3. A positive push acts like the agent's
 * highest-numbered action, or its positive torque. */
  strength: number, } | { "type": "resetStage" } | { "type": "world",
  /** What the text is called, such as the name of its file. */
  name: string, text: string,
  /** The values of parameters that are not the usual ones. */
  parameters?: { [key in string]: number }, } | { "type": "act",
  /** The number of the choice, or the numbers of the action in the units of the text. They are clipped
 * to their bounds. */
  numbers: Array<number>, } | { "type": "release" } | { "type": "map", x: number, y: number, };

/** An action that the text names. */
export type ControlOwnAction = { name: string, low: number, high: number,
  /** The names of the choices; empty for a number. */
  choices: Array<string>, };

/** A parameter that the text names. */
export type ControlOwnParameter = { name: string,
  /** Its value in the text. */
  usual: number,
  /** Its value in this run. */
  value: number, low: number, high: number, };

/** A world of the user's own: what the text says about it, and pictures of the stage and of training worlds. */
export type ControlOwnWorld = {
  /** Raised when the text or a parameter changes. */
  version: number,
  /** What the text is called. */
  name: string, title: string,
  /** One sentence. */
  about: string,
  /** The picture of the stage: the camera's middle (two numbers) and height, then the shapes in the order
 * in which they are drawn. For each: its form, its role, its width (NaN if it has none), the count of
 * the numbers that follow, and these. `README.md` of the lab lists them. */
  shapes: Floats,
  /** The pictures of the first training worlds. For each: the count of the numbers that follow, and its
 * picture as above. */
  trainingShapes: Floats,
  /** The texts of shapes, which refer to them by their index. */
  texts: Array<string>,
  /** What the agent sees on the stage, divided by its scales. */
  observation: Floats, observationNames: Array<string>, observationScales: Floats,
  /** The last action on the stage, in the units of the text. */
  action: Floats, actions: Array<ControlOwnAction>,
  /** Whether the user acts on the stage. */
  isPlayed: boolean, parameters: Array<ControlOwnParameter>,
  /** An episode ends after this many steps. */
  limit: number | null,
  /** The mean return at which the world counts as solved. */
  solved: number | null,
  /** Why the last episode of the stage failed by itself, such as "line 3: a division by zero". */
  fault: string | null,
  /** How many episodes of the last iteration ended by a fault of the rules, and the line of one of them, as
 * a sentence without a full stop; none if no episode did, or if a GPU collected them. */
  trainingFault: string | null, };

/** What a run is doing now. Each training iteration goes through the phases in this order, without an
 * evaluation where none is due. */
export type ControlPhase = "collecting" | "learning" | "evaluating";

/** The stage: one world apart from training. */
export type ControlStage = {
  /** Its state, with the numbers of a training state. */
  state: Floats,
  /** Probability of each discrete action; empty if the action is not a choice. */
  probabilities: Floats,
  /** The critic's value: the discounted rewards it expects, scaled as they are learned from; in a world of
 * the user's own as its text pays them. */
  value: number,
  /** The force or torque that the agent applies, as a fraction of its maximum: -1 to 1. */
  agent: number,
  /** The force or torque that the user applies, in the same unit. */
  visitor: number,
  /** Steps in this episode. */
  steps: number,
  /** Return of this episode so far. */
  score: number,
  /** Number of this episode. */
  episode: number,
  /** The most steps of any episode on the stage (CartPole). */
  bestSteps: number,
  /** The fewest steps in which an episode on the stage reached the goal; 0 if none did (MountainCar,
 * Acrobot). */
  fewestSteps: number,
  /** True for a moment after an episode terminated: the pole fell, the cart left the track, or the goal was
 * reached. In a world of the user's own also after the step limit. */
  over: boolean, };

/** The critic's values on a square grid over two state variables. `values[j * size + i]` belongs to
 * `x[0] + (x[1] - x[0]) * i / (size - 1)` and, in the same way, to `y` at `j`. */
export type ControlValueMap = {
  /** Points along each side. */
  size: number,
  /** Indices of the state variables on the x and y axes. The others are 0. */
  fields: [number, number],
  /** Range of the x axis. */
  x: [number, number],
  /** Range of the y axis. */
  y: [number, number],
  /** The values, row by row. */
  values: Floats, };

/** Everything the page draws. */
export type ControlView = {
  /** The world that is learned. */
  world: World,
  /** What the run is doing. */
  phase: ControlPhase,
  /** The completed fraction of the phase, 0 to 1. */
  phaseFraction: number,
  /** States of the first training worlds, at most 256, one after the other. A state is, for CartPole:
 * position, speed, angle, angular speed; for MountainCar: position, speed; for Pendulum: angle, angular
 * speed; for Acrobot: both angles, both angular speeds; for a world of the user's own: its state
 * variables in the order of the text, NaN if the episode began with a fault. */
  trainingStates: Floats,
  /** Steps in the current episode of each of these worlds. */
  trainingSteps: Floats,
  /** The stage: one world apart from training, in real time, that a user can push. */
  stage: ControlStage,
  /** The critic's value over a slice of the state space. */
  valueMap: ControlValueMap,
  /** What there is to draw of a world of the user's own. */
  own?: ControlOwnWorld, };

/** The state of the agent's attempt to solve the cube on the stage. */
export type CubeAttempt = "idle" | "solving" | "solved" | "stuck";

/** A command of the page's user to the stage. */
export type CubeCommand = { "type": "turn", turns: string, } | { "type": "scramble", turns: number, } | { "type": "away", turns: number, } | { "type": "place", stickers: string, } | { "type": "solve" } | { "type": "stop" };

/** The 3x3x3 on the stage, which the user turns or enters and the agent solves. It does not influence
 * training. */
export type CubeLargeStage = {
  /** The colours of the stickers, as letters: face by face U R F D L B, each row by row. */
  stickers: string, searching: boolean,
  /** Whether the state is solved. */
  isSolved: boolean,
  /** The beam of the search in progress, or of the last one: states kept at each depth, the best guess
 * among them, and the worst. */
  beamStates: Floats, beamBest: Floats, beamWorst: Floats,
  /** The most states that are kept at each depth. */
  width: number,
  /** Searches that have ended, and those of them that found a shorter solution than all before. */
  searches: number, improvements: number,
  /** The shortest solution so far, as turns from the state in which the search began. */
  solution: Array<string>,
  /** How many turns of the solution have been made. */
  solutionMade: number,
  /** Counts all turns ever made, so that the page can tell which ones are new. */
  count: number,
  /** The last turns made, the newest last. */
  made: Array<string>, };

/** What is drawn of a run with the 3x3x3. */
export type CubeLargeView = { learner: CubeLearner, metric: CubeMetric, phase: CubePhase,
  /** The fraction of the phase that is done. */
  phaseFraction: number,
  /** Whether the network now learns the distances after every turn from its own guesses (distillation). */
  distils: boolean,
  /** The network's mean guess after scrambles of 1 turn, 2 turns and so on; empty if it guesses no
 * distances. */
  guessByScramble: Floats,
  /** The fraction solved of the states that were evaluated last; NaN before the first evaluation. */
  solved: number,
  /** The mean length of their solutions. */
  length: number, stage: CubeLargeStage, };

/** The learning method. */
export type CubeLearner = "dqn" | "davi" | "efficientcube" | "cayleypy";

/** What counts as one turn. */
export type CubeMetric = "quarter" | "half";

export type CubePhase = "learning" | "evaluating";

/** What is drawn of a run with the 2x2x2. */
export type CubeSmallView = { learner: CubeLearner, metric: CubeMetric, phase: CubePhase,
  /** The fraction of the phase that is done. */
  phaseFraction: number,
  /** The fraction of states solved at each distance from 0 on, as last evaluated; NaN where nothing was
 * evaluated. */
  solvedByDistance: Floats,
  /** Mean turns beyond the shortest solution at each distance, over the solved states; NaN where there is
 * none. */
  excessByDistance: Floats,
  /** How many states there are at each distance. */
  statesByDistance: Floats,
  /** The fraction solved of all evaluated states; NaN before the first evaluation. */
  solved: number,
  /** The length of the longest scrambles in training now. With deep Q-learning it is the level of the
 * curriculum. */
  level: number,
  /** The final level of the curriculum. */
  levelTo: number, stage: CubeStage, };

/** The cube on the stage, which the user turns and the agent solves. It does not influence training. */
export type CubeStage = {
  /** The colours of the stickers, as letters `U` to `B`: face by face U R F D L B, each row by row. */
  stickers: string,
  /** The length of the shortest solution. */
  distance: number,
  /** The agent's score of each turn in `turns`; higher is better. With dqn it is the expected discounted
 * return, with efficientcube a logit, with davi and cayleypy minus the estimated distance after the
 * turn. */
  scores: Floats,
  /** The names of the turns. */
  turns: Array<string>,
  /** The length of the shortest solution after each turn. */
  after: Array<number>, attempt: CubeAttempt,
  /** The turns since the cube was last scrambled, placed or given to the agent, whoever made them. */
  made: Array<string>,
  /** Counts all turns ever made, so that the page can tell which ones are new. */
  count: number, };

/** Everything that the page draws. */
export type CubeView = { "puzzle": "2x2x2" } & CubeSmallView | { "puzzle": "3x3x3" } & CubeLargeView;

/** Data of the user's own that a run learns from: the command that gave them, see
 * [`crate::Lab::DATA_COMMANDS`]. */
export type DataChange = {
  /** SHA-256 of the command as canonical JSON, in hexadecimal digits. */
  sha256: string,
  /** The command; `None` if it is long, as with a text. The last data of a run are in its tensors. */
  command?: JsonValue, };

/** The episode that the visitor plays or watches. */
export type Episode = { steps: number,
  /** The reward of the last step. */
  reward: number,
  /** The sum of the rewards. */
  score: number, state: EpisodeState,
  /** Why it failed by itself. */
  fault: EpisodeFault | null,
  /** The values of the parameters. */
  parameters: Array<number>, };

/** What went wrong in a step. */
export type EpisodeFault = {
  /** The line of the text, from 1 on; 0 if no line is to blame. */
  line: number,
  /** As a part of a sentence. */
  what: string, };

/** Whether and how an episode has ended. */
export type EpisodeState = "running" | "failed" | "succeeded" | "truncated";

/** Ways to fail on purpose. */
export type Failure = "panic" | "poolPanic" | "memory";

/** A setting of a lab, or an input of a tool. */
export type Field = {
  /** Key in files, links and commands. */
  name: string,
  /** The standard term, for people. Its words joined by underscores name the field too, see
 * [`Field::is_called`]. */
  title: string,
  /** Help text for people. */
  help: string,
  /** Unit of the value; empty if it has none. */
  unit: string,
  /** Whether the value can change during a run, without a restart. */
  live: boolean,
  /** Whether the slider on the page is logarithmic. */
  log: boolean,
  /** What it is about. */
  group: Group,
  /** Whether it is one of the few settings that matter most. */
  main: boolean,
  /** When it has an effect: while all of these hold. */
  applies: Array<Condition>,
  /** The default value. */
  default: JsonValue, } & ({ "kind": "integer",
  /** The smallest allowed value. */
  min: number,
  /** The largest allowed value. */
  max: number, } | { "kind": "number",
  /** The smallest allowed value. */
  min: number,
  /** The largest allowed value. */
  max: number, } | { "kind": "switch" } | { "kind": "choice",
  /** The allowed names. */
  options: Array<string>, } | { "kind": "text",
  /** The most characters. */
  max: number, } | { "kind": "list",
  /** The kind of each value. */
  item: Kind,
  /** The most values. */
  max: number, } | { "kind": "file" } | { "kind": "opponent",
  /** The names that the lab knows. */
  names: Array<string>, });

/** The run that a fleet computes. */
export type FleetRun = { lab: string, seed: number,
  /** All settings. */
  config: { [key in string]: JsonValue }, };

/** An array of floats, serialised as little-endian bytes. The page reads them through a `Float32Array`. */
export type Floats = Uint8Array<ArrayBuffer>;

/** The goal of a run: a metric, and the value that it must reach. */
export type Goal = {
  /** The name of the metric. */
  metric: string,
  /** The goal is reached at this value or a better one, see [`MetricSpec::better`]. */
  target: number,
  /** The goal as a phrase for people. */
  words: string,
  /** Whether an evaluation of the metric is exact. It then covers every case, so that its value has no margin of error. */
  exact: boolean,
  /** The best value that can be measured, where it is not 100%. An evaluation with this value confirms the goal,
 * whatever its margin of error. */
  best?: number, };

/** The GPU that a run computes on. */
export type GpuInfo = { name: string,
  /** Whether it computes in software on the CPU. */
  software: boolean,
  /** The measured peak of multiply-adds, in floating-point operations per second. */
  operationsPerSecond: number, };

/** What a setting is about. Settings are shown by group. */
export type Group = "acting" | "data" | "learning" | "network" | "measuring";

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** The type of a setting's value. */
export type Kind = { "kind": "integer",
  /** The smallest allowed value. */
  min: number,
  /** The largest allowed value. */
  max: number, } | { "kind": "number",
  /** The smallest allowed value. */
  min: number,
  /** The largest allowed value. */
  max: number, } | { "kind": "switch" } | { "kind": "choice",
  /** The allowed names. */
  options: Array<string>, } | { "kind": "text",
  /** The most characters. */
  max: number, } | { "kind": "list",
  /** The kind of each value. */
  item: Kind,
  /** The most values. */
  max: number, } | { "kind": "file" } | { "kind": "opponent",
  /** The names that the lab knows. */
  names: Array<string>, };

/** The texts and settings of a lab, which the page shows before it loads the lab's bundle.
 * `www/generated/labs.ts` lists all labs. */
export type LabInfo = { about: About,
  /** The settings, in order. */
  fields: Array<Field>,
  /** Whether the lab can compute on a GPU in a tab, for which it has a bundle of its own. */
  usesGpu: boolean,
  /** Why not, for a lab that can on the command line. */
  whyNoGpu: string | null,
  /** Whether its tools have a bundle of their own. */
  toolsApart: boolean, };

/** A user's command. `SetText` (type `text`) changes what the network is trained on; all others concern the
 * stage only. */
export type LanguageCommand = { "type": "text",
  /** The text's name, such as its file name. */
  name: string,
  /** The text. */
  text: string, } | { "type": "prompt",
  /** The prompt. */
  text: string, } | { "type": "dials",
  /** 0 always takes the most likely token, 1 samples from the network's own probabilities; at most 2. */
  temperature: number,
  /** Sample only among this many of the most likely tokens; 0 for all. */
  topK: number, } | { "type": "again" } | { "type": "read",
  /** The text. What exceeds the context length is cut off at its end. */
  text: string, } | { "type": "token",
  /** Its index, counted from 0. */
  index: number, } | { "type": "ask",
  /** The question in the task's notation, such as `12+34=`. */
  question: string, };

/** A sample of an earlier iteration. */
export type LanguageEarlier = {
  /** The iteration, counted from 1. */
  unit: number,
  /** Tokens trained on by then. */
  tokensSeen: number,
  /** The prompt and what was generated. */
  text: string,
  /** Length of the prompt in UTF-16 code units, as JavaScript counts. */
  promptLength: number, };

/** Held-out problems that the network keeps answering while it learns. */
export type LanguageGrid = {
  /** Problems in each row and column. */
  side: number,
  /** The state of each problem: 0 wrong, 1 right, 2 not answered yet. */
  right: Bytes,
  /** The problems. */
  problems: Array<LanguageProblem>,
  /** Fraction of the answered problems that are right. */
  share: number,
  /** The user's problem, which is answered again too. */
  own: LanguageProblem | null, };

/** A token that may come next. */
export type LanguageGuess = {
  /** Its text. */
  text: string,
  /** Its probability. */
  probability: number, };

/** A token of a sample. */
export type LanguagePiece = {
  /** Its text. */
  text: string,
  /** The probability the network gave it at temperature 1; 1 for the prompt. */
  probability: number, };

/** A problem of a task. */
export type LanguageProblem = {
  /** The question in the task's notation. */
  question: string,
  /** The correct answer. */
  answer: string,
  /** The network's last answer; empty where there is none yet. */
  given: string, };

/** A text and what the network makes of it. */
export type LanguageReading = {
  /** The text of each token. */
  pieces: Array<string>,
  /** Surprisal of each token in bits, given the tokens before it; 0 for the first. */
  surprise: Array<number>,
  /** The index of the chosen token. */
  chosen: number,
  /** The twelve most likely tokens after the chosen one, most likely first. */
  next: Array<LanguageGuess>,
  /** Attention weights from the chosen token to every token before it and to itself, for each head of each
 * layer. */
  attention: Array<number>, };

/** A text generated on the stage. */
export type LanguageSample = {
  /** Iterations completed when the sample was started. */
  unit: number,
  /** Tokens trained on by then. */
  tokensSeen: number,
  /** The prompt and what was generated. */
  text: string,
  /** The same text token by token. A character that several tokens make up is in the piece of its last
 * token. */
  pieces: Array<LanguagePiece>,
  /** How many of the pieces are the prompt. */
  promptPieces: number,
  /** Whether the sample is finished. */
  done: boolean, };

/** What the network is trained on. */
export type LanguageSource = "stories" | "copy" | "reverse" | "sort" | "addition" | "modular" | "brackets" | "parity" | "text";

/** The state of the run and of its stage. */
export type LanguageView = {
  /** What the network is trained on now. */
  source: LanguageSource,
  /** The name of the user's text; empty where there is none. */
  textName: string,
  /** Tokens trained on so far. */
  tokensSeen: number,
  /** Number of different tokens. */
  vocabulary: number,
  /** Context length in tokens. */
  context: number,
  /** Width of the residual stream. */
  width: number,
  /** Transformer blocks. */
  layers: number,
  /** Attention heads of each block. */
  heads: number,
  /** Trained parameters. */
  parameters: number,
  /** Floating-point operations of training per token. */
  operations: number,
  /** The entropy in bits per byte, which no predictor can beat; 0 for the answers of a task, and unknown
 * for the user's text. */
  floor: number | null,
  /** What gzip needs for the held-out text, in bits per byte. */
  gzip: number | null,
  /** What an order-3 model (three bytes of context) fitted to training data needs for it, in bits per byte. */
  order3: number | null,
  /** What the network needed for it at the last evaluation, in bits per byte. */
  bits: number | null,
  /** The prompt of samples. */
  prompt: string,
  /** The temperature of samples. */
  temperature: number,
  /** Samples use only this many of the most likely tokens; 0 for all. */
  topK: number,
  /** The current sample, perhaps unfinished. */
  sample: LanguageSample,
  /** Samples from one prompt after 1, 2, 4, 8, ... iterations. */
  earlier: Array<LanguageEarlier>,
  /** The inspected text. */
  reading: LanguageReading,
  /** Held-out problems of a task. */
  grid: LanguageGrid | null, };

/** The pruned circuit of one cell, without channels that never influence a shown one.
   *
 * Its nodes are numbered: first the inputs that are read, then the gates, each after the nodes it reads. */
export type LogicCircuit = {
  /** Increases with every new circuit; never 0. */
  version: number,
  /** The inputs that are read. */
  inputs: Array<LogicPin>,
  /** The gate kinds, numbered as in `LogicGates`, by their truth tables (see [`GateKind`]). After pruning
 * there are 1, 2, 6, 7, 8, 9, 11 and 14 only, and 12 for an inverter in front of an output. */
  kinds: Array<number>,
  /** The two nodes that each gate reads; an inverter's are equal. */
  reads: Array<[number, number]>,
  /** Logic depth of each gate: one more than the deeper of its nodes, where inputs have depth 0. */
  levels: Array<number>,
  /** The next value of every channel that is shown or influences a shown one. */
  outputs: Array<LogicOutput>,
  /** Number of gates of a cell before pruning. */
  raw: number,
  /** Number of gates after pruning, with all channels kept. */
  exact: number, };

/** A command of the page's user. Only `Target` influences training. `Have` says what the page
 * has; all others change the stage. */
export type LogicCommand = { "type": "play",
  /** Whether it runs. */
  playing: boolean, } | { "type": "pace",
  /** Steps per second, 0.1 to 240. */
  rate: number, } | { "type": "step" } | { "type": "restart" } | { "type": "scramble" } | { "type": "clear" } | { "type": "wound",
  /** The centre in cells from the left edge; cells have their centres at halves. */
  x: number,
  /** The centre in cells from the top edge. */
  y: number,
  /** The radius in cells, at most 128. */
  radius: number, } | { "type": "paint",
  /** The centre in cells from the left edge; cells have their centres at halves. */
  x: number,
  /** The centre in cells from the top edge. */
  y: number,
  /** The radius in cells, at most 128. */
  radius: number,
  /** The new value. */
  on: boolean, } | { "type": "size",
  /** The factor for width and height, 1 to 4. */
  multiple: number, } | { "type": "fireRate",
  /** The probability, 0.05 to 1. */
  rate: number, } | { "type": "cell",
  /** The column. */
  x: number,
  /** The row. */
  y: number, } | { "type": "target",
  /** The digits. */
  planes: string, } | { "type": "have",
  /** The version of the wiring; 0 for none. */
  wiring: number,
  /** The version of the pruned circuit; 0 for none. */
  circuit: number, };

/** What the automaton learns to do. */
export type LogicExperiment = "life" | "checkerboard" | "async" | "figure" | "letter";

/** An exported file. */
export type LogicExport = {
  /** A name for the file. */
  name: string,
  /** Its content. */
  text: string, };

/** What to write. */
export type LogicExportInput = {
  /** The language. */
  format: LogicFormat,
  /** All gates, also those that can be left out. */
  full: boolean, };

/** A language to export circuits in. */
export type LogicFormat = "verilog" | "json" | "wgsl" | "c";

/** The gates of all layers, those of perception first. In a layer of perception, gate `j * kernels + k` is
 * gate j of kernel k. */
export type LogicGates = {
  /** Gates in each layer. */
  layers: Array<number>,
  /** Number of layers that belong to perception. */
  perceptionLayers: number,
  /** The most likely kind of each gate, numbered by its truth table: bit 3 is the answer to (0, 0), bit 2
 * to (0, 1), bit 1 to (1, 0), and bit 0 to (1, 1). So kind 3 passes its first input through. */
  kinds: Bytes,
  /** The probability of that kind: 0 to 255 for 0 to 1. */
  sure: Bytes,
  /** Number of gates of each kind. */
  counts: Array<number>, };

/** The values of a circuit's nodes in the chosen cell. */
export type LogicLit = {
  /** The version of the circuit. */
  version: number,
  /** One value per node: 0 or 1. */
  values: Bytes, };

/** A channel's next value: that of a node, or a constant. */
export type LogicOutput = {
  /** The channel. */
  channel: number,
  /** The node, which may be an input. */
  node: number | null,
  /** The constant, if there is no node. */
  constant: boolean | null, };

/** An input: one channel of one cell of the neighbourhood. */
export type LogicPin = {
  /** The channel. */
  channel: number,
  /** The cell: 0 to 8 in reading order, where 4 is the cell itself. */
  neighbour: number, };

/** What the user sees and touches: a grid that is no part of training, run from the same state with soft and
 * with hard gates. */
export type LogicStage = {
  /** Width in cells. */
  width: number,
  /** Height in cells. */
  height: number,
  /** The size as a multiple of the training grid. */
  multiple: number,
  /** Whether the edges wrap around. */
  periodic: boolean,
  /** Number of shown channels: one, or three for red, green and blue. */
  shown: number,
  /** The shown channels with soft gates, one after the other, row by row: 0 to 255 for 0 to 1. */
  soft: Bytes,
  /** The shown channels with hard gates: 0 or 1. */
  hard: Bytes,
  /** The target on a grid of this size: a picture stands in the middle, with zeros around it. Empty for the
 * game of life. */
  target: Bytes,
  /** Cells of the hard grid that differ from the target. In the game of life, cells that the last step set
 * against the rule. */
  wrongHard: number,
  /** Wrong cells of the soft grid, its values rounded. */
  wrongSoft: number,
  /** Steps since the last restart. */
  step: number,
  /** The step that training compares with the target. */
  steps: number,
  /** Whether the stage runs. */
  playing: boolean,
  /** Steps per second while it runs. */
  pace: number,
  /** The probability that a cell updates in a step. */
  fireRate: number,
  /** The chosen cell: column and row. */
  cell: [number, number], };

/** Everything the page draws. */
export type LogicView = {
  /** The experiment. */
  experiment: LogicExperiment,
  /** Epochs done. */
  epochs: number,
  /** The current attempt, counted from 1. A run without progress restarts with fresh gates. */
  attempt: number,
  /** The epoch at which the attempt started. */
  begun: number,
  /** Width and height of the training grid. */
  size: number,
  /** The target of the shown channels on the training grid, one channel after the other, row by row: 0
 * or 1. Empty for the game of life. */
  target: Bytes,
  /** Whether the user drew the target; otherwise it is the published one. */
  ownTarget: boolean,
  /** The stage. */
  stage: LogicStage,
  /** The gates. */
  gates: LogicGates,
  /** The version of the wiring; never 0. */
  wiringVersion: number,
  /** The wiring, unless the page has this version. */
  wiring: LogicWiring | null,
  /** The version of the pruned circuit; 0 before the first. */
  circuitVersion: number,
  /** The pruned circuit, unless the page has this version. It is renewed at most twice a second. */
  circuit: LogicCircuit | null,
  /** The values of the circuit's nodes in the chosen cell of the hard grid. */
  lit: LogicLit | null,
  /** For the game of life, one entry per neighbourhood, whose k-th cell is bit k of its number: bit 0 is
 * the hard circuit's output, bit 1 is set if that is wrong. Empty in other experiments. */
  rule: Bytes, };

/** The wiring of the layers. */
export type LogicWiring = {
  /** Channels of a cell. Perception exists once and is applied to each of them. */
  channels: number,
  /** Perception kernels. */
  kernels: number,
  /** The two values of the layer before that each gate reads. The first layer of perception reads the nine
 * cells of a neighbourhood in reading order. The first layer of the update reads the cell's own
 * channels, then the outputs of perception channel by channel.
   *
 * Shape: `[gates, 2]`. */
  pairs: Array<number>, };

/** The description of a metric, for charts and tables. */
export type MetricSpec = {
  /** Key in rows, files and charts. */
  name: string,
  /** Short label for people. */
  label: string,
  /** What is measured, in one line. */
  help: string,
  /** Unit of the values; empty if they have none. */
  unit: string,
  /** The direction in which the metric improves. */
  better: Better, };

/** Named settings. */
export type Preset = {
  /** Id in commands and links. It never changes between versions. */
  name: string,
  /** Name for people. */
  title: string,
  /** What the preset is for, in one line. */
  help: string,
  /** The settings that differ from the default, as JSON text. */
  settings: string, };

/** An error or a warning about a part of a text. */
export type Problem = {
  /** Whether the text is a world all the same. */
  warning: boolean,
  /** The first line is 1. */
  line: number,
  /** In characters (Unicode code points), like the length; the first column is 1. */
  column: number, length: number, message: string,
  /** What to write instead. */
  help: string | null, };

/** The progress of a run. */
export type Progress = {
  /** Units completed. */
  units: number,
  /** The amount of training, in the lab's unit of measure (`About::work`). */
  work: number,
  /** Work per second, over the last two seconds. */
  workPerSecond: number,
  /** Units per second, over the last two seconds. */
  unitsPerSecond: number,
  /** True between `Run` and `Pause`. */
  running: boolean,
  /** The rate of slow motion; null at full speed. */
  stepsPerSecond: number | null,
  /** The number of completed units when the goal was first reached; null if it has not been reached. */
  solvedAt: number | null,
  /** The amount of training at the end of that unit; null if that was before the run was resumed. */
  solvedWork: number | null,
  /** The amount of training at the end of the last completed unit; `work` also counts what was done of the
 * next. */
  unitsWork: number, };

/** From the worker to the page. */
export type Reply = { "type": "opened", run: RunInfo,
  /** The whole history of metrics. */
  metrics: Columns, progress: Progress, } | { "type": "progress", progress: Progress,
  /** The rows of metrics since the last message. */
  metrics: Columns, } | { "type": "configured",
  /** All settings. */
  config: { [key in string]: JsonValue }, seed: number,
  /** The changes during the run that have taken effect. */
  changes: Array<Change>,
  /** The goal from here on: data of the user's own can have another one. */
  goal: Goal | null, } | { "type": "refused",
  /** The value of `type` in the request. */
  request: string,
  /** The reason, in one sentence. */
  message: string, } | { "type": "executed",
  /** The text that it asked for, such as a file; null for most commands. */
  text: string | null, } | { "type": "saved",
  /** The number of completed units in the checkpoint. */
  units: number,
  /** The fingerprint of the run, equal for runs that continue with the same bits; null if it was not
 * requested. */
  fingerprint: string | null,
  /** The file. */
  bytes: Uint8Array<ArrayBuffer>, } | { "type": "device",
  /** The GPU; null if the run computes on the CPU. */
  gpu: GpuInfo | null,
  /** Why the GPU is not used, or why it failed; null if it is used. After a failure the run cannot
 * go on from here, but from its last checkpoint. */
  message: string | null,
  /** True if the GPU failed while the run computed on it. */
  failed: boolean, } | { "type": "peak",
  /** Floating-point operations per second, on all threads of this worker. */
  operationsPerSecond: number, };

/** From the page to the worker. Beside these fields, each request has a number as its `id`, which no other request
 * to this worker has. */
export type Request = { "type": "start", lab: string,
  /** Settings that differ from the defaults. */
  settings: { [key in string]: JsonValue }, seed: number, } | { "type": "resume",
  /** The checkpoint file. */
  bytes: Uint8Array<ArrayBuffer>, } | { "type": "run",
  /** The rate of slow motion. Null runs at full speed. */
  stepsPerSecond: number | null, } | { "type": "pause" } | { "type": "step",
  /** True to finish the unit. */
  unit: boolean, } | { "type": "configure",
  /** The settings to change. */
  settings: { [key in string]: JsonValue }, } | { "type": "reseed", seed: number, } | { "type": "command",
  /** A command of the lab. */
  command: JsonValue,
  /** The content of the file that belongs to the command. It is transferred beside the request. */
  bytes?: Uint8Array<ArrayBuffer>, } | { "type": "view",
  /** Seconds since the last view, by which the stage is animated. */
  seconds: number, } | { "type": "save",
  /** True to save the network alone, which cannot be continued exactly. */
  networkOnly: boolean,
  /** In the middle of a unit: true to save when the unit has ended in the normal course of training,
 * false to finish the unit at once. */
  wait: boolean,
  /** True to compute the fingerprint of the run too, which takes a second for the largest ones. */
  fingerprint: boolean,
  /** Null to save a checkpoint. Otherwise the run's recipe is saved, as JSON, with this text as the
 * class of its bits. */
  recipe?: string, } | { "type": "useGpu",
  /** Whether a GPU that computes in software is good enough. */
  software: boolean, } | { "type": "ask",
  /** The number of the request. Every answer repeats it. */
  id: number, tool: string,
  /** The values that differ from the tool's defaults. */
  input: { [key in string]: JsonValue },
  /** The content of the file that the input names. It is transferred beside the request. */
  bytes?: Uint8Array<ArrayBuffer>,
  /** The question with the largest one is worked on first. Questions that are equal in it take turns. */
  priority?: number, } | { "type": "cancel",
  /** The number of the question. */
  id: number, } | { "type": "peak" } | { "type": "fail", how: Failure, };

/** The facts about a run that are constant while it is open, except for what can change during a run. */
export type RunInfo = { lab: string,
  /** All settings as they are now. */
  config: { [key in string]: JsonValue },
  /** The seed as it is now. */
  seed: number,
  /** The changes during the run so far, which lead back to the settings and the seed at its start. */
  changes: Array<Change>, goal: Goal | null,
  /** The number of completed units when the run continued from a file that held only a network, so that
 * nothing repeats it from its start. */
  networkSince: number | null, };

/** A change of the seed of all random numbers during a run. */
export type SeedChange = { before: number, after: number, };

/** How far a job is. */
export type ToolProgress = {
  /** The share of the work that is done, 0 to 1; 0 while nobody can tell. */
  share: number,
  /** How much is done, in what [`ToolAbout::counts`] names. */
  count: number, };

/** From the page to a worker that has the tools of a lab and no session. Questions are answered as those of
 * [`Request`], by several [`Answer`]s. */
export type ToolsRequest = { "type": "source",
  /** The checkpoint file, with or without what a run needs to continue. */
  bytes: Uint8Array<ArrayBuffer>, } | { "type": "ask",
  /** A number that no other question to this worker has. Every answer repeats it. */
  id: number, tool: string,
  /** The values that differ from the tool's defaults. */
  input: { [key in string]: JsonValue },
  /** The content of the file that the input names. It is transferred beside the request. */
  bytes?: Uint8Array<ArrayBuffer>,
  /** The question with the largest one is worked on first. Questions that are equal in it take turns. */
  priority?: number, } | { "type": "cancel",
  /** The number of the question. */
  id: number, };

/** How much of something was computed. */
export type WorkCount = {
  /** A plural noun, such as "turns". */
  what: string, count: number, };

/** The world to learn, as a setting. */
export type World = "cartpole" | "mountaincar" | "pendulum" | "acrobot" | "own";

/** What the agent, or the visitor in its place, decides in each step. */
export type WorldActions = { "type": "choice", name: string, choices: Array<string>, } | { "type": "continuous", ranges: Array<WorldRange>, };

/** A number that the visitor may change while the world runs. */
export type WorldParameter = { name: string, value: number, low: number, high: number, };

/** A continuous action. */
export type WorldRange = { name: string, low: number, high: number, };

/** What a text says about its world, beside the formulas. */
export type WorldSummary = { title: string, about: string, parameters: Array<WorldParameter>,
  /** The names of the numbers of the state. */
  state: Array<string>, actions: WorldActions,
  /** The names of what the agent sees. */
  observations: Array<string>,
  /** Steps of an episode at most. */
  limit: number | null,
  /** The mean return from which on the world counts as solved. */
  solved: number | null, secondsPerStep: number,
  /** Shapes that are drawn. */
  shapes: number, };

/** The view and the commands of each lab, by its id. */
export type LabTypes = {
  "control": { view: ControlView, command: ControlCommand },
  "backgammon": { view: BackgammonView, command: BackgammonCommand },
  "cube": { view: CubeView, command: CubeCommand },
  "logic": { view: LogicView, command: LogicCommand },
  "language": { view: LanguageView, command: LanguageCommand },
};

/** The input, the events and the output of each tool that a bundle has, by the ids of lab and tool. */
export type LabTools = {
  "control": {  },
  "backgammon": { "eval": { input: BackgammonEvalInput, event: null, output: BackgammonEvalOutput }, "plays": { input: BackgammonPlaysInput, event: null, output: BackgammonPlaysOutput }, "cube": { input: BackgammonCubeInput, event: null, output: BackgammonCubeOutput }, "scores": { input: BackgammonScoresInput, event: BackgammonScoreDecision, output: BackgammonScoresOutput }, "rollout": { input: BackgammonRolloutInput, event: BackgammonRolloutEvent, output: BackgammonRolloutOutput }, "analyse": { input: BackgammonAnalyseInput, event: BackgammonAnalyseEvent, output: BackgammonAnalyseOutput }, "duel": { input: BackgammonDuelInput, event: null, output: BackgammonDuelOutput }, "match": { input: BackgammonMatchInput, event: null, output: BackgammonMatchOutput } },
  "cube": {  },
  "logic": { "export": { input: LogicExportInput, event: null, output: LogicExport } },
  "language": {  },
};

/** The answer to the request `view`: the data to draw. */
export type ViewReply = { "type": "view", view: LabTypes[keyof LabTypes]["view"] };

/** A part of the answer to the request `ask`. */
export type Answer = { "type": "answer", id: number, part: AnswerPart };

/** Every message of a session. What answers a request has its number. */
export type Message = ((Reply | ViewReply) & { id?: number }) | Answer;
