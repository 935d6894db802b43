// Words and number formats of the backgammon lab.

import type { BackgammonPlayers } from "../../generated/protocol";
import type { Side } from "./position";

const minus = (text: string) => text.replace("-", "−");

/** Equity in points: +0.123. */
export function formatPoints(equity: number, digits = 3): string {
  if (!Number.isFinite(equity)) return "–";
  const rounded = Number(equity.toFixed(digits)) || 0;
  return `${rounded > 0 ? "+" : ""}${minus(rounded.toFixed(digits))}`;
}

/** Lost equity: −0.12. */
export function formatLoss(cost: number, digits = 2): string {
  return Number.isFinite(cost) ? minus((-Math.max(0, cost)).toFixed(digits)).replace(/^−?0\.0+$/, "0.00") : "–";
}

export function formatPercent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(100 * share)}%` : "–";
}

/** The name of the player of a side. */
export function playerName(players: BackgammonPlayers, side: Side): string {
  if (players === "watch") return side === 0 ? "Light" : "Dark";
  if (side === 0) return "You";
  return players === "learner" ? "The learner" : "The expert";
}

const WINS = ["", "the game", "a gammon", "a backgammon"];

/** The result of a game. `result` is south's points. */
export function describeResult(players: BackgammonPlayers, result: number): string {
  const winner: Side = result > 0 ? 0 : 1;
  const who = playerName(players, winner);
  return `${who} ${who === "You" ? "win" : "wins"} ${WINS[Math.abs(result)] ?? "the game"}`;
}

/** The name for an error of this cost, empty for none worth mentioning. */
export function describeError(cost: number): "" | "doubtful" | "bad" | "very bad" {
  if (!(cost >= 0.02)) return "";
  return cost >= 0.12 ? "very bad" : cost >= 0.06 ? "bad" : "doubtful";
}
