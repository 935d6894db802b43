// The sentences of the trainer.

import { formatCount, formatInteger } from "../../../core/format";
import { isAnswer } from "../match-file/words";
import { describeError, formatLoss } from "../wording";
import type { Card } from "./card";
import { MAX_CARDS, type Added } from "./deck";
import { isRight, type Option } from "./options";
import type { CostlyRoll } from "./replies";
import { describeDue, type Schedule } from "./schedule";

/** What a card asks. */
export function describeQuestion({ decision, players }: Card): string {
  const { player, dice, cubeReview, cube } = decision;
  const name = players[player] ?? "";
  if (!cubeReview) return `${name} has rolled ${dice.join("-")}. How would you play it?`;
  if (isAnswer(decision)) {
    const lost = `${cube} point${cube === 1 ? "" : "s"}`;
    return `${players[1 - player] ?? ""} doubles to ${2 * cube}. Would you take as ${name} and play on, or pass and lose ${lost}?`;
  }
  return `${name} is about to roll. Would you double first, to ${2 * cube}?`;
}

/** What is played for: "Match to 7 points, Ada 2, Ben 1.", or by which rules. */
export function describeStakes({ decision, players, length, crawford, moneyRules }: Card): string {
  if (length === 0) {
    const gammons = moneyRules?.jacoby
      ? "By the Jacoby rule, gammons count only once the cube is turned."
      : "Gammons count from the start, without the Jacoby rule.";
    return `A single game, without a match. ${gammons}${moneyRules?.beavers ? " Beavers are allowed." : ""}`;
  }
  const score = players.map((name, i) => `${name} ${decision.score[i] ?? 0}`).join(", ");
  return `Match to ${length} point${length === 1 ? "" : "s"}, ${score}${crawford ? "; Crawford game: nobody may double" : ""}.`;
}

/** How good a choice was. */
export function describeChoice(option: Option, options: readonly Option[]): string {
  const best = options.find(({ isBest }) => isBest);
  if (option.isBest) return `Right: ${option.label} is best.`;
  const better = best ? ` ${best.label} is better.` : "";
  const lost = formatLoss(option.cost, 3).replace("−", "");
  if (isRight(option)) return `Good enough: ${option.label} loses only ${lost} points a game.${better}`;
  return `${option.label} loses ${lost} points a game (${describeError(option.cost)}).${better}`;
}

/** What was chosen in the recorded game, unless it is what the visitor chose. */
export function describePlayed({ decision, players }: Card, chosen: Option, options: readonly Option[]): string {
  const played = options.find(({ isPlayed }) => isPlayed);
  const name = players[decision.player] ?? "";
  if (!played) return "";
  if (played === chosen) return `That is what ${name} did in the recorded game.`;
  return `In the recorded game ${name} chose “${played.label}”, which lost ${formatLoss(played.cost, 3).replace("−", "")}.`;
}

/** When the card comes back. */
export function describeReturn({ due, box }: Schedule, now: number): string {
  if (box === 0) return "This card comes back in this round.";
  return `This card comes back ${describeDue(due, now)}.`;
}

/** The rolls that hurt more than after the best play. */
export function describeReplies(replies: readonly CostlyRoll[], opponent: string): string {
  if (replies.length === 0) return "";
  const rolls = replies.map(({ dice, loss }) => `${dice.join("-")} (${loss.toFixed(2)})`);
  return `Rolls of ${opponent} that hurt more than after the best play, with how many points each costs: ${rolls.join(", ")}.`;
}

/** How many cards are new, and that others had to go. */
export function describeAdded({ kept, gone }: Added): string {
  return `${formatCount(kept, "new card")}.${describeGone(gone)}`;
}

/** What became of a position of the day that was answered wrong. It may be a card already. */
export function describeKept({ kept, gone }: Added): string {
  return `${kept > 0 ? "It is one of your cards now." : ""}${describeGone(gone)}`.trimStart();
}

function describeGone(gone: number): string {
  if (gone === 0) return "";
  const cards = gone === 1 ? "The card that cost least is" : `The ${formatInteger(gone)} cards that cost least are`;
  return ` ${cards} gone, because ${formatInteger(MAX_CARDS)} is the most that are kept.`;
}

/** How many cards there are. */
export function describeDeck(due: number, shown: number, all: number, next: number | null, now: number): string {
  if (all === 0)
    return "You have no cards yet. Analyse a match file, then choose whose mistakes become cards. Or try today's ten positions.";
  if (shown === 0) return "No card matches this choice.";
  const cards = `${shown} card${shown === 1 ? "" : "s"}`;
  if (due > 0) return `${due} of ${cards} ${due === 1 ? "is" : "are"} due.`;
  return `None of ${cards} is due.${next === null ? "" : ` The next comes back ${describeDue(next, now)}.`}`;
}
