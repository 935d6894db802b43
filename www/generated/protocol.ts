// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

/** What a lab is, in words for people. Everything a screen or a terminal needs without starting it. */
export type About = {
  /** Name in commands, links and files. */
  id: string,
  /** Name for people. */
  title: string,
  /** What happens here, in one line. */
  tagline: string,
  /** What the agent is. */
  agent: string,
  /** What it is after. */
  goal: string,
  /** What one sees in the picture. */
  picture: string,
  /** What `Lab::work` counts ("world steps"). */
  work: string,
  /** What one unit is ("iteration"). */
  unit: string,
  /** Named settings to start from; the first is the default. */
  presets: Array<Preset>,
  /** Every metric the lab may report. */
  metrics: Array<MetricSpec>,
  /** The metrics worth a chart, most telling first. */
  charts: Array<string>, };

/** A play that could be made. */
export type BackgammonCandidate = {
  /** In the words of players. */
  notation: string,
  /** Its moves in an order in which they can be made, three numbers each: from, to, whether it hits. */
  moves: Array<number>,
  /** What it is worth, in points. */
  equity: number,
  /** Its chances, as in the outlook. */
  outcomes: [number, number, number, number, number],
  /** Its share of the visits, where it was looked ahead. */
  visits: number, };

/** What a visitor may do. */
export type BackgammonCommand = { "type": "newGame",
  /** Who plays it. */
  players: BackgammonPlayers, } | { "type": "play",
  /** The turn that is meant. */
  turn: number,
  /** Its moves, a die each: from and to on south's places. */
  steps: Array<[number, number]>, } | { "type": "undo" } | { "type": "tempo",
  /** Seconds, at most 60; nothing moves by itself at 0. */
  seconds: number, } | { "type": "next" } | { "type": "invite",
  /** A checkpoint of this lab, in base 64. */
  checkpoint: string, };

/** What a turn of the visitor was worth. */
export type BackgammonJudged = {
  /** Which turn of the game it was. */
  turn: number,
  /** What was played. */
  played: string,
  /** What that was worth. */
  equity: number,
  /** The best play. */
  best: string,
  /** What that would have been worth. */
  bestEquity: number,
  /** Its moves, as those of a candidate. */
  bestMoves: Array<number>,
  /** What was given away. */
  cost: number,
  /** The place of what was played among all plays; 1 is the best. */
  rank: number,
  /** How many there were. */
  of: number, };

/** What the learner is busy with. */
export type BackgammonPhase = "playing" | "learning" | "measured";

/** A turn that was played. */
export type BackgammonPlayed = {
  /** Whose it was. */
  side: number,
  /** The throw. */
  dice: [number, number],
  /** Its moves, as those of a candidate. */
  moves: Array<number>, };

/** Who sits at the board. */
export type BackgammonPlayers = "watch" | "learner" | "expert";

/** A game apart from training, in real time, to be watched or played. */
export type BackgammonStage = {
  /** Who plays. */
  players: BackgammonPlayers,
  /** Which game it is. */
  game: number,
  /** Turns that have been played in it. */
  turn: number,
  /** Checkers before the throw is played, south's counting up and north's down, on south's places: 1 to 24 points, 25
 * south's bar, 0 north's. */
  board: Array<number>,
  /** Whose turn it is. */
  side: number,
  /** The throw, the larger number first; zeros once the game is over. */
  dice: [number, number],
  /** Whether the visitor is to move. A throw that cannot be played is passed by itself. */
  awaits: boolean,
  /** The ways through the visitor's turn, five numbers a step: node, from, to, whether it hits, next node. Node 0 is the
 * board; a node that no step leaves is a finished turn. */
  steps: Floats,
  /** The best plays, best first. */
  candidates: Array<BackgammonCandidate>,
  /** How many plays there are. */
  plays: number,
  /** Simulations behind what is said of them; 0 where nothing was looked ahead. */
  simulations: number,
  /** South's chances if this throw is played best: to win, win a gammon, a backgammon, lose a gammon, a backgammon; and
 * what they are worth in points. */
  outlook: [number, number, number, number, number, number],
  /** A line a turn: the two dice, a space, the play in standard notation. */
  record: string,
  /** The side that began. */
  first: number,
  /** What it was worth before every turn, and is now. */
  equities: Floats,
  /** What every turn gave away against the best play, in points. */
  costs: Floats,
  /** The last turn, where it can be shown; none at the begin and after one was taken back. */
  last: BackgammonPlayed | null,
  /** The visitor's last turn in this game, as it was judged when it was played. */
  judged: BackgammonJudged | null,
  /** Points of the game for south once it is over, else 0. */
  result: number,
  /** Points that south and north have won since they sat down. */
  score: [number, number], };

/** What can be drawn now. */
export type BackgammonView = {
  /** What the learner is busy with. */
  phase: BackgammonPhase,
  /** How much of the phase is done, 0 to 1. */
  phaseShare: number,
  /** Games it has played against itself. */
  games: number,
  /** A game apart from training. */
  stage: BackgammonStage, };

/** Which way a metric improves. */
export type Better = "higher" | "lower" | "neither";

/** What a build is: asked once, before any run. */
export type Build = {
  /** The version of the crates. */
  version: string,
  /** Vector instructions compiled in ("simd128 + relaxed", "simd128"). */
  simd: string,
  /** Threads in the pool. */
  threads: number, };

/** A column of bytes: bits, small counts, shares in 255ths. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Metrics in columns: `values[i][j]` is metric `i` at unit `units[j]`, not a number where unmeasured. */
export type Columns = {
  /** The units, ascending. */
  units: Array<number>,
  /** One column a metric, in the order of the lab's list. */
  values: Array<Array<number>>, };

/** What a visitor may do. */
export type ControlCommand = { "type": "push",
  /** How hard, in units of the agent's own force or torque, at most 3 either way; positive is the way of the
 * agent's last action. */
  strength: number, } | { "type": "resetStage" };

/** What can be drawn now. */
export type ControlView = {
  /** The world it learns. */
  world: World,
  /** What the learner is busy with. */
  phase: Phase,
  /** How much of the phase is done, 0 to 1. */
  phaseShare: number,
  /** The states of the first worlds it learns from, at most 256, one after the other. A state is: of CartPole
 * position, speed, angle, angular speed; of MountainCar position, speed; of Pendulum angle, angular speed; of
 * Acrobot both angles, both angular speeds. */
  wall: Floats,
  /** How many steps the present episode of each of those worlds has lasted. */
  wallSteps: Floats,
  /** One world apart from training, in real time, that a visitor can push. */
  stage: Stage,
  /** The critic's value over two numbers of a state, the others at rest. */
  plane: Plane, };

/** How the cube that is shown fares. */
export type CubeAttempt = "idle" | "solving" | "solved" | "stuck";

/** What a visitor may do. */
export type CubeCommand = { "type": "turn",
  /** The turns. */
  turns: string, } | { "type": "scramble",
  /** How many, at most 100. */
  turns: number, } | { "type": "away",
  /** The least number of turns to the solved cube. */
  turns: number, } | { "type": "place",
  /** The stickers. */
  stickers: string, } | { "type": "solve" } | { "type": "stop" };

/** How it learns. */
export type CubeLearner = "dqn" | "davi" | "efficientcube" | "cayleypy";

/** What counts as one turn. */
export type CubeMetric = "quarter" | "half";

/** What the learner is busy with. */
export type CubePhase = "learning" | "judged";

/** One cube apart from training. */
export type CubeStage = {
  /** The colours of its stickers, `U` to `B`: face by face U R F D L B, each row by row. */
  stickers: string,
  /** The least number of turns to the solved cube. */
  distance: number,
  /** What each turn is worth in the learner's eyes, in the order of `turns`: the higher the better. Of dqn the discounted
 * reward, of efficientcube the logarithm of a probability up to a constant, of the others a distance, negated. */
  worths: Floats,
  /** The names of those turns. */
  turns: Array<string>,
  /** The least number of turns to the solved cube after each of them. */
  after: Array<number>,
  /** How it fares. */
  attempt: CubeAttempt,
  /** The turns made since it was last scrambled, placed or solved, by the visitor or the learner. */
  made: Array<string>,
  /** Counts every turn made, so that a page can tell new ones. */
  count: number, };

/** What can be drawn now. */
export type CubeView = {
  /** How it learns. */
  learner: CubeLearner,
  /** What counts as a turn. */
  metric: CubeMetric,
  /** What it is busy with. */
  phase: CubePhase,
  /** How much of the phase is done, 0 to 1. */
  phaseShare: number,
  /** Share of states solved at each distance from 0 on, by the last judgement; NaN where nothing was judged yet. */
  shares: Floats,
  /** Mean turns more than the least of those, in the same way. */
  excesses: Floats,
  /** How many states there are at each distance. */
  counts: Floats,
  /** Share solved of all states that were judged; NaN before the first judgement. */
  solved: number,
  /** How many turns the longest scrambles have that are learned from. */
  level: number,
  /** The longest there will be. */
  levelTo: number,
  /** One cube apart from training. */
  stage: CubeStage, };

/** Ways to fail on purpose. */
export type Failure = "panic" | "poolPanic" | "memory";

/** One setting of a lab, for dials and help texts. */
export type Field = {
  /** Its name in files, links and commands. */
  name: string,
  /** What it does, in one line. */
  help: string,
  /** Unit of the value, empty where there is none. */
  unit: string,
  /** True where a change is taken over without a restart. */
  live: boolean,
  /** True where a dial should move in equal ratios instead of equal steps. */
  log: boolean,
  /** Value where nothing is said. */
  default: JsonValue, } & ({ "kind": "integer",
  /** Smallest allowed. */
  min: number,
  /** Largest allowed. */
  max: number, } | { "kind": "number",
  /** Smallest allowed. */
  min: number,
  /** Largest allowed. */
  max: number, } | { "kind": "switch" } | { "kind": "choice",
  /** The names. */
  options: Array<string>, });

/** A column of floats, serialised as its little-endian bytes. The page reads them through a
 * `Float32Array`. */
export type Floats = Uint8Array<ArrayBuffer>;

/** The goal of a run: a metric and the value that counts as reached. */
export type Goal = {
  /** Which metric is judged. */
  metric: string,
  /** The value at which the goal is reached, in the direction in which the metric improves. */
  target: number,
  /** The goal in words. */
  words: string, };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** One lab, as the page knows it before anything of it is loaded: `www/generated/labs.ts` lists them all. */
export type LabInfo = {
  /** What it says about itself. */
  about: About,
  /** Its settings, in order. */
  fields: Array<Field>, };

/** What a visitor may do. A text of one's own is learned from; all else concerns the stage, which nothing is learned from. */
export type LanguageCommand = { "type": "text",
  /** What it is called. */
  name: string,
  /** The text. */
  text: string, } | { "type": "prompt",
  /** The beginning. */
  text: string, } | { "type": "dials",
  /** 0 for always the likeliest token, 1 for as the network guesses; at most 2. */
  temperature: number,
  /** Only so many of the likeliest are drawn from; 0 for all. */
  topK: number, } | { "type": "again" } | { "type": "read",
  /** The text; what the context does not hold is cut off at its end. */
  text: string, } | { "type": "token",
  /** Its place, counted from 0. */
  index: number, } | { "type": "ask",
  /** The question as the task writes it, such as `12+34=`. */
  question: string, };

/** How a sample read earlier. */
export type LanguageEarlier = {
  /** Iterations that were over. */
  unit: number,
  /** Tokens learned from by then. */
  tokensSeen: number,
  /** All of it, the prompt included. */
  text: string,
  /** How long the prompt is at its beginning, as JavaScript counts characters. */
  promptLength: number, };

/** Problems that nothing is learned from, asked again and again while the network learns. */
export type LanguageGrid = {
  /** Problems along and down. */
  side: number,
  /** What became of each: 0 wrong, 1 right, 2 not asked yet. */
  right: Bytes,
  /** The problems. */
  problems: Array<LanguageProblem>,
  /** Share of those asked that were right. */
  share: number,
  /** A visitor's own problem, which is asked again too. */
  own: LanguageProblem | null, };

/** A token that may follow. */
export type LanguageGuess = {
  /** Its text. */
  text: string,
  /** How likely. */
  probability: number, };

/** A token of a sample. */
export type LanguagePiece = {
  /** Its text. */
  text: string,
  /** How likely the network held it to be, whatever the temperature; 1 in the prompt. */
  probability: number, };

/** A problem of a task. */
export type LanguageProblem = {
  /** As the task writes it. */
  question: string,
  /** What is right. */
  answer: string,
  /** What the network answered last; empty before. */
  given: string, };

/** A text that is looked into. */
export type LanguageReading = {
  /** Its tokens. */
  pieces: Array<string>,
  /** How many bits each costs after those before it; 0 for the first, which nothing is before. */
  surprise: Array<number>,
  /** The token that was chosen. */
  chosen: number,
  /** What the network expects after it: the likeliest dozen, the likeliest first. */
  next: Array<LanguageGuess>,
  /** How much of itself and of each token before it reaches the chosen token. // [layers, heads, chosen + 1] */
  attention: Array<number>, };

/** A text that the network wrote. */
export type LanguageSample = {
  /** Iterations that were over when it was begun. */
  unit: number,
  /** Tokens learned from by then. */
  tokensSeen: number,
  /** All of it, the prompt included. */
  text: string,
  /** The same token by token. A character of several bytes stands in the piece that it ends with. */
  pieces: Array<LanguagePiece>,
  /** How many of the pieces are the prompt. */
  promptPieces: number,
  /** Whether it is finished. */
  done: boolean, };

/** What is read. */
export type LanguageSource = "stories" | "copy" | "reverse" | "sort" | "addition" | "modular" | "brackets" | "parity" | "text";

/** What can be drawn now. */
export type LanguageView = {
  /** What is being read now. */
  source: LanguageSource,
  /** What the text of one's own is called; empty where there is none. */
  textName: string,
  /** Tokens learned from so far. */
  tokensSeen: number,
  /** How many different tokens there are. */
  vocabulary: number,
  /** How many tokens the network sees at once. */
  context: number,
  /** Numbers it keeps about each. */
  width: number,
  /** Its blocks. */
  layers: number,
  /** Heads of each. */
  heads: number,
  /** Numbers that are learned. */
  parameters: number,
  /** Floating-point operations that learning takes for each token. */
  operations: number,
  /** What no reader can do better than, in bits a byte: the entropy of the stories; 0 for the answers of a task. */
  floor: number | null,
  /** What gzip makes of the held-out text, in bits a byte. */
  gzip: number | null,
  /** The same of a model that knows three bytes before each, fitted to the text that is learned from. */
  order3: number | null,
  /** The same of the network, as last judged. */
  bits: number | null,
  /** What samples begin with. */
  prompt: string,
  /** How daring they are. */
  temperature: number,
  /** How many of the likeliest tokens they are drawn from; 0 for all. */
  topK: number,
  /** The newest, perhaps still being written. */
  sample: LanguageSample,
  /** How samples from one prompt read after 1, 2, 4, 8 and so on iterations. */
  earlier: Array<LanguageEarlier>,
  /** A text that is looked into. */
  reading: LanguageReading,
  /** Problems of a task that nothing is learned from. */
  grid: LanguageGrid | null, };

/** What one cell computes, without what is constant, handed on, said twice or never shown.
   *
 * Its nodes are numbered: first what is read of the neighbourhood, then the gates, each behind all that it reads. */
export type LogicCircuit = {
  /** Counts up with every other circuit; never 0. */
  version: number,
  /** What is read of the neighbourhood. */
  inputs: Array<LogicPin>,
  /** The gates' kinds, numbered as in `LogicGates`: 1, 2, 6, 7, 8, 9, 11 and 14; 12 where an output alone is inverted. */
  kinds: Array<number>,
  /** The nodes that each gate reads; twice the same for an inverter. */
  reads: Array<[number, number]>,
  /** How far from the neighbourhood each gate stands: one more than the further of what it reads, which is 0 for inputs. */
  levels: Array<number>,
  /** Where the next value of each channel comes from that matters to what is shown. */
  outputs: Array<LogicOutput>,
  /** Gates at work in a cell before any were left out. */
  raw: number,
  /** Gates that say the same of all channels. */
  exact: number, };

/** What a visitor may do. All of it but the target concerns the stage alone, which nothing is learned from. */
export type LogicCommand = { "type": "play",
  /** Whether it runs. */
  playing: boolean, } | { "type": "pace",
  /** Steps a second, 0.1 to 240. */
  rate: number, } | { "type": "step" } | { "type": "restart" } | { "type": "scramble" } | { "type": "clear" } | { "type": "wound",
  /** The place, counted in cells from the left edge of the grid; a cell's middle lies half a cell from its edge. */
  x: number,
  /** Counted from above. */
  y: number,
  /** The radius in cells, at most 128. */
  radius: number, } | { "type": "paint",
  /** The place, as of a wound. */
  x: number,
  /** Counted from above. */
  y: number,
  /** The radius in cells, at most 128. */
  radius: number,
  /** What it becomes. */
  on: boolean, } | { "type": "size",
  /** How many times, 1 to 4. */
  multiple: number, } | { "type": "fireRate",
  /** The share of cells that act in a step, 0.05 to 1. */
  rate: number, } | { "type": "cell",
  /** From the left. */
  x: number,
  /** From above. */
  y: number, } | { "type": "target",
  /** The digits. */
  planes: string, } | { "type": "have",
  /** Of the wiring; 0 for none. */
  wiring: number,
  /** Of the pruned circuit; 0 for none. */
  circuit: number, } | { "type": "export",
  /** In which language. */
  format: LogicFormat, } | { "type": "taken" };

/** What is to be grown. */
export type LogicExperiment = "life" | "checkerboard" | "async" | "figure" | "letter";

/** A circuit written down, until it is taken. */
export type LogicExport = {
  /** What to call the file. */
  name: string,
  /** The file. */
  text: string, };

/** A language to write circuits in. */
export type LogicFormat = "verilog" | "json" | "wgsl" | "c";

/** What the gates have become: those of the perception's layers first. In a layer of perception, gate `j * kernels + k` is
 * gate j of kernel k. */
export type LogicGates = {
  /** How many gates each layer has. */
  layers: Array<number>,
  /** How many of the layers belong to perception. */
  perceptionLayers: number,
  /** The likeliest kind of each gate: its truth table as a number, the answer to (0, 0) counting 8, to (0, 1) 4, to (1, 0)
 * 2, to (1, 1) 1. So 3 hands on the first input. */
  kinds: Bytes,
  /** How likely that kind is: 0 to 255 for 0 to 1. */
  sure: Bytes,
  /** How many gates there are of each kind. */
  counts: Array<number>, };

/** What the nodes of a circuit carry in the chosen cell, as it computes its next state. */
export type LogicLit = {
  /** Of which circuit. */
  version: number,
  /** One for each node: 0 or 1. */
  values: Bytes, };

/** A channel's next value: of a node, or always the same. */
export type LogicOutput = {
  /** Which channel. */
  channel: number,
  /** The node, which may be an input. */
  node: number | null,
  /** What it always is, where there is no node. */
  constant: boolean | null, };

/** A value of the neighbourhood. */
export type LogicPin = {
  /** Which channel. */
  channel: number,
  /** Whose: 0 to 8 in reading order, 4 being the cell itself. */
  neighbour: number, };

/** A grid apart from training: from the same start, once with undecided and once with decided gates. */
export type LogicStage = {
  /** Cells along. */
  width: number,
  /** Cells up and down. */
  height: number,
  /** How many times the grid that is learned on. */
  multiple: number,
  /** Whether its edges meet. */
  periodic: boolean,
  /** Channels that are shown: one, or three for red, green and blue. */
  shown: number,
  /** The shown channels with undecided gates, one after the other, each row by row: 0 to 255 for 0 to 1. */
  soft: Bytes,
  /** The same with every gate decided: 0 or 1. */
  hard: Bytes,
  /** What they are to become on a grid of this size, in the same way: where the target is a picture, it stands in the middle
 * of darkness. Empty for the game of life. */
  target: Bytes,
  /** Cells of the hard grid that are not as the target has them; of the game of life, those that its true rule would not
 * have made of the grid before the last step. */
  wrongHard: number,
  /** The same of the soft grid, its values rounded. */
  wrongSoft: number,
  /** Steps since it began. */
  step: number,
  /** After how many steps learning looks at the outcome. */
  steps: number,
  /** Whether it runs. */
  playing: boolean,
  /** Steps a second while it does. */
  pace: number,
  /** How often a cell acts. */
  fireRate: number,
  /** The chosen cell: from the left, from above. */
  cell: [number, number], };

/** What can be drawn now. */
export type LogicView = {
  /** What is to be grown. */
  experiment: LogicExperiment,
  /** Epochs learned so far. */
  epochs: number,
  /** Which attempt this is, from 1 on: a run whose proofs do not hold for long begins anew with fresh gates. */
  attempt: number,
  /** The epochs that were done when it began. */
  begun: number,
  /** Width and height of the grid that is learned on. */
  size: number,
  /** What its shown channels are to become, one after the other, each row by row: 0 or 1. Empty for the game of life. */
  target: Bytes,
  /** Whether a visitor drew it. */
  ownTarget: boolean,
  /** A grid apart from training. */
  stage: LogicStage,
  /** What the gates have become. */
  gates: LogicGates,
  /** Never 0. */
  wiringVersion: number,
  /** Who is wired to whom, unless the page has it. */
  wiring: LogicWiring | null,
  /** Which pruned circuit there is; 0 before the first. */
  circuitVersion: number,
  /** That circuit, unless the page has it. It is pruned anew at most twice a second. */
  circuit: LogicCircuit | null,
  /** What its wires carry in the chosen cell of the hard grid, as that computes its next state. */
  lit: LogicLit | null,
  /** Of the game of life, what the decided circuit makes of each of the 512 neighbourhoods, the k-th cell of which is the
 * k-th bit of its number: 1 where the cell will live, and 2 more where that is wrong. Empty otherwise. */
  rule: Bytes,
  /** A circuit that was asked for, written down. */
  exported: LogicExport | null, };

/** Who is wired to whom. */
export type LogicWiring = {
  /** Channels of a cell. Perception is there once, and at work for each of them. */
  channels: number,
  /** Kernels that look at each channel. */
  kernels: number,
  /** What each gate reads: two values of the layer before it. The first layer of perception reads the nine cells of a
 * neighbourhood in reading order; the first of the update the cell's own channels and then what perception found, channel
 * by channel. // [gates, 2] */
  pairs: Array<number>, };

/** One metric of a lab, for charts and tables. */
export type MetricSpec = {
  /** Key in rows, files and charts. */
  name: string,
  /** Short label for people. */
  label: string,
  /** What it is, in one line. */
  help: string,
  /** Unit of the values, empty where there is none. */
  unit: string,
  /** Which way it improves. */
  better: Better, };

/** What the learner is busy with. */
export type Phase = "collecting" | "learning" | "examined";

/** Values over a grid: `values[j * size + i]` at `x[0] + (x[1] - x[0]) * i / (size - 1)` and, in the same way, at `y` by
 * `j`. */
export type Plane = {
  /** Points along each side. */
  size: number,
  /** Which numbers of a state are along and up. */
  fields: [number, number],
  /** The edges along. */
  x: [number, number],
  /** The edges up. */
  y: [number, number],
  /** The values, row by row. */
  values: Floats, };

/** Named settings. */
export type Preset = {
  /** Name in commands and links. */
  name: string,
  /** What it is for, in one line. */
  help: string,
  /** The settings that differ from the default, as JSON text. */
  settings: string, };

/** Where a run stands. */
export type Progress = {
  /** Units done. */
  units: number,
  /** Work done, in the lab's measure. */
  work: number,
  /** Work a second of late, while it runs. */
  workPerSecond: number,
  /** Units a second of late, while it runs. */
  unitsPerSecond: number,
  /** True while it runs by itself. */
  running: boolean,
  /** Steps a second asked for, or nothing for flat out. */
  stepsPerSecond: number | null,
  /** The unit at which the goal was first reached. */
  solvedAt: number | null, };

/** From the worker to the page. */
export type Reply = { "type": "opened",
  /** What is running. */
  run: RunInfo,
  /** Everything measured so far. */
  metrics: Columns,
  /** Where it stands. */
  progress: Progress, } | { "type": "progress",
  /** Where it stands now. */
  progress: Progress,
  /** Rows since the last message. */
  metrics: Columns, } | { "type": "configured",
  /** All settings. */
  config: { [key in string]: JsonValue }, } | { "type": "refused",
  /** The request's type. */
  request: string,
  /** Why, in one sentence. */
  message: string, } | { "type": "saved",
  /** As in the request. */
  purpose: string,
  /** Units done when it was taken. */
  units: number,
  /** The file. */
  bytes: Uint8Array<ArrayBuffer>, } | { "type": "peak",
  /** Multiplications and additions a second, on all threads of this worker. */
  operationsPerSecond: number, };

/** From the page to the worker. */
export type Request = { "type": "start",
  /** Which lab. */
  lab: string,
  /** Settings over the defaults. */
  settings: { [key in string]: JsonValue },
  /** The seed. */
  seed: number, } | { "type": "resume",
  /** The checkpoint file. */
  bytes: Uint8Array<ArrayBuffer>, } | { "type": "run",
  /** Steps a second, or nothing for flat out. */
  stepsPerSecond: number | null, } | { "type": "pause" } | { "type": "step",
  /** True for the rest of the unit. */
  unit: boolean, } | { "type": "configure",
  /** The settings to change. */
  settings: { [key in string]: JsonValue }, } | { "type": "command",
  /** The lab's own command. */
  command: JsonValue, } | { "type": "view",
  /** How much time has passed on the page since the last one, for what runs at its own pace. */
  seconds: number, } | { "type": "save",
  /** Handed back with the answer, to tell an autosave from a download. */
  purpose: string,
  /** Keep the network alone. */
  networkOnly: boolean,
  /** True to wait for the end of a unit that has begun, however slow the pace; false to finish it at
 * once. */
  wait: boolean, } | { "type": "peak" } | { "type": "fail",
  /** How. */
  how: Failure, };

/** What one needs to know about an open run. */
export type RunInfo = {
  /** Which lab. */
  lab: string,
  /** All settings. */
  config: { [key in string]: JsonValue },
  /** The seed. */
  seed: number,
  /** When it has reached what it is for. */
  goal: Goal | null, };

/** One world apart from training. */
export type Stage = {
  /** Its state, as in the wall. */
  state: Floats,
  /** Probability of each numbered action; none for Pendulum, whose action is a torque. */
  probabilities: Floats,
  /** What the critic expects: discounted rewards still to come, as they are learned from. */
  value: number,
  /** The force or torque that the agent applies, in units of the most it has: -1 to 1. */
  agent: number,
  /** What the visitor applies, in the same units. */
  visitor: number,
  /** Steps since it began. */
  steps: number,
  /** What it has earned since. */
  score: number,
  /** Which number of the episode it is that is shown. */
  episode: number,
  /** The most steps it ever lasted in this run (CartPole). */
  bestSteps: number,
  /** The fewest steps in which it ever got there in this run; 0 for never (MountainCar, Acrobot). */
  fewestSteps: number,
  /** True for the moment after an episode ended: it fell, ran off the track, or got where it wanted. */
  over: boolean, };

/** The choice of world, as settings have it. */
export type World = "cartpole" | "mountaincar" | "pendulum" | "acrobot";

/** The view and the commands of each lab, by its id. */
export type LabTypes = {
  "control": { view: ControlView, command: ControlCommand },
  "backgammon": { view: BackgammonView, command: BackgammonCommand },
  "cube": { view: CubeView, command: CubeCommand },
  "logic": { view: LogicView, command: LogicCommand },
  "language": { view: LanguageView, command: LanguageCommand },
};

/** Answers the request `view`: what can be drawn now. */
export type ViewReply = { "type": "view", view: LabTypes[keyof LabTypes]["view"] };

/** Everything a session may say. */
export type Message = Reply | ViewReply;
