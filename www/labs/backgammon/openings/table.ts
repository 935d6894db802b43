// Reads the table of openings and replies, which `crates/labs/backgammon/examples/openings` writes. Its scores are seen
// from the side that rolls first; equities are of the side that rolls, in thousandths of a point.

/**
 * What the game counts for: money; "dmp": both sides need one point; "go": the side that rolls first needs two points,
 * the other side one; "save": the other way round.
 */
export type ScoreName = "money" | "dmp" | "go" | "save";

/** Two dice, the larger one first. */
export type Roll = readonly [high: number, low: number];

/** The first roll and how it was played. */
export interface Opening {
  roll: Roll;
  play: string;
}

/** A play, and how many points of equity it is behind the best one of its roll, with the standard error of that. */
export interface RankedPlay {
  play: string;
  behind: number;
  standardError: number;
  games: number;
}

/** What is known about a roll: its plays, the best first, and the equity of the best play with its standard error. */
export interface Decision {
  equity: number;
  standardError: number;
  plays: RankedPlay[];
}

/** All 21 rolls. Doubles are first rolls too, where the rules allow them. */
export const ROLLS: readonly Roll[] = [1, 2, 3, 4, 5, 6].flatMap((high) =>
  Array.from({ length: high }, (_, i): Roll => [high, i + 1]),
);

/**
 * A line has fields that are separated by tabs. Five come before the plays: the score, the opening play with its roll
 * (empty for a first roll), the roll, the equity of the best play, and its standard error. The first three identify a
 * decision.
 */
const FIELDS_BEFORE_PLAYS = 5;
/**
 * Each play has four: the play, how far it is behind the best one, the standard error of that, and the games played.
 */
const FIELDS_OF_PLAY = 4;

export class OpeningTable {
  #decisions = new Map<string, Decision>();

  /** Lines that cannot be read are left out. */
  constructor(text: string) {
    for (const line of text.split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const fields = line.split("\t");
      // From the equity on.
      const decision = readDecision(fields.slice(FIELDS_BEFORE_PLAYS - 2));
      if (decision) this.#decisions.set(fields.slice(0, 3).join("\t"), decision);
    }
  }

  /** The plays of a roll: of the first one for null, otherwise of a reply; null if they were not rolled out. */
  find(score: ScoreName, opening: Opening | null, roll: Roll): Decision | null {
    return this.#decisions.get(keyOf(score, opening, roll)) ?? null;
  }

  /** Whether replies to an opening play were rolled out. */
  hasReplies(score: ScoreName, opening: Opening): boolean {
    return ROLLS.some((roll) => this.find(score, opening, roll) !== null);
  }

  get size(): number {
    return this.#decisions.size;
  }
}

function keyOf(score: ScoreName, opening: Opening | null, roll: Roll): string {
  return `${score}\t${opening ? `${opening.roll.join("")} ${opening.play}` : ""}\t${roll.join("")}`;
}

/** Equity and standard error, then plays of four fields each. */
function readDecision([equity, standardError, ...fields]: string[]): Decision | null {
  const plays: RankedPlay[] = [];
  for (let i = 0; i < fields.length; i += FIELDS_OF_PLAY) {
    const [play = "", ...numbers] = fields.slice(i, i + FIELDS_OF_PLAY);
    const [behind = NaN, ofBehind = NaN, games = NaN] = numbers.map(Number);
    plays.push({ play, behind: behind / 1000, standardError: ofBehind / 1000, games });
  }
  const decision = { equity: Number(equity) / 1000, standardError: Number(standardError) / 1000, plays };
  const numbers = [
    decision.equity,
    decision.standardError,
    ...plays.flatMap(({ behind, standardError, games }) => [behind, standardError, games]),
  ];
  return plays.length > 0 && numbers.every(Number.isFinite) ? decision : null;
}
