// Positions and moves of backgammon. South sits at the lower edge of the board (light checkers, the visitor's side) and
// north at the upper edge. A place is a point, the bar, or the tray for borne-off checkers. Each side numbers the
// places in its own direction of play, downwards: 25 is its bar, 24 to 1 are the points, 0 is its tray ("off").

/** The numbers of the tray and of the bar among a side's places. */
export const OFF = 0;
export const BAR = 25;
/** The places of a side: tray, 24 points, bar. */
export const PLACE_COUNT = 26;

export const CHECKERS_PER_SIDE = 15;

export const SOUTH = 0;
export const NORTH = 1;
export type Side = typeof SOUTH | typeof NORTH;
export const SIDES = [SOUTH, NORTH] as const;

/** The move of a checker by one die, in the numbering of its side. `hit` sends an opponent's checker to the bar. */
export interface Move {
  from: number;
  to: number;
  hit: boolean;
}

/** The number of checkers on each place: `position[side][place]`, in that side's numbering. */
export type Position = [number[], number[]];

/** The starting position. */
export const START_POSITION: Position = [startCounts(), startCounts()];

function startCounts(): number[] {
  const counts = new Array<number>(PLACE_COUNT).fill(0);
  [counts[24], counts[13], counts[8], counts[6]] = [2, 5, 3, 5];
  return counts;
}

/**
 * The number of a point in the other side's numbering. In a signed board (see `readPosition`) it also maps entry 0, which
 * is north's bar there, to `BAR`.
 */
export function mirrored(point: number): number {
  return BAR - point;
}

/**
 * Reads a board as the lab's worker sends it: signed counts of checkers in south's numbering, south's positive and north's
 * negative. Entry 25 counts south's bar, entry 0 north's bar. The checkers that are missing have been borne off.
 */
export function readPosition(board: ArrayLike<number>): Position {
  const position: Position = [new Array<number>(PLACE_COUNT).fill(0), new Array<number>(PLACE_COUNT).fill(0)];
  for (let place = 0; place < PLACE_COUNT; place++) {
    const count = board[place] ?? 0;
    if (count > 0) position[SOUTH][place] = count;
    if (count < 0) position[NORTH][mirrored(place)] = -count;
  }
  for (const counts of position) counts[OFF] = CHECKERS_PER_SIDE - counts.reduce((sum, n) => sum + n, 0);
  return position;
}

export function copyPosition(position: Position): Position {
  return [position[SOUTH].slice(), position[NORTH].slice()];
}

export function samePosition(a: Position, b: Position): boolean {
  return SIDES.every((side) => a[side].every((count, place) => count === b[side][place]));
}

/** Changes `position` by a move of `side`, without checking that it is legal. */
export function applyMove(position: Position, side: Side, { from, to, hit }: Move): void {
  const [moving, other] = [position[side], position[opponent(side)]];
  moving[from] = (moving[from] as number) - 1;
  moving[to] = (moving[to] as number) + 1;
  if (!hit) return;
  other[mirrored(to)] = (other[mirrored(to)] as number) - 1;
  other[BAR] = (other[BAR] as number) + 1;
}

export function opponent(side: Side): Side {
  return side === SOUTH ? NORTH : SOUTH;
}

/** The pip count: how many points all checkers of a side still have to move in total. */
export function pipCount(position: Position, side: Side): number {
  return position[side].reduce((sum, count, place) => sum + count * place, 0);
}

/** Reads moves as the lab's worker sends them: `from`, `to` and `hit` (0 or 1) of each move, in one list. */
export function readMoves(numbers: ArrayLike<number>): Move[] {
  const moves: Move[] = [];
  for (let i = 0; i + 2 < numbers.length; i += 3)
    moves.push({ from: numbers[i] as number, to: numbers[i + 1] as number, hit: numbers[i + 2] === 1 });
  return moves;
}
