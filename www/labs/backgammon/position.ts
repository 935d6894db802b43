// Positions and moves. Sides are 0 (south, at the lower edge) and 1 (north). Each numbers the places in its own
// direction: 0 is off, 1 to 24 are points, 25 is the bar.

export const OFF = 0;
export const BAR = 25;
export const CHECKERS = 15;

export type Side = 0 | 1;

/** The move of a checker by one die, in the numbering of its side. */
export interface Move {
  from: number;
  to: number;
  hit: boolean;
}

/** The number of checkers on each place, by side, in its own numbering. */
export type Position = [number[], number[]];

export const START: Position = [side(), side()];

function side(): number[] {
  const places = new Array<number>(26).fill(0);
  for (const [place, count] of [
    [24, 2],
    [13, 5],
    [8, 3],
    [6, 5],
  ] as const)
    places[place] = count;
  return places;
}

/** Reads a board as the lab sends it: in south's numbering, south's checkers positive, north's negative. */
export function readPosition(board: ArrayLike<number>): Position {
  const sides: Position = [new Array<number>(26).fill(0), new Array<number>(26).fill(0)];
  for (let place = 0; place < 26; place++) {
    const count = board[place] ?? 0;
    if (count > 0) sides[0][place] = count;
    if (count < 0) sides[1][25 - place] = -count;
  }
  for (const places of sides) places[OFF] = CHECKERS - places.reduce((sum, n) => sum + n, 0);
  return sides;
}

export function copyPosition(from: Position): Position {
  return [from[0].slice(), from[1].slice()];
}

export function samePosition(a: Position, b: Position): boolean {
  return a.every((places, i) => places.every((count, place) => count === b[i as Side][place]));
}

export function applyMove(at: Position, who: Side, { from, to, hit }: Move): void {
  const [own, theirs] = [at[who], at[opponent(who)]];
  own[from] = (own[from] as number) - 1;
  own[to] = (own[to] as number) + 1;
  if (!hit) return;
  theirs[25 - to] = (theirs[25 - to] as number) - 1;
  theirs[BAR] = (theirs[BAR] as number) + 1;
}

export function opponent(who: Side): Side {
  return who === 0 ? 1 : 0;
}

/** The pips a side still has to move. */
export function pipCount(at: Position, who: Side): number {
  return at[who].reduce((sum, count, place) => sum + count * place, 0);
}

/** Reads moves as the lab sends them: from, to and hit of each, in one list. */
export function readMoves(flat: ArrayLike<number>): Move[] {
  const all: Move[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3)
    all.push({ from: flat[i] as number, to: flat[i + 1] as number, hit: flat[i + 2] === 1 });
  return all;
}
