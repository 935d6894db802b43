// What a link shows of the cube (`show=`): its stickers face by face, as the lab has them, and after a colon the turns
// that were made since: `UUUU…:R.U'.F2`. So the visitor sees where the cube began, and can take the turns back.

import { FACES, inverseName, moveOf, solvedStickers, geometryOf, sizeOf, turn, type Size } from "./space";
import type { CubeCommand, CubeView } from "../../generated/protocol";

/** The last turns that stand in a link. */
const MAX_TURNS = 60;
const TURN_PATTERN = /^[URFDLB]['2]?$/;
const PUZZLES: Record<CubeView["puzzle"], Size> = { "2x2x2": 2, "3x3x3": 3 };

/** A cube and the turns that were made on it. */
export interface ShownCube {
  /** The stickers before the turns. */
  stickers: string;
  turns: string[];
}

/** What the stage shows, as a text of a link. */
export function writeShown({ stage }: Pick<CubeView, "stage">): string {
  const turns = stage.made.slice(-MAX_TURNS);
  const stickers = [...turns].reverse().reduce((after, name) => turned(after, inverseName(name)), stage.stickers);
  return turns.length > 0 ? `${stickers}:${turns.join(".")}` : stickers;
}

/** Reads what a link shows, or says in a sentence what is wrong with it. */
export function readShown(text: string, puzzle: CubeView["puzzle"]): { cube: ShownCube } | { problem: string } {
  const [stickers = "", turnsText] = text.split(":", 2);
  const turns = turnsText ? turnsText.split(".") : [];
  const count = solvedStickers(PUZZLES[puzzle]).length;
  if (stickers.length !== count || [...stickers].some((letter) => !FACES.includes(letter)))
    return {
      problem: `The cube in this link cannot be shown: the ${puzzle} has ${count} stickers with letters of ${FACES}.`,
    };
  if (turns.length > MAX_TURNS || !turns.every((name) => TURN_PATTERN.test(name)))
    return { problem: "The turns in this link cannot be read, so its cube is not shown." };
  return { cube: { stickers, turns } };
}

/** Puts what a link shows on the stage. `tell` says what is wrong with it. */
export function showCube(
  text: string,
  puzzle: CubeView["puzzle"],
  send: (command: CubeCommand) => void,
  tell: (problem: string) => void,
): void {
  const read = readShown(text, puzzle);
  tell("problem" in read ? read.problem : "");
  if ("problem" in read) return;
  const { stickers, turns } = read.cube;
  send({ type: "place", stickers });
  if (turns.length > 0) send({ type: "turn", turns: turns.join(" ") });
}

const turned = (stickers: string, name: string) =>
  turn({ stickers, ups: geometryOf(sizeOf(stickers)).ups }, moveOf(name)).stickers;
