// The report of a match in a dialog: how well both sides played, their luck, the visitor's worst decisions as boards, and
// the match as a file. Loaded when it is opened.

import "./match.css";
import "./report.css";
import { download } from "../../../core/checkpoint";
import { button, el } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonReport, BackgammonStage, BackgammonDecision } from "../../../generated/protocol";
import { NORTH, SOUTH } from "../position";
import { formatLoss, formatPercent, formatPoints, playerName } from "../wording";
import { describeMatch } from "./words";
import { decisionBoard } from "./decision-board";
import { describeReason, describeWorst, formatErrorRate } from "./report-words";

/** Shows the report of the match that `stage` belongs to. */
export function openReport(stage: BackgammonStage, report: BackgammonReport): void {
  const names = [playerName(stage.players, SOUTH), playerName(stage.players, NORTH)];
  const [you, agent] = report.players;
  const row = (name: string, title: string, cells: string[]) =>
    el(
      "tr",
      { title },
      el("th", { scope: "row", text: name }),
      ...cells.map((text) => el("td", { class: "num", text })),
    );
  const table = el(
    "table",
    { class: "report-table" },
    el("tr", {}, el("td", {}), ...names.map((text) => el("th", { scope: "col", text }))),
    row("Error rate", "Equity lost per decision, times 1000: plays with a choice and close or actual cube decisions", [
      formatErrorRate(you),
      formatErrorRate(agent),
    ]),
    row("Equity lost", "The sum over all decisions", [formatLoss(you.cost), formatLoss(agent.cost)]),
    row("Decisions", "Plays with a choice, and close or actual cube decisions", [
      String(you.decisions),
      String(agent.decisions),
    ]),
    row("Luck", "How much more equity the rolls gave than average rolls", [
      formatPoints(you.luck, 2),
      formatPoints(agent.luck, 2),
    ]),
  );
  const worst = report.worst.map((decision, i) => worstDecision(decision, i));
  const save = button("Save as .mat", () => download("learnery-match.mat", new TextEncoder().encode(report.file)), {
    title: "Download the match as a text file that other backgammon programs read",
  });
  const dialog: HTMLDialogElement = createDialog(
    { class: "match-report", titleId: "match-report-title", title: "The match", closed: () => dialog.remove() },
    el("p", { class: "report-result", text: describeMatch(stage) }),
    table,
    el("p", {
      class: "report-note",
      text: `The agent's network is the judge. It plays what it thinks best, so it finds no fault with itself.`,
    }),
    el("h3", { text: worst.length === 0 ? "No decision of yours lost 0.02 or more." : "Your worst decisions" }),
    ...worst,
    el(
      "div",
      { class: "dialog-actions button-group" },
      save,
      button("Close", () => dialog.close(), { class: "primary" }),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}

function worstDecision(decision: BackgammonDecision, i: number): HTMLElement {
  const [chances, better] = decision.outcomes;
  const share = (outcomes: readonly number[], index: number) => formatPercent(outcomes[index] ?? NaN);
  const line = (name: string, outcomes: readonly number[], kind: string) =>
    el(
      "tr",
      { class: kind },
      el("th", { scope: "row", text: name }),
      ...[0, 1, 3].map((index) => el("td", { class: "num", text: share(outcomes, index) })),
    );
  const review = decision.cubeReview;
  const rows = review
    ? [line("Before the decision", chances, "")]
    : [line(decision.notations[0], chances, "played"), line(decision.notations[1], better, "best")];
  return el(
    "section",
    { class: "report-decision" },
    decisionBoard(decision),
    el(
      "div",
      {},
      el("h4", { text: `${i + 1}. ${describeWorst(decision)}` }),
      el("p", { text: describeReason(decision) }),
      el(
        "table",
        { class: "report-table" },
        el(
          "tr",
          {},
          el("td", {}),
          ...["win", "win gammon", "lose gammon"].map((text) => el("th", { scope: "col", text })),
        ),
        ...rows,
      ),
    ),
  );
}
