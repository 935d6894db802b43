// A decision of a match as a position that can be set up, and as an XGID (the position ID of eXtreme Gammon) with its
// cube and its score.

import type { BackgammonAnalysedDecision, BackgammonMoneyRules } from "../../../generated/protocol";
import { opponent, readPosition, type Side } from "../position";
import { writeXgid, type SetUp } from "../set-up/xgid";
import { isAnswer } from "./words";

/** A decision, and the rules of its match or session. */
export interface DecisionInMatch {
  decision: BackgammonAnalysedDecision;
  /** Points that win the match; 0 for a money session. */
  length: number;
  /** Whether its game is the Crawford game, in which nobody may double. */
  crawford: boolean;
  /** The rules of a money session; null in a match. */
  moneyRules: BackgammonMoneyRules | null;
}

/**
 * The position of a decision, with the side on roll and its dice. In an answer to a double, the side on roll is the one
 * that has doubled.
 */
export function setUpOf(decision: BackgammonAnalysedDecision): SetUp {
  const { board, dice, player } = decision;
  const side = isAnswer(decision) ? opponent(player as Side) : (player as Side);
  return { position: readPosition(board), side, dice: dice[0] > 0 ? dice : null };
}

/** The position of a decision as an XGID, with the dice of a play unless `beforeRoll`. */
export function xgidOf(inMatch: DecisionInMatch, beforeRoll = false): string {
  const { decision } = inMatch;
  const setUp = setUpOf(decision);
  const xgid = writeXgid(beforeRoll ? { ...setUp, dice: null } : setUp, stakesOf(inMatch));
  // The fifth field is D instead of the dice while a double awaits its answer.
  return isAnswer(decision) ? xgid.replace(/^((?:[^:]*:){4})00/, "$1D") : xgid;
}

/** What the game of a decision is played for. */
export function stakesOf({ decision: { cube, owner, score }, length, crawford, moneyRules }: DecisionInMatch) {
  const { jacoby, beavers } = moneyRules ?? { jacoby: false, beavers: false };
  return { cube, owner, score, length, crawford, beavers, jacoby };
}
