// Cards as a text that Anki imports: a line for each card, with its front and its back, separated by a tab.

import { formatPoints } from "../wording";
import { drawBoard } from "./board-drawing";
import type { Card } from "./card";
import { KIND_NAMES } from "./kind";
import { cubeOptions } from "./options";
import { xgidOf } from "../match-file/decision-xgid";
import { describeQuestion, describeStakes } from "./words";

/** Lines that tell Anki how the file is to be read. */
const HEAD = ["#separator:tab", "#html:true", "#columns:Question\tAnswer\tTags", "#tags column:3"];

export function ankiText(cards: readonly Card[]): string {
  return [...HEAD, ...cards.map((card) => [front(card), back(card), tags(card)].join("\t"))].join("\n") + "\n";
}

function front(card: Card): string {
  const [light, dark] = card.players;
  return [
    drawBoard(card),
    paragraph(describeQuestion(card)),
    paragraph(describeStakes(card)),
    small(`${light} has the light checkers, ${dark} the dark ones.`),
  ].join("");
}

function back(card: Card): string {
  const { decision, plies, players } = card;
  const best = decision.cubeReview ? cubeOptions(card).find(({ isBest }) => isBest)?.label : decision.notations[1];
  const played = decision.cubeReview
    ? cubeOptions(card).find(({ isPlayed }) => isPlayed)?.label
    : decision.notations[0];
  const name = players[decision.player] ?? "";
  return [
    `<p><b>${escape(best ?? "")}</b></p>`,
    paragraph(`${name} chose ${played ?? ""}: ${formatPoints(-decision.cost)}.`),
    paragraph(`Judged at ${plies} ${plies === 1 ? "ply" : "plies"} by Learnery's expert network.`),
    small(xgidOf(card)),
  ].join("");
}

/** The kind of the card, as a tag, which has no blanks. */
const tags = ({ kind }: Card): string => `backgammon::${KIND_NAMES[kind].toLowerCase()}`;

const small = (text: string): string => `<p style="font-size:small">${escape(text)}</p>`;
const paragraph = (text: string): string => `<p>${escape(text)}</p>`;

/** A text as HTML in one cell. */
export function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(/[\t\r\n]+/g, " ");
}
