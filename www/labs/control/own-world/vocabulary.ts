// The words of the language for worlds (docs/worlds.md), each with the sentence that the editor shows for it, and the
// names that a text declares.

/** The statements: what a line begins with. */
export const STATEMENTS: Record<string, string> = {
  world: 'The title: world "Lander"',
  about: 'One sentence about the world: about "Touch the ground gently."',
  param: "A number that can be changed while the world runs: param gravity = 9.8 from 1 to 20",
  state: "A part of the state, and its value at the beginning of an episode: state x = uniform(-1, 1)",
  action: "What the agent chooses: action push: left, none, right; or a number: action torque from -2 to 2",
  step: "How long a step lasts, which is dt in the rules: step 0.02 seconds",
  let: "A name for a value, or for a function: let speed = abs(v)",
  reward: "The reward of every step. x is the value before the step, x' the one after it",
  fail: "The episode ends as a failure if this holds: fail when x > 2",
  succeed: "The episode ends as a success, unless it has failed: succeed when x < 0",
  limit: "The episode is cut after so many steps: limit 500 steps",
  observe: "What the agent sees, divided by its scale: observe x scale 2, v as speed",
  solved: "The mean score (sum of rewards) from which on the world counts as solved: solved at 475",
  camera: "The middle of the picture, and what is seen from bottom to top: camera at (0, 1) height 4",
  draw: "A shape of the picture: draw circle at (x, 0) radius 1 color accent",
  for: "A shape for each number, here from 0 to 7: for i in 0..8: draw ...",
};

/** Words within a line. */
export const WORDS: Record<string, string> = {
  from: "The smallest value, or where a line begins",
  to: "The largest value, or where a line ends",
  when: "A condition: fail when x > 2, or of a shape: ... when thrust > 0",
  if: "One of two values: if a then b else c",
  then: "The value if the condition holds: if a then b else c",
  else: "The value if the condition does not hold: if a then b else c",
  and: "Both hold. The right side is looked at only if the left one holds",
  or: "At least one holds. The right side is looked at only if the left one does not hold",
  not: "The opposite of a condition",
  in: "The numbers of a loop: for i in 0..8 has the numbers 0 to 7",
  scale: "What an observation is divided by, so that usual values lie between -1 and 1",
  as: "The name of an observation",
  steps: "Belongs to limit: limit 500 steps",
  seconds: "Belongs to step: step 0.02 seconds",
  at: "Where a shape is: a point, such as (x, 0)",
};

export const FUNCTIONS: Record<string, string> = {
  abs: "abs(x): the magnitude of x",
  sign: "sign(x): -1, 0 or 1",
  floor: "floor(x): x rounded down to a whole number",
  round: "round(x): x rounded to the nearest whole number",
  sqrt: "sqrt(x): the square root. A negative number ends the episode as a failure",
  exp: "exp(x): e to the power x",
  ln: "ln(x): the natural logarithm. A number that is not positive ends the episode as a failure",
  sin: "sin(angle), in radians",
  cos: "cos(angle), in radians",
  tan: "tan(angle), in radians",
  tanh: "tanh(x): the hyperbolic tangent, between -1 and 1",
  atan2: "atan2(y, x): the angle of the point (x, y)",
  min: "min(a, b): the smaller one; min(v): the smallest number of a vector",
  max: "max(a, b): the larger one; max(v): the largest number of a vector",
  clamp: "clamp(x, low, high): x, but at least low and at most high",
  wrap: "wrap(angle): the same angle, between -pi and pi",
  sum: "sum(v): the sum of a vector; sum(w[i] * h[i] for i in 0..8)",
  any: "any(v): whether at least one element holds",
  all: "all(v): whether all elements hold",
  uniform:
    "uniform(a, b): a random number from a to b, drawn anew each time: at the beginning of an episode, or in every step",
  normal:
    "normal(mean, deviation): a random number of the normal distribution, most near the mean, drawn anew each time: at the beginning of an episode, or in every step",
  chance: "chance(p): true with probability p, drawn anew each time: at the beginning of an episode, or in every step",
};

export const CONSTANTS: Record<string, string> = {
  pi: "3.14159...: half a turn in radians",
  degree: "One degree in radians: 12 * degree",
  dt: "The seconds of a step, as the line step says",
  true: "It holds",
  false: "It does not hold",
};

export const SHAPES: Record<string, string> = {
  line: "draw line from (0, 0) to (1, 1) width 0.1",
  circle: "draw circle at (x, y) radius 0.5; with a width it is an outline",
  rectangle: "draw rectangle at (x, y) size (1, 2) turn angle; at is its middle",
  polygon: "draw polygon points (0, 0), (1, 0), (0, 1) at (x, y) turn angle",
  polyline: "draw polyline points (i, h[i]) for i in 0..8 width 0.1",
  text: 'draw text "Fuel" at (0, 5) size 0.5 value fuel',
  trail: "draw trail at (x, y) length 60: where this point was in the last steps",
};

/** What a shape may have beside `at`, `from`, `to` and `when`. */
export const PROPERTIES: Record<string, string> = {
  color: "The colour by its role: ink, muted, faint, accent, second, good, bad",
  radius: "The radius of a circle",
  size: "Width and height of a rectangle, or the height of a text",
  turn: "An angle, anticlockwise, in radians",
  width: "The width of lines. A circle, rectangle or polygon with it is an outline",
  points: "The points of a polygon or polyline",
  length: "How many steps a trail goes back",
  value: "A number shown after a text",
  height: "What the camera sees from bottom to top",
};

/** The colours by their role, in the order in which pictures name them (`Role::ALL` in crates/world-rules). */
export const COLOURS: Record<string, string> = {
  ink: "Text and main lines",
  muted: "Less important lines",
  faint: "The background of things",
  accent: "What the agent moves",
  second: "A second colour beside it",
  good: "Something good",
  bad: "Something bad",
};

export type NameKind = "param" | "state" | "action" | "choice" | "let";

/** A name that a text declares. */
export interface Declared {
  name: string;
  kind: NameKind;
  /** The line that declares it, without its comment. */
  line: string;
}

/** The beginning of a line that declares a name: its statement and the name. */
const DECLARATION = /^[ \t]*(param|state|action|let)[ \t]+([\p{L}_][\p{L}\p{Nd}_]*)/u;
/** A line that declares an action: the list of its choices. */
const CHOICES = /^[ \t]*action[ \t]+[\p{L}_][\p{L}\p{Nd}_]*[ \t]*:([^#]*)/u;

/** The names that a text declares, in its order. The text need not be a world. */
export function declaredIn(text: string): Declared[] {
  const found: Declared[] = [];
  for (const whole of text.split("\n")) {
    const [, kind, name] = DECLARATION.exec(whole) ?? [];
    if (kind === undefined || name === undefined) continue;
    const line = whole.replace(/#.*/, "").trim();
    found.push({ name, kind: kind as NameKind, line });
    for (const choice of CHOICES.exec(whole)?.[1]?.split(",") ?? [])
      if (choice.trim() !== "") found.push({ name: choice.trim(), kind: "choice", line });
  }
  return found;
}

/** Every word of the language, with its sentence. */
export const ALL_WORDS: Record<string, string> = {
  ...COLOURS,
  ...PROPERTIES,
  ...SHAPES,
  ...CONSTANTS,
  ...FUNCTIONS,
  ...WORDS,
  ...STATEMENTS,
};

/** What is said of a word of a text: the line that declares it, or its sentence in the language. */
export function helpOf(word: string, text: string): string | null {
  const declared = declaredIn(text).find(({ name }) => name === word);
  if (declared) return declared.line;
  return Object.hasOwn(ALL_WORDS, word) ? (ALL_WORDS[word] ?? null) : null;
}
