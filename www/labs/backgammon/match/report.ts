// The report of a match in a dialog: how well both sides played, their luck, the visitor's worst decisions as boards,
// and the match as a file. Loaded when it is opened.

import "./match.css";
import "./report.css";
import { download } from "../../../core/checkpoint";
import { button, el } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonDecision, BackgammonPlayers, BackgammonReport } from "../../../generated/protocol";
import { NORTH, SOUTH } from "../position";
import { playerName } from "../wording";
import { decisionBoard } from "./decision-board";
import { describeReason, describeWorst } from "./report-words";
import { chancesTable, statisticsTable } from "./statistics-table";

/** Shows the report of a match between these players. `result` is the sentence about how it stands. */
export function openReport(players: BackgammonPlayers, result: string, report: BackgammonReport): HTMLDialogElement {
  const names: [string, string] = [playerName(players, SOUTH), playerName(players, NORTH)];
  const table = statisticsTable(names, report.players);
  const worst = report.worst.map((decision, i) => worstDecision(decision, i));
  const save = button("Save as .mat", () => download("learnery-match.mat", new TextEncoder().encode(report.file)), {
    title: "Download the match as a text file that other backgammon programs read",
  });
  const dialog: HTMLDialogElement = createDialog(
    { class: "match-report", titleId: "match-report-title", title: "The match", closed: () => dialog.remove() },
    el("p", { class: "report-result", text: result }),
    table,
    el("p", {
      class: "report-note",
      text:
        `${names[1]}'s network is the judge. It plays what it thinks best, so it finds no fault with itself. ` +
        "What is lost is equity: points, where a game at the present cube counts 1. The saved file has these error rates too. If it is opened here, the expert judges the match anew.",
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
  return dialog;
}

function worstDecision(decision: BackgammonDecision, i: number): HTMLElement {
  return el(
    "section",
    { class: "report-decision" },
    decisionBoard(decision),
    el(
      "div",
      {},
      el("h4", { text: `${i + 1}. ${describeWorst(decision)}` }),
      el("p", { text: describeReason(decision) }),
      chancesTable(decision),
    ),
  );
}
