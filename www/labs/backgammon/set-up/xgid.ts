// Reads and writes positions as eXtreme Gammon's position IDs: `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10`.
// `crates/worlds/src/backgammon/xgid.rs` describes the fields and reads them for the lab. Its lower player is south,
// which is Light here. The cube and the score are ignored when reading; when writing, they are those of a money game
// unless they are given.

import { quoted } from "../../../core/values";
import {
  CHECKERS_PER_SIDE,
  NORTH,
  PLACE_COUNT,
  readPosition,
  SIDES,
  SOUTH,
  type Position,
  type Side,
} from "../position";
import { checkerName, contentOf, NORTH_BAR, SOUTH_BAR } from "./places";

/** A position from which a game can be played. */
export interface SetUp {
  position: Position;
  /** The side that rolls. */
  side: Side;
  /** The first roll; null if it is random. */
  dice: readonly [number, number] | null;
}

export const XGID_PREFIX = "XGID=";
/** The fields that every XGID has. */
const FIELD_NAMES = ["checkers", "cube", "owner of the cube", "turn", "dice"];
/**
 * The fields after the dice, for money: both scores, the rules, the length of the match, and the highest cube as a
 * power of two (2¹⁰ = 1,024).
 */
const MONEY_GAME_FIELDS = ":0:0:0:0:10";

/** What a game of a match, or of a money session, is played for. */
export interface Stakes {
  cube: number;
  /** The side that owns the cube; null while it is in the middle. */
  owner: number | null;
  /** Points that both sides have. */
  score: readonly [number, number];
  /** Points that win the match; 0 for a money session. */
  length: number;
  crawford: boolean;
  beavers: boolean;
  /** Whether a money session has the Jacoby rule, as those that are played here have. */
  jacoby?: boolean;
}

/** The letters that stand for one checker. */
const FIRST_CHECKER_LETTER = { [SOUTH]: "A", [NORTH]: "a" };
const RANDOM_ROLL = "00";
/** The values of the field for the dice before a roll, or while a double awaits an answer. */
const NOT_ROLLED = [RANDOM_ROLL, "D", "B", "R"];

/**
 * Reads an XGID, with or without its prefix, also inside other text. `problem` is a sentence that says what is wrong.
 */
export function parseXgid(text: string): { setUp: SetUp } | { problem: string } {
  const refuse = (problem: string) => ({ problem });
  const fields = (/XGID=(\S*)/i.exec(text)?.[1] ?? text.trim()).split(":");
  const [checkers = "", , , turn = "", dice = ""] = fields; // the cube and its owner are ignored
  const places = [...checkers];
  if (places.length !== PLACE_COUNT)
    return refuse(`The first field of an XGID has ${PLACE_COUNT} characters; this one has ${places.length}.`);
  const missing = FIELD_NAMES[fields.length]; // the first field that is not there
  if (missing) return refuse(`The XGID ends before its field for the ${missing}.`);
  /** The number of checkers by place; Dark's checkers count as negative. */
  const counts: number[] = [];
  for (const [place, character] of places.entries()) {
    const count = readCount(character);
    if (count === null)
      return refuse(`${quoted(character)} is not allowed for checkers; an XGID has A to O, a to o, and - there.`);
    if (place === NORTH_BAR && count > 0)
      return refuse("The first place of an XGID is Dark's bar, which takes a to o.");
    if (place === SOUTH_BAR && count < 0)
      return refuse("The last place of an XGID is Light's bar, which takes A to O.");
    counts.push(count);
  }
  for (const side of SIDES) {
    const sign = side === SOUTH ? 1 : -1;
    const count = counts.reduce((sum, each) => sum + Math.max(0, sign * each), 0);
    if (count > CHECKERS_PER_SIDE)
      return refuse(`${checkerName(side)} has ${count} checkers; a side has ${CHECKERS_PER_SIDE} at most.`);
  }
  if (turn !== "1" && turn !== "-1")
    return refuse(`${quoted(turn)} is not allowed for the turn; it takes 1 for Light or -1 for Dark.`);
  if (!NOT_ROLLED.includes(dice) && !/^[1-6]{2}$/.test(dice))
    return refuse(`${quoted(dice)} is not allowed for the dice; they take two numbers from 1 to 6, or 00.`);
  const roll = NOT_ROLLED.includes(dice) ? null : ([Number(dice[0]), Number(dice[1])] as const);
  return { setUp: { position: readPosition(counts), side: turn === "1" ? SOUTH : NORTH, dice: roll } };
}

/**
 * The number of checkers that a character stands for; Dark's checkers count as negative. Null if the character is not
 * allowed.
 */
function readCount(character: string): number | null {
  if (character === "-") return 0;
  for (const side of SIDES) {
    const count = character.charCodeAt(0) - FIRST_CHECKER_LETTER[side].charCodeAt(0) + 1;
    if (count >= 1 && count <= CHECKERS_PER_SIDE) return side === SOUTH ? count : -count;
  }
  return null;
}

/** Writes an XGID with its prefix. */
export function writeXgid({ position, side, dice }: SetUp, stakes: Stakes | null = null): string {
  const places = Array.from({ length: PLACE_COUNT }, (_, place) => {
    const content = contentOf(position, place);
    return content ? String.fromCharCode(FIRST_CHECKER_LETTER[content.side].charCodeAt(0) + content.count - 1) : "-";
  });
  const turn = side === SOUTH ? "1" : "-1";
  const start = `${XGID_PREFIX}${places.join("")}`;
  const roll = `${turn}:${dice?.join("") ?? RANDOM_ROLL}`;
  if (!stakes) return `${start}:0:0:${roll}${MONEY_GAME_FIELDS}`;
  const { cube, owner, score, length, crawford, beavers, jacoby = true } = stakes;
  const cubeSide = owner === null ? "0" : owner === SOUTH ? "1" : "-1";
  // For money 1 is the Jacoby rule, 2 are beavers. The score of a session does not matter.
  const rules = length > 0 ? Number(crawford) : Number(jacoby) + 2 * Number(beavers);
  const points = length > 0 ? score.join(":") : "0:0";
  // The cube is written as a power of two, as is the highest one.
  return `${start}:${Math.log2(cube)}:${cubeSide}:${roll}:${points}:${rules}:${length}:10`;
}

/** The hash of an address that shows the position of an XGID in the lab. */
export function writeShowLink(xgid: string): string {
  return `#/backgammon?show=${xgid.slice(XGID_PREFIX.length)}`;
}
