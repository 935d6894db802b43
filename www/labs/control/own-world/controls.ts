// How a visitor plays a world: which keys, buttons and places of the picture stand for which action. The first two
// continuous actions are played along the axes of the picture. Choices that are directions have the arrow keys, the
// first nine choices have digits, and every choice has its button.

import type { ControlOwnAction, WorldActions, WorldRange } from "../../../generated/protocol";

/** A choice, and the keys that stand for it. */
export interface ChoiceControl {
  label: string;
  keys: string[];
}

/** A continuous action, and the keys for its lowest and highest value. */
export interface AxisControl extends WorldRange {
  keys: [low: string, high: string];
  /** What it is while nobody does anything: 0, or what is nearest to it. */
  neutral: number;
}

export type Controls =
  | {
      kind: "choice";
      choices: ChoiceControl[];
      /** The choice while nobody does anything; null if the last one stays. */
      rest: number | null;
    }
  | { kind: "continuous"; axes: AxisControl[] };

/** What is pressed: keys and buttons (`buttonOf`), and the pointer's place in the picture from -1 to 1, upwards. */
export interface Pressed {
  keys: ReadonlySet<string>;
  pointer: { x: number; y: number } | null;
}

type Direction = "left" | "right" | "up" | "down";

/** The arrow key of each direction. */
const ARROWS: Record<Direction, string> = {
  left: "ArrowLeft",
  right: "ArrowRight",
  up: "ArrowUp",
  down: "ArrowDown",
};
/** The words in names of choices that mean a direction. */
const DIRECTIONS: Record<string, Direction> = {
  left: "left",
  west: "left",
  right: "right",
  east: "right",
  up: "up",
  north: "up",
  down: "down",
  south: "down",
};
/** Names of choices that do nothing. */
const REST = /^(none|nothing|no|off|rest|stay|wait|idle|coast|glide|keep|hold|still|stop)$/i;
/** The keys of continuous actions, in their order. */
const AXIS_KEYS: [string, string][] = [
  ["ArrowLeft", "ArrowRight"],
  ["ArrowDown", "ArrowUp"],
  ["a", "d"],
  ["s", "w"],
];
/** Digits stand for this many choices. */
const DIGITS = 9;

/** The actions of a run's world, as the editor knows them. */
export function actionsOf(actions: readonly ControlOwnAction[]): WorldActions {
  const [first] = actions;
  if (first && first.choices.length > 0) return { type: "choice", name: first.name, choices: first.choices };
  return { type: "continuous", ranges: actions.map(({ name, low, high }) => ({ name, low, high })) };
}

export function controlsOf(actions: WorldActions): Controls {
  if (actions.type === "continuous") {
    const axes = actions.ranges.map((range, i) => ({
      ...range,
      keys: AXIS_KEYS[i] ?? ["", ""],
      neutral: Math.min(range.high, Math.max(range.low, 0)),
    }));
    return { kind: "continuous", axes };
  }
  const { choices } = actions;
  const resting = choices.findIndex((name) => REST.test(name));
  const rest = resting < 0 ? null : resting;
  const directions = choices.map(directionOf);
  const controls = choices.map((label, i) => {
    const direction = directions[i];
    // The first choice of a direction has its arrow, as it has its side of the picture.
    const keys = direction && directions.indexOf(direction) === i ? [ARROWS[direction]] : [];
    // The only choice beside doing nothing, such as to flap.
    if (rest !== null && choices.length === 2 && i !== rest) keys.push(" ", "ArrowUp");
    if (i < DIGITS) keys.push(String(i + 1));
    return { label, keys: [...new Set(keys)] };
  });
  return { kind: "choice", choices: controls, rest };
}

/** The direction that a name means, also as a part of it: `push_left`. */
function directionOf(name: string): Direction | undefined {
  const parts = name.toLowerCase().split(/[_\d]+/);
  return parts.map((part) => (Object.hasOwn(DIRECTIONS, part) ? DIRECTIONS[part] : undefined)).find(Boolean);
}

/** The button of a choice, among the keys that are pressed. No key has such a name. */
export const buttonOf = (choice: number): string => `choice ${choice}`;

/** A button for each choice, and two for each continuous action: its lowest and its highest value. */
export function buttonsOf(controls: Controls): { label: string; key: string }[] {
  // A choice may have no key; a button of an axis is its key.
  if (controls.kind === "choice") return controls.choices.map(({ label }, i) => ({ label, key: buttonOf(i) }));
  return controls.axes.flatMap(({ name, keys: [low, high] }) => [
    { label: `${name} −`, key: low },
    { label: `${name} +`, key: high },
  ]);
}

/** Every key that plays. */
export function keysOf(controls: Controls): Set<string> {
  const keys = controls.kind === "choice" ? controls.choices.flatMap((choice) => choice.keys) : [];
  const axes = controls.kind === "continuous" ? controls.axes.flatMap((axis) => axis.keys) : [];
  return new Set([...keys, ...axes].filter(Boolean));
}

/**
 * The action while these are pressed. `last` is the action before. A continuous action that nothing presses keeps its value
 * in `last`; when everything has just been let go (`released`), it returns to its neutral one.
 */
export function actionOf(controls: Controls, pressed: Pressed, last: number[], released: boolean): number[] {
  if (controls.kind === "choice") {
    const held = controls.choices.findLastIndex(
      ({ keys }, i) => pressed.keys.has(buttonOf(i)) || keys.some((key) => pressed.keys.has(key)),
    );
    const chosen = held >= 0 ? held : pressed.pointer ? pointedChoice(controls, pressed.pointer) : null;
    return [chosen ?? controls.rest ?? last[0] ?? 0];
  }
  return controls.axes.map((axis, i) => {
    const { low, high, keys, neutral } = axis;
    const [down, up] = [pressed.keys.has(keys[0]), pressed.keys.has(keys[1])];
    if (down !== up) return up ? high : low;
    const place = pressed.pointer && (i === 0 ? pressed.pointer.x : i === 1 ? pressed.pointer.y : null);
    if (place !== null) return low + ((Math.min(1, Math.max(-1, place)) + 1) / 2) * (high - low);
    return released ? neutral : (last[i] ?? neutral);
  });
}

/**
 * The choice that the pointer means: a direction from the middle of the picture, or the only one that does something.
 */
function pointedChoice({ choices, rest }: Controls & { kind: "choice" }, { x, y }: { x: number; y: number }) {
  const reach: Record<Direction, number> = { left: -x, right: x, up: y, down: -y };
  let best: { choice: number; reach: number } | null = null;
  for (const [choice, { label }] of choices.entries()) {
    const direction = directionOf(label);
    if (direction && reach[direction] > (best?.reach ?? 0)) best = { choice, reach: reach[direction] };
  }
  if (best) return best.choice;
  return rest !== null && choices.length === 2 ? 1 - rest : null;
}

/** Whether a press in the picture can mean an action. */
export function canPoint(controls: Controls): boolean {
  if (controls.kind === "continuous") return true;
  const { choices, rest } = controls;
  return (rest !== null && choices.length === 2) || choices.some(({ label }) => directionOf(label));
}

/**
 * Whether the world steps only when something is pressed: no choice does nothing, and a step lasts 0.15 seconds or
 * longer (as in `crates/cli/src/commands/world/play/controls.rs`).
 */
export function waitsForPresses(controls: Controls, secondsPerStep: number): boolean {
  return controls.kind === "choice" && controls.rest === null && secondsPerStep >= 0.15;
}

/** The names of keys on the page. */
const KEY_NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
};
export const keyName = (key: string): string => KEY_NAMES[key] ?? key.toUpperCase();

/** The keys that play, in a part of a sentence. */
export function keyWords(controls: Controls): string {
  if (controls.kind === "continuous")
    return controls.axes.map(({ name, keys }) => `${keys.map(keyName).join(" and ")} for ${name}`).join(", ");
  return controls.choices
    .filter(({ keys }) => keys.length > 0)
    .map(({ label, keys }) => `${keys.map(keyName).join(" or ")} for ${label}`)
    .join(", ");
}

/** Says who plays, and how. */
export function playWords(controls: Controls, playing: boolean): string {
  const keys = keyWords(controls);
  if (playing) return `You play: ${keys}.${canPoint(controls) ? " A press or a drag in the picture plays too." : ""}`;
  const buttons = controls.kind === "choice" ? "buttons" : "sliders";
  const places = canPoint(controls) ? `${buttons}, in the picture,` : buttons;
  return `Chance plays: actions are drawn at random. Take over with the ${places} or with the keys: ${keys}.`;
}

/** Where a choice is to do nothing, chance makes it with this probability, and otherwise any choice, this one included. */
const REST_SHARE = 0.7;

/** An action drawn at random, for a world that nobody plays. `random` gives numbers from 0 to 1. */
export function randomAction(controls: Controls, random: () => number): number[] {
  if (controls.kind === "continuous") return controls.axes.map(({ low, high }) => low + random() * (high - low));
  const { choices, rest } = controls;
  if (rest !== null && random() < REST_SHARE) return [rest];
  return [Math.min(choices.length - 1, Math.floor(random() * choices.length))];
}
