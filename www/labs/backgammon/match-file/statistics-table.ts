// Tables about a match: how well and how luckily both sides played, and the chances after a play beside those after the
// best one.

import "./report.css";
import { el } from "../../../core/dom";
import { formatShare } from "../../../core/format";
import type { BackgammonAnalysedDecision, BackgammonPlayerReport } from "../../../generated/protocol";
import { formatLoss, formatPoints } from "../wording";
import { formatErrorRate } from "./words";

/** The errors and the luck of both sides. */
export function statisticsTable(
  names: readonly [string, string],
  [first, second]: readonly [BackgammonPlayerReport, BackgammonPlayerReport],
): HTMLTableElement {
  const row = (name: string, title: string, cell: (player: BackgammonPlayerReport) => string) =>
    el(
      "tr",
      { title },
      el("th", { scope: "row", text: name }),
      ...[first, second].map((player) => el("td", { class: "num", text: cell(player) })),
    );
  return el(
    "table",
    { class: "report-table" },
    el("tr", {}, el("td", {}), ...names.map((text) => el("th", { scope: "col", text }))),
    row("Rating", "GNU Backgammon's name for the error rate", ({ rating }) => rating ?? "–"),
    row(
      "Error rate",
      "Equity lost per decision, times 1000: plays with a choice and close or actual cube decisions",
      formatErrorRate,
    ),
    row("Equity lost", "The sum over all decisions", ({ cost }) => formatLoss(cost)),
    row("Decisions", "Plays with a choice, and close or actual cube decisions", ({ decisions }) => String(decisions)),
    row("Luck", "How much more equity (expected points) the rolls gave than average rolls", ({ luck }) =>
      formatPoints(luck, 2),
    ),
  );
}

/** Indices of the outcome probabilities: to win, to win a gammon, to lose a gammon. */
const [WIN, WIN_GAMMON, LOSE_GAMMON] = [0, 1, 3];
/** Columns of the table of chances: indices of outcome probabilities, and their names. */
const CHANCE_COLUMNS: [index: number, name: string][] = [
  [WIN, "win"],
  [WIN_GAMMON, "win gammon"],
  [LOSE_GAMMON, "lose gammon"],
];

/**
 * The chances after what was played and after the best play, or before a cube decision; and `before` the roll of a
 * play, where they are known.
 */
export function chancesTable(
  { outcomes: [chances, better], notations, cubeReview }: BackgammonAnalysedDecision,
  before: readonly number[] | null = null,
): HTMLElement {
  const createRow = (name: string, outcomes: readonly number[], className: string) =>
    el(
      "tr",
      { class: className },
      el("th", { scope: "row", text: name }),
      ...CHANCE_COLUMNS.map(([index]) => el("td", { class: "num", text: formatShare(outcomes[index] ?? NaN) })),
    );
  const [played, best] = notations;
  const rows = cubeReview
    ? [createRow("Before the decision", chances, "")]
    : played === best
      ? [createRow(played, chances, "best")]
      : [createRow(played, chances, "played"), createRow(best, better, "best")];
  if (before) rows.unshift(createRow("Before the roll", before, ""));
  return el(
    "table",
    { class: "report-table" },
    el("tr", {}, el("td", {}), ...CHANCE_COLUMNS.map(([, text]) => el("th", { scope: "col", text }))),
    ...rows,
  );
}
