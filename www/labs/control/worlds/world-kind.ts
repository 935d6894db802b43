// What the page knows about a world: its texts, its drawings, and how a visitor pushes it. Each world has a file in
// this folder and an entry in list.ts.

import { formatTenths, formatInteger } from "../../../core/format";
import type { ControlStage, World } from "../../../generated/protocol";

/** The numbers of one state, in the order of the protocol for this world. */
export type State = ArrayLike<number>;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

/** A visitor's drag: from the world to the pointer, and its strength relative to the agent's push. */
export interface Pull {
  from: Point;
  to: Point;
  strength: number;
}

/** The large drawing. */
export interface Drawing {
  element: SVGSVGElement;
  /** `agent` and `visitor` are pushes, relative to the agent's strongest. */
  draw(state: State, agent: number, visitor: number): void;
  /** The effect of dragging from a point of the drawing. */
  pull(state: State, at: Point): Pull;
}

/** The small drawings of the wall, as paths in the box of a cell. `at` is where its state starts in `state`. */
export interface Cell {
  /** The parts that are the same in every cell, if any. */
  fixed?(path: CanvasRenderingContext2D, box: Box): void;
  lines(path: CanvasRenderingContext2D, state: State, at: number, box: Box): void;
  shapes(path: CanvasRenderingContext2D, state: State, at: number, box: Box): void;
  /** The strength of the tint, from 0 to 1, and the meaning of both ends. */
  tint(state: State, at: number, steps: number): number;
  from: string;
  to: string;
}

/** How a state moves from step to step. */
export interface Motion {
  /** Seconds for which a step is shown on the stage. */
  secondsShown: number;
  /** Duration of a step in the world's own time unit, which its speeds refer to. */
  stepTime: number;
  /** For each position in the state, the index of its speed. */
  places: [place: number, speed: number][];
  /** Indices of angles that wrap around. */
  angles: number[];
}

/** One axis of the value map. */
export interface Axis {
  label: string;
  show(value: number): string;
  /** True if both ends are the same angle. */
  wraps?: boolean;
}

/** A figure beside the stage. */
export interface Fact {
  label: string;
  help: string;
  show: (stage: ControlStage, state: State) => string;
}

export interface WorldKind {
  world: World;
  name: string;
  /** The task in a few words. */
  task: string;
  /** A small sign, 40 by 28: the fixed parts and the moving part. */
  sign: { still: string; moving: string };
  motion: Motion;
  /** The time limit of an episode in training, in steps. */
  limit: number;
  /** What it means if an episode ends before its time limit. */
  ends: "fall" | "goal" | null;
  /** The same in words: for the wall, and for the stage with the number of steps. */
  ended: { wall: string; stage(steps: string): string };
  cell: Cell;
  drawing(): Drawing;
  /** How a visitor pushes: what can be dragged, the signs of both keys, and what they do. */
  pushing: { what: string; signs: [string, string]; does: [string, string] };
  /** The push of a key, relative to the agent's. */
  keyStrength: number;
  /** The sign of a push by the right arrow key: counterclockwise torques are positive. */
  pushSign: 1 | -1;
  /** Names for both directions of an action. */
  sides: [string, string];
  facts: Fact[];
  axes: [Axis, Axis];
  /** The unit of the critic's value. */
  valueUnit: string;
  /** The state in one sentence, for those who do not see it. */
  describe(stage: ControlStage, state: State): string;
}

/** The equivalent angle between −π and π. */
export function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

export const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));

const signed = (value: number, text: string) => (value > 0 ? `+${text}` : text);

/** Radians as whole degrees with a sign. */
export function degrees(radians: number): string {
  const turned = Math.round((radians * 180) / Math.PI);
  return signed(turned, `${turned}°`.replace("-", "−"));
}

/** A number with a sign and so many decimals. */
export const decimals = (places: number) => (value: number) => signed(value, value.toFixed(places).replace("-", "−"));

/** The critic's value of the state on the stage. */
export const critic = (counted: string): Fact => ({
  label: "critic expects",
  help: `The critic's estimate of the ${counted} still to come, as scaled for learning and discounted`,
  show: ({ value }) => formatTenths(value),
});

/** The fewest steps to a goal. */
export const fewest = (where: string): Fact => ({
  label: "fewest",
  help: `Its record in this run: the fewest steps to get ${where}`,
  show: ({ fewestSteps }) => (fewestSteps > 0 ? formatInteger(fewestSteps) : "–"),
});
