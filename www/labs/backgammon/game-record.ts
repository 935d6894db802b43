// A game in the words of players: its lines as the lab writes them (`31 8/5 6/5*`), and from them the position before
// any turn, so that earlier turns can be looked at again.

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

/** What is written where nothing could be moved. */
export const PASS = "(no play)";

/** The moves of a play: each of its ways from one place that is named to the next. */
export function parsePlay(notation: string): Move[] {
  const all: Move[] = [];
  for (const word of notation === PASS ? [] : notation.split(" ")) {
    const [way = "", times = "1"] = word.split(/[()]/);
    const places = way.split("/");
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

/** The position before turn `turn`. */
export function positionBefore(game: RecordedTurn[], turn: number): Position {
  const at = copyPosition(START);
  for (const { side, notation } of game.slice(0, turn))
    for (const step of parsePlay(notation)) applyMove(at, side, step);
  return at;
}
