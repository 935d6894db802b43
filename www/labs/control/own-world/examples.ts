// The worlds to begin with: the examples of the language (crates/world-rules/examples), the easiest ones first.

import { aboutOf, titleOf } from "./kept-texts";

export interface Example {
  title: string;
  about: string;
  text: string;
}

/** The files that come first; the others follow by name. */
const FIRST = ["lander", "cartpole", "bird", "breakout", "swing_up", "windy_grid", "parking", "rocket"];

const TEXTS = import.meta.glob<string>("../../../../crates/world-rules/examples/*.world", {
  query: "?raw",
  import: "default",
  eager: true,
});

const nameOf = (path: string): string => path.replace(/^.*\/|\.world$/g, "");
/** The place of a file among the first ones; `FIRST.length` for the others, of which `indexOf` says -1. */
const rankOf = (path: string): number => (FIRST.indexOf(nameOf(path)) + FIRST.length + 1) % (FIRST.length + 1);

export const EXAMPLES: Example[] = Object.entries(TEXTS)
  .sort(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b))
  .map(([, text]) => ({ title: titleOf(text), about: aboutOf(text), text }));

/** What a new world begins with. */
export const NEW_WORLD = `world "My world"
about "Bring the dot to the middle, and keep it there."

param push = 2 from 0.5 to 5

state x = uniform(-3, 3)
state speed = 0

action go: left, none, right

step 0.05 seconds

let force = if go == left then -push else if go == right then push else 0
speed' = 0.98 * speed + dt * force
x' = x + dt * speed'

reward -abs(x')
fail when abs(x) > 5
limit 200 steps

observe x scale 3, speed scale 2

camera at (0, 0) height 5
draw line from (-5, 0) to (5, 0) color muted
draw circle at (0, 0) radius 0.1 color good
draw circle at (x, 0) radius 0.3 color accent
`;
