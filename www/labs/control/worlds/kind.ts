// What the page has to know of a world: its words, how it is drawn large and small, and how a visitor takes
// hold of it. One file of this folder a world, and a line in the list.

import { tenths, whole } from "../../../core/format";
import type { ControlStage as Stage, World } from "../../../generated/protocol";

/** The numbers of one world, as the protocol lists them for each kind. */
export type State = ArrayLike<number>;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

/** A visitor's pull: from the world to the pointer, and how hard, in units of the agent's own push. */
export interface Pull {
  from: Point;
  to: Point;
  strength: number;
}

/** The large drawing. */
export interface Drawing {
  element: SVGSVGElement;
  /** `agent` and `visitor` are pushes, in units of the agent's own. */
  draw(state: State, agent: number, visitor: number): void;
  /** What holding it from a point of the drawing comes to. */
  pull(state: State, at: Point): Pull;
}

/** The small drawings of the wall, as paths in the box of a cell; `at` is where its state begins. */
export interface Cell {
  /** What stands still, if anything. */
  still?(path: CanvasRenderingContext2D, box: Box): void;
  lines(path: CanvasRenderingContext2D, state: State, at: number, box: Box): void;
  shapes(path: CanvasRenderingContext2D, state: State, at: number, box: Box): void;
  /** How strongly it is tinted, 0 to 1, and what both ends of that mean. */
  share(state: State, at: number, steps: number): number;
  from: string;
  to: string;
}

/** How a state moves from step to step. */
export interface Motion {
  /** Seconds in which a step is shown on the stage. */
  shown: number;
  /** Time a step takes in the world's own measure. */
  lasts: number;
  /** For each number that is a place, the number that is its speed. */
  places: [place: number, speed: number][];
  /** Numbers that are angles and come back to where they were after a turn. */
  turning: number[];
}

/** One side of the critic's map. */
export interface Axis {
  label: string;
  show(value: number): string;
  /** True where both ends are the same. */
  turns?: boolean;
}

/** One figure beside the stage. */
export interface Fact {
  label: string;
  help: string;
  show(stage: Stage, state: State): string;
}

export interface Kind {
  world: World;
  name: string;
  /** What there is to do, in a few words. */
  task: string;
  /** A small sign of it, 40 by 28: what stands about, and what moves. */
  sign: { still: string; moving: string };
  motion: Motion;
  /** Most steps of an episode it learns from. */
  limit: number;
  /** What it means when an episode ends before that. */
  ends: "fall" | "goal" | null;
  /** The same in words: for the wall, and for the stage after so many steps. */
  ended: { wall: string; stage(steps: string): string };
  cell: Cell;
  drawing(): Drawing;
  /** How a visitor pushes: what can be taken hold of, the signs of both keys and what they do. */
  hold: { what: string; signs: [string, string]; does: [string, string] };
  /** What a key pushes with, in units of the agent's own. */
  key: number;
  /** The sign of a push by the right key: turning is positive to the left. */
  way: 1 | -1;
  /** What both ends of the agent's choice are called. */
  sides: [string, string];
  facts: Fact[];
  axes: [Axis, Axis];
  /** What the critic counts in. */
  worth: string;
  /** How it stands, in a sentence for those who do not see it. */
  says(stage: Stage, state: State): string;
}

/** An angle as it lies within half a turn of zero. */
export function within(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

export const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));

const signed = (value: number, text: string) => (value > 0 ? `+${text}` : text);

/** Radians as whole degrees, with their sign. */
export function degrees(radians: number): string {
  const turned = Math.round((radians * 180) / Math.PI);
  return signed(turned, `${turned}°`.replace("-", "−"));
}

/** A number with its sign and so many decimals. */
export const decimals = (places: number) => (value: number) =>
  signed(value, value.toFixed(places).replace("-", "−"));

/** What the critic expects of the stage, in what it counts in. */
export const critic = (counted: string): Fact => ({
  label: "critic expects",
  help: `The critic's guess: ${counted} still to come, as they are learned from, later ones counting less`,
  show: ({ value }) => tenths(value),
});

/** The record of a world with somewhere to get to. */
export const fewest = (where: string): Fact => ({
  label: "fewest",
  help: `The fewest steps in which it ever got ${where} in this run`,
  show: ({ fewestSteps }) => (fewestSteps > 0 ? whole(fewestSteps) : "–"),
});
