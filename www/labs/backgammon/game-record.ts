// Reads the record of a game: one line for each turn, with the two dice and the play in standard notation (`31 8/5
// 6/5*`: a roll of 3 and 1, moves from point 8 to 5 and from 6 to 5, where the second hits). The position before any
// turn is computed from it.

import { BAR, copyPosition, applyMove, OFF, readPosition, type Move, type Position, type Side } from "./position";
import type { SetUp } from "./set-up/xgid";
import type { BackgammonStage } from "../../generated/protocol";

export interface RecordedTurn {
  side: Side;
  dice: [number, number];
  notation: string;
}

/** Reads a record. The sides take turns; the side `first` begins. */
export function parseRecord(record: string, first: number): RecordedTurn[] {
  if (record === "") return [];
  return record.split("\n").map((line, i) => ({
    side: ((first + i) % 2) as Side,
    dice: [Number(line[0]), Number(line[1])],
    notation: line.slice(3), // after the dice and a space
  }));
}

/** Stands in place of the play in a turn without a legal move. */
export const PASS = "(no play)";

/** The moves of a play in notation such as `13/7/5*(2)`: two checkers from 13 over 7 to 5, where the first one hits. */
export function parsePlay(notation: string): Move[] {
  const moves: Move[] = [];
  for (const word of notation === PASS ? [] : notation.split(" ")) {
    // A chain of places, and in brackets the number of checkers that move along it.
    const [chain = "", checkers = "1"] = word.split(/[()]/);
    const places = chain.split("/");
    for (let checker = 0; checker < Number(checkers); checker++) {
      for (let i = 1; i < places.length; i++) {
        const [from, to] = [places[i - 1] as string, places[i] as string];
        // Only the first checker can hit: after it, the opponent's single checker is gone.
        moves.push({ from: parsePlace(from), to: parsePlace(to), hit: to.endsWith("*") && checker === 0 });
      }
    }
  }
  return moves;
}

function parsePlace(word: string): number {
  const name = word.replace("*", ""); // the sign of a hit
  return name === "bar" ? BAR : name === "off" ? OFF : Number(name);
}

/** The position before a turn of a game that began from `start`. Turns are counted from 0. */
export function positionBefore(start: Position, record: RecordedTurn[], turn: number): Position {
  const position = copyPosition(start);
  for (const { side, notation } of record.slice(0, turn))
    for (const move of parsePlay(notation)) applyMove(position, side, move);
  return position;
}

/** The position and the roll of a turn before it is played: of an earlier turn, or of the present one for null. */
export function turnBefore(
  { board, side, dice, start }: Pick<BackgammonStage, "board" | "side" | "dice" | "start">,
  record: RecordedTurn[],
  turn: number | null,
): SetUp {
  const recorded = turn === null ? undefined : record[turn];
  if (turn === null || !recorded)
    return { position: readPosition(board), side: side as Side, dice: dice[0] > 0 ? dice : null };
  return { position: positionBefore(readPosition(start), record, turn), side: recorded.side, dice: recorded.dice };
}
