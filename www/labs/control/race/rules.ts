// The rules of a race against the agent: the same world, the same start, the same limit and the same score. The
// visitor's world is the text of the example that is the same world (crates/world-rules/examples), with the start of
// the agent's episode in place of a random one.

import acrobot from "../../../../crates/world-rules/examples/acrobot.world?raw";
import cartpole from "../../../../crates/world-rules/examples/cartpole.world?raw";
import mountaincar from "../../../../crates/world-rules/examples/mountain_car.world?raw";
import pendulum from "../../../../crates/world-rules/examples/pendulum.world?raw";
import { formatCount, formatInteger } from "../../../core/format";
import { shapesOf } from "../own-world/shapes";
import type { FlatPicture } from "../own-world/messages";
import type { BuiltInWorld, WorldKind } from "../worlds/world-kind";

/** The texts of the worlds. */
const TEXTS: Record<BuiltInWorld, string> = { cartpole, mountaincar, pendulum, acrobot };

/** Decimals of a start in a text: more than a 32-bit number has. */
const DECIMALS = 12;

/** A line that says where a state variable begins. */
const STATE_LINE = /^state (\w+) = .*$/gm;

/**
 * The text of a world that begins in this state. Circles without a size are added to its picture, from which `stateIn`
 * reads the state: each has two variables as its place.
 */
export function textFrom(world: BuiltInWorld, start: readonly number[]): string {
  const names: string[] = [];
  const text = TEXTS[world].replace(STATE_LINE, (_, name: string) => {
    const value = start[names.push(name) - 1] ?? 0;
    return `state ${name} = ${value.toFixed(DECIMALS)}`;
  });
  const pairs = names.flatMap((name, i) =>
    i % 2 === 0 ? [`draw circle at (${name}, ${names[i + 1] ?? name}) radius 0`] : [],
  );
  return `${text}\n${pairs.join("\n")}\n`;
}

/** The state in the picture of such a text. */
export function stateIn(picture: FlatPicture, count: number): number[] {
  const circles = shapesOf(picture).slice(-Math.ceil(count / 2));
  return circles.flatMap(({ numbers }) => [numbers[0] ?? 0, numbers[1] ?? 0]).slice(0, count);
}

/** The direction that a visitor presses, as a side of the picture. */
export type Direction = -1 | 0 | 1;

/** The action of the text for a direction. In CartPole the cart is always pushed: the last push stays. */
export function actionFor({ world, controls }: WorldKind, direction: Direction, last: number): number {
  const signed = direction * controls.rightSign;
  if (world === "cartpole") return signed === 0 ? last : Number(signed > 0);
  // Pendulum's action is a torque, at most 2 N m. Else it is a choice: 0, 1 (nothing) or 2.
  return world === "pendulum" ? 2 * signed : 1 + signed;
}

/** How an episode went: its steps and the sum of its rewards. */
export interface Result {
  steps: number;
  score: number;
  /** Whether it has ended by itself: by a fall or at the goal, and not at the limit of steps. */
  terminated: boolean;
}

interface Scoring {
  /** What decides, in one sentence. */
  rule: string;
  /** What counts; more is better. */
  points: (result: Result) => number;
  words: (result: Result) => string;
}

/** A world in which steps are counted until the goal is reached. */
const goalIn = (limit: number, deed: string): Scoring => ({
  rule: `Both start in the same state and have ${limit} steps. Whoever ${deed} in fewer steps wins.`,
  points: ({ steps, terminated }) => (terminated ? -steps : -limit - 1),
  words: ({ steps, terminated }) =>
    terminated || steps < limit ? formatCount(steps, "step") : `not within ${limit} steps`,
});

/** What decides a race, by the world. */
export const SCORING: Record<BuiltInWorld, Scoring> = {
  cartpole: {
    rule: "Both start in the same state; whoever keeps the pole up for longer wins. Your cart is always pushed: to the side that you pressed last, and to the left until then. You may press in the countdown. Leaving the track ends it, and so do 500 steps, which are 10 seconds at full speed.",
    points: ({ steps }) => steps,
    words: ({ steps }) => formatCount(steps, "step"),
  },
  mountaincar: goalIn(200, "gets to the flag"),
  acrobot: goalIn(500, "swings the tip above the line"),
  pendulum: {
    rule: "Both start in the same state and have 200 steps. Each step costs points, fewer the closer the pendulum is to standing upright and at rest. Whoever loses fewer points wins.",
    points: ({ score }) => Math.round(score),
    words: ({ score }) => `${formatInteger(Math.round(-score))} points lost`,
  },
};

/** How fast a race may run, for both sides. Full speed is hard for people: a step of CartPole takes only 20 ms. */
export const SPEEDS: readonly { speed: number; name: string }[] = [
  { speed: 1, name: "full speed" },
  { speed: 0.5, name: "half speed" },
  { speed: 0.25, name: "quarter speed" },
];

/** Who has won, in one sentence with both scores, and at which speed if it was not the full one. */
export function verdict(world: BuiltInWorld, you: Result, agent: Result, speed = 1): string {
  const { points, words } = SCORING[world];
  const lead = points(you) - points(agent);
  const who = lead > 0 ? "You win." : lead < 0 ? "The agent wins." : "A draw.";
  const slowed =
    speed < 1 ? ` Both ran at ${SPEEDS.find((each) => each.speed === speed)?.name ?? "a lower speed"}.` : "";
  return `${who} You: ${words(you)}. The agent: ${words(agent)}.${slowed}`;
}
