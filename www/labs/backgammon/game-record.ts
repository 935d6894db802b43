// The record of a game in standard notation, one line for each turn (`31 8/5 6/5*`). From it the position before any
// turn can be computed.

import { BAR, copyPosition, applyMove, OFF, START, type Move, type Position, type Side } from "./position";

export interface RecordedTurn {
  side: Side;
  dice: [number, number];
  notation: string;
}

export function parseRecord(record: string, first: number): RecordedTurn[] {
  if (record === "") return [];
  return record.split("\n").map((line, i) => ({
    side: ((first + i) % 2) as Side,
    dice: [Number(line[0]), Number(line[1])],
    notation: line.slice(3),
  }));
}

/** Recorded for a turn without a legal move. */
export const PASS = "(no play)";

/** The moves of a play in notation such as `13/7/5*(2)`. */
export function parsePlay(notation: string): Move[] {
  const all: Move[] = [];
  for (const word of notation === PASS ? [] : notation.split(" ")) {
    const [chain = "", times = "1"] = word.split(/[()]/);
    const places = chain.split("/");
    for (let time = 0; time < Number(times); time++) {
      for (let i = 1; i < places.length; i++) {
        const [from, to] = [places[i - 1] as string, places[i] as string];
        all.push({ from: parsePlace(from), to: parsePlace(to), hit: to.endsWith("*") && time === 0 });
      }
    }
  }
  return all;
}

function parsePlace(word: string): number {
  const name = word.replace("*", "");
  return name === "bar" ? BAR : name === "off" ? OFF : Number(name);
}

export function positionBefore(game: RecordedTurn[], turn: number): Position {
  const at = copyPosition(START);
  for (const { side, notation } of game.slice(0, turn))
    for (const step of parsePlay(notation)) applyMove(at, side, step);
  return at;
}
