// The interface between the page and a kind of world (CartPole, MountainCar, Pendulum, Acrobot): its texts, its large
// and its small drawing, and the ways in which a visitor pushes it. Each kind has a file in this folder and an entry in
// list.ts.
//
// Pushes are forces or torques in units of the agent's maximum. Positive means right or counterclockwise, as in the
// protocol.

import { formatTenths, formatInteger } from "../../../core/format";
import type { ControlStage, World } from "../../../generated/protocol";

/** The variables of one state, or of several states one after the other. Each kind of world lists its variables. */
export type State = ArrayLike<number>;

/** A point of a drawing: x to the right, y downwards. */
export interface Point {
  x: number;
  y: number;
}

/** A rectangle with its upper left corner, its width and its height. */
export interface Box extends Point {
  w: number;
  h: number;
}

/** A visitor's drag, drawn as a dashed line from the dragged part of the world to the pointer. */
export interface Pull {
  from: Point;
  to: Point;
  /** The resulting push, in units of the agent's maximum. */
  push: number;
}

/** A world of the lab. A world of the visitor's own draws itself. */
export type BuiltInWorld = Exclude<World, "own">;

/** The large drawing of the stage: the one world that a visitor watches and pushes. Points are in SVG units. */
export interface WorldDrawing {
  element: SVGSVGElement;
  /** Draws a state with an arrow for the agent's push and one for the visitor's. */
  draw(state: State, agentPush: number, visitorPush: number): void;
  /** The pull on the world in this state while the visitor drags it to `pointer`. */
  pull(state: State, pointer: Point): Pull;
}

/**
 * The small drawing of a training world, in one cell of the grid of worlds. All cells share one canvas path per kind of
 * shape. The state of the drawn world starts at index `offset` of `states`.
 */
export interface CellDrawing {
  /** Adds the lines that are the same in every cell, such as a hill. */
  addFixedLines?(path: CanvasRenderingContext2D, box: Box): void;
  /** Adds the moving parts that are stroked. */
  addLines(path: CanvasRenderingContext2D, states: State, offset: number, box: Box): void;
  /** Adds the moving parts that are filled. */
  addShapes(path: CanvasRenderingContext2D, states: State, offset: number, box: Box): void;
  /** How well this world is doing, as the strength of the cell's colour: from 0 to 1. */
  progress(states: State, offset: number, steps: number): number;
  /** Texts of the legend for a progress of 0 and of 1. */
  legend: [low: string, high: string];
}

/** How the drawing moves from one step to the next. */
export interface Motion {
  /** Seconds for which a step is shown on the stage. */
  secondsShown: number;
  /** Duration of a step in the world itself. A speed times this is the change of a position in a step. */
  stepTime: number;
  /** Indices of each position or angle in the state, and of its speed. */
  positions: [position: number, speed: number][];
  /** Indices of angles that jump from π to -π or back. */
  wrappedAngles: number[];
}

/** One axis of the value map, the critic's value over two variables of the state. */
export interface Axis {
  label: string;
  format(value: number): string;
  /** True if both ends are the same angle. */
  wraps?: boolean;
}

/** A number shown beside the stage. */
export interface Readout {
  label: string;
  help: string;
  format: (stage: ControlStage, state: State) => string;
}

export interface WorldKind {
  world: BuiltInWorld;
  name: string;
  /** The task in a few words. */
  task: string;
  /** What an agent has to do on average to reach the goal. The number is that of crates/labs/control/src/world.rs. */
  goal: string;
  /** An icon as SVG path data in a box of 40 by 28: its fixed parts and its moving part. */
  icon: { fixed: string; moving: string };
  motion: Motion;
  /** The time limit of a training episode, in steps. */
  timeLimit: number;
  /** Why an episode can end before its time limit: a failure, or the goal was reached. Null if it cannot. */
  termination: "fall" | "goal" | null;
  /**
   * An end before the time limit in words: in the legend of the grid, and on the stage, where `steps` is a text such as
   * "12 steps" and `state` the last one.
   */
  terminationText: { legend: string; stage(steps: string, state: State): string };
  cell: CellDrawing;
  createDrawing(): WorldDrawing;
  controls: {
    /** The part that a visitor can drag. */
    dragged: string;
    /** Symbols of the left and the right button, and their accessible labels. */
    symbols: [string, string];
    labels: [string, string];
    /** The push of a button or an arrow key, in units of the agent's maximum. */
    keyPush: number;
    /** The sign of the right button's push: -1 for torques, because clockwise is negative. */
    rightSign: 1 | -1;
  };
  /** Names of the agent's actions to the left and to the right. */
  actionNames: [string, string];
  readouts: Readout[];
  /** The axes of the value map. */
  axes: [x: Axis, y: Axis];
  /** What has to be known of the value that the map shows, such as of which states; or empty. */
  mapOf: string;
  /** The state of the stage in one sentence, for screen readers. */
  describe(stage: ControlStage, state: State): string;
}

/** The value limited to the range from `-limit` to `limit`. */
export const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

export const inDegrees = (radians: number) => (radians * 180) / Math.PI;

/** Adds a plus sign, or replaces the hyphen by a minus sign. */
const withSign = (value: number, text: string) => (value > 0 ? `+${text}` : text.replace("-", "−"));

/** Formats radians as whole degrees with a sign. */
export function formatDegrees(radians: number): string {
  const degrees = Math.round(inDegrees(radians));
  return withSign(degrees, `${degrees}°`);
}

/** A formatter of numbers with a sign and this many decimals. */
export const signedDecimals = (decimals: number) => (value: number) => withSign(value, value.toFixed(decimals));

/** What the critic estimates; docs/glossary.md explains it. */
export const EXPECTED_RETURN = "expected return";

/** The critic's value of the stage's state. `counted` is what it adds up. */
export const criticReadout = (counted: string): Readout => ({
  label: EXPECTED_RETURN,
  help: `The ${counted} still to come, as the critic estimates them in the scale used for training; later ones count less`,
  format: ({ value }) => formatTenths(value),
});

export const stepsReadout = (timeLimit: number): Readout => ({
  label: "steps",
  help: `Steps in this episode, which ends after ${timeLimit} at the latest`,
  format: ({ steps }) => formatInteger(steps),
});

/** The fewest steps in which an episode on the stage has reached the goal. `goal` continues "to get". */
export const fewestStepsReadout = (goal: string): Readout => ({
  label: "fewest steps here",
  help: `Record of this run: the fewest steps to get ${goal}`,
  format: ({ fewestSteps }) => (fewestSteps > 0 ? formatInteger(fewestSteps) : "–"),
});
