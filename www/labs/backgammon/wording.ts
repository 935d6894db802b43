// Words and number formats of the backgammon lab. Equity is the expected result in points per game.

import type { BackgammonPlayers } from "../../generated/protocol";
import { NORTH, SOUTH, type Side } from "./position";

const minus = (text: string) => text.replace("-", "−");

/** Equity with a sign: +0.123. */
export function formatPoints(equity: number, digits = 3): string {
  if (!Number.isFinite(equity)) return "–";
  const rounded = Number(equity.toFixed(digits)) || 0;
  return `${rounded > 0 ? "+" : ""}${minus(rounded.toFixed(digits))}`;
}

/** Equity that was lost, with a minus sign: −0.12. A loss that rounds to zero has no sign. */
export function formatLoss(equityLost: number, digits = 2): string {
  if (!Number.isFinite(equityLost)) return "–";
  return minus((-Math.max(0, equityLost)).toFixed(digits)).replace(/^−(?=0\.0+$)/, "");
}

/** The name of the player of a side: a colour in a watched game, otherwise the visitor is South. */
export function playerName(players: BackgammonPlayers, side: Side): string {
  if (players === "watch") return side === SOUTH ? "Light" : "Dark";
  if (side === SOUTH) return "You";
  return players === "learner" ? "The agent" : "The expert";
}

/** A name in the middle of a sentence: "the agent". */
export function lower(name: string): string {
  return name.replace("The", "the").replace("You", "you");
}

/** What a win of 1, 2 or 3 points is called. */
const WIN_NAMES = ["", "the game", "a gammon", "a backgammon"];

/** The result of a game. `result` is south's points, negative if north won. */
export function describeResult(players: BackgammonPlayers, result: number): string {
  return `${winner(players, result > 0 ? SOUTH : NORTH)} ${WIN_NAMES[Math.abs(result)] ?? "the game"}`;
}

/**
 * Who wins more points on average, by south's equity, and how many: "Dark leads by", "0.42"; or "Both are level at".
 */
export function describeLead(players: BackgammonPlayers, equity: number): [leader: string, points: string] {
  const name = playerName(players, equity < 0 ? NORTH : SOUTH);
  const points = Number.isFinite(equity) ? Math.abs(equity).toFixed(2) : "–";
  if (Number(points) === 0) return ["Both are level at", points];
  return [`${name} ${name === "You" ? "lead" : "leads"} by`, points];
}

/** The player of a side with a verb: "You win" or "The agent wins". */
export function winner(players: BackgammonPlayers, side: Side): string {
  const name = playerName(players, side);
  return `${name} ${name === "You" ? "win" : "wins"}`;
}

/**
 * A play that loses more equity than this is doubtful, bad or very bad. Names and thresholds are those of GNU
 * Backgammon, and the same as in `Severity` (crates/backgammon-play), which counts errors.
 */
export const ERROR_THRESHOLDS = { doubtful: 0.03, bad: 0.06, "very bad": 0.12 };

/** The name of an error that lost this much equity; empty if the play was good enough. */
export function describeError(equityLost: number): "" | "doubtful" | "bad" | "very bad" {
  if (!(equityLost > ERROR_THRESHOLDS.doubtful)) return "";
  if (equityLost > ERROR_THRESHOLDS["very bad"]) return "very bad";
  return equityLost > ERROR_THRESHOLDS.bad ? "bad" : "doubtful";
}

/** A probability as a whole percentage. */
export function percentOf(probability: number): number {
  return Math.round(100 * Math.max(0, Math.min(1, probability)));
}

/**
 * The percentages of single games, gammons and backgammons among a side's wins. They add up to that of the wins. A
 * network may predict more gammons than wins.
 */
export function winParts(won: number, gammons: number, backgammons: number): [number, number, number] {
  const all = percentOf(won);
  const double = Math.min(all, percentOf(gammons));
  const triple = Math.min(double, percentOf(backgammons));
  return [all - double, double - triple, triple];
}
